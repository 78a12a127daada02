"""``twicetold compare``: documents side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import click

from twicetold.cli import deciding
from twicetold.cli.exits import tell, writing
from twicetold.cli.inputs import collection_option, reading, reading_options, tell_problems
from twicetold.cli.options import parameter_options
from twicetold.cli.progress import Watch, progress_options
from twicetold.cli.sections import Sectioned, option
from twicetold.comparing import RETELLING, Comparison, compare, comparing_methods
from twicetold.documents import read
from twicetold.errors import ParameterError
from twicetold.html.trees import Order
from twicetold.parameters import parameters_of
from twicetold.records import Document
from twicetold.reports.files import check_outputs, check_page
from twicetold.statistics import Statistics

__all__ = ["command"]

_DECIDING = ("decision", "language", "profile", "threads", "deadline")
_WRITE = "What to write"


@click.command("compare", cls=Sectioned)
@click.argument("left")
@click.argument("right", nargs=-1, required=True)
@collection_option
@reading_options
@option(
    "How to decide",
    "--method",
    metavar="NAME",
    default=RETELLING,
    show_default=True,
    help=f"{', '.join(comparing_methods())}; its parameters are options, see below",
)
@deciding.model_option
@deciding.decision_option
@parameter_options({name: parameters_of(cls) for name, cls in comparing_methods().items()})
@deciding.keep_boilerplate_option
@deciding.language_option
@deciding.profile_option
@deciding.statistics_option
@deciding.threads_option
@deciding.deadline_option
@option(_WRITE, "--json", "as_json", is_flag=True, help="print one JSON object")
@option(
    _WRITE,
    "--limit",
    type=click.IntRange(min=0),
    metavar="INTEGER",
    default=10,
    show_default=True,
    help="passages shown",
)
@option(
    _WRITE,
    "--report",
    metavar="FILE.html",
    help="one page with both texts, linked, and the dotplot; needs no network",
)
@option(
    _WRITE,
    "--dotplot",
    metavar="FILE",
    help="the dotplot as .png, .svg or .pdf; needs the extra plots",
)
@option(
    _WRITE,
    "--order",
    type=click.Choice(get_args(Order)),
    metavar="NAME",
    default="document",
    show_default=True,
    help="of sentences in the dotplot of web pages: document, or thesis (headings last)",
)
@progress_options
@click.pass_context
def command(ctx: click.Context, /, left: str, right: tuple[str, ...], **given: Any) -> None:
    """Show what documents have in common, passage by passage, side by side.

    LEFT and RIGHT are files, of which the first document is taken, `-` for standard input, or ids
    of documents in the collection given with --in. Several on the right are taken together: how
    much of LEFT is in their union, and what of it in which.
    """
    _check_outputs(given, (left, *right))
    sources = given["sources"] or None
    options = reading(given)
    statistics = given["statistics"] and Statistics.load(given["statistics"])
    if (left, *right).count("-") > 1:
        msg = "standard input was given more than once; it holds one document"
        raise ParameterError(msg)
    with Watch.of(given) as watch:
        found = compare(
            _document(left, sources, options),
            [_document(name, sources, options) for name in right],
            sources=sources,
            statistics=statistics,
            order=given["order"],
            keep_boilerplate=given["keep_boilerplate"],
            **{name: given[name] for name in _DECIDING},
            **options,
            **deciding.chosen_method(ctx, given),
            origin=" ".join(sources or ()),
            report=watch.report,
            progress=watch.progress,
        )
    _write(found, given)
    with writing("standard output"):
        _print(found, as_json=given["as_json"], limit=given["limit"])
    if not given["quiet"]:
        _tell_files(given)
        tell_problems(watch.report)


def _check_outputs(given: dict[str, Any], sides: Sequence[str]) -> None:
    """Refuse a name that cannot be written before any work is done."""
    outputs = [given["report"], given["dotplot"]]
    check_outputs(
        outputs,
        [*sides, *given["sources"]],
        inputs=(given["statistics"], given["model"]),
        format=given["format"],
    )
    if given["report"] is not None:
        check_page(given["report"])
    if given["dotplot"] is not None:
        from twicetold.reports.dotplot import check_dotplot

        check_dotplot(given["dotplot"])


def _document(
    name: str, sources: tuple[str, ...] | None, options: dict[str, Any]
) -> Document | str:
    """Return the first document of a file, or the name itself where it must be an id."""
    if sources is not None and name != "-" and not Path(name).is_file():
        return name
    documents = read(name, **options)
    found = next(documents)  # else an error says what is wrong
    if next(documents, None) is not None:
        tell(f"{name}: holds several documents, {found.id} is compared; others by id with --in")
    return found


def _write(found: Comparison, given: dict[str, Any]) -> None:
    if given["report"] is not None:
        from twicetold.reports.comparison_page import write_comparison_page

        with writing(given["report"]):
            write_comparison_page(found, given["report"])
    if given["dotplot"] is not None:
        from twicetold.reports.dotplot import write_dotplot

        with writing(given["dotplot"]):
            write_dotplot(found, given["dotplot"])


def _print(found: Comparison, *, as_json: bool, limit: int) -> None:
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
        return
    from rich.console import Console

    from twicetold.reports.comparison import print_comparison

    console = Console(highlight=False)
    if console.is_terminal:
        print_comparison(found, console, limit=limit)
        return
    with console.capture() as captured:
        print_comparison(found, console, limit=limit)
    # Columns are filled with blanks, which nobody needs at the end of a line in a file.
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


def _tell_files(given: dict[str, Any]) -> None:
    for name in ("report", "dotplot"):
        if given[name] is not None:
            tell(f"{name}: {given[name]}")

"""``twicetold explain``: why a pair has its score."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from twicetold.cli import deciding
from twicetold.cli.exits import writing
from twicetold.cli.inputs import collection_option, reading, reading_options, tell_problems
from twicetold.cli.progress import Watch, progress_options
from twicetold.cli.sections import Sectioned, option
from twicetold.documents import read
from twicetold.errors import ParameterError
from twicetold.evidence import Explanation
from twicetold.explaining import explain
from twicetold.records import Document
from twicetold.statistics import Statistics

__all__ = ["command"]

_DECIDING = ("decision", "language", "profile", "max_key_documents", "keep_boilerplate", "threads")


@click.command("explain", cls=Sectioned)
@click.argument("left")
@click.argument("right")
@collection_option
@reading_options
@deciding.detector_options
@deciding.model_option
@deciding.decision_option
@deciding.max_key_documents_option
@deciding.keep_boilerplate_option
@deciding.language_option
@deciding.profile_option
@deciding.statistics_option
@deciding.threads_option
@option("What to write", "--json", "as_json", is_flag=True, help="print one JSON object")
@option(
    "What to write",
    "--limit",
    type=click.IntRange(min=0),
    metavar="INTEGER",
    default=10,
    show_default=True,
    help="sentences and paths shown of each kind",
)
@progress_options
@click.pass_context
def command(ctx: click.Context, /, left: str, right: str, **given: Any) -> None:
    """Show the sentences and tree paths, with their weights, that make up the score of a pair.

    LEFT and RIGHT are ids of documents in the collection given with --in, or files that hold one
    document each. With --in the score is the one a scan of the collection gives; without, weights
    come from --statistics or from the two documents alone.
    """
    sources = given["sources"] or None
    options = reading(given)
    statistics = given["statistics"] and Statistics.load(given["statistics"])
    with Watch.of(given) as watch:
        found = explain(
            _document(left, sources, options),
            _document(right, sources, options),
            sources=sources,
            statistics=statistics,
            **{name: given[name] for name in _DECIDING},
            **options,
            **deciding.chosen_method(ctx, given),
            origin=" ".join(sources or ()),
            report=watch.report,
            progress=watch.progress,
        )
    with writing("standard output"):
        _print(found, as_json=given["as_json"], limit=given["limit"])
    if not given["quiet"]:
        tell_problems(watch.report)


def _document(
    name: str, sources: tuple[str, ...] | None, options: dict[str, Any]
) -> Document | str:
    """Return the document of a file, or the name itself where it must be an id."""
    if sources is not None and not Path(name).is_file():
        return name
    documents = read(name, **options)
    found = next(documents)  # else an error says what is wrong
    if next(documents, None) is not None:
        msg = f"{name}: holds several documents; name one by its id, with --in {name}"
        raise ParameterError(msg)
    return found


def _print(found: Explanation, *, as_json: bool, limit: int) -> None:
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
        return
    from rich.console import Console

    from twicetold.reports.explanation import print_explanation

    print_explanation(found, Console(highlight=False), limit=limit)

"""``twicetold outline``: the semantic hierarchy of a page."""

from __future__ import annotations

import json
from typing import Any

import click

from twicetold.cli.exits import writing
from twicetold.cli.inputs import reading, reading_options, tell_problems
from twicetold.cli.progress import Watch, progress_options
from twicetold.cli.sections import Sectioned, option
from twicetold.documents import read
from twicetold.html.hierarchy import outline
from twicetold.records import Document
from twicetold.reports.outline import outline_lines

__all__ = ["command"]

_WRITE = "What to write"


@click.command("outline", cls=Sectioned)
@click.argument("page")
@reading_options
@option(
    "How to decide",
    "--language",
    metavar="CODE",
    help="of the page, such as en  [default: its own, or detected]",
)
@option(_WRITE, "--json", "as_json", is_flag=True, help="print one JSON object")
@option(_WRITE, "--paths", is_flag=True, help="also the elements each text is in")
@option(
    _WRITE,
    "--width",
    type=click.IntRange(min=20),
    metavar="INTEGER",
    default=100,
    show_default=True,
    help="columns of a line",
)
@progress_options
def command(page: str, **given: Any) -> None:
    """Show the semantic hierarchy of a web page: which text belongs under which.

    PAGE is a file, of which the first document is taken, or - for standard input. Of each node its
    number in document order, its role, how many sentences it has, and the beginning of its text.
    """
    with Watch.of(given) as watch:
        document = next(read(page, **reading(given), report=watch.report))
    found = outline(document, language=given["language"])
    with writing("standard output"):
        if given["as_json"]:
            row = {**_about(document), **found.to_json()}
            click.echo(json.dumps(row, ensure_ascii=False, indent=2))
        else:
            for line in outline_lines(found, width=given["width"], paths=given["paths"]):
                click.echo(line)
    if not given["quiet"]:
        tell_problems(watch.report)


def _about(document: Document) -> dict[str, str]:
    """Return what the page says of itself, beside its title."""
    published = document.published
    told = {
        "id": document.id,
        "url": document.url,
        "source": document.source,
        "language": document.language,
        "published": None if published is None else published.isoformat(),
    }
    return {name: value for name, value in told.items() if value is not None}

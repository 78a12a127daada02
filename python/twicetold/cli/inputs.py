"""The options that say what to read, and the summary of what could not be read."""

from __future__ import annotations

import dataclasses
from typing import Any

import click

from twicetold.cli.exits import tell
from twicetold.cli.sections import apply, option
from twicetold.documents import CONTENTS, FORMATS, Fields, Report, SourcePath
from twicetold.documents.fields import ALIASES

__all__ = ["PARTS", "collection_option", "reading", "reading_options", "tell_problems"]

_SECTION = "What to read"
#: The parts of a document whose field or column can be named.
PARTS = tuple(field.name for field in dataclasses.fields(Fields))

collection_option = option(
    _SECTION,
    "--in",
    "sources",
    type=SourcePath,
    metavar="SOURCE",
    multiple=True,
    help="a collection the documents belong to: files, folders, globs; give any number",
)

reading_options = apply(
    option(
        _SECTION,
        "--format",
        type=click.Choice(FORMATS),
        metavar="NAME",
        help=f"of every source: {', '.join(FORMATS)}  [default: by suffix]",
    ),
    option(
        _SECTION,
        "--encoding",
        metavar="NAME",
        help="of every source, such as latin-1  [default: found out file by file]",
    ),
    option(
        _SECTION,
        "--content",
        type=click.Choice(CONTENTS),
        metavar="NAME",
        default="full",
        show_default=True,
        help="of web pages: full, main (quick) or main-quality (needs the extra quality)",
    ),
    *(
        option(
            _SECTION,
            f"--{part}-field",
            metavar="NAME",
            help=f"[default: {', '.join(ALIASES[part])}]",
        )
        for part in PARTS
    ),
    option(_SECTION, "--strict", is_flag=True, help="stop at a document that cannot be used"),
)


def reading(given: dict[str, Any]) -> dict[str, Any]:
    """Return the keywords of a library call that say what to read."""
    return {
        "fields": Fields(**{part: given[f"{part}_field"] for part in PARTS}),
        "format": given["format"],
        "encoding": given["encoding"],
        "content": given["content"],
        "strict": given["strict"],
    }


def tell_problems(report: Report) -> None:
    """Say how many documents were skipped or left out, and why."""
    if report.count or report.others:
        # The first problem was shown when it came.
        tell(dataclasses.replace(report, problems=[]).summary())

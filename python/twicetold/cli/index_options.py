"""The options that commands of ``twicetold index`` share with each other and with ``stream``."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import click

from twicetold.cli.durations import duration
from twicetold.cli.options import method_options
from twicetold.cli.sections import Command, apply, option
from twicetold.documents import SourcePath
from twicetold.index import SERVED, OnDuplicate

__all__ = [
    "json_option",
    "limit_option",
    "on_duplicate_option",
    "quiet_option",
    "served_options",
    "statistics_options",
    "window_option",
]


def served_options(shown: str | None = None) -> Callable[[Command], Command]:
    """Return a decorator that adds the methods that an index serves; ``shown`` is their default."""
    return method_options("How to decide", default="retelling", shown=shown, served=SERVED)


window_option = option(
    "How to decide",
    "--window",
    callback=duration,
    metavar="DURATION",
    help="what was told longer ago expires, and is compared with nothing; such as 30d or 12h",
)


def on_duplicate_option(default: OnDuplicate) -> Callable[[Command], Command]:
    """Return a decorator that adds ``--on-duplicate``."""
    return option(
        "How to decide",
        "--on-duplicate",
        type=click.Choice(get_args(OnDuplicate)),
        default=default,
        show_default=True,
        help="what to do with an id that is there: stop, leave it, or take the new version",
    )


def statistics_options(default: str) -> Callable[[Command], Command]:
    """Return a decorator that adds what says which statistics are pinned, ``default`` if none."""
    return apply(
        option(
            "How to decide",
            "--statistics",
            metavar="FILE",
            help=f"pinned, from `twicetold statistics build`  [default: {default}]",
        ),
        option(
            "How to decide",
            "--sample",
            type=SourcePath,
            metavar="SOURCE",
            multiple=True,
            help="documents to count instead, like those that will come; give any number of "
            "sources: up to 50,000 documents count, spread over all",
        ),
        option(
            "How to decide",
            "--reference",
            metavar="CODE",
            help="word frequencies of a language instead, for a start with nothing; such as en",
        ),
    )


json_option = option("What to write", "--json", "as_json", is_flag=True, help="print JSON Lines")
limit_option = option(
    "What to write",
    "--limit",
    type=click.IntRange(min=0),
    metavar="INTEGER",
    default=20,
    show_default=True,
    help="rows of the table that is printed otherwise; 0: none",
)
quiet_option = option("Other", "-q", "--quiet", is_flag=True, help="print nothing but errors")

"""``twicetold index``: documents on disk, each compared with all others when it comes."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from datetime import datetime
from typing import Any

import click

from twicetold.cli import deciding
from twicetold.cli.exits import tell, writing
from twicetold.cli.groups import Entry, LazyGroup, help_unless_called
from twicetold.cli.index_options import (
    json_option,
    limit_option,
    quiet_option,
    served_options,
    statistics_options,
    window_option,
)
from twicetold.cli.inputs import reading, reading_options, tell_problems
from twicetold.cli.progress import Watch, progress_options
from twicetold.cli.sections import Sectioned, option
from twicetold.documents import read
from twicetold.documents.dates import parse_date
from twicetold.errors import ParameterError
from twicetold.index import Index
from twicetold.pairs import Manifest, Pairs
from twicetold.pipeline import Detector, Progress
from twicetold.records import Pair
from twicetold.reports.words import count_of, unknown_frequent

__all__ = [
    "SHOWN",
    "create",
    "expire",
    "group",
    "print_json",
    "print_pairs",
    "remove",
    "search",
    "tell_frequent",
]

_DECIDING = ("floor", "decision", "max_key_documents", "passages", "language", "threads")
#: Pairs that are kept for the table at the end.
SHOWN = 10_000


@click.command(cls=Sectioned)
@click.argument("path")
@served_options()
@deciding.model_option
@window_option
@deciding.floor_option
@deciding.decision_option
@deciding.max_key_documents_option
@deciding.passages_option
@deciding.language_option
@statistics_options("a sample of what is added first")
@deciding.threads_option
@quiet_option
@click.pass_context
def create(
    ctx: click.Context, /, path: str, *, sample: tuple[str, ...], quiet: bool, **given: Any
) -> None:
    """Make an index in the folder PATH.

    Statistics decide how much a word weighs, and never change: give some, or a sample of documents
    like those that will come. Otherwise they are counted in what is added first.
    """
    with (
        Watch(quiet=quiet, first=None) as watch,
        Index.create(
            path,
            **{name: given[name] for name in (*_DECIDING, "window", "statistics", "reference")},
            **deciding.chosen_method(ctx, given),
            sample=list(sample) or None,
            report=watch.report,
            progress=watch.progress,
        ) as index,
    ):
        pinned, method = index.statistics, index.info().method
    if not quiet:
        counted = "those of what is added first" if pinned is None else pinned.described
        click.echo(f"{path}: an index of {method}, statistics: {counted}")
        if given["statistics"] is not None:
            tell_frequent(index)
        tell_problems(watch.report)


def tell_frequent(index: Index) -> None:
    """Say if the statistics of an index do not know what is too frequent, as a scan does."""
    detector, pinned = index.detector, index.statistics
    if pinned is not None and pinned.frequent_keys(detector.keys_form) is None:
        tell(unknown_frequent(detector.members[0].name))


def print_json(row: dict[str, Any]) -> None:
    """Print a line at once: who reads it may rely on it."""
    import orjson

    with writing("standard output"):
        sys.stdout.buffer.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
        sys.stdout.buffer.flush()


def print_pairs(found: Iterable[Pair], limit: int, detector: Detector) -> None:
    """Print the best pairs that a detector found as a table."""
    from twicetold.reports.table import print_table

    pairs = Pairs.of(found, Manifest(parameters=detector.settings()))
    with writing("standard output"):
        if len(pairs) and limit:
            print_table(pairs, sys.stdout, limit=limit)
            click.echo()


@click.command(cls=Sectioned)
@click.argument("path")
@click.argument("sources", nargs=-1, required=True)
@reading_options
@deciding.all_pairs_option
@deciding.threads_option
@deciding.deadline_option
@json_option
@limit_option
@progress_options
def search(path: str, sources: tuple[str, ...], **given: Any) -> None:
    """Compare documents with all that are in the index PATH, without keeping them.

    SOURCES are files, folders, globs, or - for standard input. With --json each pair is a line.
    """
    found: list[Pair] = []
    told: set[int] = set()
    n = 0
    with (
        Watch.of(given, first="search") as watch,
        Index.open(path, threads=given["threads"]) as index,
    ):
        for n, document in enumerate(
            read(*sources, **reading(given), report=watch.report), start=1
        ):
            answer = index.search(
                document, all_pairs=given["all_pairs"], deadline=given["deadline"]
            )
            for pair in answer:
                if not _is_new(pair, told):
                    continue
                if given["as_json"]:
                    print_json(pair.to_json())
                elif len(found) < SHOWN:
                    found.append(pair)
            watch.progress(Progress("search", n, None, "documents"))
    if not given["as_json"] and not given["quiet"]:
        print_pairs(found, given["limit"], index.detector)
        click.echo(f"{count_of(n, 'document')}, {count_of(len(told), 'pair')}")
    if not given["quiet"]:
        tell_problems(watch.report)


def _is_new(pair: Pair, told: set[int]) -> bool:
    """Tell whether a pair is told for the first time, and note it.

    Two documents that are in the index and searched for are each answered with the other.
    """
    key = hash((pair.left, pair.right, pair.left_in_right, pair.right_in_left))
    n = len(told)
    told.add(key)
    return len(told) > n


@click.command(cls=Sectioned)
@click.argument("path")
@click.argument("ids", nargs=-1, required=True)
@quiet_option
def remove(path: str, ids: tuple[str, ...], *, quiet: bool) -> None:
    """Remove the documents with these IDS from the index PATH."""
    with Index.open(path, write=True) as index:
        gone = index.remove(*ids)
    for name in dict.fromkeys(ids):
        if name not in gone:
            tell(f"twicetold: {path}: no document {name!r}")
    if not quiet:
        click.echo(f"{count_of(len(gone), 'document')} removed")


@click.command(cls=Sectioned)
@click.argument("path")
@option(
    "What to expire",
    "--before",
    metavar="DATE",
    help="what was told before, such as 2026-03-01  [default: what is outside the window by now]",
)
@quiet_option
def expire(path: str, *, before: str | None, quiet: bool) -> None:
    """Let go of documents that were told too long ago.

    What was told before that and comes later is not kept either.
    """
    with Index.open(path, write=True) as index:
        gone = index.expire(None if before is None else _date(before))
    if not quiet:
        click.echo(f"{count_of(gone, 'document')} expired")


def _date(text: str) -> datetime:
    try:
        return parse_date(text)
    except ValueError:
        msg = f"--before must be a date such as 2026-03-01 or 2026-03-01T12:00Z, got {text!r}"
        raise ParameterError(msg) from None


_CARE = "twicetold.cli.index_care"


@click.group(
    "index",
    cls=LazyGroup,
    table={
        "create": Entry(f"{__name__}:create", "make an index"),
        "add": Entry(
            "twicetold.cli.index_add:add",
            "compare documents with all that are there, and keep them",
        ),
        "search": Entry(f"{__name__}:search", "compare documents without keeping them"),
        "remove": Entry(f"{__name__}:remove", "remove documents by their ids"),
        "expire": Entry(f"{__name__}:expire", "let go of what was told too long ago"),
        "info": Entry(f"{_CARE}:info", "show what an index is, and how large"),
        "check": Entry(f"{_CARE}:check", "look for damage, and mend it"),
        "export": Entry(f"{_CARE}:export", "write the documents of an index"),
        "rebuild": Entry(f"{_CARE}:rebuild", "pin new statistics, or take another method"),
    },
    invoke_without_command=True,
)
@click.pass_context
def group(ctx: click.Context) -> None:
    """Keep documents on disk, and compare each with all others when it comes.

    One process writes, others search meanwhile. What was acknowledged is on disk.
    """
    help_unless_called(ctx)

"""``twicetold index`` for those who look after one: info, check, export, rebuild."""

from __future__ import annotations

import contextlib
import json
import sys
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

import click
from click.core import ParameterSource

from twicetold.cli import deciding
from twicetold.cli.exits import FAILED, tell, writing
from twicetold.cli.index import tell_frequent
from twicetold.cli.index_options import quiet_option, served_options, statistics_options
from twicetold.cli.inputs import tell_problems
from twicetold.cli.progress import Watch
from twicetold.cli.sections import Sectioned, option
from twicetold.errors import ParameterError
from twicetold.index import Index, IndexInfo, salvage
from twicetold.index.files import quoted
from twicetold.pipeline import Progress
from twicetold.records import Document
from twicetold.reports.files import check_output, replacing
from twicetold.reports.printable import printable
from twicetold.reports.words import count_of, size_of
from twicetold.statistics import Statistics

__all__ = ["check", "export", "info", "rebuild"]


@click.command(cls=Sectioned)
@click.argument("path")
@option("What to write", "--json", "as_json", is_flag=True, help="print one JSON object")
def info(path: str, *, as_json: bool) -> None:
    """Show what the index PATH is, and how large."""
    with Index.open(path) as index:
        found = index.info()
    with writing("standard output"):
        if as_json:
            click.echo(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
        else:
            for line in _lines(found):
                click.echo(printable(line))


def _lines(found: IndexInfo) -> list[str]:
    shown = {name: value for name, value in found.parameters.items() if name != "members"}
    parameters = ", ".join(f"{name} {value}" for name, value in shown.items())
    window = "none" if found.window_seconds is None else f"{found.window_seconds / 86400:g} days"
    statistics = "none yet: those of what is added first"
    if found.statistics is not None:
        counted = count_of(found.statistics_documents, "document")
        statistics = f"{found.statistics}, of {found.statistics_origin} ({counted})"
    postings = f"{count_of(found.postings, 'posting')}, {size_of(found.segment_bytes)}"
    return [
        f"method      {found.method} ({parameters})",
        f"statistics  {statistics}",
        f"window      {window}",
        f"clock       {found.clock or '-'}, nothing is kept before {found.horizon or '-'}",
        f"documents   {found.documents:,}, from {found.earliest or '-'} to {found.latest or '-'}",
        f"segments    {found.segments:,} with {postings}",
        f"database    {size_of(found.database_bytes)}, of which texts {size_of(found.text_bytes)}",
        f"commit      {found.commit:,}, format version {found.format_version}",
    ]


@click.command(cls=Sectioned)
@click.argument("path")
@option("What to do", "--repair", is_flag=True, help="make damaged segments again from the texts")
@quiet_option
@click.pass_context
def check(ctx: click.Context, /, path: str, *, repair: bool, quiet: bool) -> None:
    """Read everything in the index PATH, and say what is not as it was written.

    Ends with 1 if something is wrong and was not mended.
    """
    with (
        Index.open(path, write=repair, check=False) as index,
        Watch(quiet=quiet, first=None) as watch,
    ):
        look = partial(index.check, progress=watch.progress)
        findings = index.repair(progress=watch.progress) if repair else look()
        left = look() if repair and findings else findings
    for found in findings:
        click.echo(printable(f"{found.file}: {found.what}"))
    if left:
        if not repair and any(found.can_be_repaired for found in left):
            click.echo(f"run `twicetold index check --repair {quoted(path)}`")
        ctx.exit(FAILED)
    if not quiet:
        click.echo("repaired" if findings else "all is well")


@click.command(cls=Sectioned)
@click.argument("path")
@option(
    "What to write",
    "-o",
    "--output",
    metavar="FILE",
    help="where to write the documents as JSON Lines  [default: standard output]",
)
@quiet_option
@click.pass_context
def export(ctx: click.Context, /, path: str, *, output: str | None, quiet: bool) -> None:
    """Write the documents of the index PATH, in the order in which they came.

    Of a damaged index those are written that can be read; it ends with 1 then.
    """
    output = None if output == "-" else output
    if output is not None:
        check_output(output)
        if Path(path).resolve() in Path(output).resolve().parents:
            msg = f"{output}: is in the index itself; choose another place for what comes out of it"
            raise ParameterError(msg)
    name = output or "standard output"
    lost: list[str] = []
    documents = salvage(path, lost.append)
    first = list(islice(documents, 1))  # whether there is an index, before a file is made
    with writing(name), _file(output) as file:
        written = sum(1 for one in chain(first, documents) if file.write(_line(one)))
    for what in lost:
        tell(what)
    if output is not None and not quiet:
        click.echo(f"{output}: {count_of(written, 'document')}")
    if lost:
        ctx.exit(FAILED)


def _file(output: str | None) -> contextlib.AbstractContextManager[IO[bytes]]:
    if output is None:
        return contextlib.nullcontext(sys.stdout.buffer)
    # Whoever may not read the index may not read what comes out of it.
    return replacing(output, private=True)


def _line(document: Document) -> bytes:
    row: dict[str, Any] = {"id": document.id, "text": document.text}
    for field in ("title", "url", "source", "language"):
        if (value := getattr(document, field)) is not None:
            row[field] = value
    if document.published is not None:
        row["published"] = document.published.isoformat()
    # Half of a surrogate pair, which a text may have, is written as an escape.
    return json.dumps(row, ensure_ascii=True).encode() + b"\n"


@click.command(cls=Sectioned)
@click.argument("path")
@served_options("that of the index")
@deciding.model_option
@statistics_options("those of the documents in the index")
@deciding.threads_option
@quiet_option
@click.pass_context
def rebuild(
    ctx: click.Context, /, path: str, *, sample: tuple[str, ...], quiet: bool, **given: Any
) -> None:
    """Pin new statistics: those of the documents in the index PATH, or those that are given.

    With --method the index is one of that method from then on; of the method it has, parameters
    that are not given stay as they are. Searches go on meanwhile, and see the old state until the
    new one is complete.
    """
    asked = ctx.get_parameter_source("method") is ParameterSource.COMMANDLINE
    chosen = deciding.chosen_method(ctx, given)
    if not asked and given["model"] is None:
        del chosen["method"]
    file = given["statistics"]
    statistics = None if file is None else Statistics.load(file)
    with (
        Index.open(path, write=True, threads=given["threads"]) as index,
        Watch(quiet=quiet, first=None) as watch,
    ):
        total = len(index)
        index.rebuild(
            statistics=statistics,
            sample=list(sample) or None,
            reference=given["reference"],
            progress=lambda n: watch.progress(Progress("rebuild", n, total, "documents")),
            report=watch.report,
            **chosen,
        )
        found = index.info()
    if not quiet:
        click.echo(f"{path}: {found.method}, statistics {found.statistics}")
        if file is not None:
            tell_frequent(index)
        tell_problems(watch.report)

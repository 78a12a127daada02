"""``twicetold scan``: find which documents are contained in which others."""

from __future__ import annotations

import inspect
from typing import Any

import click

from twicetold.analysis import PROFILES
from twicetold.cli.durations import DURATION
from twicetold.cli.inputs import reading, reading_options, tell_problems
from twicetold.cli.options import given_parameters, method_options
from twicetold.cli.output import Output, output_options
from twicetold.cli.progress import Watch
from twicetold.cli.sections import Sectioned, apply, option
from twicetold.scanning import scan

__all__ = ["command"]

_SECTION = "How to decide"
_DEFAULTS = {
    name: known.default for name, known in inspect.signature(scan).parameters.items()
}

_deciding_options = apply(
    method_options(_SECTION),
    option(
        _SECTION,
        "--window",
        type=DURATION,
        metavar="DURATION",
        help="only pairs published no further apart, such as 7d, 12h or 1d12h  [default: all]",
    ),
    option(
        _SECTION,
        "--floor",
        type=float,
        metavar="NUMBER",
        help="also pairs below the threshold, from this score on  [0 to 1; default: none]",
    ),
    option(
        _SECTION,
        "--all-pairs",
        is_flag=True,
        help="every pair of equal documents, not only each with the earliest",
    ),
    option(
        _SECTION,
        "--max-key-documents",
        type=int,
        metavar="INTEGER",
        default=_DEFAULTS["max_key_documents"],
        show_default=True,
        help="leave out what more documents than this share; not with --statistics",
    ),
    option(
        _SECTION,
        "--language",
        metavar="CODE",
        help="language of all documents, such as en  [default: each document's own, or detected]",
    ),
    option(
        _SECTION,
        "--profile",
        type=click.Choice(list(PROFILES)),
        metavar="NAME",
        help=f"how words become terms: {', '.join(PROFILES)}  [default: the method's]",
    ),
    option(
        _SECTION,
        "--statistics",
        metavar="FILE",
        help="pinned statistics, from `twicetold statistics build`  [default: of the sources]",
    ),
    option(
        _SECTION,
        "--threads",
        type=int,
        metavar="INTEGER",
        default=_DEFAULTS["threads"],
        help="how many to work with  [default: 0, which is all cores]",
    ),
)
_DECIDING = (
    "method",
    "window",
    "floor",
    "all_pairs",
    "max_key_documents",
    "language",
    "profile",
    "statistics",
    "threads",
)


@click.command("scan", cls=Sectioned)
@click.argument("sources", nargs=-1, required=True)
@reading_options
@_deciding_options
@output_options
@click.pass_context
def command(ctx: click.Context, sources: tuple[str, ...], **given: Any) -> None:
    """Find which documents are contained in which others.

    SOURCES are files, folders, globs, or - for standard input, in any mixture.
    """
    output = Output.of(given, sources)
    watch = Watch(bar=given["progress"], quiet=given["quiet"], strict=given["strict"])
    with watch:
        pairs = scan(
            sources,
            **{name: given[name] for name in _DECIDING},
            **reading(given),
            **given_parameters(ctx),
            report=watch.report,
            progress=watch.progress,
        )
    output.write(pairs, watch.report)
    if not given["quiet"]:
        tell_problems(watch.report)

"""``twicetold dedupe``: keep what adds something, with a ledger of what was removed."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from twicetold.cli import deciding
from twicetold.cli.dedupe_output import DedupeOutput, output_options
from twicetold.cli.exits import writing
from twicetold.cli.inputs import reading, reading_options, tell_problems
from twicetold.cli.progress import Watch, progress_options
from twicetold.cli.sections import Sectioned, apply, option
from twicetold.deduplicating import DIRECTIONS, KEEPS, dedupe, restore
from twicetold.deduplicating.deciding import Rules
from twicetold.documents import SourcePath
from twicetold.errors import ParameterError

__all__ = ["command"]

_SECTION = "What to keep"
_KEEPING = (
    "direction",
    "within",
    "keep",
    "prefer",
    "share",
    "passages",
    "passage_share",
    "passage_words",
)
_DECIDING = (
    "window",
    "decision",
    "max_key_documents",
    "language",
    "profile",
    "statistics",
    "threads",
)

_keeping_options = apply(
    option(
        _SECTION,
        "--keep",
        type=click.Choice(KEEPS),
        metavar="NAME",
        default="earliest",
        show_default=True,
        help=f"of documents that hold each other: {', '.join(KEEPS)} (as they are read)",
    ),
    option(
        _SECTION,
        "--prefer",
        metavar="NAME",
        multiple=True,
        help="documents with this source before all others; give any number, the best first",
    ),
    option(
        _SECTION,
        "--share",
        type=float,
        metavar="NUMBER",
        default=Rules.share,
        show_default=True,
        help="how much of a document must be in another one for it to go  [0 to 1; "
        "0: as much as the method's threshold]",
    ),
    option(
        _SECTION,
        "--against",
        type=SourcePath,
        metavar="SOURCE",
        multiple=True,
        help="a test set, or what is there already: files, folders or globs, which are not changed",
    ),
    option(
        _SECTION,
        "--direction",
        type=click.Choice(DIRECTIONS),
        metavar="NAME",
        default="either",
        show_default=True,
        help="a document goes that is contained in one of --against, contains one, or either",
    ),
    option(
        _SECTION,
        "--within/--no-within",
        default=None,
        help="compare SOURCES with themselves  [default: unless --against is given]",
    ),
    option(
        _SECTION,
        "--passages",
        is_flag=True,
        help="also cut sentences that a better document has out of those that are kept; of methods "
        "that compare sentences",
    ),
    option(
        _SECTION,
        "--passage-share",
        type=float,
        metavar="NUMBER",
        default=Rules.passage_share,
        show_default=True,
        help="how many of the words of a sentence the other one must have for that  [0 to 1]",
    ),
    option(
        _SECTION,
        "--passage-words",
        type=int,
        metavar="INTEGER",
        default=Rules.passage_words,
        show_default=True,
        help="and how many words there must be in a row of such sentences",
    ),
)


@click.command("dedupe", cls=Sectioned)
@click.argument("sources", nargs=-1, required=True, type=SourcePath)
@reading_options
@_keeping_options
@deciding.detector_options
@deciding.model_option
@deciding.decision_option
@deciding.window_option
@deciding.max_key_documents_option
@deciding.language_option
@deciding.profile_option
@deciding.statistics_option
@deciding.threads_option
@output_options
@progress_options
@click.pass_context
def command(ctx: click.Context, /, sources: tuple[str, ...], **given: Any) -> None:
    """Keep the documents that add something; write down what was removed, and why.

    SOURCES are files, folders, globs, or - for standard input, in any mixture. What is kept is
    written with all its fields; the ledger beside it has the rest, and with --restore brings it
    back.
    """
    if given["restore"] is not None:
        _restore(sources, given)
        return
    asked = ctx.get_parameter_source("direction") is ParameterSource.COMMANDLINE
    if asked and not given["against"]:
        msg = "--direction says what is asked of --against; name another collection with --against"
        raise ParameterError(msg)
    if "-" in sources and "-" in given["against"]:
        msg = "standard input can be read once; give - as SOURCES or with --against, not both"
        raise ParameterError(msg)
    output = DedupeOutput.of(given, sources)
    with Watch.of(given) as watch:
        found = dedupe(
            list(sources),
            against=list(given["against"]) or None,
            **{name: given[name] for name in (*_KEEPING, *_DECIDING)},
            **reading(given),
            **deciding.chosen_method(ctx, given),
            leave_out=output.files,
            texts=output.sample is not None,
            report=watch.report,
            progress=watch.progress,
        )
        output.write(found, watch.progress)
    output.tell(found, watch.report)
    if not given["quiet"]:
        tell_problems(watch.report)


def _restore(sources: tuple[str, ...], given: dict[str, Any]) -> None:
    """Bring back what was removed."""
    output, restored = DedupeOutput.restoring(given, sources)
    with Watch.of(given) as watch, writing(str(restored)):
        rows = restore(output, given["restore"], restored, progress=watch.progress)
    if not given["quiet"]:
        click.echo(f"{rows:,} rows restored: {restored}")

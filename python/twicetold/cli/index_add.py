"""``twicetold index add``: documents compared with all that are there, and kept."""

from __future__ import annotations

from typing import Any

import click

from twicetold.cli import deciding
from twicetold.cli.exits import tell
from twicetold.cli.index import SHOWN, print_json, print_pairs
from twicetold.cli.index_options import limit_option, on_duplicate_option
from twicetold.cli.inputs import reading, reading_options, tell_problems
from twicetold.cli.outcomes import Outcomes
from twicetold.cli.progress import Watch, progress_options
from twicetold.cli.sections import Sectioned, option
from twicetold.documents import Sources
from twicetold.index import Added, Index, Telling
from twicetold.index.files import quoted
from twicetold.pipeline import Progress
from twicetold.records import Pair
from twicetold.reports.words import count_of

__all__ = ["add"]


@click.command(cls=Sectioned)
@click.argument("path")
@click.argument("sources", nargs=-1, required=True)
@reading_options
@on_duplicate_option("error")
@deciding.all_pairs_option
@option(
    "How to decide",
    "--answers/--no-answers",
    default=True,
    show_default=True,
    help="compare each document with those before it, or only keep it, which is faster",
)
@deciding.threads_option
@option(
    "What to write",
    "--json",
    "as_json",
    is_flag=True,
    help="print a line for each document when it is safely kept: id, status, pairs",
)
@limit_option
@progress_options
def add(path: str, sources: tuple[str, ...], **given: Any) -> None:
    """Compare documents with all that are in the index PATH, and keep them.

    SOURCES are files, folders, globs, or - for standard input. A run that was stopped is taken up
    by the same command with --on-duplicate skip; with --json, what was kept and perhaps not printed
    is printed first.
    """
    adding = None
    try:
        with (
            Watch.of(given, first="add") as watch,
            Index.open(path, write=True, threads=given["threads"]) as index,
        ):
            adding = _Adding(index, watch, given)
            documents = Sources(
                *sources,
                as_lines=True,
                # What replaces a document has its id.
                distinct_files=given["on_duplicate"] != "replace",
                **reading(given),
                report=watch.report,
            )
            adding.run(documents)
    except BaseException:
        if adding is not None and adding.outcomes:
            adding.show()  # what was added before stays
        raise
    adding.show()
    if not given["quiet"]:
        adding.tell_sample(path)
        tell_problems(watch.report)


class _Adding:
    """Prints what became of documents, at once or as a table at the end."""

    def __init__(self, index: Index, watch: Watch, given: dict[str, Any]) -> None:
        self.outcomes = Outcomes(quiet=given["quiet"], answers=given["answers"])
        self._index = index
        self._watch = watch
        self._given = given
        self._was_pinned = index.statistics is not None
        self._only_first = False
        self._found: list[Pair] = []

    def run(self, documents: Sources) -> None:
        """Add documents; what is told line by line is told again if this ends too early."""
        given = self._given
        self._only_first = not self._was_pinned and not documents.are_files
        until_told = given["as_json"] and given["answers"]
        answers = self._index.iter_add(
            documents,
            on_duplicate=given["on_duplicate"],
            all_pairs=given["all_pairs"],
            answers=given["answers"],
            until_told=until_told,
            progress=self._watch.progress,
        )
        if until_told:
            with Telling(self._index, self._take, all_pairs=given["all_pairs"]) as telling:
                telling.tell(answers)
            return
        for added in answers:
            self._take(added)
            # What nobody holds need not be told in full.
            del added

    def _take(self, added: Added) -> None:
        if added.is_again and not self.outcomes and not self._given["quiet"]:
            tell("told again first: what was kept before, and perhaps not told")
        self.outcomes.count(added)
        if self._given["as_json"]:
            print_json(added.to_json())
        elif len(self._found) < SHOWN and not self._given["quiet"]:
            self._found.extend(added.pairs)
        self._watch.progress(Progress("add", self.outcomes.documents, None, "documents"))

    def show(self) -> None:
        """Print the table, and how many documents came."""
        if not self._given["as_json"] and not self._given["quiet"]:
            print_pairs(self._found, self._given["limit"], self._index.detector)
            click.echo(self.outcomes.summary(self._index.horizon))

    def tell_sample(self, path: str) -> None:
        """Say if statistics were counted now, and only in what came first."""
        pinned = self._index.statistics
        if not self._only_first or pinned is None:
            return
        if pinned.documents >= self.outcomes.documents:
            return
        first = count_of(pinned.documents, "document")
        tell(
            f"twicetold: {path}: statistics are of the first {first}; "
            f"`twicetold index rebuild {quoted(path)}` counts them in a sample of all"
        )

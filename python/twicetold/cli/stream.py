"""``twicetold stream``: documents in, pairs out as they are found."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click
from click.core import ParameterSource

from twicetold.cli import deciding
from twicetold.cli.exits import tell, writing
from twicetold.cli.index import print_json
from twicetold.cli.index_options import (
    on_duplicate_option,
    served_options,
    statistics_options,
    window_option,
)
from twicetold.cli.inputs import reading, reading_options, tell_problems
from twicetold.cli.options import given_parameters
from twicetold.cli.outcomes import Outcomes
from twicetold.cli.progress import Watch
from twicetold.cli.sections import Sectioned, option
from twicetold.cli.stopping import Stopped, Stopping, is_ready, stopping
from twicetold.documents import Report, follow, read_every
from twicetold.errors import DocumentError, FormatError
from twicetold.index import Added, Index, IndexStream, open_or_create
from twicetold.records import Document

__all__ = ["command"]

_CHOICES = (
    "method",
    "window",
    "floor",
    "max_key_documents",
    "passages",
    "language",
    "statistics",
    "reference",
)


@click.command("stream", cls=Sectioned)
@click.argument("sources", nargs=-1)
@option(
    "What to read",
    "--follow",
    is_flag=True,
    help="go on with what comes into the files and folders, until stopped",
)
@reading_options
@option(
    "How to decide",
    "--index",
    metavar="PATH",
    help="where documents are kept, made if it is not there; the same command goes on where it "
    "stopped  [default: kept until it ends]",
)
@served_options("retelling; that of the index, where it is there")
@deciding.model_option
@window_option
@deciding.floor_option
@deciding.all_pairs_option
@deciding.max_key_documents_option
@deciding.passages_option
@deciding.language_option
@statistics_options("none: all words weigh the same; those of the index, where it is there")
@on_duplicate_option("skip")
@deciding.threads_option
@option(
    "What to write",
    "--documents",
    is_flag=True,
    help="print a line for each document when it is safely kept: id, status, pairs",
)
@option("Other", "-q", "--quiet", is_flag=True, help="print nothing but pairs and errors")
@click.pass_context
def command(ctx: click.Context, /, sources: tuple[str, ...], **given: Any) -> None:
    """Compare each document that comes with those before it, and print pairs at once.

    SOURCES are files, folders, globs, or - for standard input, which is the default and holds JSON
    Lines. Each pair is a line of JSON. SIGTERM and Ctrl-C finish what is at hand.
    """
    watch = Watch(bar=False, quiet=given["quiet"], strict=given["strict"])
    told = _Told(documents=given["documents"], quiet=given["quiet"])
    with stopping() as stop, _index(ctx, given) as index:
        if index.statistics is None and not given["quiet"]:
            tell("no statistics: all words weigh the same; --sample counts them in documents")
        with IndexStream(
            index, told, on_duplicate=given["on_duplicate"], all_pairs=given["all_pairs"]
        ) as stream:
            _run(stream, stop, _Reading(sources or ("-",), given, watch.report))
    if not given["quiet"]:
        tell(told.outcomes.summary(index.horizon))
        tell_problems(watch.report)
    if stop.signal == signal.SIGINT:
        raise KeyboardInterrupt


class _Told:
    """Prints answers, and counts them."""

    def __init__(self, *, documents: bool, quiet: bool) -> None:
        self._documents = documents
        self.outcomes = Outcomes(quiet=quiet)

    def __call__(self, added: Added) -> None:
        self.outcomes.count(added)
        with writing("standard output"):
            if self._documents:
                print_json(added.to_json())
            else:
                for pair in added.pairs:
                    print_json(pair.to_json())


@contextmanager
def _index(ctx: click.Context, given: dict[str, Any]) -> Iterator[Index]:
    """Open the index, or make one; without a path, one for as long as this lasts."""
    choices = {
        name: given[name]
        for name in _CHOICES
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    sampled = Watch(bar=False, quiet=given["quiet"])
    choices |= {"sample": list(given["sample"]) or None, "report": sampled.report}
    parameters = given_parameters(ctx)
    if given["model"] is not None:
        choices |= deciding.chosen_method(ctx, given)
        parameters = {}
    with (
        _folder(given["index"]) as path,
        open_or_create(
            path, choices, parameters, method=given["method"], threads=given["threads"]
        ) as index,
    ):
        if not given["quiet"]:
            tell_problems(sampled.report)
        yield index


@contextmanager
def _folder(path: str | None) -> Iterator[str]:
    """Return where the index is; without a path, in a folder for as long as this lasts."""
    if path is not None:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="twicetold-") as folder:
        yield str(Path(folder) / "index")


class _Reading:
    """What to read, and how."""

    def __init__(self, sources: tuple[str, ...], given: dict[str, Any], report: Report) -> None:
        self._sources = sources
        self._follows = given["follow"]
        # What replaces a document has its id.
        self._distinct_files = given["on_duplicate"] != "replace"
        self._options = {**reading(given), "report": report}
        if sources == ("-",) and given["format"] is None:
            self._options["format"] = "jsonl"
        #: What was taken from a pipe does not come again: it is finished.
        self.comes_again = "-" not in sources and all(map(_is_file, sources))

    def documents(self, stream: IndexStream, stop: Stopping) -> Iterator[Document]:
        """Yield documents; before anything is waited for, what came is answered."""

        def before_read(raw: IO[bytes]) -> None:
            stop.check()
            if not is_ready(raw):
                stream.flush()
                stop.wait_for(raw)

        def wait(seconds: float) -> None:
            stream.flush()
            stop.sleep(seconds)

        if self._follows:
            return follow(*self._sources, **self._options, wait=wait)
        return read_every(
            *self._sources,
            **self._options,
            before_read=before_read,
            distinct_files=self._distinct_files,
        )


def _is_file(source: str) -> bool:
    path = Path(source)
    return not path.exists() or path.is_file() or path.is_dir()


def _run(stream: IndexStream, stop: Stopping, source: _Reading) -> None:
    try:
        for document in source.documents(stream, stop):
            stream.put(document)
            if source.comes_again:
                stop.check()
    except Stopped:
        stream.flush()
    except (DocumentError, FormatError):
        stream.flush()
        raise
    else:
        stream.flush()

"""`IndexStream`: documents come one by one or in bursts, and are answered as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from twicetold.errors import IndexMismatchError
from twicetold.index.files import Files, quoted
from twicetold.index.index import Index
from twicetold.index.records import Added, IndexInfo, OnDuplicate
from twicetold.index.telling import Telling
from twicetold.pipeline import Detector
from twicetold.records import Document
from twicetold.reference import reference_origin
from twicetold.statistics import Statistics

__all__ = ["IndexStream", "open_or_create"]

#: Characters, and documents, of a burst that are one commit.
_CHARACTERS, _DOCUMENTS = 500_000, 1000
#: The first commits have so many documents; each has twice as many as the one before, unless that
#: told more pairs than these: all of a commit are in memory.
_FIRST_DOCUMENTS, _PAIRS = 125, 20_000


class IndexStream:
    """Takes documents, and tells what became of each after it is kept.

    `flush` is to be called whenever nothing more is at hand: a document that comes alone is
    answered at once, those of a burst together. No more than a commit waits in memory; what waits
    when the block ends is added, unless it ends with an error. Answers of
    an earlier process that was killed before it told them are told first: none is lost, the last
    ones may come twice.

    >>> import tempfile
    >>> from twicetold import Document
    >>> folder = tempfile.TemporaryDirectory()
    >>> index = Index.create(folder.name + "/news", method="codet")
    >>> with IndexStream(index, lambda added: print(added.id, len(added.pairs))) as stream:
    ...     stream.put(Document(id="brief", text="The dam broke on Monday.", language="en"))
    ...     stream.put(Document(id="again", text="The dam broke on Monday.", language="en"))
    brief 0
    again 1
    >>> index.close()
    >>> folder.cleanup()
    """

    def __init__(
        self,
        index: Index,
        tell: Callable[[Added], None],
        /,
        *,
        on_duplicate: OnDuplicate = "skip",
        all_pairs: bool = False,
    ) -> None:
        self._index = index
        self._telling = Telling(index, tell, all_pairs=all_pairs)
        self._on_duplicate: OnDuplicate = on_duplicate
        self._all_pairs = all_pairs
        self._waiting: list[Document] = []
        self._characters = 0
        #: How many documents are a commit, by what those before told.
        self._documents = _FIRST_DOCUMENTS

    def __enter__(self) -> Self:
        self._telling.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.flush()
        finally:
            self._telling.__exit__(kind, error, traceback)

    def put(self, document: Document) -> None:
        """Take a document; many that wait are added and told."""
        self._waiting.append(document)
        self._characters += len(document.text)
        if self._characters >= _CHARACTERS or len(self._waiting) >= self._documents:
            self.flush()

    def flush(self) -> None:
        """Add all that waits, and tell what became of it."""
        waiting, self._waiting, self._characters = self._waiting, [], 0
        if waiting and self._index.statistics is None:
            # How many come first together is chance; what comes of them must not be.
            self._add(waiting[:1])
            waiting = waiting[1:]
        if waiting:
            self._add(waiting)

    def _add(self, documents: list[Document]) -> None:
        answers = self._index.iter_add(
            documents,
            on_duplicate=self._on_duplicate,
            all_pairs=self._all_pairs,
            until_told=True,
        )
        pairs = 0

        def counted() -> Iterator[Added]:
            nonlocal pairs
            for added in answers:
                pairs += len(added.pairs)
                yield added

        self._telling.tell(counted())
        if pairs > _PAIRS:
            self._documents = max(1, len(documents) * _PAIRS // pairs)
        else:
            self._documents = min(2 * self._documents, _DOCUMENTS)


def open_or_create(
    path: str | Path,
    /,
    choices: Mapping[str, Any],
    parameters: Mapping[str, Any],
    *,
    method: str,
    threads: int = 0,
) -> Index:
    """Open an index to write, or make it by choices and parameters as `Index.create` takes them.

    Choices that are None are left to the index, and ``method`` is for one that is made where no
    other is chosen; another choice than that of an index that is there is refused. A sample is only
    for one that is made.
    """
    made_by = {name: value for name, value in choices.items() if value is not None}
    if not Files(path).database.exists():
        return Index.create(path, **{"method": method, **made_by}, **parameters, threads=threads)
    chosen = made_by.get("method")
    name = chosen.name if isinstance(chosen, Detector) else chosen
    index = Index.open(path, write=True, method=name, threads=threads)
    try:
        if isinstance(chosen, Detector):
            _compare_models(index.info(), chosen)
        _compare(index.info(), made_by, parameters)
    except BaseException:
        index.close()
        raise
    return index


def _compare_models(info: IndexInfo, chosen: Detector) -> None:
    """Refuse an index with another model, or another threshold."""
    for name, wanted in chosen.settings().items():
        if (found := info.parameters.get(name)) != wanted:
            msg = (
                f"{info.path}: index with {name} {found}, not {wanted}; leave the model out, "
                f"or run `twicetold index rebuild {quoted(info.path)} --model FILE`"
            )
            raise IndexMismatchError(msg)


def _compare(info: IndexInfo, choices: Mapping[str, Any], parameters: Mapping[str, Any]) -> None:
    for name, wanted in parameters.items():
        if (found := info.parameters.get(name)) != wanted:
            option = f"--method {info.method} {_option(name, wanted)}"
            msg = (
                f"{info.path}: index with {name} {found}, not {wanted}; leave that out, "
                f"or run `twicetold index rebuild {quoted(info.path)} {option}`"
            )
            raise IndexMismatchError(msg)
    window = info.window_seconds
    fixed = {
        "language": info.language,
        "floor": info.floor,
        "passages": info.passages,
        "max_key_documents": info.max_key_documents,
        "window": None if window is None else timedelta(seconds=window),
    }
    for name, found in fixed.items():
        if name in choices and choices[name] != found:
            words = name.replace("_", " ")
            msg = (
                f"{info.path}: index with {words} {_shown(found)}, not {_shown(choices[name])}; "
                "leave that out, or make another index"
            )
            raise IndexMismatchError(msg)
    if (language := choices.get("reference")) is not None and info.statistics is not None:
        wanted = reference_origin(language)
        if info.statistics_origin != wanted:
            msg = (
                f"{info.path}: index with statistics of {info.statistics_origin}, not of a "
                f"{wanted}; leave that out, or run `twicetold index rebuild {quoted(info.path)} "
                f"--reference {language}`"
            )
            raise IndexMismatchError(msg)
    if "statistics" in choices and info.statistics is not None:
        version = Statistics.load(choices["statistics"]).version
        if version != info.statistics:
            msg = (
                f"{info.path}: index with statistics {info.statistics}, not {version}; leave that "
                f"out, or run `twicetold index rebuild {quoted(info.path)} --statistics "
                f"{quoted(choices['statistics'])}`"
            )
            raise IndexMismatchError(msg)


def _option(name: str, value: Any) -> str:
    """Return how a parameter is given on the command line."""
    words = name.replace("_", "-")
    if isinstance(value, bool):
        return f"--{words}" if value else f"--no-{words}"
    return f"--{words} {quoted('none' if value is None else value)}"


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    return str(value).removesuffix(", 0:00:00")  # a duration of whole days

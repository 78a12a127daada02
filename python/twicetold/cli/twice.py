"""Sources that are read twice: once to scan, once to show what the documents say."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from twicetold.documents import Report
from twicetold.records import Document
from twicetold.scanning import Documents, Source

__all__ = ["Twice"]


class Twice:
    """The documents of sources for a scan, and then once more for whoever shows them.

    Files are read again. What comes through a pipe is gone once it was read: its documents are kept
    in a temporary file meanwhile.
    """

    def __init__(
        self,
        sources: Sequence[str],
        against: Sequence[str] | None,
        report: Report,
        options: dict[str, Any],
    ) -> None:
        self._report = report
        self._options = options
        self._own = _Once(sources)
        self._against = None if against is None else _Once(against)

    @property
    def first(self) -> Sequence[Source] | Iterable[Document]:
        """What is given to a scan: the sources, or their documents one by one."""
        return self._own.first(self._report, self._options)

    @property
    def first_against(self) -> Sequence[Source] | Iterable[Document] | None:
        """The same of the other collection, if there is one."""
        return None if self._against is None else self._against.first(self._report, self._options)

    def again(self) -> Iterator[Document]:
        """Yield the documents once more; what cannot be used was reported the first time."""
        against = None if self._against is None else self._against.again()
        options = {**self._options, "strict": False}
        yield from Documents(self._own.again(), Report(), against=against, **options)


class _Once:
    """Sources that are read twice, though they may give what they have only once."""

    def __init__(self, sources: Sequence[str]) -> None:
        self._sources = sources
        self._kept: IO[bytes] | None = None

    def first(
        self, report: Report, options: dict[str, Any]
    ) -> Sequence[Source] | Iterable[Document]:
        if not any(map(_is_pipe, self._sources)):
            return self._sources
        return self._keeping(report, options)

    def again(self) -> Sequence[Source] | Iterable[Document]:
        return self._sources if self._kept is None else self._known(self._kept)

    def _known(self, kept: IO[bytes]) -> Iterator[Document]:
        kept.seek(0)
        with kept as file:
            while True:
                try:
                    # It was written by this very process.
                    yield pickle.load(file)  # noqa: S301
                except EOFError:
                    return

    def _keeping(self, report: Report, options: dict[str, Any]) -> Iterator[Document]:
        self._kept = TemporaryFile(prefix="twicetold-")  # noqa: SIM115 - closed when it was read
        for document in Documents(self._sources, report, **options):
            pickle.dump(document, self._kept, protocol=pickle.HIGHEST_PROTOCOL)
            yield document


def _is_pipe(source: str) -> bool:
    path = Path(source)
    try:
        return source == "-" or (path.exists() and not path.is_file() and not path.is_dir())
    except (OSError, ValueError):
        return False

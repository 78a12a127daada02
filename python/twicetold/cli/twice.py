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

    def __init__(self, sources: Sequence[str], report: Report, options: dict[str, Any]) -> None:
        self._sources = sources
        self._options = options
        self._report = report
        self._kept: IO[bytes] | None = None

    @property
    def first(self) -> Sequence[Source] | Iterable[Source | Document]:
        """What is given to a scan: the sources, or their documents one by one."""
        if not any(map(_is_pipe, self._sources)):
            return self._sources
        return self._keeping()

    def again(self) -> Iterator[Document]:
        """Yield the documents once more; what cannot be used was reported the first time."""
        if self._kept is None:
            options = {**self._options, "strict": False}
            yield from Documents(self._sources, Report(), **options)
            return
        self._kept.seek(0)
        with self._kept as file:
            while True:
                try:
                    # It was written by this very process.
                    yield pickle.load(file)  # noqa: S301
                except EOFError:
                    return

    def _keeping(self) -> Iterator[Document]:
        self._kept = TemporaryFile(prefix="twicetold-")  # noqa: SIM115 - closed when it was read
        for document in Documents(self._sources, self._report, **self._options):
            pickle.dump(document, self._kept, protocol=pickle.HIGHEST_PROTOCOL)
            yield document


def _is_pipe(source: str) -> bool:
    path = Path(source)
    try:
        return source == "-" or (path.exists() and not path.is_file() and not path.is_dir())
    except (OSError, ValueError):
        return False

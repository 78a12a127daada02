"""`follow`: documents that come into files and folders, as they come."""

from __future__ import annotations

import glob
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from twicetold._kernel import IdSet
from twicetold.errors import ParameterError, SourceError
from twicetold.records import Document

from .formats import Format, suffix_of, unknown
from .input import Options, Reading, printable
from .reading import make_options, read_file
from .sources import GONE, STDIN, Found, find_files

if TYPE_CHECKING:
    from .growing import GrowingFile

__all__ = ["follow"]

#: Seconds between two looks; longer where a look takes long, so that it is a tenth of the time.
_PAUSE, _SHARE, _LONGEST = 0.1, 10, 10.0
#: A file nobody has written to for so many seconds is complete.
_COMPLETE = 1.0


def follow(
    *sources: str | Path,
    wait: Callable[[float], None] = time.sleep,
    **reading: Unpack[Reading],
) -> Iterator[Document]:
    """Yield the documents of files, folders and globs, then those that come; it never ends.

    A file of JSON Lines may grow: a line is taken when its end is there; a file that takes its
    place is read from its beginning. A file of another format is taken when nobody writes to it
    any more, and again when it was changed. ``wait`` is called with seconds when nothing is left.
    """
    options = make_options(*sources, **reading)
    for source in options.sources:
        _check(source, options.format)
    return _Followed(options, wait).documents()


def _check(source: str, wanted: Format | None) -> None:
    """Refuse what cannot be followed; a folder may be empty."""
    shown = printable(source)
    if source == STDIN:
        msg = "standard input ends when it ends; follow files or folders, or leave out --follow"
        raise ParameterError(msg)
    if glob.has_magic(source) or Path(source).is_dir():
        return
    if not Path(source).exists():
        msg = f"{shown}: no such file or folder"
        raise SourceError(msg)
    if not Path(source).is_file():
        msg = f"{shown}: is not a regular file; read it without --follow"
        raise SourceError(msg)
    if wanted is None and suffix_of(source).format is None:
        raise unknown(shown, suffix_of(source).name)


class _Followed:
    """What was seen of the sources so far."""

    def __init__(self, options: Options, wait: Callable[[float], None]) -> None:
        self._options = options
        self._wait = wait
        self._growing: dict[str, GrowingFile] = {}
        #: What a file was that is not complete yet, and since when; what it was when it was read.
        self._seen: dict[str, tuple[tuple[int, ...], float]] = {}
        self._read: dict[str, tuple[int, ...]] = {}
        self._troubles: set[str] = set()

    def documents(self) -> Iterator[Document]:
        try:
            while True:
                started, came = time.monotonic(), False
                for document in self._look():
                    came = True
                    yield document
                if not came:
                    took = time.monotonic() - started
                    self._wait(min(max(_PAUSE, took * _SHARE), _LONGEST))
        finally:
            for growing in self._growing.values():
                growing.close()

    def _look(self) -> Iterator[Document]:
        """Yield what is new in each file."""
        files = IdSet()
        options = self._options
        for found in find_files(options.sources, format=options.format, again=True):
            if not files.add(found.key) or found.key in options.left_out:
                continue
            if found.trouble is not None:
                self._trouble(found)
            elif found.format == "jsonl" and suffix_of(found.path).compression is None:
                yield from self._lines_of(found)
            elif found.format is not None and self._is_complete(found.path):
                yield from read_file(found, options)

    def _lines_of(self, found: Found) -> Iterator[Document]:
        from .growing import GrowingFile

        try:
            if found.path not in self._growing:
                self._growing[found.path] = GrowingFile(
                    found, self._options, stays_open=found.path in self._options.sources
                )
            yield from self._growing[found.path].documents()
        except OSError as error:
            self._trouble(found, error.strerror or str(error))

    def _trouble(self, found: Found, why: str | None = None) -> None:
        """Report once that a file cannot be read; one that is gone may come again."""
        why = why or found.trouble or ""
        if why != GONE and found.path not in self._troubles:
            self._troubles.add(found.path)
            self._options.problem(found.name, None, "unreadable file", why)

    def _is_complete(self, path: str) -> bool:
        """Tell whether a file is to be read now: it is new, or was changed, and is no more."""
        try:
            info = os.stat(path)  # noqa: PTH116 - as it was given
        except OSError:
            return False
        now = (info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns)
        if self._read.get(path) == now:
            return False
        before, since = self._seen.get(path, (None, 0.0))
        if before != now:
            since = time.monotonic()
            self._seen[path] = now, since
        if max(time.monotonic() - since, time.time() - info.st_mtime) < _COMPLETE:
            return False
        del self._seen[path]
        self._read[path] = now
        return True

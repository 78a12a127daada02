"""The files of an index: where they are, and the one place that writes and removes them."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from twicetold.errors import IndexLockedError, IndexWriteError, SourceError

__all__ = ["Files", "WriterLock", "quoted", "remove_file", "sync"]

_OWN_FILE, _OWN_FOLDER = 0o600, 0o700
#: Names that `Files.segment` gives, and what a writer leaves in its lock.
_SEGMENT = re.compile(r"(?:[0-9]{8}|[1-9][0-9]{8,})\.seg")
_HOLDER = re.compile(rb"(?:[0-9]+\n)?")
_LOCK_BYTES = 32

log = logging.getLogger(__name__)


def quoted(given: object) -> str:
    """Return a path, or whatever is given to a command, as a shell takes it."""
    return shlex.quote(str(given))


class Files:
    """The folder of an index."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @property
    def database(self) -> Path:
        """The file of SQLite."""
        return self.path / "index.sqlite"

    @property
    def lock(self) -> Path:
        """What a writer holds."""
        return self.path / "writer.lock"

    @property
    def segments(self) -> Path:
        """The folder of the segments."""
        return self.path / "segments"

    def segment(self, name: int) -> Path:
        """Return the file of a segment."""
        return self.segments / f"{name:08}.seg"

    @property
    def _coming(self) -> Path:
        """The file of SQLite while it is made; nobody opens it under this name."""
        return self.path / "coming.sqlite"

    def is_taken(self) -> bool:
        """Tell whether there is something that is not the remains of an index never finished.

        Only what has a name that is ours, and is what we make by that name, is taken for remains:
        everything else is somebody's, and stays.
        """
        if not self.path.is_dir():
            return self.path.exists() or self.path.is_symlink()
        return not all(map(self._is_remains, self.path.iterdir()))

    def _is_remains(self, found: Path) -> bool:
        if found.is_symlink():
            return False
        if found == self.segments:
            return found.is_dir() and all(map(_is_segment, found.iterdir()))
        if found == self.lock:
            is_small = found.is_file() and found.stat().st_size <= _LOCK_BYTES
            return is_small and _HOLDER.fullmatch(found.read_bytes()) is not None
        # One that is gone by now is of somebody who makes an index here.
        return found in self._remains() and (found.is_file() or not found.exists())

    def _remains(self) -> list[Path]:
        """Return the file of SQLite while it is made, and what SQLite has beside it."""
        endings = ("", "-journal", "-wal", "-shm")
        return [self._coming.with_name(self._coming.name + ending) for ending in endings]

    @contextlib.contextmanager
    def coming_database(self) -> Iterator[Path]:
        """Yield where a database is made; it has its name when it is complete and on disk."""
        self._clear()
        try:
            yield self._coming
            os.replace(self._coming, self.database)  # noqa: PTH105 - the name is what counts
            sync(self.path)
        except BaseException:
            self._clear()
            raise

    def _clear(self) -> None:
        for remains in self._remains():
            remove_file(remains)

    @contextlib.contextmanager
    def making(self) -> Iterator[None]:
        """Make the folders, for nobody but the user; one that is there becomes so.

        Those that are new, and empty, are removed again if what is done in them fails.
        """
        folders = [self.segments, self.path, *self.path.parents]
        missing = [folder for folder in folders if not folder.exists()]
        try:
            try:
                self.path.mkdir(mode=_OWN_FOLDER, parents=True, exist_ok=True)
            except OSError as error:
                msg = f"{self.path}: cannot make an index here: {error.strerror or error}"
                raise SourceError(msg) from error
            self.make_segments()
            for folder in (self.path, self.segments):
                _make_own(folder)
            yield
        except BaseException:
            for folder in missing:
                with contextlib.suppress(OSError):
                    folder.rmdir()
            raise

    def make_segments(self) -> None:
        """Make the folder of the segments, if it is gone."""
        try:
            self.segments.mkdir(mode=_OWN_FOLDER, exist_ok=True)
        except OSError as error:
            msg = f"{self.segments}: cannot make this folder: {error.strerror or error}"
            raise IndexWriteError(msg) from error

    def sweep(self, named: Iterable[int]) -> int:
        """Remove segments that no commit names: remains of a writer that was killed.

        What else somebody put beside them is not ours to remove.
        """
        known = {self.segment(name) for name in named}
        swept = 0
        for path in self.segments.iterdir():
            if path not in known and _is_segment(path):
                remove_file(path)
                swept += 1
        return swept


def remove_file(path: Path) -> None:
    """Remove a file; one that cannot be removed now is swept later."""
    with contextlib.suppress(OSError):
        path.unlink()


def _is_segment(path: Path) -> bool:
    """Tell whether a file has the name of a segment."""
    return _SEGMENT.fullmatch(path.name) is not None and path.is_file() and not path.is_symlink()


def _make_own(folder: Path) -> None:
    """Let nobody else into a folder; who may not say so is told."""
    if folder.stat().st_mode & 0o077:
        try:
            folder.chmod(_OWN_FOLDER)
        except OSError:
            log.warning("%s: others may enter this folder; `chmod 700` is for its owner", folder)


def sync(path: Path) -> None:
    """See to it that a file, or the names in a folder, are there after a power cut."""
    try:
        file = os.open(path, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:
        msg = f"{path}: cannot write: {error.strerror or error}"
        raise IndexWriteError(msg) from error


class WriterLock:
    """The right to write, held until the process ends or lets go; the system sees to that."""

    def __init__(self, files: Files) -> None:
        self._path = files.lock
        try:
            self._file = os.open(files.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _OWN_FILE)
        except OSError as error:
            msg = f"{files.lock}: cannot write: {error.strerror or error}; searches need no lock"
            raise IndexWriteError(msg) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(self._file, _LOCK_BYTES).decode(errors="replace").strip()
            os.close(self._file)
            msg = (
                f"{files.path}: {f'process {holder}' if holder else 'another process'} writes to "
                "this index; wait until it is done, or search, which needs no lock"
            )
            raise IndexLockedError(msg) from error
        with contextlib.suppress(OSError):  # a full disk: others are not told who it is
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def remove(self) -> None:
        """Remove the lock of an index that could not be made, and let go of it."""
        remove_file(self._path)
        self.release()

    def release(self) -> None:
        """Let another process write."""
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, 0)
            os.close(self._file)
            self._file = -1

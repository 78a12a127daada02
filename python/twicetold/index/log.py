"""What commits wrote to the log of SQLite, copied to its file while others are prepared.

SQLite does it at the end of a commit, which waits for it. Where many documents come, another
connection does it behind, on the thread that writes segments. The log begins anew with the first
transaction that begins when all of it is copied; so from time to time one waits for that.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from twicetold.index.behind import Task, Worker
from twicetold.index.connection import Connection

__all__ = ["Log"]

#: From so many pages on the next transaction waits until all of them are copied.
_MANY = 4096


class Log:
    """The log of an index that one writes to."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: Connection | None = None
        self._copying: Task[int] | None = None
        self._pages = 0

    @contextlib.contextmanager
    def transaction(self, database: Connection, worker: Worker | None) -> Iterator[None]:
        """Do all of something, or nothing; a worker copies what was committed, if there is one."""
        if self._pages >= _MANY:
            # Once more: a merge may have been committed behind what was copied.
            self._begin(worker)
        if self._pages >= _MANY or worker is None:
            self._wait()
        database.copy_log(by_itself=worker is None)
        with database.transaction():
            yield
        if worker is not None:
            self._begin(worker)

    def end(self, database: Connection) -> None:
        """Let commits copy what they write themselves again."""
        self._wait()
        self._pages = 0
        database.copy_log(by_itself=True)

    def _begin(self, worker: Worker | None) -> None:
        self._wait()
        self._copying = Task(self._copy, worker)

    def _copy(self) -> int:
        if self._connection is None:
            self._connection = Connection(self._path)
        return self._connection.copied()

    def _wait(self) -> None:
        if self._copying is not None:
            # What could not be copied is safe where it is, and is tried again with the next.
            if (pages := max(self._copying.wait(), default=-1)) >= 0:
                self._pages = pages
            self._copying = None

    def close(self) -> None:
        """Wait for what goes on."""
        self._wait()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

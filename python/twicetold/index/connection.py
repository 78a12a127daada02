"""A connection to the file of SQLite: transactions, facts, and errors told in one line."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self

from twicetold.errors import (
    IndexDamagedError,
    IndexMismatchError,
    IndexWriteError,
    ParameterError,
    SourceError,
)
from twicetold.index.files import Files, quoted
from twicetold.index.raw import log_of, used, used_no_more
from twicetold.index.sealing import SEAL, seal

__all__ = ["EXPORT_HELPS", "FORMAT_VERSION", "Connection", "telling"]

#: The version of what is stored, told byte by byte in docs/index-format.md.
FORMAT_VERSION = 1
#: What SQLite files of an index say they are.
_APPLICATION = 0x32746F6C
#: A page holds several documents: of one that fills most of a page the rest would be lost.
_PAGE = 16_384
_WAIT = 30.0
#: Pages of the log from which on SQLite copies them at the end of a commit, unless another does.
_COPIED_FROM = 1000
#: How a message of damage ends, for those who do not export already.
EXPORT_HELPS = "; texts that can still be read are told by `twicetold index export`"

_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE documents (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    time INTEGER NOT NULL,
    published INTEGER,
    about TEXT NOT NULL,
    text BLOB NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE INDEX documents_by_time ON documents (time);
CREATE TABLE segments (
    name INTEGER PRIMARY KEY AUTOINCREMENT,
    bucket INTEGER NOT NULL,
    documents INTEGER NOT NULL,
    size INTEGER NOT NULL,
    latest INTEGER NOT NULL,
    content BLOB
);
CREATE TABLE removed (
    n INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL UNIQUE, time INTEGER NOT NULL
);
CREATE TABLE statistics (version TEXT PRIMARY KEY, origin TEXT NOT NULL, content BLOB NOT NULL);
"""


_TABLES = "SELECT type, name, tbl_name, sql FROM sqlite_master"
#: So many characters of a table's statement may be others in what is left of a damaged file.
_DAMAGED = 4
#: How SQLite opens what it need not share with anybody.
_UNCHANGING = "mode=ro&immutable=1"
_ELSEWHERE = "give the path of an index, or make one at another path with `twicetold index create`"

#: Errors of SQLite, without their details, that are no damage: of the system, or of who is first.
_SYSTEM = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
}


class Connection:
    """One connection to the file of SQLite."""

    def __init__(self, path: Path, *, how: str = "mode=rw") -> None:
        self.path = path
        self._connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?{how}",
            uri=True,
            timeout=_WAIT,
            isolation_level=None,
            check_same_thread=False,
        )
        with telling(path):
            # Of a file that somebody else made: nothing in its tables runs, and pages are compared
            # with what they say of themselves.
            self._connection.execute("PRAGMA trusted_schema=OFF")
            self._connection.execute("PRAGMA cell_size_check=ON")
        self._is_open = True
        self._copies_log = True
        self._used = used(path)
        #: Of a file that nobody is to change: what would tell that somebody does.
        self._as_found = _stamp(path) if how == _UNCHANGING else None

    @classmethod
    def create(cls, path: Path) -> Self:
        """Make the file, which only its user can read, with empty tables and without a log."""
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        database = cls(path)
        with telling(path):
            database._connection.executescript(
                f"PRAGMA page_size={_PAGE};"
                f"PRAGMA application_id={_APPLICATION};PRAGMA user_version={FORMAT_VERSION};"
            )
        database.ready()
        with database.transaction():
            for statement in filter(str.strip, _SCHEMA.split(";")):
                database._connection.execute(statement)
        return database

    @classmethod
    def open(cls, path: Path, *, is_whole: bool = True) -> Self:
        """Open the file, if it is one of this version; one that is not whole for what is left."""
        folder = path.parent
        if not path.is_file():
            msg = (
                f"{folder}: no index here; make one with `twicetold index create {quoted(folder)}`"
            )
            if Files(folder).is_taken():
                msg = f"{folder}: no index here, but something else; {_ELSEWHERE}"
            raise SourceError(msg)
        with telling(path):
            database = cls(path, how=_how_to_open(path))
        try:
            if not is_whole:
                # Otherwise SQLite reads nothing of a file that has fewer pages than it says.
                database._connection.execute("PRAGMA writable_schema=ON")
            database._check_kind(folder)
            database._check_tables(is_whole=is_whole)
            return database.ready()
        except BaseException:
            database.close()
            raise

    def _check_kind(self, folder: Path) -> None:
        with telling(self.path):
            application = self._value("PRAGMA application_id")
            version = self._value("PRAGMA user_version")
        if application != _APPLICATION:
            msg = f"{self.path}: is no index, or damaged at its beginning; {_ELSEWHERE}"
            raise IndexMismatchError(msg)
        if version != FORMAT_VERSION:
            msg = (
                f"{folder}: index of format version {version}, this program reads "
                f"{FORMAT_VERSION}; export it with the program that made it, then "
                "`twicetold index create` and `add`. If it was made with this one, its beginning "
                "is damaged: go back to a copy"
            )
            raise IndexMismatchError(msg)

    def _check_tables(self, *, is_whole: bool) -> None:
        """Refuse triggers, views and whatever else no index has.

        Of a file that is not whole only the table of documents is read, which must be one.
        """
        there, wanted = self._tables(), _tables()
        if not is_whole:
            sql = [row[3] for row in there if row[:2] == ("table", "documents")]
            if not any(_is_nearly(str(one), wanted) for one in sql):
                msg = f"{self.path}: is damaged: it has no table of documents{EXPORT_HELPS}"
                raise IndexDamagedError(msg)
            return
        names = {row[:2] for row in wanted}
        for kind, name, *_ in there:
            if (kind, name) not in names:
                msg = (
                    f"{self.path}: holds the {kind} {str(name)[:100]!r}, which no index has: it is "
                    "damaged, or was changed by another program; go back to a copy of it"
                )
                raise IndexDamagedError(msg)

    def _tables(self) -> list[tuple[Any, ...]]:
        with telling(self.path):
            return self._connection.execute(_TABLES).fetchall()

    def begin_log(self) -> None:
        """Write to a log from now on, so that readers go on; before it all is in the one file."""
        with telling(self.path):
            if self._value("PRAGMA journal_mode=WAL") != "wal":
                msg = f"{self.path}: there can be no log here; choose another file system"
                raise SourceError(msg)

    def ready(self) -> Self:
        """Set what holds for this connection: a commit is on disk when it returns."""
        with telling(self.path):
            self._connection.execute("PRAGMA synchronous=FULL")
            self._connection.execute("PRAGMA cache_size=-16384")
        return self

    def copy_log(self, *, by_itself: bool) -> None:
        """Say whether commits of this connection copy the log to the file once it is long."""
        if by_itself != self._copies_log:
            pages = _COPIED_FROM if by_itself else 0
            with telling(self.path):
                self._connection.execute(f"PRAGMA wal_autocheckpoint={pages}")
            self._copies_log = by_itself

    def copied(self) -> int:
        """Copy what is in the log to the file, as far as nobody needs it there.

        Returns how many pages the log has.
        """
        with telling(self.path):
            row = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return int(row[1])

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
        if self._is_open:
            self._is_open = False
            used_no_more(self._used)

    def check_open(self) -> None:
        """Refuse to go on behind `close`."""
        if not self._is_open:
            raise _closed(self.path)

    @contextlib.contextmanager
    def transaction(self, kind: str = "IMMEDIATE") -> Iterator[None]:
        """Do all of something, or nothing."""
        with telling(self.path):
            self._connection.execute(f"BEGIN {kind}")
            try:
                yield
                if kind == "IMMEDIATE":
                    self.set(SEAL, seal(self._connection))
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def tables_are_right(self) -> bool:
        """Tell whether the tables are those that were made."""
        return sorted(map(repr, self._tables())) == sorted(map(repr, _tables()))

    def _value(self, statement: str, *values: Any) -> Any:
        """Return the first value that a statement finds; None if it finds nothing."""
        row = self._connection.execute(statement, values).fetchone()
        return None if row is None else row[0]

    def get(self, name: str) -> Any:
        """Return a fact; None if it is not known."""
        if self._as_found is not None and self._as_found != _stamp(self.path):
            folder = self.path.parent
            msg = f"{folder}: was changed from elsewhere since it was opened; open it again"
            raise SourceError(msg)
        with telling(self.path):
            value = self._value("SELECT value FROM meta WHERE name=?", name)
            return None if value is None else json.loads(value)

    def set(self, name: str, value: Any) -> None:
        """Note a fact."""
        row = (name, json.dumps(value, ensure_ascii=False))
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", row)

    def is_sealed(self) -> bool:
        """Tell whether the manifest is as the last transaction left it.

        Documents have checksums of their own, so have segments; `check` looks at those.
        """
        with self.transaction("DEFERRED"):
            return bool(self.get(SEAL) == seal(self._connection))

    def check_seal(self) -> None:
        """Refuse a manifest that is not as the last transaction left it."""
        if not self.tables_are_right() or not self.is_sealed():
            helps = f"`twicetold index check {quoted(self.path.parent)}`"
            msg = f"{self.path}: its manifest is damaged; see {helps}"
            raise IndexDamagedError(msg)

    def state(self) -> tuple[int, int | None, int | None]:
        """Return the number of the last commit, the clock and the horizon."""
        return self.get("commit"), self.get("clock"), self.get("horizon")


@functools.cache
def _tables() -> tuple[tuple[Any, ...], ...]:
    """Return what the tables of an index are."""
    with contextlib.closing(sqlite3.connect(":memory:")) as other:
        other.executescript(_SCHEMA)
        return tuple(other.execute(_TABLES))


def _is_nearly(sql: str, wanted: Iterable[tuple[Any, ...]]) -> bool:
    """Tell whether a statement makes the table of documents, but for a damaged byte or two."""
    own = next(row[3] for row in wanted if row[:2] == ("table", "documents"))
    return len(sql) == len(own) and sum(a != b for a, b in zip(sql, own, strict=True)) <= _DAMAGED


@contextlib.contextmanager
def telling(path: Path) -> Iterator[None]:
    """Say in one line what SQLite could not do."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError, json.JSONDecodeError) as error:
        code = getattr(error, "sqlite_errorcode", None)
        words = " ".join(str(error).split())
        if isinstance(error, sqlite3.OperationalError) and (code or 0) & 0xFF in _SYSTEM:
            msg = f"{path}: {words}; what was added before is safe"
            raise IndexWriteError(msg) from error
        if isinstance(error, sqlite3.ProgrammingError) and "closed" in words:
            raise _closed(path) from error
        msg = f"{path}: is damaged: {words}{EXPORT_HELPS}"
        raise IndexDamagedError(msg) from error


def _closed(path: Path) -> ParameterError:
    return ParameterError(f"{path.parent}: this index is closed; open it again")


def _stamp(path: Path) -> tuple[int, int, bool]:
    """Return what changes with the file, or its log; who only reads makes a log that is empty."""
    found = path.stat()
    return found.st_mtime_ns, found.st_size, _has_log(path)


def _has_log(path: Path) -> bool:
    log = log_of(path)
    return log.exists() and log.stat().st_size > 0


def _how_to_open(path: Path) -> str:
    """Return what to tell SQLite: where nothing can be written, that it need not try.

    It would make files beside its own to share what is in the log with others. Where there is no
    log, nobody writes to what we read; where there is one with what is shared, that is read.
    """
    if os.access(path.parent, os.W_OK):
        return "mode=rw"
    if not _has_log(path):
        return _UNCHANGING
    if not path.with_name(path.name + "-shm").exists():
        msg = (
            f"{path.parent}: has a log, which cannot be read where nothing can be written; "
            "copy the index to where it can, and open that"
        )
        raise SourceError(msg)
    return "mode=ro"

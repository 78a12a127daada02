"""The truth of an index: documents, manifest, statistics and the commit, in SQLite.

Everything from users is a bound value, never a part of a statement.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from twicetold.batches import microseconds
from twicetold.errors import IndexDamagedError, IndexMismatchError, SourceError
from twicetold.index.raw import head_problems, log_of, log_problems
from twicetold.index.sealing import SEAL, checksum, seal
from twicetold.records import Document

__all__ = ["FORMAT_VERSION", "Database", "SegmentRow", "moment"]

#: The version of what is stored, told byte by byte in docs/index-format.md.
FORMAT_VERSION = 1
#: What SQLite files of an index say they are.
_APPLICATION = 0x32746F6C
#: A page holds several documents: of one that fills most of a page the rest would be lost.
_PAGE = 16_384
#: Values that one statement takes.
_MANY = 500
_WAIT = 30.0

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

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class SegmentRow(NamedTuple):
    """A segment as the manifest names it; ``content`` is None where it is a file."""

    name: int
    bucket: int
    documents: int
    size: int
    latest: int
    content: bytes | None


def moment(time: int | None) -> datetime | None:
    """Return the time that so many microseconds are."""
    return None if time is None else _EPOCH + timedelta(microseconds=time)


class Database:
    """One connection to the file of SQLite."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = sqlite3.connect(
            path, timeout=_WAIT, isolation_level=None, check_same_thread=False
        )

    @classmethod
    def create(cls, path: Path) -> Database:
        """Make the file, which only its user can read, with empty tables."""
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        database = cls(path)
        with _telling(path):
            database._connection.executescript(
                f"PRAGMA page_size={_PAGE};"
                f"PRAGMA application_id={_APPLICATION};PRAGMA user_version={FORMAT_VERSION};"
                "PRAGMA journal_mode=WAL;"
            )
        database.ready()
        with database.transaction():
            for statement in filter(str.strip, _SCHEMA.split(";")):
                database._connection.execute(statement)
        return database

    @classmethod
    def open(cls, path: Path) -> Database:
        """Open the file, if it is one of this version."""
        folder = path.parent
        if not path.is_file():
            msg = f"{folder}: no index here; make one with `twicetold index create {folder}`"
            raise SourceError(msg)
        database = cls(path)
        try:
            database._check_kind(folder)
            return database.ready()
        except BaseException:
            database.close()
            raise

    def _check_kind(self, folder: Path) -> None:
        with _telling(self.path):
            application = self._value("PRAGMA application_id")
            version = self._value("PRAGMA user_version")
        if application != _APPLICATION:
            msg = f"{self.path}: is no index; make one with `twicetold index create`"
            raise IndexMismatchError(msg)
        if version != FORMAT_VERSION:
            msg = (
                f"{folder}: index of format version {version}, this program reads "
                f"{FORMAT_VERSION}; export it with the program that made it, "
                "then `twicetold index create` and `add`"
            )
            raise IndexMismatchError(msg)

    def ready(self) -> Database:
        """Set what holds for this connection: a commit is on disk when it returns."""
        with _telling(self.path):
            self._connection.execute("PRAGMA synchronous=FULL")
            self._connection.execute("PRAGMA cache_size=-16384")
        return self

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    @contextlib.contextmanager
    def transaction(self, kind: str = "IMMEDIATE") -> Iterator[None]:
        """Do all of something, or nothing."""
        with _telling(self.path):
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

    def _value(self, statement: str, *values: Any) -> Any:
        row = self._connection.execute(statement, values).fetchone()
        return None if row is None else row[0]

    def get(self, name: str) -> Any:
        """Return a fact; None if it is not known."""
        with _telling(self.path):
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
        if not self.is_sealed():
            folder = self.path.parent
            msg = f"{self.path}: its manifest is damaged; see `twicetold index check {folder}`"
            raise IndexDamagedError(msg)

    def state(self) -> tuple[int, int | None, int | None]:
        """Return the number of the last commit, the clock and the horizon."""
        return self.get("commit"), self.get("clock"), self.get("horizon")

    def made_by(self) -> tuple[Any, str | None]:
        """Return the settings, and the version of the statistics; None if none are pinned."""
        return self.get("settings"), self._value("SELECT version FROM statistics")

    # Documents

    def numbers_of(self, ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Return the numbers and times of the documents with these ids that are there."""
        found: dict[str, tuple[int, int]] = {}
        with _telling(self.path):
            for start in range(0, len(ids), _MANY):
                some = ids[start : start + _MANY]
                marks = ",".join("?" * len(some))
                rows = self._connection.execute(
                    f"SELECT id, number, time FROM documents WHERE id IN ({marks})",  # noqa: S608
                    some,
                )
                found.update((name, (number, time)) for name, number, time in rows)
        return found

    def last_number(self) -> int:
        """Return the highest number that any document had."""
        with _telling(self.path):
            return self._value("SELECT seq FROM sqlite_sequence WHERE name='documents'") or 0

    def add_documents(self, rows: Iterable[tuple[int, int, Document]]) -> None:
        """Keep documents, each with its number and time."""
        packer = _packer()
        self._connection.executemany(
            "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?)",
            (_row(packer, number, time, document) for number, time, document in rows),
        )

    def documents(
        self,
        numbers: Iterable[int] | None = None,
        *,
        damaged: Callable[[str], None] | None = None,
    ) -> Iterator[tuple[int, int, Document]]:
        """Yield documents with their numbers and times, in the order of the numbers.

        Of a row that is not as it was written ``damaged`` is told; None: that is an error.
        """
        unpacker = _unpacker()
        last = 0
        wanted = None if numbers is None else sorted(numbers)
        while True:
            rows = self._some(last, wanted)
            for row in rows:
                last = row[0]
                try:
                    document = self._document(unpacker, row)
                except IndexDamagedError as error:
                    if damaged is None:
                        raise
                    damaged(str(error))
                    continue
                yield row[0], row[2], document
            if not rows:
                return

    def _some(self, last: int, wanted: list[int] | None) -> list[tuple[Any, ...]]:
        """Return the next documents; a short statement each, so that no writer waits."""
        with _telling(self.path):
            if wanted is None:
                return self._connection.execute(
                    "SELECT * FROM documents WHERE number > ? ORDER BY number LIMIT ?",
                    (last, _MANY),
                ).fetchall()
            some = wanted[:_MANY]
            del wanted[:_MANY]
            return self._connection.execute(
                f"SELECT * FROM documents WHERE number IN ({','.join('?' * len(some))}) "  # noqa: S608
                "ORDER BY number",
                some,
            ).fetchall()

    def _document(self, unpacker: Any, row: tuple[Any, ...]) -> Document:
        number, name, time, published, about, text, found = row
        if checksum(number, name, time, published, about, text) != found:
            msg = f"{self.path}: the row of document {name!r} is damaged"
            raise IndexDamagedError(msg)
        content = unpacker.decompress(text).decode("utf-8", "surrogatepass")
        return Document(id=name, text=content, published=moment(published), **json.loads(about))

    def n_documents(self) -> int:
        """Return how many documents there are."""
        with _telling(self.path):
            return int(self._value("SELECT count(*) FROM documents"))

    def times(self) -> tuple[int | None, int | None]:
        """Return the earliest and the latest time."""
        with _telling(self.path):
            row = self._connection.execute("SELECT min(time), max(time) FROM documents").fetchone()
        return row[0], row[1]

    def text_bytes(self) -> int:
        """Return the bytes of all texts, compressed."""
        with _telling(self.path):
            return int(self._value("SELECT coalesce(sum(length(text)), 0) FROM documents"))

    def all_numbers(self) -> list[int]:
        """Return the numbers of all documents."""
        with _telling(self.path):
            rows = self._connection.execute("SELECT number FROM documents ORDER BY number")
            return [row[0] for row in rows]

    def delete_documents(self, gone: Sequence[tuple[int, int]]) -> None:
        """Delete documents, whose numbers and times are given; segments still hold them."""
        self._connection.executemany(
            "DELETE FROM documents WHERE number=?", ((number,) for number, _ in gone)
        )
        self._connection.executemany(
            "INSERT OR IGNORE INTO removed (number, time) VALUES (?, ?)", gone
        )

    def delete_before(self, horizon: int) -> int:
        """Delete what counts as told before, with the notes on what of it was removed."""
        gone = self._connection.execute("DELETE FROM documents WHERE time < ?", (horizon,)).rowcount
        self._connection.execute("DELETE FROM removed WHERE time < ?", (horizon,))
        return gone

    def forget_removed(self, numbers: Iterable[int]) -> None:
        """Forget that documents were removed which no segment holds any more."""
        self._connection.executemany(
            "DELETE FROM removed WHERE number=?", ((number,) for number in numbers)
        )

    def removed_since(self, n: int) -> list[tuple[int, int]]:
        """Return what was removed after a note with this number: numbers of notes, documents."""
        rows = self._connection.execute(
            "SELECT n, number FROM removed WHERE n > ? ORDER BY n", (n,)
        )
        return rows.fetchall()

    def removed(self) -> dict[int, int]:
        """Return what was removed and segments may still hold: numbers, and their times."""
        with _telling(self.path):
            return dict(self._connection.execute("SELECT number, time FROM removed"))

    def n_removed(self) -> int:
        """Return how many documents are gone that segments still hold."""
        with _telling(self.path):
            return int(self._value("SELECT count(*) FROM removed"))

    # Segments

    def segments(self) -> dict[int, SegmentRow]:
        """Return the manifest, without contents."""
        rows = self._connection.execute(
            "SELECT name, bucket, documents, size, latest, NULL FROM segments ORDER BY name"
        )
        return {row[0]: SegmentRow(*row) for row in rows}

    def content(self, name: int) -> bytes | None:
        """Return the bytes of a segment that is kept here; None: it is a file."""
        found = self._value("SELECT content FROM segments WHERE name=?", name)
        return None if found is None else bytes(found)

    def next_segment(self) -> int:
        """Return a name that no segment had."""
        with _telling(self.path):
            last = self._value("SELECT seq FROM sqlite_sequence WHERE name='segments'")
        return (last or 0) + 1

    def add_segment(self, row: SegmentRow) -> None:
        """Name a segment."""
        self._connection.execute("INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?)", row)

    def delete_segments(self, names: Iterable[int]) -> None:
        """Name these no longer."""
        self._connection.executemany("DELETE FROM segments WHERE name=?", ((n,) for n in names))

    # Statistics

    def pin(self, version: str, origin: str, content: bytes) -> None:
        """Keep these statistics, and no others."""
        self._connection.execute("DELETE FROM statistics")
        row = (version, origin, content)
        self._connection.execute("INSERT INTO statistics VALUES (?, ?, ?)", row)
        self.set("statistics_checksum", checksum(*row))

    def pinned(self) -> tuple[str, str, bytes] | None:
        """Return version, origin and content of the statistics; None if none are pinned."""
        with _telling(self.path):
            row = self._connection.execute("SELECT * FROM statistics").fetchone()
        return None if row is None else (row[0], row[1], row[2])

    def problems(self) -> list[str]:
        """Return what is wrong with the file of SQLite."""
        with _telling(self.path):
            rows = self._connection.execute("PRAGMA integrity_check").fetchall()
            found = [row[0].replace("\n", ": ") for row in rows if row[0] != "ok"]
            tables = self._connection.execute(
                "SELECT type, name, tbl_name, sql FROM sqlite_master"
            ).fetchall()
        if sorted(map(repr, tables)) != _tables():
            found.append("its tables are not those of an index")
        if not found and not self.is_sealed():
            found.append("its manifest is damaged")
        return found + list(head_problems(self.path))

    def log_problems(self) -> list[str]:
        """Return what is wrong with the log of SQLite, if there is one."""
        if not list(log_problems(log_of(self.path))):
            return []
        # It may have been about to be written.
        with contextlib.suppress(SourceError), self.transaction("EXCLUSIVE"):
            return list(log_problems(log_of(self.path)))
        return ["is damaged"]


def _tables() -> list[str]:
    """Return what SQLite says of the tables that `_SCHEMA` makes."""
    with contextlib.closing(sqlite3.connect(":memory:")) as other:
        other.executescript(_SCHEMA)
        rows = other.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
        return sorted(map(repr, rows))


def _row(packer: Any, number: int, time: int, document: Document) -> tuple[Any, ...]:
    about = {
        name: value
        for name in ("title", "url", "source", "language")
        if (value := getattr(document, name)) is not None
    }
    packed = packer.compress(document.text.encode("utf-8", "surrogatepass"))
    told = json.dumps(about)
    published = microseconds(document.published)
    row = (number, document.id, time, published, told, packed)
    return (*row, checksum(*row))


def _packer() -> Any:
    import zstandard

    return zstandard.ZstdCompressor(level=3)


def _unpacker() -> Any:
    import zstandard

    return zstandard.ZstdDecompressor()


@contextlib.contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Say in one line what SQLite could not do."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError, json.JSONDecodeError) as error:
        code = getattr(error, "sqlite_errorcode", None)
        words = " ".join(str(error).split())
        if (
            isinstance(error, sqlite3.OperationalError)
            and code is not None
            and code & 0xFF in _SYSTEM
        ):
            msg = f"{path}: {words}; what was added before is safe"
            raise SourceError(msg) from error
        msg = (
            f"{path}: is damaged: {words}; "
            "texts that can still be read are told by `twicetold index export`"
        )
        raise IndexDamagedError(msg) from error

"""The truth of an index: documents, manifest, statistics and the commit, in SQLite.

Everything from users is a bound value, never a part of a statement.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any, NamedTuple

from twicetold.errors import IndexDamagedError, SourceError
from twicetold.index.connection import FORMAT_VERSION, telling
from twicetold.index.counts import COUNTS, CountedRows, removed_checksums
from twicetold.index.document_rows import checksum
from twicetold.index.files import quoted
from twicetold.index.raw import head_problems, log_of, log_problems

__all__ = ["FORMAT_VERSION", "Database", "SegmentRow"]


class SegmentRow(NamedTuple):
    """A segment as the manifest names it; ``content`` is None where it is a file."""

    name: int
    bucket: int
    documents: int
    size: int
    latest: int
    content: bytes | None


class Database(CountedRows):
    """One connection to the file of SQLite, with all its tables."""

    def made_by(self) -> tuple[Any, str | None]:
        """Return the settings, and the version of the statistics; None if none are pinned."""
        # An index of SQLite may be damaged where the table that the seal covers is not.
        return self.get("settings"), self._value("SELECT version FROM statistics NOT INDEXED")

    # What is gone

    def removed_since(self, n: int) -> list[tuple[int, int, int]]:
        """Return what was removed after a note with this number: of each note its number, too.

        All of them are compared with what stands for them in the counts.
        """
        with telling(self.path):
            rows = self._connection.execute(
                "SELECT n, number, time FROM removed NOT INDEXED WHERE n > ? ORDER BY n", (n,)
            ).fetchall()
        if n == 0 and self.get(COUNTS) is not None:
            sums = removed_checksums(row[1:] for row in rows)
            counts = self.counts()
            if (len(sums), sum(sums)) != (counts.removed, counts.removed_checksum):
                msg = (
                    f"{self.path}: is damaged: what it notes of removed documents is not what was "
                    f"written; `twicetold index check --repair {quoted(self.path.parent)}` helps"
                )
                raise IndexDamagedError(msg)
        return rows

    def removed(self) -> dict[int, int]:
        """Return what was removed and segments may still hold: numbers, and their times."""
        with telling(self.path):
            return dict(self._connection.execute("SELECT number, time FROM removed"))

    # Segments

    def segments(self) -> dict[int, SegmentRow]:
        """Return the manifest, without contents."""
        with telling(self.path):
            rows = self._connection.execute(
                "SELECT name, bucket, documents, size, latest, NULL FROM segments ORDER BY name"
            )
            return {row[0]: SegmentRow(*row) for row in rows}

    def content(self, name: int) -> bytes | None:
        """Return the bytes of a segment that is kept here; None: it is a file."""
        with telling(self.path):
            found = self._value("SELECT content FROM segments WHERE name=?", name)
        if found is None or isinstance(found, bytes):
            return found
        msg = (
            f"{self.path}: segment {name} is damaged: it is no longer of bytes; "
            "`twicetold index check --repair` makes it again"
        )
        raise IndexDamagedError(msg)

    def next_segment(self) -> int:
        """Return a name that no segment had."""
        with telling(self.path):
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
        with telling(self.path):
            row = self._connection.execute("SELECT * FROM statistics").fetchone()
        return None if row is None else (row[0], row[1], row[2])

    def problems(self) -> list[str]:
        """Return what is wrong with the file of SQLite."""
        with telling(self.path):
            rows = self._connection.execute("PRAGMA integrity_check").fetchall()
        found = [row[0].replace("\n", ": ") for row in rows if row[0] != "ok"]
        if not self.tables_are_right():
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

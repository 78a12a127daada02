"""What stands for the manifest of an index, so that a change by anybody else is seen.

Documents and segments have checksums of their own. What is left in the database is small: facts,
the names of segments, how far numbers were given out. Every transaction ends with their seal.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from typing import Any

__all__ = ["SEAL", "seal"]

#: The fact that holds the seal, which it does not cover.
SEAL = "seal"

_COVERED = (
    "SELECT name, value FROM meta WHERE name != 'seal' ORDER BY name",
    "SELECT name, bucket, documents, size, latest FROM segments ORDER BY name",
    "SELECT version, origin FROM statistics",
    "SELECT name, seq FROM sqlite_sequence ORDER BY name",
)


def _encoded(values: Iterable[Any]) -> bytes:
    """Return values as bytes: each one's length in 8 bytes, and what it is.

    A text in UTF-8, a whole number in decimal digits, nothing for NULL.
    """
    parts = []
    for value in values:
        content = b"" if value is None else str(value).encode("utf-8", "surrogatepass")
        parts += [len(content).to_bytes(8, "little"), content]
    return b"".join(parts)


def seal(connection: sqlite3.Connection) -> str:
    """Return what stands for everything that has no checksum of its own."""
    digest = hashlib.sha256()
    for statement in _COVERED:
        rows = connection.execute(statement).fetchall()
        digest.update(len(rows).to_bytes(8, "little"))
        for row in rows:
            digest.update(_encoded(row))
    return digest.hexdigest()[:32]

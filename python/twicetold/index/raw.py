"""The files of SQLite as bytes: what SQLite itself takes without a word when it is damaged.

It reads past constants in the head of its file, and drops the rest of its log from the first frame
on that is not as it was written, as if that had never been committed. Where no commit stands there,
it is right: that is what a full disk leaves behind.

A process that closes any handle of a file loses all its locks on it, also those of SQLite, and
another process would then take the log away. So the file that was looked at stays open while it is
in use.
"""

from __future__ import annotations

import os
import struct
import sys
import threading
from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO

__all__ = ["head_problems", "log_of", "log_problems", "used", "used_no_more"]

#: What stands where in the first 100 bytes of every index.
_HEAD = {
    0: b"SQLite format 3\0",
    18: b"\x02\x02\x00\x40\x20\x20",  # with a log, no reserved bytes, three fractions
    44: b"\0\0\0\x04" + bytes(8) + b"\0\0\0\x01",  # schema format, no vacuum, UTF-8
    64: bytes(4),
    72: bytes(20),
}
_CHANGES, _VALID_FOR = slice(24, 28), slice(92, 96)

_LOG_HEAD, _FRAME_HEAD = 32, 24
_MAGIC = 0x377F0682
_MASK = 0xFFFFFFFF

_Sums = tuple[int, int]

#: How many connections of this process each file has, and the handles that stay open.
_users: Counter[str] = Counter()
_handles: dict[str, int] = {}
_noting = threading.Lock()


def used(database: Path) -> str:
    """Note that SQLite has opened a file; returns what it is called here."""
    name = os.path.realpath(database)
    with _noting:
        _users[name] += 1
    return name


def used_no_more(name: str) -> None:
    """Note that SQLite has closed it."""
    with _noting:
        _users[name] -= 1
        if _users[name] <= 0:
            del _users[name]
            if name in _handles:
                os.close(_handles.pop(name))


def _head_of(database: Path) -> bytes:
    name = os.path.realpath(database)
    with _noting:
        if name not in _handles:
            _handles[name] = os.open(name, os.O_RDONLY | os.O_CLOEXEC)
        return os.pread(_handles[name], 100, 0)


def log_of(database: Path) -> Path:
    """Return the file of the log, which is there while a database is open, or after a kill."""
    return database.with_name(database.name + "-wal")


def head_problems(database: Path) -> Iterator[str]:
    """Yield what is wrong with the constants that the file begins with."""
    head = _head_of(database)
    for at, wanted in _HEAD.items():
        if head[at : at + len(wanted)] != wanted:
            yield f"its head is damaged at byte {at}"
    if head[_CHANGES] != head[_VALID_FOR]:
        yield "its head is damaged: two counters differ"


def log_problems(log: Path) -> Iterator[str]:
    """Yield what is wrong with the log: frames that were written, and are not read any more."""
    if not log.exists() or log.stat().st_size <= _LOG_HEAD:
        return
    with log.open("rb") as file:
        head = file.read(_LOG_HEAD)
        magic, _, size, _, *salts, one, two = struct.unpack(">8I", head)
        order = "big" if magic & 1 else "little"
        sums = _added((0, 0), head[:24], order)
        if magic & ~1 != _MAGIC or sums != (one, two):
            yield "its head is damaged: what it holds is not read"
            return
        yield from _frame_problems(file, size, (salts[0], salts[1]), order, sums)


def _frame_problems(
    file: IO[bytes], size: int, salts: _Sums, order: str, sums: _Sums
) -> Iterator[str]:
    """Yield the first frame that is not as it was written, if a commit is lost by that.

    What a transaction wrote that never came to its end stays behind the last commit, and SQLite
    makes its checksums right at the commit only: such frames are no damage.
    """
    bad = None
    is_lost = False
    number = 0
    while len(frame := file.read(_FRAME_HEAD + size)) == _FRAME_HEAD + size:
        number += 1
        _, pages, *own, one, two = struct.unpack_from(">6I", frame)
        # Frames of an earlier round have two other salts: one of them is chance.
        if own[0] != salts[0] and own[1] != salts[1]:
            break
        if bad is None:
            before = sums
            sums = _frame_sums(before, frame, order)
            if sums != (one, two) or tuple(own) != salts:
                bad = number
                is_lost = _was_commit(before, frame, order)
        # Only the last frame of a commit says how many pages there are.
        is_lost = is_lost or (bad is not None and pages > 0)
    if is_lost:
        yield f"frame {bad} is damaged: it and what was written behind it is not read"


def _frame_sums(sums: _Sums, frame: bytes, order: str) -> _Sums:
    return _added(_added(sums, frame[:8], order), frame[_FRAME_HEAD:], order)


def _was_commit(sums: _Sums, frame: bytes, order: str) -> bool:
    """Tell whether the frame would be right with one other byte in its number of pages.

    Then it was the end of a commit, and the byte that says so is the one that was changed. What a
    number adds to the checksums grows with it, so that none has to be computed twice.
    """
    wanted = struct.unpack_from(">2I", frame, 16)
    none = _frame_sums(sums, frame[:4] + bytes(4) + frame[8:], order)
    for byte in range(4):
        pages = bytes(n == byte for n in range(4))
        one = _frame_sums(sums, frame[:4] + pages + frame[8:], order)
        steps = [(one[n] - none[n]) & _MASK for n in range(2)]
        for times in range(1, 256):
            if all((none[n] + times * steps[n]) & _MASK == wanted[n] for n in range(2)):
                return True
    return False


def _added(sums: _Sums, content: bytes, order: str) -> _Sums:
    """Go on with a checksum of SQLite's log."""
    words = array("I", content)
    if order != sys.byteorder:
        words.byteswap()
    one, two = sums
    pairs = iter(words)
    for a, b in zip(pairs, pairs, strict=True):
        one = (one + a + two) & _MASK
        two = (two + b + one) & _MASK
    return one, two

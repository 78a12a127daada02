"""Files of statistics: named members in one ZIP archive, the same bytes for the same content."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from twicetold.aside import written_aside
from twicetold.errors import SourceError, StatisticsError

__all__ = [
    "DAMAGED",
    "archive_of",
    "damaged",
    "members_of",
    "packed",
    "read_archive",
    "unpacked",
    "write_archive",
]

_EPOCH = (1980, 1, 1, 0, 0, 0)
_LONGEST_COMMENT = 60_000
_FREE, _RATIO = 4 << 20, 16

#: What comes up where bytes are not what they should be: in the archive, its members, the numbers.
DAMAGED = (
    EOFError,
    LookupError,
    OSError,
    OverflowError,
    RuntimeError,
    TypeError,
    ValueError,
)


def damaged(path: str | Path) -> StatisticsError:
    """Return the error of a file that is no archive of statistics."""
    msg = f"{path}: not a statistics file, or damaged; make one with `twicetold statistics build`"
    return StatisticsError(msg)


def archive_of(members: Iterable[tuple[str, bytes]], *, comment: str = "") -> bytes:
    """Return members as the bytes of one file."""
    import zipfile

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = comment.encode(errors="replace")[:_LONGEST_COMMENT]
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def write_archive(path: str | Path, content: bytes) -> None:
    """Write the bytes of an archive to a file, which appears when it is complete."""
    try:
        with written_aside(path) as file:
            file.write(content)
    except OSError as error:
        msg = f"{path}: cannot write statistics: {error.strerror or error}"
        raise SourceError(msg) from error


def read_archive(path: str | Path) -> bytes:
    """Return the bytes of a file."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        msg = f"{path}: cannot read statistics: {error.strerror or error}"
        raise SourceError(msg) from error


def members_of(content: bytes, path: str | Path) -> tuple[dict[str, bytes], str]:
    """Return the members of an archive by name, and the comment beside them."""
    import zipfile
    import zlib

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(info.file_size for info in archive.infolist())
            if size > _most(len(content)):
                msg = f"{path}: {len(content):,} bytes that stand for {size:,} are no statistics"
                raise StatisticsError(msg)
            members = {name: archive.read(name) for name in archive.namelist()}
            return members, archive.comment.decode("utf-8", "replace")
    except (*DAMAGED, zipfile.BadZipFile, zlib.error) as error:
        raise damaged(path) from error


def _most(size: int) -> int:
    """Return how many bytes an archive of so many may hold: terms and numbers are no bombs."""
    return max(_FREE, _RATIO * size)


def packed(numbers: Iterable[int]) -> bytes:
    """Return numbers as little-endian bytes of u32."""
    return b"".join(n.to_bytes(4, "little") for n in numbers)


def unpacked(column: bytes) -> list[int]:
    """Return the numbers that `packed` packed."""
    return [int.from_bytes(column[n : n + 4], "little") for n in range(0, len(column), 4)]

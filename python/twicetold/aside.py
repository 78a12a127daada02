"""Files that are written beside the place they take when they are complete."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["target_of", "written_aside"]

#: So much of its name is to be seen in that of an unfinished file: a name has at most 255 bytes.
_SEEN = 48


@contextmanager
def written_aside(
    path: str | Path, /, *, wait: bool = True, private: bool = False
) -> Iterator[IO[bytes]]:
    """Open a new file that becomes ``path`` when the block ends well, and is removed otherwise.

    Nobody else's file is touched before: two that write the same at the same time do not see each
    other, and the last one stays. ``wait`` until it is on the disk, so that it outlives a power
    cut. A ``private`` one is for its user alone; another one keeps the mode of what it replaces.
    """
    # A link stays a link: what it points to is replaced.
    target = target_of(path)
    before = None if private else _mode_of(target)
    partial = target.with_name(f"{target.name[:_SEEN]}.{secrets.token_hex(8)}.partial")
    mode = 0o600 if private else 0o666
    try:
        with _created(partial, mode) as file:
            if before is not None:
                os.fchmod(file.fileno(), before)
            yield file
            file.flush()
            if wait:
                os.fsync(file.fileno())
        partial.replace(target)
    finally:
        # Also if a signal comes as soon as it is there. Nobody else has this name.
        partial.unlink(missing_ok=True)


def _created(path: Path, mode: int) -> IO[bytes]:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    return open(path, "wb", opener=lambda name, _: os.open(name, flags, mode))


def target_of(path: str | Path, /) -> Path:
    """Return the file that a path stands for: links are followed.

    Raise `OSError` for links that lead in a circle.
    """
    try:
        return Path(path).resolve()
    except RuntimeError as error:  # as Python says it before 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from error


def _mode_of(path: Path) -> int | None:
    """Return the mode of a file; None: there is none."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return None

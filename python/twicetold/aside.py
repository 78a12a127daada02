"""Files that are written beside the place they take when they are complete."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["written_aside"]

#: So much of its name is to be seen in that of an unfinished file: a name has at most 255 bytes.
_SEEN = 48


@contextmanager
def written_aside(
    path: str | Path, /, *, wait: bool = True, private: bool = False
) -> Iterator[IO[bytes]]:
    """Open a new file that becomes ``path`` when the block ends well, and is removed otherwise.

    Nobody else's file is touched before: two that write the same at the same time do not see each
    other, and the last one stays. ``wait`` until it is on the disk, so that it outlives a power
    cut. A ``private`` one is for its user alone.
    """
    # A link stays a link: what it points to is replaced.
    target = Path(path).resolve()
    partial = target.with_name(f"{target.name[:_SEEN]}.{secrets.token_hex(4)}.partial")
    mode = 0o600 if private else 0o666
    opened = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with open(opened, "wb") as file:  # noqa: PTH123 - it is open already
            yield file
            file.flush()
            if wait:
                os.fsync(file.fileno())
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)

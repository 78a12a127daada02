"""The bytes of a file, decompressed on the way, in blocks of bounded size.

What is compressed is known by its first bytes, so a ``.jsonl`` that is really gzip is read all the
same. One wrapper serves every format.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from typing import Literal

__all__ = ["COMPRESSIONS", "Compression", "Stream", "expanded"]

Compression = Literal["gzip", "zstd"]

COMPRESSIONS: dict[str, Compression] = {
    "gz": "gzip",
    "gzip": "gzip",
    "zst": "zstd",
    "zstd": "zstd",
}
"""Suffix to compression."""

_BLOCK = 1 << 20
_STEP = 8192
# Four bytes of zstd can stand for 128 kB, and what a step stands for comes out whole.
_ZSTD_STEP, _ZSTD_BLOCK = 256, 1 << 17
_ZEROS = re.compile(rb"\0*+")
_MAGIC: dict[bytes, Compression] = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
# A zstd file may start with a skippable frame: 0x184D2A50 to 0x184D2A5F, little-endian.
_SKIPPABLE = b"\x2a\x4d\x18"
_WINDOW = 1 << 31  # public collections packed with `zstd --long=31` exist
_USUAL_WINDOW = 1 << 27  # what zstd itself takes without being asked
_FRAME_HEAD = 18  # bytes
_FREE, _RATIO = 64 << 20, 50


class Stream:
    """Iterate to get the decompressed blocks; none is empty.

    Where the file breaks off, iteration ends as at the end of a good file, and ``damage`` holds the
    reason and the detail of the problem. So every reader gives what was readable before the break.
    ``compression`` is known after the first block; ``taken`` counts bytes as they lie on disk.
    """

    def __init__(
        self,
        read: Callable[[int], bytes],
        *,
        named: Compression | None = None,
        count: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Take bytes from ``read``, tell ``count`` how many; ``named`` is what the suffix says."""
        self.damage: tuple[str, str] | None = None
        self.compression: Compression | None = None
        self.taken = 0
        self._read = read
        self._tell = count
        self._named = named
        self._head: list[bytes] = []
        self._blocks = self._decompressed()

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._head:
            return self._head.pop()
        return next(self._blocks)

    def count(self, size: int) -> None:
        """Count bytes of the file as read; for a reader that takes them past the stream."""
        self.taken += size
        self._tell(size)

    def peek(self, size: int) -> bytes:
        """Return the first bytes without taking them: at least ``size``, fewer only at the end."""
        head = b""
        for block in self:
            head = head + block if head else block
            if len(head) >= size:
                break
        if head:
            self._head.append(head)
        return head

    def longest(self, limit: int) -> int:
        """Return how long a document may be at this place, where ``limit`` holds for plain files.

        A few bytes can stand for any number: what is compressed may hold 64 MB at once, or fifty
        times what was read of it.
        """
        return limit if self.compression is None else expanded(self.taken, limit)

    def read_all(self, limit: int) -> bytes | None:
        """Return everything, or ``None`` if it is longer than a document may be."""
        blocks, size = [], 0
        for block in self:
            size += len(block)
            if size > self.longest(limit):
                return None
            blocks.append(block)
        return blocks[0] if len(blocks) == 1 else b"".join(blocks)

    def _decompressed(self) -> Iterator[bytes]:
        chunks = self._chunks()
        first = next(chunks, b"")
        while len(first) < 4 and (more := next(chunks, b"")):  # noqa: PLR2004 - the longest magic
            first += more
        found = next((kind for magic, kind in _MAGIC.items() if first.startswith(magic)), None)
        if first[1:4] == _SKIPPABLE and first[0] >> 4 == 5:  # noqa: PLR2004 - see _SKIPPABLE
            found = "zstd"
        self.compression = found
        if found == "gzip":
            yield from self._gunzip(first, chunks)
        elif found == "zstd":
            yield from _gathered(self._unzstd(first, chunks))
        elif self._named:
            self._damaged(f"not {self._named} data, although the name says so")
        elif first:
            yield first
            yield from chunks

    def _chunks(self) -> Iterator[bytes]:
        """Yield the file as it is; an error of the disk or the network ends it."""
        try:
            while chunk := self._read(_BLOCK):
                self.count(len(chunk))
                yield chunk
        except OSError as error:
            self.damage = ("unreadable file", f"cannot read on: {error.strerror or error}")

    def _damaged(self, detail: str) -> None:
        if self.damage is None:  # a disk error came first and explains the rest
            self.damage = ("truncated", detail)

    def _gunzip(self, chunk: bytes, chunks: Iterator[bytes]) -> Iterator[bytes]:
        member, begun = zlib.decompressobj(wbits=31), False
        # What follows a member is copied: where members are small, small steps are taken.
        at, step = 0, _BLOCK
        try:
            while True:
                if not begun:  # tapes and block devices pad with zeros after the end
                    at += len(_ZEROS.match(chunk, at)[0])  # type: ignore[index]
                if at == len(chunk):
                    chunk, at = next(chunks, b""), 0
                    if not chunk:
                        break
                    continue
                piece = chunk[at : at + step]
                at, begun, step = at + len(piece), True, min(2 * step, _BLOCK)
                yield from _inflate(member, piece)
                if member.eof:
                    at -= len(member.unused_data)
                    step = max(_STEP, len(piece) - len(member.unused_data))
                    member, begun = zlib.decompressobj(wbits=31), False
        except zlib.error as error:
            self._damaged(f"damaged gzip data: {error}")
        else:
            if begun:
                self._damaged("gzip data ends in the middle")

    def _unzstd(self, chunk: bytes, chunks: Iterator[bytes]) -> Iterator[bytes]:
        import zstandard

        decompressor = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
        frame = decompressor.decompressobj()
        begun, at = False, 0
        try:
            while True:
                if not begun:
                    chunk, at, lack = _frame_ahead(chunk, at, chunks)
                    if lack:
                        self._damaged(lack)
                        return
                elif at == len(chunk):
                    yield b""
                    chunk, at = next(chunks, b""), 0
                if at == len(chunk):
                    break
                piece = chunk[at : at + _ZSTD_STEP]
                at, begun = at + len(piece), True
                if block := frame.decompress(piece):
                    yield block
                if frame.eof:
                    at -= len(frame.unused_data)
                    frame, begun = decompressor.decompressobj(), False
        except zstandard.ZstdError as error:
            self._damaged(f"damaged zstd data: {error}")
        if begun:
            self._damaged("zstd data ends in the middle")


def _gathered(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield small blocks together; at an empty one, those that wait."""
    waiting: list[bytes] = []
    size = 0
    for block in blocks:
        waiting.append(block)
        size += len(block)
        if size >= _ZSTD_BLOCK or (size and not block):
            yield b"".join(waiting)
            waiting, size = [], 0
    if size:
        yield b"".join(waiting)


def expanded(taken: int, limit: int) -> int:
    """Return how many bytes so many compressed ones may stand for at once: ``limit`` or less."""
    return min(limit, max(_FREE, _RATIO * taken))


def _frame_ahead(chunk: bytes, at: int, chunks: Iterator[bytes]) -> tuple[bytes, int, str | None]:
    """Read on until a zstd frame can begin; return what is read, and why it may not begin."""
    while len(chunk) - at < _FRAME_HEAD and (more := next(chunks, b"")):
        chunk, at = chunk[at:] + more, 0
    window = _window_of(chunk[at : at + _FRAME_HEAD])
    if window <= _USUAL_WINDOW:
        return chunk, at, None
    # It takes the memory as it goes, but a few bytes are enough to go through all of it.
    parts = [chunk[at:]]
    size = len(parts[0])
    while size * _RATIO < window and (more := next(chunks, b"")):
        parts.append(more)
        size += len(more)
    lack = f"{size:,} bytes of zstd data want {window:,} of memory"
    return b"".join(parts), 0, lack if size * _RATIO < window else None


def _window_of(head: bytes) -> int:
    """Return how much memory a zstd frame wants; 0 where its head does not say."""
    import zstandard

    try:
        found = zstandard.get_frame_parameters(head)
    except zstandard.ZstdError:
        return 0
    window, known = int(found.window_size), int(found.content_size)
    return min(window, known) if 0 <= known < 1 << 62 else window  # else it is not known


def _inflate(member: zlib._Decompress, chunk: bytes) -> Iterator[bytes]:
    """Yield what a chunk holds in blocks of bounded size: a thousandth of it may be the input."""
    block = member.decompress(chunk, _BLOCK)
    while block:
        yield block
        if member.eof:
            return
        block = member.decompress(member.unconsumed_tail, _BLOCK)

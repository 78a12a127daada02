"""The bytes of a file, decompressed on the way, in blocks of bounded size.

What is compressed is known by its first bytes, so a ``.jsonl`` that is really gzip is read all the
same. One wrapper serves every format.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Literal

__all__ = ["COMPRESSIONS", "Compression", "Stream"]

Compression = Literal["gzip", "zstd"]

COMPRESSIONS: dict[str, Compression] = {
    "gz": "gzip",
    "gzip": "gzip",
    "zst": "zstd",
    "zstd": "zstd",
}
"""Suffix to compression."""

_BLOCK = 1 << 20
_MAGIC: dict[bytes, Compression] = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
# A zstd file may start with a skippable frame: 0x184D2A50 to 0x184D2A5F, little-endian.
_SKIPPABLE = b"\x2a\x4d\x18"
_WINDOW = 1 << 31  # public collections packed with `zstd --long=31` exist; zstd takes it as it goes


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

    def read_all(self, limit: int) -> bytes | None:
        """Return everything, or ``None`` if it is more than ``limit`` bytes."""
        blocks, size = [], 0
        for block in self:
            size += len(block)
            if size > limit:
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
            yield from self._unzstd(first, chunks)
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
        try:
            while chunk:
                begun = True
                yield from _inflate(member, chunk)
                chunk = b""
                if member.eof:
                    chunk = member.unused_data
                    member, begun = zlib.decompressobj(wbits=31), False
                # Tapes and block devices pad with zeros after the end.
                chunk = chunk if begun else chunk.lstrip(b"\0")
                while not chunk and (chunk := next(chunks, b"")) and not begun:
                    chunk = chunk.lstrip(b"\0")
        except zlib.error as error:
            self._damaged(f"damaged gzip data: {error}")
        else:
            if begun:
                self._damaged("gzip data ends in the middle")

    def _unzstd(self, chunk: bytes, chunks: Iterator[bytes]) -> Iterator[bytes]:
        import zstandard

        decompressor = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
        frame = decompressor.decompressobj()
        begun = False
        try:
            while chunk:
                # A small step: four bytes can stand for 128 kB, and a step comes out whole.
                for start in range(0, len(chunk), step := 8192):
                    piece = chunk[start : start + step]
                    while piece:
                        begun = True
                        if block := frame.decompress(piece):
                            yield block
                        piece = b""
                        if frame.eof:
                            piece = frame.unused_data
                            frame, begun = decompressor.decompressobj(), False
                chunk = next(chunks, b"")
        except zstandard.ZstdError as error:
            self._damaged(f"damaged zstd data: {error}")
        if begun:
            self._damaged("zstd data ends in the middle")


def _inflate(member: zlib._Decompress, chunk: bytes) -> Iterator[bytes]:
    """Yield what a chunk holds in blocks of bounded size: a thousandth of it may be the input."""
    block = member.decompress(chunk, _BLOCK)
    while block:
        yield block
        if member.eof:
            return
        block = member.decompress(member.unconsumed_tail, _BLOCK)

"""A stream of blocks, read by lines and by lengths."""

from __future__ import annotations

from .compression import Stream

__all__ = ["Tape"]

_LINE = 1 << 16
_HEADERS = 1 << 20


class Tape:
    """Reads forward; ``ended_early`` tells that fewer bytes were left than asked for."""

    def __init__(self, stream: Stream) -> None:
        """Start at the beginning of the stream."""
        self.ended_early = False
        self._stream = stream
        self._buffer = b""
        self._at = 0

    def line(self) -> bytes:
        """Return the next line with its end, or 64 kB of a longer one; nothing at the end."""
        while True:
            end = self._buffer.find(b"\n", self._at, self._at + _LINE) + 1
            if not end and len(self._buffer) - self._at >= _LINE:
                end = self._at + _LINE
            if end or not self._more():
                break
        end = end or len(self._buffer)
        line, self._at = self._buffer[self._at : end], end
        return line

    def headers(self) -> bytes:
        """Return the lines up to the next blank one, which is taken too; at most 1 MB."""
        lines, size = [], 0
        while (line := self.line()).strip() and size < _HEADERS:
            lines.append(line)
            size += len(line)
        self.ended_early = not line
        return b"".join(lines)

    def take(self, size: int) -> bytes:
        """Return the next ``size`` bytes."""
        blocks = []
        while size > (left := len(self._buffer) - self._at):
            blocks.append(self._buffer[self._at :])
            size -= left
            self._at = len(self._buffer)
            if not self._more():
                self.ended_early = True
                return b"".join(blocks)
        blocks.append(self._buffer[self._at : self._at + size])
        self._at += size
        return b"".join(blocks) if len(blocks) > 1 else blocks[0]

    def skip(self, size: int) -> None:
        """Pass over ``size`` bytes without holding them."""
        while size > (left := len(self._buffer) - self._at):
            size -= left
            self._at = len(self._buffer)
            if not self._more():
                self.ended_early = True
                return
        self._at += size

    def push(self, data: bytes) -> None:
        """Put bytes back: they are read next."""
        self._buffer = data + self._buffer[self._at :]
        self._at = 0

    def _more(self) -> bool:
        block = next(self._stream, b"")
        self._buffer = self._buffer[self._at :] + block
        self._at = 0
        return bool(block)

"""HTTP responses as archives keep them: status, headers, and a body in some coding."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from .compression import expanded

__all__ = ["CodingError", "Message", "parse_headers", "parse_message"]

_HEAD = 1 << 20  # bytes of headers; more are no response
_CODINGS = 8
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_STEP = 1 << 20
_STATUS = re.compile(rb"HTTP/\S* +(\d{3})")
_CHUNK = re.compile(rb"\r?\n?([0-9a-fA-F]{1,8})[^\r\n]{0,200}\r?\n")
_CHARSET = re.compile(r"""charset\s*+=\s*+["']?+\s*+([\w.:-]{1,40})""", re.IGNORECASE)
_MARKUP = re.compile(rb"\s*<[a-zA-Z!?]")


class CodingError(Exception):
    """The body is not in the coding its header names, or grows too long."""

    def __init__(self, message: str, *, reason: str) -> None:
        """Hold the reason to report beside the message."""
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Message:
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def kind(self) -> str:
        """The media type; where none is given, HTML if the body looks like it."""
        name = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        return name or ("text/html" if _MARKUP.match(self.body) else "")

    @property
    def charset(self) -> str | None:
        """The encoding the server names."""
        match = _CHARSET.search(self.headers.get("content-type", ""))
        return match[1] if match else None

    def decoded_body(self, limit: int) -> bytes:
        """Return the body without chunks and compression.

        Many archives keep the headers as they were sent beside a body already decoded, so a body
        that does not look encoded is taken as it is. Raise `CodingError` if it cannot be decoded.
        """
        body = self.body
        limit = expanded(len(body), limit)
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            body = _joined(body)
        codings = self.headers.get("content-encoding", "").lower().split(",")
        if len(codings) > _CODINGS:
            msg = f"the content is said to be in {len(codings):,} codings"
            raise CodingError(msg, reason="bad warc")
        for coding in reversed([name.strip() for name in codings]):
            decoder = _DECODERS.get(coding)
            if decoder is None or (coding not in _MARKED and _MARKUP.match(body)):
                continue
            if coding in _MARKED and not body.startswith(_MARKED[coding]):
                continue
            try:
                body = decoder(body, limit)
            except zlib.error as error:
                msg = f"the content is not {coding}: {error}"
                raise CodingError(msg, reason="bad warc") from None
            if len(body) > limit:
                msg = f"the content is longer than {limit:,} bytes"
                raise CodingError(msg, reason="too long")
        return body


def parse_headers(data: bytes) -> dict[str, str]:
    r"""Read ``Name: value`` lines: names in lower case, the first of each, folded lines joined.

    >>> parse_headers(b"Content-Type: text/html\r\n ; charset=utf-8\r\n")
    {'content-type': 'text/html ; charset=utf-8'}
    """
    found: dict[str, list[str]] = {}
    parts: list[str] = []  # of the header that goes on
    for line in data.decode("utf-8", "replace").split("\n"):
        if line[:1] in (" ", "\t"):
            parts.append(line.strip())
            continue
        key, colon, value = line.partition(":")
        name = key.strip().lower() if colon else ""
        parts = [value.strip()]
        if name:
            found.setdefault(name, parts)
    return {name: " ".join(parts) for name, parts in found.items()}


def parse_message(data: bytes) -> Message | None:
    """Take a response apart, or return ``None`` if it is none."""
    status = _STATUS.match(data)
    end = _HEAD_END.search(data, 0, _HEAD)
    if status is None or end is None:
        return None
    head = data[: end.start()].partition(b"\n")[2]
    return Message(int(status[1]), parse_headers(head), data[end.end() :])


def _joined(body: bytes) -> bytes:
    """Join the chunks of a body; a body that is not in chunks is already joined."""
    chunks: list[bytes] = []
    at = 0
    while match := _CHUNK.match(body, at):
        size = int(match[1], 16)
        at = match.end() + size
        if not size:
            return b"".join(chunks)
        if at > len(body):
            break
        chunks.append(body[match.end() : at])
    return b"".join(chunks) if chunks and at >= len(body) else body


def _gunzip(body: bytes, limit: int) -> bytes:
    return zlib.decompressobj(wbits=47).decompress(body, limit + 1)


def _inflate(body: bytes, limit: int) -> bytes:
    try:
        return _gunzip(body, limit)
    except zlib.error:
        return zlib.decompressobj(wbits=-15).decompress(body, limit + 1)


def _unbrotli(body: bytes, limit: int) -> bytes:
    brotli: Any = import_module("brotli")  # has no types
    decoder, blocks, size, rest = brotli.Decompressor(), [], 0, body
    try:
        # A byte may stand for any number of them: what it does not give at once waits.
        while size <= limit and (rest or not decoder.can_accept_more_data()):
            blocks.append(decoder.process(rest, output_buffer_limit=_STEP))
            size, rest = size + len(blocks[-1]), b""
    except brotli.error as error:
        raise zlib.error(str(error)) from None
    return b"".join(blocks)


def _unzstd(body: bytes, limit: int) -> bytes:
    import io

    import zstandard

    reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(body))
    try:
        data: bytes = reader.read(limit + 1)
    except zstandard.ZstdError as error:
        raise zlib.error(str(error)) from None
    return data


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
_MARKED = {"gzip": b"\x1f\x8b", "x-gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}

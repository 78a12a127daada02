"""Plain text and Markdown: a file is a document, and its text is the file, letter by letter."""

from __future__ import annotations

from collections.abc import Iterator

from twicetold.records import Document

from .encodings import decode
from .input import Input

__all__ = ["decoded", "read_text", "whole"]


def read_text(given: Input) -> Iterator[Document]:
    """Yield the file as one document. Markdown is not taken apart: offsets point into the file."""
    data = whole(given)
    if data is None:
        return
    text = decoded(given, data)
    if not text or text.isspace():
        given.problem("empty text", "the file is empty or only white space")
        return
    yield Document(id=given.name, text=text)


def whole(given: Input) -> bytes | None:
    """Return the file, or report that it is too long to be one document."""
    data = given.stream.read_all(given.options.limit)
    if data is None:
        given.problem("too long", f"the document is longer than {given.limit:,} bytes")
    return data


def decoded(given: Input, data: bytes, declared: str | None = None, *, page: bool = False) -> str:
    """Decode a document; note where bytes had to be replaced."""
    text, clean = decode(data, encoding=given.options.encoding, declared=declared, page=page)
    if not clean:
        detail = f"{text.count(chr(0xFFFD)):,} places are not text in any likely encoding"
        given.problem("replaced bytes", detail)
    return text

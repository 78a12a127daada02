"""Bytes to text: what a byte order mark, the user or the file says, else UTF-8, else a guess."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from twicetold.errors import ParameterError

from .compression import Stream

__all__ = [
    "UNDECODABLE",
    "Decoded",
    "check_encoding",
    "decode",
    "mark_of",
    "text_blocks",
    "utf8_blocks",
    "utf8_from",
]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_GUESS = 1 << 16
_PLAIN = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
"""Codecs that look for a byte order mark: we have looked, and without one it is this."""
_WEB = "cp1252"
"""What browsers take for a page of unknown encoding, by the standard."""
_NO_TEXT = ("utf-7", "unicode_escape", "raw_unicode_escape", "punycode", "idna")
"""Codecs that can make half a character, or are no encodings of texts."""

UNDECODABLE = "\udcff"
"""Stands for bytes that are not text while lines are still being cut; no text holds it itself."""


def _mark(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return UNDECODABLE, error.end


codecs.register_error("twicetold.mark", _mark)


class Decoded(NamedTuple):
    """A text, and whether every byte of it was text in its encoding."""

    text: str
    clean: bool


def check_encoding(name: str) -> str:
    """Return the codec's own name, or raise `ParameterError` if Python has no such codec."""
    try:
        bytes(4).decode(name)
        found = codecs.lookup(name).name
    except (LookupError, UnicodeError, ValueError):
        found = ""
    if not found or found in _NO_TEXT:
        msg = f"encoding must be one that Python knows, such as utf-8 or cp1254, got {name!r}"
        raise ParameterError(msg)
    return _PLAIN.get(found, found)


def mark_of(data: bytes) -> tuple[str, int] | None:
    """Return the encoding that a byte order mark announces, and the mark's length."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name, len(mark)
    return None


def decode(
    data: bytes,
    *,
    encoding: str | None = None,
    declared: str | None = None,
    page: bool = False,
) -> Decoded:
    """Decode a whole document.

    ``encoding`` is the user's word and is obeyed. ``declared`` is the document's own word, which is
    often wrong: bytes beyond ASCII that are valid UTF-8 are UTF-8, whatever a page declares. For a
    web page only what browsers know is guessed, at the last what they take for such pages.

    >>> decode("Türkiye’de".encode("utf-8"), declared="iso-8859-9")
    Decoded(text='Türkiye’de', clean=True)
    """
    if found := mark_of(data):
        data, encoding = data[found[1] :], found[0]
    if encoding:
        return _try([encoding], data)
    if wide := _utf16_without_mark(data):
        return _try([wide], data)
    label = _html_name(declared) if declared else None
    if data.isascii():  # the escapes of ISO-2022-JP are ASCII too
        return _try([label or ("iso2022_jp" if b"\x1b$" in data else "utf-8"), "utf-8"], data)
    try:
        return Decoded(data.decode(), clean=True)
    except UnicodeDecodeError:
        return _try(_likely(data, label, page=page), data)


def _likely(data: bytes, label: str | None = None, *, page: bool = False) -> list[str]:
    """Name the encodings to try for bytes that are not all UTF-8, the likeliest first.

    In UTF-8 with a few broken bytes most of the high bytes still form characters; in any other
    encoding hardly any do.
    """
    broken = data.decode("utf-8", "replace").count("\ufffd") - data.count(b"\xef\xbf\xbd")
    high = len(data.translate(None, delete=bytes(range(128))))
    if broken * 4 < high:
        return ["utf-8"]
    guess = _guess(data)
    if page:
        guess = (guess and _html_name(guess)) or _WEB
    return [name for name in (label, guess) if name] or ["utf-8"]


def _guess(data: bytes) -> str | None:
    """Guess an encoding by the frequencies of letters."""
    from resiliparse.parse.encoding import detect_encoding

    return _known(detect_encoding(data, max_len=_GUESS, html5_compatible=False))


def _known(name: str | None) -> str | None:
    """Return Python's name for an encoding, or ``None`` if it has none."""
    try:
        return codecs.lookup(name).name if name else None
    except LookupError:
        return None


def utf8_blocks(stream: Stream, encoding: str | None) -> Iterator[bytes]:
    """Yield a stream as UTF-8 without a byte order mark, whatever it was.

    Bytes that are not text come out as bytes that are not UTF-8, so that the line they are in is
    found to be bad, and only that line.
    """
    skip, convert = utf8_from(stream.peek(4), encoding)
    if convert is None:
        for block in stream:
            yield block[skip:] if skip else block
            skip = 0
        return
    for block in stream:
        yield convert(block[skip:], final=False)
        skip = 0
    yield convert(b"", final=True)


class ToUtf8(Protocol):
    """Turns a piece of a file into UTF-8; the rest of a character at its end waits."""

    def __call__(self, block: bytes, *, final: bool) -> bytes: ...


def utf8_from(head: bytes, encoding: str | None) -> tuple[int, ToUtf8 | None]:
    """Return how many bytes of mark a file begins with, and how its rest becomes UTF-8.

    None: it is UTF-8 already.
    """
    name, skip = mark_of(head) or (encoding or _utf16_without_mark(head) or "utf-8", 0)
    if name == "utf-8":
        return skip, None
    decoder = codecs.getincrementaldecoder(name)("twicetold.mark")

    def convert(block: bytes, *, final: bool) -> bytes:
        return decoder.decode(block, final).encode("utf-8", "surrogatepass")

    return skip, convert


def text_blocks(stream: Stream, encoding: str | None) -> Iterator[str]:
    """Yield a stream as text, `UNDECODABLE` in place of what is not text.

    Without a mark or ``encoding`` the first block that is not ASCII decides between UTF-8 and a
    guess: until then every candidate reads the same.
    """
    head = stream.peek(4)
    name, skip = mark_of(head) or (encoding or _utf16_without_mark(head), 0)
    decoder = codecs.getincrementaldecoder(name)("twicetold.mark") if name else None
    for block in stream:
        if decoder is None:
            if block.isascii():
                yield block.decode("ascii")
                continue
            decoder = codecs.getincrementaldecoder(_first_guess(block))("twicetold.mark")
        yield decoder.decode(block[skip:])
        skip = 0
    if decoder is not None:
        yield decoder.decode(b"", final=True)


def _first_guess(block: bytes) -> str:
    try:
        codecs.utf_8_decode(block, "strict", False)  # the end of the block may cut a character
    except UnicodeDecodeError:
        return _likely(block)[0]
    return "utf-8"


def _try(names: list[str], data: bytes) -> Decoded:
    """Decode with the first encoding that fits, else with the first and U+FFFD for the misfits."""
    for name in names:
        try:
            return Decoded(data.decode(name), clean=True)
        except (UnicodeError, LookupError):
            continue
    return Decoded(data.decode(names[0], "replace"), clean=False)


def _html_name(label: str) -> str | None:
    """Return Python's name for an encoding's label on the web, ``None`` for a label of nothing."""
    from resiliparse.parse.encoding import map_encoding_to_html5

    name = _known(map_encoding_to_html5(label, fallback_utf8=False))
    # A page whose label can be read is not UTF-16.
    return None if name is None or name.startswith("utf-16") or name in _NO_TEXT else name


def _utf16_without_mark(data: bytes) -> str | None:
    """Recognise UTF-16 of a Western text: every second byte is zero."""
    head = data[:4096]
    if head.count(0) * 4 < len(head) or len(head) < 4:  # noqa: PLR2004
        return None
    even, odd = head[::2].count(0), head[1::2].count(0)
    if even and odd:
        return None
    return "utf-16-le" if odd else "utf-16-be"

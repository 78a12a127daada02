"""WARC, the format of web archives: pages and texts as a crawler kept them.

The records are taken apart here and not by a library, because those stop at the first record that
is not in order and lose the rest of the archive; a crawl of the open web always holds some.
"""

from __future__ import annotations

from collections.abc import Iterator

from twicetold.records import Document

from .about import host
from .http import CodingError, Message, parse_headers, parse_message
from .input import Input, quoted
from .tape import Tape
from .text import decoded
from .webpage import page_document

__all__ = ["read_warc"]

_KINDS = ("response", "resource", "conversion")
_PAGES = ("text/html", "application/xhtml+xml")
_REREAD = 1 << 18  # bytes searched again for a hidden record; a bound, or a trap takes forever
_TEXTS = ("text/plain", "text/markdown")


def read_warc(given: Input) -> Iterator[Document]:
    """Yield the pages and texts that were fetched with success; the address is the id.

    Everything else in an archive (requests, images, errors, redirects) counts as "other record".
    ``conversion`` records hold extracted text, as in Common Crawl's WET files.
    """
    for headers, content in _records(given):
        found = _document(given, headers, content)
        if found is not None:
            yield found


def _document(given: Input, headers: dict[str, str], content: bytes) -> Document | None:
    url = headers.get("warc-target-uri", "").strip("<> ") or None
    if headers.get("content-type", "").lower().startswith("application/http"):
        message = parse_message(content)
        if message is None:
            given.problem("bad warc", "the record holds no HTTP response")
            return None
    else:
        message = Message(200, {"content-type": headers.get("content-type", "")}, content)
    kind = message.kind
    if message.status // 100 != 2 or kind not in (*_PAGES, *_TEXTS):  # noqa: PLR2004 - success
        given.options.report.others["other record"] += 1
        return None
    try:
        body = message.decoded_body(given.limit)
    except CodingError as error:
        given.problem(error.reason, f"{quoted(url)}: {error}")
        return None
    name = url or headers.get("warc-record-id") or f"{given.label}:{given.line}"
    if kind in _PAGES:
        return page_document(given, body, id=name, url=url, charset=message.charset)
    text = decoded(given, body, message.charset)
    if not text or text.isspace():
        given.problem("empty text", f"{quoted(url)} is empty or only white space")
        return None
    return Document(id=name, text=text, url=url, source=host(url) if url else None)


def _records(given: Input) -> Iterator[tuple[dict[str, str], bytes]]:
    """Yield headers and contents of records that may hold text; find the way back after rubbish."""
    tape, number, lost = Tape(given.stream), 0, False
    while line := tape.line():
        if not line.startswith(b"WARC/"):
            if line.strip() and not lost and given.stream.damage is None:
                given.line, lost = number + 1, True
                given.problem("bad warc", f"a record must start with WARC/, got {quoted(line, 20)}")
            continue
        number, lost = number + 1, False
        given.line = number
        headers = parse_headers(tape.headers())
        if tape.ended_early:
            break
        length = headers.get("content-length", "")
        if not (length.isascii() and length.isdigit() and len(length) <= 18):  # noqa: PLR2004
            given.problem("bad warc", f"Content-Length must be a number, got {quoted(length)}")
            lost = True
        elif _is_wanted(given, headers, int(length)):
            content = tape.take(int(length))
            whole = len(content) == int(length)
            lost = whole and _goes_on(given, tape, content)
            if whole and not lost:
                yield headers, content
        else:
            tape.skip(int(length))
    if tape.ended_early and given.stream.damage is None:
        given.problem("truncated", "the archive ends inside a record")


def _is_wanted(given: Input, headers: dict[str, str], length: int) -> bool:
    if headers.get("warc-type", "").lower() not in _KINDS:
        given.options.report.others["other record"] += 1
        return False
    if length > given.limit:
        given.problem("too long", f"the record is longer than {given.limit:,} bytes")
        return False
    return True


def _goes_on(given: Input, tape: Tape, content: bytes) -> bool:
    """Report a record that goes on after its end: one that is too long hides the next."""
    after = tape.line().strip(b"\r\n")
    if not after:
        return False
    given.problem("bad warc", f"the record goes on after its end: {quoted(after, 20)}")
    hidden = content.find(b"\nWARC/") if len(content) <= _REREAD else -1
    tape.push(b"%b%b\n" % (content[hidden + 1 :] if hidden >= 0 else b"", after))
    return True

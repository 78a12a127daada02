"""HTML pages: the visible text, what the page says of itself, and the page as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from twicetold.records import Document

from .about import TELLING, About, host
from .input import Input
from .markup import is_wild, scan
from .text import decoded, whole
from .visible import VisibleText, is_unseen

__all__ = ["page_document", "read_html"]

_CHARSET = re.compile(
    rb"""<(?:meta\s[^>]{0,500}?charset|\?xml\s[^>]{0,200}?encoding)\s*=\s*["']?\s*([\w.:-]{1,40})""",
    re.IGNORECASE,
)
_XML = re.compile(r"\s*<\?xml\s")
_EMPTY = re.compile(r"<(iframe|script|style|textarea|title)\b([^<>]*)/>", re.IGNORECASE)
_NOSCRIPT = re.compile(r"(</?)noscript\b", re.IGNORECASE)
_ELEMENT, _TEXT = 1, 3  # node types of the DOM
_NOWHERE = 1 << 60  # a depth that is never reached


def read_html(given: Input) -> Iterator[Document]:
    """Yield the page as one document."""
    data = whole(given)
    found = None if data is None else page_document(given, data, id=given.name)
    if found is not None:
        yield found


def page_document(
    given: Input,
    data: bytes,
    *,
    id: str,  # noqa: A002 - the name of the field
    url: str | None = None,
    charset: str | None = None,
) -> Document | None:
    """Make a document of a page; ``charset`` is what the server said, ``url`` where it was."""
    if charset is None and (match := _CHARSET.search(data, 0, 4096)):
        charset = match[1].decode("ascii")
    page = decoded(given, data, charset)
    # In XHTML <title/> is whole; in HTML it would be open, and hide the page.
    markup = _EMPTY.sub(r"<\1\2></\1>", page) if _XML.match(page) else page
    read = None if is_wild(markup) else _walk(markup)
    text, about = read or _scan(markup)
    if not text:
        given.problem("empty text", "the page shows no text")
        return None
    url = url or about.url
    return Document(
        id=id,
        text=text,
        title=about.title,
        url=url,
        source=host(url) if url else None,
        published=_published(given, about, page),
        language=about.language,
        html=page,
    )


def _published(given: Input, about: About, page: str) -> datetime | None:
    try:
        return about.published(page)
    except ValueError as error:
        given.problem("bad date", str(error))
        return None


def _scan(page: str) -> tuple[str, About]:
    text, about = VisibleText(), About()
    scan(page, text, about)
    return str(text), about


def _walk(page: str) -> tuple[str, About] | None:
    """Read the page as a tree, or return ``None`` if the parser gives up."""
    from resiliparse.parse.html import HTMLTree, traverse_dom

    try:
        # An open <p> keeps </noscript> from closing, and the rest of the page would not be seen.
        tree = HTMLTree.parse(_NOSCRIPT.sub(r"\1template", page))
    except ValueError:
        return None
    walker = _Walker()
    traverse_dom(tree.document, walker.start, walker.end)
    walker.about.titled(tree.title)
    return str(walker.text), walker.about


class _Walker:
    """Called at each node of a tree, and at the end of each element that has children.

    ``_unseen`` and ``_pre`` are the depths of the outermost element that is not seen, or
    preformatted; since childless elements have no end, `start` notices that one was left.
    """

    __slots__ = ("_pre", "_unseen", "about", "text")

    def __init__(self) -> None:
        self.text = VisibleText()
        self.about = About()
        self._unseen = self._pre = _NOWHERE

    def start(self, context: Any) -> None:
        node, depth = context.node, context.depth
        if depth <= self._unseen:
            self._unseen = _NOWHERE
        if depth <= self._pre:
            self._pre = _NOWHERE
        kind = node.type
        if kind == _TEXT:
            if self._unseen == _NOWHERE:
                self.text.add(node.value, preformatted=self._pre != _NOWHERE)
        elif kind == _ELEMENT:
            name = node.tag
            if name in TELLING:
                self.about.element(name, node.getattr)
            if self._unseen == _NOWHERE:
                self.text.boundary(name)
                if is_unseen(name, node.getattr):
                    self._unseen = depth
                elif name == "pre":
                    self._pre = min(self._pre, depth)

    def end(self, context: Any) -> None:
        if context.depth <= self._unseen:
            self.text.boundary(context.node.tag, end=True)

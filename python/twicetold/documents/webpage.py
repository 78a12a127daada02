"""HTML pages: the visible text, what the page says of itself, and the page as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from twicetold.html.reading import page_of
from twicetold.records import Document

from .about import About, host
from .content import main_content
from .input import Input
from .text import decoded, whole

__all__ = ["document_of", "markup_of", "page_document", "read_html"]

_CHARSET = re.compile(
    rb"""<(?:meta\s[^>]{0,500}?charset|\?xml\s[^>]{0,200}?encoding)\s*+=\s*+["']?+\s*+([\w.:-]{1,40})""",
    re.IGNORECASE,
)


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
    return document_of(given, markup_of(given, data, charset), id=id, url=url)


def markup_of(given: Input, data: bytes, charset: str | None = None) -> str:
    """Decode a page; ``charset`` is what the server said."""
    if charset is None and (match := _CHARSET.search(data, 0, 4096)):
        charset = match[1].decode("ascii")
    return decoded(given, data, charset, page=True)


def document_of(
    given: Input,
    markup: str,
    *,
    id: str,  # noqa: A002 - the name of the field
    url: str | None = None,
) -> Document | None:
    """Make a document of the markup of a page; ``url`` is where it was."""
    page = page_of(markup)
    about = About.of(page)
    content = given.options.content
    if content != "full":
        found = None if page.is_wild else main_content(markup, content)
        if found is None:
            given.problem("empty text", f"no {content} content was found in the page")
            return None
        markup, page = found, page_of(found)
    if not page.text:
        given.problem("empty text", "the page shows no text")
        return None
    url = url or about.url
    return Document(
        id=id,
        text=page.text,
        title=about.title,
        url=url,
        source=host(url) if url else about.site,
        published=_published(given, about),
        language=about.language,
        html=markup,
    )


def _published(given: Input, about: About) -> datetime | None:
    try:
        return about.published()
    except ValueError as error:
        given.problem("bad date", str(error))
        return None

"""What a page says of itself: title, address, language, date of publication."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

from .dates import parse_date

__all__ = ["TELLING", "About", "host"]

TELLING = frozenset({"html", "link", "meta"})
"""The elements that `About.element` wants to see."""

_DATES = (
    "article:published_time",
    "datepublished",
    "og:published_time",
    "article.published",
    "parsely-pub-date",
    "sailthru.date",
    "pubdate",
    "publishdate",
    "publish-date",
    "publish_date",
    "dc.date.issued",
    "dcterms.issued",
    "dcterms.created",
    "dc.date.created",
    "dc.date",
    "date",
)
_LINKED_DATA = re.compile(r'"datePublished"\s*:\s*"([^"]{4,40})"')
_MANY = 1000  # meta tags; more is mischief


class About:
    """Shown the start tags of a page, it remembers what they tell."""

    __slots__ = ("_canonical", "_meta", "_title", "language")

    def __init__(self) -> None:
        """Start knowing nothing."""
        self.language: str | None = None
        self._title: str | None = None
        self._canonical: str | None = None
        self._meta: dict[str, str] = {}

    def element(self, name: str, attribute: Callable[[str], str | None]) -> None:
        """Look at a start tag; ``attribute`` gives the value of an attribute or ``None``."""
        if name == "meta":
            key = attribute("property") or attribute("name") or attribute("itemprop")
            content = attribute("content")
            if key and content and len(self._meta) < _MANY:
                self._meta.setdefault(key.strip().lower()[:100], content.strip()[:2000])
        elif name == "link" and self._canonical is None:
            if (attribute("rel") or "").strip().lower() == "canonical":
                self._canonical = attribute("href")
        elif name == "html" and self.language is None:
            self.language = (attribute("lang") or attribute("xml:lang") or "").strip()[:35] or None

    def titled(self, title: str | None) -> None:
        """Remember the first title."""
        self._title = self._title or " ".join((title or "").split()) or None

    @property
    def title(self) -> str | None:
        """The title of the page, else the one it gives to those who link to it."""
        return self._title or self._meta.get("og:title")

    @property
    def url(self) -> str | None:
        """The address the page gives as its own, if it is a full one."""
        for url in (self._canonical, self._meta.get("og:url")):
            if url and host(url):
                return url.strip()
        return None

    def published(self, page: str) -> datetime | None:
        """Return the date of publication from the first tag or linked data that has a date.

        Raise ``ValueError`` if there are some, and none can be read.
        """
        found = [self._meta[name] for name in _DATES if name in self._meta]
        found += _LINKED_DATA.findall(page)[:1]
        error: ValueError | None = None
        for value in found:
            try:
                return parse_date(value)
            except ValueError as unreadable:
                error = error or unreadable
        if error is not None:
            raise error
        return None


def host(url: str) -> str | None:
    """Return the host of a web address, ``None`` if it is no web address.

    >>> host("https://www.example.org:8080/a?b")
    'www.example.org'
    """
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return None
    return parts.hostname if parts.scheme in ("http", "https") else None

"""What a page says of itself: title, address, language, date of publication."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from twicetold.html.reading import Page

from .dates import parse_date

__all__ = ["About", "host"]

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


@dataclass(frozen=True, slots=True)
class About:
    """What a page tells; None where it does not.

    ``site`` is the name of the site, for pages that do not tell their address.
    """

    title: str | None
    url: str | None
    site: str | None
    language: str | None
    dates: tuple[str, ...]

    @classmethod
    def of(cls, page: Page) -> About:
        """Read what a page tells: its own tags first, then those for people who link to it."""
        meta: dict[str, str] = {}
        for key, content in page.meta:
            meta.setdefault(key, content)
        urls = (page.canonical, meta.get("og:url"))
        return cls(
            title=page.title or meta.get("og:title"),
            url=next((url.strip() for url in urls if url and host(url)), None),
            site=meta.get("og:site_name"),
            language=page.language,
            dates=(*(meta[name] for name in _DATES if name in meta), *page.dates),
        )

    def published(self) -> datetime | None:
        """Return the first date of publication that can be read: of tags, linked data, times.

        Raise ``ValueError`` if there are some, and none can be read.
        """
        error: ValueError | None = None
        for value in self.dates:
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

"""Which key or column holds what: names given by the user, else the usual ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

__all__ = ["ALIASES", "Fields", "Plan", "find"]

ALIASES = {
    "id": ("id", "_id", "doc_id", "docid", "document_id"),
    "text": ("text", "body", "content", "article"),
    "title": ("title", "headline"),
    "url": ("url", "link", "uri"),
    "source": ("source", "publisher", "site", "domain"),
    "published": ("published", "published_at", "date", "pubDate", "timestamp", "time"),
    "language": ("language", "lang"),
}
"""The names looked for when none is given, in this order, in upper or lower case."""

Place = str | tuple[str, ...]


class Plan(NamedTuple):
    """For each part of a document, the places to look in records that have a given set of keys.

    A place is a key, or a tuple of keys that lead into nested objects.
    """

    id: tuple[Place, ...]
    text: tuple[Place, ...]
    title: tuple[Place, ...]
    url: tuple[Place, ...]
    source: tuple[Place, ...]
    published: tuple[Place, ...]
    language: tuple[Place, ...]

    def columns(self) -> list[str]:
        """Return the keys the plan needs, each once, outermost part only."""
        places = [place for part in self for place in part]
        return list(dict.fromkeys(p if isinstance(p, str) else p[0] for p in places))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """The names of the keys or columns to read; ``None`` means the usual names.

    A name with dots reaches into nested objects, unless a key is spelled exactly so. The URL never
    serves as the id by itself, because two versions of one page are two documents; say
    ``Fields(id="url")`` where a URL stands for one document.

    >>> Fields(text="article.body").plan(["id", "article", "date"]).text
    (('article', 'body'),)
    """

    id: str | None = None
    text: str | None = None
    title: str | None = None
    url: str | None = None
    source: str | None = None
    published: str | None = None
    language: str | None = None

    def names(self, *, about: bool = False) -> list[tuple[list[str], bool]]:
        """Return what to look for as id, text, published, language, source, title and url.

        For each its names, the preferred one first, and whether upper and lower case matter. The
        last one has names only if what a document says ``about`` itself is wanted.
        """
        parts = ("id", "text", "published", "language", "source", "title")
        names = [self._names(part) for part in parts]
        return [*names, self._names("url") if about else ([], True)]

    def _names(self, part: str) -> tuple[list[str], bool]:
        name: str | None = getattr(self, part)
        return (list(ALIASES[part]), False) if name is None else ([name], True)

    def are_plain(self, *, about: bool = False) -> bool:
        """Tell whether no name reaches into nested objects, and none of `names` is there twice."""
        names = [name for names, _ in self.names(about=about) for name in names]
        given = (getattr(self, part) or "" for part in ALIASES)
        is_flat = not any("." in name for name in given)
        return is_flat and len({name.lower() for name in names}) == len(names)

    def plan(self, keys: Sequence[str]) -> Plan:
        """Decide where to look in records with these keys."""
        lowered = {key.lower(): key for key in reversed(keys)}
        return Plan(**{part: self._places(part, keys, lowered) for part in ALIASES})

    def _places(self, part: str, keys: Sequence[str], lowered: dict[str, str]) -> tuple[Place, ...]:
        name: str | None = getattr(self, part)
        if name is None:
            exact = (
                alias if alias in keys else lowered.get(alias.lower()) for alias in ALIASES[part]
            )
            return tuple(dict.fromkeys(key for key in exact if key is not None))
        if name in keys:
            return (name,)
        path = tuple(name.split("."))
        return (path,) if len(path) > 1 and path[0] in keys else ()


def find(record: dict[str, Any], places: tuple[Place, ...]) -> Any:
    """Return the first value that is there and not an empty text, else ``None``.

    >>> find({"text": "", "body": "Shares rose."}, ("text", "body"))
    'Shares rose.'
    """
    for place in places:
        if isinstance(place, str):
            value = record[place]
        else:
            value = record
            for key in place:
                value = value.get(key) if isinstance(value, dict) else None
        if value is not None and value != "":
            return value
    return None

"""What callers give to an index: refused in words where it makes no sense."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, get_args

from twicetold.batches import microseconds
from twicetold.documents import Given, Sources
from twicetold.errors import ParameterError
from twicetold.index.grouping import is_text
from twicetold.index.records import OnDuplicate
from twicetold.records import Document, quoted

__all__ = [
    "check_on_duplicate",
    "check_one",
    "check_window",
    "given_documents",
    "given_ids",
    "given_time",
]


def check_on_duplicate(given: Any) -> None:
    """Refuse what nobody knows to do with an id that is there."""
    if given not in get_args(OnDuplicate):
        choices = ", ".join(get_args(OnDuplicate))
        msg = f"on_duplicate must be one of {choices}, got {given!r}"
        raise ParameterError(msg)


def check_one(**given: Any) -> None:
    """Refuse more than one of what stands for the same."""
    if sum(value is not None for value in given.values()) > 1:
        *names, last = given
        msg = f"{', '.join(names)} and {last} exclude each other; give one of them"
        raise ParameterError(msg)


def check_window(window: timedelta | None) -> None:
    """Refuse a window in which nothing is."""
    if window is not None and not window:
        msg = "window must be longer than 0, or everything expires at once; leave it out for none"
        raise ParameterError(msg)


def given_documents(given: Any) -> Iterable[Document]:
    """Return documents to add: as they are given, or made of texts, records or a table."""
    if isinstance(given, Sources):
        return given
    if isinstance(given, str | Path):
        msg = (
            f"documents to add must be given as such, got {quoted(str(given))}; "
            "twicetold.documents.Sources reads files"
        )
        raise ParameterError(msg)
    if isinstance(given, Sequence) and all(isinstance(item, Document) for item in given):
        return given
    known = Given(given, strict=True)
    if isinstance(given, Iterator):
        return _made(known)
    return list(_made(known))


def _made(given: Given) -> Iterator[Document]:
    yield from (row.document for row in given.rows() if row.document is not None)
    if given.paths:
        msg = f"{quoted(given.paths[0])} names a file; twicetold.documents.Sources reads files"
        raise ParameterError(msg)


def given_ids(ids: Iterable[Any]) -> list[str]:
    """Return ids that may be there, each once."""
    found = list(ids)
    for name in found:
        if not isinstance(name, str):
            msg = f"an id must be a text, got {name!r}"
            raise ParameterError(msg)
    return [name for name in dict.fromkeys(found) if is_text(name)]


def given_time(before: Any) -> int | None:
    """Return a time in microseconds; None stays None."""
    if before is None:
        return None
    if not isinstance(before, datetime) or before.utcoffset() is None:
        msg = f"before must be a datetime with a time zone, or None, got {before!r}"
        raise ParameterError(msg)
    return microseconds(before)

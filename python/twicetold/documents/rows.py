"""Records with named parts (JSON objects, rows of a table) to documents."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from twicetold.records import Document

from .dates import parse_date
from .fields import Plan, find
from .input import Input, quoted

__all__ = ["Rows", "distinct"]

_SHAPES = 1000  # sets of keys remembered; a file with more shapes than that starts anew


class Rows:
    """Makes documents of the records of one file.

    Records of one file mostly have the same keys, so where to look is decided once for each set of
    keys, not for each record.
    """

    def __init__(self, given: Input) -> None:
        """Take names and reports from the file the records come from."""
        self._input = given
        self._fields = given.options.fields
        self._account = given.options.account
        self._plans: dict[tuple[str, ...], Plan] = {}

    def plan(self, keys: tuple[str, ...]) -> Plan:
        """Decide where to look in records with these keys."""
        if len(self._plans) >= _SHAPES:
            self._plans.clear()
        plan = self._plans[keys] = self._fields.plan(keys)
        return plan

    def document(self, record: dict[str, Any], line: int) -> Document | None:
        """Make a document, or report why there is none."""
        self._input.line = line
        keys = tuple(record)
        plan = self._plans.get(keys) or self.plan(keys)
        id_at, text_at, title_at, url_at, source_at, published_at, language_at = plan
        text = find(record, text_at)
        if type(text) is not str:
            text = self._text(record, plan, text)
            if text is None:
                return None
        if not text or text.isspace():
            self._lacks_text(keys)
            self._input.problem("empty text", "the text is empty or only white space")
            return None
        own = find(record, id_at)
        if self._account is not None:
            self._account.has_text(1, own is not None, keys)
        return Document(
            id=self._id(own, line),
            text=text,
            title=_optional(find(record, title_at)) if title_at else None,
            url=_optional(find(record, url_at)) if url_at else None,
            source=_optional(find(record, source_at)) if source_at else None,
            published=self._published(find(record, published_at)) if published_at else None,
            language=_optional(find(record, language_at)) if language_at else None,
        )

    def missing(self, keys: tuple[str, ...], n: int = 1) -> None:
        """Report that ``n`` records with these keys hold no text."""
        self._lacks_text(keys, n)
        names = ", ".join(quoted(key, 40) for key in keys[:12]) + ", ..." * (len(keys) > 12)  # noqa: PLR2004
        wanted = self._fields.text
        lack = f"no field {quoted(wanted)}" if wanted else "no field for the text"
        detail = f"{lack} among {names or 'none at all'}; name it with --text-field"
        self._input.problem("missing text", detail)

    def _lacks_text(self, keys: tuple[str, ...], n: int = 1) -> None:
        if self._account is not None:
            self._account.lacks_text(keys, n)

    def _text(self, record: dict[str, Any], plan: Plan, text: Any) -> str | None:
        """Take what is not a string for a text, if it can be."""
        if isinstance(text, bytes):
            try:
                return text.decode()
            except UnicodeDecodeError as error:
                self._input.problem("bad encoding", f"text is not UTF-8 at byte {error.start + 1}")
        elif text is not None:
            self._lacks_text(tuple(record))
            self._input.problem("bad text", f"text must be a string, got {quoted(text)}")
        elif any(record.get(place) == "" for place in plan.text if isinstance(place, str)):
            self._lacks_text(tuple(record))
            self._input.problem("empty text", "the text is empty")
        elif plan.text:
            self._lacks_text(tuple(record))
            self._input.problem("missing text", "the text is null or not there")
        else:
            self.missing(tuple(record))
        return None

    def _id(self, value: Any, line: int) -> str:
        if type(value) is str:
            return value
        if type(value) is int:
            return str(value)
        if isinstance(value, dict) and type(value.get("$oid")) is str:  # as MongoDB exports it
            return str(value["$oid"])
        if isinstance(value, bytes):
            return _optional(value) or value.hex()
        # Whole numbers beyond 64 bits arrive as floats, and many of them as the same float.
        if isinstance(value, float) and abs(value) < 1 << 53:
            return str(value)
        if value is not None:
            detail = f"id must be a string or a whole number below 2^64, got {quoted(value)}"
            self._input.problem("bad id", detail)
        return f"{self._input.label}:{line}"

    def _published(self, value: Any) -> datetime | None:
        if value is None:
            return None
        try:
            return parse_date(value)
        except ValueError as error:
            self._input.problem("bad date", str(error))
            return None


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of columns, with a number at those that came before.

    >>> distinct(["id", "text", "text"])
    ('id', 'text', 'text (2)')
    """
    seen: dict[str, None] = {}
    last: dict[str, int] = {}  # so that a thousand equal ones are not tried a million times
    for name in names:
        number, given = last.get(name, 1), name
        while given in seen:
            number += 1
            given = f"{name} ({number})"
        last[name] = number
        seen[given] = None
    return tuple(seen)


def _optional(value: Any) -> str | None:
    if value is None or type(value) is str:
        return value
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return None
    return str(value) if isinstance(value, int | float) else None

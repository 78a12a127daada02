"""Records: what cannot be a document is refused in one line."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from twicetold import Document
from twicetold.errors import ParameterError
from twicetold.records import quoted

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "id": ({"id": 1}, "id of a document must be a string, got 1"),
    "text": ({"text": None}, "text of a document must be a string, got None"),
    "text of bytes": (
        {"text": b"a" * 900},
        f"text of a document must be a string, got b'{'a' * 58}...",
    ),
    "title": ({"title": 5}, "title of a document must be a string or None, got 5"),
    "language": (
        {"language": ("en",)},
        "language of a document must be a string or None, got ('en',)",
    ),
    "time": (
        {"published": "2020-01-01"},
        (
            "published of a document must be a datetime or a date, such as datetime.fromisoformat "
            "reads, or None, got '2020-01-01'"
        ),
    ),
    "number": (
        {"published": 2020},
        (
            "published of a document must be a datetime or a date, such as datetime.fromisoformat "
            "reads, or None, got 2020"
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_document_is_refused_24(what: str) -> None:
    given, message = WRONG[what]
    with pytest.raises(ParameterError) as caught:
        Document(**{"id": "a", "text": "b", **given})
    assert str(caught.value) == message


def test_a_time_without_a_zone_is_utc() -> None:
    naive = datetime(2020, 1, 1)  # noqa: DTZ001 - that is the point
    assert Document(id="a", text="b", published=naive).published == naive.replace(tzinfo=UTC)


def test_what_is_quoted_is_short_and_on_one_line() -> None:
    assert quoted("a\n" * 1000) == "'" + "a\\n" * 19 + "a\\..."
    assert quoted("short") == "'short'"
    assert len(quoted(["x" * 1000] * 1000)) < 200

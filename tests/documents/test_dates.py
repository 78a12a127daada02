"""Dates of many forms."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.documents.dates import parse_date
from twicetold.records import Document, is_before, is_whole_day

NOON = "2026-01-02T12:00:00+00:00"
DATES = [
    ("2026-01-02", "2026-01-02T00:00:00+00:00"),
    ("20260102", "2026-01-02T00:00:00+00:00"),
    ("2026/01/02", "2026-01-02T00:00:00+00:00"),
    ("2026-01-02T12:00:00Z", NOON),
    ("2026-01-02 12:00:00", NOON),
    ("2026-01-02 12:00", NOON),
    ("  2026-01-02T12:00:00Z\n", NOON),
    ("2026-01-02T15:00:00+03:00", "2026-01-02T15:00:00+03:00"),
    ("2026-01-02 15:00:00 +0300", "2026-01-02T15:00:00+03:00"),
    ("2026-01-02 12:00:00 UTC", NOON),
    ("2026-01-02 12:00:00 GMT", NOON),
    ("2026/01/02 12:00:00", NOON),
    ("20260102T120000Z", NOON),
    ("20260102120000", NOON),
    ("2026-01-02T12:00:00.123456789Z", "2026-01-02T12:00:00.123456+00:00"),
    ("Fri, 02 Jan 2026 12:00:00 GMT", NOON),
    ("Fri, 2 Jan 2026 15:00:00 +0300", "2026-01-02T15:00:00+03:00"),
    ("02 Jan 2026 12:00:00 -0000", NOON),
    ("1767355200", NOON),
    ("1767355200.0", NOON),
    ("1767355200000", NOON),
    ("-864000000", "1942-08-16T00:00:00+00:00"),
    ("1712010512345", "2024-04-01T22:28:32.345000+00:00"),
    (1767355200, NOON),
    (1767355200.0, NOON),
    (1767355200000, NOON),
    (1767355200000000, NOON),
    (1767355200000000000, NOON),
    (20260102, "2026-01-02T00:00:00+00:00"),
    (20260102.0, "2026-01-02T00:00:00+00:00"),
    (20269999, "1970-08-23T14:33:19+00:00"),
    (0, "1970-01-01T00:00:00+00:00"),
    (-86400, "1969-12-31T00:00:00+00:00"),
    (date(2026, 1, 2), "2026-01-02T00:00:00+00:00"),
    (datetime(2026, 1, 2, 12), NOON),  # noqa: DTZ001 - without a zone is what is tested
    (datetime(2026, 1, 2, 12, tzinfo=UTC), NOON),
]
BAD: list[Any] = [
    "",
    " ",
    "soon",
    "2026",
    "2026-13-01",
    "12",
    "NaN",
    "1e9",
    "٢٠٢٦٠١٠٢",
    "999999999999999999999",
]
BAD_VALUES: list[Any] = [
    None,
    True,
    [],
    {},
    b"2026-01-02",
    float("nan"),
    float("inf"),
    10**40,
    "9" * 5000,
]


@pytest.mark.parametrize(("value", "expected"), DATES)
def test_a_date_is_read(value: Any, expected: str) -> None:
    assert parse_date(value).isoformat() == expected


@pytest.mark.parametrize("value", BAD + BAD_VALUES, ids=lambda value: repr(value)[:20])
def test_what_is_no_date_is_an_error(value: Any) -> None:
    with pytest.raises(ValueError, match="no date: ") as caught:
        parse_date(value)
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize("value", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_a_date_at_the_end_of_the_calendar_is_no_date(value: str) -> None:
    with pytest.raises(ValueError, match="no date: "):
        parse_date(value)


@given(st.one_of(st.text(max_size=30), st.integers(), st.floats(), st.from_regex(r"[-0-9:TZ+ ]+")))
def test_any_value_is_a_date_in_utc_or_an_error(value: Any) -> None:
    try:
        found = parse_date(value)
    except ValueError:
        return
    assert found.astimezone(UTC).tzinfo is UTC


@pytest.mark.parametrize(
    ("value", "has_time"),
    [
        ("2026-01-02", False),
        (20260102, False),
        (date(2026, 1, 2), False),
        ("2026-01-02T00:00:00Z", False),
        ("2026-01-02T00:00:01Z", True),
        ("2026-01-02T00:00:00.000001Z", True),
        ("2026-01-02T00:00:00+01:00", True),
        ("0002-01-01", False),
        ("9998-12-31T23:59-01:00", True),
    ],
)
def test_a_date_without_a_time_of_day_is_a_whole_day_24(value: Any, has_time: bool) -> None:
    document = Document(id="a", text="", published=parse_date(value))
    assert document.has_time == has_time
    assert not Document(id="a", text="").has_time


def test_a_day_may_be_given_as_one_24() -> None:
    document = Document(id="a", text="", published=date(2026, 1, 2))  # type: ignore[arg-type]
    assert document.published == datetime(2026, 1, 2, tzinfo=UTC)


HOURS = st.none() | st.integers(-50, 50).map(
    lambda n: datetime(2026, 1, 2, tzinfo=UTC) + timedelta(hours=n)
)
ZONES = st.integers(-14, 14).map(lambda hours: timezone(timedelta(hours=hours)))


@given(HOURS, HOURS, ZONES)
def test_one_is_earlier_if_all_moments_it_may_be_of_are_24(
    one: datetime | None, other: datetime | None, zone: timezone
) -> None:
    """Both are hours here, so that a day is 24 of them."""
    if one is None or other is None:
        assert not is_before(one, other)
        return
    moments = [
        {time + timedelta(hours=n) for n in range(24 if is_whole_day(time) else 1)}
        for time in (one, other)
    ]
    assert is_before(one.astimezone(zone), other) == (max(moments[0]) < min(moments[1]))

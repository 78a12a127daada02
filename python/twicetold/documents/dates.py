"""Dates as they are found in the wild, read cheaply.

The common case, ISO 8601, is one call of the standard library; every other form is tried only
after it failed.
"""

from __future__ import annotations

import re
import reprlib
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any

__all__ = ["parse_date"]

_LONGEST = 200  # characters; what looks for a date in more could look for long
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER = re.compile(r"[+-]?\d{9,20}(?:\.\d*)?", re.ASCII)
_ZONE = re.compile(r"\s*(?:UTC|GMT|\s([+-]\d\d:?\d\d))$")
_SLASHES = re.compile(r"(\d{4})/(\d\d)/(\d\d)(?!\d)", re.ASCII)

# A number of 8 or 14 digits between these is a day or a time as it is written, 20260102 or
# 20260102030405; nobody's clock counts seconds there.
_DAYS = (18000101, 22001231)
_TIMES = (18000101000000, 22001231235959)

# A time in year 1 or 9999 can leave the calendar when it is moved to another time zone.
_YEARS = (2, 9998)


def parse_date(value: Any) -> datetime:
    """Read a date or a time; a time without a zone is UTC.

    ISO 8601 (``2026-01-02``, ``20260102``, ``2026-01-02T03:04:05Z``), RFC 2822 (``Fri, 02 Jan 2026
    03:04:05 +0100``), and numbers: ``20260102``, or seconds, milliseconds, microseconds or
    nanoseconds since 1970, told apart by their size.

    >>> parse_date("Fri, 02 Jan 2026 03:04:05 +0100").isoformat()
    '2026-01-02T03:04:05+01:00'
    >>> parse_date(1767323045123).isoformat()
    '2026-01-02T03:04:05.123000+00:00'

    Raise ``ValueError`` if it is none of these.
    """
    try:
        found = _from_text(value) if isinstance(value, str) else _from_value(value)
    except (ValueError, TypeError, OverflowError, IndexError):
        found = None
    if found is None or not _YEARS[0] <= found.year <= _YEARS[1]:
        shown = repr(value[:70]) if isinstance(value, str) else reprlib.repr(value)
        msg = f"no date: {shown:.80}"
        raise ValueError(msg)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _from_value(value: Any) -> datetime | None:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_number(value)
    return None


def _from_number(number: float) -> datetime:
    for (low, high), form in ((_DAYS, "%Y%m%d"), (_TIMES, "%Y%m%d%H%M%S")):
        if low <= number <= high:
            with suppress(ValueError):  # 20269999 is no day, so it counts seconds
                return datetime.strptime(str(int(number)), form).replace(tzinfo=UTC)
    size = abs(number)
    if size < 1e11:  # noqa: PLR2004 - seconds until the year 5138
        return _EPOCH + timedelta(seconds=number)
    if size < 1e14:  # noqa: PLR2004 - the same in milliseconds
        return _EPOCH + timedelta(milliseconds=number)
    if size < 1e17:  # noqa: PLR2004 - microseconds, and beyond them nanoseconds
        return _EPOCH + timedelta(microseconds=number)
    return _EPOCH + timedelta(microseconds=int(number) // 1000)


def _from_text(text: str) -> datetime | None:
    if len(text) > _LONGEST:
        return None
    if not text[:9].isdigit():  # the standard library reads some 13 digits as the year 1712
        try:  # cheaper than `suppress`, and here it counts
            return datetime.fromisoformat(text)
        except ValueError:
            pass
    text = text.strip()
    if _NUMBER.fullmatch(text):
        return _from_number(float(text) if "." in text else int(text))
    with suppress(ValueError):
        return datetime.fromisoformat(_ZONE.sub(r"\1", _SLASHES.sub(r"\1-\2-\3", text)))

    from email.utils import parsedate_to_datetime

    return parsedate_to_datetime(text)

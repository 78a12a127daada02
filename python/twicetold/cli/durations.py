"""Stretches of time as people write them: ``7d``, ``12h``, ``1d12h``."""

from __future__ import annotations

import re
from datetime import timedelta

import click

from twicetold.errors import ParameterError

__all__ = ["duration", "parse_duration"]

_UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
_PATTERN = re.compile(
    "".join(rf"(?:(?P<{unit}>[0-9]{{1,12}}){letter})?" for letter, unit in _UNITS.items())
)
#: The kernel counts microseconds in 64 bits.
_LONGEST = timedelta(days=100_000_000)


def parse_duration(text: str, /) -> timedelta:
    """Read numbers with units, the largest unit first.

    >>> parse_duration("1d12h")
    datetime.timedelta(days=1, seconds=43200)
    """
    match = _PATTERN.fullmatch(text.strip()) if text.strip() else None
    if match is None:
        msg = (
            f"a duration is numbers with the units w, d, h, m, s, the largest first, "
            f"such as 7d, 12h, 90m or 1d12h, got {text!r}"
        )
        raise ParameterError(msg)
    try:
        length = timedelta(**{unit: int(n) for unit, n in match.groupdict("0").items()})
    except OverflowError:
        length = timedelta.max
    if length > _LONGEST:
        msg = f"a duration is at most {_LONGEST.days} days, got {text!r}; leave it out for no limit"
        raise ParameterError(msg)
    return length


def duration(ctx: click.Context, param: click.Parameter, value: str | None) -> timedelta | None:
    """Read the value of an option; to be its callback."""
    try:
        return None if value is None else parse_duration(value)
    except ParameterError as error:
        raise click.BadParameter(str(error), ctx, param) from error

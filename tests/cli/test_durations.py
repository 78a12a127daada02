"""The grammar of ``--window``."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.cli.durations import parse_duration
from twicetold.errors import ParameterError

GOOD = {
    "30s": timedelta(seconds=30),
    "90m": timedelta(minutes=90),
    "12h": timedelta(hours=12),
    "7d": timedelta(days=7),
    "2w": timedelta(weeks=2),
    "1d12h": timedelta(days=1, hours=12),
    "1w2d3h4m5s": timedelta(weeks=1, days=2, hours=3, minutes=4, seconds=5),
    "0s": timedelta(0),
    "007d": timedelta(days=7),
    " 7d ": timedelta(days=7),
    "100000000d": timedelta(days=100_000_000),
}
BAD = [
    "",
    " ",
    "7",
    "d",
    "7 d",
    "7D",
    "-7d",
    "+7d",
    "1.5d",
    "1h1d",
    "1d1d",
    "7days",
    "P7D",
    "7d,",
    "٧d",
    "1y",
    "inf",
]


@pytest.mark.parametrize(("text", "wanted"), GOOD.items())
def test_numbers_with_units_are_a_duration(text: str, wanted: timedelta) -> None:
    assert parse_duration(text) == wanted


@pytest.mark.parametrize("text", BAD)
def test_anything_else_is_refused_with_examples(text: str) -> None:
    with pytest.raises(ParameterError, match="such as 7d, 12h, 90m or 1d12h") as caught:
        parse_duration(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["100000001d", "999999999999w", "999999999999d1h"])
def test_what_the_kernel_cannot_count_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="at most 100000000 days"):
        parse_duration(text)


@given(st.text(alphabet="0123456789wdhms -.", max_size=12))
def test_any_text_is_a_duration_or_refused(text: str) -> None:
    try:
        duration = parse_duration(text)
    except ParameterError:
        return
    assert timedelta(0) <= duration <= timedelta(days=100_000_000)

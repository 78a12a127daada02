"""Which pairs are told: those inside the window, and above the threshold or the floor."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.running import DAY, NOON, PLAIN, document, run
from twicetold.detectors.codet import CoDet
from twicetold.pairs import Pairs
from twicetold.records import Document
from twicetold.statistics import Statistics


def on(name: str, day: float | None, text: str = "ant bee cat") -> Document:
    return document(name, text, published=None if day is None else NOON + day * DAY)


def ids(pairs: Pairs) -> list[tuple[str, str]]:
    return [(pair.left, pair.right) for pair in pairs]


WINDOWS: list[tuple[str, dict[str, float | None], int | None, list[tuple[str, str]]]] = [
    ("no window", {"a": 0, "b": 99}, None, [("a", "b")]),
    ("on the border", {"a": 0, "b": 7}, 7, [("a", "b")]),
    ("outside", {"a": 0, "b": 7.00001}, 7, []),
    ("the earlier is left", {"a": 5, "b": 0}, 7, [("b", "a")]),
    ("at the same time", {"b": 0, "a": 0}, 0, [("a", "b")]),
    ("undated is near to any", {"a": 0, "b": None, "c": 99}, 7, [("a", "b")]),
    ("undated comes last", {"b": None, "c": 0}, 7, [("b", "c")]),
    ("only undated", {"b": None, "a": None, "c": None}, 7, [("a", "b"), ("a", "c")]),
    ("a chain", {"a": 0, "b": 5, "c": 10}, 7, [("a", "b"), ("b", "c")]),
    ("a later copy starts anew", {"a": 0, "b": 5, "c": 20, "d": 22}, 7, [("a", "b"), ("c", "d")]),
]


@pytest.mark.parametrize(("days", "window", "expected"), [row[1:] for row in WINDOWS],
                         ids=[row[0] for row in WINDOWS])  # fmt: skip
def test_copies_inside_the_window_come_with_the_earliest(
    days: dict[str, float | None], window: int | None, expected: list[tuple[str, str]]
) -> None:
    documents = [on(name, day) for name, day in days.items()]
    limit = None if window is None else window * DAY
    assert ids(run(documents, window=limit)) == expected


def test_a_copy_outside_the_window_speaks_for_itself() -> None:
    documents = [on("a", 0), on("b", 10), on("c", 12, "ant bee cat\n\ndog elk")]
    assert ids(run(documents, window=5 * DAY)) == [("b", "c")]
    assert ids(run(documents, window=10 * DAY)) == [("a", "b"), ("b", "c")]
    assert ids(run(documents)) == [("a", "b"), ("a", "c")]


def test_a_copy_that_was_told_is_not_told_again_with_what_came_between() -> None:
    documents = [on("a", 0), on("b", 1, "ant bee cat\n\ndog elk"), on("c", 2)]
    assert ids(run(documents)) == [("a", "b"), ("a", "c")]
    assert ids(run(documents, all_pairs=True)) == [("a", "b"), ("a", "c"), ("b", "c")]


def test_times_of_all_zones_and_ages_are_compared() -> None:
    here = datetime(2026, 3, 1, 12, tzinfo=UTC)
    there = here.astimezone(tz=datetime.strptime("+0530", "%z").tzinfo)
    documents = [
        document("a", "ant bee", published=there),
        document("b", "ant bee", published=here + timedelta(microseconds=1)),
        document("old", "ant bee", published=datetime.min.replace(tzinfo=UTC)),
        document("new", "ant bee", published=datetime.max.replace(tzinfo=UTC)),
    ]
    assert ids(run(documents, window=timedelta(microseconds=1))) == [("a", "b")]
    assert ids(run(documents, window=timedelta(0))) == []
    assert ids(run(documents, window=timedelta.max)) == [("old", n) for n in ("a", "b", "new")]


def test_pairs_that_reach_the_floor_are_told_as_overlaps() -> None:
    # Half of the weight of "a" is shared: 1 + 2 of 1 + 2 + 3, all words equally rare.
    documents = [document("a", "one two three"), document("b", "one two four five six seven")]
    detector = CoDet(word_sorting=False, threshold=0.8)
    job: dict[str, Any] = {"statistics": Statistics.from_terms(PLAIN, 3, {})}
    found = {
        floor: [
            (pair.relation, pair.score) for pair in run(documents, detector, floor=floor, **job)
        ]
        for floor in (None, 0.6, 0.5 + 1e-9, 0.5, 0.4, 0.0)
    }
    told = [("overlap", 0.5)]
    assert found == {None: [], 0.6: [], 0.5 + 1e-9: [], 0.5: told, 0.4: told, 0.0: told}

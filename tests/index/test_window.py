"""Which documents a window keeps: the clock, the horizon, and documents without a date."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.index.making import DAY, NEWS, story
from twicetold import Document, Statistics, scan
from twicetold.counting import build_statistics
from twicetold.errors import ParameterError
from twicetold.index import Index

WINDOW = 30 * DAY


@pytest.fixture(scope="module")
def statistics() -> Statistics:
    return build_statistics(map(story, range(60)), method="codet")


def kept(index: Index) -> set[str]:
    return {document.id for document in index.documents()}


@pytest.mark.parametrize("first", [story(0), story(0, 365 * 90)], ids=["undated", "of 2114"])
def test_the_first_document_sets_no_clock_if_it_has_no_date(
    first: Document, statistics: Statistics, tmp_path: Path
) -> None:
    documents = [first, *(story(n, n) for n in range(1, 30))]
    with Index.create(
        tmp_path / "index", method="codet", statistics=statistics, window=WINDOW
    ) as index:
        told = list(index.add_all(documents, all_pairs=True))
        assert {added.status for added in told} == {"added"}
        assert len(index) == 30
        found = {(pair.left, pair.right) for added in told for pair in added.pairs}
    scanned = scan(documents, method="codet", statistics=statistics, window=WINDOW, all_pairs=True)
    assert found == {(pair.left, pair.right) for pair in scanned}


def test_what_is_kept_does_not_depend_on_the_order(statistics: Statistics, tmp_path: Path) -> None:
    """All without a date, and of the others those in the window of the latest."""
    documents = [story(n, None if n % 5 == 0 else 3 * n) for n in range(24)]
    wanted = {f"d{n}" for n in range(24) if n % 5 == 0 or 3 * n >= 3 * 23 - 30}
    chance = random.Random(4)
    for n, batch in enumerate((1, 2000, 10**9)):
        chance.shuffle(documents)
        with Index.create(
            tmp_path / str(n), method="codet", statistics=statistics, window=WINDOW
        ) as index:
            list(index.add_all(documents, batch=batch))
            assert kept(index) == wanted
            assert index.check() == []


@pytest.mark.parametrize("window", [None, WINDOW])
def test_an_undated_document_is_kept_after_others_expired(
    window: timedelta | None, tmp_path: Path
) -> None:
    with Index.create(tmp_path / "index", method="codet", window=window) as index:
        index.add(story(0, 0))
        assert index.expire(datetime.now(UTC) - DAY) == 1
        assert index.add(story(1)).status == "added"
        assert index.add(story(2, 700)).status == "expired"
        assert kept(index) == {"d1"}


def test_to_let_go_of_what_is_to_come_is_refused(tmp_path: Path) -> None:
    with Index.create(tmp_path / "index", method="codet") as index:
        index.add(story(0, 0))
        with pytest.raises(ParameterError, match="before must be no later than now, got 2099-01-0"):
            index.expire(datetime(2099, 1, 1, tzinfo=UTC))
        assert len(index) == 1
        assert index.horizon is None


def test_info_tells_clock_and_horizon(tmp_path: Path) -> None:
    with Index.create(tmp_path / "index", method="codet", window=WINDOW) as index:
        index.add(story(0))
        assert (index.info().clock, index.info().horizon) == (None, None)
        index.add(story(1, 40))
        assert index.info().clock == (NEWS + 40 * DAY).isoformat()
        assert index.info().horizon == (NEWS + 10 * DAY).isoformat()
        assert index.horizon == NEWS + 10 * DAY


@pytest.mark.parametrize("batch", [1, 10**9])
def test_what_expired_is_not_answered_again(
    batch: int, statistics: Statistics, tmp_path: Path
) -> None:
    """Its pairs were told when it came first, and it is not known any more."""
    documents = [story(0, 0), story(1, 19), story(2, 35)]
    with Index.create(
        tmp_path / "index", method="codet", statistics=statistics, window=WINDOW
    ) as index:
        first = list(index.add_all(documents, batch=batch))
        assert [len(added.pairs) for added in first] == [0, 1, 1]
        for _ in range(2):
            again = list(index.add_all(documents, on_duplicate="skip", batch=batch))
            assert [added.status for added in again] == ["expired", "skipped", "skipped"]
            assert [added.pairs for added in again] == [(), (), ()]
        assert kept(index) == {"d1", "d2"}


def test_what_expires_in_its_own_commit_is_acknowledged_so(tmp_path: Path) -> None:
    with Index.create(tmp_path / "index", method="codet", window=WINDOW) as index:
        told = list(index.add_all([story(0, 0), story(1, 1), story(2, 35)]))
        assert [added.status for added in told] == ["expired", "expired", "added"]
        assert [len(added.pairs) for added in told] == [0, 1, 0]
        assert kept(index) == {"d2"}


def test_a_new_version_that_is_too_old_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    with Index.create(tmp_path / "index", method="codet", window=WINDOW) as index:
        list(index.add_all([story(0, 30), story(1, 40)]))
        late = replace(story(0, 1), text="Another text.")
        assert index.add(late, on_duplicate="replace").status == "expired"
        assert kept(index) == {"d1"}
        assert index.check() == []


@pytest.mark.parametrize("batch", [1, 10**9])
def test_what_expired_in_the_same_commit_stands_for_no_copy(
    batch: int, statistics: Statistics, tmp_path: Path
) -> None:
    """Of equal documents the earliest is told that is still there when another one comes."""
    days = {"a": 1, "b": 20, "other": 36, "late": 25}
    documents = [
        replace(story(30 if name == "other" else 0, day), id=name) for name, day in days.items()
    ]
    with Index.create(
        tmp_path / "index", method="codet", statistics=statistics, window=WINDOW
    ) as index:
        told = list(index.add_all(documents, batch=batch))
        found = [(pair.left, pair.right) for added in told for pair in added.pairs]
    assert [added.id for added in told] == list(days)
    assert found == [("a", "b"), ("b", "late")]

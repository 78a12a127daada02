"""A year passes: an index with a window holds its window, on disk as in its answers."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.index.making import DAY, KILLS, small_files, story
from tests.index.model import Model, row
from twicetold import Document
from twicetold.counting import build_statistics
from twicetold.index import Index

WINDOW = 30 * DAY
#: Documents of a day; `make torture` has more of them.
A_DAY = 2 if KILLS < 50 else 20


def arrivals(day: int, chance: random.Random) -> list[Document]:
    """Return what comes on a day: stories of the day, now and then late ones, some far too late."""
    new = [story(day * A_DAY + n, day + n / A_DAY) for n in range(A_DAY)]
    if day % 4 == 3:
        behind = chance.uniform(0, 45)
        late = story(max(int((day - behind) * A_DAY), 0), max(day - behind, 0.0))
        new.append(replace(late, id=f"late{day}"))
    return new


def size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def test_a_year_of_days(tmp_path: Path) -> None:
    path = tmp_path / "index"
    statistics = build_statistics(map(story, range(60)), method="codet")
    index = Index.create(path, method="codet", statistics=statistics, window=WINDOW)
    model = Model(WINDOW)
    chance = random.Random(30)
    sizes: list[int] = []
    came: set[str] = set()
    late = {"added": 0, "expired": 0}
    with small_files():
        for day in range(365):
            for new in arrivals(day, chance):
                came.add(new.id)
                added = index.add(new, all_pairs=True)
                model.add(new)
                assert (added.status == "expired") == (new.id not in model.documents)
                # At once: nothing that expired is in an answer.
                others = {pair.left for pair in added.pairs} | {p.right for p in added.pairs}
                assert others <= {*model.documents, new.id}
                if new.id.startswith("late"):
                    late[added.status] += 1
            assert {one.id for one in index.documents()} == set(model.documents)
            if day % 30 == 29:
                expected = model.pairs("codet", statistics, all_pairs=True)
                assert sorted(map(row, index.pairs(all_pairs=True))) == expected
                assert expected
                index.close()
                sizes.append(size(path))
                index = Index.open(path, write=True)
                held = sum(segment.n_documents for segment in index._core.parts.segments.values())
                # Soon: segments hold the window and at most two buckets of time more.
                assert held <= (WINDOW + 2 * WINDOW / 8) / DAY * (A_DAY + 0.3)
    assert index.check() == []
    index.close()
    assert late["added"] > 10 < late["expired"]
    assert len(came) > 10 * len(model.documents)
    # The second month is the first with a full window; what comes later takes no more room.
    assert max(sizes[2:]) <= 1.2 * sizes[1], sizes


def test_an_old_index_that_is_opened_again_lets_go_by_our_clock(tmp_path: Path) -> None:
    """Nothing came for long: `expire` without a date takes the window from now."""
    path = tmp_path / "index"
    with Index.create(path, method="codet", window=WINDOW) as index:
        index.add(story(0, 0))
        index.add(story(1, 3))
        assert len(index) == 2
        assert index.expire() == 2
        assert len(index) == 0
        assert index.search(story(2)) == []
        assert index.check() == []


def test_one_date_in_the_future_makes_nothing_expire(tmp_path: Path) -> None:
    with Index.create(tmp_path / "index", method="codet", window=WINDOW) as index:
        index.add(story(0))
        index.add(story(1, 365 * 50))
        assert {pair.left for pair in index.add(story(2)).pairs} == {"d0", "d1"}
        assert len(index) == 3


def test_a_date_of_another_century_moves_no_clock(tmp_path: Path) -> None:
    """Where older documents are read in they stay, and go when their own time has passed."""
    wrong = [
        replace(story(n), published=datetime.now(UTC) + timedelta(days=36_500 + n)) for n in (1, 2)
    ]
    with Index.create(tmp_path / "index", method="codet", window=WINDOW) as index:
        index.add(story(0, 0))
        assert index.add(wrong[0]).pairs == ()
        # Which pairs there are is decided by the dates as they are given, as in a scan.
        assert [pair.left for pair in index.add(wrong[1]).pairs] == ["d1"]
        assert len(index) == 3
        index.add(story(3, 31))
        assert [document.id for document in index.documents()] == ["d1", "d2", "d3"]
        assert index.check() == []


def test_a_clock_that_is_ahead_by_hours_moves_ours_to_now(tmp_path: Path) -> None:
    """Times in another zone than they say are dates all the same: what is old goes by them."""
    soon = replace(story(1), published=datetime.now(UTC) + timedelta(hours=5))
    with Index.create(tmp_path / "index", method="codet", window=WINDOW) as index:
        index.add(story(0, 0))
        index.add(soon)
        assert [document.id for document in index.documents()] == ["d1"]

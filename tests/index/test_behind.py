"""Large merges go on while documents come; nobody sees a difference."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.index.making import small_files, stories, story
from twicetold import scan
from twicetold.errors import IndexWriteError
from twicetold.index import Index
from twicetold.index.behind import Merge
from twicetold.index.database import SegmentRow

N = 60


@pytest.fixture(autouse=True)
def _behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Merge behind whatever the size; segments are files."""
    monkeypatch.setattr("twicetold.index.writing.BEHIND", 0)
    with small_files(500):
        yield


def grown(path: Path) -> Index:
    index = Index.create(path, method="retelling", sample=list(stories()))
    told = list(index.add_all(stories(), batch=400))
    assert [added.id for added in told] == [f"d{n}" for n in range(N)]
    return index


def rows(index: Index) -> list[tuple[int, ...]]:
    return [row[:5] for row in index._core.parts.rows.values()]


def files(index: Index) -> list[str]:
    return sorted(file.name for file in (index.path / "segments").iterdir())


def test_it_holds_what_a_scan_finds_and_the_same_segments_each_time(tmp_path: Path) -> None:
    with grown(tmp_path / "one") as one, grown(tmp_path / "other") as other:
        statistics = one.statistics
        expected = scan(list(stories()), method="retelling", statistics=statistics, passages=True)
        assert sorted(map(repr, one.pairs())) == sorted(map(repr, expected))
        assert rows(one) == rows(other)
        assert len(rows(one)) < N / 8  # merged, and merged again
        assert files(one) == [f"{row[0]:08}.seg" for row in rows(one)]
        assert one.check() == []


def test_who_stops_leaves_no_remains(tmp_path: Path) -> None:
    with Index.create(tmp_path / "index", method="codet", sample=list(stories())) as index:
        told = index.add_all(stories(), batch=400)
        kept = [next(told).id for _ in range(30)]
        while index._write()._behind is None:
            kept.append(next(told).id)
        told.close()  # type: ignore[attr-defined]
        assert index._write()._behind is None
        assert set(kept) <= {document.id for document in index.documents()}
        assert files(index) == [f"{row[0]:08}.seg" for row in rows(index)]
        assert index.check() == []


def test_a_replaced_document_is_gone_from_what_is_merged_meanwhile(tmp_path: Path) -> None:
    with Index.create(tmp_path / "index", method="codet", sample=list(stories())) as index:
        again = (story(n % 20) for n in range(N))
        assert len(list(index.add_all(again, batch=400, on_duplicate="replace"))) == N
        expected = scan([story(n) for n in range(20)], method="codet", statistics=index.statistics)
        assert sorted(map(repr, index.pairs())) == sorted(map(repr, expected))
        assert index.check() == []


def test_a_merge_that_fails_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: Any) -> None:
        msg = "no room"
        raise IndexWriteError(msg)

    monkeypatch.setattr("twicetold.index.writing.Writer._merging", lambda *_: fails)
    with Index.create(tmp_path / "index", method="codet", sample=list(stories())) as index:
        assert len(list(index.add_all(stories(), batch=2000))) == N
        assert len(index) == N
        assert index.check() == []
    assert "segments are not merged now: no room" in caplog.text


def test_documents_are_removed_while_a_merge_goes_on(tmp_path: Path) -> None:
    with Index.create(tmp_path / "index", method="codet", sample=list(stories())) as index:
        told, there, gone = index.add_all(stories(), batch=400), list[str](), list[str]()
        for added in told:
            there.append(added.id)
            # One of those that are merged meanwhile, and one that came last.
            if index._write()._behind is not None and len(gone) < 12:
                gone += index.remove(there.pop(0), there.pop())
        assert len(gone) >= 4
        assert {document.id for document in index.documents()} == set(there)
        left = [document for document in stories() if document.id in there]
        expected = scan(left, method="codet", statistics=index.statistics)
        assert sorted(map(repr, index.pairs())) == sorted(map(repr, expected))
        assert index.check() == []


def test_an_interrupted_wait_still_stops_the_merge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: Merge) -> None:
        raise KeyboardInterrupt

    stopped: list[Merge] = []
    stop = Merge.stop

    def seen(merge: Merge) -> list[SegmentRow]:
        stopped.append(merge)
        return stop(merge)

    monkeypatch.setattr(Merge, "rows", interrupted)
    monkeypatch.setattr(Merge, "stop", seen)
    with Index.create(tmp_path / "index", method="codet", sample=list(stories())) as index:
        with pytest.raises(KeyboardInterrupt):
            list(index.add_all(stories(), batch=400))
        assert len(stopped) == 1
        assert files(index) == [f"{row[0]:08}.seg" for row in rows(index)]
        assert index.check() == []

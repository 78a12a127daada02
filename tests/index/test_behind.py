"""Large merges go on while documents come; nobody sees a difference."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.index.making import DAY, small_files, stories, story
from twicetold import scan
from twicetold.errors import DocumentError, IndexWriteError
from twicetold.index import Index
from twicetold.index.behind import Merge
from twicetold.index.database import SegmentRow
from twicetold.index.writing import Writer

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
        told = index.iter_add(stories(), batch=400)
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
        told, there, gone = index.iter_add(stories(), batch=400), list[str](), list[str]()
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


# Documents that come one by one


class Gate:
    """Lets merges go on behind, and no other, once it is opened."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.open = threading.Event()
        self.begun = 0
        merging = Writer._merging

        def held(writer: Writer, *given: Any) -> Callable[..., list[SegmentRow]]:
            work = merging(writer, *given)

            def waits(*how: Any) -> list[SegmentRow]:
                assert threading.current_thread().name == "twicetold-merge"
                self.begun += 1
                assert self.open.wait(30)
                return work(*how)

            return waits

        patch.setattr(Writer, "_merging", held)
        patch.setattr("twicetold.index.writing.AT_ONCE", 0)


def wait(index: Index) -> None:
    """Wait until the merge behind is done; it is not named yet."""
    behind = index._write()._behind
    assert behind is not None
    behind.rows()


def test_a_small_add_does_not_wait_for_a_merge_24(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "index"
    with Index.create(path, method="codet", sample=list(stories())) as index:
        gate = Gate(monkeypatch)
        names: list[set[int]] = []
        for document in list(stories())[:12]:
            assert index.add(document).status == "added"
            names.append(set(index._core.parts.rows))
            with pytest.raises(DocumentError):
                index.add(document)  # who is refused stops nobody
        # Nothing is merged as long as the gate is shut, and everything is found.
        assert names[-1] == set().union(*names)
        assert len(names[-1]) == 12
        with Index.open(path) as reader:
            assert [len(reader.search(story(n), all_pairs=True)) for n in (0, 3, 12)] == [2, 2, 0]
        gate.open.set()
        wait(index)
        assert gate.begun == 1
        assert set(index._core.parts.rows) == names[-1]
        index.add(story(12))
        assert not names[3] & set(index._core.parts.rows)  # named by the commit behind it
        assert index.check() == []
    with Index.open(path) as reader:
        assert len(reader) == 13
        assert reader.check() == []


def test_the_first_small_add_after_many_merges_behind_24(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many documents leave more segments than are merged at once where few come."""
    monkeypatch.setattr("twicetold.index.merging._IN_BULK", 0)
    monkeypatch.setattr("twicetold.index.writing.BEHIND", 1 << 20)
    with Index.create(tmp_path / "index", method="codet", sample=list(stories())) as index:
        list(index.add_all(stories(36), batch=500))
        before = set(index._core.parts.rows)
        assert len(before) > 4
        gate = Gate(monkeypatch)
        index.add(story(36))
        assert before < set(index._core.parts.rows)
        assert index._write()._behind is not None
        gate.open.set()
        wait(index)
        index.add(story(37))
        assert not before < set(index._core.parts.rows)
        assert index.check() == []


def test_closing_waits_for_a_merge_and_an_error_stops_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "index"
    with Index.create(path, method="codet", sample=list(stories())) as index:
        gate = Gate(monkeypatch)
        for number in range(4):
            index.add(story(number))
        assert len(rows(index)) == 4
        threading.Timer(0.05, gate.open.set).start()
    with Index.open(path, write=True) as index:
        assert len(rows(index)) == 1
        assert files(index) == [f"{row[0]:08}.seg" for row in rows(index)]
        for number in range(4, 8):
            index.add(story(number))
    gate.open.clear()
    stopped: list[Merge] = []
    stop = Merge.stop

    def seen(merge: Merge) -> list[SegmentRow]:
        stopped.append(merge)
        gate.open.set()
        return stop(merge)

    monkeypatch.setattr(Merge, "stop", seen)

    def fails() -> None:
        with Index.open(path, write=True) as index:
            for number in range(8, 20):
                index.add(story(number))
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert len(stopped) == 1
    with Index.open(path, write=True) as index:
        assert len(index) == 20
        assert files(index) == [f"{row[0]:08}.seg" for row in rows(index)]
        assert index.check() == []


def test_what_is_merged_expires_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "index"
    with Index.create(path, method="codet", sample=list(stories()), window=30 * DAY) as index:
        gate = Gate(monkeypatch)
        for number in range(6):
            index.add(story(number, number / 10))
        assert index._write()._behind is not None
        index.add(story(60, 200))
        assert len(index) == 1
        gate.open.set()
        wait(index)
        index.add(story(61, 200))
        assert [document.id for document in index.documents()] == ["d60", "d61"]
        assert all(row.latest > 0 for row in index._core.parts.rows.values())
        assert len(rows(index)) == 2
        assert files(index) == [f"{row[0]:08}.seg" for row in rows(index)]
        assert index.check() == []


def test_a_document_is_replaced_while_it_is_merged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Index.create(tmp_path / "index", method="codet", sample=list(stories())) as index:
        gate = Gate(monkeypatch)
        for number in range(5):
            index.add(story(number))
        assert index._write()._behind is not None
        assert index.add(story(0), on_duplicate="replace").status == "replaced"
        assert index._write()._behind is not None
        gate.open.set()
        wait(index)
        index.add(story(5))
        expected = scan([story(n) for n in range(6)], method="codet", statistics=index.statistics)
        assert sorted(map(repr, index.pairs())) == sorted(map(repr, expected))
        assert index.check() == []

"""Many documents at once: what goes on at the same time makes no difference."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.index.making import small_files, stories
from twicetold import _kernel, scan
from twicetold.analysis import Analyser
from twicetold.errors import IndexWriteError
from twicetold.index import Index
from twicetold.index.behind import Task, Worker
from twicetold.index.connection import Connection
from twicetold.index.database import SegmentRow
from twicetold.index.merging import LARGEST, to_merge

N = 60


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever is little counts as much: segments are files, which another thread writes."""
    monkeypatch.setattr("twicetold.index.core._LITTLE", 0)
    with small_files(500):
        yield


def segment(name: int, size: int) -> SegmentRow:
    return SegmentRow(name, 0, 1, size, 0, None)


def files(index: Index) -> list[str]:
    return sorted(file.name for file in (index.path / "segments").iterdir())


@pytest.mark.parametrize(
    ("size", "many", "few"),
    [(1000, 4, 4), (20 << 20, 16, 4), (LARGEST // 15, 4, 4)],
    ids=["small", "middle", "large"],
)
def test_in_bulk_what_is_neither_small_nor_large_waits_for_two_tiers(
    size: int, many: int, few: int
) -> None:
    for in_bulk, wanted in ((True, many), (False, few)):
        rows = [segment(n, size) for n in range(wanted)]
        assert to_merge(rows, in_bulk=in_bulk) == list(range(wanted))
        assert to_merge(rows[1:], in_bulk=in_bulk) == []


def test_it_holds_what_a_scan_finds(tmp_path: Path) -> None:
    with Index.create(tmp_path / "index", method="retelling", sample=list(stories())) as index:
        told = list(index.add_all(stories(), batch=400))
        expected = scan(list(stories()), statistics=index.statistics, passages=True)
        assert sorted(map(repr, index.pairs())) == sorted(map(repr, expected))
        assert sorted(repr(pair) for added in told for pair in added.pairs) == sorted(
            map(repr, expected)
        )
        assert index.check() == []


def test_words_that_are_forgotten_make_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewed: list[int] = []
    renew = Analyser.renewed

    def noted(self: Analyser, analysed: _kernel.Analysed) -> Analyser:
        renewed.append(analysed.n_documents)
        return renew(self, analysed)

    monkeypatch.setattr(Analyser, "renewed", noted)
    monkeypatch.setattr("twicetold.index.core._FEW", 0)
    monkeypatch.setattr("twicetold.index.core._REMEMBERED", 1000)
    with Index.create(tmp_path / "index", sample=list(stories())) as index:
        list(index.add_all(stories(), batch=400))
        assert 0 < len(renewed) < N
        expected = scan(list(stories()), statistics=index.statistics, passages=True)
        assert sorted(map(repr, index.pairs())) == sorted(map(repr, expected))


def test_passages_are_made_only_for_who_holds_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tells: list[int] = []

    def counted(self: Any, *given: Any) -> Any:
        tells.append(1)
        return tell(self, *given)

    from twicetold.engines.local import Run

    tell = Run._tell
    monkeypatch.setattr(Run, "_tell", counted)
    with Index.create(tmp_path / "index", sample=list(stories())) as index:
        for added in index.iter_add(stories(), batch=400):
            assert len(added.pairs) >= 0
            del added
        assert tells == []
    with Index.create(tmp_path / "other", sample=list(stories())) as index:
        held = list(index.add_all(stories(), batch=400))
        assert tells
        pairs = [pair for added in held for pair in added.pairs]
    assert pairs
    assert all(pair.passages for pair in pairs)


@pytest.mark.parametrize("what", ["sync", "_kernel.build_segment"])
def test_a_segment_that_cannot_be_written_undoes_its_commit_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    calls: list[str] = []

    def fails(*given: Any, **options: Any) -> Any:
        calls.append(threading.current_thread().name)
        if len(calls) == 4:
            msg = "no room"
            raise IndexWriteError(msg)
        return work(*given, **options)

    import twicetold.index.writing as module

    owner, name = (module, what) if "." not in what else (_kernel, what.split(".")[1])
    work = getattr(owner, name)
    with Index.create(tmp_path / "index", method="codet", sample=list(stories())) as index:
        monkeypatch.setattr(owner, name, fails)
        kept: list[str] = []
        with pytest.raises(IndexWriteError, match="no room"):
            kept.extend(added.id for added in index.iter_add(stories(), batch=400))
        assert set(calls) == {"twicetold-segment"}
        monkeypatch.undo()
        assert [document.id for document in index.documents()] == kept
        assert files(index) == [f"{name:08}.seg" for name in index._core.parts.rows]
        assert index.check() == []
        list(index.add_all(stories(), on_duplicate="skip"))
        expected = scan(list(stories()), method="codet", statistics=index.statistics)
        assert sorted(map(repr, index.pairs())) == sorted(map(repr, expected))


def test_a_search_that_fails_waits_for_the_segment_and_removes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with Index.create(tmp_path / "index", method="codet", sample=list(stories())) as index:
        monkeypatch.setattr("twicetold.index.core.Core.related", interrupted)
        with pytest.raises(KeyboardInterrupt):
            list(index.add_all(stories(), batch=400))
        assert (len(index), files(index), index.check()) == (0, [], [])


def test_a_task_tells_what_came_of_it_and_raises_what_went_wrong() -> None:
    worker = Worker("test")
    for who in (worker, None):
        assert Task(lambda: 7, who).result() == 7
        failed: Task[float] = Task(lambda: 1 / 0, who)
        assert failed.wait() == []
        with pytest.raises(ZeroDivisionError):
            failed.result()
    worker.end()


def test_the_log_is_copied_behind_and_begins_anew_where_it_is_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[tuple[str, int]] = []
    copy = Connection.copied

    def noted(self: Connection) -> int:
        copied.append((threading.current_thread().name, copy(self)))
        return copied[-1][1]

    monkeypatch.setattr(Connection, "copied", noted)
    monkeypatch.setattr("twicetold.index.log._MANY", 1)
    path = tmp_path / "index"
    with Index.create(path, method="codet", sample=list(stories())) as index:
        list(index.add_all(stories(), batch=400))
        kept = len(list(index.documents()))
        pages = [pages for _, pages in copied]
        assert {name for name, _ in copied} == {"twicetold-segment"}
        assert len(pages) > 5
        # Each commit writes some; all together would be many.
        assert max(pages) < 50 < sum(pages)
        # Who changes little afterwards has nobody who does it behind.
        assert index._core.database._value("PRAGMA wal_autocheckpoint") == 1000
        assert index.check() == []
    assert not list(path.glob("*-wal"))
    with Index.open(path) as index:
        assert len(list(index.documents())) == kept


def test_a_log_that_cannot_be_copied_is_safe_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: Connection) -> int:
        msg = "no room"
        raise IndexWriteError(msg)

    with Index.create(tmp_path / "index", method="codet", sample=list(stories())) as index:
        monkeypatch.setattr(Connection, "copied", fails)
        told = list(index.add_all(stories(), batch=400))
        assert index.check() == []
    with Index.open(tmp_path / "index") as index:
        assert [document.id for document in index.documents()] == [added.id for added in told]


class Interrupted:
    """A connection of SQLite, with somebody who interrupts just behind a commit."""

    def __init__(self, connection: Any) -> None:
        self._own = connection
        self.left = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def execute(self, statement: str, *given: Any) -> Any:
        found = self._own.execute(statement, *given)
        if statement == "COMMIT":
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt
        return found


@pytest.mark.parametrize("commits", [1, 2, 5])
def test_who_interrupts_behind_a_commit_loses_nothing(tmp_path: Path, commits: int) -> None:
    with Index.create(tmp_path / "index", method="codet", sample=list(stories())) as index:
        index.add(next(iter(stories())))
        database = index._core.database
        database._connection = interrupted = Interrupted(database._connection)  # type: ignore[assignment]
        interrupted.left = commits
        with pytest.raises(KeyboardInterrupt):
            list(index.add_all(stories(), batch=400, on_duplicate="skip"))
        assert index.check() == []
        list(index.add_all(stories(), batch=400, on_duplicate="skip"))
        assert index.check() == []
        expected = scan(list(stories()), method="codet", statistics=index.statistics)
        assert sorted(map(repr, index.pairs())) == sorted(map(repr, expected))
        assert files(index) == [f"{name:08}.seg" for name in index._core.parts.rows]


def test_who_interrupts_twice_waits_for_what_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise rows would come behind what was undone, and be there without a segment."""
    waits: list[int] = []
    wait = Task.wait

    def interrupted(self: Task[Any]) -> list[Any]:
        waits.append(1)
        if len(waits) == 1:
            raise KeyboardInterrupt
        return wait(self)

    def first(*_: Any, **__: Any) -> None:
        monkeypatch.setattr(Task, "wait", interrupted)
        raise KeyboardInterrupt

    with Index.create(tmp_path / "index", method="codet", sample=list(stories())) as index:
        monkeypatch.setattr("twicetold.index.core.Core.related", first)
        with pytest.raises(KeyboardInterrupt):
            list(index.add_all(stories()))
        assert len(waits) > 1
        monkeypatch.undo()
        assert not list(index.documents())
        assert files(index) == []
        assert index.check() == []

"""A deadline ends work with `DeadlineError`, wherever it is, and is gone behind it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.running import document
from twicetold import _kernel
from twicetold.comparing import compare, comparing_methods
from twicetold.deadlines import check_deadline, checked, locked, within
from twicetold.errors import DeadlineError, KernelError, ParameterError
from twicetold.index import Index

SENTENCE = "The old dam above the mill broke on Monday night after a week of rain."
LEFT, RIGHT = document("a", *[SENTENCE] * 9), document("b", *[SENTENCE] * 7)

LINE = r"^not done within the deadline of 0(\.0)? seconds; give a longer one, or shorter documents$"


@pytest.mark.parametrize("method", comparing_methods())
def test_a_comparison_keeps_its_deadline(method: str) -> None:
    with pytest.raises(DeadlineError, match=LINE):
        compare(LEFT, RIGHT, method=method, deadline=0)
    found = compare(LEFT, RIGHT, method=method)
    assert compare(LEFT, RIGHT, method=method, deadline=3600) == found


def test_a_search_keeps_its_deadline_and_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    with Index.create(tmp_path / "index") as index:
        index.add(LEFT)
        found = index.search(RIGHT)
        assert [pair.relation for pair in found] == ["contains"]
        with pytest.raises(DeadlineError, match=LINE):
            index.search(RIGHT, deadline=0)
        assert index.search(RIGHT, deadline=3600) == found
        assert index.search(RIGHT) == found


def test_waiting_for_another_thread_counts() -> None:
    lock, held, done = threading.RLock(), threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            held.set()
            done.wait()

    other = threading.Thread(target=hold)
    other.start()
    held.wait()
    with pytest.raises(DeadlineError, match="another thread uses it"), locked(lock, 0):
        pass
    done.set()
    other.join()
    with locked(lock, 3600), locked(lock, None):
        check_deadline()


@pytest.mark.parametrize("deadline", [-1, float("nan"), "5", True])
def test_what_is_no_deadline_is_refused(deadline: float) -> None:
    with pytest.raises(ParameterError, match=r"^deadline must be a number of seconds, 0 or more, "):
        compare(LEFT, RIGHT, deadline=deadline)


def test_of_deadlines_inside_of_each_other_the_earliest_counts() -> None:
    with within(0):
        with within(3600), pytest.raises(DeadlineError):
            check_deadline()
        with within(float("inf")), pytest.raises(DeadlineError):
            check_deadline()
    with within(3600), within(None):
        check_deadline()
        with within(0), pytest.raises(DeadlineError):
            check_deadline()
        check_deadline()


def test_a_deadline_is_one_of_its_thread_and_ends_with_its_block() -> None:
    kept: list[BaseException] = []

    def work() -> None:
        try:
            list(checked(range(1000)))
        except DeadlineError as error:
            kept.append(error)

    with within(0):
        other = threading.Thread(target=work)
        other.start()
        other.join()
        assert kept == []
        with pytest.raises(DeadlineError):
            list(checked(range(1000)))
    list(checked(range(1000)))
    with pytest.raises(RuntimeError), within(0):
        raise RuntimeError
    check_deadline()


def test_the_kernel_stops_in_the_middle_of_its_work() -> None:
    with pytest.raises(DeadlineError), within(0.001):
        _kernel._sleep(60)
    # A defect stays a defect.
    with pytest.raises(KernelError), within(60):
        _kernel._panic()

"""`add_all` adds, `iter_add` adds while it is iterated, and neither keeps the index to itself."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.index.making import stories, story
from twicetold import Document, scan
from twicetold.counting import build_statistics
from twicetold.errors import DocumentError, ParameterError
from twicetold.index import Added, Index, Telling

#: Nothing here takes so long; a test that would hang ends.
LONG = 60.0
N = 60


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with Index.create(tmp_path / "index", method="codet", sample=list(stories(N))) as index:
        yield index


def in_a_thread(work: Callable[[], Any]) -> Any:
    """Do it in another thread, and return what it gave; one that waits for the index is told."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result(LONG)


def test_add_all_adds_though_nobody_iterates_24(index: Index) -> None:
    told = index.add_all(stories(N))
    assert isinstance(told, list)
    assert len(index) == len(told) == N
    assert {added.status for added in told} == {"added"}


def test_iter_add_adds_what_is_asked_for(index: Index) -> None:
    answers = index.iter_add(stories(N), batch=400)
    assert len(index) == 0
    first = next(answers)
    assert first.id == "d0"
    assert 0 < len(index) < N
    assert len(list(answers)) == N - 1
    assert len(index) == N


@pytest.mark.parametrize("given", [list, iter], ids=["a list", "an iterator"])
def test_others_use_the_index_while_who_asks_sleeps_24(index: Index, given: Any) -> None:
    answers = index.iter_add(given(list(stories(N))), batch=400)
    told = [next(answers)]
    # In the middle of a commit, and between two of them.
    for _ in range(8):
        assert in_a_thread(lambda: len(index)) >= len(told)
        found = in_a_thread(lambda: index.search(story(1, 0.1)))
        assert found[0].left == "d0"
        told.append(next(answers))
    told += answers
    assert [added.id for added in told] == [f"d{n}" for n in range(N)]
    expected = scan(list(stories(N)), statistics=index.statistics, method="codet")
    assert sorted(map(repr, index.pairs())) == sorted(map(repr, expected))


def test_who_gives_documents_slowly_keeps_nobody_waiting(index: Index) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def slowly() -> Iterator[Document]:
        for n, one in enumerate(stories(N)):
            if n == N // 2:
                asked.set()
                assert go_on.wait(LONG)
            yield one

    added: list[list[Added]] = []
    thread = threading.Thread(
        target=lambda: added.append(index.add_all(slowly(), batch=400)), daemon=True
    )
    thread.start()
    assert asked.wait(LONG)
    in_a_thread(lambda: len(index))
    in_a_thread(lambda: index.search(story(1, 0.1)))
    go_on.set()
    thread.join(LONG)
    assert len(added[0]) == len(index) == N


MEANWHILE: dict[str, Callable[[Index], object]] = {
    "add": lambda index: index.add(replace(story(100), id="new"), on_duplicate="replace"),
    "add the same": lambda index: [
        index.add(story(n, n / 10), on_duplicate="replace") for n in (N - 1, N - 2)
    ],
    "remove": lambda index: index.remove(*(f"d{n}" for n in range(N))),
    "rebuild": lambda index: index.rebuild(),
    "repair": lambda index: index.repair(),
    "add many": lambda index: index.add_all(
        [replace(story(n), id=f"n{n}") for n in range(50)], on_duplicate="skip"
    ),
}


@pytest.mark.parametrize("given", [list, iter], ids=["a list", "an iterator"])
@pytest.mark.parametrize("what", MEANWHILE)
def test_others_may_write_meanwhile(index: Index, what: str, given: Any) -> None:
    for _ in range(2):  # new, then in the place of those that are there
        answers = index.iter_add(given(list(stories(N))), batch=400, on_duplicate="replace")
        told = [next(answers) for _ in range(5)]
        in_a_thread(lambda: MEANWHILE[what](index))
        told += answers
        assert [added.id for added in told] == [f"d{n}" for n in range(N)]
        assert index.check() == []
    kept = list(index.documents())
    assert len(kept) == len(index)
    expected = scan(kept, statistics=index.statistics, method="codet")
    assert sorted(map(repr, index.pairs())) == sorted(map(repr, expected))


def test_an_id_that_came_meanwhile_is_told(index: Index) -> None:
    answers = index.iter_add(list(stories(N)), batch=400)
    next(answers)
    in_a_thread(lambda: index.add(story(N - 1)))
    with pytest.raises(DocumentError, match=f"id 'd{N - 1}' is in the index already"):
        list(answers)
    assert index.check() == []


def test_an_index_that_is_closed_meanwhile_says_so(index: Index) -> None:
    answers = index.iter_add(list(stories(N)), batch=400)
    next(answers)
    in_a_thread(index.close)
    with pytest.raises(ParameterError, match="this index is closed; open it again"):
        list(answers)
    with Index.open(index.path) as again:
        assert 0 < len(again) < N
        assert again.check() == []


def test_what_was_not_told_is_told_while_others_use_the_index(index: Index) -> None:
    index.add_all(stories(12), until_told=True)
    again = index.untold()
    first = next(again)
    assert first.is_again
    assert in_a_thread(lambda: len(index)) == 12
    assert [added.id for added in (first, *again)] == [f"d{n}" for n in range(12)]


def test_two_threads_that_add_are_both_done(index: Index) -> None:
    told: list[str] = []
    with Telling(index, lambda added: told.append(added.id)) as telling:
        answers = index.iter_add(list(stories(N)), batch=400, until_told=True)
        first = next(answers)
        in_a_thread(
            lambda: index.add_all(
                iter([replace(story(n), id=f"x{n}") for n in range(N)]), batch=400
            )
        )
        telling.tell(answers)
    assert [first.id, *told] == [f"d{n}" for n in range(N)]
    assert len(index) == 2 * N
    assert index.check() == []


GIVEN: dict[str, tuple[Callable[[Index], object], str]] = {
    "a text to search": (
        lambda index: index.search("The dam broke."),  # type: ignore[arg-type]
        "search takes a Document, got the text 'The dam broke.'; give Document(id=..., text=...)",
    ),
    "a text to add": (
        lambda index: index.add("The dam broke."),  # type: ignore[arg-type]
        "add takes a Document, got the text 'The dam broke.'; give Document(id=..., text=...)",
    ),
    "nothing to search": (
        lambda index: index.search(None),  # type: ignore[arg-type]
        "search takes a Document, got None; give Document(id=..., text=...)",
    ),
    "a record without an id": (
        lambda index: index.add({"text": "The dam broke."}),
        "a record needs an id and a text, got one with 'text'",
    ),
    "a record without a text": (
        lambda index: index.search({"id": "a", "story": "The dam broke."}),
        (
            "no field for the text among 'id', 'story'; name it with fields=Fields(text=...)"
        ),
    ),
    "a path": (
        lambda index: index.add_all("news.jsonl"),
        (
            "documents to add must be given as such, got 'news.jsonl'; "
            "twicetold.documents.Sources reads files"
        ),
    ),
    "a number": (
        lambda index: index.add_all([5]),  # type: ignore[list-item]
        "item 0 of the sources must be one of paths, documents, texts, records or a table, got 5",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", GIVEN)
def test_what_is_no_document_is_refused_in_one_sentence_24(index: Index, what: str) -> None:
    call, message = GIVEN[what]
    with pytest.raises(ParameterError) as caught:
        call(index)
    assert str(caught.value) == message
    assert len(index) == 0


def test_records_are_documents(index: Index) -> None:
    text = story(0).text
    assert index.add({"id": "a", "text": text, "language": "en"}).id == "a"
    found = index.search({"id": "b", "text": text, "language": "en"})
    assert [pair.relation for pair in found] == ["identical"]


def test_statistics_given_by_another_thread_first_are_kept(tmp_path: Path) -> None:
    pinned = build_statistics(list(stories(N)), method="codet")
    with Index.create(tmp_path / "bare", method="codet") as index:

        def given() -> Iterator[Document]:
            in_a_thread(lambda: index.rebuild(statistics=pinned))
            yield from stories(6)

        index.add_all(given())
        assert index.statistics is not None
        assert index.statistics.version == pinned.version

"""What is given to an index and makes no sense is told in words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import twicetold
from tests.index.making import story
from twicetold.errors import ParameterError
from twicetold.index import Index, IndexStream


@pytest.fixture
def index(tmp_path: Path) -> Index:
    index = Index.create(tmp_path / "index", method="codet")
    index.add(story(0))
    return index


WRONG: dict[str, tuple[Callable[[Any], object], str]] = {
    "what to do with a duplicate": (
        lambda index: index.add(story(0), on_duplicate="bogus"),
        "on_duplicate must be one of error, skip, replace, got 'bogus'",
    ),
    "of many": (
        lambda index: list(index.add_all([story(0)], on_duplicate=None)),
        "on_duplicate must be one of error, skip, replace, got None",
    ),
    "an id": (lambda index: index.remove("d0", 5), "an id must be a text, got 5"),
    "a time without a zone": (
        lambda index: index.expire(datetime(2024, 1, 1)),  # noqa: DTZ001 - that is the point
        (
            "before must be a datetime with a time zone, or None, "
            "got datetime.datetime(2024, 1, 1, 0, 0)"
        ),
    ),
    "no time": (
        lambda index: index.expire("2024-01-01"),
        "before must be a datetime with a time zone, or None, got '2024-01-01'",
    ),
    "two kinds of statistics": (
        lambda index: index.rebuild(sample=[story(1)], reference="en"),
        "statistics, sample and reference exclude each other; give one of them",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_makes_no_sense_is_refused_and_changes_nothing(what: str, index: Index) -> None:
    call, message = WRONG[what]
    with pytest.raises(ParameterError) as raised:
        call(index)
    assert str(raised.value) == message
    assert [document.text for document in index.documents()] == [story(0).text]
    index.close()


CLOSED: dict[str, Callable[[Index], object]] = {
    "len": len,
    "add": lambda index: index.add(story(1)),
    "add_all": lambda index: list(index.add_all([story(1)])),
    "search": lambda index: index.search(story(1)),
    "pairs": lambda index: index.pairs(),
    "documents": lambda index: list(index.documents()),
    "remove": lambda index: index.remove("d0"),
    "expire": lambda index: index.expire(),
    "check": lambda index: index.check(),
    "repair": lambda index: index.repair(),
    "rebuild": lambda index: index.rebuild(),
    "info": lambda index: index.info(),
    "untold": lambda index: list(index.untold()),
    "stream": lambda index: IndexStream(index, print).__enter__(),
}


@pytest.mark.parametrize("what", CLOSED)
def test_a_closed_index_says_so_whatever_is_asked(what: str, index: Index) -> None:
    index.close()
    index.close()  # twice is no error
    with pytest.raises(ParameterError) as raised:
        CLOSED[what](index)
    assert str(raised.value) == f"{index.path}: this index is closed; open it again"


def test_who_still_reads_documents_is_told_that_it_was_closed(index: Index) -> None:
    list(index.add_all([story(n) for n in range(1, 600)], answers=False))
    documents = index.documents()
    next(documents)
    index.close()
    with pytest.raises(ParameterError, match="this index is closed"):
        list(documents)


def test_an_id_that_is_given_twice_is_removed_once(index: Index) -> None:
    assert index.remove("d0", "d0") == ["d0"]
    index.add(story(0))
    index.close()
    done = twicetold("index", "remove", index.path, "d0", "no", "d0", "no")
    assert done == (0, "1 document removed\n", f"twicetold: {index.path}: no document 'no'\n")


def test_a_window_in_which_nothing_is_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "index"
    message = "window must be longer than 0, or everything expires at once; leave it out for none"
    with pytest.raises(ParameterError, match=message):
        Index.create(path, window=timedelta(0))
    for command in (("index", "create", path), ("stream", "--index", path)):
        done = twicetold(*command, "--window", "0d", stdin="")
        assert done == (2, "", f"twicetold: {message}\n")
    assert not path.exists()

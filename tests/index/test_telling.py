"""Answers of an index that was killed, or could not print: none is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import NEWS, PROGRAM, twicetold, write_lines
from tests.index.making import story
from twicetold.counting import build_statistics
from twicetold.errors import IndexDamagedError
from twicetold.index import Added, Index, IndexStream, Telling, streaming
from twicetold.index.adding import Adder
from twicetold.records import Document

#: The program, with commits so small that there are many.
SMALL_COMMITS = """
import runpy
from twicetold.index import index

index.Index.iter_add.__kwdefaults__["batch"] = 5000
runpy.run_module("twicetold", run_name="__main__", alter_sys=True)
"""
Rows = list[dict[str, Any]]


@pytest.fixture
def made(tmp_path: Path) -> Path:
    statistics = build_statistics(map(story, range(60)), method="codet")
    Index.create(tmp_path / "index", method="codet", statistics=statistics).close()
    return tmp_path / "index"


def source(path: Path, n: int) -> Path:
    rows = [{"id": one.id, "text": one.text, "language": "en"} for one in map(story, range(n))]
    return write_lines(path, rows)


def pairs(rows: Rows) -> set[frozenset[str]]:
    return {frozenset((pair["left"], pair["right"])) for row in rows for pair in row["pairs"]}


def whole_lines(out: bytes) -> Rows:
    return [json.loads(row) for row in out.splitlines(keepends=True) if row.endswith(b"\n")]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=lambda how: how.name)
def test_a_run_of_add_that_was_stopped_and_the_rest_tell_every_pair(
    how: signal.Signals, made: Path, tmp_path: Path
) -> None:
    file = source(tmp_path / "in.jsonl", 600)
    command = [sys.executable, "-c", SMALL_COMMITS, "index", "add", str(made), str(file)]
    with subprocess.Popen(
        [*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        first = child.stdout.readline()
        child.send_signal(how)
        first += child.stdout.read()
    told = whole_lines(first)
    assert len(told) < 600
    rest = twicetold("index", "add", made, file, "--json", "--on-duplicate", "skip")
    assert rest.code == 0
    if any(row.get("again") for row in rest.rows):
        assert rest.err == "told again first: what was kept before, and perhaps not told\n"
    stories = [(f"d{n}", f"d{n + 1}", f"d{n + 2}") for n in range(0, 600, 3)]
    wanted = {frozenset(two) for three in stories for two in combinations(three, 2)}
    assert pairs(told + rest.rows) == wanted
    kept = {row["id"] for row in told + rest.rows if row["status"] == "added"}
    assert kept == {f"d{n}" for n in range(600)}
    third = twicetold("index", "add", made, file, "--json", "--on-duplicate", "skip")
    assert (pairs(third.rows), third.err) == (set(), "")


def test_what_could_not_be_printed_is_told_again_with_its_status(
    made: Path, tmp_path: Path
) -> None:
    file = source(tmp_path / "in.jsonl", 6)
    for how, status in (("error", "added"), ("replace", "replaced")):
        command = ("index", "add", made, file, "--json", "--on-duplicate", how)
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [*PROGRAM, *map(str, command)], stdout=full, stderr=subprocess.PIPE, check=False
            )
        assert done.returncode == 1
        again = twicetold("index", "add", made, file, "--json", "--on-duplicate", "skip")
        told = [row for row in again.rows if row.get("again")]
        assert {row["status"] for row in told} == {status}
        assert told[0]["id"] == "d0"
        assert [row["status"] for row in again.rows[len(told) :]] == ["skipped"] * 6


def test_the_table_and_the_counts_come_before_an_error(made: Path, tmp_path: Path) -> None:
    rows = (NEWS / "wire.jsonl").read_text("utf-8").splitlines()
    file = write_lines(tmp_path / "twice.jsonl", [*rows, rows[0]])
    done = twicetold("index", "add", made, file, "--limit", 2)
    assert done.code == 2
    assert done.out.startswith("score  left")
    assert done.out.splitlines()[-1].startswith("20 added; ")
    assert done.err.startswith("twicetold: id 'wire-101' is in the index already")
    nothing = twicetold("index", "add", made, file)
    assert (nothing.code, nothing.out) == (2, "")
    assert twicetold("index", "add", made, file, "-q").out == ""


def test_only_the_last_commit_is_told_again(made: Path) -> None:
    told: list[str] = []

    def tell(added: Added) -> None:
        told.append(added.id)
        if len(told) == 10:
            raise KeyboardInterrupt

    with Index.open(made, write=True) as index:
        answers = index.iter_add(map(story, range(30)), batch=600, until_told=True)
        with pytest.raises(KeyboardInterrupt):
            tell_all(index, tell, answers)
        again = list(index.untold())
        assert again[-1].id == f"d{len(index) - 1}"
    assert told == [f"d{n}" for n in range(10)]
    assert {added.is_again for added in again} == {True}
    assert 0 < len(again) < 10


def tell_all(index: Index, tell: Callable[[Added], None], answers: Iterator[Added]) -> None:
    with Telling(index, tell) as telling:
        telling.tell(answers)


def test_stream_counts_what_is_told_again_apart(made: Path, tmp_path: Path) -> None:
    file = source(tmp_path / "in.jsonl", 6)
    with Index.open(made, write=True) as index:
        list(index.add_all(map(story, range(6)), until_told=True))
    done = twicetold("stream", file, "--index", made)
    assert done.err == "6 skipped, 6 told again; 6 pairs\n"
    assert len(done.rows) == 6


def test_the_summary_says_why_documents_are_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "window.index"
    twicetold("index", "create", path, "--method", "codet", "--window", "30d")
    rows = []
    for number, day in ((0, 40), (1, 41), (2, 1)):
        one = story(number, day)
        assert one.published is not None
        rows.append({"id": one.id, "text": one.text, "published": one.published.isoformat()})
    done = twicetold("index", "add", path, write_lines(tmp_path / "in", rows), "--limit", 0,
                     "--format", "jsonl")  # fmt: skip
    assert done.out == "2 added, 1 expired (told before 2024-01-12 00:00, not kept); 1 pair\n"


class Killed(BaseException):
    """The process is gone."""


def test_commits_that_are_told_together_are_told_again_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = story(0).text, story(30).text
    texts = {"a": first, "b": second, "b2": second, "new": story(60).text, "a2": first}
    days = {"a": 0, "b": 5, "b2": 6, "new": 12, "a2": 9}
    documents = {
        name: replace(story(0, days[name]), id=name, text=text) for name, text in texts.items()
    }
    statistics = build_statistics(documents.values(), method="codet")
    window = timedelta(days=10)
    coming = [documents[name] for name in ("b2", "new", "a2")]
    timely = Adder._timely

    def killed(self: Adder, some: list[Document], *given: Any, **options: Any) -> list[Added]:
        found = timely(self, some, *given, **options)
        if len(some) == len(coming):
            raise Killed  # all of it is kept, and nothing told
        return found

    told: list[Added] = []
    path = tmp_path / "index"
    with Index.create(path, method="codet", statistics=statistics, window=window) as index:
        list(index.add_all([documents["a"], documents["b"]]))
        monkeypatch.setattr(Adder, "_timely", killed)
        with pytest.raises(Killed), Telling(index, told.append) as telling:
            telling.tell(index.iter_add(coming, until_told=True))
        monkeypatch.undo()
        assert told == []
        with Telling(index, told.append) as telling:
            telling.tell(index.iter_add(coming, on_duplicate="skip", until_told=True))
    again = [added for added in told if added.is_again]
    assert [added.id for added in again] == ["b2", "new", "a2"]
    assert [(pair.left, pair.right) for added in again for pair in added.pairs] == [("b", "b2")]


def test_an_error_behind_a_commit_leaves_its_answers_untold(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Added] = []
    with Index.open(made, write=True) as index:

        def damaged(*_: Any) -> None:
            msg = "a segment cannot be read"
            raise IndexDamagedError(msg)

        monkeypatch.setattr(Adder, "_after", damaged)
        with pytest.raises(IndexDamagedError), Telling(index, told.append) as telling:
            telling.tell(index.iter_add([story(0), story(1)], until_told=True))
        monkeypatch.undo()
    assert told == []
    with Index.open(made, write=True) as index, Telling(index, told.append):
        pass
    assert [(added.id, added.is_again, len(added.pairs)) for added in told] == [
        ("d0", True, 0),
        ("d1", True, 1),
    ]


def test_documents_that_tell_much_come_in_smaller_commits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "_PAIRS", 2000)
    sizes: list[int] = []
    add = IndexStream._add

    def noted(stream: IndexStream, documents: list[Document]) -> None:
        sizes.append(len(documents))
        add(stream, documents)

    monkeypatch.setattr(IndexStream, "_add", noted)
    told = 0

    def count(added: Added) -> None:
        nonlocal told
        told += len(added.pairs)

    with (
        Index.create(tmp_path / "index", method="codet", sample=NEWS) as index,
        IndexStream(index, count, all_pairs=True) as stream,
    ):
        for number in range(400):
            stream.put(replace(story(0), id=f"copy{number}"))
        stream.flush()
        copies = list(sizes)
        for number in range(1, 1000):
            stream.put(story(3 * number))
    assert (copies[0], sum(copies), told) == (125, 400, 400 * 399 // 2)
    # Later copies tell more each.
    assert 5 <= max(copies[3:]) < max(copies[1:3]) <= 50
    different = sizes[len(copies) :]
    assert sum(different) == 999
    assert max(different) > 300


def test_what_waits_when_a_stream_ends_is_added_unless_it_ends_with_an_error(
    tmp_path: Path,
) -> None:
    told: list[str] = []
    with Index.create(tmp_path / "index", method="codet") as index:
        with IndexStream(index, lambda added: told.append(added.id)) as stream:
            stream.put(story(0))
            stream.put(story(1))
        assert (told, len(index)) == (["d0", "d1"], 2)
        stream = IndexStream(index, lambda added: told.append(added.id)).__enter__()
        stream.put(story(2))
        stream.__exit__(ValueError, ValueError("of whoever puts"), None)
        assert (told, len(index)) == (["d0", "d1"], 2)
        assert index.add(story(2)).status == "added"

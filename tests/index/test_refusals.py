"""An index that is not what somebody takes it for is refused, with the command that helps."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import NEWS, Done, process, twicetold
from tests.index.making import DAY, pairs, story
from tests.index.model import row
from twicetold import Document, read, scan
from twicetold.errors import IndexLockedError, IndexMismatchError
from twicetold.index import SERVED, Index
from twicetold.index.database import Database
from twicetold.pipeline import detector_class


@pytest.fixture
def made(tmp_path: Path) -> Path:
    path = tmp_path / "news.index"
    with Index.create(path, method="codet", sample=NEWS) as index:
        list(index.add_all(read(NEWS / "wire.jsonl")))
    return path


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path / "index.sqlite")) as database, database:
        database.execute(statement)


def another_format(path: Path) -> None:
    change(path, "PRAGMA user_version=2")


def another_kind(path: Path) -> None:
    change(path, "PRAGMA application_id=7")


def another_hash(path: Path) -> None:
    with closing(Database.open(path / "index.sqlite")) as database, database.transaction():
        database.set("settings", {**database.get("settings"), "hash_version": 99})


def no_database(path: Path) -> None:
    (path / "index.sqlite").write_text("This is no database, however long it is.\n" * 900)


CHANGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "format": (
        another_format,
        (
            "{path}: index of format version 2, this program reads 1; export it with the program "
            "that made it, then `twicetold index create` and `add`. If it was made with this one, "
            "its beginning is damaged: go back to a copy"
        ),
    ),
    "kind": (
        another_kind,
        (
            "{path}/index.sqlite: is no index, or damaged at its beginning; give the path of an "
            "index, or make one at another path with `twicetold index create`"
        ),
    ),
    "hash": (
        another_hash,
        (
            "{path}: keys of hash version 99, this program makes 1; write its documents with "
            "`twicetold index export {path} -o FILE`, then `twicetold index create` and `add`"
        ),
    ),
    "file": (
        no_database,
        (
            "{path}/index.sqlite: is damaged: file is not a database; texts that can still be "
            "read are told by `twicetold index export`"
        ),
    ),
}


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("command", ["add", "search", "remove", "expire", "info", "rebuild"])
def test_another_version_is_refused_by_every_command(made: Path, what: str, command: str) -> None:
    how, message = CHANGES[what]
    how(made)
    more: dict[str, list[object]] = {"add": [NEWS], "search": [NEWS], "remove": ["wire-101"]}
    rest = more.get(command, [])
    done = twicetold("index", command, made, *rest)
    assert (done.code in {1, 2}, done.out) == (True, "")
    assert done.err == f"twicetold: {message.format(path=made)}\n"


def test_the_command_that_is_told_for_another_hash_helps(made: Path, tmp_path: Path) -> None:
    before = pairs(made)
    another_hash(made)
    out, other = tmp_path / "out.jsonl", tmp_path / "other"
    assert twicetold("index", "export", made, "-o", out).code == 0
    twicetold("index", "create", other, "--method", "codet", "--sample", NEWS)
    assert twicetold("index", "add", other, out, "--limit", 0).out == "20 added; 9 pairs\n"
    assert pairs(other) == before


def test_another_method_or_other_statistics(made: Path, tmp_path: Path) -> None:
    with pytest.raises(IndexMismatchError) as raised:
        Index.open(made, method="qsign")
    assert str(raised.value) == (
        f"{made}: index of codet, not of qsign; open it with codet, or run "
        f"`twicetold index rebuild {made} --method qsign`"
    )
    with Index.open(made) as index:
        assert index.statistics is not None
        version = index.statistics.version
    with pytest.raises(IndexMismatchError) as raised:
        Index.open(made, statistics="0123456789abcdef")
    assert str(raised.value) == (
        f"{made}: index with statistics {version}, not 0123456789abcdef; "
        f"run `twicetold index rebuild {made}` with those"
    )
    Index.open(made, statistics=version, method="codet").close()
    file = tmp_path / "wire.statistics"
    assert twicetold("statistics", "build", NEWS / "wire.jsonl", "-o", file).code == 0
    for options, told in (
        (["--method", "qsign"], f"`twicetold index rebuild {made} --method qsign`"),
        (["--statistics", file], f"`twicetold index rebuild {made} --statistics {file}`"),
        (["--depth", 3, "--method", "codet"], f"index rebuild {made} --method codet --depth 3`"),
        (["--depth", "none"], f"index rebuild {made} --method codet --depth none`"),
        (["--no-word-sorting"], f"index rebuild {made} --method codet --no-word-sorting`"),
        (["--reference", "en"], f"`twicetold index rebuild {made} --reference en`"),
        (["--window", "3d"], "leave that out, or make another index"),
    ):
        done = twicetold("stream", "--index", made, *options, stdin="")
        assert (done.code, done.err.count("\n")) == (2, 1), done
        assert told in done.err
    # What is told does help, also with statistics that were counted for another method.
    assert twicetold("index", "rebuild", made, "--statistics", file).code == 0
    assert twicetold("stream", "--index", made, "--statistics", file, stdin="").code == 0
    other = tmp_path / "other"
    twicetold("index", "create", other, "--method", "codet", "--statistics", file)
    twicetold("index", "add", other, NEWS / "wire.jsonl")
    assert pairs(other) == pairs(made)
    assert twicetold("index", "rebuild", made, "--method", "qsign").code == 0
    assert twicetold("stream", "--index", made, "--method", "qsign", stdin="").code == 0


def test_what_a_rebuild_does_not_name_stays(tmp_path: Path) -> None:
    path = tmp_path / "an index"
    options = ("--threshold", 0.8, "--mode", "bag", "--depth", 7, "--sample", NEWS)
    assert twicetold("index", "create", path, "--method", "codet", *options).code == 0
    twicetold("index", "add", path, NEWS / "wire.jsonl")
    told = twicetold("stream", "--index", path, "--no-word-sorting", stdin="").err
    assert f"`twicetold index rebuild '{path}' --method codet --no-word-sorting`" in told
    assert twicetold("index", "rebuild", path, "--method", "codet", "--no-word-sorting").code == 0
    with Index.open(path) as index:
        found = index.info().parameters
    wanted = {"threshold": 0.8, "mode": "bag", "depth": 7, "word_sorting": False}
    assert {name: found[name] for name in wanted} == wanted
    assert twicetold("index", "rebuild", path, "--depth", "none").code == 0
    with Index.open(path) as index:
        assert index.info().parameters == {**found, "depth": None}


def test_a_second_writer_of_any_kind_is_told_at_once(made: Path) -> None:
    with Index.open(made, write=True) as index:
        message = (
            f"twicetold: {made}: process {os.getpid()} writes to this index; "
            "wait until it is done, or search, which needs no lock\n"
        )
        for command in (
            ("index", "add", made, NEWS / "blogs.jsonl"),
            ("index", "remove", made, "wire-101"),
            ("index", "rebuild", made),
            ("index", "check", "--repair", made),
            ("stream", "--index", made, NEWS / "blogs.jsonl"),
        ):
            assert process(*command) == Done(1, "", message), command
        with pytest.raises(IndexLockedError):
            Index.open(made, write=True)
        assert process("index", "check", made) == Done(0, "all is well\n", "")
        assert len(index) == 20


def test_export_and_add_again_give_an_equal_index(tmp_path: Path) -> None:
    documents = [
        Document(id="all", text="The dam broke.\r\nIt did.", title="T", url="u:1", source="s",
                 language="en", published=datetime(2024, 1, 2, 3, 4, 5, 678901, UTC)),
        Document(id="few", text="The dam broke.\nIt did."),
        Document(id="odd", text="A \udfff text. \x00 \u2028 It did.", language="tr"),
        *(story(n, n * 0.37) for n in range(12)),
    ]  # fmt: skip
    one, other, out = tmp_path / "one", tmp_path / "other", tmp_path / "out.jsonl"
    with Index.create(one, method="codet", window=9000 * DAY) as index:
        list(index.add_all(documents))
        statistics = index.statistics
        expected = [row(pair) for pair in index.pairs(all_pairs=True)]
        assert list(index.documents()) == documents
    assert twicetold("index", "export", one, "-o", out).code == 0
    with Index.create(other, method="codet", window=9000 * DAY, statistics=statistics) as index:
        list(index.add_all(read(out)))
        assert [row(pair) for pair in index.pairs(all_pairs=True)] == expected
        kept = {document.id: document for document in index.documents()}
        for document in documents:
            if document.id != "odd":  # half a surrogate pair is U+FFFD after reading
                assert kept[document.id] == document
        assert ascii(kept["odd"].text) == ascii("A \ufffd text. \x00 \u2028 It did.")


@pytest.mark.parametrize("method", SERVED)
def test_an_index_of_one_document_is_rebuilt_to_what_a_scan_finds(
    method: str, tmp_path: Path
) -> None:
    """Statistics of a single document know no word; new ones are those of a scan."""
    documents = [story(n, n * 0.37) for n in range(24)]
    options: dict[str, Any] = {"boilerplate_documents": 0} if method == "retelling" else {}
    passages = detector_class(method).unit == "sentence" or None
    found = scan(documents, method=method, all_pairs=True, passages=passages, **options)
    expected = sorted(row(pair) for pair in found)
    assert expected
    with Index.create(tmp_path / "index", method=method) as index:
        for document in documents:
            index.add(document)
        assert index.statistics is not None
        assert index.statistics.documents == 1
        index.rebuild()
        assert index.statistics.documents == len(documents)
        assert sorted(row(pair) for pair in index.pairs(all_pairs=True)) == expected
        assert index.check() == []

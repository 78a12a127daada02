"""A flipped byte anywhere in an index, and tables nobody made: no command hangs, none says else.

`tests/index/test_flipped_bytes.py` asks what `check` says of each file; here every command that
reads is called, in a process with a watchdog, and pages of SQLite of every kind are damaged.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.calling import process, twicetold
from tests.index import flipping
from tests.index.making import KILLS, make, story
from twicetold.errors import IndexDamagedError, TwicetoldError
from twicetold.index import Index
from twicetold.index.database import Database

#: 10,000 for `make torture`.
FLIPS = 50 * KILLS
KINDS = {
    "head",
    "segment",
    "schema: table leaf",
    "table interior",
    "table leaf",
    "index interior",
    "index leaf",
    "overflow",
    "free trunk",
    "free",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("made") / "index")


@pytest.fixture
def index(made: Path, tmp_path: Path) -> Path:
    """Return a copy that can be damaged."""
    return Path(shutil.copytree(made, tmp_path / "index"))


def test_no_flipped_byte_hangs_a_command_or_changes_what_it_says(tmp_path: Path) -> None:
    path = flipping.make(tmp_path / "index")
    command = [sys.executable, "-m", "tests.index.flipping", str(path), "7", str(FLIPS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-5000:]
    found = json.loads(done.stdout)
    assert (set(found["flips"]), sum(found["flips"].values())) == (KINDS, FLIPS)
    assert found["wrong"] == []
    # Flipped bytes are seen, but for those of pages that nobody reads.
    assert sum(found["told"].values()) > FLIPS / 2
    assert found["told"]["free"] == 0


def test_a_version_in_an_index_of_sqlite_does_not_hang_24(index: Path) -> None:
    """The key of the table `statistics` is also in an index of its own, which no seal covers."""
    file = index / "index.sqlite"
    with closing(sqlite3.connect(file)) as database:
        (version,) = database.execute("SELECT version FROM statistics").fetchone()
        (root,) = database.execute(
            "SELECT rootpage FROM sqlite_master WHERE name='sqlite_autoindex_statistics_1'"
        ).fetchone()
    raw = bytearray(file.read_bytes())
    at = raw.index(version.encode(), (root - 1) * flipping.PAGE)
    assert at < root * flipping.PAGE
    raw[at] ^= 1
    file.write_bytes(raw)
    assert process("index", "info", index).code == 0
    assert process("index", "search", index, flipping.__file__, "--format", "txt").code == 0
    assert twicetold("index", "check", index).code == 1


def test_statistics_of_another_version_than_their_row_says_are_damage(index: Path) -> None:
    with closing(Database.open(index / "index.sqlite")) as database, database.transaction():
        found = database.pinned()
        assert found is not None
        database.pin("another", *found[1:])
    for command in (("info",), ("check",), ("search", flipping.__file__, "--format", "txt")):
        done = process("index", command[0], index, *command[1:])
        assert done.code == 1
        assert "its statistics are not those that were pinned" in done.err + done.out


def test_rows_that_lead_back_to_themselves_are_exported_once(tmp_path: Path) -> None:
    """A child of an interior page that is damaged may be one that was read: for ever."""
    path = flipping.make(tmp_path / "index")
    file = path / "index.sqlite"
    raw = bytearray(file.read_bytes())
    with closing(sqlite3.connect(file)) as database:
        (root,) = database.execute(
            "SELECT rootpage FROM sqlite_master WHERE name='documents'"
        ).fetchone()
    start = (root - 1) * flipping.PAGE
    assert raw[start] == 5
    first = start + int.from_bytes(raw[start + 12 : start + 14], "big")
    raw[start + 8 : start + 12] = raw[first : first + 4]  # the last child is the first one
    file.write_bytes(raw)
    whole = process("index", "export", path)
    ids = [row["id"] for row in whole.rows]
    assert (whole.code, len(set(ids))) == (1, len(ids))
    assert 0 < len(ids) < 67
    assert "damaged" in whole.err
    with Index.open(path) as opened, pytest.raises(IndexDamagedError):
        list(opened.documents())


def test_documents_that_are_gone_without_a_word_are_missed(index: Path) -> None:
    """As if a page had lost its last rows: what is left is whole, row by row."""
    with closing(sqlite3.connect(index / "index.sqlite")) as database, database:
        database.execute("DELETE FROM documents WHERE id IN ('d9', 'd11')")
    done = twicetold("index", "export", index)
    assert done.code == 1
    n = len(done.rows)
    assert f"{n} documents can be found, there are to be {n + 2}" in done.err
    with Index.open(index) as opened, pytest.raises(IndexDamagedError, match="there are to be"):
        list(opened.documents())
    with (
        pytest.raises(IndexDamagedError, match="there are to be"),
        Index.open(index, write=True) as writer,
    ):
        writer.rebuild(statistics=writer.statistics)
    assert twicetold("index", "check", "--repair", index).code == 0
    assert twicetold("index", "export", index).code == 0


@pytest.mark.parametrize("change", ["time=time-1", "number=number+100"])
def test_what_was_removed_is_compared_before_a_search(index: Path, change: str) -> None:
    with closing(sqlite3.connect(index / "index.sqlite")) as database, database:
        assert database.execute(f"UPDATE removed SET {change}").rowcount
    for command in ("info", "search"):
        more = [flipping.__file__, "--format", "txt"] if command == "search" else []
        done = twicetold("index", command, index, *more)
        assert done.code == 1
        assert "what it notes of removed documents is not what was written" in done.err
    assert twicetold("index", "check", index).code == 1
    assert twicetold("index", "check", "--repair", index).code == 0
    assert twicetold("index", "check", index).code == 0


STRANGE = {
    "trigger": "CREATE TRIGGER evil AFTER INSERT ON documents BEGIN DELETE FROM documents; END",
    "view": "CREATE VIEW evil AS SELECT * FROM documents",
    "table": "CREATE TABLE evil (x)",
    "index": "CREATE INDEX evil ON documents (length(text))",
}


@pytest.mark.parametrize("kind", STRANGE)
def test_an_index_with_what_no_index_has_is_refused_by_name(index: Path, kind: str) -> None:
    with closing(sqlite3.connect(index / "index.sqlite")) as database, database:
        database.execute(STRANGE[kind])
    line = f"{index / 'index.sqlite'}: holds the {kind} 'evil', which no index has: "
    commands: tuple[tuple[object, ...], ...] = (
        ("info", index),
        ("search", index, flipping.__file__),
        ("check", index),
        ("check", "--repair", index),
        ("add", index, flipping.__file__),
        ("remove", index, "d9"),
        ("rebuild", index),
    )
    for command in commands:
        done = twicetold("index", *command)
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith(f"twicetold: {line}")
        assert len(done.err.splitlines()) == 1
    # Texts can still be had: nothing but their table is read.
    assert twicetold("index", "export", index).code == 0


def test_a_view_in_place_of_the_documents_is_not_exported(index: Path) -> None:
    with closing(sqlite3.connect(index / "index.sqlite")) as database, database:
        database.execute("DROP TABLE documents")
        database.execute(
            "CREATE VIEW documents AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) "
            "SELECT x AS number, '' AS id, 0 AS time, 0 AS published, '' AS about, '' AS text, "
            "0 AS checksum FROM n"
        )
    done = process("index", "export", index)
    assert done.code == 1
    assert "has no table of documents" in done.err
    assert process("index", "info", index).code == 1


def test_counts_are_those_of_the_tables_after_every_change(tmp_path: Path) -> None:
    path = make(tmp_path / "index")
    with Index.open(path, write=True) as index:
        database = index._core.database

        def check() -> None:
            assert database.get("counts") is not None
            assert database.counts() == database.counted()
            info = index.info()
            assert (info.documents, info.removed) == (len(index), len(database.removed()))

        check()
        for number in range(30, 34):
            index.add(story(number, 12 + number / 10))
            check()
        index.add(story(31, 13), on_duplicate="replace")
        check()
        index.remove("d30", "d33")
        check()
        index.rebuild()
        check()
        index.expire(story(31, 13).published)
        check()
        index.remove(*[document.id for document in index.documents()])
        check()
        assert (len(index), index.info().earliest) == (0, None)


def test_an_index_from_before_there_were_counts_gets_them(index: Path) -> None:
    with closing(Database.open(index / "index.sqlite")) as database:
        before = database.counted()
        with database.transaction():
            database._connection.execute("DELETE FROM meta WHERE name='counts'")
        assert database.counts() == before
    assert twicetold("index", "check", index) == (0, "all is well\n", "")
    with Index.open(index, write=True) as writer:
        assert len(writer) == before.documents
        writer.add(story(40, 8))
        database = writer._core.database
        assert database.get("counts")["documents"] == before.documents + 1
        assert database.counts() == database.counted()


def test_nothing_is_counted_when_somebody_asks(index: Path) -> None:
    """`info` and `len` read no row of the documents, however many there are."""
    with Index.open(index) as opened:
        connection = opened._core.database._connection
        statements: list[str] = []
        connection.set_trace_callback(statements.append)
        opened.info()
        len(opened)
        connection.set_trace_callback(None)
    assert statements
    assert [one for one in statements if "documents" in one and "meta" not in one] == [
        one for one in statements if "FROM segments" in one
    ]


def test_a_check_tells_of_counts_that_are_not_so(index: Path) -> None:
    with closing(Database.open(index / "index.sqlite")) as database, database.transaction():
        counts = database.get("counts")
        database.set("counts", {**counts, "text_bytes": counts["text_bytes"] + 1})
    done = twicetold("index", "check", index)
    assert done.code == 1
    assert "its counts of documents" in done.out
    assert twicetold("index", "check", "--repair", index).out.endswith("repaired\n")
    assert twicetold("index", "check", index).code == 0
    with closing(Database.open(index / "index.sqlite")) as database:
        with database.transaction():
            database.set("counts", {"documents": 1, "others": 2})
        with pytest.raises(TwicetoldError, match="its counts are not what was written"):
            database.counts()

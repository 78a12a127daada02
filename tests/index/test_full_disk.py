"""Files that cannot grow any more, at every size: one line says so, and nothing is lost.

The limit is the system's own (RLIMIT_FSIZE): a write is refused, or is shorter than it should be,
in SQLite, in its log, in a segment and in the lock, wherever the limit happens to be reached.
"""

from __future__ import annotations

import resource
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.cli.calling import Done, twicetold, write_lines
from tests.index.making import KILLS, content, make, pairs, small_files, story
from twicetold.index import Index

#: Bytes that a file may have. The database has pages of 16,384, its log frames of 24 more.
LIMITS = [0, 1, 500, 3000, 16_384, 33_000, 50_000, 100_000, 180_000, 250_000, 400_000, 900_000]
if KILLS > 50:
    LIMITS = sorted({*LIMITS, *range(0, 1_000_000, 4096)})


@contextmanager
def limited(size: int) -> Iterator[None]:
    """Let no file become larger than this."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def is_told(done: Done) -> bool:
    """Tell whether a command failed; what it says then is one line that says why."""
    if done.code == 0:
        return False
    assert done.code == 1, done
    assert done.err.count("\n") == 1, done
    assert "Traceback" not in done.err
    words = ("File too large", "disk I/O", "full", "unable to open", "cannot make")
    assert any(word in done.err for word in words), done
    return True


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("made") / "index")


def test_making_an_index(tmp_path: Path) -> None:
    words = " ".join(f"word{n}" for n in range(30_000))
    sample = write_lines(tmp_path / "sample.jsonl", [{"id": "all", "text": words}])
    failed = 0
    for limit in LIMITS:
        path = tmp_path / str(limit)
        with limited(limit):
            done = twicetold("index", "create", path, "--method", "codet", "--sample", sample)
        if is_told(done):
            failed += 1
            assert not path.exists()
            # It can be made in the same place when there is room.
            done = twicetold("index", "create", path, "--method", "codet")
        assert done.code == 0, done
        assert twicetold("index", "check", path).out == "all is well\n"
    assert 0 < failed < len(LIMITS)


def test_what_cannot_be_made_leaves_no_folder_24(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    for path in (tmp_path / "a" / "b" / "index", mine):
        with limited(0):
            assert is_told(twicetold("index", "create", path, "--method", "codet"))
    assert list(tmp_path.rglob("*")) == [mine]


def test_adding(made: Path, tmp_path: Path) -> None:
    source = write_lines(
        tmp_path / "in.jsonl",
        [{"id": f"n{n}", "text": story(n).text * 9, "language": "en"} for n in range(300)],
    )
    failed = 0
    for limit in LIMITS:
        path = shutil.copytree(made, tmp_path / str(limit))
        with small_files(), limited(limit):
            done = twicetold("index", "add", path, source, "--json")
        told = {row["id"] for row in Done(0, done.out, "").rows}
        failed += is_told(Done(done.code, "", done.err))
        assert twicetold("index", "check", path).out == "all is well\n"
        kept = {row["id"] for row in twicetold("index", "export", path).rows}
        assert told <= kept
        rest = twicetold("index", "add", path, source, "--on-duplicate", "skip", "--limit", 0)
        assert rest.code == 0
        assert len(twicetold("index", "export", path).rows) == len(kept | told) + (
            300 - len({name for name in kept if name.startswith("n")})
        )
        shutil.rmtree(path)
    assert 0 < failed < len(LIMITS)


@pytest.mark.parametrize(
    "command",
    [["rebuild"], ["remove", "d9", "d10"], ["expire", "--before", "2024-01-05"]],
    ids=lambda command: str(command[0]),
)
def test_all_or_nothing(made: Path, tmp_path: Path, command: list[str]) -> None:
    """What is refused has changed nothing: every row is as it was."""
    name, *rest = command
    before, found = content(made), pairs(made)
    failed = 0
    for limit in LIMITS:
        path = shutil.copytree(made, tmp_path / str(limit))
        with small_files(), limited(limit):
            done = twicetold("index", name, path, *rest)
        if is_told(done):
            failed += 1
            # A merge behind the change may have failed, but not the change itself.
            if content(path)[1] == before[1]:
                assert pairs(path) == found
        assert twicetold("index", "check", path).out == "all is well\n"
        assert twicetold("index", name, path, *rest).code == 0
        shutil.rmtree(path)
    assert 0 < failed < len(LIMITS)


def test_repairing(made: Path, tmp_path: Path) -> None:
    found = pairs(made)
    failed = 0
    for limit in LIMITS:
        path = shutil.copytree(made, tmp_path / str(limit))
        max((path / "segments").iterdir()).unlink()
        with small_files(), limited(limit):
            failed += is_told(twicetold("index", "check", "--repair", path))
        assert twicetold("index", "check", "--repair", path).code == 0
        assert pairs(path) == found
        shutil.rmtree(path)
    assert 0 < failed < len(LIMITS)


def test_reading_needs_little_room(made: Path, tmp_path: Path) -> None:
    """A search writes no documents, only what SQLite shares between processes."""
    path = shutil.copytree(made, tmp_path / "index")
    with limited(40_000), Index.open(path) as index:
        assert index.search(story(10))
        assert index.check() == []


def test_what_a_transaction_wrote_that_was_taken_back_is_no_damage(
    made: Path, tmp_path: Path
) -> None:
    """SQLite leaves it in its log, with checksums that only a commit makes right."""
    path = shutil.copytree(made, tmp_path / "index")
    left = tmp_path / "left"
    with Index.open(path, write=True) as writer:
        writer.add(story(40, 8))
        expected = content(path)
        with closing(sqlite3.connect(path / "index.sqlite", isolation_level=None)) as other:
            other.execute("PRAGMA cache_size=2")
            other.execute("BEGIN")
            for _ in range(2):
                other.execute("UPDATE documents SET about = about || hex(randomblob(5000))")
            other.execute("ROLLBACK")
        shutil.copytree(path, left, ignore=shutil.ignore_patterns("*-shm"))
    assert (left / "index.sqlite-wal").stat().st_size > 500_000
    assert twicetold("index", "check", left) == (0, "all is well\n", "")
    assert content(left) == expected

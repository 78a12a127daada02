"""Who may read the files of an index: its user, whatever the umask."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.calling import NEWS, twicetold
from tests.index.making import small_files, story
from twicetold.index import Index


@pytest.fixture(params=[0o000, 0o022], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def others_may(path: Path) -> list[str]:
    """Return the files and folders that somebody else can read, write or enter."""
    found = [path, *path.rglob("*")]
    return [str(one) for one in found if stat.S_IMODE(one.stat().st_mode) & 0o077]


@pytest.mark.usefixtures("umask")
def test_nobody_else_may_read_anything(tmp_path: Path) -> None:
    path, out = tmp_path / "index", tmp_path / "out.jsonl"
    segments = 0
    with small_files(1):
        for command in (
            ("create", path, "--method", "codet", "--sample", NEWS, "--window", "9000d"),
            ("add", path, NEWS / "wire.jsonl", "--limit", 0),
            ("add", path, NEWS / "blogs.jsonl", "--limit", 0),
            ("remove", path, "wire-101"),
            ("expire", path, "--before", "1999-01-01"),
            ("rebuild", path),
            ("export", path, "-o", out),
        ):
            assert twicetold("index", *command).code == 0, command
            assert others_may(path) == [], command
            segments += len(list((path / "segments").iterdir()))
        next((path / "segments").iterdir()).write_bytes(b"")
        assert twicetold("index", "check", "--repair", path).code == 0
    assert segments > 3
    assert others_may(path) == []
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


@pytest.mark.usefixtures("umask")
def test_nor_what_is_there_while_it_is_open(tmp_path: Path) -> None:
    path = tmp_path / "new" / "index"
    with small_files(1), Index.create(path, method="codet") as index:
        for number in range(9):  # merges are among them
            index.add(story(number))
        with Index.open(path) as reader:
            assert len(reader) == 9
            names = {one.name for one in path.iterdir()}
            assert {"index.sqlite-wal", "index.sqlite-shm", "writer.lock"} <= names
            assert others_may(path) == []


@pytest.mark.usefixtures("umask")
def test_nor_the_index_of_a_stream_that_names_none(tmp_path: Path) -> None:
    seen: list[str] = []

    def look(index: Index) -> None:
        seen.extend(others_may(index.path))
        close(index)

    close = Index.close
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(tmp_path))
        patch.setattr("tempfile.tempdir", None)
        patch.setattr(Index, "close", look)
        done = twicetold("stream", NEWS / "wire.jsonl", "--method", "codet", "-q")
    assert (done.code, seen) == (0, [])
    assert list(tmp_path.iterdir()) == []

"""Killed at random instants of whatever it does: the index is as before it, or as after it.

`tests/index/test_crashes.py` does the same to a writer that adds one document after the other.
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import twicetold
from tests.index.making import DAY, KILLS, NEWS, content, make, pairs, small_files, story
from twicetold import scan
from twicetold.index import Index

#: Does one thing again and again, each time a little different, until it is killed.
CHILD = """
import sys
from tests.index import test_kills

print("begins", flush=True)
getattr(test_kills, sys.argv[1])(sys.argv[2])
"""
N = 18


def creates(path: str) -> None:
    for number in range(10_000):
        Index.create(
            f"{path}/{number}", method="codet", sample=[story(n) for n in range(6)]
        ).close()


def rebuilds(path: str) -> None:
    with small_files(), Index.open(path, write=True) as index:
        for number in range(10_000):
            index.rebuild(method="codet", depth=2 + number % 5)


def merges(path: str) -> None:
    """Add and remove the same documents; four commits make a merge."""
    with small_files(500), Index.open(path, write=True) as index:
        for number in range(10_000):
            index.add(story(N - 1 - number % 3, 5.5), on_duplicate="replace")


def expires(path: str) -> None:
    """Story after story comes, and what is five days older goes."""
    with small_files(), Index.open(path, write=True) as index:
        last = max(999, *(int(one.id[1:]) for one in index.documents()))
        for number in range(last + 1, 20_000):
            day = 8 + (number - 1000) / 30
            index.add(story(number, day))
            index.expire(NEWS + (day - 5) * DAY)


def repairs(path: str) -> None:
    while True:
        with small_files(), Index.open(path, write=True, check=False) as index:
            index.repair()
        for file in (Path(path) / "segments").iterdir():
            file.write_bytes(file.read_bytes()[:-1])


def killed(doing: Any, path: Path, pause: float) -> None:
    command = [sys.executable, "-c", CHILD, doing.__name__, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"begins\n"
        time.sleep(pause)
        child.send_signal(signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL


@pytest.mark.parametrize("doing", [rebuilds, merges, expires], ids=lambda doing: doing.__name__)
def test_an_index_is_as_before_or_as_after(doing: Any, tmp_path: Path) -> None:
    path = make(tmp_path / "index", N)
    documents = set(content(path)[1])
    chance = random.Random(doing.__name__)
    for _ in range(KILLS // 2):
        killed(doing, path, chance.uniform(0, 0.3))
        assert twicetold("index", "check", path).out == "all is well\n"
        with Index.open(path, write=True) as index:
            left = list(index.documents())
            assert index.add(story(40, 7), on_duplicate="replace").id == "d40"
            index.remove("d40")
            found = [(pair.left, pair.right) for pair in index.pairs(all_pairs=True)]
            wanted = scan(
                left,
                method=index.detector,
                statistics=index.statistics,
                window=20 * DAY,
                all_pairs=True,
            )
            assert found == [(pair.left, pair.right) for pair in wanted]
            named = {row.name for row in index._core.parts.rows.values()}
        # Nothing is left that no commit names.
        assert {int(file.stem) for file in (path / "segments").iterdir()} <= named
        if doing is rebuilds:
            assert set(content(path)[1]) == documents
        if doing is expires:
            assert left
        if doing is merges:
            assert len(left) == len(documents)


def test_repairing(tmp_path: Path) -> None:
    path = make(tmp_path / "index", N)
    documents, found = content(path)[1], pairs(path)
    chance = random.Random(1)
    for _ in range(KILLS // 2):
        killed(repairs, path, chance.uniform(0, 0.3))
        assert twicetold("index", "check", "--repair", path).code == 0
        assert twicetold("index", "check", path).out == "all is well\n"
        assert (content(path)[1], pairs(path)) == (documents, found)


def test_making(tmp_path: Path) -> None:
    """The one that was being made is not there, or complete; it can be made in the same place."""
    chance = random.Random(2)
    for turn in range(KILLS // 2):
        folder = tmp_path / str(turn)
        folder.mkdir()
        killed(creates, folder, chance.uniform(0, 0.2))
        made = sorted(folder.iterdir(), key=lambda path: int(path.name))
        for path in made[:-1]:
            assert (path / "index.sqlite").exists()
        for path in made[-1:]:
            if (path / "index.sqlite").exists():
                assert twicetold("index", "check", path).out == "all is well\n"
                again = twicetold("index", "create", path, "--method", "codet")
                assert "is there already" in again.err
            else:
                assert "no index here" in twicetold("index", "info", path).err
                assert twicetold("index", "create", path, "--method", "codet").code == 0
                assert sorted(file.name for file in path.iterdir()) == [
                    "index.sqlite",
                    "segments",
                    "writer.lock",
                ]
        shutil.rmtree(folder)


def test_remains_of_one_that_was_never_finished_are_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "index"
    (path / "segments").mkdir(parents=True)
    for name in ("coming.sqlite", "coming.sqlite-wal"):
        (path / name).write_bytes(b"half")
    (path / "writer.lock").write_bytes(b"4711\n")
    assert "no index here" in twicetold("index", "info", path).err
    assert twicetold("index", "create", path, "--method", "codet").code == 0
    assert not list(path.glob("coming*"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    told = twicetold("index", "create", tmp_path / "mine").err
    assert "is there already, and is no index; choose another path" in told

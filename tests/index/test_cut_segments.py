"""Segments that another program cuts off, or writes to, under whoever reads them.

The system answers a look behind the end of a mapped file with a signal that ends the process: each
reader here is a process of its own, which has to tell the damage instead.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.calling import process
from tests.index.making import KILLS, pairs, small_files, stories, story
from twicetold.errors import IndexDamagedError
from twicetold.index import Index

ROUNDS = 2 * KILLS

#: Searches on several threads until its input ends or a segment is damaged; prints how it ended.
READER = """
import faulthandler, json, sys, threading
from tests.index.making import story
from twicetold.errors import IndexDamagedError
from twicetold.index import Index

path, when = sys.argv[1:]
if when == "before":
    faulthandler.enable()
index = Index.open(path)
whole = [len(index.search(story(n), all_pairs=True)) for n in range(60)]
if when == "after":
    faulthandler.enable()
others = [Index.open(path) for _ in range(2)]
print(json.dumps(whole), flush=True)
ended = []

def look(reader):
    try:
        while True:
            for n in range(60):
                assert len(reader.search(story(n), all_pairs=True)) == whole[n]
            assert len(reader.pairs()) > 0
    except IndexDamagedError as error:
        ended.append(str(error))

threads = [threading.Thread(target=look, args=(one,)) for one in (index, *others)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps(ended), flush=True)
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an index whose segments have several pages of memory each."""
    path = tmp_path_factory.mktemp("made") / "index"
    with small_files(1), Index.create(path, method="retelling", sample=list(stories())) as index:
        list(index.add_all(list(stories()), batch=4000))
    return path


@pytest.fixture
def index(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "index"))


def segments(path: Path) -> list[Path]:
    return sorted((path / "segments").iterdir(), key=lambda file: file.stat().st_size)


def cuts(size: int) -> Iterator[int]:
    """Yield lengths: nothing is left, the middle of a page, its beginning, all but the end."""
    chance = random.Random(5)
    while True:
        yield from (0, 4096, size - 1, size // 4096 * 4096)
        yield chance.randrange(size)


@pytest.mark.parametrize("when", ["before", "after", "never"])
def test_a_reader_tells_damage_and_lives_24(index: Path, when: str, tmp_path: Path) -> None:
    """Whether Python's own handler of faults was there before ours, came later, or never."""
    size = segments(index)[-1].stat().st_size
    assert size > 3 * 4096
    lengths = cuts(size)
    for n in range(ROUNDS):
        path = Path(shutil.copytree(index, tmp_path / f"copy{n}"))
        file = segments(path)[-1]
        with subprocess.Popen(
            [sys.executable, "-c", READER, str(path), when],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as reader:
            assert reader.stdout is not None
            assert any(json.loads(reader.stdout.readline()))
            os.truncate(file, next(lengths))
            out, err = reader.communicate(timeout=120)
        assert (reader.returncode, err) == (0, "")
        ended = json.loads(out)
        assert len(ended) == 3
        assert all(str(file) in error for error in ended)


def test_what_is_cut_off_is_told_again_until_it_is_repaired(index: Path) -> None:
    before = pairs(index)
    with Index.open(index) as reader:
        assert len(reader.search(story(0))) == 2
        os.truncate(segments(index)[-1], 5000)
        for _ in range(3):
            with pytest.raises(IndexDamagedError, match=r"index check --repair"):
                reader.search(story(0))
            with pytest.raises(IndexDamagedError, match=r"index check --repair"):
                reader.info()
        assert process("index", "check", "--repair", index).code == 0
        assert len(reader.search(story(0))) == 2
    assert pairs(index) == before


def test_a_writer_keeps_nothing_that_was_answered_from_it(index: Path) -> None:
    with Index.open(index, write=True) as writer:
        n = len(writer)
        assert len(writer.search(story(0))) == 2
        os.truncate(segments(index)[-1], 5000)
        with pytest.raises(IndexDamagedError):
            writer.add(story(60))
        assert len(writer) == n
        writer.repair()
        assert len(writer.add(story(61)).pairs) == 0
        assert len(writer.add(story(60)).pairs) == 1


def test_a_segment_that_is_written_anew_is_checked_anew(index: Path) -> None:
    """As by a copy that is put back: the same bytes are read on, others are damage."""
    file = segments(index)[-1]
    whole = file.read_bytes()
    with Index.open(index) as reader:
        assert len(reader.search(story(0))) == 2
        file.write_bytes(whole)
        assert len(reader.search(story(0))) == 2
        with file.open("r+b") as raw:
            raw.seek(3000)
            raw.write(bytes(2000))
        with pytest.raises(IndexDamagedError):
            reader.pairs()
        file.write_bytes(whole)
        assert len(reader.search(story(0))) == 2


def test_a_fault_that_is_not_ours_ends_the_process_as_before(index: Path, tmp_path: Path) -> None:
    """Python tells where it was, once; the signal is the one that came."""
    file = tmp_path / "mapped"
    file.write_bytes(bytes(65_536))
    program = """
import faulthandler, mmap, os, sys
from tests.index.making import story
from twicetold.index import Index

if sys.argv[3] == "before":
    faulthandler.enable()
index = Index.open(sys.argv[1])
assert index.search(story(0))
if sys.argv[3] == "after":
    faulthandler.enable()
    assert index.search(story(0))
with open(sys.argv[2], "r+b") as raw:
    mapped = mmap.mmap(raw.fileno(), 0)
os.truncate(sys.argv[2], 0)
mapped[40_000]
"""
    for when in ("before", "after", "never"):
        file.write_bytes(bytes(65_536))
        command = [sys.executable, "-c", program, str(index), str(file), when]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == -7
        # faulthandler, which is there twice, may tell it to each of them.
        assert ("Fatal Python error: Bus error" in done.stderr) == (when != "never")
        assert done.stderr.count("Fatal") <= 2

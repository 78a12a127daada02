"""A writer that is killed at any instant: what it acknowledged is there, and nothing is half there.

`TWICETOLD_KILLS` says how often it is killed; `make torture` does it 200 times.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.index.making import KILLS, story
from twicetold import scan
from twicetold.counting import build_statistics
from twicetold.errors import IndexLockedError, SourceError
from twicetold.index import Index

DOCUMENTS = 40 * KILLS

#: Adds documents one commit at a time; a line with the id is the acknowledgement.
WRITER = """
import sys
from tests.index.making import story
from twicetold.index import Index, merging, writing

writing.FILE = merging.FILE = 4096  # segments become files early, so that there are many to lose
with Index.open(sys.argv[1], write=True) as index:
    for number in range(int(sys.argv[2]), int(sys.argv[3])):
        added = index.add(story(number), on_duplicate="skip")
        print(added.id, flush=True)
"""


def killed(path: Path, first: int, pause: float) -> list[str]:
    """Start a writer, kill it after a while, and return what it acknowledged."""
    command = [sys.executable, "-c", WRITER, str(path), str(first), str(DOCUMENTS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline()]  # it has begun
        time.sleep(pause)
        child.send_signal(signal.SIGKILL)
        lines += child.stdout.readlines()
    # What was cut off in the middle is no acknowledgement.
    return [line.decode().strip() for line in lines if line.endswith(b"\n")]


def test_what_a_killed_writer_acknowledged_is_there(tmp_path: Path) -> None:
    path = tmp_path / "index"
    statistics = build_statistics(map(story, range(60)), method="codet")
    Index.create(path, method="codet", statistics=statistics).close()
    chance = random.Random(20)
    acknowledged: list[str] = []
    for _ in range(KILLS):
        acknowledged += killed(path, len(acknowledged), chance.uniform(0.0, 0.15))
        with Index.open(path, write=True) as index:
            assert index.check() == []
            there = {document.id: document.text for document in index.documents()}
            assert set(acknowledged) <= set(there)
            # Beyond what was acknowledged there may be the one whose line was not written.
            assert len(there) <= len(acknowledged) + 1
            assert all(there[name] == story(int(name[1:])).text for name in there)
            acknowledged = [f"d{number}" for number in range(len(there))]
            documents = list(index.documents())
            assert list(index.pairs(all_pairs=True)) == list(
                scan(documents, method="codet", statistics=statistics, all_pairs=True)
            )
    assert len(acknowledged) >= KILLS


def test_a_second_writer_is_told_at_once_and_readers_go_on(tmp_path: Path) -> None:
    path = tmp_path / "index"
    with Index.create(path, method="codet") as index:
        index.add(story(0))
        with pytest.raises(IndexLockedError, match=str(os.getpid())):
            Index.open(path, write=True)
        with Index.open(path) as reader:
            assert [pair.left for pair in reader.search(story(1))] == ["d0"]


@pytest.mark.parametrize("synced", [0, 1])
def test_a_full_disk_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, synced: int
) -> None:
    """Only when a segment is synced, or its folder, it is told that there is no room."""
    path = tmp_path / "index"
    with Index.create(path, method="codet") as index:
        index.add(story(0))
        monkeypatch.setattr("twicetold.index.writing.FILE", 1)

        calls: list[int] = []

        def full(file: int) -> None:
            calls.append(file)
            if len(calls) > synced:
                raise OSError(28, "No space left on device")

        with monkeypatch.context() as context:
            context.setattr(os, "fsync", full)
            with pytest.raises(SourceError, match="No space left on device; what was added before"):
                index.add(story(1))
        index.add(story(2))
        assert [document.id for document in index.documents()] == ["d0", "d2"]
    with Index.open(path, write=True) as index:
        assert index.check() == []
        found = index.search(story(1))
        assert {(pair.left, pair.right) for pair in found} == {("d0", "d1"), ("d1", "d2")}

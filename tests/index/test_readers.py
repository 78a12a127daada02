"""Readers in other processes, while documents come, segments are merged and time passes.

Each reader looks again and again, and every answer must be one state: the pairs of a document that
is there are those with all others of its story that are there, and with no other.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.index.making import DAY, KILLS, small_files, story
from twicetold.counting import build_statistics
from twicetold.index import Index

READERS = 3
ROUNDS = 12 * KILLS

#: Searches until its input ends; prints how often, and what it saw that cannot be.
READER = """
import json, random, sys, threading
from tests.index.test_readers import look
from twicetold.index import Index

ended = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
chance = random.Random(int(sys.argv[2]))
seen = {"looks": 0, "commits": [], "wrong": []}
with Index.open(sys.argv[1]) as index:
    print("open", flush=True)
    while not ended.is_set() or not seen["looks"]:
        look(index, chance, seen)
print(json.dumps(seen), flush=True)
"""


def number_of(name: str) -> int:
    return int(name[1:])


def look(index: Index, chance: Any, seen: dict[str, Any]) -> None:
    """Take one consistent look; note what contradicts itself."""
    found = index.pairs(all_pairs=True)
    by_story: dict[int, set[str]] = {}
    for pair in found:
        if number_of(pair.left) // 3 != number_of(pair.right) // 3:
            seen["wrong"].append(f"{pair.left} and {pair.right} are of different stories")
        by_story.setdefault(number_of(pair.left) // 3, set()).update((pair.left, pair.right))
    # All pairs of a story that has three documents, or the one of two: never two of three.
    for names in by_story.values():
        got = sum(1 for pair in found if pair.left in names)
        if got != len(names) * (len(names) - 1) // 2:
            seen["wrong"].append(f"{got} pairs of {sorted(names)}")
    info = index.info()
    first = chance.randrange(0, 60 * 3, 3)
    answer = index.search(story(first), all_pairs=True)
    others = {name for pair in answer for name in (pair.left, pair.right)} - {f"d{first}"}
    if not others <= {f"d{first + 1}", f"d{first + 2}"}:
        seen["wrong"].append(f"{sorted(others)} answer d{first}")
    if seen["commits"] and info.commit < seen["commits"][-1]:
        seen["wrong"].append(f"commit {info.commit} after {seen['commits'][-1]}")
    seen["commits"].append(info.commit)
    seen["looks"] += 1


def write(index: Index) -> None:
    """Add, replace, remove, expire; merges come with it."""
    for turn in range(ROUNDS):
        first = 3 * turn
        list(index.add_all([story(n, turn) for n in range(first, first + 3)]))
        if turn % 3 == 1:
            index.add(story(first, turn), on_duplicate="replace")
        if turn % 5 == 4:
            index.remove(f"d{first - 5}")
        if turn % 10 == 9:
            index.rebuild(statistics=index.statistics)


def test_every_answer_is_one_state(tmp_path: Path) -> None:
    path = tmp_path / "index"
    statistics = build_statistics(map(story, range(60)), method="codet")
    with (
        small_files(1500),
        ExitStack() as stack,
        Index.create(path, method="codet", statistics=statistics, window=15 * DAY) as index,
    ):
        command = [sys.executable, "-c", READER, str(path)]
        readers = [
            stack.enter_context(
                subprocess.Popen(
                    [*command, str(n)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
                )
            )
            for n in range(READERS)
        ]
        for reader in readers:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "open\n"
        write(index)
        last = index.info().commit
        looks = 0
        for reader in readers:
            out, _ = reader.communicate(timeout=120)
            seen = json.loads(out)
            assert (reader.returncode, seen["wrong"]) == (0, [])
            looks += len(set(seen["commits"]))
            assert seen["commits"][-1] <= last
        assert looks > READERS  # they did see several states
        assert index.check() == []


def test_a_reader_goes_on_after_what_it_had_opened_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "index"
    with small_files(1), Index.create(path, method="codet", window=30 * DAY) as index:
        for number in range(3):
            index.add(story(number, 0))
        with Index.open(path) as reader, Index.open(path) as idle:
            before = set((path / "segments").iterdir())
            assert len(reader.search(story(0))) == 2
            for number in range(3, 12):
                index.add(story(number, 0.1))
            assert not before & set((path / "segments").iterdir())  # merged, and removed
            for seen in (reader, idle):
                assert len(seen.search(story(0))) == 2
                assert len(seen.search(story(9))) == 2
            index.rebuild()
            assert len(reader.search(story(9))) == 2
            index.add(story(60, 200))  # all else expires
            assert reader.search(story(0)) == []
            assert [pair.left for pair in reader.search(story(61))] == ["d60"]
            assert len(reader) == 1


def test_statistics_that_a_rebuild_pins_reach_an_open_reader(tmp_path: Path) -> None:
    path = tmp_path / "index"
    with Index.create(path, method="codet") as index, Index.open(path) as reader:
        assert reader.search(story(1)) == []
        index.add(story(0))
        (one,) = reader.search(story(1))
        for number in range(2, 20):
            index.add(story(number))
        index.rebuild()
        (now, *_) = (pair for pair in reader.search(story(1)) if pair.left == "d0")
        (fresh, *_) = (pair for pair in index.search(story(1)) if pair.left == "d0")
        assert now == fresh
        assert now.left_in_right != one.left_in_right
        index.rebuild(method="qsign")
        assert [p.right for p in reader.search(story(1))] == [
            p.right for p in index.search(story(1))
        ]

"""A stream that is stopped again and again, in whatever way: every id once, every pair."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import twicetold
from tests.cli.test_stream_command import Running, started
from tests.index.making import KILLS, story
from twicetold.counting import build_statistics

DOCUMENTS = 60 * KILLS
#: The program, with commits so small that there are many.
SMALL_COMMITS = """
import runpy
from twicetold.index import streaming

streaming._DOCUMENTS = 3
runpy.run_module("twicetold", run_name="__main__", alter_sys=True)
"""
Rows = list[dict[str, Any]]


def line(number: int) -> dict[str, Any]:
    one = story(number, number / 50)
    assert one.published is not None
    told = one.published.isoformat()
    return {"id": one.id, "text": one.text, "language": "en", "published": told}


def write(path: Path, rows: Rows, mode: str = "a") -> None:
    with path.open(mode) as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """Return options with statistics, so that all runs weigh words alike."""
    path = tmp_path_factory.mktemp("statistics") / "stories.statistics"
    build_statistics(map(story, range(60)), method="codet").save(path)
    return ["--method", "codet", "--statistics", path]


def stopped_again_and_again(
    options: list[object], how: signal.Signals, chance: random.Random
) -> Rows:
    """Run the same command until it ends by itself; returns all that it told."""
    told: Rows = []
    cut = 0
    for turn in range(KILLS + 1):
        command = [sys.executable, "-c", SMALL_COMMITS, "stream", *map(str, options)]
        command += ["--documents", "-q"]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            if turn < KILLS:
                first = child.stdout.readline()
                time.sleep(chance.uniform(0, 0.01))
                child.send_signal(how)
            else:
                first = b""
            out = first + child.stdout.read()
            code = child.wait()
        assert code in {0, -how if how == signal.SIGKILL else 0}
        cut += len(told) < DOCUMENTS and turn < KILLS
        # What was cut off in the middle of a line was not told.
        told += [json.loads(row) for row in out.splitlines(keepends=True) if row.endswith(b"\n")]
    assert cut > KILLS / 3  # it was stopped before its end
    return told


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM], ids=lambda how: how.name)
def test_every_id_once_and_every_pair(
    how: signal.Signals, fixed: list[object], tmp_path: Path
) -> None:
    source, path = tmp_path / "in.jsonl", tmp_path / "index"
    rows = [line(number) for number in range(DOCUMENTS)]
    write(source, rows)
    options = [source, "--index", path, *fixed]
    told = stopped_again_and_again(options, how, random.Random(9))
    exported = [row["id"] for row in twicetold("index", "export", path).rows]
    assert exported == [row["id"] for row in rows]
    assert twicetold("index", "check", path).out == "all is well\n"
    added = [row for row in told if row["status"] == "added"]
    if how == signal.SIGTERM:  # nothing is told twice
        assert len(added) == len({row["id"] for row in added}) == DOCUMENTS
    assert {row["id"] for row in added} == set(exported)
    pairs = {(pair["left"], pair["right"]): pair for row in added for pair in row["pairs"]}
    scanned = twicetold("scan", source, *fixed, "--json").rows
    assert len(scanned) == DOCUMENTS  # three of each story
    assert pairs == {(row["left"], row["right"]): row for row in scanned}


def highest(running: Running) -> int:
    """Return the most bytes that a process has held in memory so far."""
    for row in Path(f"/proc/{running.child.pid}/status").read_text("ascii").splitlines():
        if row.startswith("VmHWM:"):
            return int(row.split()[1]) * 1024
    msg = "no such row"
    raise AssertionError(msg)


def test_memory_does_not_grow_with_what_came(fixed: list[object]) -> None:
    """Bursts of long documents, a window of few days, a reader that is slower than the stream."""
    words = " ".join(f"w{n}" for n in range(2000))
    sent = 0
    peaks = []
    with started(*fixed, "--documents", "-q", "--window", "3h") as running:
        for burst in range(12):
            new = [
                {**line(50 * burst + n), "text": f"{words} own{burst}. {words[n * 7 :]}"}
                for n in range(50)
            ]
            for row in new:
                row["text"] *= 2
            sent += sum(len(json.dumps(row)) for row in new)
            running.send(*new)
            told = [running.line() for _ in new]
            # Some expire by those that come with them.
            assert {row["status"] for row in told} <= {"added", "expired"}
            peaks.append(highest(running))
        assert running.end().code == 0
    assert sent > 20_000_000
    # What came since the second burst is not in memory.
    assert peaks[-1] - peaks[1] < sent / 2, peaks


def test_a_feed_that_is_cut_moved_away_and_half_written_is_read_once(
    fixed: list[object], tmp_path: Path
) -> None:
    feed = tmp_path / "feed.jsonl"
    feed.touch()
    rows = [line(number) for number in range(12)]
    with started("--follow", feed, "--index", tmp_path / "index", *fixed, "--documents") as running:
        write(feed, rows[:2])
        assert [running.line()["id"] for _ in range(2)] == ["d0", "d1"]
        text = json.dumps(rows[2]) + "\n"
        for part in (text[:1], text[1:40], text[40:-1]):
            with feed.open("a") as file:
                file.write(part)
            time.sleep(0.05)
        with feed.open("a") as file:  # only now the line has its end
            file.write("\n")
        assert running.line()["id"] == "d2"
        feed.rename(tmp_path / "feed.1")  # moved away, and still written to
        write(tmp_path / "feed.1", rows[3:4])
        write(feed, rows[4:6])
        assert {running.line()["id"] for _ in range(3)} == {"d3", "d4", "d5"}
        feed.write_text("")  # cut
        time.sleep(0.3)
        write(feed, rows[6:7])
        assert running.line()["id"] == "d6"
        write(tmp_path / "new", [*rows[5:9]], "w")
        (tmp_path / "new").rename(feed)  # another takes its place, with old ones in it
        last = [running.line() for _ in range(4)]
        assert [(row["id"], row["status"]) for row in last] == [
            ("d5", "skipped"),
            ("d6", "skipped"),
            ("d7", "added"),
            ("d8", "added"),
        ]
        done = running.end(signal.SIGTERM)
        assert (done.code, done.out) == (0, "")
    exported = [row["id"] for row in twicetold("index", "export", tmp_path / "index").rows]
    assert exported == [f"d{n}" for n in range(9)]


def test_a_folder_that_grows_and_a_reader_that_leaves(fixed: list[object], tmp_path: Path) -> None:
    folder = tmp_path / "feed"
    folder.mkdir()
    options = ("--follow", folder, "--index", tmp_path / "index", *fixed, "--documents", "-q")
    with started(*options) as running:
        write(folder / "one.jsonl", [line(0)])
        assert running.line()["id"] == "d0"
        (folder / "deep").mkdir()
        write(folder / "deep" / "two.jsonl", [line(1)])
        assert len(running.line()["pairs"]) == 1
        write(folder / "one.jsonl", [line(2)])
        assert len(running.line()["pairs"]) == 2
        assert running.child.stdout is not None
        running.child.stdout.close()
        write(folder / "one.jsonl", [line(3), line(4)])
        assert running.child.wait(60) == 0
    again = twicetold("stream", folder, "--index", tmp_path / "index", "--documents", "-q")
    assert {row["id"] for row in again.rows if row["status"] == "added"} | {"d0", "d1", "d2"} == {
        f"d{n}" for n in range(5)
    }

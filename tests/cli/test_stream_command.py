"""`twicetold stream`, as a shell sees it: at once, exactly once, and never more than it can."""

import contextlib
import itertools
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import NEWS, PROGRAM, Done, process, twicetold, write_lines
from twicetold.cli.stopping import Stopped, Stopping

WIRE = [json.loads(line) for line in (NEWS / "wire.jsonl").read_text("utf-8").splitlines()]
#: In the order of time, so that together the pairs are those of a scan.
STORIES = sorted(WIRE, key=lambda row: (row["published"], row["id"]))
FIXED = ("--method", "codet", "--statistics")
PATIENCE = 60


@pytest.fixture(scope="module")
def statistics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("statistics") / "news.statistics"
    assert twicetold("statistics", "build", NEWS, "--method", "codet", "-o", path).code == 0
    return path


@pytest.fixture(scope="module")
def scanned(statistics: Path) -> list[dict[str, Any]]:
    """Return the pairs of a scan, without `passages`."""
    done = twicetold("scan", NEWS / "wire.jsonl", *FIXED, statistics, "--json")
    assert len(done.rows) == 9
    return in_order(done.rows)


def in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (row["left"], row["right"]))


def lines_of(rows: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


class Running:
    """A stream in a process of its own, to which one can write, and from which one can read."""

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        self.child = child
        self._read = b""

    def send(self, *rows: dict[str, Any]) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write(lines_of(list(rows)))
        self.child.stdin.flush()

    def line(self) -> dict[str, Any]:
        """Return the next line, which must come while the input is still open."""
        while b"\n" not in self._read:
            self._read += self._some()
        line, _, self._read = self._read.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    def _some(self) -> bytes:
        assert self.child.stdout is not None
        number = self.child.stdout.fileno()
        ready, _, _ = select.select([number], [], [], PATIENCE)
        assert ready, "no answer"
        block = os.read(number, 1 << 16)
        assert block, "it ended"
        return block

    def end(self, number: signal.Signals | None = None) -> Done:
        """Send a signal, or close the input; returns what was left to read."""
        if number is not None:
            self.child.send_signal(number)
            if number == signal.SIGKILL:
                self.child.wait(PATIENCE)
        out, err = self.child.communicate(timeout=PATIENCE)
        return Done(self.child.returncode, (self._read + out).decode(), err.decode())


@contextlib.contextmanager
def started(*arguments: object, **options: Any) -> Iterator[Running]:
    child = subprocess.Popen(
        [*PROGRAM, "stream", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )
    try:
        yield Running(child)
    finally:
        child.kill()
        for pipe in (child.stdin, child.stdout, child.stderr):
            with contextlib.suppress(OSError):
                assert pipe is not None
                pipe.close()
        child.wait()


def until(condition: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < limit, "it never happens"
        time.sleep(0.02)


# What it answers


def test_its_pairs_are_those_of_a_scan(
    statistics: Path, scanned: list[dict[str, Any]], tmp_path: Path
) -> None:
    done = twicetold("stream", *FIXED, statistics, stdin=lines_of(STORIES))
    assert (done.code, done.err) == (0, "20 added; 9 pairs\n")
    assert in_order(done.rows) == scanned
    source = write_lines(tmp_path / "in.jsonl", STORIES)
    assert twicetold("stream", source, *FIXED, statistics).rows == done.rows


def test_a_line_that_comes_alone_is_answered_before_the_next_is_sent(statistics: Path) -> None:
    with started(*FIXED, statistics, "--documents", "-q") as running:
        for row in STORIES[:6]:
            running.send(row)
            assert running.line()["id"] == row["id"]
        assert running.end() == (0, "", "")


def test_half_a_line_waits_for_the_rest_of_it(statistics: Path) -> None:
    first, second = lines_of(STORIES[:1]), lines_of(STORIES[1:2])
    with started(*FIXED, statistics, "--documents", "-q") as running:
        assert running.child.stdin is not None
        for piece in (first + second[:40], second[40:]):
            running.child.stdin.write(piece)
            running.child.stdin.flush()
            assert running.line()["status"] == "added"


def test_without_statistics_all_words_weigh_the_same_however_many_come_first() -> None:
    alone = twicetold("stream", "--method", "codet", stdin=lines_of(STORIES))
    assert alone.err.splitlines()[0] == (
        "no statistics: all words weigh the same; --sample counts them in documents"
    )
    with started("--method", "codet", "-q") as running:
        running.send(STORIES[0])
        time.sleep(0.3)
        running.send(*STORIES[1:])
        assert running.end().rows == alone.rows != []


def test_a_window_bounds_what_is_compared(statistics: Path) -> None:
    text = "The dam broke on Monday. Ten villages lie below the water."
    rows = [
        {"id": str(day), "text": text, "published": f"2026-01-{day:02}"} for day in range(1, 21)
    ]
    done = twicetold(
        "stream", *FIXED, statistics, "--window", "3d", "--all-pairs", stdin=lines_of(rows)
    )
    apart = {int(row["right"]) - int(row["left"]) for row in done.rows}
    assert apart == {1, 2, 3}


# What it cannot use


def test_bad_lines_are_told_with_their_number_and_skipped(statistics: Path) -> None:
    text = lines_of(STORIES[:1]) + b'{"id": 1}\nnonsense\n\n' + lines_of(STORIES[1:3])
    done = twicetold("stream", *FIXED, statistics, stdin=text)
    assert done.code == 0
    assert len(done.rows) == 3
    assert [line.split(": ")[0] for line in done.err.splitlines()[:2]] == ["stdin:2", "stdin:3"]
    assert done.err.splitlines()[-1] == "2 skipped: 1 missing text, 1 bad json"


def test_strict_stops_after_what_came_before_was_answered(statistics: Path) -> None:
    text = lines_of(STORIES[:3]) + b"nonsense\n" + lines_of(STORIES[3:])
    done = twicetold("stream", *FIXED, statistics, "--strict", "-q", stdin=text)
    assert (done.code, len(done.rows)) == (2, 3)
    assert done.err.startswith("twicetold: stdin:4: not JSON")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--window", "3d"], "index with window none, not 3 days; leave that out, or make"),
        (["--method", "qsign"], "run `twicetold index rebuild"),
        (["--depth", "3"], "index with depth 5, not 3; leave that out, or run `twicetold index"),
        (["--language", "tr"], "index with language none, not tr;"),
        (["--on-duplicate", "error"], "is in the index already; give another one"),
    ],
    ids=lambda each: each[0] if isinstance(each, list) else "",
)
def test_other_choices_than_those_of_the_index_are_refused(
    options: list[str], message: str, statistics: Path, tmp_path: Path
) -> None:
    path = tmp_path / "index"
    same = ("--index", path, *FIXED, statistics)
    assert twicetold("stream", *same, stdin=lines_of(STORIES[:2])).code == 0
    assert twicetold("stream", *same, stdin=lines_of(STORIES[:2])).code == 0
    done = twicetold("stream", "--index", path, *options, "-q", stdin=lines_of(STORIES[:2]))
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_an_id_that_comes_again_is_skipped_or_replaced_within_one_input(statistics: Path) -> None:
    rows = [{"id": "a", "text": "One text."}, {"id": "a", "text": "Another one entirely."}]
    for how, status in (("skip", "skipped"), ("replace", "replaced")):
        done = twicetold(
            "stream",
            *FIXED,
            statistics,
            "--documents",
            "--on-duplicate",
            how,
            stdin=lines_of(rows),
        )
        assert [row["status"] for row in done.rows] == ["added", status]


# How it stops, and goes on


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)], ids=["SIGTERM", "Ctrl-C"]
)
def test_a_signal_in_the_middle_and_the_rest_are_one_run(
    number: signal.Signals,
    code: int,
    statistics: Path,
    scanned: list[dict[str, Any]],
    tmp_path: Path,
) -> None:
    options = ("--index", tmp_path / "index", *FIXED, statistics)
    with started(*options) as running:
        running.send(*STORIES[:8])
        first = running.line()
        stopped = running.end(number)
    assert stopped.code == code
    assert stopped.err.splitlines()[0].split("; ")[0].endswith(" added")
    rest = twicetold("stream", *options, stdin=lines_of(STORIES))
    assert "skipped" in rest.err
    assert in_order([first, *stopped.rows, *rest.rows]) == scanned


def test_after_kill_9_the_rest_comes_and_no_pair_is_lost(
    statistics: Path, scanned: list[dict[str, Any]], tmp_path: Path
) -> None:
    options = ("--index", tmp_path / "index", *FIXED, statistics)
    found = []
    for stop in (3, 9, 14):
        with started(*options) as running:
            running.send(*STORIES[:stop])
            if stop > 3:
                found.append(running.line())
            done = running.end(signal.SIGKILL)
            assert done.code == -signal.SIGKILL
            found += done.rows
    rest = twicetold("stream", *options, stdin=lines_of(STORIES))
    found += rest.rows
    distinct = [row for n, row in enumerate(found) if row not in found[:n]]
    assert in_order(distinct) == scanned
    assert twicetold("index", "check", tmp_path / "index").out == "all is well\n"
    exported = [row["id"] for row in twicetold("index", "export", tmp_path / "index").rows]
    assert sorted(exported) == sorted(row["id"] for row in STORIES)


def test_what_was_kept_and_not_told_is_told_first(statistics: Path, tmp_path: Path) -> None:
    options = ("--index", tmp_path / "index", *FIXED, statistics)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, "stream", *map(str, options)],
            input=lines_of(STORIES),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == (b"twicetold: standard output: cannot write: No space left on device\n")
    again = twicetold("stream", *options, stdin=b"")
    whole = twicetold("stream", *FIXED, statistics, stdin=lines_of(STORIES))
    assert again.rows == whole.rows != []
    assert twicetold("stream", *options, stdin=lines_of(STORIES)).rows == []


def test_a_reader_that_goes_away_ends_it_also_while_it_waits(statistics: Path) -> None:
    with started(*FIXED, statistics, "-q") as running:
        running.send(*STORIES[:2])
        running.line()
        assert running.child.stdout is not None
        running.child.stdout.close()
        assert running.child.wait(PATIENCE) == 0


def test_a_slow_reader_slows_down_who_writes(statistics: Path) -> None:
    """Nobody reads the answers: no more is taken than fits into pipes and one commit."""
    text = "The dam broke on Monday. Ten villages lie below the water. " * 20
    row = {"text": text, "language": "en"}
    with started(*FIXED, statistics, "--documents", "-q") as running:
        assert running.child.stdin is not None
        number = running.child.stdin.fileno()
        os.set_blocking(number, False)
        sent = 0
        quiet = time.monotonic()
        for n in itertools.count():
            rest = lines_of([{"id": f"{n:0200}", **row}])
            while rest and time.monotonic() - quiet < 4:
                with contextlib.suppress(BlockingIOError):
                    written = os.write(number, rest)
                    rest, sent, quiet = rest[written:], sent + written, time.monotonic()
                    continue
                time.sleep(0.02)
            if rest:
                break
            assert sent < 20_000_000, "it takes whatever comes"
        assert running.line()["status"] == "added"


# Following


def test_a_growing_file_is_followed_line_by_line(
    statistics: Path, scanned: list[dict[str, Any]], tmp_path: Path
) -> None:
    source = tmp_path / "feed.jsonl"
    source.write_bytes(lines_of(STORIES[:2])[:-30])
    options = ("--follow", source, "--documents", "-q", *FIXED, statistics)
    with started(*options) as running, source.open("ab", buffering=0) as growing:
        found = [running.line()]
        growing.write(lines_of(STORIES[:2])[-30:])
        found.append(running.line())
        growing.write(lines_of(STORIES[2:5]))
        found += [running.line() for _ in range(3)]
        source.rename(tmp_path / "feed.old")
        growing.write(lines_of(STORIES[5:6]))
        write_lines(source, STORIES[6:])
        found += [running.line() for _ in STORIES[5:]]
        assert running.end(signal.SIGTERM) == (0, "", "")
    assert [row["id"] for row in found] == [row["id"] for row in STORIES]
    assert in_order([pair for row in found for pair in row["pairs"]]) == scanned


def test_a_folder_is_followed_and_a_second_run_goes_on(statistics: Path, tmp_path: Path) -> None:
    folder = tmp_path / "inbox"
    folder.mkdir()
    index = ("--index", tmp_path / "index", *FIXED, statistics)
    with started("--follow", folder, "--documents", "-q", *index) as running:
        write_lines(folder / "a.jsonl", STORIES[:2])
        first = [running.line() for _ in range(2)]
        (folder / "note.txt").write_text(STORIES[2]["text"], "utf-8")
        note = running.line()
        with (folder / "a.jsonl").open("ab") as growing:
            growing.write(lines_of(STORIES[3:4]))
        last = running.line()
        assert running.end(signal.SIGTERM) == (0, "", "")
    assert [row["id"] for row in first] == [row["id"] for row in STORIES[:2]]
    assert (note["id"], last["id"]) == ("note.txt", STORIES[3]["id"])
    with started("--follow", folder, "--documents", "-q", *index) as running:
        again = [running.line() for _ in range(4)]
        assert {row["status"] for row in again} == {"skipped"}
        write_lines(folder / "b.jsonl", STORIES[4:5])
        assert running.line()["status"] == "added"
        assert running.end(signal.SIGTERM).code == 0


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("-", "follow files or folders, or leave out --follow"),
        ("none.jsonl", "none.jsonl: no such file or folder"),
        ("/dev/null", "/dev/null: is not a regular file; read it without --follow"),
        ("odd.xyz", "odd.xyz: the suffix 'xyz' names no format; say --format"),
    ],
)
def test_what_cannot_be_followed_is_refused(
    source: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("odd.xyz").write_text("x")
    done = twicetold("stream", "--follow", source, "-q", "--index", tmp_path / "index")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


# Signals


def test_a_signal_waits_for_what_is_at_hand_and_a_second_one_does_not() -> None:
    stop = Stopping()
    stop.check()
    stop.handle(signal.SIGTERM, None)
    for wait in (stop.check, lambda: stop.sleep(PATIENCE)):
        with pytest.raises(Stopped):
            wait()
    with pytest.raises(KeyboardInterrupt):
        stop.handle(signal.SIGTERM, None)


def test_a_closed_terminal_ends_it_as_sigterm_does(statistics: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    first, second = STORIES[:2]
    with started(*FIXED, statistics, "--documents", env=environment) as stream:
        stream.send(first)
        assert stream.line()["id"] == first["id"]
        stream.send(second)
        assert stream.line()["id"] == second["id"]
        assert list(tmp_path.iterdir()) != []
        done = stream.end(signal.SIGHUP)
    assert (done.code, done.err.splitlines()[-1][:7]) == (0, "2 added")
    assert list(tmp_path.iterdir()) == []


def test_a_temporary_index_is_gone_afterwards(statistics: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = process("stream", NEWS / "wire.jsonl", *FIXED, statistics, env=environment)
    assert done.code == 0
    assert list(tmp_path.iterdir()) == []


# Ids that nobody gave


@pytest.mark.parametrize("command", ["stream", "index add"])
def test_another_text_under_the_id_of_a_line_is_not_dropped_without_a_word(
    command: str, statistics: Path, tmp_path: Path
) -> None:
    path = tmp_path / "index"
    first, second = [{"text": "One thing was told."}], [{"text": "Another thing was told."}]
    options = ("--index", path, *FIXED, statistics)
    assert twicetold("stream", *options, stdin=lines_of(first)).err == "1 added; 0 pairs\n"
    assert twicetold("stream", *options, stdin=lines_of(first)).err == "1 skipped; 0 pairs\n"
    if command == "index add":
        adding = ("-", "--format", "jsonl", "--on-duplicate", "skip")
        done = twicetold("index", "add", path, *adding, stdin=lines_of(second))
    else:
        done = twicetold("stream", *options, stdin=lines_of(second))
    line, summary = (done.err + done.out).splitlines()
    assert line.startswith("stdin:1: is there with another text, which stays; give it another id")
    assert summary == "1 skipped (1 with another text than is kept); 0 pairs"
    (row,) = twicetold("stream", *options, "--documents", "-q", stdin=lines_of(second)).rows
    assert row == {"id": "stdin:1", "status": "skipped", "changed": True, "pairs": []}


def test_a_file_that_was_changed_is_taken_again_with_replace(
    statistics: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "inbox"
    folder.mkdir()
    note = folder / "note.txt"
    note.write_text("One thing was told.")
    options = (folder, "--index", tmp_path / "index", *FIXED, statistics)
    assert twicetold("stream", *options).err == "1 added; 0 pairs\n"
    note.write_text("Another thing was told.")
    assert "1 skipped (1 with another text" in twicetold("stream", *options).err
    done = twicetold("stream", *options, "--on-duplicate", "replace")
    assert done.err == "1 replaced; 0 pairs\n"

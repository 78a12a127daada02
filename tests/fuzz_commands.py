"""Call every command with inputs that are slow, large or broken, under limits of time and memory.

::

    python -m tests.fuzz_commands --inputs 1000000 [--seed N] [--seconds S] [--workers N]
    python -m tests.fuzz_commands --seed N --only NUMBER [--keep FOLDER]

Workers take one input after the other: a process for each would take longer than the commands. Each
has small stacks, a gigabyte of memory beyond what it starts with, and ten seconds of processor time
for an input; the system ends it beyond that, and its input is a finding. So is an error nobody
foresaw. The same seed and number make the same input, which ``--only`` calls alone.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import queue
import random
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from tests import hostile, hostile_bulk

ROOT = Path(__file__).resolve().parents[1]

#: Beyond these the system ends a worker: processor time of an input, memory, the stacks of the main
#: thread and of those of the kernel, and how long to wait for one that does not even compute.
SECONDS, MEMORY = 10, 1 << 30
STACK, RUST_STACK = 1 << 20, 256 << 10
PATIENCE = 300
#: What is wanted: the summary says which inputs took more.
WANTED_SECONDS, WANTED_MEGABYTES = 2.0, 500.0
#: A worker that has had so many inputs makes room for a new one.
INPUTS_OF_WORKER = 2_000
SLOWEST = 12

PROGRAM = (sys.executable, "-m", "tests.fuzz_commands")

Call = list[str]
Maker = Callable[[random.Random, Path], list[Call]]


@dataclass
class Result:
    """What came of an input."""

    number: int
    command: str
    seconds: float = 0.0
    megabytes: float = 0.0
    codes: list[int | None] = field(default_factory=list)
    fault: str | None = None
    calls: list[Call] = field(default_factory=list)
    size: int = 0

    def __str__(self) -> str:
        calls = "; ".join(" ".join(["twicetold", *call]) for call in self.calls) or self.command
        cost = f"{self.seconds:.2f} s, {self.megabytes:.0f} MB, {self.size:,} bytes"
        return f"input {self.number}: {cost}: {calls}" + (f"\n{self.fault}" if self.fault else "")


# Inputs.

METHODS: tuple[str, ...] = ()


def _methods() -> tuple[str, ...]:
    global METHODS  # noqa: PLW0603 - the package is imported in workers only
    if not METHODS:
        from twicetold.pipeline import DETECTORS

        METHODS = ("retelling", *DETECTORS)
    return METHODS


def _given(rng: random.Random, folder: Path, count: int, size: int, **kinds: Any) -> list[str]:
    """Write files; some are copies or spoiled copies of the first."""
    found: list[str] = []
    for n in range(count):
        suffix, data = hostile_bulk.file(rng, max(size // count, 1), **kinds)
        if found and rng.random() < 0.5:
            first = Path(found[0])
            suffix, data = "".join(first.suffixes), first.read_bytes()
            data = hostile.spoiled(rng, data) if rng.random() < 0.5 else data
        path = folder / f"{'abc'[n]}{suffix}"
        path.write_bytes(data)
        found.append(str(path))
    return found


def _method(rng: random.Random) -> Call:
    return [] if rng.random() < 0.4 else ["--method", rng.choice(_methods())]


def _reading(rng: random.Random) -> Call:
    more: Call = []
    if rng.random() < 0.1:
        more += ["--content", "main"]
    if rng.random() < 0.05:
        more += ["--encoding", rng.choice(("latin-1", "utf-16", "utf-8", "shift_jis"))]
    if rng.random() < 0.1:
        more += ["--language", rng.choice(("en", "tr", "zh", "th", "xx"))]
    if rng.random() < 0.03:
        more += ["--format", rng.choice(tuple(hostile_bulk.MAKERS)).replace("tsv", "csv")]
    return more


def scan(rng: random.Random, folder: Path) -> list[Call]:
    call = ["scan", *_given(rng, folder, rng.randint(1, 3), hostile_bulk.size_of(rng))]
    call += _method(rng) + _reading(rng)
    for option, name in (("-o", "p.jsonl"), ("-o", "p.csv"), ("-o", "p.parquet")):
        if rng.random() < 0.2:
            call += [option, str(folder / name)]
            break
    if rng.random() < 0.3:
        call += ["--report", str(folder / "r.html")]
    if rng.random() < 0.2:
        call += ["--clusters", str(folder / "c.jsonl")]
    if rng.random() < 0.1:
        call += ["--window", "7d"]
    return [call]


COMPARING = ("retelling", "word-overlap", "qsign", "rare-grams", "fuzzy-set")


def compare(rng: random.Random, folder: Path) -> list[Call]:
    kinds = ("txt", "html", "md")
    call = ["compare", *_given(rng, folder, 2, hostile_bulk.size_of(rng), kinds=kinds)]
    call += _reading(rng)
    if rng.random() < 0.4:
        call += ["--method", rng.choice(COMPARING)]
    if rng.random() < 0.4:
        call += ["--report", str(folder / "r.html")]
    return [call]


def dedupe(rng: random.Random, folder: Path) -> list[Call]:
    files = _given(rng, folder, rng.randint(1, 2), hostile_bulk.size_of(rng))
    call = ["dedupe", files[0], "-o", str(folder / rng.choice(("k.jsonl", "k.csv", "k.parquet")))]
    call += ["--against", files[1]] if len(files) > 1 else []
    call += ["--passages"] if rng.random() < 0.3 else []
    return [[*call, *_method(rng), *_reading(rng)]]


def explain(rng: random.Random, folder: Path) -> list[Call]:
    files = _given(rng, folder, 2, hostile_bulk.size_of(rng), kinds=("txt", "html", "md"))
    return [["explain", *files, *_method(rng), *_reading(rng)]]


def outline(rng: random.Random, folder: Path) -> list[Call]:
    (file,) = _given(
        rng, folder, 1, hostile_bulk.size_of(rng), kinds=("html", "html", "html", "txt")
    )
    call = ["outline", file]
    call += ["--json"] if rng.random() < 0.3 else []
    call += ["--paths"] if rng.random() < 0.3 else []
    return [[*call, *_reading(rng)]]


def index(rng: random.Random, folder: Path) -> list[Call]:
    size = hostile_bulk.size_of(rng)
    files = _given(rng, folder, 2, size)
    where = str(folder / "i")
    calls = [
        [
            "index",
            "create",
            where,
            *(
                ["--method", rng.choice(("codet", "minhash", "winnowing"))]
                if rng.random() < 0.3
                else []
            ),
        ],
        ["index", "add", where, files[0], *_reading(rng)],
        ["index", "search", where, files[1]],
    ]
    last = rng.choice(("info", "check", "export", "rebuild", "expire", "remove", "add"))
    more = {
        "export": ["-o", str(folder / "e.jsonl")],
        "expire": ["--before", "2026-02-01"],
        "remove": ["0"],
        "add": [files[1]],
    }
    return [*calls, ["index", last, where, *more.get(last, [])]]


def stream(rng: random.Random, folder: Path) -> list[Call]:
    files = _given(rng, folder, rng.randint(1, 2), hostile_bulk.size_of(rng))
    return [["stream", *files, *_reading(rng)]]


def statistics(rng: random.Random, folder: Path) -> list[Call]:
    files = _given(rng, folder, rng.randint(1, 2), hostile_bulk.size_of(rng))
    out = str(folder / "s.statistics")
    build = ["statistics", "build", *files, "-o", out, *_method(rng), *_reading(rng)]
    return [build, ["statistics", "show", out], ["spoil", out], ["statistics", "show", out]]


def evaluate(rng: random.Random, folder: Path) -> list[Call]:
    labels = folder / "labels.jsonl"
    known = (ROOT / "examples" / "labels.jsonl").read_bytes()
    shutil.copytree(ROOT / "examples" / "news", folder / "news")
    labels.write_bytes(hostile.spoiled(rng, known) if rng.random() < 0.8 else known)
    if rng.random() < 0.5:
        labels.write_bytes(b"".join(rng.sample(known.splitlines(keepends=True), 30)))
    call = ["evaluate", str(labels), *_method(rng)]
    if rng.random() < 0.3:
        call += ["--documents", *_given(rng, folder, 1, hostile_bulk.size_of(rng))]
    return [call]


def learn(rng: random.Random, folder: Path) -> list[Call]:
    (call,) = evaluate(rng, folder)
    return [["learn", *call[1:], "--no-curve", "-o", str(folder / "m.skops")]]


def pool(rng: random.Random, folder: Path) -> list[Call]:
    files = _given(rng, folder, rng.randint(1, 2), hostile_bulk.size_of(rng))
    where = str(folder / "pool")
    nominate = ["pool", "nominate", where, *files, *_method(rng)]
    last = rng.choice(
        (["status", where], ["adjudicate", where], ["collect", where, "-o", where + "c"])
    )
    return [nominate, ["pool", *last]]


def experiment(rng: random.Random, folder: Path) -> list[Call]:
    files = _given(rng, folder, 1, hostile_bulk.size_of(rng))
    name = rng.choice(("C-WS", "c-dt-on", "nothing"))
    return [["experiment", name, "--data", *files, "--documents", "20"]]


#: Every command, and how many of a hundred inputs or so it gets.
COMMANDS: dict[str, tuple[int, Maker]] = {
    "scan": (30, scan),
    "compare": (16, compare),
    "dedupe": (12, dedupe),
    "explain": (8, explain),
    "outline": (8, outline),
    "index": (12, index),
    "stream": (6, stream),
    "statistics": (6, statistics),
    "evaluate": (1, evaluate),
    "learn": (1, learn),
    "pool": (3, pool),
    "experiment": (1, experiment),
}


def _busy() -> None:
    while True:
        pass


def _greedy() -> None:
    bytearray(2 * MEMORY)


def _deep() -> None:
    # Writes below the end of a stack, as a recursion without an end does.
    import ctypes

    ctypes.memset(
        ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, "Py_Version")) + 2**44, 1, 1
    )


#: Inputs below zero are programs with a defect, which must be noticed.
DEFECTS: dict[int, Callable[[], None]] = {-1: _busy, -2: _greedy, -3: _deep}


def make(seed: int, number: int, folder: Path) -> tuple[str, list[Call]]:
    """Write the files of an input into a folder; return the command and its calls."""
    if number < 0:
        return DEFECTS[number].__name__, []
    rng = random.Random(f"{seed} {number}")
    (name,) = rng.choices(list(COMMANDS), [share for share, _ in COMMANDS.values()])
    calls = COMMANDS[name][1](rng, folder)
    for call in calls:
        if call[0] == "spoil":
            call.append(str(rng.randrange(2**32)))
    return name, calls


# A worker.


def _peak() -> int:
    """Return the most memory this process had since `_forget_peak`, in bytes."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])


def _forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def called(number: int, command: str, calls: list[Call], folder: Path) -> Result:
    """Call the command line, one call after the other, in this process."""
    from click.testing import CliRunner

    from twicetold.cli import program
    from twicetold.cli.exits import EXIT_CODES

    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    result = Result(number, command, calls=calls, size=size)
    if number < 0:
        try:
            DEFECTS[number]()
        except MemoryError as error:
            result.fault = repr(error)
    for call in calls:
        if call[0] == "spoil":
            path = Path(call[1])
            if path.exists():
                path.write_bytes(hostile.spoiled(random.Random(call[2]), path.read_bytes()))
            continue
        _forget_peak()
        before, start = _peak(), time.process_time()
        done = CliRunner().invoke(program, call, prog_name="twicetold")
        result.seconds = max(result.seconds, time.process_time() - start)
        result.megabytes = max(result.megabytes, (_peak() - before) / 1e6)
        result.codes.append(done.exit_code)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            result.fault = "".join(traceback.format_exception(done.exception))
        elif done.exit_code not in EXIT_CODES or "Traceback" in done.stderr:
            result.fault = f"exit code {done.exit_code}: {done.stderr[-2000:]}"
        if result.fault:
            break
    return result


def work(seed: int, where: Path) -> None:
    """Take numbers from standard input, and tell what came of each on standard output."""
    answers = os.fdopen(os.dup(1), "w")
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    from twicetold.pipeline import DETECTORS, detector_class

    for name in DETECTORS:
        detector_class(name)
    for entry in ("scan", "compare", "dedupe", "explain", "outline", "stream", "evaluate"):
        __import__(f"twicetold.cli.{entry}")
    status = Path("/proc/self/status").read_text()
    data = 1024 * int(status.partition("VmData:")[2].split()[0])
    limit = data + MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in sys.stdin:
        number = int(line)
        with tempfile.TemporaryDirectory(dir=where) as name:
            folder = Path(name)
            signal.setitimer(signal.ITIMER_PROF, 0)
            command, calls = make(seed, number, folder)
            print(json.dumps({"command": command, "calls": calls}), file=answers, flush=True)
            # The system ends the process when so much is spent: nothing in it can be too busy.
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            result = called(number, command, calls, folder)
            signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps(vars(result)), file=answers, flush=True)


class Worker:
    """A process that takes inputs, and another one where it ends."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._process: subprocess.Popen[bytes] | None = None
        self._left = 0
        self._answers = b""
        # In memory where that can be: commands wait for disks.
        shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self._folder = tempfile.TemporaryDirectory(prefix="twicetold-fuzz-", dir=shared)
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the worker

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._left == 0:
            self._end()
            environment = {**os.environ, "RUST_MIN_STACK": str(RUST_STACK), "PYTHONHASHSEED": "0"}
            self._process = subprocess.Popen(
                [*PROGRAM, "--seed", str(self._seed), "--work", self._folder.name],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                preexec_fn=_small_stack,  # noqa: PLW1509 - before any thread of the worker
            )
            self._left = INPUTS_OF_WORKER
        return self._process

    def try_input(self, number: int) -> Result:
        """Return what comes of an input, also if the worker ends."""
        process = self._start()
        self._left -= 1
        assert process.stdin is not None
        process.stdin.write(b"%d\n" % number)
        process.stdin.flush()
        known: dict[str, Any] = {"command": "making the input", "calls": []}
        for last in (False, True):
            line = self._line(process)
            if line is None:
                return self._ended(process, number, known)
            known = json.loads(line)
            if last:
                return Result(**known)
        raise AssertionError

    def _line(self, process: subprocess.Popen[bytes]) -> bytes | None:
        """Return the next line of the answers; None if the process ended, or does nothing."""
        assert process.stdout is not None
        while b"\n" not in self._answers:
            ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
            more = os.read(process.stdout.fileno(), 1 << 16) if ready else b""
            if not more:
                return None
            self._answers += more
        line, _, self._answers = self._answers.partition(b"\n")
        return line

    def _ended(
        self, process: subprocess.Popen[bytes], number: int, known: dict[str, Any]
    ) -> Result:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1)
        if process.returncode is None:
            what = f"no answer within {PATIENCE} s, though it does not compute"
        elif process.returncode == -signal.SIGPROF:
            what = f"more than {SECONDS} s of processor time"
        else:
            self._errors.seek(0)
            errors = self._errors.read()[-3000:].decode(errors="replace")
            what = f"the process ended with {process.returncode}: {errors}"
        self._end()
        return Result(number, known["command"], fault=what, calls=known["calls"], seconds=SECONDS)

    def close(self) -> None:
        """End the process and everything it left."""
        self._end()
        self._folder.cleanup()
        self._errors.close()

    def _end(self) -> None:
        if self._process is not None:
            with self._process as process:  # closes its pipes, and waits
                process.kill()
            self._process = None
        self._answers = b""
        self._errors.seek(0)
        self._errors.truncate()
        for left in Path(self._folder.name).iterdir():
            shutil.rmtree(left)


def _small_stack() -> None:
    resource.setrlimit(resource.RLIMIT_STACK, (STACK, STACK))


# All of them.


@dataclass
class Summary:
    """What came of many inputs."""

    seed: int
    inputs: int = 0
    by_command: Counter[str] = field(default_factory=Counter)
    codes: Counter[int] = field(default_factory=Counter)
    findings: list[Result] = field(default_factory=list)
    slowest: list[Result] = field(default_factory=list)
    largest: list[Result] = field(default_factory=list)
    over: int = 0

    def add(self, result: Result) -> None:
        self.inputs += 1
        self.by_command[result.command] += 1
        self.codes.update(code for code in result.codes if code is not None)
        if result.fault:
            self.findings.append(result)
            return
        self.over += result.seconds > WANTED_SECONDS or result.megabytes > WANTED_MEGABYTES
        self.slowest = sorted([*self.slowest, result], key=lambda r: -r.seconds)[:SLOWEST]
        self.largest = sorted([*self.largest, result], key=lambda r: -r.megabytes)[:SLOWEST]

    def lines(self) -> Iterator[str]:
        yield f"seed: {self.seed}"
        yield f"inputs: {self.inputs:,}"
        yield f"commands: {dict(self.by_command.most_common())}"
        yield f"exit codes: {dict(sorted(self.codes.items()))}"
        for title, results in (("most time", self.slowest), ("most memory", self.largest)):
            yield f"{title}:"
            yield from (f"  {result}" for result in results[:5])
        yield f"more than {WANTED_SECONDS:g} s or {WANTED_MEGABYTES:g} MB: {self.over}"
        yield f"findings: {len(self.findings)}"
        yield from map(str, self.findings)


def fuzz(
    inputs: int,
    seed: int,
    seconds: float = float("inf"),
    *,
    workers: int | None = None,
    first: int = 0,
) -> Summary:
    """Try so many inputs, or for so long; return what came of them."""
    summary, ends = Summary(seed), time.monotonic() + seconds
    numbers = iter(range(first, first + inputs))
    taking, results = threading.Lock(), queue.SimpleQueue[Result | None]()

    def run() -> None:
        worker = Worker(seed)
        try:
            while time.monotonic() < ends:
                with taking:
                    number = next(numbers, None)
                if number is None:
                    break
                results.put(worker.try_input(number))
        finally:
            worker.close()
            results.put(None)

    running = [threading.Thread(target=run) for _ in range(workers or os.cpu_count() or 1)]
    for thread in running:
        thread.start()
    for _ in running:
        for result in iter(results.get, None):
            summary.add(result)
    return summary


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as the command line says; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz_commands", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 2**32)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--workers", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.work is not None:
        work(given.seed, given.work)
        return 0
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
        _, calls = make(given.seed, given.only, given.keep)
        for call in calls:
            print(" ".join(["twicetold", *call]))  # noqa: T201 - the answer
        return 0
    if given.only is not None:
        given.first, given.inputs = given.only, 1
    found = fuzz(given.inputs, given.seed, given.seconds, workers=given.workers, first=given.first)
    sys.stdout.write("".join(f"{line}\n" for line in found.lines()))
    return 1 if found.findings else 0


if __name__ == "__main__":
    sys.exit(main())

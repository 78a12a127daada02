"""An index on disk: bulk rate beside a scan, memory, size, searches, and readers while it grows."""

import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from benchmarks import jsonl
from benchmarks.runner import MEGABYTE, Command, Measured, measure
from benchmarks.table import figure, table
from benchmarks.text.collection import make_collection
from benchmarks.tools import scan, twicetold
from twicetold import Document
from twicetold.index import Index

#: What an index may take on disk: so many times the compressed text, and bytes for each posting.
TEXT, POSTING = 1.2, 20
_READERS = 4
#: How often each of them asks in a second.
_A_SECOND = 20
_SHARE_BEFORE = 5
#: Searches before those that are measured.
_BEFORE = 3000


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Documents that were added, and scans of them.

    A scan counts its statistics in all of them, an index in a sample, and so both may tell other
    pairs. What a scan takes that tells the same is known by one with the statistics
    of the index.
    """

    added: Measured
    #: None: they were not asked for, nor were documents compared when they were added.
    scanned: Measured | None
    scanned_alike: Measured | None

    @property
    def rate(self) -> float | None:
        """The rate of adding over that of a scan."""
        return None if self.scanned is None else self.scanned.seconds / self.added.seconds

    @property
    def rate_alike(self) -> float | None:
        """The rate of adding over that of a scan with the same statistics."""
        alike = self.scanned_alike
        return None if alike is None else alike.seconds / self.added.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """An index of one size."""

    n_documents: int
    file_bytes: int
    #: None of them: it was there from an earlier run.
    turns: list[Turn]
    disk: int
    text_bytes: int
    postings: int
    segments: int
    #: Milliseconds of each search, and those of documents that are there already.
    searches: list[float]
    repeated: list[float]

    @property
    def allowed(self) -> float:
        """The bytes it may take on disk."""
        return TEXT * self.text_bytes + POSTING * self.postings


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Searches of several processes while one adds: milliseconds, and what went wrong."""

    n_documents: int
    seconds: float
    searches: list[float]
    errors: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """Indexes of growing size, and readers of the largest one while it is made."""

    title: str
    steps: list[Step]
    readers: Readers | None

    def __str__(self) -> str:
        columns = [
            "documents", "MB", "scan s", "cpu s", "with its statistics s", "cpu s", "add s",
            "cpu s", "rate over scan", "with its statistics", "peak MB", "disk MB", "allowed MB",
            "segments", "search ms, median", "p90", "p99", "of a copy, median", "p99",
        ]  # fmt: skip
        told = [self.title]
        if self.steps:
            told += ["", table(columns, [_row(step) for step in self.steps])]
        if self.readers is not None:
            found = self.readers
            middle, late = (quantile(found.searches, share) for share in (0.5, 0.99))
            line = (
                f"- {_READERS} readers, each {_A_SECOND} times a second, while "
                f"{found.n_documents:,} documents were added in {found.seconds:.0f} s: "
                f"{len(found.searches):,} searches, median {middle:.1f} ms, p99 {late:.1f} ms; "
                f"{len(found.errors)} errors"
            )
            told += ["", line, *(f"- {error}" for error in found.errors[:5])]
        return "\n".join(told)

    def to_json(self) -> dict[str, Any]:
        steps = [
            {
                **asdict(step),
                "rates": [turn.rate for turn in step.turns],
                "rates_alike": [turn.rate_alike for turn in step.turns],
                "allowed": step.allowed,
            }
            for step in self.steps
        ]
        readers = None if self.readers is None else asdict(self.readers)
        return {"title": self.title, "steps": steps, "readers": readers}


def index(  # noqa: PLR0913 - all that can be chosen, by name
    sizes: Sequence[int],
    *,
    method: str = "retelling",
    source: Path | None = None,
    seed: int = 1,
    limit: float = 3600,
    searches: int = 300,
    readers: bool = False,
    answers: bool = True,
    made: Path | None = None,
    keep: Path | None = None,
    pinned: Path | None = None,
    repeat: int = 1,
    pause: float = 0,
) -> Indexed:
    """Make indexes of the first so many documents of one collection, for each size.

    ``made`` is one that is there already. Without ``answers`` there is no scan to compare with.
    In the folder ``keep`` indexes stay; those that are there from an earlier run are only searched.
    ``pinned`` are statistics for all of them; otherwise each index counts its own.
    Each is made ``repeat`` times, by turns with the scans, and the last one is searched. Before
    each program is a ``pause`` of seconds: to take memory that another one has just let go of is
    cheaper on some machines.
    """
    if repeat < 1:
        msg = f"--repeat must be at least 1, got {repeat}"
        raise SystemExit(msg)
    if readers and (pinned is not None or repeat > 1 or pause):
        msg = "--readers measures one index with its own statistics; leave the rest out"
        raise SystemExit(msg)
    steps = []
    found = None
    with tempfile.TemporaryDirectory(prefix="twicetold-bench-") as folder:
        work = Path(folder)
        whole, part = work / "whole.jsonl", work / "part.jsonl"
        if made is None:
            make_collection(whole, max(sizes), source=source, seed=seed)
        for size in sorted(sizes):
            jsonl.head(made or whole, part, size)
            if not readers:
                name = f"{method}-{size}" if pinned is None else f"{method}-{size}-{pinned.stem}"
                path = (work if keep is None else keep) / name
                turns: list[Turn] = []
                if not path.exists():
                    run = partial(_measured, limit=limit, pause=pause)
                    for _ in range(repeat):
                        shutil.rmtree(path, ignore_errors=True)
                        turns.append(_turn(part, path, method, pinned, run, answers=answers))
                steps.append(_step(part, path, size, turns, searches, seed))
        if readers:
            found = read_while_adding(part, max(sizes), method, searches, seed)
    origin = "invented text" if source is None else f"paragraphs of {source.name}, resampled"
    origin = origin if made is None else made.name
    origin = origin if pinned is None else f"{origin}, statistics {pinned.name}"
    return Indexed(title=f"Index, {method}: {origin}", steps=steps, readers=found)


def _measured(command: Command, *, limit: float, pause: float) -> Measured:
    time.sleep(pause)
    found = measure(command, limit=limit)
    if found.code:
        raise SystemExit(found.reason or "it was stopped; give a larger --limit")
    return found


def _turn(
    part: Path,
    path: Path,
    method: str,
    pinned: Path | None,
    run: Callable[[Command], Measured],
    *,
    answers: bool,
) -> Turn:
    """Make an index of a file; returns what that and scans of it took.

    It has its name when all is added.
    """
    program = twicetold()
    assert program is not None
    pairs, its = part.with_name("pairs.jsonl"), part.with_name("its.statistics")
    scanned = run(scan(part, pairs, method)) if answers else None
    path.parent.mkdir(parents=True, exist_ok=True)
    growing = path.with_suffix(".growing")
    shutil.rmtree(growing, ignore_errors=True)
    Index.create(growing, method=method, statistics=pinned).close()
    arguments = [program, "index", "add", str(growing), str(part), "--quiet"]
    arguments += [] if answers else ["--no-answers"]
    added = run(Command(arguments=arguments))
    growing.rename(path)
    alike = None
    if answers:
        with Index.open(path) as opened:
            assert opened.statistics is not None
            opened.statistics.save(its)
        arguments = [*scan(part, pairs, method).arguments, "--statistics", str(its)]
        alike = run(Command(arguments=arguments))
    return Turn(added=added, scanned=scanned, scanned_alike=alike)


def _step(
    part: Path,
    path: Path,
    size: int,
    turns: list[Turn],
    searches: int,
    seed: int,
) -> Step:
    """Search an index of a file."""
    with Index.open(path) as opened:
        info = opened.info()
        if info.documents != size:
            msg = f"{size:,} documents wanted, {part.name} has {info.documents:,}"
            raise SystemExit(msg)
        copies = _asking(part, size, 2 * (_BEFORE + searches), seed)
        random.Random(seed).shuffle(copies)
        before, copies = copies[2 * searches :], copies[: 2 * searches]
        milliseconds = _searched(opened, mixed(copies), mixed(before))
        repeated = _searched(opened, copies[:searches], ())
    disk = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return Step(
        n_documents=size,
        file_bytes=part.stat().st_size,
        turns=turns,
        disk=disk,
        text_bytes=info.text_bytes,
        postings=info.postings,
        segments=info.segments,
        searches=milliseconds,
        repeated=repeated,
    )


def _asking(part: Path, size: int, number: int, seed: int) -> list[Document]:
    """Return documents of a file under other ids: each finds at least itself."""
    chosen = set(random.Random(seed).sample(range(size), min(number, size)))
    with part.open("rb") as lines:
        records = [orjson.loads(line) for n, line in enumerate(lines) if n in chosen]
    return [Document(id=f"asking {record['id']}", text=record["text"]) for record in records]


def mixed(documents: Sequence[Document]) -> list[Document]:
    r"""Return new documents, each of the paragraphs of one and the next, by turns.

    Each has half of what two documents of the index have, and so is in a pair with them.

    >>> pair = [Document(id="a", text="1\n\n2\n\n3"), Document(id="b", text="4\n\n5")]
    >>> [document.text for document in mixed(pair)]
    ['1\n\n3\n\n5']
    """
    found = []
    for one, other in zip(documents[::2], documents[1::2], strict=False):
        paragraphs = one.text.split("\n\n")[::2] + other.text.split("\n\n")[1::2]
        found.append(Document(id=f"{one.id}, {other.id}", text="\n\n".join(paragraphs)))
    return found


def _searched(opened: Index, asking: Sequence[Document], others: Sequence[Document]) -> list[float]:
    """Return the milliseconds of each search, after others that are not counted.

    What is read from a segment for the first time is checked: that is not what is measured here.
    """
    for document in others:
        opened.search(document)
    found = []
    for document in asking:
        start = time.perf_counter()
        opened.search(document)
        found.append(1e3 * (time.perf_counter() - start))
    return found


def read_while_adding(part: Path, size: int, method: str, searches: int, seed: int) -> Readers:
    """Search from several processes while most of a file is added.

    What was found at the start is to be found always: those documents stay.
    """
    path = part.with_name("read")
    shutil.rmtree(path, ignore_errors=True)
    first = size // _SHARE_BEFORE
    begin, rest = part.with_name("begin.jsonl"), part.with_name("rest.jsonl")
    records = list(jsonl.read(part))
    jsonl.write(begin, records[:first])
    jsonl.write(rest, records[first:])
    with Index.create(path, method=method) as made:
        for _ in made.iter_add(_documents(begin)):
            pass
        asking = _asking(begin, first, searches, seed)
        expected = [sorted(others(made, one)) for one in asking]
    questions = part.with_name("questions.jsonl")
    rows = zip(asking, expected, strict=True)
    jsonl.write(questions, ({"id": a.id, "text": a.text, "expected": e} for a, e in rows))
    program = twicetold()
    assert program is not None
    with _readers(path, questions) as running:
        added = measure(Command(arguments=[program, "index", "add", str(path), str(rest), "-q"]))
    found = [reader.result for reader in running]
    errors = [error for result in found for error in result["errors"]]
    if added.code:
        errors.append(added.reason)
    milliseconds = [ms for result in found for ms in result["searches"]]
    return Readers(
        n_documents=size - first, seconds=added.seconds, searches=milliseconds, errors=errors
    )


def others(opened: Index, document: Document) -> set[str]:
    """Return the documents that are related to one."""
    pairs = opened.search(document, all_pairs=True)
    return {pair.right if pair.left == document.id else pair.left for pair in pairs}


def _documents(path: Path) -> Iterator[Document]:
    for record in jsonl.read(path):
        yield Document(id=record["id"], text=record["text"])


@dataclass(slots=True)
class _Reader:
    process: subprocess.Popen[bytes]
    result: dict[str, Any]


@contextmanager
def _readers(path: Path, questions: Path) -> Iterator[list[_Reader]]:
    """Let processes search until the end of the block; their results are known then."""
    command = [sys.executable, "-m", "benchmarks.reading"]
    command += [str(path), str(questions), str(_A_SECOND)]
    pipe = subprocess.PIPE
    running = [
        _Reader(subprocess.Popen(command, stdin=pipe, stdout=pipe), {}) for _ in range(_READERS)
    ]
    try:
        yield running
    finally:
        for reader in running:
            out, _ = reader.process.communicate()
            reader.result.update(orjson.loads(out) if out else {"searches": [], "errors": ["died"]})


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which such a share of all lies.

    >>> quantile([3, 1, 2], 0.5)
    2
    """
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0


def _row(step: Step) -> list[str]:
    scanned = [turn.scanned for turn in step.turns if turn.scanned is not None]
    alike = [turn.scanned_alike for turn in step.turns if turn.scanned_alike is not None]
    added = [turn.added for turn in step.turns]
    rates = [turn.rate for turn in step.turns if turn.rate is not None]
    rates_alike = [turn.rate_alike for turn in step.turns if turn.rate_alike is not None]
    return [
        f"{step.n_documents:,}",
        figure(step.file_bytes / MEGABYTE),
        *(
            ", ".join(figure(getattr(one, name)) for one in runs)
            for runs in (scanned, alike, added)
            for name in ("seconds", "cpu")
        ),
        *(", ".join(f"{rate:.2f}" for rate in found) for found in (rates, rates_alike)),
        ", ".join(f"{one.peak / MEGABYTE:,.0f}" for one in added),
        figure(step.disk / MEGABYTE),
        figure(step.allowed / MEGABYTE),
        str(step.segments),
        f"{statistics.median(step.searches):.2f}",
        *(f"{quantile(step.searches, share):.2f}" for share in (0.9, 0.99)),
        *(f"{quantile(step.repeated, share):.2f}" for share in (0.5, 0.99)),
    ]

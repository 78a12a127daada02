"""What a tool did on a file, and how much of what was planted it found."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import jsonl
from benchmarks.runner import MEGABYTE, Measured, busy
from benchmarks.table import figure, table
from benchmarks.text.planted import KINDS

Pair = tuple[str, str]
Truth = dict[Pair, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One row: ``measured`` is ``None`` if the tool is not installed."""

    tool: str
    megabytes: float
    measured: Measured | None = None
    pairs: int | None = None
    extra: int | None = None
    recall: dict[str, float] = field(default_factory=dict)
    note: str = ""

    @property
    def speed(self) -> float | None:
        """Megabytes of input a second; ``None`` if it did not finish."""
        if self.measured is None or self.measured.code != 0:
            return None
        return self.megabytes / self.measured.seconds

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "speed": self.speed}


def unordered(left: str, right: str) -> Pair:
    return (left, right) if left <= right else (right, left)


def read_truth(path: Path) -> Truth:
    return {unordered(row["left"], row["right"]): row["kind"] for row in jsonl.read(path)}


def judge(pairs: Iterable[Pair], truth: Truth) -> dict[str, Any]:
    """Return the number of different pairs, those not planted, and the recall of each kind."""
    reported = {unordered(left, right) for left, right in pairs}
    found = Counter(kind for pair, kind in truth.items() if pair in reported)
    planted = Counter(truth.values())
    return {
        "pairs": len(reported),
        "extra": len(reported) - found.total(),
        "recall": {kind: found[kind] / planted[kind] for kind in KINDS if planted[kind]},
    }


def render(results: list[Result], floor: Measured, limit: float) -> str:
    """Return the table of all tools, the floor last, and a line per notable ratio."""
    kinds = list(dict.fromkeys(kind for result in results for kind in result.recall))
    counts = [*kinds, "extra"] if kinds else ["pairs"]
    columns = ["tool", "seconds", "cpu s", "MB/s", "x floor", "peak MB", *counts]
    rows = [_row(result, floor, limit, counts) for result in results]
    words = Result(tool="floor: wc -w", megabytes=results[0].megabytes, measured=floor)
    rows.append(_row(words, floor, limit, counts))
    notes = [f"- {result.tool}: {result.note}" for result in results if result.note]
    return "\n".join([table(columns, rows), "", *notes, *busy([floor]), *_ratios(results)])


def _row(result: Result, floor: Measured, limit: float, counts: list[str]) -> list[str]:
    measured = result.measured
    if measured is None:
        return [result.tool, "not installed", *["-"] * (4 + len(counts))]
    seconds = f"> {limit:g}" if measured.stopped else figure(measured.seconds)
    times = measured.seconds / floor.seconds
    cells = [
        result.tool,
        "failed" if measured.failed else seconds,
        figure(measured.cpu),
        "-" if result.speed is None else figure(result.speed),
        figure(times) if measured.code == 0 else f"> {figure(times)}" if measured.stopped else "-",
        f"{measured.peak / MEGABYTE:,.0f}",
    ]
    known: dict[str, str] = {kind: f"{share:.3f}" for kind, share in result.recall.items()}
    if result.pairs is not None:
        known |= {"pairs": f"{result.pairs:,}", "extra": f"{result.extra:,}"}
    return cells + [known.get(name, "-") for name in counts]


def _ratios(results: list[Result]) -> list[str]:
    """Return how Twicetold compares with each peer that finished."""
    ours = [result for result in results if result.tool.startswith("twicetold")]
    return [
        f"- {our.tool} is {figure(our.speed / peer.speed)} x as fast as {peer.tool}"
        f" ({figure(our.speed)} against {figure(peer.speed)} MB/s)"
        for our in ours
        for peer in results
        if our.speed and peer.speed and not peer.tool.startswith("twicetold")
    ]

"""How time and memory of a scan grow with the collection."""

import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks import jsonl
from benchmarks.runner import MEGABYTE, Measured, measure
from benchmarks.table import exponent, figure, table
from benchmarks.text.collection import make_collection, make_equal
from benchmarks.tools import scan

_BASE_MEMORY, _MEMORY_PER_TEXT = 300e6, 2.0
MOST_EXPONENT = 1.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One size: the bytes of its texts, and the scan of it."""

    n_documents: int
    text_bytes: int
    measured: Measured

    @property
    def allowed(self) -> float:
        """The memory a scan may take: 300 MB and twice the text."""
        return _BASE_MEMORY + _MEMORY_PER_TEXT * self.text_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Scans of growing collections of one making."""

    title: str
    steps: list[Step]

    @property
    def exponent(self) -> float | None:
        """The power of documents that seconds grow by; ``None`` if fewer than two scans ended."""
        done = [step for step in self.steps if step.measured.code == 0]
        sizes = [step.n_documents for step in done]
        seconds = [step.measured.seconds for step in done]
        return exponent(sizes, seconds) if len(set(sizes)) > 1 else None

    def __str__(self) -> str:
        columns = ["documents", "text MB", "seconds", "MB/s", "peak MB", "300 MB + 2 x text"]
        rows = table(columns, [_row(step) for step in self.steps])
        power = "unknown" if self.exponent is None else f"{self.exponent:.3f}"
        wanted = f"wanted: at most {MOST_EXPONENT}"
        return f"{self.title}\n\n{rows}\n\n- exponent of seconds over documents: {power} ({wanted})"

    def to_json(self) -> dict[str, Any]:
        steps = [{**asdict(step), "allowed": step.allowed} for step in self.steps]
        return {"title": self.title, "exponent": self.exponent, "steps": steps}


def growth(
    sizes: Sequence[int],
    *,
    method: str = "codet",
    source: Path | None = None,
    seed: int = 1,
    limit: float = 600,
) -> Growth:
    """Scan the first so many documents of one collection, for each size."""
    with tempfile.TemporaryDirectory(prefix="twicetold-bench-") as folder:
        whole = Path(folder) / "whole.jsonl"
        part = Path(folder) / "part.jsonl"
        make_collection(whole, max(sizes), source=source, seed=seed)
        steps = []
        for size in sorted(sizes):
            jsonl.head(whole, part, size)
            steps.append(_step(part, size, method, limit))
    return Growth(title=f"Growth, {method}: {_origin(source)}", steps=steps)


def scenarios(
    sizes: Sequence[int], *, method: str = "codet", seed: int = 1, limit: float = 600
) -> list[Growth]:
    """Scan n equal and n distinct documents, CoDet's worst and best case, n doubling."""
    steps = []
    with tempfile.TemporaryDirectory(prefix="twicetold-bench-") as folder:
        path = Path(folder) / "equal.jsonl"
        for size in sorted(sizes):
            make_equal(path, size, seed=seed)
            steps.append(_step(path, size, method, limit))
    equal = Growth(title=f"n equal documents, {method}", steps=steps)
    distinct = growth(sizes, method=method, seed=seed, limit=limit)
    return [equal, Growth(title=f"n distinct documents, {method}", steps=distinct.steps)]


def _origin(source: Path | None) -> str:
    return "invented text" if source is None else f"paragraphs of {source.name}, resampled"


def _step(path: Path, size: int, method: str, limit: float) -> Step:
    command = scan(path, path.with_name("pairs.jsonl"), method)
    measured = measure(command, limit=limit, repeat=3)
    return Step(n_documents=size, text_bytes=jsonl.text_bytes(path), measured=measured)


def _row(step: Step) -> list[str]:
    measured = step.measured
    speed = step.text_bytes / MEGABYTE / measured.seconds
    seconds = "failed" if measured.failed else "stopped" if measured.stopped else None
    return [
        f"{step.n_documents:,}",
        figure(step.text_bytes / MEGABYTE),
        seconds or figure(measured.seconds),
        figure(speed) if measured.code == 0 else "-",
        f"{measured.peak / MEGABYTE:,.0f}",
        f"{step.allowed / MEGABYTE:,.0f}",
    ]

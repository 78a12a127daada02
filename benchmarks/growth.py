"""How time and memory of a scan grow with the collection."""

import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks import jsonl
from benchmarks.runner import MEGABYTE, Measured, busy, measure, word_count
from benchmarks.table import exponent, figure, table
from benchmarks.text.collection import make_collection, make_equal
from benchmarks.tools import scan

_BASE_MEMORY, _MEMORY_PER_TEXT = 300e6, 2.0
MOST_EXPONENT = 1.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One size: the bytes of its texts, the scan of it, and ``wc -w`` just before and after."""

    n_documents: int
    text_bytes: int
    measured: Measured
    floors: tuple[Measured, Measured]

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
        return self._power([step.measured.seconds for step in self._done])

    @property
    def cpu_exponent(self) -> float | None:
        """The same of processor time, which other programs disturb less."""
        return self._power([step.measured.cpu for step in self._done])

    @property
    def _done(self) -> list[Step]:
        return [step for step in self.steps if step.measured.code == 0]

    def _power(self, seconds: list[float]) -> float | None:
        sizes = [step.n_documents for step in self._done]
        return exponent(sizes, seconds) if len(set(sizes)) > 1 else None

    def __str__(self) -> str:
        columns = [
            "documents",
            "text MB",
            "seconds",
            "cpu s",
            "MB/s",
            "peak MB",
            "300 MB + 2 x text",
        ]
        rows = table(columns, [_row(step) for step in self.steps])
        notes = [
            f"- exponent of {name} over documents: {'unknown' if power is None else f'{power:.3f}'}"
            for name, power in (("seconds", self.exponent), ("cpu seconds", self.cpu_exponent))
        ]
        notes[0] += f" (wanted: at most {MOST_EXPONENT})"
        reasons = dict.fromkeys(step.measured.reason for step in self.steps)
        notes += [f"- {reason}" for reason in reasons if reason]
        notes += busy([floor for step in self.steps for floor in step.floors])
        return "\n".join([self.title, "", rows, "", *notes])

    def to_json(self) -> dict[str, Any]:
        steps = [{**asdict(step), "allowed": step.allowed} for step in self.steps]
        powers = {"exponent": self.exponent, "cpu_exponent": self.cpu_exponent}
        return {"title": self.title, **powers, "steps": steps}


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
    before = measure(word_count(path))
    measured = measure(command, limit=limit, repeat=3)
    floors = (before, measure(word_count(path)))
    return Step(
        n_documents=size, text_bytes=jsonl.text_bytes(path), measured=measured, floors=floors
    )


def _row(step: Step) -> list[str]:
    measured = step.measured
    speed = step.text_bytes / MEGABYTE / measured.seconds
    seconds = "failed" if measured.failed else "stopped" if measured.stopped else None
    return [
        f"{step.n_documents:,}",
        figure(step.text_bytes / MEGABYTE),
        seconds or figure(measured.seconds),
        figure(measured.cpu),
        figure(speed) if measured.code == 0 else "-",
        f"{measured.peak / MEGABYTE:,.0f}",
        f"{step.allowed / MEGABYTE:,.0f}",
    ]

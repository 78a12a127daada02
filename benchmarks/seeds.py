"""What detectors find of planted reuse, seed by seed, and the F1 of all of it."""

import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import twicetold
from benchmarks.results import Pair, Truth, read_truth, unordered
from benchmarks.table import table
from benchmarks.text.collection import make_planted
from benchmarks.text.planted import KINDS

__all__ = ["Seeds", "seeds"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A detector on the collection of one seed."""

    method: str
    seed: int
    planted: int
    recall: dict[str, float]
    found: int
    extra: int
    cpu: float

    @property
    def f1(self) -> float:
        """Of planted pairs; what was there before counts as false."""
        return 2 * self.found / (self.found + self.extra + self.planted)

    def cells(self) -> list[str]:
        shares = (f"{self.recall.get(kind, 0):.3f}" for kind in KINDS)
        share = f"{self.found / self.planted:.3f}"
        numbers = (share, f"{self.extra:,}", f"{self.f1:.3f}", f"{self.cpu:.1f}")
        return [self.method, str(self.seed), *shares, *numbers]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeds:
    """The rows of all seeds and methods."""

    title: str
    rows: list[Row]

    def __str__(self) -> str:
        head = ["method", "seed", *KINDS, "all", "extra", "F1", "cpu s"]
        return f"{self.title}\n\n{table(head, [row.cells() for row in self.rows])}"

    def to_json(self) -> dict[str, Any]:
        return {"title": self.title, "rows": [{**asdict(row), "f1": row.f1} for row in self.rows]}


def seeds(
    methods: list[str], numbers: list[int], *, source: Path | None, n_documents: int
) -> Seeds:
    """Plant reuse with each seed and scan with each method, ``METHOD`` or ``METHOD@FLOOR``."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="twicetold-bench-") as folder:
        path, listed = Path(folder) / "planted.jsonl", Path(folder) / "truth.jsonl"
        for seed in numbers:
            make_planted(path, listed, n_documents, source=source, seed=seed)
            truth = read_truth(listed)
            rows += [_row(method, seed, path, truth) for method in methods]
    origin = "invented text" if source is None else source.name
    return Seeds(title=f"Planted in {origin}, {n_documents:,} documents", rows=rows)


def _row(method: str, seed: int, path: Path, truth: Truth) -> Row:
    name, _, floor = method.partition("@")
    start = time.process_time()
    # Every pair of equal documents: else a copy is told with the earliest of its copies only.
    pairs = twicetold.scan(path, method=name, all_pairs=True, floor=float(floor) if floor else None)
    cpu = time.process_time() - start
    reported: set[Pair] = {unordered(pair.left, pair.right) for pair in pairs}
    found = Counter(kind for pair, kind in truth.items() if pair in reported)
    planted = Counter(truth.values())
    return Row(
        method=method,
        seed=seed,
        planted=len(truth),
        recall={kind: found[kind] / planted[kind] for kind in KINDS if planted[kind]},
        found=found.total(),
        extra=len(reported) - found.total(),
        cpu=cpu,
    )

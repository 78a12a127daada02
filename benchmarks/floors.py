"""The accuracy that `retelling` is to have on public labelled sets, measured and put beside it.

::

    python -m benchmarks floors --data FOLDER

FOLDER holds the sets under their names (docs/results/retelling.md). PAN: the half of the pairs that
nothing was tuned on. Thresholds are those best on Clough and Stevenson, or the method's own.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import twicetold
from benchmarks.aligned import rows
from benchmarks.table import table
from twicetold.evaluation import Evaluation, evaluate, read_labels
from twicetold.evaluation.aligning import evaluate_alignment

__all__ = ["Floors", "floors"]

#: From which share of both on versions of an article are the same: best on Clough and Stevenson.
_MEAN_FROM = 0.308
#: From which share on a pair is called reuse.
_REUSE = 0.5
#: Up to this label, 4 - ``Overall``, people found two reports dissimilar.
_DISSIMILAR = 1


@dataclass(frozen=True, slots=True)
class Figure:
    """What was found, what it is to be at the least, and what is hoped for."""

    name: str
    value: float
    floor: float
    goal: float
    #: Whether less is better.
    is_error: bool = False

    def cells(self) -> list[str]:
        wanted = (self.floor, self.goal)
        reached = [self.value <= x if self.is_error else self.value >= x for x in wanted]
        numbers = (f"{x:.4f}" for x in (self.value, self.floor, self.goal))
        return [self.name, *numbers, *("yes" if is_reached else "no" for is_reached in reached)]


@dataclass(frozen=True, slots=True)
class Floors:
    """All figures."""

    figures: list[Figure]

    def __str__(self) -> str:
        head = ["figure", "found", "floor", "goal", "floor reached", "goal reached"]
        return table(head, [figure.cells() for figure in self.figures])

    def to_json(self) -> dict[str, Any]:
        return {"figures": [asdict(figure) for figure in self.figures]}


def floors(data: Path) -> Floors:
    """Measure all of them."""
    with tempfile.TemporaryDirectory(prefix="twicetold-bench-") as folder:
        return Floors([*_passages(data), *_shares(data, Path(folder))])


def _passages(data: Path) -> Iterator[Figure]:
    found = evaluate_alignment(data / "pan13_align_train").halves["report"]
    wanted = {
        "": 0.93,
        "no-obfuscation": 0.98,
        "random": 0.92,
        "translation": 0.91,
        "summary": 0.68,
    }
    for word, floor in wanted.items():
        part = next(name for name in found if word in name and bool(name) == bool(word))
        goal = 0.95 if word == "" else floor
        yield Figure(f"PAN, {part or 'entire'}: plagdet", found[part].plagdet, floor, goal)


def _shares(data: Path, folder: Path) -> Iterator[Figure]:
    answers = _judged(data / "clough_stevenson", "retold", folder).pairs
    yield Figure("Clough and Stevenson: AUC", answers.auc or 0, 0.975, 0.985)
    yield Figure("Clough and Stevenson: Spearman", answers.spearman or 0, 0.83, 0.85)
    reports = _judged(data / "tap_dlnd_sports", "content", folder).pairs
    yield Figure("TAP-DLND sports: AUC", reports.auc or 0, 0.965, 0.975)
    versions = _judged(data / "wiki_versions_a", "mean", folder, threshold=_MEAN_FROM).pairs
    yield Figure("Wikipedia versions: F1", versions.fixed.f1 or 0, 0.935, 0.95)
    news = read_labels(data / "semeval2022_t8_train")
    far = {(pair.left, pair.right) for pair in news.pairs if pair.label <= _DISSIMILAR}
    aligned = (row for row in rows(news, "retold") if (row["left"], row["right"]) in far)
    called = sum(max(row["left_in_right"], row["right_in_left"]) >= _REUSE for row in aligned)
    yield _error("aligned, from .5 on", called / len(far))
    told = {frozenset((p.left, p.right)): p.relation for p in twicetold.scan(news.sources)}
    found = [told[pair] for pair in map(frozenset, far) if pair in told]
    called = sum(relation != "overlap" for relation in found)
    yield _error("contained or near-duplicate in a scan", called / len(far))
    yield _error("any relation in a scan, overlaps too", len(found) / len(far))


def _error(name: str, share: float) -> Figure:
    return Figure(f"SemEval, dissimilar: {name}", share, 0.01, 0.01, is_error=True)


def _judged(path: Path, by: str, folder: Path, threshold: float = 0.5) -> Evaluation:
    """Judge the shares of an alignment of all labelled pairs."""
    pairs = folder / "pairs.jsonl"
    labelled = read_labels(path)
    with pairs.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in rows(labelled, by))
    return evaluate(labelled, pairs=pairs, bootstrap=0, threshold=threshold)

"""How much of what was planted each detector finds at the least: a promise, kept by a test.

The collection is small and seeded, and detectors are exact, so the same rows come out every time.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import twicetold
from benchmarks import jsonl
from benchmarks.text.collection import make_planted
from benchmarks.text.planted import KINDS, Kind

__all__ = ["RECALL", "Row", "cells", "found_of", "make"]

DOCUMENTS, SEED = 600, 1


class Row(NamedTuple):
    """A detector with options of `scan`, and the recall it has at the least, by kind."""

    method: str
    options: Mapping[str, Any]
    least: Mapping[Kind, float]


def _row(method: str, *least: float, **options: Any) -> Row:
    return Row(method, options, dict(zip(KINDS, least, strict=True)))


#: near, near10, contained, contained10, quote, quote10.
RECALL: tuple[Row, ...] = (
    _row("retelling", 1, 1, 1, 1, 0.95, 0.85),
    _row("codet", 1, 0, 0.05, 0, 0, 0),
    _row("codet", 1, 1, 1, 1, 1, 0.4, floor=0.01),
    _row("full-fingerprint", 1, 0.35, 0, 0, 0, 0),
    _row("full-fingerprint", 1, 1, 1, 1, 0.95, 0.8, floor=0.01),
    _row("dsc", 1, 0, 0, 0, 0, 0),
    _row("dsc", 1, 1, 0.35, 0.95, 0.3, 0.3, floor=0.01),
    _row("dsc", 1, 1, 1, 1, 0.95, 0.55, mode="super-shingle", floor=0.01),
    _row("dsc", 1, 1, 1, 1, 1, 0.85, mode="mod", floor=0.01),
    _row("winnowing", 1, 1, 0.05, 0, 0, 0),
    _row("winnowing", 1, 1, 1, 1, 1, 0.9, floor=0.01),
    _row("imatch", 1, 0, 0, 0, 0, 0),
    _row("simhash", 1, 0, 0, 0, 0, 0),
    _row("simhash", 1, 0.4, 0, 0, 0, 0, distance=10),
    _row("minhash", 1, 0.2, 0, 0, 0, 0),
    _row("minhash", 1, 1, 0, 0, 0, 0, mode="containment"),
    _row("minhash", 1, 1, 1, 1, 0.75, 0.65, mode="containment", threshold=0.1, floor=0.01),
    _row("word-overlap", 1, 1, 0.05, 0.1, 0, 0),
    _row("word-overlap", 1, 1, 1, 1, 1, 1, floor=0.01),
    _row("qsign", 1, 1, 0.05, 0.1, 0, 0),
    _row("qsign", 1, 1, 1, 1, 1, 1, floor=0.01),
    _row("rare-grams", 1, 0.25, 0.05, 0, 0, 0),
    _row("rare-grams", 1, 1, 1, 0.95, 1, 0.35, floor=0.01),
    _row("sentence-svm", 1, 0.25, 0, 0, 0, 0),
    _row("sentence-svm", 1, 1, 1, 0.75, 0.2, 0.05, floor=0.01),
    _row("sentence-svm", 1, 1, 1, 0.95, 1, 0.2, floor=0.01, weight="idf"),
    _row("sentence-svm", 1, 1, 1, 1, 1, 0.95, floor=0.01, feature="terms"),
    _row("sentence-svm", 1, 1, 1, 1, 1, 0.9, floor=0.01, feature="shingles"),
    _row("sentence-svm", 1, 1, 1, 1, 1, 0.95, floor=0.01, feature="sentence-grams"),
    _row("sentence-svm", 1, 1, 1, 1, 0.7, 0.6, floor=0.01, feature="spotsigs"),
    _row("fuzzy-set", 1, 1, 0.05, 0, 0, 0),
    _row("fuzzy-set", 1, 1, 1, 1, 1, 0.8, floor=0.01),
    _row("tf-idf", 1, 1, 0, 0, 0, 0),
    _row("tf-idf", 1, 1, 0.65, 0.6, 0, 0, floor=0.3),
)


def make(folder: Path) -> tuple[Path, dict[frozenset[str], Kind]]:
    """Write the collection; return it, and the kind of each planted pair."""
    out, truth = folder / "planted.jsonl", folder / "truth.jsonl"
    make_planted(out, truth, DOCUMENTS, source=None, seed=SEED)
    return out, {frozenset((row["left"], row["right"])): row["kind"] for row in jsonl.read(truth)}


def found_of(row: Row, collection: Path, truth: Mapping[frozenset[str], Kind]) -> dict[Kind, float]:
    """Return the share of the planted pairs of each kind that a detector finds."""
    pairs = twicetold.scan(collection, method=row.method, **row.options)
    found = {frozenset((pair.left, pair.right)) for pair in pairs}
    planted = Counter(truth.values())
    told = Counter(kind for pair, kind in truth.items() if pair in found)
    return {kind: told[kind] / planted[kind] for kind in KINDS}


def cells() -> Iterator[list[str]]:
    """Yield the table as people read it; a dash promises nothing."""
    yield ["method", "options", *KINDS]
    for row in RECALL:
        options = ", ".join(f"`{name}={value!r}`" for name, value in row.options.items())
        shares = (f"{least:g}" if least else "–" for least in row.least.values())
        yield [f"`{row.method}`", options, *shares]

"""Evaluations for people: blocks of figures, a line a method."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from twicetold.evaluation.clustering import Clustering
from twicetold.evaluation.confusion import Decision
from twicetold.evaluation.outcome import Evaluation
from twicetold.evaluation.views import PairView, mean_of
from twicetold.reports.printable import printable
from twicetold.reports.words import count_of

__all__ = ["Row", "block", "clusters_in_words", "evaluation_lines", "number"]

_AT = ("precision", "recall", "f1", "accuracy")
_CLUSTERS = ("ari", "bcubed_precision", "bcubed_recall", "bcubed_f1", "f1")
_NAMES = {
    "f1": "F1",
    "auc": "AUC",
    "ari": "ARI",
    "mrr": "MRR",
    "average_precision": "avg. precision",
    "false_positive_rate": "false positives",
    "bcubed_precision": "B-cubed P",
    "bcubed_recall": "B-cubed R",
    "bcubed_f1": "B-cubed F1",
    "recall_at_1": "recall@1",
    "calibration_error": "calibration error",
}

_HALVES = "tuned on one half, reported on the other"

Intervals = Mapping[str, tuple[float, float]]


class Row(NamedTuple):
    """A line of a block: a method, the threshold in words, figures, and how sure they are."""

    method: str
    threshold: str
    figures: Mapping[str, float | None]
    intervals: Intervals


def evaluation_lines(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Say how several methods did on one labelled set."""
    first = evaluations[0]
    yield from _about(first)
    yield from _pair_blocks([(found.method, found.pairs) for found in evaluations])
    loose = [(found.method, found.unordered) for found in evaluations if found.unordered]
    if loose:
        yield ""
        yield "without direction: right if either document is contained in the other"
        yield from _pair_blocks(loose)
    yield from _cluster_blocks(evaluations)
    yield from _part_block(evaluations)
    yield from _difference_block(evaluations)
    yield from _notes(evaluations)


def _about(first: Evaluation) -> Iterator[str]:
    labelled, view = first.labelled, first.pairs
    kind = "directed " if labelled.directed else ""
    what = count_of(view.pairs, f"{kind}{labelled.unit} pair")
    related = "no label counts as related"
    if labelled.positive_from is not None:
        grades = f" (label {labelled.positive_from:g} or more)" if labelled.graded else ""
        related = f"{view.positives:,} related{grades}"
    yield f"{printable(labelled.name)}: {what}, {related}, {count_of(view.clusters, 'cluster')}"


def _pair_blocks(views: Sequence[tuple[str, PairView]]) -> Iterator[str]:
    whole = [name for name in ("auc", "average_precision") if views[0][1].positives]
    if any(view.pearson is not None or view.spearman is not None for _, view in views):
        whole += ["pearson", "spearman"]
    rows = [Row(method, "", view.figures(), view.intervals) for method, view in views]
    if whole:
        yield from block("at every threshold", whole, rows)
    at = [*_AT, "false_positive_rate"] if views[0][1].positives else ["false_positive_rate"]
    fixed = [Row(m, number(v.fixed.threshold), v.fixed.figures(), v.intervals) for m, v in views]
    yield from block("as decided", at, fixed)
    if not views[0][1].positives:
        return
    best = [Row(m, number(v.best.threshold), v.best.figures(), {}) for m, v in views]
    yield from block("at the best threshold of these pairs", _AT, best)
    tuned = [_tuned(method, view.tuned) for method, view in views if view.tuned]
    yield from block(_how_tuned(views[0][1]), _AT, tuned)


def _how_tuned(view: PairView) -> str:
    if view.test_part is not None:
        return "tuned on the other parts, reported on the part for testing"
    if len(view.tuned) == 1:
        return f"{_HALVES} (which has no related pairs)"
    return f"{_HALVES} (mean of both ways)"


def _tuned(method: str, tuned: Sequence[Decision | Clustering]) -> Row:
    return Row(method, ", ".join(number(half.threshold) for half in tuned), mean_of(tuned), {})


def _cluster_blocks(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    views = [(found.method, found.clusters) for found in evaluations if found.clusters is not None]
    if not views:
        return
    fixed = [Row(m, number(v.fixed.threshold), v.fixed.figures(), v.intervals) for m, v in views]
    yield from block("clusters, as decided", _CLUSTERS, fixed)
    best = [Row(m, number(v.best.threshold), v.best.figures(), {}) for m, v in views]
    yield from block("clusters, at the best threshold of these documents", _CLUSTERS, best)
    tuned = [_tuned(method, view.tuned) for method, view in views if view.tuned]
    yield from block(f"clusters, {_HALVES} (mean of both ways)", _CLUSTERS, tuned)
    first = [Row(m, "", {"recall_at_1": v.recall_at_1, "mrr": v.mrr}, {}) for m, v in views]
    yield from block("the best partner of each document", ("recall_at_1", "mrr"), first)


def _part_block(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Yield a line for each part and method, and their means, where a set has parts."""
    first = evaluations[0]
    rows = []
    for part in first.parts:
        for found in evaluations:
            name = part if len(evaluations) == 1 else f"{part} {found.method}"
            rows.append(Row(printable(name), "", found.parts[part].figures(), {}))
    for found in evaluations:
        name = "mean" if len(evaluations) == 1 else f"mean {found.method}"
        rows.append(Row(name, "", found.mean_of_parts(), {}))
    columns = ["auc", "precision", "recall", "f1"] if first.pairs.positives else []
    columns += ["false_positive_rate"]
    columns += ["pearson", "spearman"] if first.labelled.graded else []
    against = first.labelled.control
    title = "by part" if against is None else f"by part, each against {printable(against)}"
    if first.parts:
        yield from block(title, columns, rows)


def _difference_block(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Yield by how much each method differs from the first, on the same resamples."""
    first, *others = evaluations
    rows = []
    for found in others:
        known = found.more_than(first)
        values = {name: value for name, (value, _) in known.items()}
        rows.append(
            Row(found.method, "", values, {name: ends for name, (_, ends) in known.items()})
        )
    if any(row.figures for row in rows):
        names = ("f1", "precision", "recall", "auc")
        yield from block(f"as decided, more than {first.method}", names, rows)


def _notes(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Say what the figures rest on, and what they leave out."""
    first = evaluations[0]
    notes = []
    if any(half.threshold == 0 for found in evaluations for half in _thresholds(found.pairs)):
        notes.append("a threshold of .000 takes every pair for related")
    if any(math.isinf(half.threshold) for found in evaluations for half in _joining(found)):
        notes.append("where the threshold is none, documents that are not joined do best")
    if first.bootstrap:
        drawn = f"{count_of(first.bootstrap, 'resample')} of {clusters_in_words(first.pairs)}"
        notes.append(f"[ ] 95% interval, from {drawn}, seed {first.seed}")
    notes.extend(
        f"{found.method}: {count_of(n, 'pair')} found beside, without a label"
        for found in evaluations
        if (n := found.counts.get("unlabelled_found", 0))
    )
    if n := first.counts.get("missing_documents", 0):
        were = "document with a label is" if n == 1 else "documents with a label are"
        notes.append(f"{n:,} {were} not among the documents; their pairs score 0")
    if notes:
        yield ""
        yield from notes


def _joining(found: Evaluation) -> tuple[Clustering, ...]:
    """Return the clusterings whose threshold was chosen."""
    view = found.clusters
    return () if view is None else (view.best, *view.tuned)


def _thresholds(view: PairView) -> tuple[Decision, ...]:
    return (view.best, *view.tuned) if view.positives else ()


def clusters_in_words(view: PairView) -> str:
    """Say what was drawn anew."""
    return {
        "label": "whole clusters",
        "connected pairs": "connected pairs",
        "document": "documents with all their pairs",
    }[view.clustered_by]


def block(title: str, names: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    """Yield a table: a title, the names of the figures, and a line for each row."""
    if not rows:
        return
    has_threshold = any(row.threshold for row in rows)
    head = ["", *(["threshold"] if has_threshold else []), *(_NAMES.get(n, n) for n in names)]
    cells = [
        [
            row.method,
            *([row.threshold] if has_threshold else []),
            *(_figure(row.figures.get(name), row.intervals.get(name)) for name in names),
        ]
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    yield ""
    yield title
    for line in (head, *cells):
        first, *rest = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        yield "  ".join(("  " + first, *rest)).rstrip()


def _figure(value: float | None, interval: tuple[float, float] | None) -> str:
    if value is None or interval is None:
        return number(value)
    return f"{number(value)} [{number(interval[0])} {number(interval[1])}]"


def number(value: float | None) -> str:
    """Write a figure with three places; small ones with as many as they need.

    >>> number(0.8567), number(1.0), number(0.00042), number(None), number(-0.25)
    ('.857', '1.000', '.00042', '-', '-.250')

    A threshold above every score, at which nothing is joined, is none:

    >>> number(math.inf)
    'none'
    """
    if value is None:
        return "-"
    if math.isinf(value):
        return "none"
    if 0 < abs(value) < 0.01:  # noqa: PLR2004 - three places would show one digit of it
        return f"{value:.2g}".replace("0.", ".", 1)
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}"

"""Every figure of one way to look at labelled pairs, and of one way to look at clusters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from twicetold.clusters import components
from twicetold.evaluation.clustering import Clustering, Edge, Resampled, sweep
from twicetold.evaluation.columns import floats, total
from twicetold.evaluation.confusion import Decision
from twicetold.evaluation.correlation import Ranks, pearson
from twicetold.evaluation.curve import Curve
from twicetold.evaluation.ranking import first_ranks
from twicetold.evaluation.resampling import draws, intervals, resampled
from twicetold.evaluation.scored import Scored

__all__ = ["ClusterView", "PairView", "mean_of", "means", "view_clusters", "view_pairs"]

Intervals = dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairView:
    """The figures of scored pairs.

    ``fixed``  what the detector decided, at its threshold
    ``best``   the threshold with the highest F1 on all these pairs: an upper bound, not a promise
    ``tuned``  the best threshold of one half, on the other half, both ways round where both have
               related pairs; or that of all other parts, on ``test_part``
    """

    pairs: int
    positives: int
    scored: int
    clusters: int
    clustered_by: str
    fixed: Decision
    best: Decision
    tuned: tuple[Decision, ...] = ()
    test_part: str | None = None
    auc: float | None = None
    average_precision: float | None = None
    pearson: float | None = None
    spearman: float | None = None
    intervals: Intervals = field(default_factory=dict)
    #: Each figure in each resample, to compare methods resample by resample.
    samples: Mapping[str, Sequence[float | None]] = field(default_factory=dict, repr=False)

    def figures(self) -> dict[str, float | None]:
        """Return the figures by name; those at a threshold are those of ``fixed``."""
        found = {**self.fixed.figures(), "auc": self.auc}
        found["average_precision"] = self.average_precision
        if self.pearson is not None or self.spearman is not None:
            found |= {"pearson": self.pearson, "spearman": self.spearman}
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the figures with the counts behind them."""
        fixed = self.fixed.to_json()
        counts = {
            "pairs": self.pairs,
            "positives": self.positives,
            "negatives": self.pairs - self.positives,
            "scored": self.scored,
            **fixed["counts"],
            "clusters": self.clusters,
        }
        found = {
            "threshold": self.fixed.threshold,
            **self.figures(),
            "counts": counts,
            "clustered_by": self.clustered_by,
            # Where nothing is related no threshold is better than another.
            "best": self.best.to_json() if self.positives else None,
        }
        return found | _rest_json(self.tuned, self.intervals)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterView:
    """The figures of clusters: ``fixed``, ``best`` (by ARI) and ``tuned`` as in `PairView`.

    ``recall_at_1`` and ``mrr``: how often the best partner of a document is of its cluster, and
    the mean of 1 / rank of the first that is.
    """

    fixed: Clustering
    best: Clustering
    tuned: tuple[Clustering, ...] = ()
    recall_at_1: float | None = None
    mrr: float | None = None
    intervals: Intervals = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the figures with the counts behind them."""
        found = {
            **self.fixed.to_json(),
            "recall_at_1": self.recall_at_1,
            "mrr": self.mrr,
            "best": self.best.to_json(),
        }
        return found | _rest_json(self.tuned, self.intervals)


def _rest_json(tuned: Sequence[Decision | Clustering], found: Intervals) -> dict[str, Any]:
    rest: dict[str, Any] = {}
    if tuned:
        halves = [half.to_json() for half in tuned]
        rest["tuned"] = {**mean_of(tuned), "halves": halves}
    if found:
        rest["intervals"] = {name: list(ends) for name, ends in found.items()}
    return rest


def mean_of(tuned: Sequence[Decision | Clustering]) -> dict[str, float | None]:
    """Return the mean of each figure over the halves that have it."""
    return means([half.figures() for half in tuned])


def means(every: Sequence[Mapping[str, float | None]]) -> dict[str, float | None]:
    """Return the mean of each figure over those who have it."""
    found: dict[str, float | None] = {}
    for name in dict.fromkeys(name for figures in every for name in figures):
        known = [value for figures in every if (value := figures.get(name)) is not None]
        found[name] = sum(known) / len(known) if known else None
    return found


class _Pairs:
    """The columns of scored pairs, prepared for many weightings."""

    def __init__(self, scored: Scored, threshold: float, *, graded: bool) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        self.scored = scored
        self.threshold = threshold
        self.curve = Curve(scored.score, scored.positive)
        both = pc.and_(scored.positive, scored.decided)
        #: What was rightly found, what was found, what is true: 1 or 0 for each pair.
        self.masks = [m.cast(pa.float64()) for m in (both, scored.decided, scored.positive)]
        self.ranks = (Ranks(scored.score), Ranks(scored.label)) if graded else None

    def decision(self, weights: Any) -> Decision:
        import pyarrow.compute as pc

        right, found, true = (total(pc.multiply(mask, weights)) for mask in self.masks)
        rest = total(weights) - found - true + right
        return Decision(self.threshold, right, found - right, true - right, rest)

    def figures(self, times: list[float]) -> dict[str, float | None]:
        weights = self.scored.weights(times)
        counts = self.curve.count(weights)
        found = {**self.decision(weights).figures(), "auc": counts.auc()}
        found["average_precision"] = counts.average_precision()
        return found | self.correlations(weights)

    def correlations(self, weights: Any) -> dict[str, float | None]:
        if self.ranks is None:
            return {}
        scores, labels = self.ranks
        return {
            "pearson": pearson(self.scored.score, self.scored.label, weights),
            "spearman": pearson(scores.of(weights), labels.of(weights), weights),
        }

    def tuned(self, seed: int, test_part: str | None) -> Iterable[Decision]:
        for learnt, asked in _splits(self.scored, seed, test_part):
            train, test = self.curve.count(learnt), self.curve.count(asked)
            if train.positives and test.positives + test.negatives:
                yield test.at(train.best().threshold)


def _splits(scored: Scored, seed: int, test_part: str | None) -> Iterable[tuple[Any, Any]]:
    """Yield what to tune on and what to report on, as weights."""
    if test_part is not None:
        asked = [float(part == test_part) for part in scored.part]
        yield floats(1 - n for n in asked), floats(asked)
        return
    one, other = (scored.weights(half) for half in scored.halves(seed))
    yield one, other
    yield other, one


def view_pairs(
    scored: Scored,
    *,
    threshold: float,
    graded: bool,
    seed: int = 0,
    test_part: str | None = None,
    bootstrap: int = 0,
    tune: bool = True,
) -> PairView:
    """Compute every figure of scored pairs."""
    import pyarrow.compute as pc

    pairs = _Pairs(scored, threshold, graded=graded)
    weights = scored.weights(scored.ones())
    counts = pairs.curve.count(weights)
    resamples = draws(scored.n_clusters, times=bootstrap, seed=seed)
    samples = resampled(pairs.figures, resamples)
    return PairView(
        pairs=round(counts.positives + counts.negatives),
        positives=round(counts.positives),
        scored=pc.sum(pc.greater(scored.score, 0.0)).as_py() or 0,
        clusters=scored.n_clusters,
        clustered_by=scored.clustered_by,
        fixed=pairs.decision(weights),
        best=counts.best(),
        tuned=tuple(pairs.tuned(seed, test_part)) if tune else (),
        test_part=test_part,
        auc=counts.auc(),
        average_precision=counts.average_precision(),
        **pairs.correlations(weights),
        intervals=intervals(samples),
        samples=samples,
    )


def view_clusters(
    scored: Scored,
    edges: Sequence[Edge],
    decided: Sequence[Edge],
    labels: Sequence[int],
    *,
    threshold: float,
    seed: int = 0,
    bootstrap: int = 0,
) -> ClusterView:
    """Compute every figure of found clusters against labelled ones."""
    found = components(((edge.left, edge.right) for edge in decided), len(labels))
    whole = Resampled(found, labels, scored.n_clusters)
    ranks = first_ranks(edges, labels)

    def figures(times: list[float]) -> dict[str, float | None]:
        return whole.at(threshold, times).figures()

    return ClusterView(
        fixed=whole.at(threshold, scored.ones()),
        best=_best(edges, labels),
        tuned=tuple(_tuned(scored, edges, labels, seed)),
        recall_at_1=sum(rank == 1 for rank in ranks) / len(ranks) if ranks else None,
        mrr=sum(1 / rank for rank in ranks) / len(ranks) if ranks else None,
        intervals=intervals(
            resampled(figures, draws(scored.n_clusters, times=bootstrap, seed=seed))
        ),
    )


def _best(edges: Sequence[Edge], labels: Sequence[int]) -> Clustering:
    return max(sweep(edges, labels), key=lambda clustering: clustering.ari)


def _tuned(
    scored: Scored, edges: Sequence[Edge], labels: Sequence[int], seed: int
) -> Iterable[Clustering]:
    one, other = (_within(half, edges, labels) for half in scored.halves(seed))
    for learnt, asked in ((one, other), (other, one)):
        if learnt[1] and asked[1]:
            threshold = _best(*learnt).threshold
            taken = [edge for edge in asked[0] if edge.score >= threshold]
            joined = components(((edge.left, edge.right) for edge in taken), len(asked[1]))
            names = {label: n for n, label in enumerate(dict.fromkeys(asked[1]))}
            half = Resampled(joined, [names[label] for label in asked[1]], len(names))
            yield half.at(threshold, [1.0] * len(names))


def _within(
    half: Sequence[float], edges: Sequence[Edge], labels: Sequence[int]
) -> tuple[list[Edge], list[int]]:
    """Return the documents of some clusters, numbered anew, and the edges between them."""
    numbers: dict[int, int] = {}
    for document, label in enumerate(labels):
        if half[label]:
            numbers[document] = len(numbers)
    kept = [
        Edge(edge.score, numbers[edge.left], numbers[edge.right])
        for edge in edges
        if edge.left in numbers and edge.right in numbers
    ]
    return kept, [labels[document] for document in numbers]

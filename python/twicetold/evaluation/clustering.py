"""Found clusters against labelled ones: adjusted Rand index, B-cubed, pairs.

Found clusters are the connected components of the pairs a detector decides on.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from twicetold.clusters import root
from twicetold.evaluation.confusion import Decision, share

__all__ = ["Clustering", "Edge", "Resampled", "sweep"]


class Edge(NamedTuple):
    """A found pair: two documents by number, and how strongly they belong together."""

    score: float
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Clustering:
    """How clusters found at a threshold agree with the labelled ones.

    ``n`` documents make ``pairs`` pairs; ``found`` of these are in one found cluster, ``labelled``
    in one labelled cluster, ``both`` in both. ``precision`` and ``recall`` are B-cubed. All may be
    sums of weights.
    """

    threshold: float
    clusters: int
    pairs: float
    found: float
    labelled: float
    both: float
    bcubed_precision: float
    bcubed_recall: float

    @property
    def decision(self) -> Decision:
        """The pairs within found clusters, as a decision."""
        wrong, missed = self.found - self.both, self.labelled - self.both
        rest = self.pairs - self.both - wrong - missed
        return Decision(self.threshold, self.both, wrong, missed, rest)

    @property
    def ari(self) -> float:
        """The adjusted Rand index: agreement on pairs beyond chance, 1 if the clusters are equal.

        ``(both - expected) / ((found + labelled) / 2 - expected)`` with
        ``expected = found * labelled / pairs``. Hubert, Arabie, "Comparing partitions", 1985.
        """
        expected = self.found * self.labelled / self.pairs if self.pairs else 0.0
        most = (self.found + self.labelled) / 2
        # Both all in one, or both all alone: there is no other way to agree.
        return (self.both - expected) / (most - expected) if most != expected else 1.0

    @property
    def bcubed_f1(self) -> float:
        """The harmonic mean of B-cubed precision and recall."""
        total = self.bcubed_precision + self.bcubed_recall
        return share(2 * self.bcubed_precision * self.bcubed_recall, total) or 0.0

    def figures(self) -> dict[str, float | None]:
        """Return the figures by name."""
        decision = self.decision
        return {
            "ari": self.ari,
            "bcubed_precision": self.bcubed_precision,
            "bcubed_recall": self.bcubed_recall,
            "bcubed_f1": self.bcubed_f1,
            "precision": decision.precision,
            "recall": decision.recall,
            "f1": decision.f1,
        }

    def to_json(self) -> dict[str, Any]:
        """Return the figures and the counts behind them."""
        threshold = None if math.isinf(self.threshold) else self.threshold
        counts = {"clusters": self.clusters, **self.decision.to_json()["counts"]}
        return {"threshold": threshold, **self.figures(), "counts": counts}


def sweep(edges: Sequence[Edge], labels: Sequence[Hashable]) -> Iterator[Clustering]:
    """Yield the clustering at every distinct score, from nothing joined (at infinity) down.

    One pass: joining two clusters changes the sums by what these two hold. B-cubed precision of a
    document is the share of its found cluster that has its label, recall the share of its label
    that is in its found cluster; both are averaged over documents. Bagga, Baldwin, "Entity-based
    cross-document coreferencing using the vector space model", 1998.
    """
    state = _State(labels)
    yield state.at(math.inf)
    ordered = sorted(edges, key=lambda edge: -edge.score)
    for n, edge in enumerate(ordered):
        state.join(edge.left, edge.right)
        if n + 1 == len(ordered) or ordered[n + 1].score != edge.score:
            yield state.at(edge.score)


class _State:
    """Clusters that grow, each with how many documents of each label it holds."""

    def __init__(self, labels: Sequence[Hashable]) -> None:
        self.n = len(labels)
        self.sizes = Counter(labels)
        self.labelled = sum(size * (size - 1) // 2 for size in self.sizes.values())
        self.parent = list(range(self.n))
        self.held: list[dict[Hashable, int]] = [{label: 1} for label in labels]
        self.total = [1] * self.n
        #: Of each cluster, the sum over labels of their counts squared.
        self.squares = [1] * self.n
        self.clusters = self.n
        self.found = self.both = 0
        self.precision = float(self.n)
        self.recall = math.fsum(1 / self.sizes[label] for label in labels)

    def join(self, left: int, right: int) -> None:
        big, small = root(self.parent, left), root(self.parent, right)
        if big == small:
            return
        if len(self.held[big]) < len(self.held[small]):
            big, small = small, big
        self.precision -= self._share(big) + self._share(small)
        held = self.held[big]
        self.squares[big] += self.squares[small]
        for label, count in self.held[small].items():
            met = held.get(label, 0) * count
            held[label] = held.get(label, 0) + count
            self.both += met
            self.squares[big] += 2 * met
            self.recall += 2 * met / self.sizes[label]
        self.found += self.total[big] * self.total[small]
        self.total[big] += self.total[small]
        self.precision += self._share(big)
        self.parent[small] = big
        self.held[small] = {}
        self.clusters -= 1

    def _share(self, cluster: int) -> float:
        """Return the sum of the B-cubed precision of a cluster's documents."""
        return self.squares[cluster] / self.total[cluster]

    def at(self, threshold: float) -> Clustering:
        return Clustering(
            threshold=threshold,
            clusters=self.clusters,
            pairs=self.n * (self.n - 1) // 2,
            found=self.found,
            labelled=self.labelled,
            both=self.both,
            bcubed_precision=self.precision / self.n if self.n else 1.0,
            bcubed_recall=self.recall / self.n if self.n else 1.0,
        )


class Resampled:
    """A clustering whose labelled clusters are drawn anew, some often, some not at all.

    Between two draws of the same cluster there are no pairs, and B-cubed of a document is the one
    it has in the whole collection.
    """

    def __init__(self, found: Sequence[Hashable], labels: Sequence[int], n_labels: int) -> None:
        held: dict[Hashable, Counter[int]] = {}
        for cluster, label in zip(found, labels, strict=True):
            held.setdefault(cluster, Counter())[label] += 1
        self.sizes = [0] * n_labels
        self.within = [0] * n_labels
        self.precision = [0.0] * n_labels
        self.recall = [0.0] * n_labels
        self.between: Counter[tuple[int, int]] = Counter()
        for label in labels:
            self.sizes[label] += 1
        for counts in held.values():
            total = counts.total()
            for label, count in counts.items():
                self.within[label] += count * (count - 1) // 2
                self.precision[label] += count * count / total
                self.recall[label] += count * count / self.sizes[label]
            self.between.update(
                {(a, b): m * n for a, m in counts.items() for b, n in counts.items() if a < b}
            )
        self.clusters = len(held)

    def at(self, threshold: float, times: Sequence[float]) -> Clustering:
        """Return the clustering where each labelled cluster comes that many times."""

        def total(values: Iterable[float]) -> float:
            return math.fsum(n * value for n, value in zip(times, values, strict=True) if n)

        documents = total(self.sizes)
        labelled = total(size * (size - 1) // 2 for size in self.sizes)
        squares = math.fsum((n * size) ** 2 for n, size in zip(times, self.sizes, strict=True))
        both = total(self.within)
        wrong = math.fsum(times[a] * times[b] * n for (a, b), n in self.between.items())
        return Clustering(
            threshold=threshold,
            clusters=self.clusters,
            pairs=labelled + (documents**2 - squares) / 2,
            found=both + wrong,
            labelled=labelled,
            both=both,
            bcubed_precision=total(self.precision) / documents if documents else 1.0,
            bcubed_recall=total(self.recall) / documents if documents else 1.0,
        )

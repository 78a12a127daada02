"""Labelled pairs with the scores they got, and how they are weighed, drawn and divided."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from twicetold.clusters import components
from twicetold.evaluation.answers import RELATED_RELATIONS
from twicetold.evaluation.clustering import Edge
from twicetold.evaluation.columns import constant, floats, total
from twicetold.evaluation.found import Found, Measure, larger_score
from twicetold.evaluation.labels import LabelledPair, LabelledSet, unordered

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Rule", "Scored", "score_clusters", "score_pairs", "source_clusters"]


@dataclass(frozen=True, slots=True)
class Rule:
    """What is compared, and when a pair counts as found.

    ``threshold`` None: what the detector decided; else what scores at least as much.
    """

    measure: Measure = "containment"
    threshold: float | None = None

    def decides(self, found: Found, *, directed: bool) -> bool:
        """Return whether the pair counts as found."""
        if self.threshold is None:
            return found.is_decided(directed=directed)
        return found.score(self.measure, directed=directed) >= self.threshold

    def count(self, table: pa.Table) -> int:
        """Return how many pairs of a table count as found, whichever way round."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if self.threshold is None:
            related = pa.array(sorted(RELATED_RELATIONS))
            mask = pc.is_in(table.column("relation"), value_set=related)
        elif self.measure == "containment":
            mask = pc.greater_equal(larger_score(table), self.threshold)
        else:
            mask = pc.greater_equal(table.column(self.measure), self.threshold)
        return pc.sum(mask).as_py() or 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Pairs as columns: the score, what is true, what was decided, where they belong.

    ``left`` and ``right`` are the clusters of the two documents, by number: what is drawn, and
    divided into halves, is a cluster. Where ``documents`` is given (how many are in each cluster)
    all pairs of documents are known, related if in one cluster; those not listed have the score 0,
    and the last two rows stand for them: the related ones, then the unrelated ones.
    """

    score: pa.Array
    label: pa.Array
    positive: pa.Array
    decided: pa.Array
    part: list[str]
    left: pa.Array
    right: pa.Array
    n_clusters: int
    clustered_by: str
    documents: list[int] = field(default_factory=list)
    #: How many pairs each row stands for, where they were drawn from more; None: itself.
    stands_for: pa.Array | None = None

    def weights(self, times: Sequence[float]) -> Any:
        """Return how often each row counts, where each cluster comes that many times.

        A pair within a cluster comes as often as the cluster, one between two clusters as often as
        both draws meet. There are no pairs between two draws of one cluster.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        counts = floats(times)
        left = counts.take(self.left)
        if not self.documents:
            return left if self.stands_for is None else pc.multiply(left, self.stands_for)
        same = pc.equal(self.left, self.right)
        found = pc.if_else(same, left, pc.multiply(left, counts.take(self.right)))
        return pa.concat_arrays(
            [found.slice(0, len(found) - 2), floats(self._unlisted(times, found))]
        )

    def _unlisted(self, times: Sequence[float], found: pa.Array) -> list[float]:
        import pyarrow.compute as pc

        pairs = list(zip(times, self.documents, strict=True))
        related = sum(n * size * (size - 1) / 2 for n, size in pairs)
        drawn = sum(n * size for n, size in pairs)
        unrelated = (drawn**2 - sum((n * size) ** 2 for n, size in pairs)) / 2
        size = len(found) - 2
        listed, positive = found.slice(0, size), self.positive.slice(0, size)
        right = total(pc.if_else(positive, listed, constant(0.0)))
        return [related - right, unrelated - (total(listed) - right)]

    def ones(self) -> list[float]:
        """Return the times of the collection itself: each cluster once."""
        return [1.0] * self.n_clusters

    def halves(self, seed: int) -> tuple[list[float], list[float]]:
        """Divide the clusters into two halves of about as many pairs, by a seeded shuffle."""
        sizes: Sequence[float] = self.documents
        if not sizes:
            count = Counter(self.left.to_pylist())
            sizes = [count[cluster] for cluster in range(self.n_clusters)]
        order = list(range(self.n_clusters))
        random.Random(seed).shuffle(order)  # noqa: S311 - nothing secret
        halves = [0.0] * self.n_clusters, [0.0] * self.n_clusters
        filled = [0.0, 0.0]
        # The largest first: what comes last is small enough to level the halves.
        for cluster in sorted(order, key=lambda cluster: -sizes[cluster]):
            half = 0 if filled[0] <= filled[1] else 1
            halves[half][cluster] = 1.0
            filled[half] += sizes[cluster]
        return halves

    def rows(self, parts: Iterable[str | None]) -> Scored:
        """Return only the rows of some parts."""
        import pyarrow as pa

        wanted = set(parts)
        places = pa.array([n for n, part in enumerate(self.part) if part in wanted], pa.int64())
        return Scored(
            score=self.score.take(places),
            label=self.label.take(places),
            positive=self.positive.take(places),
            decided=self.decided.take(places),
            part=[self.part[n] for n in places.to_pylist()],
            left=self.left.take(places),
            right=self.right.take(places),
            n_clusters=self.n_clusters,
            clustered_by=self.clustered_by,
        )


def score_pairs(
    labelled: LabelledSet, pairs: Iterable[tuple[str, str, Found]], rule: Rule
) -> Scored:
    """Give each labelled pair its score; what was not found has the score 0."""
    import pyarrow as pa

    wanted = labelled.keys
    known: dict[tuple[str, str], Found] = {}
    for left, right, found in pairs:
        if unordered(left, right) in wanted:
            known[left, right] = found
    directed = labelled.directed
    scores, decided = [], []
    for pair in labelled.pairs:
        found_pair = known.get((pair.left, pair.right))
        if found_pair is None and (turned := known.get((pair.right, pair.left))) is not None:
            found_pair = turned.reversed()
        scores.append(found_pair.score(rule.measure, directed=directed) if found_pair else 0.0)
        decided.append(found_pair is not None and rule.decides(found_pair, directed=directed))
    numbers, clustered_by = source_clusters(labelled.pairs)
    clusters = pa.array(numbers, pa.int64())
    labels = [pair.label for pair in labelled.pairs]
    return Scored(
        score=pa.array(scores, pa.float64()),
        label=pa.array(labels, pa.float64()),
        positive=pa.array([labelled.is_positive(label) for label in labels], pa.bool_()),
        decided=pa.array(decided, pa.bool_()),
        part=[pair.part for pair in labelled.pairs],
        left=clusters,
        right=clusters,
        n_clusters=max(numbers) + 1,
        clustered_by=clustered_by,
    )


def score_clusters(
    labelled: LabelledSet, pairs: Iterable[tuple[str, str, Found]], rule: Rule
) -> tuple[Scored, list[Edge], list[Edge], list[int]]:
    """Score the pairs of documents with a cluster.

    Returns the scored pairs, the found pairs as edges between the documents of the set in order,
    those of them that count as found, and the number of each document's cluster.
    """
    import pyarrow as pa

    ids = {document: n for n, document in enumerate(labelled.clusters)}
    names = {name: n for n, name in enumerate(dict.fromkeys(labelled.clusters.values()))}
    labels = [names[name] for name in labelled.clusters.values()]
    edges, decided = [], []
    for left, right, found in pairs:
        score = found.score(rule.measure, directed=False)
        if score > 0 or rule.decides(found, directed=False):
            edges.append(Edge(score, ids[left], ids[right]))
            decided.append(rule.decides(found, directed=False))
    lefts = [labels[edge.left] for edge in edges]
    rights = [labels[edge.right] for edge in edges]
    positive = [left == right for left, right in zip(lefts, rights, strict=True)] + [True, False]
    sizes = Counter(labels)
    scored = Scored(
        score=pa.array([*(edge.score for edge in edges), 0.0, 0.0], pa.float64()),
        label=pa.array(positive, pa.bool_()).cast(pa.float64()),
        positive=pa.array(positive, pa.bool_()),
        decided=pa.array([*decided, False, False], pa.bool_()),
        part=[""] * (len(edges) + 2),
        left=pa.array([*lefts, 0, 0], pa.int64()),
        right=pa.array([*rights, 0, 0], pa.int64()),
        n_clusters=len(names),
        clustered_by="label",
        documents=[sizes[n] for n in range(len(names))],
    )
    chosen = [edge for edge, is_decided in zip(edges, decided, strict=True) if is_decided]
    return scored, edges, chosen, labels


def source_clusters(pairs: Sequence[LabelledPair]) -> tuple[list[int], str]:
    """Return the cluster of each pair, by number, and what makes a cluster.

    Pairs that are connected through documents are one cluster. Where that would leave one cluster
    with more than half of the pairs, a cluster is the pairs of one document: of the one of the two
    that fewer pairs share, such as the text that is checked against a few sources.
    """
    ids = {side: 0 for pair in pairs for side in (pair.left, pair.right)}
    ids = {name: n for n, name in enumerate(ids)}
    found = components(((ids[pair.left], ids[pair.right]) for pair in pairs), len(ids))
    clusters = [found[ids[pair.left]] for pair in pairs]
    by = "connected pairs"
    if max(Counter(clusters).values()) * 2 > len(pairs):
        uses = Counter(side for pair in pairs for side in {pair.left, pair.right})
        clusters = [
            ids[min((pair.left, pair.right), key=lambda side: (uses[side], side))] for pair in pairs
        ]
        by = "document"
    numbers = {cluster: n for n, cluster in enumerate(dict.fromkeys(clusters))}
    return [numbers[cluster] for cluster in clusters], by

"""Where the first right partner of each document stands among all that were found for it."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

from twicetold.evaluation.clustering import Edge

__all__ = ["first_ranks"]


def first_ranks(edges: Sequence[Edge], labels: Sequence[Hashable]) -> list[float]:
    """Return the rank of the best partner with the same label, for documents that have one.

    Partners come by score. Of equals the right one is taken to stand in the middle: with one wrong
    partner of the same score its rank is 1.5. Where it was not found, the rank is infinite.

    >>> first_ranks([Edge(0.9, 0, 1), Edge(0.4, 0, 2)], ["a", "b", "a"])
    [2.0, 1.0]
    """
    partners: list[list[tuple[float, bool]]] = [[] for _ in labels]
    for edge in edges:
        right = labels[edge.left] == labels[edge.right]
        partners[edge.left].append((edge.score, right))
        partners[edge.right].append((edge.score, right))
    sizes: dict[Hashable, int] = {}
    for label in labels:
        sizes[label] = sizes.get(label, 0) + 1
    return [_rank(found) for found, label in zip(partners, labels, strict=True) if sizes[label] > 1]


def _rank(found: list[tuple[float, bool]]) -> float:
    best = max((score for score, right in found if right), default=None)
    if best is None:
        return math.inf
    wrong = [score for score, right in found if not right]
    return 1 + sum(score > best for score in wrong) + sum(score == best for score in wrong) / 2

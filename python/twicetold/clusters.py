"""Clusters: documents that pairs join, with what holds them together and how well.

A chain of pairs joins documents that have nothing in common. A cluster therefore tells its worst
pair, how many of its documents no pair joins, and its bridges: pairs without which it would fall
apart. Copies of a text count as one there, since each is paired with the earliest only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from twicetold.pairs import Pairs
from twicetold.records import Pair

__all__ = ["Bridge", "Cluster", "components", "find_clusters", "root"]

#: Two texts are held together by one pair, which says nothing: bridges are told from three on.
_FEWEST_TEXTS = 3


class Bridge(NamedTuple):
    """A pair without which a cluster falls apart, and how many documents are on each side of it."""

    pair: Pair
    left_side: int
    right_side: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Documents that pairs join.

    ``documents``  by id
    ``pairs``      how many pairs join them
    ``apart``      how many two of its texts no pair joins; 0: each is joined with each
    ``worst``      the pair with the lowest score, of copies only where there is no other
    ``bridges``    those between the largest parts first
    """

    documents: tuple[str, ...]
    pairs: int
    apart: int
    worst: Pair
    bridges: tuple[Bridge, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the cluster as it is written."""
        bridges = [
            {**_brief(bridge.pair), "sides": [bridge.left_side, bridge.right_side]}
            for bridge in self.bridges
        ]
        return {
            "documents": list(self.documents),
            "pairs": self.pairs,
            "apart": self.apart,
            "worst": _brief(self.worst),
            "bridges": bridges,
        }


def _brief(pair: Pair) -> dict[str, Any]:
    names = ("left", "right", "relation", "left_in_right", "right_in_left", "score")
    return {name: getattr(pair, name) for name in names}


def find_clusters(
    pairs: Pairs | Iterable[Pair], *, threshold: float | None = None
) -> list[Cluster]:
    """Return the clusters of pairs, the largest first, then by their first document.

    ``threshold`` is the score from which on a pair joins; None: all but ``overlap`` do, which is
    what the detector decided.

    >>> def pair(left, right, score):
    ...     return Pair(left, right, "near-duplicate", score, score, score, 1.0)
    >>> chain = [pair("a", "b", 0.9), pair("b", "c", 0.6), pair("x", "y", 0.8)]
    >>> for cluster in find_clusters(chain):
    ...     print(*cluster.documents, cluster.worst.score, cluster.apart, len(cluster.bridges))
    a b c 0.6 1 2
    x y 0.8 0 0
    """
    rows = pairs if isinstance(pairs, Pairs) else list(pairs)
    graph = _Graph(rows, threshold)
    found = [graph.cluster(members) for members in graph.members()]
    return sorted(found, key=lambda cluster: (-len(cluster.documents), cluster.documents))


def components(edges: Iterable[tuple[int, int]], n: int) -> list[int]:
    """Return the component of each of n documents, as the number of one of its members."""
    parent = list(range(n))
    for left, right in edges:
        one, other = root(parent, left), root(parent, right)
        if one != other:
            parent[max(one, other)] = min(one, other)
    return [root(parent, item) for item in range(n)]


def root(parent: list[int], item: int) -> int:
    """Return the first of the component an item is in, and shorten the way there."""
    while parent[item] != item:
        parent[item] = parent[parent[item]]
        item = parent[item]
    return item


class _Edge(NamedTuple):
    """A pair that joins: its row, both documents by number, its score."""

    row: int
    left: int
    right: int
    score: float
    is_copy: bool


class _Graph:
    """Documents and the pairs that join them; copies of a text are one node."""

    def __init__(self, rows: Pairs | Sequence[Pair], threshold: float | None) -> None:
        self._rows = rows
        numbers: dict[str, int] = {}
        self._edges = [
            _Edge(
                row,
                numbers.setdefault(pair.left, len(numbers)),
                numbers.setdefault(pair.right, len(numbers)),
                pair.score,
                pair.relation == "identical",
            )
            for row, pair in enumerate(rows.plain() if isinstance(rows, Pairs) else rows)
            if (pair.relation != "overlap" if threshold is None else pair.score >= threshold)
        ]
        self._ids = list(numbers)
        n = len(numbers)
        self._cluster = components(((edge.left, edge.right) for edge in self._edges), n)
        self._text = components(
            ((edge.left, edge.right) for edge in self._edges if edge.is_copy), n
        )
        self._held: dict[int, list[_Edge]] = {}
        for edge in self._edges:
            self._held.setdefault(self._cluster[edge.left], []).append(edge)

    def members(self) -> Iterator[list[int]]:
        """Yield the documents of each cluster by number."""
        found: dict[int, list[int]] = {}
        for document, cluster in enumerate(self._cluster):
            found.setdefault(cluster, []).append(document)
        yield from found.values()

    def cluster(self, members: list[int]) -> Cluster:
        edges = self._held[self._cluster[members[0]]]
        sizes = Counter(self._text[document] for document in members)
        between = [edge for edge in edges if self._text[edge.left] != self._text[edge.right]]
        joined = {frozenset((self._text[edge.left], self._text[edge.right])) for edge in between}
        n = len(sizes)
        worst = min(between or edges, key=lambda edge: (edge.score, self._names(edge)))
        return Cluster(
            documents=tuple(sorted(self._ids[document] for document in members)),
            pairs=len(edges),
            apart=n * (n - 1) // 2 - len(joined),
            worst=self._rows[worst.row],
            bridges=self._bridges(between, sizes) if n >= _FEWEST_TEXTS else (),
        )

    def _names(self, edge: _Edge) -> tuple[str, str]:
        return self._ids[edge.left], self._ids[edge.right]

    def _bridges(self, edges: list[_Edge], sizes: Counter[int]) -> tuple[Bridge, ...]:
        total = sizes.total()
        found = []
        for edge, below, size in _bridges_of(
            [(self._text[edge.left], self._text[edge.right]) for edge in edges], sizes
        ):
            left = size if self._text[edges[edge].left] == below else total - size
            found.append((edges[edge], left, total - left))
        found.sort(key=lambda row: (-min(row[1:]), row[0].score, self._names(row[0])))
        return tuple(Bridge(self._rows[edge.row], left, right) for edge, left, right in found)


def _bridges_of(
    edges: list[tuple[int, int]], sizes: Counter[int]
) -> Iterator[tuple[int, int, int]]:
    """Yield the bridges of a connected graph: the edge, its lower node, and what hangs below it.

    An edge to a child from whose part no other edge leads back up is one. Tarjan, "A note on
    finding the bridges of a graph", 1974; without recursion, since chains can be long.
    """
    ways: dict[int, list[tuple[int, int]]] = {}
    for number, (one, other) in enumerate(edges):
        ways.setdefault(one, []).append((other, number))
        ways.setdefault(other, []).append((one, number))
    start = edges[0][0]
    order, low, held = {start: 0}, {start: 0}, dict(sizes)
    path = [(start, -1, iter(ways[start]))]
    while path:
        node, by, rest = path[-1]
        step = next(rest, None)
        if step is None:
            path.pop()
            if path:
                above = path[-1][0]
                low[above] = min(low[above], low[node])
                held[above] += held[node]
                if low[node] == order[node]:
                    yield by, node, held[node]
        elif step[1] != by and step[0] in order:
            low[node] = min(low[node], order[step[0]])
        elif step[1] != by:
            order[step[0]] = low[step[0]] = len(order)
            path.append((step[0], step[1], iter(ways[step[0]])))

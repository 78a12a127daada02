"""Tree matching: which nodes of two pages hold sentences that match.

::

    link(a, b)  how many pairs of matching sentences nodes a and b have
    shade(n)    the share of a node's own sentences that match somewhere
    RS(A, B)    the share of A's sentences that match in B: the degree of resemblance
    odds        p / (1 - p), p = RS(A, B) * RS(B, A), at most 100

The sentences may come from any detector that compares sentences. Yerra, thesis, 2005, sections
4.2 and 4.3, with the defects of the printed procedures mended: a node keeps all its partners, and
its shade is a share of its own sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from twicetold import _kernel
from twicetold.html.hierarchy import Hierarchy

__all__ = ["Link", "Order", "TreeMatch", "match_trees", "positions"]

Order = Literal["document", "thesis"]
"""``document`` numbers sentences as they are read. ``thesis`` numbers them as its algorithm does:
in-order of the binary tree of first children and next siblings, which is post-order of the page, so
that a heading comes after all that stands under it."""


class Link(NamedTuple):
    """Two nodes, and how many pairs of their sentences match."""

    left: int
    right: int
    sentences: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeMatch:
    """What two trees have in common.

    ``links``  nodes that hold matching sentences
    ``left_shades``, ``right_shades``  of each node the share of its own sentences that match
    ``dots``   the places of matching sentences, in the order asked for
    """

    links: tuple[Link, ...]
    left_shades: tuple[float, ...]
    right_shades: tuple[float, ...]
    dots: tuple[tuple[int, int], ...]
    left_resemblance: float
    right_resemblance: float
    odds: float
    order: Order = "document"

    def to_json(self) -> dict[str, Any]:
        """Return the match as JSON has it; nodes without a match are left out of the shades."""
        return {
            "links": [list(link) for link in self.links],
            "left_shades": {n: shade for n, shade in enumerate(self.left_shades) if shade},
            "right_shades": {n: shade for n, shade in enumerate(self.right_shades) if shade},
            "dots": [list(dot) for dot in self.dots],
            "left_resemblance": self.left_resemblance,
            "right_resemblance": self.right_resemblance,
            "odds": self.odds,
            "order": self.order,
        }


def match_trees(
    left: Hierarchy,
    right: Hierarchy,
    matches: Iterable[tuple[int, int]],
    /,
    *,
    order: Order = "document",
) -> TreeMatch:
    """Match the trees of two pages by pairs of sentences, numbered in document order.

    >>> from twicetold.html import outline
    >>> left = outline("<h1>News</h1><p>Shares fell. Oil rose.</p>")
    >>> right = outline("<p>Oil rose.</p><p>Gas, too.</p>")
    >>> found = match_trees(left, right, [(2, 0)])
    >>> found.links, found.left_shades, found.right_shades
    ((Link(left=2, right=1, sentences=1),), (0.0, 0.0, 0.5), (0.0, 1.0, 0.0))
    """
    pairs = sorted(set(matches))
    holders = left.holders(), right.holders()
    counts = Counter((holders[0][i], holders[1][j]) for i, j in pairs)
    matched = {i for i, _ in pairs}, {j for _, j in pairs}
    places = positions(left, order), positions(right, order)
    shares = [
        len(own) / max(len(tree.sentences), 1)
        for own, tree in zip(matched, (left, right), strict=True)
    ]
    return TreeMatch(
        links=tuple(Link(*nodes, count) for nodes, count in sorted(counts.items())),
        left_shades=_shades(left, matched[0]),
        right_shades=_shades(right, matched[1]),
        dots=tuple(sorted((places[0][i], places[1][j]) for i, j in pairs)),
        left_resemblance=shares[0],
        right_resemblance=shares[1],
        odds=_kernel.odds(shares[0], shares[1]),
        order=order,
    )


def positions(tree: Hierarchy, order: Order) -> Sequence[int]:
    """Return the place of each sentence of a page, numbered in document order, in an order."""
    if order == "document":
        return range(len(tree.sentences))
    numbered = [n for node in _post_order(tree) for n in tree.nodes[node].sentences]
    places = [0] * len(tree.sentences)
    for place, n in enumerate(numbered):
        places[n] = place
    return places


def _post_order(tree: Hierarchy) -> list[int]:
    """Return the nodes with each behind all that is under it."""
    children = tree.children()
    order: list[int] = []
    waiting = [0]
    while waiting:  # pre-order with the last child first, reversed
        node = waiting.pop()
        order.append(node)
        waiting += children[node]
    return order[::-1]


def _shades(tree: Hierarchy, matched: set[int]) -> tuple[float, ...]:
    return tuple(
        sum(n in matched for n in node.sentences) / len(node.sentences) if node.sentences else 0.0
        for node in tree.nodes
    )

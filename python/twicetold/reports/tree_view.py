"""The trees of two pages beside each other: nodes shaded by what matches, links between them."""

from __future__ import annotations

from typing import Any

from twicetold.comparing import Compared, Part
from twicetold.html import Hierarchy, TreeMatch
from twicetold.reports.page import shown
from twicetold.reports.words import count_of

__all__ = ["tree_view"]

#: Up to so many nodes on both sides all are shown at first; of more only matched branches are.
_FEW = 60
#: Of a tree with more nodes than this only the matched branches are on the page.
_MANY = 2_000
#: Characters of a node that are shown, and how deep it is indented at most.
_LONGEST, _DEEPEST = 160, 9


def tree_view(left: Compared, part: Part) -> dict[str, Any] | None:
    """Return what the template shows and what the script draws; None unless both are pages."""
    found = part.trees(left)
    if found is None:
        return None
    assert left.hierarchy is not None
    assert part.right.hierarchy is not None
    trees = left.hierarchy, part.right.hierarchy
    n_nodes = sum(len(tree.nodes) for tree in trees)
    sides = [
        _rows(tree, shades, every=len(tree.nodes) <= _MANY)
        for tree, shades in zip(trees, (found.left_shades, found.right_shades), strict=True)
    ]
    return {
        "sides": sides,
        "is_large": n_nodes > _FEW,
        "left_out": n_nodes - sum(map(len, sides)),
        "words": _words(found),
        "data": {
            "links": [number for link in found.links for number in link],
            "left": trees[0].holders(),
            "right": trees[1].holders(),
        },
    }


def _words(found: TreeMatch) -> str:
    if not found.links:
        return "No node of one page has a sentence that matches one of the other."
    nodes = [len({link[side] for link in found.links}) for side in (0, 1)]
    between = f"{count_of(nodes[0], 'node')} of left and {nodes[1]:,} of right"
    return f"{count_of(len(found.links), 'link')} between {between}."


def _rows(tree: Hierarchy, shades: tuple[float, ...], *, every: bool) -> list[dict[str, Any]]:
    """Return the nodes of a tree in document order, those outside matched branches marked."""
    matches = [shade > 0 for shade in shades]
    for node in reversed(tree.nodes):
        if matches[node.number] and node.parent is not None:
            matches[node.parent] = True
    matches[0] = True
    rows = []
    for node, depth in zip(tree.nodes, tree.depths(), strict=True):
        if not (every or matches[node.number]):
            continue
        n = len(node.sentences)
        matched = round(shades[node.number] * n)
        text = " ".join(tree.text_of(node).split())
        rows.append(
            {
                "number": node.number,
                "depth": min(depth, _DEEPEST),
                "role": node.role if node.number else "title",
                "path": shown(node.path),
                "text": shown(text[:_LONGEST] + "…" * (len(text) > _LONGEST)),
                "count": f"{matched} of {n}" if n else "",
                "shade": f"{shades[node.number]:.0%}",
                "is_matched": matched > 0,
                "is_off": not matches[node.number],
            }
        )
    return rows

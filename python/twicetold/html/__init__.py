"""Pages as people see them: the semantic hierarchy, trees matched, what a site repeats.

Names are imported when they are first used: every scan knows boilerplate, few look at trees.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from twicetold.html.boilerplate import Boilerplate
    from twicetold.html.hierarchy import ROLES, Hierarchy, Node, Role, outline
    from twicetold.html.trees import Link, Order, TreeMatch, match_trees

__all__ = [
    "ROLES",
    "Boilerplate",
    "Hierarchy",
    "Link",
    "Node",
    "Order",
    "Role",
    "TreeMatch",
    "match_trees",
    "outline",
]

_TREES = ("Link", "Order", "TreeMatch", "match_trees")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        msg = f"module 'twicetold.html' has no attribute {name!r}"
        raise AttributeError(msg)
    module = "trees" if name in _TREES else "hierarchy"
    if name == "Boilerplate":
        module = "boilerplate"
    return getattr(import_module(f"twicetold.html.{module}"), name)

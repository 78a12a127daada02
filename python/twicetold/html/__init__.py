"""Pages as people see them: the semantic hierarchy, trees matched, what a site repeats."""

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

"""A semantic hierarchy as lines of text, indented by depth."""

from __future__ import annotations

from collections.abc import Iterator

from twicetold.html.hierarchy import Hierarchy, Node
from twicetold.reports.printable import beginning, cells_of, printable

__all__ = ["outline_lines"]

#: Deeper nodes are shown as deep as this.
_DEEPEST = 20


def outline_lines(found: Hierarchy, *, width: int = 100, paths: bool = False) -> Iterator[str]:
    """Yield a line for each node: number, role, sentences, and the beginning of its text.

    >>> from twicetold.html import outline
    >>> for line in outline_lines(outline("<title>News</title><h1>Oil rose</h1><p>Why? War.")):
    ...     print(line)
    0 title      3  News
    1 heading    1    Oil rose
    2 body       2      Why? War.
    """
    digits = len(str(len(found.nodes) - 1))
    counts = max(len(str(len(found.sentences))), 2)
    for node, depth in zip(found.nodes, found.depths(), strict=True):
        role = node.role if node.number else "title"
        n = len(node.sentences) if node.number else len(found.sentences)
        head = f"{node.number:>{digits}} {role:<10} {n or '':>{counts}}  "
        indent = "  " * min(depth, _DEEPEST)
        tail = f"  {node.path}" if paths else ""
        room = max(width - len(head) - len(indent) - cells_of(tail), 24)
        text = _text(found, node)
        yield f"{head}{indent}{beginning(text, room)}{printable(tail)}".rstrip()


def _text(found: Hierarchy, node: Node) -> str:
    """Return what a node says; a cell with the headers of its column."""
    text = " ".join(printable(" ".join(found.text_of(node).split())).split())
    if not text:
        return "·"
    names = [" ".join(found.text_of(found.nodes[n]).split()) for n in node.headers]
    return printable(f"{' / '.join(names)}: {text}") if names else text

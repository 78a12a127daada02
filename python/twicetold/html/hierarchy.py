"""The semantic hierarchy of a page: which text belongs under which, and which sentences it has.

The kernel builds the tree: headings, blocks, text level and addresses decide the place of a text;
texts are clustered, merged and promoted; tables go by their row and column headers. The root is the
title.

Yerra, "Detecting similar HTML documents using a sentence-based copy detection approach", thesis,
Brigham Young University, 2005, section 4.1; for tables Lim and Ng, CIKM 1999.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

from twicetold.analysis import Analyser, Profile
from twicetold.errors import ParameterError
from twicetold.html.reading import page_of
from twicetold.records import Document, Place, Span

__all__ = ["ROLES", "Hierarchy", "Node", "Role", "outline"]

Role = Literal["body", "heading", "table", "list", "quote", "caption", "navigation", "footer"]
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the hierarchy.

    ``number``     its place in document order; the root is 0
    ``parent``     the number of the node it belongs under; None for the root
    ``path``       the elements its text is in, from the root of the page
    ``span``       its own text in the text of the document; empty if it only holds others
    ``sentences``  the numbers of its own sentences among those of the document
    ``headers``    of a cell of a table, the nodes that head its column
    """

    number: int
    parent: int | None
    role: Role
    path: str
    span: Span
    sentences: range
    headers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """The nodes of a page in document order, and its sentences."""

    name: str
    text: str = field(repr=False)
    nodes: tuple[Node, ...]
    sentences: tuple[Span, ...] = field(repr=False)
    _starts: tuple[int, ...] = field(repr=False)
    _holders: tuple[int, ...] = field(repr=False)

    def place_at(self, place: int) -> Place:
        """Return where in the page a place of the document's text is."""
        node = self.node_at(place)
        return Place(node.number, node.role, node.path)

    def node_at(self, place: int) -> Node:
        """Return the node whose text holds a place of the document's text, or the last before."""
        at = bisect_right(self._starts, place) - 1
        return self.nodes[self._holders[at]] if at >= 0 else self.nodes[0]

    def text_of(self, node: Node) -> str:
        """Return a node's own text, for the root its name."""
        return self.text[node.span.start : node.span.end] if node.number else self.name

    def children(self) -> list[list[int]]:
        """Return the children of each node."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for node in self.nodes[1:]:
            assert node.parent is not None
            found[node.parent].append(node.number)
        return found

    def holders(self) -> list[int]:
        """Return the node that each sentence is in."""
        holders = [0] * len(self.sentences)
        for node in self.nodes:
            for n in node.sentences:
                holders[n] = node.number
        return holders

    def depths(self) -> list[int]:
        """Return how deep each node is; the root is 0 deep."""
        depths = [0] * len(self.nodes)
        for node in self.nodes[1:]:
            assert node.parent is not None
            depths[node.number] = depths[node.parent] + 1
        return depths

    def to_json(self) -> dict[str, Any]:
        """Return the hierarchy as ``twicetold outline --json`` prints it."""
        return {
            "title": self.name,
            "sentences": len(self.sentences),
            "nodes": [self._node_json(node) for node in self.nodes],
        }

    def _node_json(self, node: Node) -> dict[str, Any]:
        row: dict[str, Any] = {
            "node": node.number,
            "parent": node.parent,
            "role": node.role,
            "path": node.path,
            "span": list(node.span),
            "text": self.text_of(node),
            "sentences": [{"sentence": n, "span": list(self.sentences[n])} for n in node.sentences],
        }
        if node.headers:
            row["headers"] = [self.text_of(self.nodes[n]) for n in node.headers]
        return row


def outline(
    page: Document | str,
    /,
    *,
    language: str | None = None,
    sentences: Sequence[Span] | None = None,
) -> Hierarchy:
    r"""Return the semantic hierarchy of a page: a document that was read from HTML, or markup.

    Spans point into the document's text. Of a document without a page the paragraphs, parted by
    blank lines, are the nodes. ``sentences`` are those of the document, where they are known.

    >>> found = outline("<title>News</title><h1>Shares fell</h1><p>Oil rose. Why?</p><p>Gas, too.")
    >>> [(node.parent, node.role, found.text_of(node)) for node in found.nodes[1:]]
    [(0, 'heading', 'Shares fell'), (1, 'body', 'Oil rose. Why?'), (1, 'body', 'Gas, too.')]
    >>> found.nodes[2].path, found.nodes[2].sentences
    ('html/body/p[1]', range(1, 3))
    """
    if isinstance(page, str):
        read = page_of(page)
        page = Document(id="page", text=read.text, title=read.title, language=read.language)
        rows: Sequence[Row] = read.nodes()
    elif page.html is None:
        rows = _paragraphs(page.text)
    else:
        read = page_of(page.html)
        if page.text != read.text:
            msg = f"{page.id}: its text must be that of its page; read it again from the page"
            raise ParameterError(msg)
        rows = read.nodes()
    if sentences is None:
        sentences = _sentences(page.text, language or page.language)
    return _hierarchy(page.title or page.id, page.text, rows, tuple(sentences))


Row = tuple[int, str, tuple[int, int], str, Sequence[int]]


def _paragraphs(text: str) -> list[Row]:
    rows: list[Row] = [(0, "body", (0, 0), "text", ())]
    at = 0
    for paragraph in text.split("\n\n"):
        core = paragraph.strip()
        if core:
            start = at + len(paragraph) - len(paragraph.lstrip())
            rows.append((0, "body", (start, start + len(core)), f"text/p[{len(rows)}]", ()))
        at += len(paragraph) + 2
    return rows


def _sentences(text: str, language: str | None) -> list[Span]:
    analysed = Analyser(Profile()).analyse([text], languages=[language], spans=True, threads=1)
    return [Span(*span) for span in analysed.sentence_spans(0)]


def _hierarchy(name: str, text: str, rows: Sequence[Row], sentences: tuple[Span, ...]) -> Hierarchy:
    holders = [n for n, row in enumerate(rows) if row[2][0] < row[2][1]]
    counts = dict(zip(holders, _ranges(sentences, [rows[n][2][0] for n in holders]), strict=True))
    nodes = tuple(
        Node(
            number=n,
            parent=row[0] if n else None,
            role=cast("Role", row[1]),
            path=row[3],
            span=Span(*row[2]),
            sentences=counts.get(n, range(0)),
            headers=tuple(row[4]),
        )
        for n, row in enumerate(rows)
    )
    starts = tuple(rows[n][2][0] for n in holders)
    return Hierarchy(name, text, nodes, sentences, starts, tuple(holders))


def _ranges(sentences: Sequence[Span], starts: Sequence[int]) -> Iterator[range]:
    """Yield the sentences that begin from each start on, up to the next."""
    begins = [span.start for span in sentences]
    first = 0
    for n in range(len(starts)):
        last = bisect_right(begins, starts[n + 1] - 1) if n + 1 < len(starts) else len(begins)
        yield range(first, last)
        first = last

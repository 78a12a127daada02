"""Documents as they are read: set aside, and equal texts brought together."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from twicetold.deduplicating.contents import record_of_document
from twicetold.deduplicating.order import Preference
from twicetold.deduplicating.spool import Kept, Spool
from twicetold.documents.whole import Row
from twicetold.records import Document

__all__ = ["Gathered", "Node"]


@dataclass(slots=True)
class Node:
    """A text, and who has it: rows of the sources and documents of the other collection.

    ``key`` is that of the row that is preferred, ``best``.
    """

    best: int = -1
    key: tuple[int, ...] = ()
    rows: list[int] = field(default_factory=list)
    #: The number of the first of the other collection; None: it has no such text.
    other: int | None = None
    #: How many of the other collection have it.
    others: int = 0

    def add(self, at: int, key: tuple[int, ...]) -> None:
        """Add a row."""
        self.rows.append(at)
        if self.best < 0 or key < self.key:
            self.best, self.key = at, key


class Gathered:
    """What was read, once `documents` has been run through.

    ``merge`` brings equal texts together, so that they are compared once. A window of time forbids
    that: equal texts can be too far apart.
    """

    def __init__(self, preference: Preference, *, merge: bool, texts: bool) -> None:
        self.own, self.others = Spool(), Spool()
        self.nodes: list[Node] = []
        #: Characters of each row; 0 if it is no document.
        self.lengths = array("Q")
        self.reasons: dict[int, str] = {}
        self.sources: set[str] = set()
        #: How many documents of the other collection are found in the sources, and in how many.
        self.n_found = self.n_found_in = 0
        self._preference = preference
        self._merge, self._texts = merge, texts
        self._known: dict[bytes, int] = {}

    def documents(self, rows: Iterable[Row], others: Iterable[Row]) -> Iterator[Document]:
        """Yield each text once, under the number of its node, while all rows are set aside."""
        for row in rows:
            document, at = row.document, len(self.own)
            self.lengths.append(0 if document is None else len(document.text))
            if document is None:
                self.reasons[at] = row.reason or "cannot be read"
                self.own.add(Kept(None, None, "", row.content))
                continue
            self.own.add(self._kept(row, document, whole=True))
            if document.source in self._preference.prefer:
                self.sources.add(str(document.source))
            node, is_new = self._node(document)
            node.add(at, self._preference.key(document, at))
            if is_new:
                yield self._numbered(document)
        for row in others:
            if row.document is None:
                continue
            node, is_new = self._node(row.document)
            if node.other is None:
                node.other = len(self.others)
            node.others += 1
            self.others.add(self._kept(row, row.document, whole=False))
            if is_new:
                yield self._numbered(row.document)

    def are_fixed(self, ids: Iterable[str]) -> bytes:
        """Return for nodes, by their ids as documents, whether the other collection has them."""
        return bytes(self.nodes[int(name)].other is not None for name in ids)

    def witness(self, node: Node) -> tuple[str, bool]:
        """Return the id of the document that stands for a node, and whether it is of the others."""
        if node.other is not None:
            return self.others.id_of(node.other), True
        return self.own.id_of(node.best), False

    def text(self, node: Node) -> tuple[str, str | None]:
        """Return the text of a node and its language, where texts were kept."""
        kept = self.others[node.other] if node.other is not None else self.own[node.best]
        return kept.text, kept.language

    def _kept(self, row: Row, document: Document, *, whole: bool) -> Kept:
        content = row.content
        if whole and content is None:
            content = record_of_document(document)
        return Kept(
            document.id,
            document.language,
            document.text if self._texts else "",
            content if whole else None,
            is_whole=row.content is None,
        )

    def _node(self, document: Document) -> tuple[Node, bool]:
        number = len(self.nodes)
        if self._merge:
            text = document.text.encode("utf-8", "surrogatepass")
            number = self._known.setdefault(blake2b(text, digest_size=16).digest(), number)
        is_new = number == len(self.nodes)
        if is_new:
            self.nodes.append(Node())
        return self.nodes[number], is_new

    def _numbered(self, document: Document) -> Document:
        return Document(
            id=f"{len(self.nodes) - 1:012}",
            text=document.text,
            published=document.published,
            language=document.language,
        )

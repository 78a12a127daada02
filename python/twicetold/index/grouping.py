"""Documents in groups: those of one commit, and those with different ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from twicetold.batches import BATCH, characters
from twicetold.errors import DocumentError
from twicetold.records import Document

__all__ = ["BULK", "characters", "distinct", "grouped", "in_bulk", "is_text"]

#: Characters that are added in one commit where many documents come: some batches of an analysis.
#: What is counted first for statistics is analysed in the same batches, and not again.
BULK = 2 * BATCH

_Item = TypeVar("_Item")


def grouped(
    items: Iterable[_Item], size: Callable[[_Item], int], *, most: int = BATCH
) -> Iterator[list[_Item]]:
    """Yield items in lists of about so many characters."""
    group: list[_Item] = []
    total = 0
    for item in items:
        group.append(item)
        total += size(item)
        if total >= most:
            yield group
            group, total = [], 0
    if group:
        yield group


def in_bulk(documents: Iterable[Document], most: int) -> Iterator[list[Document]]:
    """Yield documents in lists of about so many characters, each some whole batches."""
    batches = grouped(documents, characters, most=min(most, BATCH))
    for group in grouped(batches, lambda batch: sum(map(characters, batch)), most=most):
        yield [document for batch in group for document in batch]


def is_text(name: str) -> bool:
    """Tell whether a text can be written down: half of a surrogate pair cannot."""
    return name.isascii() or name.encode("utf-8", "replace").decode() == name


def distinct(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Yield documents in lists in which no id comes twice."""
    group: list[Document] = []
    ids: set[str] = set()
    for document in documents:
        if not is_text(document.id):
            msg = f"id {document.id!r} has half of a surrogate pair in it; give another one"
            raise DocumentError(msg)
        if document.id in ids:
            yield group
            group, ids = [], set()
        group.append(document)
        ids.add(document.id)
    if group:
        yield group

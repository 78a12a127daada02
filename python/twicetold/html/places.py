"""Where in pages passages are: the nodes of many pages, kept small until they are asked for."""

from __future__ import annotations

import base64
import dataclasses
import zlib
from array import array
from bisect import bisect_right
from functools import lru_cache

from twicetold.html.reading import page_of
from twicetold.records import Document, Pair, Passage, Place

__all__ = ["Places", "packed_places"]

#: Nodes are kept in this form: node, role and path of each, in lines.
_LINE, _PART = "\n", "\t"


def packed_places(markup: str) -> str:
    """Return the nodes of a page in short, as `Places.add_packed` takes them."""
    starts, told = page_of(markup).places()
    lines = zip(array("I", starts), told.split(_LINE), strict=False)
    text = _LINE.join(f"{start}{_PART}{line}" for start, line in lines)
    return base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode()


@lru_cache(maxsize=2)  # the passages of a pair are looked up one after the other
def _lines(told: bytes) -> list[str]:
    return zlib.decompress(told).decode().split(_LINE)


class Places:
    """The nodes of pages, by the ids of the documents read from them."""

    def __init__(self) -> None:
        self._pages: dict[str, tuple[array[int], bytes]] = {}

    def __len__(self) -> int:
        return len(self._pages)

    def add(self, document: Document) -> None:
        """Keep the nodes of a document that was read from a page; others have none."""
        if document.html is None:
            return
        starts, told = page_of(document.html).places()
        kept = zlib.compress(told.encode("utf-8", "replace"), 1)
        self._pages[document.id] = (array("I", starts), kept)

    def add_packed(self, name: str, packed: str) -> None:
        """Keep the nodes of a document whose page was packed."""
        text = zlib.decompress(base64.b64decode(packed)).decode()
        rows = [line.split(_PART, 1) for line in text.split(_LINE) if line]
        starts = array("I", [int(start) for start, _ in rows])
        told = _LINE.join(line for _, line in rows)
        self._pages[name] = (starts, zlib.compress(told.encode(), 1))

    def at(self, document: str, place: int) -> Place | None:
        """Return where in its page a text stands; None if the document was not read from one."""
        page = self._pages.get(document)
        if page is None or not page[0]:
            return None
        starts, told = page
        line = _lines(told)[max(bisect_right(starts, place) - 1, 0)]
        node, role, path = line.split(_PART)
        return Place(int(node), role, path)

    def placed(self, pair: Pair) -> tuple[Passage, ...]:
        """Return the passages of a pair with where they are."""
        if pair.left not in self._pages and pair.right not in self._pages:
            return pair.passages
        return tuple(
            dataclasses.replace(
                passage,
                left_place=self.at(pair.left, passage.left.start),
                right_place=self.at(pair.right, passage.right.start),
            )
            for passage in pair.passages
        )

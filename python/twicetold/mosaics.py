"""Mosaics: from which earlier documents a document is put together.

Each stretch of a document is attributed to the earliest document that has it, by the passages of
their pair; what nobody had before is new. Shares are of characters without blanks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any, NamedTuple

from twicetold.pairs import Pairs
from twicetold.records import Document, Span

__all__ = ["Mosaic", "MosaicPart", "Mosaics", "Tile", "mosaics"]


class Tile(NamedTuple):
    """A stretch of a document and the earlier document that has it; None: it is new.

    ``is_boilerplate``: what a source writes everywhere, and so nothing that was taken.
    """

    span: Span
    document: str | None
    is_boilerplate: bool = False


class MosaicPart(NamedTuple):
    """What one earlier document gave, or what is new: how much, and in how many stretches.

    ``is_dated``: it is known to be earlier; else only its id comes first.
    """

    document: str | None
    share: float
    stretches: int
    is_boilerplate: bool = False
    is_dated: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Mosaic:
    """A document as stretches of others: its tiles in order, its parts by their share."""

    document: str
    tiles: tuple[Tile, ...]
    parts: tuple[MosaicPart, ...]

    @property
    def new(self) -> float:
        """The share that no earlier document has."""
        return sum(part.share for part in self.parts if part.document is None)

    def to_json(self) -> dict[str, Any]:
        """Return the mosaic as it is written."""
        return {
            "document": self.document,
            "parts": [part._asdict() for part in self.parts],
            "tiles": [{"span": list(tile.span), "document": tile.document} for tile in self.tiles],
        }


def mosaics(pairs: Pairs, documents: Iterable[Document]) -> list[Mosaic]:
    """Return the mosaics of documents that took something, in the order of their ids.

    ``pairs`` must come with passages: those of methods that compare sentences, with ``passages``.

    >>> from twicetold import scan
    >>> told = "The old dam above the town broke on Monday. Ten people are missing there."
    >>> report = Document(id="b", text=told + " A fair opens in the next village on Sunday.")
    >>> documents = [Document(id="a", text=told), report]
    >>> (found,) = mosaics(scan(documents, method="word-overlap", passages=True), documents)
    >>> [(part.document, round(part.share, 2)) for part in found.parts]
    [('a', 0.63), (None, 0.37)]
    """
    collected = Mosaics(pairs)
    for document in documents:
        collected.see(document)
    return list(collected)


class _Taken(NamedTuple):
    """A stretch that an earlier document has."""

    start: int
    end: int
    document: str
    is_boilerplate: bool


class Mosaics:
    """Mosaics of documents that are seen one by one, so that no text has to be kept.

    ``only`` names the documents whose mosaics are wanted; None: all.
    """

    def __init__(self, pairs: Pairs, *, only: Collection[str] | None = None) -> None:
        self._pairs = pairs
        self._rows: dict[str, list[int]] = {}
        #: The documents that may have given something.
        self.givers: set[str] = set()
        #: The earliest copy of a document whose features are all the same.
        self._copy_of: dict[str, str] = {}
        for row, pair in enumerate(pairs.plain() if pairs.has_passages else ()):
            if only is not None and pair.right not in only:
                continue
            self._rows.setdefault(pair.right, []).append(row)
            self.givers.add(pair.left)
            if pair.relation == "identical":
                self._copy_of[pair.right] = pair.left
        self._published: dict[str, datetime | None] = {}
        self._texts: dict[str, int] = {}
        self._taken: dict[str, list[_Taken]] = {}
        self._counts: dict[str, tuple[list[int], list[int]]] = {}

    def see(self, document: Document) -> None:
        """Take note of a document's time, and of the size of what others may have given it."""
        name = document.id
        rows = self._rows.get(name, ())
        if rows or name in self.givers:
            self._published[name] = document.published
            self._texts[name] = hash(document.text)
        if rows:
            end = len(document.text)
            taken = self._taken[name] = []
            for pair in map(self._pairs.__getitem__, rows):
                for passage in pair.passages:
                    first, last = (min(place, end) for place in passage.right)
                    taken.append(_Taken(first, last, pair.left, passage.type == "boilerplate"))
            places = sorted({0, end, *(place for own in taken for place in own[:2])})
            self._counts[name] = (places, list(_inked(document.text, places)))

    def __iter__(self) -> Iterator[Mosaic]:
        """Yield the mosaics of the documents seen, by id."""
        for name in sorted(self._counts):
            found = self.of(name)
            if any(part.document is not None for part in found.parts):
                yield found

    def of(self, name: str) -> Mosaic:
        """Return the mosaic of a document that was seen."""
        first = self._copy_of.get(name)
        if first is None or self._texts.get(first) != self._texts[name]:
            tiles = list(self._tiles(name))
            return Mosaic(document=name, tiles=tuple(tiles), parts=self._parts(name, tiles, name))
        # The text is that of the first one, whose own words are now taken, too.
        known = first if first in self._counts else name
        own = self._tiles(first) if known == first else [Tile(Span(0, self._end(name)), first)]
        tiles = [tile if tile.document else Tile(tile.span, first) for tile in own]
        return Mosaic(document=name, tiles=tuple(tiles), parts=self._parts(name, tiles, known))

    def _end(self, name: str) -> int:
        return self._counts[name][0][-1]

    def _place(self, name: str) -> tuple[bool, float, str]:
        """Return what documents are sorted by: time, then id; those without a date come last."""
        published = self._published.get(name)
        return published is None, 0.0 if published is None else published.timestamp(), name

    def _tiles(self, name: str) -> Iterator[Tile]:
        """Yield the tiles of a document: at each place the earliest that has it."""
        waiting = sorted(self._taken[name], reverse=True)
        held: list[tuple[tuple[bool, float, str], bool, int]] = []
        last: Tile | None = None
        for start, end in pairwise(self._counts[name][0]):
            while waiting and waiting[-1].start <= start:
                taken = waiting.pop()
                heappush(held, (self._place(taken.document), taken.is_boilerplate, taken.end))
            while held and held[0][2] <= start:
                heappop(held)
            if self._size(name, start, end) == 0:
                continue
            holder, boilerplate = (held[0][0][2], held[0][1]) if held else (None, False)
            if last is not None and last[1:] == (holder, boilerplate):
                last = last._replace(span=Span(last.span.start, end))
                continue
            if last is not None:
                yield last
            last = Tile(Span(start, end), holder, boilerplate)
        if last is not None:
            yield last

    def _size(self, name: str, start: int, end: int) -> int:
        """Return how many characters that are not blank lie between two known places."""
        places, counts = self._counts[name]
        return counts[bisect_left(places, end)] - counts[bisect_left(places, start)]

    def _parts(self, name: str, tiles: Iterable[Tile], sized: str) -> tuple[MosaicPart, ...]:
        """Return what each document gave; ``sized`` is the one in which the tiles were found."""
        held: dict[tuple[str | None, bool], list[int]] = {}
        for tile in tiles:
            row = held.setdefault((tile.document, tile.is_boilerplate), [0, 0])
            row[0] += self._size(sized, *tile.span)
            row[1] += 1
        total = self._counts[sized][1][-1] or 1
        dated = self._published.get(name) is not None
        parts = [
            MosaicPart(
                document,
                size / total,
                stretches,
                boilerplate,
                document is None or (dated and self._published.get(document) is not None),
            )
            for (document, boilerplate), (size, stretches) in held.items()
        ]
        return tuple(sorted(parts, key=_order))


def _order(part: MosaicPart) -> tuple[bool, bool, float, str]:
    """Sort the larger share first; boilerplate comes after all, and then what is new."""
    return part.document is None, part.is_boilerplate, -part.share, part.document or ""


def _inked(text: str, places: Iterable[int]) -> Iterator[int]:
    """Yield how many characters before each place are not blank."""
    count, done = 0, 0
    for place in places:
        count += sum(map(len, text[done:place].split()))
        done = place
        yield count

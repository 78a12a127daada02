"""Mosaics: from which earlier documents a document is put together.

Each stretch of a document is attributed to the earliest document that has it, by the passages of
their pair; what nobody had before is new. Where times do not tell which of two documents is
earlier, what they share is in the mosaics of both, unless an earlier one has it. Shares are of
characters without blanks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any, NamedTuple

from twicetold.errors import ParameterError
from twicetold.pairs import Pairs
from twicetold.records import Document, Span, is_before

__all__ = ["Mosaic", "MosaicPart", "Mosaics", "Tile", "mosaics"]


class Tile(NamedTuple):
    """A stretch of a document and another document that has it; None: it is new.

    ``is_boilerplate``: what a source writes everywhere, and so nothing that was taken.
    """

    span: Span
    document: str | None
    is_boilerplate: bool = False


class MosaicPart(NamedTuple):
    """What another document has, too, or what is new: how much, and in how many stretches.

    ``is_earlier``: the other document is known to be earlier; else nobody knows who was first.
    """

    document: str | None
    share: float
    stretches: int
    is_boilerplate: bool = False
    is_earlier: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Mosaic:
    """A document as stretches of others: its tiles in order, its parts by their share."""

    document: str
    tiles: tuple[Tile, ...]
    parts: tuple[MosaicPart, ...]

    @property
    def new(self) -> float:
        """The share that no other document has, but for those that are known to be later."""
        return sum(part.share for part in self.parts if part.document is None)

    def to_json(self) -> dict[str, Any]:
        """Return the mosaic as it is written."""
        return {
            "document": self.document,
            "parts": [part._asdict() for part in self.parts],
            "tiles": [{"span": list(tile.span), "document": tile.document} for tile in self.tiles],
        }


def mosaics(pairs: Pairs, documents: Iterable[Document]) -> list[Mosaic]:
    """Return the mosaics of documents that share something, in the order of their ids.

    ``pairs`` must come with passages: those of methods that compare sentences, with ``passages``.

    >>> from twicetold import scan
    >>> told = "The old dam above the town broke on Monday. Ten people are missing there."
    >>> report = Document(id="b", text=told + " A fair opens in the next village on Sunday.")
    >>> documents = [Document(id="a", text=told), report]
    >>> _, found = mosaics(scan(documents, method="word-overlap", passages=True), documents)
    >>> [(part.document, round(part.share, 2)) for part in found.parts]
    [('a', 0.63), (None, 0.37)]
    """
    collected = Mosaics(pairs)
    for document in documents:
        collected.see(document)
    return list(collected)


class _Taken(NamedTuple):
    """A stretch that another document has, too."""

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
        self._only = only
        #: The pairs of each document, with the other document.
        self._rows: dict[str, list[tuple[int, str]]] = {}
        #: The documents that may have given something.
        self.givers: set[str] = set()
        #: The copies of each document whose features are all the same, and the first of them.
        self._copies: dict[str, set[str]] = {}
        self._copy_of: dict[str, str] = {}
        for row, pair in enumerate(pairs.plain() if pairs.has_passages else ()):
            for name, other in ((pair.left, pair.right), (pair.right, pair.left)):
                if only is None or name in only:
                    self._rows.setdefault(name, []).append((row, other))
                    self.givers.add(other)
            if pair.relation == "identical" and (only is None or pair.right in only):
                self._copies.setdefault(pair.left, set()).add(pair.right)
                self._copy_of[pair.right] = pair.left
        self._published: dict[str, datetime | None] = {}
        self._texts: dict[str, int] = {}
        self._taken: dict[str, dict[str, list[_Taken]]] = {}
        self._counts: dict[str, tuple[list[int], list[int]]] = {}

    def see(self, document: Document) -> None:
        """Take note of a document's time, and of the size of what others may have given it."""
        name = document.id
        rows = self._rows.get(name, ())
        is_wanted = bool(rows) or (self._only is not None and name in self._only)
        if is_wanted or name in self.givers:
            self._published[name] = document.published
            self._texts[name] = hash(document.text)
        if not is_wanted:
            return
        end = len(document.text)
        taken = self._taken[name] = {}
        for row, other in rows:
            if self._is_before(other, name):  # it gave the other one nothing
                self._taken.get(other, {}).pop(name, None)
            if self._is_before(name, other):
                continue
            pair = self._pairs[row]
            taken[other] = []
            for passage in pair.passages:
                span = passage.right if pair.right == name else passage.left
                first, last = (min(place, end) for place in span)
                taken[other].append(_Taken(first, last, other, passage.type == "boilerplate"))
        places = sorted({0, end, *(at for own in taken.values() for one in own for at in one[:2])})
        self._counts[name] = (places, list(_inked(document.text, places)))

    def __iter__(self) -> Iterator[Mosaic]:
        """Yield the mosaics of the documents seen, by id."""
        for name in sorted(self._counts):
            found = self.of(name)
            if any(part.document is not None for part in found.parts):
                yield found

    def of(self, name: str) -> Mosaic:
        """Return the mosaic of a document that was seen."""
        if name not in self._counts:
            msg = f"no mosaic of {name!r}: it must be in a pair, and be given as a document"
            raise ParameterError(msg)
        first = self._copy_of.get(name)
        if first is None or self._texts.get(first) != self._texts[name]:
            tiles = list(self._tiles(name, name))
            return Mosaic(document=name, tiles=tuple(tiles), parts=self._parts(name, tiles, name))
        # The text is that of the first one, whose own words are now taken, too.
        known = first if first in self._counts else name
        own = (
            self._tiles(first, name) if known == first else [Tile(Span(0, self._end(name)), first)]
        )
        tiles = [tile if tile.document else Tile(tile.span, first) for tile in own]
        return Mosaic(document=name, tiles=tuple(tiles), parts=self._parts(name, tiles, known))

    def _end(self, name: str) -> int:
        return self._counts[name][0][-1]

    def _is_before(self, one: str, other: str) -> bool:
        """Return whether a document is known to be earlier than another one."""
        return is_before(self._published.get(one), self._published.get(other))

    def _place(self, name: str, other: str) -> tuple[bool, bool, float, str]:
        """Return what documents are sorted by that have something of ``name``.

        Those that are known to be earlier come first, then the others; each by time, then id.
        """
        published = self._published.get(other)
        is_unknown = not self._is_before(other, name)
        time = 0.0 if published is None else published.timestamp()
        return is_unknown, published is None, time, other

    def _tiles(self, held: str, name: str) -> Iterator[Tile]:
        """Yield the tiles of a document: at each place the earliest that has it.

        ``held`` has the same text: what was found in it is told of ``name``.
        """
        no_givers = {name, *(self._copies.get(held, ()) if held != name else ())}
        waiting = sorted(
            (
                one
                for other, some in self._taken[held].items()
                if other not in no_givers
                and not self._is_before(held, other)
                and not self._is_before(name, other)
                for one in some
            ),
            reverse=True,
        )
        places: dict[str, tuple[bool, bool, float, str]] = {}
        having: list[tuple[tuple[bool, bool, float, str], bool, int]] = []
        last: Tile | None = None
        for start, end in pairwise(self._counts[held][0]):
            while waiting and waiting[-1].start <= start:
                one = waiting.pop()
                if one.document not in places:
                    places[one.document] = self._place(name, one.document)
                heappush(having, (places[one.document], one.is_boilerplate, one.end))
            while having and having[0][2] <= start:
                heappop(having)
            if self._size(held, start, end) == 0:
                continue
            holder, boilerplate = (having[0][0][3], having[0][1]) if having else (None, False)
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
        parts = [
            MosaicPart(
                document,
                size / total,
                stretches,
                boilerplate,
                document is None or self._is_before(document, name),
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

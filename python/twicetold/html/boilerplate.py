"""What a site repeats: blocks of text that come again on its pages, whatever these are about.

Menus, notices, lists of other stories and forms make pages of one site alike. They are learned for
each source from the collection. A block is the own text of a node of the hierarchy, known by its
letters but for their case. It is boilerplate of its source if it stands on

- `PAGES` pages that tell different things, or
- `PLACED_PAGES` such pages in the same place, under elements of the same names, if it is `SHORT`,
  or if half of what stands in such places of the source is boilerplate, or
- one page and is the headline of another, alone or behind a label (``Next: ``): it points there.

Two pages tell the same if they have the same longest block, blocks that are all over the site
aside. So an article that a site has under three addresses is one story, and none of its paragraphs
is boilerplate for that; a paragraph taken over into two later articles is none either.

What is boilerplate is blanked before a text is analysed. Blanks are no words; every other character
stays in its place, so that offsets hold for all detectors and reports.
"""

from __future__ import annotations

import dataclasses
import struct
from array import array
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from twicetold.html.reading import page_of
from twicetold.records import Document, Span

__all__ = ["Blocks", "Boilerplate", "BoilerplateCounts", "HeldPages", "KnownPages", "blanked"]

#: On so many pages that tell different things a block must stand, and a short one in its place.
PAGES, PLACED_PAGES = 3, 2
#: Characters of a short block: shorter than most paragraphs of a story.
SHORT = 60
#: A block on more than half the pages of a source, and on more than so many, tells no story.
STORY_PAGES = 4


class Blocks(NamedTuple):
    """The blocks of a page: where they are, and what stands for text, place, and both.

    ``told`` stands for the text behind a label, 0 where there is none; ``headline`` for that of the
    page, 0 if it has none.
    """

    spans: array[int]
    marks: array[int]
    places: array[int]
    placed: array[int]
    told: array[int]
    headline: int

    @classmethod
    def of(cls, markup: str) -> Blocks:
        """Return the blocks of a page."""
        page = page_of(markup)
        spans, marks, places, placed, told = page.blocks()
        columns = [array("Q", column) for column in (marks, places, placed, told)]
        return cls(array("I", spans), columns[0], columns[1], columns[2], columns[3], page.headline)

    def known(self, marks: Container[int]) -> Iterator[int]:
        """Yield the blocks that are among some, anywhere or in their place."""
        for n, (mark, placed) in enumerate(zip(self.marks, self.placed, strict=True)):
            if mark in marks or placed in marks:
                yield n

    def length(self, n: int) -> int:
        """Return the length of a block."""
        return self.spans[2 * n + 1] - self.spans[2 * n]


@dataclass(frozen=True, slots=True)
class Boilerplate:
    """The blocks that each source repeats, by what stands for them, in their place or anywhere."""

    marks: Mapping[str, frozenset[int]] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(map(len, self.marks.values()))

    def spans(self, document: Document) -> list[Span]:
        """Return where a document that was read from a page has boilerplate of its source."""
        if document.html is None or (document.source or "") not in self.marks:
            return []
        return self.spans_of(document.source or "", Blocks.of(document.html))

    def spans_of(self, source: str, blocks: Blocks) -> list[Span]:
        """Return which blocks of a page of a source are boilerplate."""
        known = self.marks.get(source)
        if not known:
            return []
        return [Span(*blocks.spans[2 * n : 2 * n + 2]) for n in blocks.known(known)]

    def without(self, document: Document) -> Document:
        """Return a document with blanks for its boilerplate, as it is to be analysed."""
        spans = self.spans(document)
        if not spans:
            return document
        return dataclasses.replace(document, text=blanked(document.text, spans), html=None)

    def to_bytes(self) -> bytes:
        """Return the table in one canonical form: sources in order, each with its sorted marks."""
        parts = []
        for source in sorted(self.marks):
            name, marks = source.encode(), sorted(self.marks[source])
            parts.append(struct.pack(f"<II{len(marks)}Q", len(name), len(marks), *marks) + name)
        return b"".join(parts)

    @classmethod
    def from_bytes(cls, data: bytes) -> Boilerplate:
        """Read what `to_bytes` wrote."""
        marks: dict[str, frozenset[int]] = {}
        at = 0
        while at < len(data):
            length, count = struct.unpack_from("<II", data, at)
            found = struct.unpack_from(f"<{count}Q", data, at + 8)
            at += 8 + 8 * count + length
            marks[data[at - length : at].decode()] = frozenset(found)
        return cls(marks)


class BoilerplateCounts:
    """Collects the blocks of pages, source by source."""

    def __init__(self) -> None:
        self._pages: defaultdict[str, list[Blocks]] = defaultdict(list)

    def add(self, source: str | None, blocks: Blocks) -> None:
        """Count the blocks of a page; one without a source has nothing to be compared with."""
        if source and blocks.marks:
            self._pages[source].append(blocks)

    def learned(self) -> Boilerplate:
        """Return the blocks that stand on enough stories of their source."""
        found = {source: frozenset(_repeated(pages)) for source, pages in self._pages.items()}
        return Boilerplate({source: marks for source, marks in found.items() if marks})


def _repeated(pages: list[Blocks]) -> set[int]:
    """Return what stands for the blocks that pages of one source repeat."""
    counts = Counter(mark for page in pages for mark in set(page.marks))
    repeated = [
        [n for n, mark in enumerate(p.marks) if counts[mark] >= PLACED_PAGES] for p in pages
    ]
    tellers = [_story(page, counts, max(len(pages) // 2, STORY_PAGES)) for page in pages]
    stories: defaultdict[int, set[int]] = defaultdict(set)
    placed: defaultdict[int, set[int]] = defaultdict(set)
    for page, own, story in zip(pages, repeated, tellers, strict=True):
        for n in own:
            stories[page.marks[n]].add(story)
            if page.length(n) <= SHORT:
                placed[page.placed[n]].add(story)
    found = {mark for mark, own in stories.items() if len(own) >= PAGES}
    found |= {mark for mark, own in placed.items() if len(own) >= PLACED_PAGES}
    found |= _in_such_places(pages, repeated, tellers, found)
    return found | _pointers(pages)


def _in_such_places(
    pages: list[Blocks], repeated: list[list[int]], tellers: list[int], found: set[int]
) -> set[int]:
    """Return the repeated blocks in places where most that stands there is boilerplate."""
    every, known = Counter[int](), Counter[int]()
    for page in pages:
        every.update(page.places)
        known.update(page.places[n] for n in page.known(found))
    stories: defaultdict[int, set[int]] = defaultdict(set)
    for page, own, story in zip(pages, repeated, tellers, strict=True):
        for n in own:
            if 2 * known[page.places[n]] >= every[page.places[n]]:
                stories[page.placed[n]].add(story)
    return {mark for mark, own in stories.items() if len(own) >= PLACED_PAGES}


def _pointers(pages: list[Blocks]) -> set[int]:
    """Return the blocks that name another page of the source by its headline, in their place."""
    headlines = {page.headline for page in pages} - {0}
    found = set()
    for page in pages:
        others = headlines - {page.headline}
        for mark, told, placed in zip(page.marks, page.told, page.placed, strict=True):
            if mark != page.headline and (mark in others or told in others):
                found.add(placed)
    return found


def _story(page: Blocks, counts: Mapping[int, int], most: int) -> int:
    """Return what stands for the story of a page: its longest block, if that is not everywhere."""
    telling = [n for n, mark in enumerate(page.marks) if counts[mark] <= most]
    return max((page.length(n), page.marks[n]) for n in telling or range(len(page.marks)))[1]


class HeldPages:
    """Documents that wait until all are known, and then lose the boilerplate of their sources.

    What stays in memory of a page is its text and its blocks.
    """

    def __init__(self) -> None:
        #: What was learned; complete once the documents that waited have come.
        self.boilerplate = Boilerplate()
        self._counts = BoilerplateCounts()
        self._held: list[tuple[Document, Blocks]] = []

    def take(self, document: Document) -> Document | None:
        """Hold back a document that was read from a page with a source, return any other."""
        if document.html is None or not document.source:
            return document
        blocks = Blocks.of(document.html)
        self._counts.add(document.source, blocks)
        self._held.append((dataclasses.replace(document, html=None), blocks))
        return None

    def rest(self) -> Iterator[Document]:
        """Yield the documents in the order they came, with blanks for their boilerplate."""
        self.boilerplate = self._counts.learned()
        for document, blocks in self._held:
            spans = self.boilerplate.spans_of(document.source or "", blocks)
            text = blanked(document.text, spans)
            yield document if not spans else dataclasses.replace(document, text=text)
        self._held.clear()


class KnownPages:
    """Documents lose the boilerplate that statistics have pinned."""

    def __init__(self, boilerplate: Boilerplate) -> None:
        self.boilerplate = boilerplate

    def take(self, document: Document) -> Document:
        """Return a document with blanks for its boilerplate."""
        return self.boilerplate.without(document)

    def rest(self) -> Iterator[Document]:
        """Yield nothing: no document had to wait."""
        yield from ()


def blanked(text: str, spans: Iterable[Span]) -> str:
    """Return a text with blanks in place of some stretches.

    >>> blanked("Home. Oil rose.", [Span(0, 5)])
    '      Oil rose.'
    """
    return "".join(_pieces(text, spans))


def _pieces(text: str, spans: Iterable[Span]) -> Iterator[str]:
    end = 0
    for span in spans:
        yield text[end : span.start]
        yield " " * (span.end - span.start)
        end = span.end
    yield text[end:]

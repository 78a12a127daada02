"""What a site repeats: blocks of text that come again on its pages, whatever these are about.

Menus, notices, lists of other stories and forms make pages of one site alike. They are learned for
each source from the collection: a block, the own text of a node of the hierarchy, is boilerplate of
a source if it stands on several of its pages that tell different things. Two pages tell the same if
they have the same longest block, so that an article that a site has under three addresses is one
story, and none of its paragraphs is boilerplate for that.

What is boilerplate is blanked before a text is analysed. Blanks are no words and end no sentence;
every other character stays in its place, so that offsets hold for all detectors and reports.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from twicetold.html.reading import page_of
from twicetold.records import Document, Span

__all__ = ["Boilerplate", "BoilerplateCounts", "blanked"]

#: On so many pages that tell different things a block must stand.
PAGES = 3


@dataclass(frozen=True, slots=True)
class Boilerplate:
    """The blocks that each source repeats, known by what stands for their text."""

    marks: Mapping[str, frozenset[int]] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(map(len, self.marks.values()))

    def spans(self, document: Document) -> list[Span]:
        """Return where a document has boilerplate of its source."""
        known = self.marks.get(document.source or "")
        if not known or document.html is None:
            return []
        page = page_of(document.html)
        if page.text != document.text:
            return []
        return [Span(*span) for span, mark in page.blocks() if mark in known]

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
    """Counts blocks page by page; memory grows with the number of different blocks."""

    def __init__(self) -> None:
        #: For each source and block, the stories it stands on; more than enough are not kept.
        self._stories: defaultdict[str, dict[int, set[int]]] = defaultdict(dict)

    def add(self, document: Document) -> None:
        """Count the blocks of a document that was read from a page and has a source."""
        if document.html is None or not document.source:
            return
        blocks = page_of(document.html).blocks()
        if not blocks:
            return
        _, story = max((span[1] - span[0], mark) for span, mark in blocks)
        own = self._stories[document.source]
        for _, mark in blocks:
            stories = own.setdefault(mark, set())
            if len(stories) < PAGES:
                stories.add(story)

    def learned(self) -> Boilerplate:
        """Return the blocks that stand on enough stories of their source."""
        found = {
            source: frozenset(mark for mark, stories in own.items() if len(stories) >= PAGES)
            for source, own in self._stories.items()
        }
        return Boilerplate({source: marks for source, marks in found.items() if marks})


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

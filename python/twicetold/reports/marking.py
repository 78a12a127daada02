"""A text cut into what is marked and what is not: passages, sentences, words both sides have."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from twicetold.comparing import Compared
from twicetold.records import Span
from twicetold.reports.page import shown

__all__ = ["Link", "Mark", "Segment", "marked", "touched"]

#: A block of text ends with a line from so many characters on, and at the latest with so many.
_SHORT, _LONG = 300, 4_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mark:
    """A passage with its number and colour, and the partners of the sentences in it."""

    number: int
    colour: int
    part: int
    left: Span
    right: Span
    score: float
    title: str
    to_right: Mapping[int, Sequence[int]]
    to_left: Mapping[int, Sequence[int]]
    #: The sentences that the passage touches.
    left_sentences: range
    right_sentences: range

    def sentences(self, side: str) -> range:
        """Return the sentences of a side that the passage touches."""
        return self.left_sentences if side == "left" else self.right_sentences

    def anchor(self, side: str, sentence: int) -> str:
        """Return the name of a sentence on the page."""
        return f"left-{sentence}" if side == "left" else f"right-{self.part}-{sentence}"

    def target(self, side: str, sentence: int) -> str:
        """Return the name of the sentence on the other side that belongs to one of this side."""
        other, partners = ("right", self.to_right) if side == "left" else ("left", self.to_left)
        there = self.sentences(other)
        for partner in partners.get(sentence, ()):
            if partner in there:
                return self.anchor(other, partner)
        return self.anchor(other, there.start)


def touched(span: Span, sentences: Sequence[Span]) -> range:
    """Return which sentences a passage touches."""
    first = bisect_right(sentences, span.start, key=lambda own: own.end)
    return range(first, max(bisect_left(sentences, span.end, key=lambda own: own.start), first))


class Link(NamedTuple):
    """Another passage that a stretch belongs to, and where it leads on the other side."""

    mark: Mark
    target: str
    is_first: bool


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text; without a mark, or in a passage and inside one sentence.

    ``pieces`` are texts, each with whether the other side has these words. ``others`` are the
    passages it belongs to beside the one it is coloured by.
    """

    pieces: tuple[tuple[str, bool], ...]
    mark: Mark | None = None
    anchor: str = ""
    target: str = ""
    is_first: bool = False
    others: tuple[Link, ...] = ()
    #: Whether it was left out because the site repeats it.
    is_left_out: bool = False


def marked(side: Compared, marks: Sequence[Mark], name: str) -> list[list[Segment]]:
    """Cut a text where passages and the sentences in them begin and end; return it in blocks.

    A browser lays out block by block, and only those that are seen.
    """
    return list(_blocks(_segments(side, marks, name)))


def _blocks(segments: Iterable[Segment]) -> Iterator[list[Segment]]:
    block: list[Segment] = []
    size = 0
    for segment in segments:
        for piece in [segment] if segment.mark or segment.is_left_out else _lines(segment):
            block.append(piece)
            size += sum(len(text) for text, _ in piece.pieces)
            if size >= _LONG or (size >= _SHORT and piece.pieces[-1][0].endswith("\n")):
                yield block
                block, size = [], 0
    if block:
        yield block


def _lines(segment: Segment) -> Iterator[Segment]:
    """Yield what is not marked line by line, with the empty ones behind it."""
    for line in re.findall(r"[^\n]*\n+|[^\n]+", segment.pieces[0][0]):
        for start in range(0, len(line), _LONG):
            yield Segment(((line[start : start + _LONG], False),))


def _segments(side: Compared, marks: Sequence[Mark], name: str) -> list[Segment]:
    spans = [mark.left if name == "left" else mark.right for mark in marks]
    text = side.document.text
    segments: list[Segment] = []
    anchors: set[str] = set()
    numbers: set[int] = set()
    done = 0
    for start, end, sentence, (best, *rest) in _stretches(side, marks, spans, name):
        if start > done:
            segments += _unmarked(side, done, start)
        anchor = best.anchor(name, sentence)
        links = [
            Link(mark, mark.target(name, sentence), mark.number not in numbers)
            for mark in (best, *rest)
        ]
        segments.append(
            Segment(
                tuple(_pieces(side, start, end)),
                best,
                "" if anchor in anchors else anchor,
                links[0].target,
                links[0].is_first,
                tuple(links[1:]),
            )
        )
        anchors.add(anchor)
        numbers.update(link.mark.number for link in links)
        done = end
    if done < len(text):
        segments += _unmarked(side, done, len(text))
    return segments


def _unmarked(side: Compared, start: int, end: int) -> Iterator[Segment]:
    """Yield a stretch outside of passages, cut where something was left out.

    Blocks with nothing but white space between them are left out as one.
    """
    text, spans = side.document.text, side.boilerplate
    at = bisect_right(spans, start, key=lambda span: span.end)
    while at < len(spans) and spans[at].start < end:
        first, stop = max(spans[at].start, start), spans[at].end
        while at + 1 < len(spans) and not text[stop : spans[at + 1].start].strip():
            at += 1
            stop = spans[at].end
        stop = min(stop, end)
        if first > start:
            yield Segment(((shown(text[start:first]), False),))
        yield Segment(((shown(text[first:stop]), False),), is_left_out=True)
        start = stop
        at += 1
    if start < end:
        yield Segment(((shown(text[start:end]), False),))


def _stretches(
    side: Compared, marks: Sequence[Mark], spans: Sequence[Span], name: str
) -> Iterator[tuple[int, int, int, list[Mark]]]:
    """Yield the stretches inside passages: start, end, sentence, and passages, the best first."""
    by_sentence: dict[int, list[int]] = {}
    for n, mark in enumerate(marks):
        for sentence in mark.sentences(name):
            by_sentence.setdefault(sentence, []).append(n)
    for sentence in sorted(by_sentence):
        whole = side.sentences[sentence]
        inside = [
            (max(spans[n].start, whole.start), min(spans[n].end, whole.end), marks[n])
            for n in by_sentence[sentence]
        ]
        cuts = sorted({place for start, end, _ in inside for place in (start, end)})
        found: list[tuple[int, int, list[Mark]]] = []
        for start, end in pairwise(cuts):
            holding = [mark for first, last, mark in inside if first <= start and end <= last]
            if not holding:
                continue
            holding.sort(key=lambda mark: (-mark.score, mark.number))
            if found and found[-1][1:] == (start, holding):
                found[-1] = (found[-1][0], end, holding)
            else:
                found.append((start, end, holding))
        yield from ((start, end, sentence, holding) for start, end, holding in found)


def _pieces(side: Compared, start: int, end: int) -> Iterator[tuple[str, bool]]:
    text, runs = side.document.text, side.emphasised
    at = bisect_right(runs, start, key=lambda run: run.end)
    while at < len(runs) and runs[at].start < end:
        run = runs[at]
        if run.start > start:
            yield shown(text[start : run.start]), False
        yield shown(text[max(run.start, start) : min(run.end, end)]), True
        start = min(run.end, end)
        at += 1
    if start < end:
        yield shown(text[start:end]), False

"""What of the documents' texts a page of pairs holds: enough to read what it shows, and no more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from twicetold.alignment import align_all
from twicetold.records import PASSAGE_TYPES, Document, Pair, Passage, Span
from twicetold.reports.page import shown
from twicetold.reports.table import percents

__all__ = ["Texts"]

#: So much of the text around a passage is shown with it.
_AROUND = 80
#: Passages with so few characters between them, such as the end of a line, are shown as one.
_GAP = 4
#: So much of each document is shown for a pair.
_LONGEST = 12_000


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A pair that can be opened: the passages to show, and whether there are more."""

    passages: tuple[Passage, ...]
    is_whole: bool


class Texts:
    """The stretches of text that pairs are shown with, cut out of the documents as these come by.

    ``characters`` is how many there may be in all: pairs are served in the order given, until
    nothing more fits. ``expected`` is how long a document is expected to be, where pairs have no
    passages: they get the beginnings of their documents, aligned. None: they have passages.
    """

    def __init__(
        self, pairs: Sequence[Pair], order: Iterable[int], *, characters: int, expected: int | None
    ) -> None:
        self._pairs = pairs
        self._expected = expected
        self._wanted: dict[int, _Wanted] = {}
        self._spans: dict[str, list[Span]] = {}
        self._found: dict[str, _Stretches] = {}
        left = characters
        for number in order:
            left -= self._add(number, left)
            if left <= 0:
                break

    def _add(self, number: int, room: int) -> int:
        """Want the texts of a pair, if there is room; return what they take."""
        pair = self._pairs[number]
        expected = _LONGEST if self._expected is None else self._expected
        wanted = _Wanted((), is_whole=True)
        spans = [(pair.left, Span(0, _LONGEST)), (pair.right, Span(0, _LONGEST))]
        if self._expected is None:
            wanted = _fitting(list(_joined(pair.passages)))
            spans = [
                (name, Span(max(span.start - _AROUND, 0), span.end + _AROUND))
                for passage in wanted.passages
                for name, span in ((pair.left, passage.left), (pair.right, passage.right))
            ]
        merged = {}
        size = 0
        for name in dict.fromkeys((pair.left, pair.right)):
            before = self._spans.get(name, [])
            merged[name] = _merged([*before, *(span for own, span in spans if own == name)])
            size += _size(merged[name], expected) - _size(before, expected)
        if size > room:
            return 0
        self._wanted[number] = wanted
        self._spans |= merged
        return size

    def see(self, document: Document) -> None:
        """Cut out of a document what is wanted of it."""
        spans = self._spans.get(document.id)
        if spans is not None:
            self._found[document.id] = _Stretches(document.text, spans)

    @property
    def opened(self) -> list[int]:
        """The pairs whose texts are there."""
        return [
            number
            for number in sorted(self._wanted)
            if self._pairs[number].left in self._found and self._pairs[number].right in self._found
        ]

    def to_json(self, numbers: dict[str, int]) -> dict[str, Any]:
        """Return texts by document and passages by pair, with places as a browser counts."""
        opened = self.opened
        aligned = {} if self._expected is None else self._aligned(opened)
        rows: dict[int, list[int]] = {}
        for number in opened:
            pair, passages = self._pairs[number], self._wanted[number].passages
            left, right = self._found[pair.left], self._found[pair.right]
            rows[number] = [
                place
                for passage in aligned.get(number, passages)
                for place in (
                    *left.places(passage.left),
                    *right.places(passage.right),
                    percents(passage.score),
                    PASSAGE_TYPES.index(passage.type),
                )
            ]
        cut = [number for number in opened if not self._wanted[number].is_whole]
        texts = {numbers[name]: self._found[name].to_json() for name in sorted(self._found)}
        return {"texts": texts, "passages": rows, "cut": cut, "types": PASSAGE_TYPES}

    def _aligned(self, opened: Sequence[int]) -> dict[int, tuple[Passage, ...]]:
        """Return passages of pairs whose method gives none: those of an alignment."""
        names = sorted(self._found)
        places = {name: place for place, name in enumerate(names)}
        pairs = [self._pairs[number] for number in opened]
        found = align_all(
            [self._found[name].beginning for name in names],
            [(places[pair.left], places[pair.right]) for pair in pairs],
        )
        return {number: own.passages for number, own in zip(opened, found, strict=True)}


def _joined(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield passages that follow each other on both sides as one: nobody reads line by line."""
    last: Passage | None = None
    for passage in passages:
        if last is not None and _follows(last, passage):
            last = Passage(
                Span(last.left.start, passage.left.end),
                Span(last.right.start, passage.right.end),
                min(last.score, passage.score),
                last.type if last.type == passage.type else "edited",
            )
            continue
        if last is not None:
            yield last
        last = passage
    if last is not None:
        yield last


def _follows(last: Passage, passage: Passage) -> bool:
    gaps = (passage.left.start - last.left.end, passage.right.start - last.right.end)
    alike = last.type == passage.type or {last.type, passage.type} == {"verbatim", "edited"}
    return alike and all(0 <= gap <= _GAP for gap in gaps)


def _fitting(passages: Sequence[Passage]) -> _Wanted:
    """Return as many passages as are shown of one pair; of a very long one the beginning."""
    for n, sizes in enumerate(_sizes(passages)):
        if max(sizes) > _LONGEST:
            kept = passages[:n] or [_beginning(passages[0])]
            return _Wanted(tuple(kept), is_whole=False)
    return _Wanted(tuple(passages), is_whole=True)


def _beginning(passage: Passage) -> Passage:
    left, right = (
        Span(span.start, min(span.end, span.start + _LONGEST))
        for span in (passage.left, passage.right)
    )
    return Passage(left, right, passage.score, passage.type)


def _sizes(passages: Iterable[Passage]) -> Iterator[tuple[int, int]]:
    left = right = 0
    for passage in passages:
        left += passage.left.end - passage.left.start
        right += passage.right.end - passage.right.start
        yield left, right


def _merged(spans: list[Span]) -> list[Span]:
    """Return spans in order; those that touch are one."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def _size(spans: Iterable[Span], most: int) -> int:
    return sum(min(span.end - span.start, most) for span in spans)


class _Stretches:
    """The wanted stretches of one text."""

    def __init__(self, text: str, spans: Iterable[Span]) -> None:
        self._ends = [(start, min(end, len(text))) for start, end in spans if start < len(text)]
        self._texts = [text[start:end] for start, end in self._ends]
        self._before = [_surplus(text[:start]) for start, _ in self._ends]
        self._size = len(text)

    @property
    def beginning(self) -> str:
        """The first stretch."""
        return self._texts[0] if self._texts else ""

    def places(self, span: Span) -> tuple[int, int]:
        """Return where a span begins and ends, counted in UTF-16."""
        return self._place(span.start), self._place(span.end)

    def _place(self, at: int) -> int:
        for (start, end), text, before in zip(self._ends, self._texts, self._before, strict=True):
            if start <= at <= end:
                return at + before + _surplus(text[: at - start])
        return self._size

    def to_json(self) -> list[Any]:
        """Return place and text of each stretch, and the length of the whole text."""
        rows: list[Any] = [self._size]
        for (start, _), text, before in zip(self._ends, self._texts, self._before, strict=True):
            rows += [start + before, shown(text)]
        return rows


def _surplus(text: str) -> int:
    """Return how many places more a text has in UTF-16 than it has characters."""
    if text.isascii():
        return 0
    return len(text.encode("utf-16-le", "surrogatepass")) // 2 - len(text)

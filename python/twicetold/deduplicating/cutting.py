"""Sentences that another document has, cut out of those that are kept.

A sentence is cut if a document that ranks better, and is kept, has nearly all of its words in a
passage that matches it, and has not lost them itself. A word counts if it stands in three words in
a row that the passage has as well: other words in other places prove nothing. Only whole sentences
are cut, with the white space on one side of them, so that paragraphs stay paragraphs.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from sys import intern
from typing import NamedTuple

from twicetold.analysis import Analyser, profile_of
from twicetold.records import Passage, Span

__all__ = ["Found", "Piece", "Told", "cut_pieces", "cut_sentences", "without"]


class Told(NamedTuple):
    """A passage of a document, and where another one has it."""

    span: Span
    witness: int
    witness_span: Span

    @classmethod
    def of(cls, passage: Passage, witness: int, *, is_left: bool) -> Told:
        """Return a passage as the document sees it that is on the left, or on the right."""
        spans = (passage.left, passage.right) if is_left else (passage.right, passage.left)
        return cls(spans[0], witness, spans[1])


class Found(NamedTuple):
    """A sentence: where it is, and its words."""

    span: Span
    words: tuple[str, ...]


class Piece(NamedTuple):
    """Sentences in a row that a witness has, by their numbers, and where it has them."""

    first: int
    last: int
    witness: int
    witness_span: Span
    share: float


#: So many words in a row are no chance.
_ROW = 3

Sentences = Callable[[int], Sequence[Found]]


def sentences_by(texts: Callable[[int], tuple[str, str | None]], size: int = 1024) -> Sentences:
    """Return a function from the number of a text to its sentences, which remembers some."""
    analyser = Analyser(profile_of("plain"))

    @lru_cache(maxsize=size)
    def sentences(number: int) -> Sequence[Found]:
        text, language = texts(number)
        analysed = analyser.analyse([text], languages=[language], spans=True, threads=1)
        return [
            Found(Span(*span), tuple(intern(term) for _, term, _, _ in words))
            for span, words in analysed.sentences(0)
        ]

    return sentences


def cut_sentences(
    own: Sequence[Found],
    told: Iterable[Told],
    sentences: Sentences,
    gone: Callable[[int], set[int]],
    *,
    share: float,
    words: int,
) -> list[Piece]:
    """Return what is to be cut: sentences in a row, each row of at least so many ``words``.

    ``told`` begins with what the best document has. ``gone`` says which sentences of a witness were
    cut out of it: these prove nothing.
    """
    best: dict[int, Piece] = {}
    for n, witness, spans in _asked(own, told):
        if n in best and best[n].share == 1:  # nobody has more, and boilerplate has many witnesses
            continue
        there, lost = sentences(witness), gone(witness)
        numbers = {m for span in spans for m in _within(there, span)} - lost
        theirs = [there[m] for m in sorted(numbers)]
        if not theirs or not own[n].words:
            continue
        held = shared(own[n].words, [word for other in theirs for word in other.words])
        if held >= share and (n not in best or held > best[n].share):
            hull = Span(theirs[0].span.start, theirs[-1].span.end)
            best[n] = Piece(n, n, witness, hull, held)
    return [
        piece
        for row in _rows(sorted(best))
        if sum(len(own[n].words) for n in row) >= words
        for piece in _joined([best[n] for n in row])
    ]


def shared(words: Sequence[str], others: Sequence[str]) -> float:
    """Return the share of words that stand in three in a row which the others have, too.

    >>> shared("the old dam broke on Monday".split(), "he said the old dam broke Monday".split())
    0.6666666666666666
    """
    size = min(_ROW, len(words))
    known = set(zip(*(others[n:] for n in range(size)), strict=False))
    covered = [False] * len(words)
    for n, row in enumerate(zip(*(words[n:] for n in range(size)), strict=False)):
        if row in known:
            covered[n : n + size] = [True] * size
    return sum(covered) / len(words)


def _asked(own: Sequence[Found], told: Iterable[Told]) -> Iterable[tuple[int, int, list[Span]]]:
    """Yield each sentence with a witness, and where the witness has what meets the sentence."""
    asked: dict[tuple[int, int], list[Span]] = {}
    for span, witness, there in told:
        for n in _within(own, span):
            asked.setdefault((n, witness), []).append(there)
    for (n, witness), spans in asked.items():
        yield n, witness, spans


def _within(sentences: Sequence[Found], span: Span) -> range:
    """Return the numbers of the sentences that a span meets."""
    first = bisect_right(sentences, span.start, key=lambda one: one.span.end)
    return range(first, bisect_left(sentences, span.end, key=lambda one: one.span.start))


def _rows(numbers: Sequence[int]) -> list[list[int]]:
    """Return numbers that follow each other together."""
    rows: list[list[int]] = []
    for n in numbers:
        if rows and rows[-1][-1] == n - 1:
            rows[-1].append(n)
        else:
            rows.append([n])
    return rows


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces in a row with the same witness as one."""
    found: list[Piece] = []
    for piece in pieces:
        if not found or found[-1].witness != piece.witness:
            found.append(piece)
            continue
        last = found[-1]
        start = min(last.witness_span.start, piece.witness_span.start)
        end = max(last.witness_span.end, piece.witness_span.end)
        share = min(last.share, piece.share)
        found[-1] = Piece(last.first, piece.last, piece.witness, Span(start, end), share)
    return found


def cut_pieces(text: str, own: Sequence[Found], pieces: Sequence[Piece]) -> list[Span]:
    """Return what goes with each piece: its sentences, and white space on one side of a row."""
    spans: list[Span] = []
    for n, piece in enumerate(pieces):
        follows = n > 0 and pieces[n - 1].last + 1 == piece.first
        if not follows:
            last = next(
                (m for m in range(n, len(pieces) - 1) if pieces[m].last + 1 != pieces[m + 1].first),
                len(pieces) - 1,
            )
            start, end = _widened(text, own, piece.first, pieces[last].last)
        else:
            start = spans[-1].end
        is_last = n + 1 == len(pieces) or piece.last + 1 != pieces[n + 1].first
        spans.append(Span(start, end if is_last else own[piece.last + 1].span.start))
    return spans


def _widened(text: str, own: Sequence[Found], first: int, last: int) -> tuple[int, int]:
    """Return a row of sentences with the lesser white space beside it."""
    start, end = own[first].span.start, own[last].span.end
    before = own[first - 1].span.end if first else 0
    after = own[last + 1].span.start if last + 1 < len(own) else len(text)
    gaps = text[before:start], text[end:after]
    # What stands between sentences and is more than white space stays.
    if gaps[1].isspace() and (first == 0 or gaps[1].count("\n") <= gaps[0].count("\n")):
        return start, after
    return (before, end) if gaps[0].isspace() else (start, end)


def without(text: str, spans: Iterable[Span]) -> str:
    """Return a text without some spans, which are in order."""
    parts, end = [], 0
    for span in spans:
        parts.append(text[end : span.start])
        end = span.end
    return "".join([*parts, text[end:]])

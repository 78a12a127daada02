"""A comparison by a method that compares sentences: matches, runs of them, what they add up to."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from twicetold.analysis import Profile
from twicetold.comparing.dotplots import runs_of
from twicetold.comparing.records import Dot
from twicetold.comparing.sentences import Matched, Sentences, match_sentences
from twicetold.deadlines import checked
from twicetold.pipeline import Detector
from twicetold.records import RELATIONS, Document, Pair, Passage, PassageType, Span
from twicetold.scoring import Joined
from twicetold.statistics import Statistics

__all__ = ["Found", "by_sentences", "passages_of"]


@dataclass(frozen=True, slots=True)
class Found:
    """What a method found: left with all on the right together, and with each one alone.

    ``matched`` are the sentences of each document that count as found on the other side.
    """

    union: Pair
    pairs: list[Pair]
    dots: list[list[Dot]]
    matched: list[set[int]]


def by_sentences(
    documents: Sequence[Document],
    sentences: Sentences,
    detector: Detector,
    profile: Profile,
    statistics: Statistics | None,
    *,
    threads: int = 0,
) -> Found:
    """Compare the first document with the others by the sentences that match."""
    matched = match_sentences(sentences, detector, profile, statistics, threads=threads)
    numbers = list(range(1, len(documents)))
    pairs = []
    for number, dots in zip(numbers, matched.dots, strict=True):
        passages = passages_of(dots, sentences, number)
        pairs.append(_pair(documents, matched, detector, [number], passages))
    union = pairs[0]
    if len(pairs) > 1:
        every = [passage for pair in pairs for passage in pair.passages]
        every.sort(key=lambda passage: (passage.left, passage.right))
        union = _pair(documents, matched, detector, numbers, every)
    left = set().union(*(own for own, _ in matched.asking))
    rights = [own for _, own in matched.asking]
    return Found(union, pairs, matched.dots, [left, *rights])


def passages_of(dots: Iterable[Dot], sentences: Sentences, number: int) -> list[Passage]:
    """Return a passage for each run of matches, with the mean of their scores."""
    passages = []
    spans = sentences.spans[0], sentences.spans[number]
    for run in checked(runs_of(dots, 1)):
        first, last = run[0], run[-1]
        same = all(
            sentences.plain[0][dot.left] == sentences.plain[number][dot.right] for dot in run
        )
        kind: PassageType = "verbatim" if same else "edited"
        passages.append(
            Passage(
                Span(spans[0][first.left].start, spans[0][last.left].end),
                Span(spans[1][first.right].start, spans[1][last.right].end),
                sum(dot.score for dot in run) / len(run),
                kind,
            )
        )
    return passages


def _pair(
    documents: Sequence[Document],
    matched: Matched,
    detector: Detector,
    numbers: Sequence[int],
    passages: Iterable[Passage],
) -> Pair:
    """Return left with some documents of right, taken together."""
    names = documents[0].id, " + ".join(documents[n].id for n in numbers)
    same = len(numbers) == 1 and documents[0].text == documents[numbers[0]].text
    joined = matched.joined
    if joined is None:
        left = {matched.distinct[0][n] for k in numbers for n in matched.asking[k - 1][0]}
        right = {matched.distinct[k][n] for k in numbers for n in matched.asking[k - 1][1]}
        if not (left or right or same):
            return Pair(*names, "overlap", 0.0, 0.0, 0.0, 0.0)
        totals = [
            len({n for k in side for n in matched.distinct[k] if n is not None})
            for side in ([0], numbers)
        ]
        joined = Joined.of([(len(left), len(right), totals[0], totals[1], same)])
    scores = detector.roll_up(joined)
    relation = RELATIONS[detector.decide(scores)[0]]
    there, back, resemblance, odds = (
        array("d", scores.column(name))[0]
        for name in ("left_in_right", "right_in_left", "resemblance", "odds")
    )
    return Pair(*names, relation, there, back, resemblance, odds, passages=tuple(passages))

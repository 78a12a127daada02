"""Sentences of one document matched with those of others, by any method that compares sentences."""

from __future__ import annotations

import struct
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import groupby

from twicetold import _kernel
from twicetold.analysis import Analysed, Analyser, Profile
from twicetold.batches import Batch
from twicetold.comparing.records import Dot
from twicetold.deadlines import checked
from twicetold.matching import verified_join
from twicetold.pipeline import Detector, Features
from twicetold.records import Span
from twicetold.scoring import Joined
from twicetold.statistics import Statistics

__all__ = ["Matched", "Sentences", "analyse_sentences", "match_sentences"]

#: A sentence that a document repeats is compared so many times; the rest take over what it matches.
_REPEATS = 32
#: So many matches of a sentence are shown.
_MOST_PARTNERS = 64


@dataclass(frozen=True, slots=True)
class Sentences:
    """Texts as sentences: where they are, and what is the same in each text."""

    texts: list[str]
    languages: list[str]
    spans: list[list[Span]]
    #: Of each text, the sentences with their white space made equal.
    plain: list[list[str]]

    def first_of(self, document: int) -> list[int]:
        """Return for each sentence the first one with the same words."""
        first: dict[str, int] = {}
        return [first.setdefault(text, n) for n, text in enumerate(self.plain[document])]


@dataclass(frozen=True, slots=True)
class Matched:
    """What matches between the first text, left, and each of the others.

    ``asking``    the sentences of left, and of right, that ask and are answered; a measure need not
                  hold both ways
    ``distinct``  the number of each sentence of each text among all different ones; None where the
                  method does not look at it
    ``joined``    what a scan would count, where there is one text on the right and a match
    """

    dots: list[list[Dot]]
    asking: list[tuple[set[int], set[int]]]
    distinct: list[list[int | None]]
    joined: Joined | None


def analyse_sentences(
    texts: Sequence[str], languages: Sequence[str | None], *, threads: int = 0
) -> Sentences:
    """Return where the sentences of texts are; a language that is None is detected."""
    analysed = Analyser(Profile()).analyse(texts, languages=languages, spans=True, threads=threads)
    spans = [_spans(analysed, n) for n in range(len(texts))]
    plain = [
        [" ".join(text[span.start : span.end].split()) for span in checked(own)]
        for text, own in zip(texts, spans, strict=True)
    ]
    return Sentences(list(texts), list(analysed.languages), spans, plain)


def _spans(analysed: Analysed, document: int) -> list[Span]:
    return [Span(*span) for span in analysed.sentence_spans(document)]


def match_sentences(
    given: Sentences,
    detector: Detector,
    profile: Profile,
    statistics: Statistics | None = None,
    *,
    threads: int = 0,
) -> Matched:
    """Match the sentences of the first text with those of each other one.

    Without statistics a term weighs by how many sentences of all the texts have it.
    """
    analyser = Analyser(profile)
    if statistics is None:
        statistics = _counted(given, analyser, detector, threads)
    statistics.require(profile)
    detector = detector.with_statistics(statistics)
    texts = [_without_repeats(given, n) for n in range(len(given.texts))]
    analysed = analyser.analyse(texts, languages=given.languages, spans=True, threads=threads)
    join, joined = _joined(texts, detector, analysed, statistics, threads)
    # What is left out as a repeat has moved the numbers of the sentences behind it.
    numbers = [_renumbered(given.spans[n], _spans(analysed, n)) for n in range(len(texts))]
    dots, asking = [], []
    for right in range(1, len(texts)):
        found = _dots(join, right, [numbers[0], numbers[right]])
        dots.append(found[0])
        asking.append(found[1])
    distinct: list[list[int | None]] = []
    for n, own in enumerate(numbers):
        known = dict(zip(own, join.sentences(n), strict=True))
        distinct.append([known.get(first) for first in given.first_of(n)])
    return Matched(dots, asking, distinct, joined if texts == given.texts else None)


def _dots(
    join: _kernel.VerifiedJoin, right: int, numbers: Sequence[Sequence[int]]
) -> tuple[list[Dot], tuple[set[int], set[int]]]:
    """Return the matches with a text on the right, and which sentences ask and are answered.

    Where a sentence matches very many, as in a table, the best are kept; of equals those near the
    diagonal. What is counted is counted from all.
    """
    columns = join.matches(struct.pack("<I", 0), struct.pack("<I", right))
    lefts, rights = (array("I", column) for column in columns[1:3])
    asks, answers = (array("d", column) for column in columns[3:])
    slope = len(numbers[1]) / max(len(numbers[0]), 1)
    found: dict[tuple[int, int], float] = {}
    # The matches of a sentence of left are next to each other.
    for left, rows in checked(groupby(range(len(lefts)), key=lefts.__getitem__)):
        best: Iterable[int] = nsmallest(
            _MOST_PARTNERS,
            rows,
            key=lambda row: (-max(asks[row], answers[row]), abs(rights[row] - left * slope)),
        )
        for row in best:
            place = numbers[0][left], numbers[1][rights[row]]
            score = max(asks[row], answers[row])
            found[place] = max(score, found.get(place, 0.0))
    asking = (
        {numbers[0][n] for n, score in zip(lefts, asks, strict=True) if score > 0},
        {numbers[1][n] for n, score in zip(rights, answers, strict=True) if score > 0},
    )
    return sorted(Dot(*place, score) for place, score in found.items()), asking


def _counted(given: Sentences, analyser: Analyser, detector: Detector, threads: int) -> Statistics:
    # One more, empty: what every sentence has still weighs something.
    sentences, languages = [""], ["und"]
    for own, language in zip(given.plain, given.languages, strict=True):
        sentences += own
        languages += [language] * len(own)
    analysed = analyser.analyse(sentences, languages=languages, threads=threads)
    origin = "the sentences of these documents"
    return detector.count([analysed], analyser.profile, origin=origin, threads=threads)


def _without_repeats(given: Sentences, document: int) -> str:
    """Return a text with blanks for what it repeats too often: n times n matches help nobody."""
    counts: Counter[str] = Counter()
    text, parts, end = given.texts[document], [], 0
    for span, plain in checked(zip(given.spans[document], given.plain[document], strict=True)):
        counts[plain] += 1
        if counts[plain] > _REPEATS:
            parts += [text[end : span.start], " " * (span.end - span.start)]
            end = span.end
    return "".join([*parts, text[end:]])


def _joined(
    texts: Sequence[str],
    detector: Detector,
    analysed: Analysed,
    statistics: Statistics,
    threads: int,
) -> tuple[_kernel.VerifiedJoin, Joined | None]:
    form = detector.keys_form
    detector = detector.with_statistics(statistics)
    verification = detector.verify()
    assert verification is not None
    collection = _kernel.Collection()
    nothing = [None] * len(texts)
    # Numbers for ids, so that left comes first whatever the documents are called.
    ids = [f"{n:09}" for n in range(len(texts))]
    collection.add(Batch.from_columns(ids, list(texts), nothing, nothing), analysed)
    features = Features()
    features.append(detector.features(analysed, statistics, threads=threads))
    join = verified_join(detector, collection, features, threads=threads)
    join.leave_out(statistics.left_out(form))
    joined = join.run(verification, floor=0.0, threads=threads)
    return join, joined if len(texts) == 2 and len(joined) == 1 else None  # noqa: PLR2004


def _renumbered(wanted: Sequence[Span], found: Sequence[Span]) -> list[int]:
    """Return the number of the wanted sentence in which each found one starts."""
    numbers, at = [], 0
    for span in found:
        while at + 1 < len(wanted) and wanted[at + 1].start <= span.start:
            at += 1
        numbers.append(at)
    return numbers

"""Sentences of one document matched with those of others, by any method that compares sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from twicetold import _kernel
from twicetold.analysis import Analysed, Analyser, Profile
from twicetold.batches import Batch
from twicetold.comparing.records import Dot
from twicetold.matching import sentence_matches, verified_join
from twicetold.pipeline import Detector, Features
from twicetold.records import Span
from twicetold.scoring import Joined
from twicetold.statistics import Statistics

__all__ = ["Matched", "Sentences", "analyse_sentences", "match_sentences"]

#: A sentence that a document repeats is compared so many times; the rest take over what it matches.
_REPEATS = 32


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
        [" ".join(text[span.start : span.end].split()) for span in own]
        for text, own in zip(texts, spans, strict=True)
    ]
    return Sentences(list(texts), list(analysed.languages), spans, plain)


def _spans(analysed: Analysed, document: int) -> list[Span]:
    return [Span(*span) for span, _ in analysed.sentences(document)]


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
        statistics = _counted(given, analyser, threads)
    statistics.require(profile)
    texts = [_without_repeats(given, n) for n in range(len(given.texts))]
    analysed = analyser.analyse(texts, languages=given.languages, spans=True, threads=threads)
    join, joined = _joined(texts, detector, analysed, statistics, threads)
    # What is left out as a repeat has moved the numbers of the sentences behind it.
    numbers = [_renumbered(given.spans[n], _spans(analysed, n)) for n in range(len(texts))]
    rights = range(1, len(texts))
    dots: list[list[Dot]] = [[] for _ in rights]
    asking: list[tuple[set[int], set[int]]] = [(set(), set()) for _ in rights]
    for match in sentence_matches(join, [0] * len(rights), list(rights)):
        left, right = numbers[0][match.left], numbers[match.pair + 1][match.right]
        dots[match.pair].append(Dot(left, right, max(match.left_score, match.right_score)))
        if match.left_score > 0:
            asking[match.pair][0].add(left)
        if match.right_score > 0:
            asking[match.pair][1].add(right)
    distinct: list[list[int | None]] = []
    for n, own in enumerate(numbers):
        known = dict(zip(own, join.sentences(n), strict=True))
        distinct.append([known.get(first) for first in given.first_of(n)])
    return Matched([sorted(set(own)) for own in dots], asking, distinct, joined)


def _counted(given: Sentences, analyser: Analyser, threads: int) -> Statistics:
    statistics = Statistics(analyser.profile, origin="the sentences of these documents")
    # One more, empty: what every sentence has still weighs something.
    sentences, languages = [""], ["und"]
    for own, language in zip(given.plain, given.languages, strict=True):
        sentences += own
        languages += [language] * len(own)
    statistics.add(analyser.analyse(sentences, languages=languages, threads=threads))
    return statistics


def _without_repeats(given: Sentences, document: int) -> str:
    """Return a text with blanks for what it repeats too often: n times n matches help nobody."""
    counts: Counter[str] = Counter()
    text, parts, end = given.texts[document], [], 0
    for span, plain in zip(given.spans[document], given.plain[document], strict=True):
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
    join.leave_out(statistics.frequent_keys(form) or b"")
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

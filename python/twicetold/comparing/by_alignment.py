"""A comparison by alignment: what `retelling` says of documents, and where the sentences are."""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from twicetold.alignment import Alignment, AlignmentParameters, align_all
from twicetold.analysis import PROFILES
from twicetold.comparing.by_sentences import Found, passages_of
from twicetold.comparing.records import Dot
from twicetold.comparing.sentences import Sentences, match_sentences
from twicetold.detectors.word_overlap import WordOverlap
from twicetold.parameters import parameter
from twicetold.records import RELATIONS, Document, Pair, Passage, Relation, Span
from twicetold.scoring import Joined, Scores

__all__ = ["RetellingParameters", "by_alignment"]

#: Inside a passage, sentences with so much overlap are partners.
_WEAK = WordOverlap(min_overlap=0.25, min_words=2)
#: Outside, only these: a quoted sentence is no passage of the alignment in long documents. So many
#: words it has, and so many are enough if they are the same.
_STRONG, _STRONG_WORDS, _SAME_WORDS = 0.5, 9, 5
#: And so many times as long one may be: a text without full stops is one sentence, which has the
#: words of any other somewhere.
_TIMES_AS_LONG = 8
#: Blanks between sentences that follow each other.
_BESIDE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RetellingParameters(AlignmentParameters):
    """The numbers of an alignment, and what is decided from it."""

    threshold: float = parameter(
        0.5,
        "share of a document retold in another from which on it is contained",
        minimum=0,
        maximum=1,
    )

    @property
    def alignment(self) -> AlignmentParameters:
        """The numbers of the alignment alone."""
        names = [field.name for field in dataclasses.fields(AlignmentParameters)]
        return AlignmentParameters(**{name: getattr(self, name) for name in names})


def by_alignment(
    documents: Sequence[Document],
    sentences: Sentences,
    parameters: RetellingParameters,
    *,
    boilerplate: Sequence[Sequence[bool]] | None = None,
    threads: int = 0,
) -> Found:
    """Compare the first document with the others: passages, shares, and sentences in passages.

    ``boilerplate`` says which sentences of each do not count.
    """
    numbers = list(range(1, len(documents)))
    requests: list[tuple[int, int | list[int]]] = [(0, numbers)]
    requests += [(0, number) for number in numbers] if len(numbers) > 1 else []
    union, *alone = align_all(
        sentences.texts,
        requests,
        languages=sentences.languages,
        boilerplate=boilerplate,
        parameters=parameters.alignment,
        threads=threads,
    )
    weak = match_sentences(sentences, _WEAK, PROFILES[_WEAK.profile], threads=threads)
    dots, passages = [], []
    for number in numbers:
        aligned = union.by_document[number - 1]
        inside, quoted = _placed(weak.dots[number - 1], aligned, sentences, number)
        if sentences.texts[0] == sentences.texts[number]:
            # However short a sentence is: the same text has it in the same place.
            known = {(dot.left, dot.right) for dot in inside}
            every = range(len(sentences.spans[0]))
            inside += [Dot(n, n, 1.0) for n in every if (n, n) not in known]
        if boilerplate is not None:
            here, there = boilerplate[0], boilerplate[number]
            quoted = [dot for dot in quoted if not (here[dot.left] and there[dot.right])]
        own = [*aligned, *passages_of(quoted, sentences, number)]
        passages.append(_joined(own, {id(passage) for passage in aligned}))
        dots.append(sorted([*inside, *quoted]))
    pairs = [
        _pair(documents, [number], found, passages[number - 1], parameters.threshold)
        for number, found in zip(numbers, alone or [union], strict=True)
    ]
    told = [passage for own in passages for passage in own]
    told.sort(key=lambda passage: (passage.left, passage.right))
    matched = [{dot.left for own in dots for dot in own}]
    matched += [{dot.right for dot in own} for own in dots]
    together = _pair(documents, numbers, union, told, parameters.threshold)
    return Found(together, pairs, dots, matched)


def _placed(
    dots: Sequence[Dot], passages: Sequence[Passage], sentences: Sentences, number: int
) -> tuple[list[Dot], list[Dot]]:
    """Return the matches inside a passage, and the strong ones outside of all."""
    lefts, rights = sentences.spans[0], sentences.spans[number]
    holders = [
        _holders(lefts, [passage.left for passage in passages]),
        _holders(rights, [passage.right for passage in passages]),
    ]
    inside: list[Dot] = []
    outside: list[Dot] = []
    for dot in dots:
        here, there = holders[0].get(dot.left, set()), holders[1].get(dot.right, set())
        if here & there:
            inside.append(dot)
        elif dot.score >= _STRONG:
            texts = sentences.plain[0][dot.left], sentences.plain[number][dot.right]
            least = _SAME_WORDS if texts[0] == texts[1] else _STRONG_WORDS
            shorter, longer = sorted(map(_length, texts))
            if shorter >= least and longer <= _TIMES_AS_LONG * shorter:
                (inside if here and there else outside).append(dot)
    return inside, outside


def _joined(passages: Sequence[Passage], aligned: set[int]) -> list[Passage]:
    """Join a sentence with the passage of the alignment it overlaps with, or stands beside."""
    joined: list[Passage] = []
    is_aligned: list[bool] = []
    for passage in sorted(passages, key=lambda passage: (passage.left, passage.right)):
        own = id(passage) in aligned
        last = joined[-1] if joined else None
        if last is not None and own != is_aligned[-1] and _touch(last, passage):
            joined[-1] = _both(last, passage)
            is_aligned[-1] = True
        else:
            joined.append(passage)
            is_aligned.append(own)
    return joined


def _touch(first: Passage, second: Passage) -> bool:
    """Return whether one goes on where the other ends, on both sides."""
    return (
        second.left.start <= first.left.end + _BESIDE
        and first.right.start <= second.right.start <= first.right.end + _BESIDE
    )


def _both(first: Passage, second: Passage) -> Passage:
    """Return two passages as one, with the mean of their scores by length."""
    lengths = [passage.left.end - passage.left.start for passage in (first, second)]
    score = (first.score * lengths[0] + second.score * lengths[1]) / max(sum(lengths), 1)
    return Passage(
        Span(first.left.start, max(first.left.end, second.left.end)),
        Span(first.right.start, max(first.right.end, second.right.end)),
        score,
        first.type if first.type == second.type else "edited",
    )


def _length(text: str) -> int:
    """Return about how many words a sentence has, also in scripts without spaces."""
    wide = 0 if text.isascii() else len(text) - len(text.encode("ascii", "ignore"))
    return max(text.count(" ") + 1, wide // 3)


def _holders(spans: Sequence[Span], passages: Sequence[Span]) -> dict[int, set[int]]:
    """Return for each sentence the passages that have the middle of it, or stand within it."""
    starts = [span.start for span in spans]
    found: dict[int, set[int]] = {}
    for n, passage in enumerate(passages):
        at = max(bisect_right(starts, passage.start) - 1, 0)
        while at < len(spans) and spans[at].start < passage.end:
            span = spans[at]
            common = min(span.end, passage.end) - max(span.start, passage.start)
            if 2 * common >= span.end - span.start or common == passage.end - passage.start:
                found.setdefault(at, set()).add(n)
            at += 1
    return found


def _pair(
    documents: Sequence[Document],
    numbers: Sequence[int],
    found: Alignment,
    passages: Sequence[Passage],
    threshold: float,
) -> Pair:
    same = len(numbers) == 1 and documents[0].text == documents[numbers[0]].text
    return Pair(
        documents[0].id,
        " + ".join(documents[n].id for n in numbers),
        _relation(found, threshold, same=same),
        found.left_in_right,
        found.right_in_left,
        found.resemblance,
        found.odds,
        found.left_content_in_right,
        found.right_content_in_left,
        tuple(passages),
    )


def _relation(found: Alignment, threshold: float, *, same: bool) -> Relation:
    if not found.score and not same:  # a threshold of 0 asks for something, however little
        return "overlap"
    row = (found.left_in_right, found.right_in_left, 1.0, 1.0, same)
    return RELATIONS[Scores.matched_share(Joined.of([row])).relate(threshold)[0]]

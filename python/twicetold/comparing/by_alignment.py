"""A comparison by alignment: what `retelling` says of documents, and where the sentences are."""

from __future__ import annotations

import dataclasses
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from twicetold.alignment import Alignment, AlignmentParameters, align_all
from twicetold.analysis import PROFILES
from twicetold.comparing.by_sentences import Found, passages_of
from twicetold.comparing.records import Dot
from twicetold.comparing.sentences import Sentences, match_sentences
from twicetold.deadlines import checked
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
    """The numbers of an alignment, and what is decided from it.

    A passage ends where the match ends: what a few sentences sum up, which may be the whole of the
    other document, is no passage here unless ``summary_words`` says so.
    """

    summary_words: int = parameter(
        0,
        "words of a summary, which is a passage with all it sums up, such as 50; 0: never",
        minimum=0,
    )
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
    holders = _holders(lefts, [passage.left for passage in passages])
    is_held = _held(rights, [passage.right for passage in passages])
    inside: list[Dot] = []
    outside: list[Dot] = []
    for dot in checked(dots):
        here, span = holders.get(dot.left, ()), rights[dot.right]
        there = is_held[dot.right]
        if there and any(_has(passages[n].right, span) for n in here):
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
    for passage in checked(sorted(passages, key=lambda passage: (passage.left, passage.right))):
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


def _has(passage: Span, span: Span) -> bool:
    """Return whether a passage has the middle of a sentence, or stands within it."""
    common = min(span.end, passage.end) - max(span.start, passage.start)
    return 2 * common >= span.end - span.start or common == passage.end - passage.start


def _holders(spans: Sequence[Span], passages: Sequence[Span]) -> dict[int, list[int]]:
    """Return for each sentence the passages that have it; these hardly overlap with each other."""
    starts = [span.start for span in spans]
    found: dict[int, list[int]] = {}
    for n, passage in enumerate(checked(passages)):
        at = max(bisect_right(starts, passage.start) - 1, 0)
        while at < len(spans) and spans[at].start < passage.end:
            if _has(passage, spans[at]):
                found.setdefault(at, []).append(n)
            at += 1
    return found


def _held(spans: Sequence[Span], passages: Sequence[Span]) -> list[bool]:
    """Return for each sentence whether a passage has it; these may overlap as much as they like."""
    starts = [span.start for span in spans]
    # Where stretches of sentences that are all in one begin and end; at its ends one may not be.
    steps = [0] * (len(spans) + 1)
    for passage in checked(passages):
        first = max(bisect_right(starts, passage.start) - 1, 0)
        end = bisect_left(starts, passage.end, lo=first)
        while first < end and not _has(passage, spans[first]):
            first += 1
        while first < end and not _has(passage, spans[end - 1]):
            end -= 1
        steps[first] += 1
        steps[end] -= 1
    return [count > 0 for count in accumulate(steps[:-1])]


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

"""A slow, obvious oracle of alignment: shares by sentences, and figures by single characters.

A document is a list of sentences, a sentence is a list of stems.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

Sentences = Sequence[Sequence[str]]


def cut(sentences: Sentences, longest: int = 30) -> list[list[str]]:
    """Return sentences, the long ones in equal parts."""
    found: list[list[str]] = []
    for sentence in sentences:
        parts = -(-len(sentence) // longest)
        ends = [len(sentence) * n // parts for n in range(parts + 1)]
        found.extend(list(sentence[start:end]) for start, end in itertools.pairwise(ends))
    return found


def content(left: Sentences, right: Sentences) -> float:
    """Return the share of left's stems that right has, weighed as rare in left."""
    theirs = {stem for sentence in right for stem in sentence}
    weights = {
        stem: math.log((len(left) + 1) / sum(stem in sentence for sentence in left))
        for sentence in left
        for stem in sentence
    }
    whole = sum(weights.values())
    return sum(weights[stem] for stem in weights if stem in theirs) / whole if whole else 0.0


def retold(left: Sentences, right: Sentences, window: int = 3) -> float:
    """Return the share of left that is retold in right."""
    both = [*left, *right]

    def weight(stem: str) -> float:
        return math.log((len(both) + 1) / sum(stem in sentence for sentence in both))

    ours = [stem for sentence in left for stem in sentence]
    theirs = [stem for sentence in right for stem in sentence]
    size = min(5, len(ours), len(theirs))
    in_row = [
        any(
            start <= place < start + size and _contains(theirs, ours[start : start + size])
            for start in range(len(ours) - size + 1)
        )
        for place in range(len(ours))
    ]
    found = whole = 0.0
    place = 0
    for sentence in left:
        total = sum(weight(stem) for stem in set(sentence))
        best = max(
            (
                sum(
                    weight(s)
                    for s in set(sentence)
                    if any(s in near for near in right[at:][:window])
                )
                for at in range(len(right))
            ),
            default=0.0,
        )
        share = best / total
        row = sum(weight(stem) for n, stem in enumerate(sentence) if in_row[place + n])
        order = row / sum(weight(stem) for stem in sentence)
        place += len(sentence)
        beyond_chance = max((share - 0.5) / 0.5, 0.0)
        plenty = max((share - 0.7) / 0.3, 0.0)
        found += total * math.sqrt(beyond_chance * max(order, plenty))
        whole += total
    return found / whole if whole else 0.0


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    return bool(part) and any(
        list(words[at : at + len(part)]) == list(part) for at in range(len(words))
    )


Stretch = tuple[tuple[int, int], tuple[int, int]]


def characters(stretch: Stretch) -> set[tuple[int, int]]:
    """Return the characters of both documents, each with the number of its document."""
    return {(side, at) for side, (start, end) in enumerate(stretch) for at in range(start, end)}


def overlap(one: Stretch, other: Stretch) -> bool:
    """Return whether two stretches have characters in common in both documents."""
    return {side for side, _ in characters(one) & characters(other)} == {0, 1}


def covered(stretch: Stretch, others: Sequence[Stretch]) -> float:
    """Return the share of a stretch's characters that overlapping others have."""
    near = [characters(other) for other in others if overlap(stretch, other)]
    return len(characters(stretch) & set().union(*near)) / len(characters(stretch))


def plagdet(pairs: Sequence[tuple[Sequence[Stretch], Sequence[Stretch]]]) -> tuple[float, ...]:
    """Return precision, recall, granularity and plagdet."""
    recalls = [covered(case, found) for cases, found in pairs for case in cases]
    precisions = [covered(stretch, cases) for cases, found in pairs for stretch in found]
    pieces = [
        sum(overlap(case, stretch) for stretch in found) for cases, found in pairs for case in cases
    ]
    hit = [n for n in pieces if n]
    granularity = sum(hit) / len(hit) if hit else 1.0
    precision = sum(precisions) / len(precisions) if precisions else float(not recalls)
    recall = sum(recalls) / len(recalls) if recalls else float(not precisions)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return precision, recall, granularity, f1 / math.log2(1 + granularity)

"""Slow, obvious oracles of the methods that compare sentences.

A document is a list of sentences, a sentence is a list of words. Nothing is hashed, indexed or
shared with the package.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta

from tests.reference import Frequencies, Sentence, Told, orient

Words = frozenset[str]
Score = Callable[[Words, Words], float]
Matches = Callable[[Words, Words], bool]


def overlap(query: Words, stored: Words, measure: str, frequencies: Frequencies) -> float:
    """Return how much of a sentence another one has."""

    def idf(words: Iterable[str]) -> float:
        n = frequencies.documents
        return sum(max(math.log(n / max(frequencies.of.get(w, 0), 1)), 0.0) for w in words)

    plain = len(query & stored) / len(query)
    weighted = idf(query & stored) / idf(query) if idf(query) > 1e-9 else plain
    return {"plain": plain, "idf": weighted, "selfnorm": plain * weighted}[measure]


def cosine(one: Words, other: Words, frequencies: Frequencies) -> float:
    """Return the cosine of two sentences by idf; words that all weigh nothing weigh the same."""

    def vector(words: Words) -> dict[str, float]:
        n = frequencies.documents
        idf = {w: max(math.log(n / max(frequencies.of.get(w, 0), 1)), 0.0) for w in words}
        return idf if max(idf.values()) > 1e-9 else dict.fromkeys(words, 1.0)

    a, b = vector(one), vector(other)
    dot = sum(a[w] * b[w] for w in one & other)
    return dot / (math.hypot(*a.values()) * math.hypot(*b.values()))


def looked_at(document: Iterable[Sentence], min_words: int) -> set[Words]:
    """Return the different sentences of a document that have enough different words."""
    found = {frozenset(sentence) for sentence in document}
    return {words for words in found if len(words) >= max(min_words, 1)}


def matched(one: set[Words], other: set[Words], matches: Matches) -> int:
    """Return how many sentences of one document have a match in the other."""
    return sum(any(q == r or matches(q, r) for r in other) for q in one)


def is_near(one: Told, other: Told, window: timedelta | None) -> bool:
    if window is None or one.published is None or other.published is None:
        return True
    return abs(one.published - other.published) <= window


def expected_shares(
    documents: Sequence[Told],
    matches: Matches,
    *,
    min_words: int,
    window: timedelta | None = None,
) -> dict[tuple[str, str], tuple[float, float, float]]:
    """Return the shares both ways and the resemblance of every pair that has anything."""
    found = {}
    sentences = {d.id: looked_at(d.sentences, min_words) for d in documents}
    for n, one in enumerate(documents):
        for other in documents[:n]:
            left, right = orient(one, other)
            if not is_near(left, right, window):
                continue
            a, b = sentences[left.id], sentences[right.id]
            both = matched(a, b, matches), matched(b, a, matches)
            if left.text == right.text:
                found[left.id, right.id] = (1.0, 1.0, 1.0)
            elif any(both):
                shares = both[0] / len(a), both[1] / len(b)
                found[left.id, right.id] = (*shares, sum(both) / (len(a) + len(b)))
    return found

"""Signatures of sentences: how likely they differ, and which radius to search with.

A word sets ``l`` of ``m`` bits; a sentence of ``n`` words has the bits of all of them; another one
has the same words and ``k`` more. Kim, Candan, Tatemura, "Efficient overlap and content reuse
detection in blogs and online news articles", WWW 2009, section 2.1.2.
"""

from __future__ import annotations

from typing import Literal

from twicetold import _kernel

__all__ = [
    "Law",
    "bit_probability",
    "bits_per_word",
    "guaranteed_radius",
    "predicted_recall",
    "radius",
    "switch_probability",
    "within_probability",
]

Law = Literal["binomial", "exact"]


def bit_probability(bits: int, bits_per_word: int, words: float) -> float:
    """Return the probability that a bit is set: ``1 - (1 - 1/m)**(n*l)``.

    >>> round(bit_probability(32, 2, 10), 6)
    0.470051
    """
    return _kernel.bit_set(bits, bits_per_word, words)


def switch_probability(
    bits: int, bits_per_word: int, words: float, more: float, *, approximate: bool = False
) -> float:
    """Return the probability that k more words set a bit that was not set.

    ``(1 - 1/m)**(n*l) * (1 - (1 - 1/m)**(k*l))``; ``approximate`` takes powers of e instead.

    >>> round(switch_probability(32, 2, 10, 3), 6)
    0.091919
    """
    return _kernel.bit_switch(bits, bits_per_word, words, more, approximate)


def within_probability(
    bits: int, bits_per_word: int, words: int, more: int, distance: int, *, law: Law = "binomial"
) -> float:
    """Return the probability that k more words switch at most ``distance`` bits.

    ``binomial`` takes the bits as independent, as the paper does; ``exact`` follows the number of
    set bits word by word, each of which sets l different ones.

    >>> round(within_probability(32, 2, 10, 3, 4), 4)
    0.8337
    >>> round(within_probability(32, 2, 10, 3, 4, law="exact"), 4)
    0.9131
    """
    if law == "binomial":
        return _kernel.binomial_within(bits, bits_per_word, words, more, distance, False)
    return sum(_kernel.exact_law(bits, bits_per_word, words, more)[: distance + 1])


def radius(
    bits: int,
    bits_per_word: int,
    words: int,
    changed: int,
    false_hits: float,
    *,
    law: Law = "binomial",
) -> int | None:
    """Return the largest radius that more than k words come within at most so likely.

    None if not even 0 keeps the bound.

    >>> [radius(32, 2, 10, k, 0.1) for k in (1, 2, 3, 4, 5)]
    [None, 0, 1, 1, 2]
    """
    return _kernel.bounded_radius(law, bits, bits_per_word, words, changed, false_hits)


def guaranteed_radius(bits: int, bits_per_word: int, changed: int) -> int:
    """Return ``k * l``: k words added or removed never change more bits.

    >>> guaranteed_radius(32, 2, 3)
    6
    """
    return min(changed * bits_per_word, bits)


def bits_per_word(bits: int, vocabulary: int) -> int:
    """Return the smallest l that gives each word bits of its own: ``C(m, l) >= vocabulary``.

    Where no l does, the one with the most combinations.

    >>> bits_per_word(32, 10_000), bits_per_word(64, 10_000), bits_per_word(16, 1_000_000)
    (4, 3, 8)
    """
    return _kernel.bits_per_word(bits, vocabulary)


def predicted_recall(
    bits: int,
    bits_per_word: int,
    words: float,
    theta: float,
    distance: int,
    *,
    law: Law = "binomial",
) -> float:
    """Return how likely a stored sentence with a share ``theta`` of n words is within a distance.

    The stored sentence has ``theta * n`` of the words and no others. The binomial law is taken with
    powers of e, as in the paper; the exact one for the nearest whole numbers of words.

    >>> [round(predicted_recall(32, 2, 9.98, 0.8, d), 3) for d in (1, 3, 5)]
    [0.325, 0.809, 0.976]
    """
    kept, lost = theta * words, (1 - theta) * words
    if law == "binomial":
        return _kernel.binomial_within(bits, bits_per_word, kept, lost, distance, True)
    return within_probability(bits, bits_per_word, round(kept), round(lost), distance, law=law)

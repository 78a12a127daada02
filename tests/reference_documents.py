"""Slow, obvious fingerprints and sketches of whole documents: the oracles of the kernel.

A document is the list of its words, in order. Where a method asks for the hash of something, it is
given by the caller; nothing else is shared with the package.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

Words = tuple[str, ...]
Hash = Callable[[Words], int]


def grams(words: Sequence[str], size: int) -> list[Words]:
    """Return all runs of so many words; a shorter document is one run, an empty one has none."""
    if not words:
        return []
    size = min(size, len(words))
    return [tuple(words[n : n + size]) for n in range(len(words) - size + 1)]


def every(words: Sequence[str], size: int, step: int) -> set[Words]:
    """Return the grams at the places 0, step, 2 * step, …"""
    return set(grams(words, size)[::step])


def super_shingles(words: Sequence[str], size: int, length: int) -> set[tuple[Words, ...]]:
    """Return the runs of neighbouring grams."""
    found = grams(words, size)
    length = min(length, len(found))
    return {tuple(found[n : n + length]) for n in range(len(found) - length + 1) if length}


def multiples(words: Sequence[str], size: int, of: int, hashed: Hash) -> set[Words]:
    """Return the grams whose hash can be divided."""
    return {gram for gram in grams(words, size) if hashed(gram) % of == 0}


def winnowed(words: Sequence[str], size: int, window: int, hashed: Hash) -> set[Words]:
    """Return the gram with the smallest hash of every window; of fewer grams, of all."""
    found = grams(words, size)
    window = min(window, len(found))
    windows = (found[n : n + window] for n in range(len(found) - window + 1))
    return {min(run, key=hashed) for run in windows if run}


def by_rarity(words: Iterable[str], frequencies: Mapping[str, int]) -> list[str]:
    """Return the different words, the rarest first; a word nobody has seen is as rare as one."""
    return sorted(set(words), key=lambda word: (max(frequencies.get(word, 0), 1), word))


def imatch(
    words: Iterable[str], frequencies: Mapping[str, int], skip: int, take: int
) -> frozenset[str]:
    """Return the words that make up the fingerprint."""
    return frozenset(by_rarity(words, frequencies)[skip : skip + take])


def vote(weights: Mapping[int, float], bits: int) -> int:
    """Return the sketch that hashes vote for with their weights."""
    sketch = 0
    for bit in range(bits):
        counter = sum(
            weight if hashed >> bit & 1 else -weight for hashed, weight in weights.items()
        )
        sketch |= (counter > 0) << bit
    return sketch


def containment(one: Collection[object], other: AbstractSet[object]) -> float:
    """Return how much of one set is in another."""
    return sum(element in other for element in one) / len(one) if one else 0.0


def resemblance(one: AbstractSet[object], other: AbstractSet[object]) -> float:
    """Return the share of all elements that both sets have."""
    return len(one & other) / len(one | other) if one | other else 0.0

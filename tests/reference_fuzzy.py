"""Slow, obvious oracles of fuzzy sets: what the thesis prints, word by word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations

Correlation = Callable[[str, str], float]
Matrix = dict[tuple[str, str], float]


def correlations(units: Iterable[Iterable[str]], floor: float, min_count: int) -> Matrix:
    """Return ``n_ij / (n_i + n_j - n_ij)`` of every two different words, where that is enough."""
    sets = [frozenset(unit) for unit in units]
    words = sorted({word for unit in sets for word in unit})
    found = {}
    for i in words:
        for j in words:
            both = sum(i in unit and j in unit for unit in sets)
            n_i, n_j = (sum(word in unit for unit in sets) for word in (i, j))
            c = both / (n_i + n_j - both)
            if i != j and c >= floor - 1e-12 and min(n_i, n_j) >= min_count:
                found[i, j] = c
    return found


def lookup(matrix: Matrix) -> Correlation:
    """Return the correlation of two words: 1 for a word and itself, 0 for what is not there."""
    return lambda i, k: 1.0 if i == k else matrix.get((i, k), matrix.get((k, i), 0.0))


def membership(word: str, sentence: Iterable[str], c: Correlation) -> float:
    """Return mu."""
    rest = 1.0
    for other in sentence:
        rest *= 1 - c(word, other)
    return 1 - rest


def similarity(sentence: Sequence[str], other: Sequence[str], c: Correlation) -> float:
    """Return Sim; words are counted as often as they are given."""
    return sum(membership(word, other, c) for word in sentence) / len(sentence)


def equal(there: float, back: float, permission: float, variation: float) -> bool:
    """Return EQ."""
    return min(there, back) >= permission - 1e-6 and abs(there - back) <= variation + 1e-6


def resemblance(links: Sequence[Sequence[bool]], how: str) -> int:
    """Return how many rows of a table of equal sentences count."""
    if not links or not links[0]:
        return 0
    if how == "exists":
        return sum(any(row) for row in links)
    if how == "double":
        return min(sum(map(sum, links)), len(links))
    n, m = len(links), len(links[0])
    rows = links if n >= m else list(zip(*links, strict=True))
    short = min(n, m)
    counts: list[int] = [
        sum(rows[row][column] for column, row in enumerate(chosen))
        for chosen in permutations(range(len(rows)), short)
    ]
    return max(counts)


def words_of(sentence: Iterable[str], how: str) -> tuple[str, ...]:
    """Return the words of a sentence: each once, or as often as it comes."""
    counts = Counter(sentence)
    return tuple(sorted(counts if how == "set" else counts.elements()))

"""How far two judges agree beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable

__all__ = ["kappa"]


def kappa(answers: Iterable[tuple[Hashable, Hashable]]) -> float | None:
    """Return Cohen's kappa of two judges; None where nothing could tell them apart.

    ``kappa = (p_o - p_e) / (1 - p_e)``: p_o is how often both give the same answer, p_e how often
    they would if each gave the own answers at random.

    Cohen, "A coefficient of agreement for nominal scales", 1960.

    >>> both = [("yes", "yes")] * 50 + [("yes", "no")] * 10 + [("no", "yes")] * 5
    >>> round(kappa(both + [("no", "no")] * 35), 4)
    0.6939
    """
    counts = Counter(answers)
    n = counts.total()
    first: Counter[Hashable] = Counter()
    second: Counter[Hashable] = Counter()
    for (one, other), times in counts.items():
        first[one] += times
        second[other] += times
    same = sum(times for (one, other), times in counts.items() if one == other)
    chance = sum(times * second[answer] for answer, times in first.items())
    # In whole numbers: (same / n - chance / n²) / (1 - chance / n²).
    return (same * n - chance) / (n * n - chance) if n * n > chance else None

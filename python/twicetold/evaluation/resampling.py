"""Intervals: how much a figure would change with other clusters of the same kind."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

__all__ = ["difference", "draws", "interval", "intervals", "resampled", "wilson"]

#: What an interval leaves out at either end.
_TAIL = 0.025
#: So many standard deviations to either side are a 95% interval.
_WIDTH = 1.96

Figures = Mapping[str, float | None]


def draws(n_clusters: int, *, times: int, seed: int) -> Iterator[list[float]]:
    """Yield how often each cluster comes among as many as there are, drawn with replacement."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    everyone = range(n_clusters)
    for _ in range(times):
        drawn = [0.0] * n_clusters
        for cluster in chance.choices(everyone, k=n_clusters):
            drawn[cluster] += 1.0
        yield drawn


def resampled(
    figures: Callable[[list[float]], Figures], resamples: Iterable[list[float]]
) -> dict[str, list[float | None]]:
    """Return every figure of every resample; None where it does not exist."""
    found: dict[str, list[float | None]] = {}
    for times in resamples:
        for name, value in figures(times).items():
            found.setdefault(name, []).append(value)
    return found


def interval(values: Iterable[float | None]) -> tuple[float, float] | None:
    """Return the 95% interval of a figure: its 2.5% and 97.5% points over the resamples.

    A resample in which the figure does not exist says nothing about it.
    """
    known = sorted(value for value in values if value is not None)
    return _ends(known) if known else None


def intervals(found: Mapping[str, Sequence[float | None]]) -> dict[str, tuple[float, float]]:
    """Return the 95% interval of each figure that has one."""
    return {name: ends for name, values in found.items() if (ends := interval(values))}


def difference(
    values: Sequence[float | None], others: Sequence[float | None]
) -> tuple[float, float] | None:
    """Return the 95% interval of the difference of two figures over the same resamples."""
    pairs = zip(values, others, strict=True)
    return interval(a - b if a is not None and b is not None else None for a, b in pairs)


def _ends(ordered: list[float]) -> tuple[float, float]:
    return _point(ordered, _TAIL), _point(ordered, 1 - _TAIL)


def _point(ordered: list[float], share: float) -> float:
    """Return the point below which that share of the values lies, between neighbours in a line."""
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def wilson(share: float, n: float) -> tuple[float, float]:
    """Return Wilson's 95% interval of a share of so many.

    >>> [round(end, 3) for end in wilson(1.0, 5)]
    [0.566, 1.0]
    """
    square = _WIDTH**2
    middle = share + square / (2 * n)
    spread = _WIDTH * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    low, high = ((middle + sign * spread) / (1 + square / n) for sign in (-1, 1))
    return max(low, 0.0), min(high, 1.0)

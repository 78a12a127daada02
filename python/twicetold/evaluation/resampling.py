"""The bootstrap: how much a figure would change with other clusters of the same kind."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping

__all__ = ["draws", "intervals"]

#: What an interval leaves out at either end.
_TAIL = 0.025

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


def intervals(
    figures: Callable[[list[float]], Figures], resamples: Iterable[list[float]]
) -> dict[str, tuple[float, float]]:
    """Return the 95% interval of each figure: its 2.5% and 97.5% points over the resamples.

    A resample in which a figure does not exist says nothing about it.
    """
    found: dict[str, list[float]] = {}
    for times in resamples:
        for name, value in figures(times).items():
            if value is not None:
                found.setdefault(name, []).append(value)
    return {name: _ends(sorted(values)) for name, values in found.items()}


def _ends(ordered: list[float]) -> tuple[float, float]:
    return _point(ordered, _TAIL), _point(ordered, 1 - _TAIL)


def _point(ordered: list[float], share: float) -> float:
    """Return the point below which that share of the values lies, between neighbours in a line."""
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)

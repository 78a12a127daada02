"""How fast something grows: the exponent of a power law."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["doublings", "exponent"]


def doublings(largest: int, steps: int) -> list[int]:
    """Return sizes that double up to the largest.

    >>> doublings(80_000, 4)
    [10000, 20000, 40000, 80000]
    """
    return sorted({max(largest >> n, 1) for n in range(steps)})


def exponent(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return b of the law ``y = a * x ** b`` that fits best in logarithms; None without two points.

    >>> exponent([1, 2, 4], [3, 12, 48])
    2.0
    """
    points = [(math.log(a), math.log(b)) for a, b in zip(x, y, strict=True) if a > 0 and b > 0]
    if len({a for a, _ in points}) < 2:  # noqa: PLR2004 - two points make a line
        return None
    mean_x, mean_y = (sum(each) / len(points) for each in zip(*points, strict=True))
    above: float = sum((a - mean_x) * (b - mean_y) for a, b in points)
    below: float = sum((a - mean_x) ** 2 for a, _ in points)
    return round(above / below, 9)

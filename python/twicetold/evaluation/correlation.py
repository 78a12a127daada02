"""Correlation of scores with grades, each pair with a weight."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from twicetold.evaluation.columns import steps, total

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Ranks", "pearson"]

#: A variance below this share of the mean square is what rounding leaves of a constant.
_CONSTANT = 1e-12


def pearson(x: pa.Array, y: pa.Array, weights: pa.Array) -> float | None:
    """Return Pearson's correlation; None where one side does not vary.

    ``r = cov(x, y) / sqrt(var(x) * var(y))``, each a mean weighted with ``weights``.
    """
    import pyarrow.compute as pc

    n = total(weights)
    if not n:
        return None
    wx, wy = pc.multiply(x, weights), pc.multiply(y, weights)
    mean_x, mean_y = total(wx) / n, total(wy) / n
    square_x, square_y = total(pc.multiply(wx, x)) / n, total(pc.multiply(wy, y)) / n
    var_x, var_y = square_x - mean_x**2, square_y - mean_y**2
    if var_x <= _CONSTANT * square_x or var_y <= _CONSTANT * square_y:
        return None
    r = (total(pc.multiply(wx, y)) / n - mean_x * mean_y) / math.sqrt(var_x * var_y)
    return max(-1.0, min(1.0, r))


class Ranks:
    """Values sorted once; their ranks depend on the weights: equal values share the mean rank.

    Spearman's correlation is Pearson's of ranks.
    """

    def __init__(self, values: pa.Array) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        self._order = pc.sort_indices(values)
        runs = pc.run_end_encode(values.take(self._order))
        self._ends = pc.subtract(runs.run_ends, 1)
        groups: list[int] = []
        for group, end in enumerate(runs.run_ends.to_pylist()):
            groups.extend([group] * (end - len(groups)))
        self._group = pa.array(groups, pa.int64()).take(pc.sort_indices(self._order))

    def of(self, weights: pa.Array) -> Any:
        """Return ``2 * rank - 1`` of each value, each value taken as often as its weight says.

        The rank in the middle of its equals is ``(before + up to it + 1) / 2``; the factor and the
        constant change no correlation.
        """
        import pyarrow.compute as pc

        sums = pc.cumulative_sum(weights.take(self._order)).take(self._ends)
        return pc.add(*steps(sums)).take(self._group)

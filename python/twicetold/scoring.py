"""Scores and relations of joined pairs.

The numbers are the kernel's. Relations are one byte a pair, its place in `RELATIONS`.
"""

from __future__ import annotations

from twicetold import _kernel

__all__ = ["EPSILON", "MAX_ODDS", "Joined", "Relations", "Scores", "odds"]

#: What stands for certainty: p / (1 - p) has no upper end.
MAX_ODDS = 100.0

#: Shares closer than this are equal: sums are exact, their quotients are not.
EPSILON = 1e-12

Joined = _kernel.Joined
Scores = _kernel.Scores
Relations = bytes


def odds(left_in_right: float, right_in_left: float) -> float:
    """Return ``p / (1 - p)`` for ``p = left_in_right * right_in_left``, at most `MAX_ODDS`.

    >>> round(odds(0.9, 0.9), 5), round(odds(0.1, 0.9), 5), odds(1.0, 1.0)
    (4.26316, 0.0989, 100.0)
    """
    return _kernel.odds(left_in_right, right_in_left)

"""Whether probabilities are what they say: of pairs said to be related with 80%, 80% should be.

Judged by folds that are held out: pairs of sources that nothing was learned from, the sigmoid
included. Only pairs that were met count, as only these are given a probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from twicetold.evaluation.resampling import wilson
from twicetold.learning.patterns import Patterns

__all__ = ["N_BINS", "Bin", "Judged", "Reliability", "reliability"]

#: Bins of the same width, from 0 to 1.
N_BINS = 10


class Bin(NamedTuple):
    """Pairs with probabilities from ``low`` to ``high``.

    ``pairs``      how many there are
    ``predicted``  their mean probability
    ``observed``   the share of them that is related
    ``interval``   of that share, 95% (Wilson's), as if pairs had nothing to do with each other
    """

    low: float
    high: float
    pairs: float
    predicted: float
    observed: float
    interval: tuple[float, float]


class Reliability(NamedTuple):
    """The bins that hold any pair, and two figures of them all.

    ``error`` is the mean distance between predicted and observed share, each bin by its pairs
    (expected calibration error); ``brier`` the mean square of probability minus truth.
    """

    bins: tuple[Bin, ...]
    error: float
    brier: float

    def to_json(self) -> dict[str, Any]:
        """Return the table by names."""
        return {
            "calibration_error": self.error,
            "brier": self.brier,
            "bins": [{**own._asdict(), "interval": list(own.interval)} for own in self.bins],
        }


class Judged(NamedTuple):
    """Rows that were held out, and how likely each was said to be related."""

    rows: Any
    likely: Any


def reliability(patterns: Patterns, judged: Sequence[Judged], *, repeats: int) -> Reliability:
    """Compare probabilities with how often pairs are related; each repetition counts alike."""
    import numpy as np

    rows = np.concatenate([each.rows for each in judged])
    likely = np.concatenate([each.likely for each in judged])
    met = patterns.met[rows]
    rows, likely = rows[met], likely[met]
    asked = patterns.rows(rows)
    places = np.minimum((likely * N_BINS).astype(int), N_BINS - 1)
    weight = asked.weight / repeats

    def sums(values: Any) -> Any:
        return np.bincount(places, values, N_BINS)

    pairs = sums(weight)
    predicted, observed = (sums(weight * of) for of in (likely, asked.positive))
    bins = tuple(
        Bin(
            low=n / N_BINS,
            high=(n + 1) / N_BINS,
            pairs=float(pairs[n]),
            predicted=float(predicted[n] / pairs[n]),
            observed=float(observed[n] / pairs[n]),
            interval=wilson(float(observed[n] / pairs[n]), float(pairs[n])),
        )
        for n in np.flatnonzero(pairs).tolist()
    )
    total = max(float(np.sum(weight)), 1e-300)
    error = sum(own.pairs * abs(own.predicted - own.observed) for own in bins) / total
    brier = float(np.sum(weight * (likely - asked.positive) ** 2)) / total
    return Reliability(bins, error, brier)

"""From the distance to a boundary to a probability: Platt's sigmoid.

Platt, "Probabilistic outputs for support vector machines", 1999: fitted to distances of pairs that
the boundary was not learned from, with targets a little inside 0 and 1, so that pairs which are
told apart without a mistake do not make it a step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Sigmoid", "fit_sigmoid"]

#: A sigmoid never falls: a pair further on the side of related ones is never less likely.
_LEAST_SLOPE = 1e-6
_WEAK = 1e6


class Sigmoid(NamedTuple):
    """``p = 1 / (1 + exp(-(slope * distance + offset)))``."""

    slope: float
    offset: float

    def __call__(self, distances: Any) -> Any:
        """Return the probabilities of distances."""
        import numpy as np

        x = np.clip(self.slope * distances + self.offset, -700, 700)
        return 1 / (1 + np.exp(-x))


def fit_sigmoid(distances: Any, positive: Any, weight: Any) -> Sigmoid:
    """Fit a sigmoid to distances, pairs counted by their weight."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression

    n_positive, n_negative = np.sum(weight[positive]), np.sum(weight[~positive])
    target = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
    # A target between 0 and 1 is both at once, each by its share.
    spread = float(np.std(distances)) or 1.0
    twice = np.concatenate([distances, distances])[:, None] / spread
    is_positive = np.repeat([True, False], len(distances))
    weights = np.concatenate([weight * target, weight * (1 - target)])
    found = LogisticRegression(C=_WEAK, max_iter=1000).fit(
        twice, is_positive, weights / np.mean(weight)
    )
    slope = max(float(found.coef_[0, 0]) / spread, _LEAST_SLOPE)
    return Sigmoid(slope, float(found.intercept_[0]))

"""A support vector machine over standardised similarities.

A fitted machine is a `Boundary` of plain numbers, evaluated a column at a time: what a pair gets
never depends on the pairs beside it, nor on the number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from twicetold.extras import missing_extra

__all__ = ["Boundary", "Kernel", "boundary_of", "fit", "require_extra"]

Kernel = Literal["linear", "rbf"]

#: Rows evaluated at a time against all support vectors.
_ROWS = 1024
_ITERATIONS = 100_000


def require_extra() -> None:
    """Raise `MissingExtraError` unless what learning needs is installed."""
    try:
        import skops.io  # noqa: F401
    except ImportError as error:
        raise missing_extra(need="learning needs scikit-learn and skops", extra="learn") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Boundary:
    """Where related pairs end.

    With ``z = (x - mean) / scale`` of a vector x::

        linear  f(x) = sum of weight_i * z_i + intercept
        rbf     f(x) = sum of weight_i * exp(-gamma * |z - v_i|^2) + intercept

    with the support vectors ``v_i``; related is what has ``f(x) > 0``, before calibration.
    """

    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float
    gamma: float | None = None
    support: tuple[tuple[float, ...], ...] = ()

    def distances(self, vectors: Any) -> Any:
        """Return f of each row."""
        import numpy as np

        standard = (np.asarray(vectors, float) - self.mean) / self.scale
        if self.gamma is None:
            found = np.full(len(standard), self.intercept)
            for n, weight in enumerate(self.weights):
                found += weight * standard[:, n]
            return found
        parts = [
            self._near(standard[start : start + _ROWS]) for start in range(0, len(standard), _ROWS)
        ]
        return np.concatenate([np.zeros(0), *parts])

    def _near(self, rows: Any) -> Any:
        import numpy as np

        assert self.gamma is not None
        support = np.array(self.support)
        distance = np.zeros((len(rows), len(support)))
        for n in range(rows.shape[1]):
            distance += (rows[:, n, None] - support[None, :, n]) ** 2
        return np.sum(np.exp(-self.gamma * distance) * self.weights, axis=1) + self.intercept


def fit(
    vectors: Any, positive: Any, *, c: float, gamma: float | None = None, balanced: bool = True
) -> Any:
    """Fit a pipeline of scikit-learn: standardise, then divide; gamma None: linear."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC, LinearSVC

    weight = "balanced" if balanced else None
    if gamma is None:
        machine = LinearSVC(C=c, dual=False, class_weight=weight, max_iter=_ITERATIONS)
    else:
        machine = SVC(C=c, gamma=gamma, class_weight=weight)
    return make_pipeline(StandardScaler(), machine).fit(vectors, positive)


def boundary_of(pipeline: Any) -> Boundary:
    """Return a fitted pipeline as numbers."""
    scaler, machine = pipeline[0], pipeline[-1]
    shared: dict[str, Any] = {
        "mean": tuple(scaler.mean_.tolist()),
        "scale": tuple(scaler.scale_.tolist()),
        "intercept": float(machine.intercept_[0]),
    }
    if not hasattr(machine, "support_vectors_"):
        return Boundary(weights=tuple(machine.coef_[0].tolist()), **shared)
    return Boundary(
        weights=tuple(machine.dual_coef_[0].tolist()),
        gamma=float(machine.gamma),
        support=tuple(map(tuple, machine.support_vectors_.tolist())),
        **shared,
    )

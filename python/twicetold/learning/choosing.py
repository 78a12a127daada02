"""C and gamma by cross-validation, then the boundary, its probabilities and the threshold.

Values of C from 2^-5 to 2^10 and of gamma from 2^-10 to 2^3 are tried, every third power first and
then those around the best. What a value is worth is the best F1 (or accuracy) that a threshold on
distances reaches, for pairs of sources that were held out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from twicetold.learning.calibration import Sigmoid, fit_sigmoid
from twicetold.learning.deciding import Objective, Threshold, best_threshold
from twicetold.learning.patterns import RATIO, Patterns, folds_of
from twicetold.learning.svm import Boundary, Kernel, boundary_of, fit

__all__ = ["Plan", "Rule", "learn_rule"]

_C = range(-5, 11)
_GAMMA = range(-10, 4)
_STEP = 3
#: Rows that an RBF machine is chosen with: its cost grows with their square.
_MOST = 1000

Point = tuple[int, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a rule is learned.

    ``balanced``: related and unrelated pairs weigh the same, however many there are. ``c`` and
    ``gamma`` None: found by cross-validation; as powers of 2. ``ratio``: so many unrelated pairs
    are learned from for each related one.
    """

    kernel: Kernel = "linear"
    objective: Objective = "f1"
    balanced: bool = True
    ratio: float = RATIO
    folds: int = 5
    seed: int = 0
    c: int | None = None
    gamma: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A learned decision: related is what has a probability of at least the threshold."""

    boundary: Boundary
    sigmoid: Sigmoid
    threshold: float
    plan: Plan
    pipeline: Any

    def probabilities(self, vectors: Any) -> Any:
        """Return how likely pairs are related."""
        return self.sigmoid(self.boundary.distances(vectors))

    def takes(self, patterns: Patterns) -> Any:
        """Return which patterns count as related; what was not met does not."""
        return patterns.met & (self.probabilities(patterns.vectors) >= self.threshold)


def learn_rule(patterns: Patterns, plan: Plan) -> Rule:
    """Learn a decision from patterns."""
    import numpy as np

    usable = patterns.rows(patterns.usable).sample(plan.ratio, plan.seed)
    if plan.c is None:
        c, gamma = _search(lambda points: _values(usable, points, plan), plan.kernel)
        plan = _replaced(plan, c, gamma)
    pipeline = _fit(usable, plan)
    boundary = boundary_of(pipeline)
    if plan.kernel == "linear":
        # With a weight a similarity there is nothing to learn by heart.
        distances, judged = boundary.distances(usable.vectors), usable
    else:
        distances, judged = _held_out(usable, plan)
    # A pair that was not met stands for many of which nobody asks how likely they are.
    weight = np.where(judged.met, judged.weight, 1.0)
    sigmoid = fit_sigmoid(distances, judged.positive, weight)
    at = _best(sigmoid(distances), judged, plan).at
    return Rule(
        boundary=boundary,
        sigmoid=sigmoid,
        threshold=at,
        plan=plan,
        pipeline=pipeline,
    )


def _replaced(plan: Plan, c: int, gamma: int | None) -> Plan:
    from dataclasses import replace

    return replace(plan, c=c, gamma=gamma)


def _fit(patterns: Patterns, plan: Plan) -> Any:
    assert plan.c is not None
    gamma = None if plan.gamma is None else 2.0**plan.gamma
    return fit(
        patterns.vectors, patterns.positive, c=2.0**plan.c, gamma=gamma, balanced=plan.balanced
    )


def _held_out(patterns: Patterns, plan: Plan) -> tuple[Any, Patterns]:
    """Return the distances of rows to a boundary learned without their sources, and these rows."""
    import numpy as np

    distances = np.zeros(len(patterns))
    known = np.zeros(len(patterns), bool)
    for train, test in folds_of(patterns, plan.folds, plan.seed):
        if _has_both(patterns.positive[train]) and len(test):
            boundary = boundary_of(_fit(patterns.rows(train), plan))
            distances[test] = boundary.distances(patterns.vectors[test])
            known[test] = True
    if not _has_both(patterns.positive[known]):
        # Too few sources to hold one out: then all there is must do.
        return boundary_of(_fit(patterns, plan)).distances(patterns.vectors), patterns
    return distances[known], patterns.part(known)


def _best(scores: Any, patterns: Patterns, plan: Plan) -> Threshold:
    """Return the best threshold for pairs that were met."""
    met = patterns.met
    return best_threshold(scores[met], patterns.positive[met], patterns.weight[met], plan.objective)


def _has_both(positive: Any) -> bool:
    return bool(positive.any() and not positive.all())


def _values(patterns: Patterns, points: Iterable[Point], plan: Plan) -> dict[Point, float]:
    import numpy as np

    if plan.kernel == "rbf" and len(patterns) > _MOST:
        chosen = np.random.default_rng(plan.seed).permutation(len(patterns))[:_MOST]
        patterns = patterns.rows(np.sort(chosen))
    found = {}
    for c, gamma in points:
        found[c, gamma] = _best(*_held_out(patterns, _replaced(plan, c, gamma)), plan).value
    return found


def _search(values: Callable[[Iterable[Point]], dict[Point, float]], kernel: Kernel) -> Point:
    """Return the best point of the grid, found from coarse to fine; of equals the smallest."""
    gammas: Iterable[int | None] = [None] if kernel == "linear" else _GAMMA[::_STEP]
    known = values((c, gamma) for c in _C[::_STEP] for gamma in gammas)
    c, gamma = _highest(known)
    near = [n for n in range(c - _STEP + 1, c + _STEP) if n in _C]
    around: Iterable[int | None] = [None]
    if gamma is not None:
        around = [n for n in range(gamma - _STEP + 1, gamma + _STEP) if n in _GAMMA]
    new = {(n, other) for n in near for other in around} - known.keys()
    return _highest(known | values(sorted(new, key=str)))


def _highest(known: dict[Point, float]) -> Point:
    return min(known, key=lambda point: (-known[point], point[0], point[1] or 0))

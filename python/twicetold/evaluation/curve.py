"""What every threshold would give: AUC, average precision, and the best threshold."""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING

from twicetold.evaluation.columns import constant, steps, total
from twicetold.evaluation.confusion import Decision

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Counts", "Curve"]

#: Stands for nothing below a line that has nothing above it either.
_TINY = 1e-300


class Curve:
    """Scores with what is true, sorted once; each question brings its own weights.

    Weights make a resample (how often each pair was drawn) or a half (1 or 0) cost one pass.
    """

    def __init__(self, score: pa.Array, positive: pa.Array) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        self._order = pc.array_sort_indices(score, order="descending")
        ordered = score.take(self._order)
        self._positive = positive.take(self._order).cast(pa.float64())
        #: Distinct scores, from the highest down, and where the last pair with each stands.
        runs = pc.run_end_encode(ordered)
        self.scores = runs.values
        self._ends = pc.subtract(runs.run_ends, 1)

    def count(self, weights: pa.Array) -> Counts:
        """Return how much is found at each distinct score, for pairs with these weights."""
        import pyarrow.compute as pc

        ordered = weights.take(self._order)
        right = pc.multiply(ordered, self._positive)
        found = pc.cumulative_sum(ordered).take(self._ends)
        return Counts(self.scores, pc.cumulative_sum(right).take(self._ends), found)


class Counts:
    """Right and found pairs at each distinct score, from the highest down."""

    def __init__(self, scores: pa.Array, right: pa.Array, found: pa.Array) -> None:
        import pyarrow.compute as pc

        self.scores = scores
        self.right = right
        self.wrong = pc.subtract(found, right)
        self.positives: float = right[-1].as_py() if len(right) else 0.0
        self.negatives: float = self.wrong[-1].as_py() if len(right) else 0.0

    def auc(self) -> float | None:
        """Return the area under the ROC curve; None unless there are pairs of both kinds.

        The share of (related, unrelated) choices in which the related pair has the higher score; a
        tie counts half: ``sum over i<=P, j<=N of [s_i > s_j] + [s_i = s_j] / 2, over P * N``.
        """
        import pyarrow.compute as pc

        if not self.positives or not self.negatives:
            return None
        before, right = steps(self.right)
        gained = pc.subtract(*reversed(steps(self.wrong)))
        area = total(pc.multiply(gained, pc.add(before, right))) / 2
        return area / (self.positives * self.negatives)

    def average_precision(self) -> float | None:
        """Return precision averaged over recall: ``sum over thresholds of (R_i - R_i-1) * P_i``."""
        import pyarrow.compute as pc

        if not self.positives:
            return None
        gained = pc.subtract(*reversed(steps(self.right)))
        found = pc.add(self.right, self.wrong)
        # Nothing found so far: nothing gained either, whatever the divisor.
        precision = pc.divide(self.right, pc.max_element_wise(found, constant(_TINY)))
        return total(pc.multiply(gained, precision)) / self.positives

    def best(self) -> Decision:
        """Return the decision with the highest F1; of equals, the one that finds least.

        Found is what scores at least the threshold, which is one of the scores.
        """
        import pyarrow.compute as pc

        whole = pc.add(pc.add(self.right, self.wrong), max(self.positives, _TINY))
        f1 = pc.divide(self.right, whole)
        place = pc.index(f1, pc.max(f1)).as_py() if len(f1) else -1
        return self._decision(place, self.scores[place].as_py() if place >= 0 else 1.0)

    def at(self, threshold: float) -> Decision:
        """Return the decision that takes what scores at least ``threshold``."""
        place = bisect.bisect_right(_Negated(self.scores), -threshold) - 1
        return self._decision(place, threshold)

    def _decision(self, place: int, threshold: float) -> Decision:
        tp, fp = (
            (self.right[place].as_py(), self.wrong[place].as_py()) if place >= 0 else (0.0, 0.0)
        )
        return Decision(threshold, tp, fp, self.positives - tp, self.negatives - fp)


class _Negated:
    """Scores from the highest down, as `bisect` wants them: from the lowest up."""

    def __init__(self, scores: pa.Array) -> None:
        self.scores = scores

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, place: int) -> float:
        value: float = self.scores[place].as_py()
        return -value

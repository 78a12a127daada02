"""What a decision got right: the four counts, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Decision", "share"]


def share(part: float, whole: float) -> float | None:
    """Return a quotient; None where there is nothing to take a share of."""
    return part / whole if whole else None


@dataclass(frozen=True, slots=True)
class Decision:
    """Pairs by what they are and what they were taken for, at a threshold.

    Counts are of pairs, or sums of their weights::

        precision = TP / (TP + FP)               recall = TP / (TP + FN)
        f1 = 2 TP / (2 TP + FP + FN)             accuracy = (TP + TN) / all
        false_positive_rate = FP / (FP + TN)

    A figure with nothing below its line is None.

    >>> decision = Decision(threshold=0.5, tp=87, fp=28, fn=13, tn=872)
    >>> [round(figure, 4) for figure in (decision.precision, decision.recall, decision.f1)]
    [0.7565, 0.87, 0.8093]
    """

    threshold: float
    tp: float
    fp: float
    fn: float
    tn: float

    @property
    def precision(self) -> float | None:
        """The share of what was found that is right."""
        return share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        """The share of what is right that was found."""
        return share(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall."""
        return share(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def accuracy(self) -> float | None:
        """The share of all pairs that were taken for what they are."""
        return share(self.tp + self.tn, self.tp + self.fp + self.fn + self.tn)

    @property
    def false_positive_rate(self) -> float | None:
        """The share of unrelated pairs that were taken for related."""
        return share(self.fp, self.fp + self.tn)

    def figures(self) -> dict[str, float | None]:
        """Return the figures by name."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "accuracy": self.accuracy,
            "false_positive_rate": self.false_positive_rate,
        }

    def to_json(self) -> dict[str, Any]:
        """Return the figures and the counts behind them."""
        counts = {
            "true_positives": self.tp,
            "false_positives": self.fp,
            "false_negatives": self.fn,
            "true_negatives": self.tn,
        }
        whole = {name: int(n) if n == int(n) else n for name, n in counts.items()}
        return {"threshold": self.threshold, **self.figures(), "counts": whole}

"""Scores against what is true: the best threshold, and what a decision got right.

Everything counts rows by their weight, and related pairs that were never met as missed.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from twicetold.evaluation.confusion import Decision, share

__all__ = ["OBJECTIVES", "Objective", "Threshold", "accuracies", "best_threshold", "count"]

Objective = Literal["f1", "accuracy"]
OBJECTIVES: tuple[Objective, ...] = ("f1", "accuracy")


class Threshold(NamedTuple):
    """The score from which on a pair counts as related, and what that is worth."""

    at: float
    value: float


def best_threshold(scores: Any, positive: Any, weight: Any, objective: Objective) -> Threshold:
    """Return the threshold with the highest value; between two scores, the middle of both.

    >>> import numpy as np
    >>> best_threshold(np.array([0.1, 0.4, 0.8]), np.array([0, 1, 1], bool), np.ones(3), "f1")
    Threshold(at=0.25, value=1.0)
    """
    import numpy as np

    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    right = np.cumsum(np.where(positive, weight, 0.0)[order])
    wrong = np.cumsum(np.where(positive, 0.0, weight)[order])
    # What is taken is all that scores at least as much: a run of equals, or none of it.
    ends = np.flatnonzero(np.append(np.diff(ordered) != 0, True))
    tp, fp = right[ends], wrong[ends]
    if objective == "f1":
        values = 2 * tp / np.maximum(tp + fp + right[-1], 1e-300)
    else:
        values = (tp + wrong[-1] - fp) / (right[-1] + wrong[-1])
    best = int(np.argmax(values))
    here = ordered[ends[best]]
    below = ordered[ends[best] + 1] if ends[best] + 1 < len(ordered) else here
    middle = (here + below) / 2
    # The middle of two neighbours may be the lower one.
    return Threshold(float(middle if middle > below else here), float(values[best]))


def count(taken: Any, positive: Any, weight: Any, threshold: float = 0.5) -> Decision:
    """Return the four counts of a decision, or of several: then ``taken`` has shares of them."""
    import numpy as np

    yes, no = np.where(positive, weight, 0.0), np.where(positive, 0.0, weight)
    return Decision(
        threshold,
        tp=float(np.sum(yes * taken)),
        fp=float(np.sum(no * taken)),
        fn=float(np.sum(yes * (1.0 - taken))),
        tn=float(np.sum(no * (1.0 - taken))),
    )


def accuracies(found: Decision) -> dict[str, float | None]:
    """Return the accuracies a paper may mean, with precision, recall and F1.

    On related pairs, on unrelated ones, the mean of both, and on all.
    """
    positive = share(found.tp, found.tp + found.fn)
    negative = share(found.tn, found.tn + found.fp)
    both = None if positive is None or negative is None else (positive + negative) / 2
    return {
        "accuracy_related": positive,
        "accuracy_unrelated": negative,
        "accuracy_balanced": both,
        "accuracy": found.accuracy,
        "precision": found.precision,
        "recall": found.recall,
        "f1": found.f1,
    }

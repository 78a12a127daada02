"""What a learned decision is worth: judged by sources it was not learned from.

The sources are divided into folds. For each fold, and for the pairs between two folds, everything
(C, gamma, the probabilities, the threshold) is learned from the other folds. The rival is the best
single threshold: of all similarities the one, and of all its thresholds the one, that do best on
the same other folds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from twicetold.errors import ParameterError
from twicetold.evaluation.confusion import Decision
from twicetold.evaluation.resampling import draws, interval
from twicetold.learning.choosing import Plan, Rule, learn_rule
from twicetold.learning.deciding import accuracies, best_threshold, count
from twicetold.learning.patterns import Patterns, folds_of

__all__ = ["Fold", "HeldOut", "Rival", "best_single", "hold_out", "judge"]


@dataclass(frozen=True, slots=True)
class Rival:
    """The best single threshold: the similarity it is on, and where it lies."""

    place: int
    name: str
    threshold: float

    def takes(self, patterns: Patterns) -> Any:
        """Return which patterns count as related."""
        return patterns.met & (patterns.vectors[:, self.place] >= self.threshold)


@dataclass(frozen=True, slots=True)
class Fold:
    """What was learned without a fold, and the rows of that fold."""

    rule: Rule
    rival: Rival
    train: Any
    test: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """The learned decision and its rival on all folds together.

    ``intervals`` has the 95% intervals of F1 and of the difference, from resampled sources.
    """

    learned: Decision
    rival: Decision
    rivals: tuple[Rival, ...]
    intervals: dict[str, tuple[float, float]]
    judged: int

    def to_json(self) -> dict[str, Any]:
        """Return the figures by name."""
        return {
            "learned": accuracies(self.learned),
            "best_single_threshold": accuracies(self.rival),
            "on": [{"similarity": r.name, "threshold": r.threshold} for r in self.rivals],
            "intervals": {name: list(ends) for name, ends in self.intervals.items()},
            "pairs": self.judged,
        }


def best_single(patterns: Patterns, plan: Plan) -> Rival:
    """Return the best threshold on one similarity."""
    met = patterns.rows(patterns.met)
    found = [
        best_threshold(met.vectors[:, n], met.positive, met.weight, plan.objective)
        for n in range(len(met.names))
    ]
    place = max(range(len(found)), key=lambda n: (found[n].value, -n))
    return Rival(place, patterns.names[place], found[place].at)


def folds(patterns: Patterns, plan: Plan) -> Iterator[Fold]:
    """Learn without each fold in turn; the folds inside are other ones."""
    for train, test in folds_of(patterns, plan.folds, plan.seed, across=True):
        known = patterns.part(train)
        positive = known.positive[known.met]
        if len(test) and positive.any() and not known.positive[known.usable].all():
            yield Fold(learn_rule(known, plan), best_single(known, plan), train, test)


def hold_out(
    patterns: Patterns, plan: Plan, *, resamples: int = 1000
) -> tuple[HeldOut, list[Fold]]:
    """Judge a plan by folds that are held out."""
    found = list(folds(patterns, plan))
    if not found:
        msg = (
            "learning needs related and unrelated pairs of several sources: no fold of them "
            f"leaves both kinds to learn from, got {len(patterns)} pairs"
        )
        raise ParameterError(msg)
    return judge(patterns, found, plan, resamples=resamples), found


def judge(patterns: Patterns, found: list[Fold], plan: Plan, *, resamples: int) -> HeldOut:
    """Put the decisions about all folds together."""
    import numpy as np

    rows = np.concatenate([fold.test for fold in found])
    learned = np.concatenate([fold.rule.takes(patterns.rows(fold.test)) for fold in found])
    rival = np.concatenate([fold.rival.takes(patterns.rows(fold.test)) for fold in found])
    whole = patterns.rows(rows)
    # What nobody takes, rightly so, changes no F1.
    matter = learned | rival | whole.positive
    asked = whole.rows(matter)
    samples: dict[str, list[float | None]] = {"learned": [], "rival": [], "difference": []}
    for times in draws(patterns.n_sources, times=resamples, seed=plan.seed):
        weight = asked.weight * _times(asked, np.array(times))
        one, other = (count(taken[matter], asked.positive, weight).f1 for taken in (learned, rival))
        samples["learned"].append(one)
        samples["rival"].append(other)
        both = one is not None and other is not None
        samples["difference"].append(one - other if both else None)  # type: ignore[operator]
    ends = {name: interval(values) for name, values in samples.items()}
    return HeldOut(
        learned=count(learned, whole.positive, whole.weight),
        rival=count(rival, whole.positive, whole.weight),
        rivals=tuple(fold.rival for fold in found),
        intervals={name: value for name, value in ends.items() if value is not None},
        judged=len(rows),
    )


def _times(patterns: Patterns, times: Any) -> Any:
    """Return how often a row counts where each source comes so many times."""
    import numpy as np

    left, right = times[patterns.left], times[patterns.right]
    return np.where(patterns.left == patterns.right, left, left * right)

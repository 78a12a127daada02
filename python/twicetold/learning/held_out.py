"""What a learned decision is worth: judged by sources it was not learned from.

The sources are divided into folds. For each fold, and for the pairs between two folds, everything
(C, gamma, the probabilities, the threshold) is learned from the other folds. The rival is the best
single threshold: of all similarities the one, and of all its thresholds the one, that do best on
the same other folds. A second rival is stronger than anything one could have had: the similarity is
the one that turns out best on the folds held out, only its thresholds are from the others.

Which sources share a fold is a matter of luck. Repeated, with other folds, every pair is judged
several times, and its decision is the share of them that took it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from twicetold.errors import ParameterError
from twicetold.evaluation.confusion import Decision
from twicetold.evaluation.resampling import draws, interval
from twicetold.learning.choosing import Plan, Rule, learn_rule
from twicetold.learning.deciding import accuracies, best_threshold, count
from twicetold.learning.patterns import Patterns, folds_of
from twicetold.learning.reliability import Judged, Reliability, reliability

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
    """The learned decision and its rivals on all folds together.

    ``hindsight`` is the threshold on ``best``, the similarity that does best on the folds held out.
    ``intervals`` has the 95% intervals of F1 and of its differences, from resampled sources,
    ``reliability`` how often pairs are related that are said to be so with some probability.
    """

    learned: Decision
    rival: Decision
    rivals: tuple[Rival, ...]
    hindsight: Decision
    best: str
    intervals: dict[str, tuple[float, float]]
    reliability: Reliability
    judged: int
    repeats: int

    def to_json(self) -> dict[str, Any]:
        """Return the figures by name."""
        return {
            "learned": accuracies(self.learned),
            "best_single_threshold": accuracies(self.rival),
            "on": [{"similarity": r.name, "threshold": r.threshold} for r in self.rivals],
            "best_with_hindsight": {"similarity": self.best, **accuracies(self.hindsight)},
            "intervals": {name: list(ends) for name, ends in self.intervals.items()},
            "reliability": self.reliability.to_json(),
            "pairs": self.judged,
            "repeats": self.repeats,
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
    patterns: Patterns, plan: Plan, *, resamples: int = 1000, repeats: int = 1
) -> tuple[HeldOut, list[Fold]]:
    """Judge a plan by folds that are held out, so many times; also return the first folds."""
    every = [list(folds(patterns, replace(plan, seed=plan.seed + n))) for n in range(repeats)]
    if not every[0]:
        msg = (
            "learning needs related and unrelated pairs of several sources: no fold of them "
            f"leaves both kinds to learn from, got {len(patterns)} pairs"
        )
        raise ParameterError(msg)
    return judge(patterns, every, plan, resamples=resamples), every[0]


Takes = Callable[[Fold, Patterns], Any]


def judge(
    patterns: Patterns, every: Sequence[Sequence[Fold]], plan: Plan, *, resamples: int
) -> HeldOut:
    """Put the decisions about all folds together."""
    import numpy as np

    found = [fold for folds in every for fold in folds]
    times = np.zeros(len(patterns))
    for fold in found:
        times[fold.test] += 1
    rows = np.flatnonzero(times)
    whole = patterns.rows(rows)

    def share(takes: Takes) -> Any:
        taken = np.zeros(len(patterns))
        for fold in found:
            taken[fold.test] += takes(fold, patterns.rows(fold.test))
        return taken[rows] / times[rows]

    def decision(taken: Any) -> Decision:
        return count(taken, whole.positive, whole.weight)

    alone = [share(_alone(patterns, n, plan)) for n in range(len(patterns.names))]
    best = max(range(len(alone)), key=lambda n: (decision(alone[n]).f1 or 0.0, -n))
    shares = {
        "learned": share(lambda fold, asked: fold.rule.takes(asked)),
        "rival": share(lambda fold, asked: fold.rival.takes(asked)),
        "hindsight": alone[best],
    }
    decisions = {name: decision(taken) for name, taken in shares.items()}
    return HeldOut(
        **decisions,
        rivals=tuple(fold.rival for fold in found),
        best=patterns.names[best],
        intervals=_intervals(whole, shares, plan, resamples),
        reliability=_reliability(patterns, every),
        judged=len(rows),
        repeats=len(every),
    )


def _reliability(patterns: Patterns, every: Sequence[Sequence[Fold]]) -> Reliability:
    found = [fold for folds in every for fold in folds]
    judged = [
        Judged(fold.test, fold.rule.probabilities(patterns.vectors[fold.test])) for fold in found
    ]
    return reliability(patterns, judged, repeats=len(every))


def _alone(patterns: Patterns, place: int, plan: Plan) -> Takes:
    """Return the best threshold on one similarity, each time of the pairs outside the fold."""
    only = patterns.only([place])

    def takes(fold: Fold, asked: Patterns) -> Any:
        return best_single(only.part(fold.train), plan).takes(asked.only([place]))

    return takes


def _intervals(
    whole: Patterns, shares: Mapping[str, Any], plan: Plan, resamples: int
) -> dict[str, tuple[float, float]]:
    """Return the intervals of F1, and of how much higher that of the learned decision is."""
    import numpy as np

    # What nobody takes, rightly so, changes no F1.
    matter = whole.positive | np.any([taken > 0 for taken in shares.values()], axis=0)
    asked = whole.rows(matter)
    samples: dict[str, list[float | None]] = defaultdict(list)
    for times in draws(whole.n_sources, times=resamples, seed=plan.seed):
        weight = asked.weight * _times(asked, np.array(times))
        f1 = {n: count(taken[matter], asked.positive, weight).f1 for n, taken in shares.items()}
        for name, value in f1.items():
            samples[name].append(value)
        for name, other in (("difference", "rival"), ("difference_hindsight", "hindsight")):
            one, two = f1["learned"], f1[other]
            samples[name].append(None if one is None or two is None else one - two)
    ends = {name: interval(values) for name, values in samples.items()}
    return {name: value for name, value in ends.items() if value is not None}


def _times(patterns: Patterns, times: Any) -> Any:
    """Return how often a row counts where each source comes so many times."""
    import numpy as np

    left, right = times[patterns.left], times[patterns.right]
    return np.where(patterns.left == patterns.right, left, left * right)

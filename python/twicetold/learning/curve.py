"""The learning curve: what a decision is worth that was learned from few pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from twicetold.learning.choosing import Plan, learn_rule
from twicetold.learning.deciding import accuracies, count
from twicetold.learning.held_out import Fold
from twicetold.learning.patterns import Patterns

__all__ = ["SIZES", "Point", "learning_curve"]

#: So many pairs to learn from.
SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


class Point(NamedTuple):
    """A size, and the figures on the folds that were held out."""

    size: int
    figures: dict[str, float | None]


def learning_curve(
    patterns: Patterns, folds: Sequence[Fold], plan: Plan, *, sizes: Sequence[int] = SIZES
) -> Iterator[Point]:
    """Learn from samples of the pairs outside each fold, and judge by the fold.

    C and gamma are those found with all pairs; half of a sample are related pairs, where there are
    as many.
    """
    import numpy as np

    asked = patterns.rows(np.concatenate([fold.test for fold in folds]))
    most = min(len(fold.train) for fold in folds)
    for size in [*(size for size in sizes if size < most), most]:
        taken = np.concatenate([_taken(patterns, fold, plan, size) for fold in folds])
        yield Point(size, accuracies(count(taken, asked.positive, asked.weight)))


def _taken(patterns: Patterns, fold: Fold, plan: Plan, size: int) -> Any:
    import numpy as np

    rng = np.random.default_rng([plan.seed, size])
    usable = fold.train[patterns.usable[fold.train]]
    order = rng.permutation(usable)
    positive = patterns.positive[order]
    half = min(int(np.sum(positive)), max(size // 2, size - int(np.sum(~positive))))
    chosen = np.concatenate([order[positive][:half], order[~positive][: size - half]])
    known = patterns.rows(np.sort(chosen))
    weight = known.weight.copy()
    for kind in (True, False):
        # The sample is to have the odds of what it was taken from.
        mine = known.positive == kind
        weight[mine] *= np.sum(patterns.weight[usable[patterns.positive[usable] == kind]])
        weight[mine] /= max(np.sum(known.weight[mine]), 1e-300)
    return learn_rule(replace(known, weight=weight), fold.rule.plan).takes(patterns.rows(fold.test))

"""What each similarity contributes to a learned decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from twicetold.learning.choosing import Plan, learn_rule
from twicetold.learning.deciding import count
from twicetold.learning.held_out import Fold, best_single
from twicetold.learning.patterns import Patterns

__all__ = ["Contribution", "alone", "contributions"]


class Contribution(NamedTuple):
    """One similarity, judged by the folds that were held out.

    ``weight``     in the boundary, of the standardised similarity; None where it has no such weight
    ``alone``      F1 of the best threshold on it alone
    ``without``    F1 of a decision learned without it; None where there is no other similarity
    ``shuffled``   F1 of the learned decision after its values have changed places
    """

    name: str
    weight: float | None
    alone: float | None
    without: float | None
    shuffled: float | None


def contributions(
    patterns: Patterns, folds: Sequence[Fold], plan: Plan, weights: Sequence[float] | None
) -> Iterator[Contribution]:
    """Yield what each similarity contributes, in their order."""
    places = range(len(patterns.names))
    for n in places:
        others = [other for other in places if other != n]
        yield Contribution(
            patterns.names[n],
            None if weights is None else weights[n],
            alone(patterns, n, folds, plan),
            _f1(patterns, folds, _without(patterns.only(others))) if others else None,
            _f1(patterns, folds, _shuffled(patterns, n, plan)),
        )


Taken = Callable[[Fold], Any]


def _f1(patterns: Patterns, folds: Sequence[Fold], taken: Taken) -> float | None:
    import numpy as np

    found = np.concatenate([taken(fold) for fold in folds])
    asked = patterns.rows(np.concatenate([fold.test for fold in folds]))
    return count(found, asked.positive, asked.weight).f1


def alone(patterns: Patterns, place: int, folds: Sequence[Fold], plan: Plan) -> float | None:
    """Return F1 of the best threshold on one similarity: the best outside each fold."""
    only = patterns.only([place])

    def taken(fold: Fold) -> Any:
        return best_single(only.part(fold.train), plan).takes(only.rows(fold.test))

    return _f1(patterns, folds, taken)


def _without(others: Patterns) -> Taken:
    def taken(fold: Fold) -> Any:
        # With the C that was found for all of them: the question is about one similarity.
        same = fold.rule.plan
        return learn_rule(others.part(fold.train), same).takes(others.rows(fold.test))

    return taken


def _shuffled(patterns: Patterns, place: int, plan: Plan) -> Taken:
    import numpy as np

    def taken(fold: Fold) -> Any:
        rng = np.random.default_rng([plan.seed, place])
        asked = patterns.rows(fold.test)
        met = np.flatnonzero(asked.met)
        vectors = asked.vectors.copy()
        vectors[met, place] = vectors[rng.permutation(met), place]
        probable = fold.rule.probabilities(vectors) >= fold.rule.threshold
        return asked.met & probable

    return taken

"""What a decision is worth on folds that are held out: repeated, and beside both rivals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from twicetold.learning.choosing import Plan
from twicetold.learning.held_out import hold_out
from twicetold.learning.patterns import Patterns

SOURCES = 12
PLAN = Plan(c=0)


def patterns(*, noise: float) -> Patterns:
    """Return pairs of which the first similarity says nothing and the second nearly all."""
    rng = np.random.default_rng(1)
    left, right = (side.ravel() for side in np.indices((SOURCES, SOURCES)))
    kept = left <= right
    left, right = np.repeat(left[kept], 2), np.repeat(right[kept], 2)
    positive = left == right
    telling = positive + noise * rng.normal(size=len(left))
    return Patterns(
        names=("chance", "telling"),
        vectors=np.column_stack([rng.random(len(left)), telling]),
        positive=positive,
        left=left,
        right=right,
        weight=np.ones(len(left)),
        met=np.ones(len(left), bool),
        n_sources=SOURCES,
        directed=False,
    )


def test_repeated_counts_are_the_means_of_those_of_each_time() -> None:
    noisy = patterns(noise=0.4)
    single = [hold_out(noisy, replace(PLAN, seed=n), resamples=0)[0] for n in range(3)]
    found, _ = hold_out(noisy, PLAN, resamples=0, repeats=3)
    assert (found.repeats, found.judged) == (3, len(noisy))
    for name in ("learned", "rival"):
        for count in ("tp", "fp", "fn", "tn"):
            each = [getattr(getattr(one, name), count) for one in single]
            assert getattr(getattr(found, name), count) == pytest.approx(np.mean(each))
    assert len({one.learned.tp for one in single} | {one.learned.fp for one in single}) > 1


def test_hindsight_takes_the_similarity_that_turns_out_best() -> None:
    found, folds = hold_out(patterns(noise=0.4), PLAN, resamples=50)
    assert found.best == "telling"
    assert (found.hindsight.f1 or 0) >= 0.7
    assert {fold.rival.name for fold in folds} == {"telling"}
    assert found.hindsight == found.rival
    assert found.intervals["difference_hindsight"] == found.intervals["difference"]
    assert found.to_json()["best_with_hindsight"]["similarity"] == "telling"


def test_probabilities_are_compared_with_how_often_pairs_are_related() -> None:
    noisy = patterns(noise=0.4)
    found, folds = hold_out(noisy, PLAN, resamples=0)
    likely = np.zeros(len(noisy))
    for fold in folds:
        likely[fold.test] = fold.rule.probabilities(noisy.vectors[fold.test])
    table = found.reliability
    assert sum(own.pairs for own in table.bins) == len(noisy)
    for own in table.bins:
        here = (likely >= own.low) & (likely < own.high)
        assert own.pairs == np.sum(here)
        assert own.predicted == pytest.approx(np.mean(likely[here]))
        assert own.observed == pytest.approx(np.mean(noisy.positive[here]))
        assert own.interval[0] <= own.observed <= own.interval[1]
    assert table.brier == pytest.approx(np.mean((likely - noisy.positive) ** 2))
    assert 0 < table.error < 0.1
    assert found.to_json()["reliability"]["bins"][0]["pairs"] == table.bins[0].pairs


def test_what_was_not_met_has_no_probability_to_be_judged() -> None:
    noisy = patterns(noise=0.4)
    met = np.arange(len(noisy)) % 3 > 0
    found, _ = hold_out(replace(noisy, met=met), PLAN, resamples=0, repeats=2)
    assert sum(own.pairs for own in found.reliability.bins) == pytest.approx(np.sum(met))


def test_where_one_similarity_says_all_nothing_is_better() -> None:
    found, _ = hold_out(patterns(noise=0.0), PLAN, resamples=50, repeats=2)
    assert found.learned.f1 == found.rival.f1 == found.hindsight.f1 == 1
    assert found.intervals["difference"] == (0, 0)

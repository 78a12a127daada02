"""A linear machine in one dimension is a threshold, and decisions are counted as they should be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.learning.calibration import fit_sigmoid
from twicetold.learning.deciding import accuracies, best_threshold, count
from twicetold.learning.svm import boundary_of, fit

shares = st.lists(st.floats(0, 1).map(lambda x: round(x, 3)), min_size=4, max_size=40)


@given(low=shares, high=shares, c=st.integers(-5, 10))
def test_a_linear_machine_over_one_similarity_is_a_threshold(
    low: list[float], high: list[float], c: int
) -> None:
    x = np.array([*(value / 2 for value in low), *(0.4 + value / 2 for value in high)])[:, None]
    positive = np.array([False] * len(low) + [True] * len(high))
    boundary = boundary_of(fit(x, positive, c=2.0**c))
    grid = np.linspace(-1, 2, 301)[:, None]
    taken = boundary.distances(grid) > 0
    # Once it takes a pair, it takes all that are more alike; or the other way round for data that
    # says so.
    assert np.all(np.diff(taken.astype(int)) >= 0) or np.all(np.diff(taken.astype(int)) <= 0)
    (weight,) = boundary.weights
    if weight:
        at = boundary.mean[0] - boundary.scale[0] * boundary.intercept / weight
        assert np.array_equal(taken, (grid[:, 0] > at) if weight > 0 else (grid[:, 0] < at))


@pytest.mark.parametrize("gamma", [None, 0.5, 8.0])
def test_a_boundary_is_what_scikit_learn_says(gamma: float | None) -> None:
    rng = np.random.default_rng(1)
    x = rng.random((120, 3))
    positive = x.sum(axis=1) + 0.2 * rng.standard_normal(120) > 1.5
    pipeline = fit(x, positive, c=4.0, gamma=gamma)
    others = rng.random((3000, 3))
    found = boundary_of(pipeline).distances(others)
    np.testing.assert_allclose(found, pipeline.decision_function(others), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("gamma", [None, 0.5])
def test_what_a_pair_gets_does_not_depend_on_the_pairs_beside_it(gamma: float | None) -> None:
    rng = np.random.default_rng(2)
    x = rng.random((2500, 4))
    boundary = boundary_of(fit(x[:100], x[:100, 0] > 0.5, c=1.0, gamma=gamma))
    whole = boundary.distances(x)
    parts = np.concatenate([boundary.distances(part) for part in np.array_split(x, 7)])
    assert whole.tobytes() == parts.tobytes()


@given(
    rows=st.lists(
        st.tuples(st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.9]), st.booleans(), st.integers(1, 3)),
        min_size=1,
        max_size=12,
    ).filter(lambda rows: any(positive for _, positive, _ in rows)),
    objective=st.sampled_from(["f1", "accuracy"]),
)
def test_no_threshold_is_better_than_the_best(
    rows: list[tuple[float, bool, int]], objective: str
) -> None:
    scores, positive, weight = (np.array(column) for column in zip(*rows, strict=True))
    positive = positive.astype(bool)
    found = best_threshold(scores, positive, weight.astype(float), objective)  # type: ignore[arg-type]
    decided = count(scores >= found.at, positive, weight.astype(float))
    assert found.value == pytest.approx(decided.figures()[objective] or 0.0)
    for other in (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 0.9):
        value = count(scores >= other, positive, weight.astype(float)).figures()[objective]
        assert (value or 0.0) <= found.value + 1e-12


def test_accuracies_are_of_each_kind_of_pair() -> None:
    taken = np.array([True, True, False, False, True])
    positive = np.array([True, True, True, False, False])
    found = accuracies(count(taken, positive, np.array([1.0, 1, 2, 3, 1])))
    assert found["accuracy_related"] == found["recall"] == 0.5
    assert found["accuracy_unrelated"] == 0.75
    assert found["accuracy_balanced"] == 0.625
    assert found["accuracy"] == 5 / 8
    assert found["precision"] == 2 / 3


def test_probabilities_agree_with_how_often_pairs_are_related() -> None:
    rng = np.random.default_rng(3)
    distances = rng.normal(size=4000)
    truth = 1 / (1 + np.exp(-(2 * distances - 1)))
    positive = rng.random(4000) < truth
    sigmoid = fit_sigmoid(distances, positive, np.ones(4000))
    assert sigmoid.slope == pytest.approx(2, abs=0.25)
    assert sigmoid.offset == pytest.approx(-1, abs=0.2)
    assert np.all(np.abs(sigmoid(distances) - truth) < 0.05)


def test_pairs_told_apart_without_a_mistake_are_not_certain() -> None:
    distances = np.array([-2.0, -1.5, -1, 1, 1.5, 2])
    sigmoid = fit_sigmoid(distances, distances > 0, np.ones(6))
    low, high = sigmoid(distances[[0, -1]])
    assert 0.0 < low < 0.3
    assert 0.7 < high < 1.0

"""A lesson: what is learned, how it is judged, and that it is the same every time."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.learning import making
from twicetold.detectors.codet import CoDet
from twicetold.errors import ParameterError
from twicetold.learning import Lesson, learn
from twicetold.learning.report import lesson_lines
from twicetold.pipeline import DETECTORS, Progress

#: Parameters with which a method meets more than its strictest pairs.
WIDE = {
    "simhash": {"distance": 20},
    "imatch": {"lexicons": 10, "take": 5},
    "minhash": {"mode": "containment", "threshold": 0.1, "gram": 2},
}


def lesson(**options: object) -> Lesson:
    given = {"method": "full-fingerprint", "gram": 2, "resamples": 50, "folds": 3, **options}
    return learn(making.clusters(), **given)  # type: ignore[arg-type]


def test_a_lesson_says_what_it_is_worth() -> None:
    told: list[Progress] = []
    found = lesson(progress=told.append)
    assert (found.held_out.learned.f1 or 0) > 0.9
    sizes = [point.size for point in found.curve]
    assert sizes[0] == 10 < sizes[-1]
    assert [each.name for each in found.contributions] == list(found.patterns.names)
    assert (told[-1].stage, told[-1].done, told[-1].total) == ("learn", 4, 4)
    whole = found.to_json()
    assert json.loads(json.dumps(whole)) == whole
    assert whole["members"] == [
        {"method": "full-fingerprint", "parameters": {"threshold": 0.6, "gram": 2}}
    ]
    assert set(whole["held_out"]["learned"]) == {
        *("accuracy_related", "accuracy_unrelated", "accuracy_balanced", "accuracy"),
        *("precision", "recall", "f1"),
    }
    assert whole["counts"]["sources"] == 12
    text = "\n".join(lesson_lines(found))
    for words in (
        "edited: 36 related",
        "on 3 folds of sources that were held out",
        "best single threshold",
        "by the number of pairs learned from",
        "larger_share",
    ):
        assert words in text


def test_the_same_seed_gives_the_same_lesson() -> None:
    one, again, other = (lesson(sample_seed=seed) for seed in (1, 1, 2))
    assert one.model == again.model
    assert one.to_json() == again.to_json()
    assert one.model.version == again.model.version != other.model.version


def test_the_number_of_threads_changes_nothing() -> None:
    one, four = (lesson(threads=n, curve=False, contribution=False) for n in (1, 4))
    assert one.to_json() == four.to_json()


@pytest.mark.parametrize("method", DETECTORS)
def test_a_decision_is_learned_for_every_detector(method: str) -> None:
    options = {"curve": False, "contribution": False, "resamples": 0, "folds": 3}
    labelled = making.clusters()
    found = learn(labelled, method=method, **options, **WIDE.get(method, {}))  # type: ignore[arg-type]
    assert (found.held_out.learned.f1 or 0) >= (found.held_out.rival.f1 or 0) - 0.1
    assert 0 < found.model.threshold < 1
    assert found.model.members[0].name == method


def test_an_rbf_machine_is_chosen_by_cross_validation() -> None:
    found = lesson(kernel="rbf", curve=False)
    assert found.plan.c in range(-5, 11)
    assert found.plan.gamma in range(-10, 4)
    assert found.model.boundary.support
    assert all(each.weight is None for each in found.contributions)
    assert (found.held_out.learned.f1 or 0) > 0.9


def test_a_directed_set_gives_a_directed_model() -> None:
    found = learn(making.pairs(), method="codet", resamples=0, curve=False, contribution=False)
    assert found.model.directed
    assert found.patterns.names == CoDet.similarities
    likely, back = found.model.probabilities(np.array([[0.9, 0.1, 0.1], [0.1, 0.9, 0.1]]))
    assert likely[0] == back[1] > likely[1] == back[0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kernel": "poly"}, "kernel must be linear or rbf, got 'poly'"),
        ({"objective": "auc"}, "objective must be f1 or accuracy, got 'auc'"),
        ({"folds": 1}, "folds must be at least 2, got 1"),
        ({"ratio": 0.0}, "ratio must be above 0, got 0.0"),
        ({"floor": 2.0}, "floor must be from 0 to 1, got 2.0"),
        ({"method": []}, "there must be a method, got none"),
        ({"method": ["codet", "imatch"], "gram": 2}, "no parameter 'gram' in codet, imatch"),
        ({"depth": 3}, "full-fingerprint has no parameter 'depth'"),
    ],
)
def test_what_is_wrong_is_told(options: dict[str, object], words: str) -> None:
    given = {"method": "full-fingerprint", **options}
    with pytest.raises(ParameterError, match=words):
        learn(making.clusters(4), **given)  # type: ignore[arg-type]

"""The experiments of fuzzy sets: what must come out whatever the pairs are like."""

from pathlib import Path
from typing import Any

import pytest

from tests.evaluation import making as labelled
from tests.experiments import making
from twicetold.errors import ParameterError
from twicetold.experiments import run
from twicetold.experiments.fuzzy_pairs import THESIS
from twicetold.experiments.fuzzy_thresholds import crossing
from twicetold.experiments.sentence_truth import Counts, best_threshold, counts_at, pearson


def test_curves_cross_where_they_meet() -> None:
    falling = [
        Counts(0, fp, fn, 10 - fp)._replace(tp=10 - fn) for fp, fn in ((8, 0), (4, 2), (0, 8))
    ]
    assert crossing((0.0, 0.5, 1.0), falling) == pytest.approx(0.5 + 0.5 * 0.2 / 1.0)
    assert crossing((0.0, 0.5), falling[:2]) is None
    assert crossing((0.0, 1.0), [Counts(5, 5, 5, 5), Counts(0, 0, 10, 10)]) == 0.0


def test_the_best_threshold_is_that_of_trying_all() -> None:
    scores, positive = [0.9, 0.8, 0.8, 0.4, 0.1], [True, False, True, True, False]
    found = best_threshold(scores, positive)
    tried = max((counts_at(scores, positive, at).f1, at) for at in scores)
    assert (counts_at(scores, positive, found).f1, found) == tried
    assert counts_at(scores, positive, 0.4) == Counts(3, 1, 0, 1)


def test_correlation_is_that_of_the_formula() -> None:
    assert pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert pearson([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert pearson([1, 1], [1, 2]) == 0


def test_pairs_of_documents_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="needs pairs of sentences"):
        run("Y-2081", labels=labelled.clough_stevenson(tmp_path / "answers"))


def test_planted_pairs_are_told_apart(tmp_path: Path) -> None:
    news = making.write(tmp_path / "news.jsonl")
    outcome = run("Y-2081", news, documents=41, threads=1)
    rows: dict[Any, Any] = {row[0]: row for row in outcome.rows}
    assert rows["learned"][8] > 0.9
    assert rows["all alike"][8] < rows["fuzzy set, smaller Sim"][8]
    assert rows["thesis, both"][8] == pytest.approx(0.8045, abs=5e-4)
    odds: Any = run("Y-odds", news, documents=41, threads=1).rows
    assert min(row[1] for row in odds[:3]) > odds[3][1]


@pytest.mark.parametrize(
    ("group", "usual", "thesis"),
    [
        ("thesis, group 1", (0.7565, 0.8700, 0.8093), (0.9709, 0.8850, 0.9259)),
        ("thesis, group 2", (0.7132, 0.9109, 0.8000), (0.9615, 0.9174, 0.9390)),
        ("thesis, both", (0.7336, 0.8905, 0.8045), None),
    ],
)
def test_the_figures_of_the_thesis_by_both_definitions(
    group: str, usual: tuple[float, ...], thesis: tuple[float, ...] | None
) -> None:
    """The thesis divides 100 by 100 plus the percentage of errors; it prints these cut off."""
    counts = THESIS[group]
    found = (counts.precision, counts.recall, counts.f1)
    assert found == pytest.approx(usual, abs=5e-5)
    if thesis is None:
        return
    percents = (counts.fp / (counts.fp + counts.tn), counts.fn / (counts.fn + counts.tp))
    p, r = (100 / (100 + round(100 * share)) for share in percents)
    assert (p, r, 2 * p * r / (p + r)) == pytest.approx(thesis, abs=1e-4)
    assert counts.thesis_f1 == pytest.approx(thesis[2], abs=1e-3)


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        ("thesis, group 1", (0.9727, 0.9872, 0.9799)),
        ("thesis, group 2", (0.9641, 0.9910, 0.9774)),
    ],
)
def test_what_the_printed_definition_would_give_on_counts(
    group: str, expected: tuple[float, ...]
) -> None:
    counts = THESIS[group]
    right = counts.tp + counts.tn
    p, r = right / (right + counts.fp), right / (right + counts.fn)
    assert (p, r, 2 * p * r / (p + r)) == pytest.approx(expected, abs=1.5e-4)

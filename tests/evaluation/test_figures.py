"""Every figure equals what its definition says, counted the slow way."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.clusters import components
from twicetold.evaluation.agreement import kappa
from twicetold.evaluation.clustering import Edge, Resampled, sweep
from twicetold.evaluation.columns import floats
from twicetold.evaluation.confusion import Decision
from twicetold.evaluation.correlation import Ranks, pearson
from twicetold.evaluation.curve import Counts, Curve
from twicetold.evaluation.ranking import first_ranks
from twicetold.evaluation.resampling import difference, draws, intervals, resampled

#: Few scores, so that there are many ties.
scores = st.sampled_from([0.0, 0.125, 0.25, 0.5, 1.0])
rows = st.lists(st.tuples(scores, st.booleans(), st.integers(0, 3)), min_size=1, max_size=12)
Rows = list[tuple[float, bool, int]]


def counts_of(given_rows: Rows) -> Counts:
    score, positive, weight = zip(*given_rows, strict=True)
    curve = Curve(floats(score), pa.array(positive, pa.bool_()))
    return curve.count(floats(weight))


def spelled_out(given_rows: Rows) -> list[tuple[float, bool]]:
    """Write each row as often as it counts."""
    return [(score, positive) for score, positive, n in given_rows for _ in range(n)]


@given(rows)
def test_auc_is_the_share_of_choices_in_which_the_related_pair_is_ahead(given_rows: Rows) -> None:
    plain = spelled_out(given_rows)
    right = [score for score, positive in plain if positive]
    wrong = [score for score, positive in plain if not positive]
    won = sum(
        1 if a > b else Fraction(1, 2) if a == b else 0 for a, b in itertools.product(right, wrong)
    )
    expected = float(won / (len(right) * len(wrong))) if right and wrong else None
    found = counts_of(given_rows).auc()
    assert found == (None if expected is None else pytest.approx(expected))


@given(rows)
def test_average_precision_follows_its_sum(given_rows: Rows) -> None:
    plain = spelled_out(given_rows)
    positives = sum(positive for _, positive in plain)
    expected, before = 0.0, 0.0
    for threshold in sorted({score for score, _ in plain}, reverse=True):
        taken = [positive for score, positive in plain if score >= threshold]
        recall = sum(taken) / positives if positives else 0
        expected += (recall - before) * sum(taken) / len(taken)
        before = recall
    found = counts_of(given_rows).average_precision()
    assert found == (pytest.approx(expected) if positives else None)


def decide(plain: list[tuple[float, bool]], threshold: float) -> Decision:
    cells = [
        sum((score >= threshold) == found and positive == true for score, positive in plain)
        for found, true in ((True, True), (True, False), (False, True), (False, False))
    ]
    return Decision(threshold, *cells)


@given(rows, scores)
def test_a_decision_counts_what_reaches_the_threshold(given_rows: Rows, threshold: float) -> None:
    assert counts_of(given_rows).at(threshold) == decide(spelled_out(given_rows), threshold)


@given(rows)
def test_no_threshold_has_a_higher_f1_than_the_best(given_rows: Rows) -> None:
    plain = spelled_out(given_rows)
    found = counts_of(given_rows).best()
    every = [decide(plain, score).f1 or 0 for score in (*{s for s, _, _ in given_rows}, 2.0)]
    assert (found.f1 or 0) == pytest.approx(max(every))
    assert found == decide(plain, found.threshold)


def test_of_equal_thresholds_the_one_that_finds_least_is_best() -> None:
    assert counts_of([(0.5, True, 1), (0.25, False, 0), (0.125, True, 0)]).best().threshold == 0.5


def test_figures_without_anything_below_the_line_are_none() -> None:
    nothing = Decision(0.5, 0, 0, 0, 0)
    assert set(nothing.figures().values()) == {None}
    assert Decision(0.5, 0, 0, 3, 4).figures() == {
        "precision": None,
        "recall": 0,
        "f1": 0,
        "accuracy": 4 / 7,
        "false_positive_rate": 0,
    }


def slow_pearson(x: Sequence[float], y: Sequence[float]) -> float | None:
    n = len(x)
    if n == 0 or len(set(x)) == 1 or len(set(y)) == 1:
        return None
    mx, my = sum(x) / n, sum(y) / n
    cov = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    return cov / math.sqrt(sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y))


def slow_ranks(values: Sequence[float]) -> list[float]:
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2
        for value in values
    ]


graded = st.lists(st.tuples(scores, st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=12)


@given(graded)
def test_correlations_are_those_of_rows_taken_as_often_as_they_weigh(
    given_rows: list[tuple[float, int, int]],
) -> None:
    x, y, weights = (floats(column) for column in zip(*given_rows, strict=True))
    plain = [(score, label) for score, label, n in given_rows for _ in range(n)]
    left, right = [score for score, _ in plain], [float(label) for _, label in plain]
    expected = slow_pearson(left, right)
    assert pearson(x, y, weights) == (None if expected is None else pytest.approx(expected))
    ranked = slow_pearson(slow_ranks(left), slow_ranks(right))
    found = pearson(Ranks(x).of(weights), Ranks(y).of(weights), weights)
    assert found == (None if ranked is None else pytest.approx(ranked))


edges = st.lists(
    st.tuples(st.sampled_from([0.25, 0.5, 0.75]), st.integers(0, 6), st.integers(0, 6)), max_size=9
).map(lambda found: [Edge(s, a, b) for s, a, b in found if a != b])
labels = st.lists(st.integers(0, 2), min_size=7, max_size=7)


def slow_clusters(taken: list[Edge], n: int) -> list[frozenset[int]]:
    """Grow each cluster until no edge leads out of it."""
    found = []
    for item in range(n):
        cluster = {item}
        for _ in range(n):
            cluster |= {side for e in taken for side in e[1:] if cluster & {e.left, e.right}}
        found.append(frozenset(cluster))
    return found


def slow_figures(found: list[frozenset[int]], truth: list[int]) -> dict[str, float]:
    """B-cubed document by document, the Rand index by the formula over the contingency table."""
    n = len(truth)
    mates = [frozenset(d for d in range(n) if truth[d] == truth[item]) for item in range(n)]
    precision = sum(len(found[d] & mates[d]) / len(found[d]) for d in range(n)) / n
    recall = sum(len(found[d] & mates[d]) / len(mates[d]) for d in range(n)) / n
    cells = sum(math.comb(len(f & m), 2) for f in set(found) for m in set(mates))
    rows_, columns = (sum(math.comb(len(c), 2) for c in set(every)) for every in (found, mates))
    expected = rows_ * columns / math.comb(n, 2)
    most = (rows_ + columns) / 2
    ari = (cells - expected) / (most - expected) if most != expected else 1.0
    return {"bcubed_precision": precision, "bcubed_recall": recall, "ari": ari}


@given(edges, labels)
def test_clusters_at_every_threshold_follow_the_definitions(
    found: list[Edge], truth: list[int]
) -> None:
    for clustering in sweep(found, truth):
        taken = [edge for edge in found if edge.score >= clustering.threshold]
        clusters = slow_clusters(taken, len(truth))
        figures = clustering.figures()
        for name, value in slow_figures(clusters, truth).items():
            assert figures[name] == pytest.approx(value), name
        assert clustering.clusters == len(set(clusters))
        pairs = list(itertools.combinations(range(len(truth)), 2))
        both = [(clusters[a] == clusters[b], truth[a] == truth[b]) for a, b in pairs]
        decision = clustering.decision
        assert decision.tp == both.count((True, True))
        assert decision.fp == both.count((True, False))
        assert decision.fn == both.count((False, True))


@given(edges, labels)
def test_a_resample_that_takes_every_cluster_once_changes_nothing(
    found: list[Edge], truth: list[int]
) -> None:
    joined = components(((edge.left, edge.right) for edge in found), len(truth))
    *_, last = sweep(found, truth)
    again = Resampled(joined, truth, 3).at(0.25, [1, 1, 1])
    for name, value in last.figures().items():
        assert again.figures()[name] == (None if value is None else pytest.approx(value)), name


def test_a_cluster_drawn_twice_counts_twice_and_one_not_drawn_not_at_all() -> None:
    # Clusters: documents 0 1 2, 3 4 and 5; found: 0 1 3 together, the rest alone.
    resampled = Resampled([0, 0, 2, 0, 4, 5], [0, 0, 0, 1, 1, 2], 3)
    found = resampled.at(0.5, [2, 1, 0])
    assert (found.both, found.found, found.labelled) == (2, 2 + 2 * 2, 2 * 3 + 1)
    # 2 * 3 + 2 documents; no pairs between the two draws of the first cluster.
    assert found.pairs == 7 + 2 * 3 * 2
    assert found.bcubed_precision == pytest.approx((2 * (4 / 3 + 1) + 1 / 3 + 1) / 8)


def test_equal_partitions_agree_fully_and_crossed_ones_less_than_by_chance() -> None:
    *_, all_one = sweep([Edge(1, 0, 1), Edge(1, 2, 3)], ["a", "a", "b", "b"])
    assert (all_one.ari, all_one.bcubed_f1) == (1, 1)
    *_, crossed = sweep([Edge(1, 0, 2), Edge(1, 1, 3)], ["a", "a", "b", "b"])
    assert crossed.ari == pytest.approx(-0.5)


def test_kappa_is_the_golden_one() -> None:
    table = {("yes", "yes"): 50, ("yes", "no"): 10, ("no", "yes"): 5, ("no", "no"): 35}
    answers = [answer for answer, times in table.items() for _ in range(times)]
    assert kappa(answers) == pytest.approx(0.6939, abs=5e-5)
    assert kappa([]) is None
    assert kappa([("yes", "yes")] * 3) is None
    assert kappa([("yes", "yes"), ("no", "no")]) == 1


def test_kappa_of_the_paper_needs_an_agreement_of_871_in_a_thousand() -> None:
    # 60.8% positives, 0.871 equal answers, equally many errors either way.
    table = {(1, 1): 5435, (1, 0): 645, (0, 1): 645, (0, 0): 3275}
    assert kappa(a for a, n in table.items() for _ in range(n)) == pytest.approx(0.73, abs=0.002)


def test_the_first_right_partner_is_ranked_in_the_middle_of_its_equals() -> None:
    found = [Edge(0.9, 0, 1), Edge(0.5, 0, 2), Edge(0.5, 0, 3), Edge(0.2, 3, 4)]
    # 0: behind 1 and level with 3; 2: level with nobody; 1, 3, 4: no mate.
    assert first_ranks(found, ["a", "b", "a", "c", "d"]) == [2.5, 1]
    assert first_ranks([], ["a", "a", "b"]) == [math.inf, math.inf]


def test_resamples_are_the_same_for_the_same_seed_and_as_large_as_the_whole() -> None:
    first, again, other = (list(draws(9, times=20, seed=seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert {sum(drawn) for drawn in first} == {9}
    assert len({tuple(drawn) for drawn in first}) > 10


def test_an_interval_leaves_out_a_fortieth_at_either_end() -> None:
    values = list(range(1001))
    random.Random(3).shuffle(values)
    found = resampled(lambda times: {"x": times[0], "y": None}, ([n] for n in values))
    assert intervals(found) == {"x": (25.0, 975.0)}


def test_a_difference_is_taken_resample_by_resample() -> None:
    # Both vary widely, and one is always ahead by the same.
    other = [float(n % 10) for n in range(100)]
    assert difference([value + 0.5 for value in other], other) == (0.5, 0.5)
    assert difference([None, 2.0], [1.0, 1.5]) == (0.5, 0.5)
    assert difference([None], [1.0]) is None

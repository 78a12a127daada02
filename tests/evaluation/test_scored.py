"""Labelled pairs get their scores, and clusters decide what is drawn and divided together."""

from __future__ import annotations

import math

from twicetold.evaluation.found import Found
from twicetold.evaluation.labels import LabelledPair, LabelledSet
from twicetold.evaluation.scored import Rule, Scored, score_clusters, score_pairs
from twicetold.evaluation.views import view_pairs

CONTAINED = Found(0.9, 0.3, 0.25, 0.4, "contained")


def pairs_of(*rows: tuple[str, str, float], directed: bool = False) -> LabelledSet:
    return LabelledSet(
        name="set", sources=(), pairs=tuple(LabelledPair(*row) for row in rows), directed=directed
    )


def test_a_directed_label_is_compared_with_its_own_direction() -> None:
    labelled = pairs_of(("a", "b", 1), ("b", "a", 0), ("a", "c", 0), directed=True)
    scored = score_pairs(labelled, [("a", "b", CONTAINED)], Rule())
    assert scored.score.to_pylist() == [0.9, 0.3, 0]
    assert scored.decided.to_pylist() == [True, False, False]
    # The scan may name the documents the other way round.
    turned = score_pairs(labelled, [("b", "a", CONTAINED.reversed())], Rule())
    assert turned.score.to_pylist() == [0.9, 0.3, 0]
    assert turned.decided.to_pylist() == [True, False, False]


def test_without_direction_a_pair_is_right_if_either_direction_is() -> None:
    labelled = pairs_of(("b", "a", 0), ("a", "b", 1), ("c", "a", 0), directed=True).unordered()
    assert labelled.pairs == (LabelledPair("a", "b", 1), LabelledPair("a", "c", 0))
    scored = score_pairs(labelled, [("b", "a", CONTAINED.reversed())], Rule())
    assert scored.score.to_pylist() == [0.9, 0]
    assert scored.decided.to_pylist() == [True, False]


def test_a_measure_or_threshold_of_ones_own_replaces_the_decision() -> None:
    labelled = pairs_of(("a", "b", 1))
    by_resemblance = score_pairs(labelled, [("a", "b", CONTAINED)], Rule("resemblance", 0.5))
    assert by_resemblance.score.to_pylist() == [0.25]
    assert by_resemblance.decided.to_pylist() == [False]
    assert score_pairs(labelled, [("a", "b", CONTAINED)], Rule("odds", 0.4)).decided[0].as_py()


def test_connected_pairs_are_one_cluster() -> None:
    labelled = pairs_of(("a", "b", 1), ("c", "d", 1), ("b", "e", 0), ("f", "g", 0), ("h", "i", 0))
    scored = score_pairs(labelled, [], Rule())
    assert scored.left.to_pylist() == [0, 1, 0, 2, 3]
    assert scored.clustered_by == "connected pairs"


def test_one_cluster_of_most_pairs_is_divided_by_document() -> None:
    labelled = pairs_of(("r1", "source", 1), ("r2", "source", 0), ("r3", "source", 1))
    scored = score_pairs(labelled, [], Rule())
    assert scored.left.to_pylist() == [0, 1, 2]
    assert scored.clustered_by == "document"
    both_ways = pairs_of(("r1", "s", 1), ("s", "r1", 0), ("r2", "s", 0), directed=True)
    assert score_pairs(both_ways, [], Rule()).left.to_pylist() == [0, 0, 1]


def clusters() -> Scored:
    labelled = LabelledSet(
        name="set", sources=(), clusters={"a": "x", "b": "x", "c": "x", "d": "y", "e": "y"}
    )
    near = Found(1, 1, 1, 100, "near-duplicate")
    found = [("a", "b", near), ("a", "d", near), ("d", "e", CONTAINED._replace(relation="overlap"))]
    return score_clusters(labelled, found, Rule())[0]


def test_pairs_that_were_not_found_count_in_a_set_of_clusters() -> None:
    view = view_pairs(clusters(), threshold=0.5, graded=False)
    fixed = view.fixed
    assert (fixed.tp, fixed.fp, fixed.fn, fixed.tn) == (1, 1, 3, 5)
    assert (view.pairs, view.positives, view.scored) == (10, 4, 3)
    # Related: 1, .9, 0, 0; unrelated: 1 and five times 0.
    won = (0.5 + 5) + 5 + 2 * 2.5
    assert view.auc is not None
    assert math.isclose(view.auc, won / 24)


def test_a_draw_weighs_pairs_between_clusters_by_both() -> None:
    weights = clusters().weights([2, 3]).to_pylist()
    # Found: within x, between, within y; not found: related, then unrelated.
    assert weights == [2, 6, 3, 2 * 3 + 3 - 5, 6 * 6 - 6]


def test_halves_divide_clusters_evenly_and_by_seed() -> None:
    labelled = pairs_of(*((f"l{n}", f"r{n % 40}", n % 2) for n in range(100)))
    scored = score_pairs(labelled, [], Rule())
    one, other = scored.halves(0)
    assert [a + b for a, b in zip(one, other, strict=True)] == scored.ones()
    sizes = [sum(scored.weights(half).to_pylist()) for half in (one, other)]
    assert abs(sizes[0] - sizes[1]) <= 2
    assert scored.halves(0)[0] == one != scored.halves(1)[0]


def test_a_threshold_is_tuned_on_the_half_it_is_not_reported_on() -> None:
    rows = [(f"l{n}", f"r{n}", n % 2) for n in range(40)]
    found = [(f"l{n}", f"r{n}", Found(0.4 + 0.1 * (n % 2), 0, 0, 0, "overlap")) for n in range(40)]
    scored = score_pairs(pairs_of(*rows), found, Rule())
    view = view_pairs(scored, threshold=0.9, graded=False, seed=5)
    assert [half.threshold for half in view.tuned] == [0.5, 0.5]
    assert [half.f1 for half in view.tuned] == [1, 1]
    assert sum(half.tp + half.tn for half in view.tuned) == 40
    assert view.fixed.recall == 0


def test_the_part_for_testing_is_never_tuned_on() -> None:
    # In "old" what is related scores .2; in "new" the threshold that this asks for is too low.
    rows = [("a", "b", 1, "old"), ("c", "d", 0, "old"), ("e", "f", 1, "new"), ("g", "h", 0, "new")]
    labelled = LabelledSet(name="set", sources=(), pairs=tuple(LabelledPair(*r) for r in rows))
    scores = {("a", "b"): 0.2, ("e", "f"): 0.9, ("g", "h"): 0.5}
    found = [(a, b, Found(s, 0, 0, 0, "overlap")) for (a, b), s in scores.items()]
    scored = score_pairs(labelled, found, Rule())
    (tuned,) = view_pairs(scored, threshold=0.5, graded=False, test_part="new").tuned
    assert (tuned.threshold, tuned.tp, tuned.fp, tuned.fn, tuned.tn) == (0.2, 1, 1, 0, 0)


def test_intervals_are_the_same_for_the_same_seed_and_hold_the_figure() -> None:
    rows = [(f"l{n}", f"r{n}", n % 3 > 0) for n in range(30)]
    found = [(f"l{n}", f"r{n}", Found((n * 7 % 10) / 10, 0, 0, 0, "overlap")) for n in range(30)]
    scored = score_pairs(pairs_of(*rows), found, Rule("containment", 0.5))
    first, again, other = (
        view_pairs(scored, threshold=0.5, graded=True, seed=seed, bootstrap=100)
        for seed in (1, 1, 2)
    )
    assert first.intervals == again.intervals != other.intervals
    assert set(first.intervals) == set(first.figures())
    for name, value in first.figures().items():
        low, high = first.intervals[name]
        assert value is not None
        assert low <= value <= high, name
        assert low < high, name

"""From shared weights to shares, resemblance, odds and relations."""

from __future__ import annotations

import itertools
from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold import scoring
from twicetold._kernel import ScoredPairs
from twicetold.errors import ParameterError
from twicetold.pairs import Manifest, Pairs
from twicetold.records import RELATIONS, Pair
from twicetold.scoring import Joined, Scores

NAMES = ("left_in_right", "right_in_left", "resemblance", "odds", "score")

# shared, left_total, right_total, same_text: left_in_right, right_in_left, resemblance, odds, score
SCORES: list[tuple[tuple[float, float, float, bool], tuple[float, float, float, float, float]]] = [
    ((0, 4, 4, False), (0, 0, 0, 0, 0)),
    ((2, 4, 8, False), (0.5, 0.25, 0.2, 0.125 / 0.875, 0.5)),
    ((4, 4, 8, False), (1, 0.5, 0.5, 1, 1)),
    ((4, 8, 4, False), (0.5, 1, 0.5, 1, 1)),
    ((4, 4, 4, False), (1, 1, 1, 100, 1)),
    ((4, 4, 4, True), (1, 1, 1, 100, 1)),
    # Texts of no weight: equal ones hold each other, others have nothing in common.
    ((0, 0, 0, True), (1, 1, 1, 100, 1)),
    ((0, 0, 0, False), (0, 0, 0, 0, 0)),
    ((0, 0, 7, False), (0, 0, 0, 0, 0)),
    # The literal formula can share more than there is.
    ((11, 5, 29, False), (2.2, 11 / 29, 11 / 23, (11 / 29) / (18 / 29), 2.2)),
    ((12, 5, 6, False), (2.4, 2, 1, 100, 2.4)),
]

# left_in_right, right_in_left, same_text: the relation from 0.5 on, the relation above 0.5
RELATION_OF: list[tuple[tuple[float, float, bool], str, str]] = [
    ((0.4, 0.4, False), "overlap", "overlap"),
    ((0.5, 0.4, False), "contained", "overlap"),
    ((0.4, 0.5, False), "contains", "overlap"),
    ((0.5, 0.5, False), "near-duplicate", "overlap"),
    ((0.6, 0.4, False), "contained", "contained"),
    ((0.4, 0.6, False), "contains", "contains"),
    ((0.6, 0.5, False), "near-duplicate", "contained"),
    ((0.6, 0.6, False), "near-duplicate", "near-duplicate"),
    ((1.0, 1.0, True), "identical", "identical"),
    # Rounding of a quotient is no difference; more than that is.
    ((0.5 + 1e-13, 0.4, False), "contained", "overlap"),
    ((0.5 - 1e-13, 0.4, False), "contained", "overlap"),
    ((0.5 + 1e-11, 0.4, False), "contained", "contained"),
    ((0.5 - 1e-11, 0.4, False), "overlap", "overlap"),
]


def columns(found: Scores) -> list[dict[str, float]]:
    values = [array("d", found.column(name)) for name in NAMES]
    return [dict(zip(NAMES, row, strict=True)) for row in zip(*values, strict=True)]


def scores(rows: list[tuple[Any, ...]]) -> list[dict[str, float]]:
    given = [(shared, shared, left, right, same) for shared, left, right, same in rows]
    return columns(Scores.containment(Joined.of(given)))


@pytest.mark.parametrize(("row", "expected"), SCORES)
def test_scores_follow_from_what_is_shared(
    row: tuple[Any, ...], expected: tuple[float, ...]
) -> None:
    (found,) = scores([row])
    assert tuple(found.values()) == pytest.approx(expected, abs=1e-12)


def test_rows_do_not_know_each_other() -> None:
    rows = [row for row, _ in SCORES]
    assert scores(rows) == [scores([row])[0] for row in rows]
    assert scores([]) == []


@given(st.floats(0, 50), st.floats(0, 50), st.floats(0, 50))
def test_shares_resemblance_and_odds_stay_in_their_ranges(a: float, b: float, c: float) -> None:
    shared, left, right = sorted((a, b, c))
    (found,) = scores([(shared, left, right, False)])
    assert 0 <= found["resemblance"] <= min(found["left_in_right"], found["right_in_left"]) + 1e-12
    assert 0 <= found["score"] <= 1
    assert 0 <= found["odds"] <= scoring.MAX_ODDS
    assert found["odds"] == pytest.approx(
        scoring.odds(found["left_in_right"], found["right_in_left"]), abs=1e-12
    )


@given(st.floats(0, 3), st.floats(0, 3))
def test_odds_are_symmetric_grow_and_are_capped(p: float, q: float) -> None:
    assert scoring.odds(p, q) == scoring.odds(q, p) <= scoring.odds(p + 0.1, q) <= 100.0


@pytest.mark.parametrize(
    ("left_in_right", "right_in_left", "expected"),
    [(0.9, 0.9, 0.81 / 0.19), (0.1, 0.9, 0.09 / 0.91), (0, 1, 0), (1, 1, 100), (2.2, 1, 100)],
)
def test_odds_are_those_of_both_shares(
    left_in_right: float, right_in_left: float, expected: float
) -> None:
    assert scoring.odds(left_in_right, right_in_left) == pytest.approx(expected)


@pytest.mark.parametrize(("row", "reached", "exceeded"), RELATION_OF)
def test_relations_follow_from_shares(
    row: tuple[float, float, bool], reached: str, exceeded: str
) -> None:
    there, back, same = row
    found = Scores.matched_share(Joined.of([(there, back, 1, 1, same)]))
    relations = [[RELATIONS[n] for n in found.relate(0.5, strict=s)] for s in (False, True)]
    assert relations == [[reached], [exceeded]]


def test_likeness_is_the_larger_share_and_decides_for_both() -> None:
    found = Scores.likeness(
        Joined.of([(2, 2, 4, 8, False), (1, 1, 4, 8, False), (0, 0, 1, 2, True)])
    )
    assert [row["resemblance"] for row in columns(found)] == [0.5, 0.25, 1.0]
    relations = [RELATIONS[n] for n in found.relate_alike(0.5)]
    assert relations == ["near-duplicate", "overlap", "identical"]
    with pytest.raises(ParameterError, match='no column "weight"'):
        found.column("weight")


def test_relations_have_their_places() -> None:
    found = ScoredPairs.of([("a", "b", relation, 0, 0, 0, 0, None, None) for relation in RELATIONS])
    assert list(found.columns(0, 9)[1]) == list(range(len(RELATIONS)))
    with pytest.raises(ParameterError, match='no relation "alike"'):
        ScoredPairs.of([("a", "b", "alike", 0, 0, 0, 0, None, None)])  # type: ignore[list-item]


def pairs(*rows: tuple[str, str, float]) -> Pairs:
    made = [Pair(left, right, "contained", score, 0.1, 0.2, 0.3) for left, right, score in rows]
    return Pairs.of(made, Manifest())


def test_the_best_pairs_come_first_and_equal_ones_in_the_order_of_ids() -> None:
    given = [("a", "b", 0.5), ("b", "c", 0.9), ("a", "c", 0.9), ("c", "d", 0.7)]
    for order in itertools.permutations(given):
        best = [(pair.left, pair.right) for pair in pairs(*order).best(3)]
        assert best == [("a", "c"), ("b", "c"), ("c", "d")]
    assert pairs().best(3) == []
    assert len(pairs(*given).best(10)) == 4


def test_pairs_know_how_many_there_are_of_each_relation() -> None:
    found = pairs(("a", "b", 0.5), ("b", "c", 0.9))
    assert (len(found), found.count()) == (2, {"contained": 2})
    assert repr(found) == "<Pairs: 2 (2 contained)>"
    assert repr(pairs()) == "<Pairs: 0 (none)>"


def test_pairs_are_read_as_often_as_one_likes() -> None:
    found = pairs(("a", "b", 0.5))
    expected = Pair("a", "b", "contained", 0.5, 0.1, 0.2, 0.3)
    assert list(found) == list(found) == [expected]
    assert expected.score == 0.5


def test_a_pair_in_json_has_the_fields_of_the_design_in_their_order() -> None:
    assert list(Pair("a", "b", "contained", 0.5, 0.1, 0.2, 0.3).to_json()) == [
        "left",
        "right",
        "relation",
        "left_in_right",
        "right_in_left",
        "resemblance",
        "odds",
        "score",
        "earlier",
        "passages",
    ]

"""The five similarity functions: the numbers worked out by hand, and what follows from them."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.detectors.sentence_svm import SentenceSVM
from twicetold.scoring import Joined, Scores
from twicetold.similarity import (
    SIMILARITIES,
    cosine,
    dice,
    distance,
    euclid,
    extended_jaccard,
    jaccard,
    similarity_vector,
)

ONE, OTHER = {"ab", "cd", "ef"}, {"ab", "cd", "xy", "zz"}
TWICE = {"ab": 2, "cd": 1, "ef": 1}

sets = st.sets(st.sampled_from("abcdef"))
counts = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 5))


def test_the_numbers_of_two_small_documents() -> None:
    assert jaccard(ONE, OTHER) == pytest.approx(0.4, abs=5e-5)
    assert cosine(ONE, OTHER) == pytest.approx(0.5774, abs=5e-5)
    assert distance(ONE, OTHER) == pytest.approx(1.7321, abs=5e-5)
    assert extended_jaccard(ONE, OTHER) == pytest.approx(0.4, abs=5e-5)
    assert dice(ONE, OTHER) == pytest.approx(0.5714, abs=5e-5)


def test_the_same_with_a_feature_that_is_there_twice() -> None:
    assert jaccard(TWICE, OTHER) == pytest.approx(0.4, abs=5e-5)
    assert cosine(TWICE, OTHER) == pytest.approx(0.6124, abs=5e-5)
    assert distance(TWICE, OTHER) == pytest.approx(2.0, abs=5e-5)
    assert extended_jaccard(TWICE, OTHER) == pytest.approx(0.4286, abs=5e-5)
    assert dice(TWICE, OTHER) == pytest.approx(0.6, abs=5e-5)


@given(a=sets, b=sets)
def test_on_sets_extended_jaccard_is_jaccard_and_dice_follows(a: set[str], b: set[str]) -> None:
    j = jaccard(a, b)
    assert extended_jaccard(a, b) == pytest.approx(j)
    assert dice(a, b) == pytest.approx(2 * j / (1 + j))


@given(a=counts, b=counts)
def test_all_are_symmetric_and_from_0_to_1_and_euclid_is_dice(
    a: dict[str, int], b: dict[str, int]
) -> None:
    vector = similarity_vector(a, b)
    assert vector == similarity_vector(b, a)
    assert len(vector) == len(SIMILARITIES)
    assert all(-1e-12 <= value <= 1 + 1e-12 for value in vector)
    assert euclid(a, b) == pytest.approx(dice(a, b), abs=1e-12)
    assert similarity_vector(a, a) == pytest.approx([1.0 if a else 0.0] * 5)


@given(pairs=st.lists(st.tuples(counts, counts), max_size=4))
def test_sums_give_the_same_as_the_documents(
    pairs: list[tuple[dict[str, int], dict[str, int]]],
) -> None:
    sums = [
        (
            sum(n * b.get(key, 0) for key, n in a.items()),
            *(sum(n * n for n in v.values()) for v in (a, b)),
        )
        for a, b in pairs
    ]
    joined = Joined.of([(both, both, one, other, False) for both, one, other in sums])
    found = SentenceSVM().vectors(Scores.containment(joined))
    assert found.shape == (len(pairs), 5)
    for row, (a, b) in zip(found.tolist(), pairs, strict=True):
        # Sums do not know sets: the first is extended Jaccard.
        expected = (extended_jaccard(a, b), *similarity_vector(a, b)[1:])
        assert row == pytest.approx(expected, abs=1e-12)


def test_features_can_come_in_any_form() -> None:
    assert jaccard(["a", "b", "a"], ("b", "c")) == pytest.approx(1 / 3)
    assert cosine(Counter("aab"), "ab") == pytest.approx(3 / math.sqrt(10))

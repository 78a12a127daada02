"""Grams and I-Match give what slow, obvious twins give, and the numbers that are known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import reference_documents as reference
from tests.reference import Frequencies
from tests.running import PLAIN, analysed, documents_of, run, share
from tests.strategies import collections
from twicetold import _kernel
from twicetold.detectors.dsc import DSC
from twicetold.detectors.full_fingerprint import FullFingerprint
from twicetold.detectors.imatch import IMatch
from twicetold.detectors.winnowing import Winnowing
from twicetold.pipeline import Detector
from twicetold.statistics import Statistics

ROSE = "a rose is a rose is a rose"
FLOWER = "a rose is a flower which is a rose"

Fingerprints = Callable[[Sequence[str]], AbstractSet[Hashable]]


@cache
def hashed(gram: tuple[str, ...]) -> int:
    """Return the key of a gram, from the kernel."""
    ((_, words, key),) = _kernel.gram_trace(analysed([" ".join(gram)]), 0, size=len(gram))
    assert tuple(words) == gram
    return key


def assert_scans_as(
    detector: Detector, documents: Sequence[Sequence[Sequence[str]]], twin: Fingerprints, **job: Any
) -> None:
    """Compare every pair of a scan with what the twin's sets share."""
    # The number makes a text its own without being a word.
    texts = {
        str(n): "\n\n".join(" ".join(sentence) for sentence in document) + "\n\n" + "*" * (n + 1)
        for n, document in enumerate(documents)
    }
    found = run(documents_of(texts), detector, floor=0.0, all_pairs=True, **job)
    sets = {
        str(n): twin([word for sentence in document for word in sentence])
        for n, document in enumerate(documents)
    }
    shared = {frozenset(ids) for ids in itertools.combinations(sets, 2) if _meet(sets, ids)}
    assert {frozenset((pair.left, pair.right)) for pair in found} == shared
    for pair in found:
        left, right = sets[pair.left], sets[pair.right]
        assert pair.left_in_right == pytest.approx(reference.containment(left, right))
        assert pair.right_in_left == pytest.approx(reference.containment(right, left))
        assert pair.resemblance == pytest.approx(reference.resemblance(left, right))


def _meet(sets: dict[str, AbstractSet[Hashable]], ids: tuple[str, str]) -> bool:
    return bool(sets[ids[0]] & sets[ids[1]])


sizes = st.integers(1, 5)
amounts = st.integers(1, 4)


@given(collections, sizes)
def test_full_fingerprints_are_all_grams(documents: Any, size: int) -> None:
    assert_scans_as(
        FullFingerprint(gram=size), documents, lambda words: set(reference.grams(words, size))
    )


@given(collections, sizes, amounts)
def test_dsc_keeps_grams_by_position(documents: Any, size: int, step: int) -> None:
    assert_scans_as(
        DSC(gram=size, sampling=step), documents, lambda words: reference.every(words, size, step)
    )


@given(collections, sizes, amounts)
def test_dsc_joins_neighbours(documents: Any, size: int, length: int) -> None:
    assert_scans_as(
        DSC(gram=size, sampling=length, mode="super-shingle"),
        documents,
        lambda words: reference.super_shingles(words, size, length),
    )


@given(collections, sizes, amounts)
def test_dsc_keeps_grams_by_their_hash(documents: Any, size: int, of: int) -> None:
    assert_scans_as(
        DSC(gram=size, sampling=of, mode="mod"),
        documents,
        lambda words: reference.multiples(words, size, of, hashed),
    )


@given(collections, sizes, amounts)
def test_winnowing_keeps_the_smallest(documents: Any, size: int, window: int) -> None:
    assert_scans_as(
        Winnowing(gram=size, winnow=window),
        documents,
        lambda words: reference.winnowed(words, size, window, hashed),
    )


@given(collections, sizes)
def test_winnowing_of_characters_runs_through_words(documents: Any, size: int) -> None:
    # With a window of one, every gram is kept.
    assert_scans_as(
        Winnowing(gram=size, winnow=1, gram_of="characters"),
        documents,
        lambda words: set(reference.grams("".join(words), size)),
    )


@given(collections, st.integers(0, 3), st.integers(1, 4))
def test_imatch_is_equality_of_the_chosen_words(documents: Any, skip: int, take: int) -> None:
    frequencies = Frequencies.count([*documents, ()])

    def twin(words: Sequence[str]) -> AbstractSet[Hashable]:
        chosen = reference.imatch(words, frequencies.of, skip, take)
        return {chosen} if chosen else set()

    statistics = Statistics.from_terms(PLAIN, len(documents) + 1, frequencies.of)
    assert_scans_as(IMatch(skip=skip, take=take), documents, twin, statistics=statistics)


@given(collections, st.integers(2, 6), st.integers(0, 3))
def test_a_random_lexicon_takes_words_out_of_the_chosen(
    documents: Any, lexicons: int, seed: int
) -> None:
    frequencies = Frequencies.count([*documents, ()])
    statistics = Statistics.from_terms(PLAIN, len(documents) + 1, frequencies.of)
    detector = IMatch(skip=1, take=3, lexicons=lexicons, seed=seed)
    found = analysed(["\n\n".join(" ".join(s) for s in d) for d in documents])
    keys: dict[int, str] = {}
    for n, document in enumerate(documents):
        words = [word for sentence in document for word in sentence]
        chosen = reference.imatch(words, frequencies.of, 1, 3)
        traced = {t.key: t.label for t in detector.trace(found, n, statistics)}
        assert len(traced) <= lexicons
        assert (" ".join(sorted(chosen)) in traced.values()) == bool(chosen)
        for key, label in traced.items():
            assert set(label.split()) <= chosen
            assert keys.setdefault(key, label) == label


@pytest.mark.parametrize(
    ("gram", "alike", "contained"),
    [(1, 0.6, 1.0), (2, 0.5, 1.0), (3, 0.4286, 1.0), (4, 0.125, 0.3333)],
)
def test_broders_roses(gram: int, alike: float, contained: float) -> None:
    documents = documents_of({"flower": FLOWER, "rose": ROSE})
    (pair,) = run(documents, FullFingerprint(gram=gram), floor=0.0)
    assert pair.resemblance == pytest.approx(alike, abs=5e-5)
    assert pair.right_in_left == pytest.approx(contained, abs=5e-5)


@pytest.mark.parametrize(
    ("mode", "found"),
    [("positional", [1, 0, 0, 1, 0, 0]), ("super-shingle", [1] * 6), ("mod", [1] * 6)],
)
def test_a_shift_of_one_word_is_lost_by_positions_only(mode: Any, found: list[int]) -> None:
    words = [f"w{n}" for n in range(40)]
    texts = {"text": " ".join(words)} | {
        str(shift): " ".join(["x"] * shift + [*words, "end"]) for shift in range(6)
    }
    pairs = list(run(documents_of(texts), DSC(mode=mode), all_pairs=True, floor=0.0))
    assert [share(pairs, "text", str(shift)) for shift in range(6)] == found


def test_a_shared_run_as_long_as_the_guarantee_is_always_found() -> None:
    run_of_words = [f"w{n}" for n in range(8)]
    texts = {
        str(n): " ".join([*(f"a{n}x{k}" for k in range(n)), *run_of_words, f"b{n}", f"c{n}"])
        for n in range(20)
    }
    pairs = run(documents_of(texts), Winnowing(), all_pairs=True, floor=0.0)
    assert len(pairs) == 20 * 19 // 2


def test_a_document_of_few_words_is_one_fingerprint() -> None:
    documents = documents_of({"a": "ant bee", "b": "Ant, bee!", "c": "ant bee cat"})
    for detector in (FullFingerprint(), DSC(), DSC(mode="super-shingle"), Winnowing()):
        (pair,) = run(documents, detector, floor=0.0)
        assert (pair.left, pair.right, pair.relation) == ("a", "b", "near-duplicate")


def test_more_lexicons_find_what_one_misses() -> None:
    words = [f"w{n}" for n in range(12)]
    texts = {"a": " ".join(words), "b": " ".join([*words[:-1], "other"])}
    documents = documents_of(texts)
    assert list(run(documents, IMatch(skip=0, take=12))) == []
    (pair,) = run(documents, IMatch(skip=0, take=12, lexicons=30))
    assert pair.relation == "near-duplicate"
    assert 0 < pair.score < 0.5
    assert list(run(documents, IMatch(skip=0, take=12, lexicons=30, threshold=0.9))) == []


def test_imatch_says_the_same_in_both_directions() -> None:
    # One lexicon may hold none of the words of a document, so that shares differ.
    texts = {f"{n}": " ".join(f"w{k}" for k in range(n % 3, n + 3)) for n in range(12)}
    detector = IMatch(skip=0, take=3, lexicons=8, lexicon_share=0.2, threshold=0.5)
    pairs = list(run(documents_of(texts), detector, floor=0.0, all_pairs=True))
    assert any(pair.left_in_right != pair.right_in_left for pair in pairs)
    assert {pair.relation for pair in pairs} == {"near-duplicate", "overlap"}

"""Documents added one by one find what a join of all of them finds."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.running import PLAIN, analysed, document, text_of
from twicetold import Statistics, _kernel
from twicetold.batches import batch_of
from twicetold.counting import build_statistics
from twicetold.detectors.codet import CoDet
from twicetold.detectors.qsign import QSign
from twicetold.detectors.rare_grams import RareGrams
from twicetold.detectors.word_overlap import WordOverlap
from twicetold.errors import ParameterError
from twicetold.matching import sentence_matches, verified_join
from twicetold.pipeline import Detector
from twicetold.records import Document, Span
from twicetold.sentence_store import Reuse, SentenceStore

STATISTICS = Statistics.from_terms(PLAIN, 100, {"ant": 1, "bee": 7, "cat": 7, "dog": 40, "elk": 99})

DETECTORS: list[Detector] = [
    WordOverlap(min_words=1),
    WordOverlap(measure="plain", min_overlap=0.7),
    WordOverlap(search="all-pairs", min_cosine=0.5, min_overlap=0.3, min_words=1),
    QSign(min_words=1),
    QSign(match="and", bits=64, bits_per_word=2),
    QSign(match="hamming", radius="fixed", distance=3, bits=32, min_words=2),
    QSign(match="hamming", radius="exact", bits_per_word=None, min_words=1, measure="idf"),
    QSign(match="hamming", search="table", bits=16, changed_words=1),
]

Key = tuple[str, int, str, int, float]


def keys(found: Iterable[Reuse]) -> set[Key]:
    return {(r.document, r.number, r.earlier, r.earlier_number, r.score) for r in found}


def batch(documents: Sequence[Document], detector: Detector) -> set[Key]:
    """Return the matches of a join of all documents in which the later sentence asks."""
    detector = detector.with_statistics(STATISTICS)
    verification = detector.verify()
    assert verification is not None
    found = analysed([d.text for d in documents])
    collection = _kernel.Collection()
    collection.add(batch_of(documents), found)
    join = verified_join(detector, collection, detector.features(found, STATISTICS))
    join.run(verification, floor=0.0)
    pairs = list(itertools.combinations(range(len(documents)), 2))
    return {
        (documents[later].id, m.right, documents[earlier].id, m.left, m.right_score)
        for m in sentence_matches(join, [a for a, _ in pairs], [b for _, b in pairs])
        for earlier, later in [pairs[m.pair]]
        if m.right_score > 0
    }


@pytest.mark.parametrize("detector", DETECTORS, ids=str)
@given(collection=strategies.collections, sizes=st.lists(st.integers(1, 3), max_size=7))
def test_one_by_one_finds_what_the_join_of_all_finds(
    detector: Detector, collection: list[strategies.Sentences], sizes: list[int]
) -> None:
    documents = [document(str(n), text_of(found)) for n, found in enumerate(collection)]
    store = SentenceStore(detector, STATISTICS, all_occurrences=True)
    found: list[Reuse] = []
    rest = documents
    for size in [*sizes, len(rest)]:
        found += store.add_all(rest[:size])
        rest = rest[size:]
    assert len(store) == len(documents)
    assert len(keys(found)) == len(found)
    assert keys(found) == batch(documents, detector)


@pytest.mark.parametrize("detector", DETECTORS, ids=str)
def test_asking_changes_nothing(detector: Detector) -> None:
    store = SentenceStore(detector, STATISTICS)
    new = document("new", "ant bee cat dog", "elk elk fox")
    assert store.search(new) == []
    assert store.add(document("old", "ant bee cat dog")) == []
    first = store.search(new)
    assert [(r.document, r.number, r.earlier) for r in first] == [("new", 0, "old")]
    assert store.search(new) == first == store.add(new)
    assert len(store) == 2
    assert store.candidates >= 3


def test_the_first_place_stands_for_all_unless_asked_for() -> None:
    documents = [document(str(n), "ant bee cat") for n in range(4)]
    counts = {}
    for every in (False, True):
        store = SentenceStore(WordOverlap(), STATISTICS, all_occurrences=every)
        found = [store.add(d) for d in documents]
        counts[every] = [len(reuses) for reuses in found]
        assert found[3][0] == Reuse("3", 0, Span(0, 11), "0", 0, Span(0, 11), 3, 1.0)
    assert counts == {False: [0, 1, 1, 1], True: [0, 1, 2, 3]}


def test_sentences_pinned_as_frequent_are_left_out() -> None:
    detector = WordOverlap()
    documents = [document(str(n), "all rights reserved", f"a{n} b{n} c") for n in range(3)]
    statistics = Statistics(PLAIN)
    found = analysed([d.text for d in documents])
    statistics.add(found)
    collection = _kernel.Collection()
    collection.add(batch_of(documents), found)
    join = verified_join(detector, collection, detector.features(found, statistics))
    statistics.pin_frequent_keys(detector.keys_form, join.frequent_keys(2))
    store = SentenceStore(detector, statistics)
    assert [store.add(d) for d in documents] == [[], [], []]
    assert store.n_sentences == 3


def test_a_method_that_compares_documents_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"rare-grams does not match .* with min_overlap=0"):
        SentenceStore(
            RareGrams(min_overlap=0.3),
            build_statistics([document("a", "ant")], method="rare-grams"),
        )
    with pytest.raises(ParameterError, match="codet compares whole documents"):
        SentenceStore(CoDet(), STATISTICS)

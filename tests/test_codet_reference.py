"""The kernel gives what a tree built node by node gives, and what the printed formulas give."""

from __future__ import annotations

import itertools
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import reference, strategies
from tests.reference import Asked, CorpusTree, Frequencies, Row, Settings, Told
from tests.running import PLAIN, analysed, run, similarities, text_of
from twicetold.detectors.codet import CoDet
from twicetold.pairs import Pairs
from twicetold.statistics import Statistics

# Weights are rounded by up to 2^-33, about 1.2e-10, of idf values from log10(8/7) up: a share is
# a quotient of such sums, and a sum is made of up to a hundred of them.
CLOSE = 2e-9
CLOSE_SUM = 2e-8


def pinned(frequencies: Frequencies) -> Statistics:
    return Statistics.from_terms(PLAIN, max(frequencies.documents, 1), frequencies.of)


def assert_equal(found: Pairs, expected: list[Row]) -> None:
    assert [(pair.left, pair.right) for pair in found] == [row[:2] for row in expected]
    for pair, row in zip(found, expected, strict=True):
        values = (pair.left_in_right, pair.right_in_left, pair.resemblance, pair.odds)
        assert values[:3] == pytest.approx(row[3:6], rel=CLOSE, abs=CLOSE)
        # Near certainty the odds grow faster than the shares they are made of.
        assert values[3] == pytest.approx(row.odds, rel=1e-6, abs=CLOSE)
        assert pair.relation == row.relation
        assert pair.score == max(values[:2])


def is_on_the_border(rows: list[Row], *borders: float | None) -> bool:
    """Whether rounding to multiples of 2^-32 may decide on which side of a border a row lies."""
    return any(
        border is not None and abs(share - border) < 1e-8
        for row in rows
        for share in (row.left_in_right, row.right_in_left)
        for border in borders
    )


@given(strategies.collections)
def test_analysis_gives_the_reference_its_sentences(collection: list[strategies.Sentences]) -> None:
    texts = [text_of(document) for document in collection]
    found = analysed(texts, spans=True)
    terms = [
        tuple(tuple(word[1] for word in words) for _, words in found.sentences(n))
        for n in range(len(texts))
    ]
    assert terms == collection


@given(strategies.collections, strategies.settings())
def test_the_join_is_the_tree(collection: list[strategies.Sentences], settings: Settings) -> None:
    frequencies = Frequencies.count(collection)
    tree = CorpusTree(frequencies, settings)
    expected: dict[tuple[int, int], float] = {}
    for n, document in enumerate(collection):
        for earlier, similarity in tree.insert(str(n), document).items():
            if similarity > 0:
                expected[int(earlier), n] = similarity
    texts = [text_of(document) for document in collection]
    found = similarities(texts, pinned(frequencies), **strategies.parameters(settings))
    # Documents with equal paths but no weight are handed out, too; a tree has nothing to say there.
    shared = {ids: cs for ids, cs in found.cs.items() if ids[0] < ids[1] and cs > 0}
    assert shared == pytest.approx(expected, rel=CLOSE, abs=CLOSE_SUM)
    for n, total in found.scs.items():
        assert total == pytest.approx(tree.self_similarity[str(n)], rel=CLOSE, abs=CLOSE_SUM)


@given(strategies.collections, strategies.settings())
def test_the_tree_has_as_many_nodes_as_there_are_keys(
    collection: list[strategies.Sentences], settings: Settings
) -> None:
    settings = Settings(**{**vars(settings), "min_depth": 1})
    frequencies = Frequencies.count(collection)
    tree = CorpusTree(frequencies, settings)
    nodes = []
    for n, document in enumerate(collection):
        tree.insert(str(n), document)
        nodes.append(tree.n_nodes)
    texts = [text_of(document) for document in collection]
    found = similarities(texts, pinned(frequencies), **strategies.parameters(settings))
    assert found.n_nodes == nodes


@given(strategies.collections, strategies.settings())
def test_bag_mode_is_the_printed_double_sum(
    collection: list[strategies.Sentences], settings: Settings
) -> None:
    settings = Settings(**{**vars(settings), "mode": "bag"})
    frequencies = Frequencies.count(collection)
    texts = [text_of(document) for document in collection]
    found = similarities(texts, pinned(frequencies), **strategies.parameters(settings))
    for a, b in itertools.combinations(range(len(collection)), 2):
        expected = reference.double_sum(collection[a], collection[b], frequencies, settings)
        assert found.cs.get((a, b), 0.0) == pytest.approx(expected, rel=CLOSE, abs=CLOSE_SUM)
    for n, total in found.scs.items():
        expected = reference.double_sum(collection[n], collection[n], frequencies, settings)
        assert total == pytest.approx(expected, rel=CLOSE, abs=CLOSE_SUM)


@given(
    strategies.told(),
    strategies.settings(),
    st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.8, 1.0]),
    st.sampled_from(["above", "at-least"]),
    st.none() | st.integers(0, 12).map(lambda days: timedelta(days=days)),
    st.none() | st.sampled_from([0.0, 0.2, 0.6]),
    st.booleans(),
    st.sampled_from([1, 2, 3, 1000]),
)
def test_a_scan_gives_the_pairs_of_the_reference(
    told: list[Told],
    settings: Settings,
    threshold: float,
    comparison: str,
    window: timedelta | None,
    floor: float | None,
    all_pairs: bool,
    max_key_documents: int,
) -> None:
    asked = Asked(
        threshold=threshold,
        comparison=comparison,
        window=window,
        floor=floor,
        all_pairs=all_pairs,
        max_key_documents=max_key_documents,
    )
    frequencies = Frequencies.count(document.sentences for document in told)
    expected = reference.expected_pairs(told, frequencies, settings, asked)
    everything = Asked(**{**vars(asked), "floor": 0.0})
    if is_on_the_border(
        reference.expected_pairs(told, frequencies, settings, everything), threshold, floor
    ):
        return
    detector = CoDet(
        threshold=threshold,
        comparison=comparison,  # type: ignore[arg-type]
        **strategies.parameters(settings),
    )
    found = run(
        strategies.as_documents(told),
        detector,
        window=window,
        floor=floor,
        all_pairs=all_pairs,
        max_key_documents=max_key_documents,
    )
    assert_equal(found, expected)


@given(strategies.told(), strategies.collections, strategies.settings())
def test_idf_can_come_from_another_collection(
    told: list[Told], other: list[strategies.Sentences], settings: Settings
) -> None:
    frequencies = Frequencies.count([*other, ()])
    expected = reference.expected_pairs(
        told, frequencies, settings, Asked(floor=0.0, all_pairs=True), frequent=set()
    )
    if is_on_the_border(expected, 0.5):
        return
    found = run(
        strategies.as_documents(told),
        CoDet(**strategies.parameters(settings)),
        statistics=pinned(frequencies),
        floor=0.0,
        all_pairs=True,
    )
    assert_equal(found, expected)


@given(strategies.told(), strategies.settings(), st.integers(0, 12))
def test_the_window_of_the_engine_is_the_window_of_the_tree(
    told: list[Told], settings: Settings, days: int
) -> None:
    dated = [document for document in told if document.published is not None]
    frequencies = Frequencies.count(document.sentences for document in dated)
    tree = CorpusTree(frequencies, settings, window=timedelta(days=days).total_seconds())
    expected: dict[frozenset[str], float] = {}
    for document in sorted(dated, key=reference.place):
        assert document.published is not None
        time = document.published.timestamp()
        similarity = tree.insert(document.id, document.sentences, time)
        expected |= {frozenset((document.id, n)): cs for n, cs in similarity.items() if cs > 0}
    found = run(
        strategies.as_documents(dated),
        CoDet(**strategies.parameters(settings)),
        window=timedelta(days=days),
        floor=0.0,
        all_pairs=True,
    )
    shared = {
        frozenset((pair.left, pair.right)): pair.left_in_right * tree.self_similarity[pair.left]
        for pair in found
        if tree.self_similarity[pair.left] > 0
    }
    assert shared == pytest.approx(expected, rel=CLOSE, abs=CLOSE_SUM)

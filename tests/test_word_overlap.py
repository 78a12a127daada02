"""Word overlap finds exactly what comparing every sentence with every other one finds."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.reference import Frequencies, Told
from tests.reference_sentences import cosine, expected_shares, overlap
from tests.running import PLAIN, analysed, counted, document, run
from twicetold import Statistics, _kernel, explain, scan
from twicetold.detectors.word_overlap import WordOverlap
from twicetold.errors import ParameterError
from twicetold.records import Document, Passage, Span

MEASURES = ("plain", "idf", "selfnorm")


@given(
    told=strategies.told(),
    measure=st.sampled_from(MEASURES),
    min_overlap=st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.7, 1.0]),
    min_words=st.integers(1, 3),
    days=st.none() | st.integers(0, 20),
)
def test_pairs_are_those_of_the_double_loop(
    told: list[Told], measure: Any, min_overlap: float, min_words: int, days: int | None
) -> None:
    frequencies = Frequencies.count(d.sentences for d in told)
    window = None if days is None else timedelta(days=days)

    def matches(query: frozenset[str], stored: frozenset[str]) -> bool:
        found = overlap(query, stored, measure, frequencies)
        return found > 1e-12 and found >= min_overlap - 1e-9

    detector = WordOverlap(measure=measure, min_overlap=min_overlap, min_words=min_words)
    documents = strategies.as_documents(told)
    found = run(documents, detector, floor=0.0, all_pairs=True, window=window)
    shares = {(p.left, p.right): (p.left_in_right, p.right_in_left, p.resemblance) for p in found}
    expected = expected_shares(told, matches, min_words=min_words, window=window)
    assert shares == expected


@given(
    told=strategies.told(),
    measure=st.sampled_from(MEASURES),
    min_cosine=st.sampled_from([0.0, 0.123, 0.456, 0.789]),
)
def test_all_pairs_finds_the_matches_with_enough_cosine(
    told: list[Told], measure: Any, min_cosine: float
) -> None:
    frequencies = Frequencies.count(d.sentences for d in told)

    def matches(query: frozenset[str], stored: frozenset[str]) -> bool:
        found = overlap(query, stored, measure, frequencies)
        is_near = cosine(query, stored, frequencies) >= max(min_cosine - 1e-9, 1e-12)
        return found > 1e-12 and found >= 0.25 - 1e-9 and is_near

    detector = WordOverlap(
        measure=measure, min_overlap=0.25, min_words=1, search="all-pairs", min_cosine=min_cosine
    )
    found = run(strategies.as_documents(told), detector, floor=0.0, all_pairs=True)
    shares = {(p.left, p.right): (p.left_in_right, p.right_in_left, p.resemblance) for p in found}
    assert shares == expected_shares(told, matches, min_words=1, window=None)


@given(told=strategies.told(), min_overlap=st.sampled_from([0.25, 0.5, 0.7]))
def test_plain_overlap_is_never_below_selfnorm(told: list[Told], min_overlap: float) -> None:
    documents = strategies.as_documents(told)
    strict, loose = (
        run(
            documents,
            WordOverlap(measure=measure, min_overlap=min_overlap, min_words=1),
            floor=0.0,
            all_pairs=True,
        )
        for measure in ("selfnorm", "plain")
    )
    shares = {(pair.left, pair.right): pair for pair in loose}
    for pair in strict:
        other = shares[pair.left, pair.right]
        assert other.left_in_right >= pair.left_in_right
        assert other.right_in_left >= pair.right_in_left


def test_the_measures_of_recap() -> None:
    """Q = w1..w4, R = w1, w2, w3, x; N = 1000, df 10, 100, 500, 10."""
    frequencies = {"wa": 10, "wb": 100, "wc": 500, "wd": 10}
    statistics = Statistics.from_terms(PLAIN, 1000, frequencies)
    query = document("q", "wa wb wc wd")
    stored = document("r", "wa wb wc x")
    known = {"plain": 0.75, "idf": 0.6227, "selfnorm": 0.4670}
    for measure, expected in known.items():
        found = explain(
            query,
            stored,
            method="word-overlap",
            statistics=statistics,
            measure=measure,
            min_overlap=expected - 5e-5,
        )
        assert found.left.share == 1.0
        assert found.evidence[0].weight >= expected - 5e-5
        above = explain(
            query,
            stored,
            method="word-overlap",
            statistics=statistics,
            measure=measure,
            min_overlap=expected + 5e-5,
        )
        assert above.left.share == 0.0
    weight = sum(math.log(1000 / frequencies[w]) for w in ("wa", "wb", "wc"))
    assert 0.75 * weight == pytest.approx(5.7007, abs=5e-5)


def test_what_a_longer_sentence_has_beside_costs_nothing() -> None:
    short = document("short", "ant bee cat dog")
    long = document("long", "ant bee cat dog elk fox gnu hen ibis jay kiwi lynx")
    (pair,) = run([short, long], WordOverlap(measure="plain"))
    assert (pair.left, pair.relation, pair.right) == ("long", "contains", "short")


def test_a_frequent_sentence_is_left_out_and_counted() -> None:
    documents = [
        document(f"{n:02}", "all rights are reserved", f"a{n} b{n} c{n}", f"d{n // 2} e{n // 2} f")
        for n in range(12)
    ]
    everything = run(documents, WordOverlap(), floor=0.0)
    assert len(everything) == 12 * 11 // 2
    assert everything.manifest.counts["frequent keys"] == 0
    assert everything.manifest.counts["distinct sentences"] == 1 + 12 + 6
    pairs = run(documents, WordOverlap(measure="plain"), floor=0.0, max_key_documents=11)
    assert [(p.left, p.right, p.left_in_right) for p in pairs] == [
        (f"{n:02}", f"{n + 1:02}", 0.5) for n in range(0, 12, 2)
    ]
    assert pairs.manifest.counts["frequent keys"] == 1
    assert pairs.manifest.counts["features left out"] == 12


def test_passages_are_the_sentences_that_match() -> None:
    left = Document(
        id="left", text="Nothing of that. The dam over Lund broke today!", language="en"
    )
    right = Document(id="right", text="The dam over Lund broke today! Dam of Lund broke.")
    (pair,) = scan(
        [left, right],
        method="word-overlap",
        measure="plain",
        language="en",
        passages=True,
        floor=0.0,
    )
    verbatim, edited = pair.passages
    assert verbatim == Passage(Span(17, 47), Span(0, 30), 1.0, "verbatim")
    assert (edited.left, edited.right, edited.type) == (Span(17, 47), Span(31, 49), "edited")
    assert [p["type"] for p in pair.to_json()["passages"]] == ["verbatim", "edited"]
    (without,) = scan([left, right], method="word-overlap", measure="plain", floor=0.0)
    assert without.passages == ()
    with pytest.raises(ParameterError, match="codet compares whole documents"):
        scan([left, right], method="codet", passages=True)


@pytest.mark.parametrize("measure", MEASURES)
def test_an_explanation_has_the_shares_of_the_scan(measure: str) -> None:
    documents = [
        document("a", "ant bee cat dog", "elk fox gnu hen", "one two"),
        document("b", "ant bee cat hen", "dog cat bee ant", "ant bee cat dog"),
        document("c", "ibis jay kiwi lynx"),
    ]
    options: dict[str, Any] = {"method": "word-overlap", "measure": measure, "profile": "plain"}
    (pair,) = scan(documents, floor=0.0, **options)
    found = explain("a", "b", sources=documents, **options)
    assert (found.left.share, found.right.share) == (pair.left_in_right, pair.right_in_left)
    assert found.relation == pair.relation
    assert [s.weight for s in found.left.sentences] == [1.0, 1.0, 0.0]
    assert [s.weight for s in found.right.sentences] == [1.0, 1.0, 0.0]
    assert found.left.sentences[0].partner == 1
    assert [s.number for s in found.left.missing] == [1]
    assert found.evidence[0].label == "ant bee cat dog"


def test_the_words_of_a_sentence_are_its_trace() -> None:
    found = analysed(["Ant bee ant cat. Dog."])
    trace = WordOverlap().trace(found, 0, counted(found))
    assert [(t.sentence, t.label) for t in trace] == [(0, "ant"), (0, "bee"), (0, "cat")]


def test_all_pairs_finds_what_lies_at_a_small_angle() -> None:
    found = analysed(["ant bee cat. ant bee dog. elk fox gnu.", "bee cat ant"])
    statistics = Statistics.from_terms(PLAIN, 100, dict.fromkeys(("ant", "bee", "cat", "dog"), 10))
    features = _kernel.sentence_features(found, statistics.native, min_words=1)
    later, earlier, cosines = _kernel.all_pairs(features, 0.7)
    assert (later, earlier) == (b"\x03\0\0\0", b"\0\0\0\0")
    assert memoryview(cosines).cast("d")[0] == pytest.approx(1.0)
    assert len(_kernel.all_pairs(features, 0.6)[0]) == 3 * 4

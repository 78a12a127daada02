"""Sentence features: the oracle for each kind, the sums of the join, and decisions by them."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.reference import Frequencies, Told
from tests.reference_features import Feature, dot, top_terms, word_grams
from tests.running import PLAIN, analysed, counted, document, run
from twicetold import Document, explain, scan
from twicetold.detectors.sentence_svm import SentenceSVM
from twicetold.pipeline import DETECTORS, detector_class
from twicetold.scoring import Joined
from twicetold.similarity import SIMILARITIES, similarity_vector
from twicetold.statistics import Statistics


def expected_of(told: list[Told], detector: SentenceSVM) -> dict[str, Counter[Feature]]:
    """Return the features of each document, by the oracle."""
    frequencies = Frequencies.count(d.sentences for d in told)
    found = {}
    for doc in told:
        if detector.feature in ("shingles", "sentence-grams"):
            within = detector.feature == "sentence-grams"
            found[doc.id] = word_grams(doc.sentences, detector.gram, within=within)
        else:
            found[doc.id] = top_terms(
                doc.sentences,
                frequencies,
                k=detector.terms,
                min_words=detector.min_words,
                composite=detector.feature == "composite",
                term_frequency=detector.weight == "tf-idf",
            )
        if detector.counts == "presence":
            found[doc.id] = Counter(dict.fromkeys(found[doc.id], 1))
    return found


detectors = st.builds(
    SentenceSVM,
    feature=st.sampled_from(["composite", "terms", "shingles", "sentence-grams"]),
    counts=st.sampled_from(["presence", "frequency"]),
    terms=st.integers(1, 4),
    weight=st.sampled_from(["tf-idf", "idf"]),
    min_words=st.integers(1, 3),
    gram=st.integers(1, 3),
)


@given(told=strategies.told(), detector=detectors)
def test_features_are_those_of_the_oracle(told: list[Told], detector: SentenceSVM) -> None:
    found = analysed([d.text for d in told])
    statistics = counted(found)
    for n, (_, features) in enumerate(expected_of(told, detector).items()):
        trace = Counter(t.label for t in detector.trace(found, n, statistics))
        if detector.counts == "presence":
            trace = Counter(dict.fromkeys(trace, 1))
        assert trace == Counter({" ".join(words): times for words, times in features.items()})


@given(told=strategies.told(), detector=detectors)
def test_shares_are_those_of_the_double_loop(told: list[Told], detector: SentenceSVM) -> None:
    features = expected_of(told, detector)
    pairs = run(strategies.as_documents(told), detector, floor=0.0, all_pairs=True)
    texts = {d.id: d.text for d in told}
    found = set()
    for pair in pairs:
        found.add(frozenset((pair.left, pair.right)))
        if texts[pair.left] == texts[pair.right]:
            continue
        one, other = features[pair.left], features[pair.right]
        shared = dot(one, other)
        assert pair.left_in_right == pytest.approx(min(shared / dot(one, one), 1))
        assert pair.right_in_left == pytest.approx(min(shared / dot(other, other), 1))
        assert pair.resemblance == pytest.approx(similarity_vector(one, other)[2])
    assert found == {
        frozenset((one.id, other.id))
        for n, one in enumerate(told)
        for other in told[:n]
        if one.text == other.text or dot(features[one.id], features[other.id]) > 0
    }


@given(
    told=strategies.told(),
    similarity=st.sampled_from(SIMILARITIES),
    threshold=st.sampled_from([0.2, 0.5, 0.7, 1.0]),
)
def test_a_similarity_decides_by_its_own_threshold(
    told: list[Told], similarity: Any, threshold: float
) -> None:
    detector = SentenceSVM(
        similarity=similarity, threshold=threshold, terms=2, min_words=1, feature="terms"
    )
    features = expected_of(told, detector)
    pairs = run(strategies.as_documents(told), detector, all_pairs=True)
    found = {frozenset((p.left, p.right)) for p in pairs if p.relation == "near-duplicate"}
    assert {p.relation for p in pairs} <= {"near-duplicate", "identical"}
    at = SIMILARITIES.index(similarity)
    assert found == {
        frozenset((one.id, other.id))
        for n, one in enumerate(told)
        for other in told[:n]
        if one.text != other.text
        and dot(features[one.id], features[other.id]) > 0
        and similarity_vector(features[one.id], features[other.id])[at] >= threshold - 1e-9
    }


@given(
    doc=strategies.documents.filter(bool),
    other=strategies.documents,
    shuffle=st.randoms(use_true_random=False),
)
@pytest.mark.parametrize("feature", ["composite", "terms", "sentence-grams"])
def test_the_order_of_sentences_is_irrelevant(
    feature: Any, doc: strategies.Sentences, other: strategies.Sentences, shuffle: random.Random
) -> None:
    changed = shuffle.sample(doc, len(doc))
    statistics = Statistics.from_terms(PLAIN, 9, {"ant": 1, "bee": 3, "cat": 3})
    detector = SentenceSVM(feature=feature, terms=2, min_words=1, gram=2)
    rows = []
    for sentences in (doc, changed):
        documents = [
            document("doc", *(" ".join(words) for words in sentences)),
            document("other", *(" ".join(words) for words in other), "elk"),
        ]
        pairs = run(documents, detector, floor=0.0, statistics=statistics)
        rows.append([(p.left_in_right, p.right_in_left) for p in pairs])
    assert rows[0] == rows[1]


def test_the_similarity_vector_comes_from_the_sums_of_the_join() -> None:
    detector = SentenceSVM()
    joined = Joined.of([(2, 2, 3, 4, False), (0, 0, 0, 0, True), (0, 0, 0, 0, False)])
    vectors = detector.vectors(detector.score(joined))
    assert vectors.round(4).tolist() == [[0.4, 0.5774, 0.4, 0.5714, 0.5714], [1.0] * 5, [0.0] * 5]
    assert detector.similarities == SIMILARITIES


@pytest.mark.parametrize("name", DETECTORS)
def test_every_detector_has_a_vector_for_each_pair(name: str) -> None:
    detector = detector_class(name)()
    assert len(set(detector.similarities)) == len(detector.similarities) >= 3
    joined = Joined.of([(2, 2, 3, 4, False), (0, 0, 0, 0, False)])
    if detector.unit == "document":
        vectors = detector.vectors(detector.score(joined))
        assert vectors.shape == (2, len(detector.similarities))


def test_the_default_vector_is_both_shares_and_resemblance() -> None:
    detector = detector_class("codet")()
    scores = detector.score(Joined.of([(2, 2, 4, 8, False)]))
    assert detector.vectors(scores).tolist() == [[0.5, 0.25, 0.2]]


def test_what_one_has_more_often_counts_once() -> None:
    """Three times against once: all of the first is there, a third of the second."""
    once = document("once", "ant bee")
    often = document("thrice", "ant bee", "bee ant", "ant, bee")
    (pair,) = run([once, often], SentenceSVM(counts="frequency"), floor=0.0)
    assert (pair.left_in_right, pair.right_in_left) == pytest.approx((1.0, 1 / 3))
    assert pair.resemblance == pytest.approx(3 / 7)
    (pair,) = run([once, often], SentenceSVM(), floor=0.0)
    assert (pair.left_in_right, pair.right_in_left) == (1.0, 1.0)


@pytest.mark.parametrize(
    "feature", ["composite", "terms", "shingles", "spotsigs", "sentence-grams"]
)
@pytest.mark.parametrize("counts", ["presence", "frequency"])
def test_an_explanation_has_the_shares_of_the_scan(feature: str, counts: str) -> None:
    documents = [
        Document(id="a", text="The dam above the town broke. A dam broke. It was the rain of May."),
        Document(id="b", text="The dam above the town broke. Nobody was hurt in the town of Lund."),
        Document(id="c", text="The mine will close in May."),
    ]
    options: dict[str, Any] = {"method": "sentence-svm", "feature": feature, "counts": counts}
    pairs = scan(documents, floor=0.0, language="en", **options)
    pair = next(pair for pair in pairs if (pair.left, pair.right) == ("a", "b"))
    found = explain("a", "b", sources=documents, language="en", **options)
    shares = (found.left.share, found.right.share)
    assert shares == pytest.approx((pair.left_in_right, pair.right_in_left))
    assert found.relation == pair.relation


def test_spot_signatures_follow_the_antecedents_of_the_paper() -> None:
    text = "At a rally to kick off a weeklong campaign for the South Carolina primary."
    found = analysed([text])
    trace = SentenceSVM(feature="spotsigs", chain=2).trace(found, 0, counted(found))
    assert [t.label for t in trace] == [
        "a rally kick",
        "a weeklong campaign",
        "the south carolina",
    ]


def test_a_key_that_too_many_documents_have_is_left_out() -> None:
    """Short sentences are hubs: what is too frequent is pinned and counted, as everywhere."""
    documents = [
        document(f"{n:02}", "read more", f"ant{n // 2} bee{n // 2}", f"cat{n} dog{n}")
        for n in range(12)
    ]
    everything = run(documents, SentenceSVM(), floor=0.0)
    assert len(everything) == 12 * 11 // 2
    pairs = run(documents, SentenceSVM(), floor=0.0, max_key_documents=5)
    assert len(pairs) == 6
    assert pairs.manifest.counts["frequent keys"] == 1
    one_word = [document("a", "Copyright", "ant bee"), document("b", "Copyright", "cat dog")]
    assert list(run(one_word, SentenceSVM(), floor=0.0)) == []

"""A detector with a model inside is used as any other, and decides by the model."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.learning import making
from twicetold.analysis import PROFILES, profile_of
from twicetold.counting import build_statistics
from twicetold.errors import ParameterError
from twicetold.evaluation import evaluate
from twicetold.explaining import explain
from twicetold.learning import Lesson, learn, learned
from twicetold.pairs import Pairs
from twicetold.pipeline import Detector
from twicetold.records import Document
from twicetold.scanning import scan

LABELLED = making.clusters()
COPY = Document(id="copy", text=LABELLED.sources[0].text)  # type: ignore[union-attr]
DOCUMENTS = [*LABELLED.sources, COPY, replace(COPY, id="copy again")]
TEXTS = {document.id: document.text for document in DOCUMENTS}  # type: ignore[union-attr]
QUICK = {"curve": False, "contribution": False, "resamples": 0, "folds": 3}


@cache
def lesson(kind: str) -> Lesson:
    methods = {
        "documents": "codet",
        "sentences": "word-overlap",
        "several": ["codet", "word-overlap"],
        "retold": "retelling",
        "counted": ["rare-grams", "fuzzy-set"],
        "sketches": "minhash",
        "directed": "codet",
    }
    labelled = making.pairs() if kind == "directed" else LABELLED
    more = {"mode": "containment", "threshold": 0.1, "gram": 2} if kind == "sketches" else {}
    return learn(labelled, method=methods[kind], **QUICK, **more)  # type: ignore[arg-type]


KINDS = ("documents", "sentences", "several", "retold", "counted", "sketches", "directed")
every_kind = pytest.mark.parametrize("kind", KINDS)


def found(detector: Detector, **options: object) -> Pairs:
    return scan(DOCUMENTS, method=detector, **options)  # type: ignore[arg-type]


@every_kind
def test_a_scan_gives_what_the_model_says(kind: str) -> None:
    detector = lesson(kind).detector()
    pairs = found(detector, all_pairs=True)
    assert len(pairs) > len(LABELLED.clusters) / 2
    for pair in pairs:
        if pair.relation == "overlap":
            assert kind == "retold"  # which proves that something was taken, however little
            assert pair.score < detector.threshold
            continue
        assert max(pair.left_in_right, pair.right_in_left) >= detector.threshold - 1e-9
        there, back = (
            share >= detector.threshold for share in (pair.left_in_right, pair.right_in_left)
        )
        expected = "near-duplicate" if there and back else "contained" if there else "contains"
        same = TEXTS[pair.left] == TEXTS[pair.right]
        assert pair.relation == ("identical" if same else expected)
    settings = pairs.manifest.parameters
    assert settings["model"] == lesson(kind).model.version
    assert settings["method"] == detector.name


@every_kind
def test_every_pair_above_the_floor_has_its_probability(kind: str) -> None:
    detector = lesson(kind).detector()
    few, all_ = found(detector), found(detector, floor=0.0)
    known = {(pair.left, pair.right): pair for pair in all_}
    assert len(all_) > len(few)
    for pair in few:
        assert known[pair.left, pair.right] == pair
    assert all(0 <= pair.score <= 1 for pair in all_)


@every_kind
def test_a_lower_threshold_finds_more(kind: str) -> None:
    model = lesson(kind).model
    counts = [
        len(found(learned(model, parameters={"threshold": threshold})))
        for threshold in (0.01, 0.5, 0.99)
    ]
    assert counts[0] > counts[1] >= counts[2]


@every_kind
def test_a_pickled_detector_finds_the_same(kind: str) -> None:
    detector = lesson(kind).detector()
    content = pickle.dumps(detector)
    assert len(content) < 10_000
    again = pickle.loads(content)
    assert again == detector
    assert found(again).table == found(detector).table


@every_kind
def test_threads_and_order_change_nothing(kind: str) -> None:
    detector = lesson(kind).detector()
    one = scan(DOCUMENTS, method=detector, threads=1, floor=0.0)
    other = scan(DOCUMENTS[::-1], method=detector, threads=4, floor=0.0)
    assert one.table == other.table


@every_kind
def test_an_evaluation_judges_the_decision(kind: str) -> None:
    labelled = making.pairs() if kind == "directed" else LABELLED
    detector = lesson(kind).detector()
    judged = evaluate(labelled, method=detector, bootstrap=0)
    assert judged.method == detector.name
    assert judged.pairs.fixed.threshold == detector.threshold
    assert (judged.pairs.fixed.f1 or 0) > 0.8
    assert judged.parameters["model"] == lesson(kind).model.version


@every_kind
def test_an_explanation_has_the_score_of_a_scan(kind: str) -> None:
    detector = lesson(kind).detector()
    pair = next(pair for pair in found(detector) if pair.relation != "identical")
    why = explain(pair.left, pair.right, sources=DOCUMENTS, method=detector)
    assert why.relation == pair.relation
    assert (why.left.share, why.right.share) == pytest.approx(
        (pair.left_in_right, pair.right_in_left)
    )
    assert why.estimated
    assert why.evidence


def test_copies_come_with_the_first_of_them_or_all() -> None:
    for kind in ("documents", "several"):
        detector = lesson(kind).detector()
        pairs = {
            flag: [p for p in found(detector, all_pairs=flag) if p.relation == "identical"]
            for flag in (False, True)
        }
        assert [len(pairs[False]), len(pairs[True])] == [2, 3]


def test_which_document_is_in_which_follows_from_the_shares() -> None:
    detector = learned(lesson("documents").model, parameters={"threshold": 0.3})
    shares = [np.array([0.9, 0.1, 0.6, 0.6]), np.array([0.1, 0.9, 0.5, 0.6])]
    left, right = detector._turned(np.array([0.8, 0.8, 0.8, 0.2]), shares)
    assert (left >= 0.3).tolist() == [True, False, True, False]
    assert (right >= 0.3).tolist() == [False, True, True, False]
    assert np.maximum(left, right).tolist() == [0.8, 0.8, 0.8, 0.2]


@every_kind
def test_pinned_statistics_of_the_base_serve(kind: str) -> None:
    detector = lesson(kind).detector()
    statistics = build_statistics(DOCUMENTS, method=detector, profile=detector.profile)
    assert found(detector, statistics=statistics).count() == found(detector).count()


@pytest.mark.parametrize("kind", ["several", "retold", "counted"])
def test_what_is_too_frequent_for_any_of_its_detectors_is_pinned(kind: str) -> None:
    detector = lesson(kind).detector()
    few = {"max_key_documents": 2}
    pairs = found(detector, **few)
    assert pairs.table != found(detector).table
    statistics = build_statistics(DOCUMENTS, method=detector, **few)  # type: ignore[arg-type]
    pinned = [form for form in statistics.pinned if not form.startswith("boilerplate")]
    assert len(pinned) == len(detector.members)
    assert found(detector, statistics=statistics).table == pairs.table
    pair = next(pair for pair in pairs if pair.relation not in ("identical", "overlap"))
    why = explain(
        pair.left,
        pair.right,
        sources=DOCUMENTS,
        method=detector,
        **few,  # type: ignore[arg-type]
    )
    shares = (pair.left_in_right, pair.right_in_left)
    assert (why.left.share, why.right.share) == pytest.approx(shares)


@every_kind
def test_another_profile_is_refused(kind: str) -> None:
    detector = lesson(kind).detector()
    other = next(p for p in PROFILES.values() if p != profile_of(detector.profile))
    with pytest.raises(ParameterError, match="the model was learned with the profile"):
        found(detector, profile=other)


def test_several_detectors_have_no_passages() -> None:
    with pytest.raises(ParameterError, match="has no passages"):
        found(lesson("several").detector(), passages=True)
    assert any(pair.passages for pair in found(lesson("sentences").detector(), passages=True))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"methods": ["imatch"]}, "learned for codet, not for imatch; leave out the method"),
        ({"parameters": {"depth": 3}}, "learned with depth 5, got 3; leave it out"),
        ({"parameters": {"gram": 3}}, "learned with no parameter 'gram', got 3"),
        ({"parameters": {"threshold": 3.0}}, "threshold must be a number from 0 to 1, got 3.0"),
    ],
)
def test_what_is_not_the_models_own_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        learned(lesson("documents").model, **given)  # type: ignore[arg-type]
    same = learned(lesson("documents").model, methods=["codet"], parameters={"depth": 5})
    assert same == lesson("documents").detector()


@pytest.mark.parametrize("kind", ["documents", "sentences", "retold", "sketches"])
def test_all_but_the_decision_is_that_of_the_detector_inside(kind: str) -> None:
    outer = lesson(kind).detector()
    for name in (
        *("unit", "similarities", "max_key_sentences", "boilerplate_documents", "tells_content"),
        *("counts_features", "keys_form"),
    ):
        assert getattr(outer, name) == getattr(outer.base, name), name

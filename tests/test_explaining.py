"""An explanation adds up to the score that a scan gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from twicetold import Document, build_statistics, explain, read, scan
from twicetold.errors import ParameterError, StatisticsError
from twicetold.evidence import Explanation
from twicetold.pipeline import DETECTORS, detector_class

NEWS = Path(__file__).parents[1] / "examples" / "news"

SETTINGS: list[dict[str, Any]] = [
    *({"method": method} for method in DETECTORS),
    {"method": "codet", "mode": "bag"},
    {"method": "codet", "word_sorting": False, "depth": None},
    {"method": "codet", "suffixes": 3, "min_depth": 2, "min_words": 3},
    {"method": "dsc", "mode": "super-shingle"},
    {"method": "winnowing", "gram_of": "characters"},
    {"method": "imatch", "take": 4, "lexicons": 20},
    {"method": "simhash", "distance": 12},
    {"method": "minhash", "mode": "containment"},
]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_shares_and_relation_are_those_of_the_scan(setting: dict[str, Any]) -> None:
    documents = {document.id: document for document in read(NEWS)}
    statistics = build_statistics(documents.values(), **setting)
    pairs = list(scan(documents.values(), floor=0.05, **setting))
    assert len(pairs) >= 4
    for pair in pairs:
        left, right = documents[pair.left], documents[pair.right]
        found = explain(left, right, statistics=statistics, **setting)
        assert found.relation == pair.relation
        assert found.left.share == pytest.approx(pair.left_in_right, abs=1e-9)
        assert found.right.share == pytest.approx(pair.right_in_left, abs=1e-9)
        # Of sentences the evidence is how much of each matches, not what that adds up to.
        if detector_class(setting.get("method", "retelling")).unit == "document":
            assert sum(e.weight for e in found.evidence) == pytest.approx(found.shared)


@pytest.mark.parametrize("method", DETECTORS)
def test_sentences_add_up_to_the_document(method: str) -> None:
    found = explain("wire-101", "wire-102", sources=NEWS, method=method)
    assert found.left.total > 0
    for side in (found.left, found.right):
        assert sum(s.weight for s in side.sentences) == pytest.approx(side.total)
        assert sum(s.shared for s in side.sentences) == pytest.approx(found.shared)
        assert all(s.shared >= 0 for s in side.sentences)
        if not detector_class(method)().counts_features:
            assert all(s.shared <= s.weight + 1e-9 for s in side.sentences)


def test_texts_of_sentences_stand_where_their_spans_say() -> None:
    documents = {document.id: document for document in read(NEWS)}
    found = explain("haber-04", "haber-05", sources=documents.values())
    for sentence in found.left.sentences:
        text = documents["haber-04"].text
        assert text[sentence.span.start : sentence.span.end] == sentence.text


def pair_of(left: str, right: str) -> Explanation:
    documents = [Document(id="left", text=left), Document(id="right", text=right)]
    return explain(*documents, method="codet", language="en")


def test_what_is_missing_is_named_with_the_weight_it_takes() -> None:
    found = pair_of("The dam broke. Ten men fled. Rain fell hard.", "The dam broke.")
    assert found.relation == "contains"
    assert [s.text for s in found.left.missing] == ["Ten men fled.", "Rain fell hard."]
    assert found.needed(found.left) == pytest.approx(0.5 * found.left.total - found.shared)
    assert found.needed(found.right) == 0
    assert found.right.missing == ()
    assert found.left.sentences[0].partner == 0
    assert found.left.sentences[1].partner is None


def test_documents_without_anything_in_common_share_nothing() -> None:
    found = pair_of("The dam broke.", "Ten men fled.")
    assert (found.relation, found.shared, found.evidence) == ("overlap", 0, ())
    assert found.left.share == found.right.share == 0


@pytest.mark.parametrize("text", ["", "...", "The dam broke."])
def test_the_same_text_is_identical_whatever_it_weighs(text: str) -> None:
    found = pair_of(text, text)
    assert (found.relation, found.left.share, found.right.share) == ("identical", 1, 1)


def test_frequent_keys_are_left_out_as_in_the_scan() -> None:
    documents = [Document(id=str(n), text=f"Good night. Item {n} of {n}.") for n in range(9)]
    found = explain("0", "1", sources=documents, method="codet", max_key_documents=3, language="en")
    assert found.left_out > 0
    assert found.shared == 0


def test_an_explanation_can_be_written_as_json() -> None:
    found = explain("wire-101", "wire-103", sources=NEWS).to_json()
    again = json.loads(json.dumps(found))
    assert again == found
    assert set(again) == {
        "left",
        "right",
        "relation",
        "probability",
        "left_in_right_probability",
        "right_in_left_probability",
        "taken",
        "shared",
        "threshold",
        "evidence",
        "left_out",
        "estimated",
        "learned",
        "statistics",
    }


def test_an_id_nobody_has_is_told() -> None:
    with pytest.raises(ParameterError, match="no document with the id 'x' in the sources"):
        explain("x", "wire-101", sources=NEWS)
    with pytest.raises(ParameterError, match="no document with the id 'x'; give its sources"):
        explain("x", "y")


def test_statistics_of_another_profile_are_refused() -> None:
    statistics = build_statistics(NEWS, profile="plain")
    with pytest.raises(StatisticsError, match="statistics were built with"):
        explain("wire-101", "wire-103", sources=NEWS, statistics=statistics, profile="codet")


@pytest.mark.parametrize("method", list(DETECTORS))
def test_nothing_in_common_is_no_relation_however_low_the_threshold(method: str) -> None:
    documents = [
        Document(id="a", text="The dam above the town broke on Monday morning.", language="en"),
        Document(id="b", text="Shares of three banks fell sharply after lunch.", language="en"),
    ]
    lowest: dict[str, Any] = {} if method == "simhash" else {"threshold": 0.0}
    found = explain("a", "b", sources=documents, method=method, **lowest)
    assert found.relation == "overlap"
    assert not list(scan(documents, method=method, **lowest))

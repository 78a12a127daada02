"""Edited versions of documents: made by the seed, as much changed as was asked for."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest

from tests.experiments import making
from twicetold.errors import ParameterError
from twicetold.experiments.edited import SHARES, edited_set, edited_versions
from twicetold.experiments.svm_features import terms_conclusion
from twicetold.experiments.svm_learning import compare_conclusion, curve_conclusion
from twicetold.records import Document


def test_a_document_and_its_versions_are_a_cluster() -> None:
    found = edited_set(making.documents(6))
    assert len(found.clusters) == 6 * (1 + len(SHARES))
    assert set(found.clusters.values()) == {f"d{n:03}" for n in range(6)}
    assert len({document.text for document in found.sources}) == len(found.sources)  # type: ignore[union-attr]


def test_the_same_seed_makes_the_same_versions() -> None:
    documents = making.documents(6)
    one, again, other = (edited_set(documents, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert [d.text for d in one.sources] != [d.text for d in other.sources]  # type: ignore[union-attr]


def test_more_is_changed_with_a_larger_share() -> None:
    documents = making.documents(10)
    texts = {document.id: document.text.split() for document in documents}
    likeness = []
    for share in (0.05, 0.4):
        versions = edited_versions(documents, shares=(share,))
        ratios = [
            SequenceMatcher(None, texts[source], version.text.split(), autojunk=False).ratio()
            for source, version in versions
        ]
        likeness.append(sum(ratios) / len(ratios))
    assert likeness[0] > 0.9
    assert 0.5 < likeness[1] < 0.8


def test_documents_that_reuse_others_are_left_out() -> None:
    documents = making.documents(5)
    copy = Document(id="copy", text=documents[0].text)
    assert "copy" not in edited_set([*documents, copy]).clusters


def test_too_few_documents_are_told() -> None:
    with pytest.raises(ParameterError, match="at least 4 documents of 3 sentences"):
        edited_set(making.documents(3))


def test_conclusions_follow_from_the_numbers() -> None:
    assert "with k 3, 4: as in the paper" in terms_conclusion([0.8, 0.85, 0.899, 0.9, 0.88, 0.87])
    assert "with k 1: unlike in the paper" in terms_conclusion([0.9, 0.8, 0.8, 0.8, 0.8, 0.8])
    even = {name: [0.9] for name in ("KSBS-4", "KSBS-3", "3-grams")}
    assert "KSBS-4 at least as accurate as its rivals" in compare_conclusion(even)
    better = {**even, "3-grams": [0.95]}
    assert "3-grams more accurate than KSBS-4, unlike" in compare_conclusion(better)
    assert "from 50 on it stays within" in curve_conclusion([10, 50, 100], [0.7, 0.899, 0.9])

"""Planted truth is what it says: every kind, nothing else, the same for the same seed."""

from collections import Counter

import pytest

from tests.experiments import making
from twicetold.experiments.planted import KINDS, Kind, Planted, plant
from twicetold.records import Document
from twicetold.scanning import scan

DOCUMENTS = making.documents(60)


@pytest.fixture(scope="module")
def planted() -> Planted:
    return plant(DOCUMENTS, seed=2)


def texts(planted: Planted, kind: Kind) -> list[tuple[str, str]]:
    """Return the text that was given, and the one that was made of it."""
    before = {document.id: document.text for document in DOCUMENTS}
    after = {document.id: document.text for document in planted.documents}
    return [(before[s], after[r]) for s, r, k in planted.pairs if k == kind]


def test_every_kind_comes_as_often_and_no_document_twice(planted: Planted) -> None:
    counts = Counter(pair.kind for pair in planted.pairs)
    assert list(counts) == list(KINDS)
    assert len(set(counts.values())) == 1
    ids = [side for pair in planted.pairs for side in (pair.source, pair.receiver)]
    assert len(set(ids)) == len(ids)
    assert plant(DOCUMENTS, seed=2) == planted
    assert plant(DOCUMENTS, seed=3) != planted


def test_what_is_planted_is_there(planted: Planted) -> None:
    assert all(made == source for source, made in texts(planted, "copied"))
    assert all(
        source in made and len(made) > 2 * len(source) - 99
        for source, made in texts(planted, "inside")
    )
    assert all(
        made in source and len(made) < len(source) / 2 for source, made in texts(planted, "part")
    )
    for kind in ("edited", "revised"):
        for source, made in texts(planted, kind):
            shared = set(source.split()) & set(made.split())
            assert 0.5 < len(shared) / len(set(source.split())) < 1
    for source, made in texts(planted, "quote"):
        assert any(
            line.strip() and line in made for line in source.replace(". ", ".\n").split("\n")
        )


def test_labels_say_who_is_in_whom(planted: Planted) -> None:
    clusters = planted.clusters()
    directed = {(pair.left, pair.right): pair.label for pair in planted.directed().pairs}
    for source, receiver, kind in planted.pairs:
        both = directed[source, receiver], directed[receiver, source]
        wanted = {
            "part": (0, 1),
            "inside": (1, 0),
            "inside-edited": (1, 0),
            "quote": (0, 0),
            "quote-edited": (0, 0),
        }
        assert both == wanted.get(kind, (1, 1))
        together = clusters.clusters[source] == clusters.clusters[receiver]
        assert together is (both != (0, 0))
    found = scan(list(planted.documents), threads=1)
    copies = {(s, r) for s, r, kind in planted.pairs if kind == "copied"}
    pairs = {frozenset((pair.left, pair.right)) for pair in found}
    assert {frozenset(pair) for pair in copies} <= pairs


def test_documents_that_reuse_others_are_left_out() -> None:
    copy = Document(id="copy", text=f"Foreword. {DOCUMENTS[4].text}")
    found = plant([*DOCUMENTS, copy], seed=2)
    assert found.left_out == 1
    assert "copy" not in {document.id for document in found.documents}

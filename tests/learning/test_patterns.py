"""Labelled pairs become vectors, divided by source."""

from __future__ import annotations

import numpy as np
import pytest

from tests.learning import making
from twicetold.analysis import profile_of
from twicetold.detectors.codet import CoDet
from twicetold.detectors.full_fingerprint import FullFingerprint
from twicetold.detectors.sentence_svm import SentenceSVM
from twicetold.detectors.word_overlap import WordOverlap
from twicetold.errors import ParameterError
from twicetold.evaluation import LabelledPair, LabelledSet
from twicetold.learning.choosing import Plan
from twicetold.learning.held_out import hold_out
from twicetold.learning.learning import measure
from twicetold.learning.patterns import Patterns, folds_of
from twicetold.learning.vectors import mirrored, names_of, symmetric, symmetric_names
from twicetold.pipeline import Detector, Job
from twicetold.records import Document

NAMES = ("left_in_right", "right_in_left", "resemblance")


def patterns(labelled: LabelledSet, *members: Detector, **options: float) -> Patterns:
    job = Job(detector=members[0], profile=profile_of("codet"))
    return measure(labelled, members, job, **options)  # type: ignore[arg-type]


def test_a_vector_has_another_side_and_one_without_sides() -> None:
    vectors = np.array([[0.2, 0.9, 0.5]])
    assert mirrored(vectors, NAMES).tolist() == [[0.9, 0.2, 0.5]]
    assert symmetric(vectors, NAMES).tolist() == [[0.9, 0.2, 0.5]]
    assert symmetric(mirrored(vectors, NAMES), NAMES).tolist() == [[0.9, 0.2, 0.5]]
    several = names_of([CoDet(), SentenceSVM(), CoDet(depth=2)])
    assert several[-1] == "codet-2.resemblance"
    assert symmetric_names(several)[:4] == (
        "codet.larger_share",
        "codet.smaller_share",
        "codet.resemblance",
        "sentence-svm.jaccard",
    )


def test_the_vectors_of_pairs_are_those_of_their_detectors() -> None:
    labelled = making.pairs()
    both = patterns(labelled, CoDet(), FullFingerprint(gram=2))
    one, other = (patterns(labelled, each) for each in (CoDet(), FullFingerprint(gram=2)))
    assert both.names == (
        *(f"codet.{name}" for name in NAMES),
        *(f"full-fingerprint.{name}" for name in NAMES),
    )
    assert both.vectors.tolist() == np.hstack([one.vectors, other.vectors]).tolist()
    assert both.positive.tolist() == [True, False, False] * 12


def test_a_pair_is_seen_from_its_left_document() -> None:
    text = "The old dam at Brindle broke. Ten villages lie below it. The king will visit."
    documents = (
        Document(id="a", text=text, language="en"),
        Document(id="b", text=text.split(". ", maxsplit=1)[0], language="en"),
        Document(id="c", text="Shares of glass fell by two percent.", language="en"),
    )
    labelled = LabelledSet(
        name="dam",
        sources=documents,
        pairs=(LabelledPair("b", "a", 1), LabelledPair("a", "b", 0), LabelledPair("c", "a", 0)),
        directed=True,
    )
    found = patterns(labelled, CoDet())
    assert found.vectors[0, 0] == found.vectors[1, 1] == 1.0
    assert found.vectors[0, 1] == found.vectors[1, 0] < 0.5
    assert found.met.tolist() == [True, True, False]


def test_clusters_give_all_related_pairs_and_some_unrelated_ones() -> None:
    labelled = making.clusters()
    found = patterns(labelled, WordOverlap(measure="plain"), floor=0.0, ratio=2.0)
    n_documents = 3 * 12
    related = found.weight[found.positive].sum()
    assert related == 12 * 3
    # Together the rows stand for all pairs of documents.
    assert found.weight.sum() == pytest.approx(n_documents * (n_documents - 1) / 2)
    fewer = found.sample(1.0, seed=0)
    n_related = int((fewer.positive & fewer.met).sum())
    assert int((~fewer.positive & fewer.met).sum()) == n_related
    assert fewer.weight.sum() == pytest.approx(found.weight.sum())
    assert np.all(found.left[found.positive] == found.right[found.positive])
    assert np.all(found.left[~found.positive] != found.right[~found.positive])


@pytest.mark.parametrize("labelled", [making.clusters(), making.pairs()], ids=["clusters", "pairs"])
def test_no_source_is_learned_from_and_judged_by(labelled: LabelledSet) -> None:
    found = patterns(labelled, CoDet())
    folds = folds_of(found, 4, seed=1)
    assert len(folds) == 4
    for train, test in folds:
        known = {*found.left[train], *found.right[train]}
        asked = {*found.left[test], *found.right[test]}
        assert asked
        assert not known & asked
    judged = np.concatenate([test for _, test in folds])
    assert len(set(judged.tolist())) == len(judged)
    assert set(np.flatnonzero(found.positive)) <= set(judged.tolist())


def test_folds_are_those_of_the_seed() -> None:
    found = patterns(making.clusters(), CoDet())
    one, again, other = (
        [test.tolist() for _, test in folds_of(found, 3, seed)] for seed in (1, 1, 2)
    )
    assert one == again != other


def test_what_cannot_be_learned_from_is_told() -> None:
    documents = [Document(id=name, text=f"{name} broke on Monday.") for name in "abcd"]
    unlike = LabelledSet(
        name="unlike", sources=tuple(documents), pairs=(LabelledPair("a", "b", 0),)
    )
    with pytest.raises(ParameterError, match="pairs of both kinds, got no related one"):
        patterns(unlike, CoDet())
    labelled = making.pairs(12)
    first = LabelledSet(
        name="first", sources=labelled.sources, pairs=labelled.pairs[:2], directed=True
    )
    with pytest.raises(ParameterError, match="no fold of them leaves both kinds to learn from"):
        hold_out(patterns(first, CoDet()), Plan())

"""Keys too frequent to join are left out as pinned, never by live counts, and counted."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.reference import Told
from tests.running import PLAIN, document, pinned_by, rows, run, sharing_documents
from twicetold.detectors.codet import CoDet
from twicetold.records import Document
from twicetold.statistics import Statistics


def boilerplate(n: int) -> list[Document]:
    return [
        document(
            f"{k:02}", "all rights reserved", f"alpha{k} beta{k}", f"gamma{k // 2} delta{k // 2}"
        )
        for k in range(n)
    ]


def test_frequent_keys_are_left_out_and_counted() -> None:
    documents = boilerplate(12)
    everything = run(documents, CoDet(word_sorting=False), floor=0.0)
    assert len(everything) == 12 * 11 // 2
    pairs = run(documents, CoDet(word_sorting=False), floor=0.0, max_key_documents=11)
    assert [(p.left, p.right) for p in pairs] == [
        (f"{k:02}", f"{k + 1:02}") for k in range(0, 12, 2)
    ]
    assert pairs.manifest.counts["frequent keys"] == 3
    assert pairs.manifest.counts["features left out"] == 36
    assert everything.manifest.counts["frequent keys"] == 0
    assert everything.manifest.counts["features left out"] == 0


def test_a_key_is_frequent_above_the_limit_and_copies_count_once() -> None:
    documents = boilerplate(5)
    copies = [document(f"copy{k}", "all rights reserved") for k in range(9)]
    for limit, frequent in ((5, 3), (6, 0)):
        pairs = run([*documents, *copies], CoDet(word_sorting=False), max_key_documents=limit)
        assert pairs.manifest.counts["frequent keys"] == frequent


def test_what_was_left_out_weighs_nothing() -> None:
    documents = boilerplate(12)
    pairs = run(documents, CoDet(word_sorting=False), floor=0.0, max_key_documents=11)
    # Half of what is left of each: "alphaK betaK" is its own, "gammaK deltaK" is shared by two.
    idf = {1: 1 + 2.4849066497880004, 2: 1 + 1.791759469228055}
    expected = 3 * idf[2] / (3 * idf[1] + 3 * idf[2])
    assert {round(p.left_in_right, 9) for p in pairs} == {round(expected, 9)}


def test_pinned_frequent_keys_make_a_subset_the_subset_of_the_result() -> None:
    documents = sharing_documents(120, seed=5)
    detector = CoDet(threshold=0.2, word_sorting=False)
    statistics = pinned_by(detector, documents, max_key_documents=15)
    assert statistics.frequent_keys(detector.keys_form)
    job: dict[str, Any] = {"statistics": statistics, "floor": 0.0, "all_pairs": True}
    everything = run(documents, detector, **job)
    rng = random.Random(1)
    for size in (5, 30, 90):
        some = rng.sample(documents, size)
        ids = {document.id for document in some}
        found = run(some, detector, **job)
        inside = [row for row in rows(everything) if {row["left"], row["right"]} <= ids]
        assert rows(found) == inside
        assert found.manifest.counts["frequent keys"] > 0


@given(strategies.told(), strategies.settings(), st.sampled_from([1, 2, 1000]))
def test_own_statistics_and_the_same_ones_pinned_give_the_same_pairs(
    told: list[Told], settings: Any, limit: int
) -> None:
    documents = strategies.as_documents(told)
    detector = CoDet(**strategies.parameters(settings))
    own = run(documents, detector, floor=0.0, max_key_documents=limit)
    pinned = pinned_by(detector, documents, max_key_documents=limit)
    assert rows(run(documents, detector, floor=0.0, statistics=pinned)) == rows(own)


def test_statistics_that_were_saved_and_loaded_give_the_same_pairs(tmp_path: Path) -> None:
    documents = sharing_documents(100, seed=9)
    detector = CoDet(threshold=0.1)
    own = run(documents, detector, floor=0.0, max_key_documents=20)
    pinned_by(detector, documents, max_key_documents=20).save(tmp_path / "s")
    loaded = Statistics.load(tmp_path / "s")
    found = run(documents, detector, floor=0.0, statistics=loaded)
    assert len(own) > 0
    assert rows(found) == rows(own)
    for name in ("frequent keys", "features left out", "documents hidden", "pairs"):
        assert found.manifest.counts[name] == own.manifest.counts[name]
    assert found.manifest.parameters["statistics"] == loaded.version
    assert own.manifest.parameters["statistics"] == "collection"


def test_keys_pinned_for_other_parameters_are_not_left_out() -> None:
    documents = boilerplate(12)
    statistics = pinned_by(CoDet(word_sorting=False), documents, max_key_documents=5)
    other = run(documents, CoDet(), statistics=statistics, max_key_documents=1)
    assert other.manifest.counts["frequent keys"] == 0


def test_pinned_statistics_are_not_changed_by_a_run() -> None:
    documents = sharing_documents(30)
    statistics = Statistics(PLAIN)
    before = statistics.version
    run(documents, CoDet(), statistics=statistics)
    assert (statistics.version, statistics.pinned) == (before, ())

"""The local engine: the same answer however it is run, and whatever is thrown at it."""

from __future__ import annotations

import functools
import itertools
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.running import DAY, NOON, by_ids, document, rows, run, share, sharing_documents
from twicetold.analysis import PROFILES
from twicetold.batches import batches
from twicetold.detectors.codet import CoDet
from twicetold.engines import local
from twicetold.engines.prefetch import prefetched
from twicetold.pipeline import Progress
from twicetold.records import Document

# The same answer for any number of threads and any batches.


@pytest.mark.parametrize("all_pairs", [False, True])
@pytest.mark.parametrize("mode", ["set", "bag"])
def test_threads_and_batches_change_nothing(
    mode: Any, all_pairs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = sharing_documents(150)
    detector = CoDet(mode=mode, suffixes=2)
    job: dict[str, Any] = {
        "floor": 0.05,
        "window": 9 * DAY,
        "all_pairs": all_pairs,
        "max_key_documents": 20,
    }
    expected = run(documents, detector, threads=1, **job)
    assert len(expected) > 100
    for size, threads in itertools.product((1, 500, 10**9), (1, 2, 3, 8)):
        steps: list[Progress] = []
        monkeypatch.setattr(local, "batches", functools.partial(batches, size=size))
        found = run(documents, detector, threads=threads, progress=steps.append, **job)
        assert rows(found) == rows(expected)
        assert found.manifest.counts == expected.manifest.counts
        analysed = [step.done for step in steps if step.stage == "analyse"]
        assert analysed[-1] == 150
        assert (len(analysed) == 150, len(analysed) == 1) == (size == 1, size == 10**9)


@given(st.lists(st.integers(0, 30), max_size=20), st.integers(1, 60))
def test_batches_hold_every_document_once_and_end_when_full(sizes: list[int], size: int) -> None:
    documents = [Document(id=str(n), text="x" * length) for n, length in enumerate(sizes)]
    found = [batch.columns() for batch in batches(documents, size=size)]
    assert [n for ids, *_ in found for n in ids] == [document.id for document in documents]
    for _, texts, *_ in found[:-1]:
        lengths = [len(text) for text in texts]
        assert sum(lengths) >= size > sum(lengths[:-1])


def test_what_goes_wrong_while_reading_ahead_is_raised_in_its_place() -> None:
    def items() -> Iterator[int]:
        yield from (1, 2, 3)
        msg = "the disk is gone"
        raise OSError(msg)

    ahead = prefetched(items())
    assert list(itertools.islice(ahead, 3)) == [1, 2, 3]
    with pytest.raises(OSError, match="the disk is gone"):
        next(ahead)


def test_reading_ahead_ends_with_the_reader() -> None:
    before = threading.active_count()
    ahead = prefetched(itertools.count())
    assert [next(ahead) for _ in range(3)] == [0, 1, 2]
    ahead.close()  # type: ignore[attr-defined]
    deadline = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before


# Equal documents are one document to the join.


@pytest.mark.parametrize("n", [1, 2, 3, 10])
@pytest.mark.parametrize("sentences", [["ant bee cat", "dog elk"], [""]])
def test_n_copies_are_n_minus_1_rows_or_all_pairs(n: int, sentences: list[str]) -> None:
    copies = [document(f"{k:02}", *sentences) for k in range(n)]
    few, every = run(copies), run(copies, all_pairs=True)
    assert [(pair.left, pair.right) for pair in few] == [("00", f"{k:02}") for k in range(1, n)]
    assert len(every) == n * (n - 1) // 2
    assert {pair.relation for pair in every} <= {"identical"}
    assert few.manifest.counts["distinct documents"] == 1


def test_a_thousand_copies_cost_no_more_than_a_thousand_rows() -> None:
    copies = [document(f"{k:04}", "ant bee cat", "dog elk") for k in range(1_000)]
    other = document("other", "ant bee cat", "something else")
    pairs = run([*copies, other], CoDet(threshold=0.1))
    assert pairs.count() == {"identical": 999, "near-duplicate": 1}
    assert pairs.manifest.counts["similarities computed"] <= 2
    assert pairs.manifest.counts["frequent keys"] == 0


def test_equal_words_with_other_punctuation_are_near_duplicates_of_the_earliest() -> None:
    texts = ["Ant bee cat.", "ant, bee cat!", "ANT BEE CAT", "ant bee dog"]
    documents = [Document(id=f"{n}", text=text, language="en") for n, text in enumerate(texts)]
    assert [(p.left, p.right, p.relation, p.score) for p in run(documents)] == [
        ("0", "1", "near-duplicate", 1.0),
        ("0", "2", "near-duplicate", 1.0),
    ]


def test_the_same_text_in_two_languages_is_identical() -> None:
    text = "The INTEL titanic was the ship. Was it in the IT city?"
    documents = [Document(id=code, text=text, language=code) for code in ("en", "tr", "und")]
    for profile in ("plain", "default", "codet"):
        pairs = run(documents, profile=profile, all_pairs=True)
        assert [(p.left, p.right, p.relation, p.score, p.resemblance) for p in pairs] == [
            ("en", "tr", "identical", 1.0, 1.0),
            ("en", "und", "identical", 1.0, 1.0),
            ("tr", "und", "identical", 1.0, 1.0),
        ]


def test_the_language_of_the_job_is_that_of_every_document() -> None:
    documents = [
        Document(id="a", text="TITANIK battı ama IŞIK yandı", language="en"),
        Document(id="b", text="tıtanık battı ama ışık yandı", language="en"),
    ]
    assert share(run(documents, floor=0.0), "a", "b") < 1
    assert share(run(documents, floor=0.0, language="tr"), "a", "b") == 1


# What the run tells about itself.


def test_the_manifest_says_what_was_run_on_what() -> None:
    documents = [
        document("a", "ant bee cat", "dog elk"),
        document("b", "ant bee cat"),
        document("c", "ant bee cat", published=NOON),
    ]
    found = run(documents, CoDet(depth=3), window=7 * DAY, floor=0.25, threads=2).manifest
    counts = {"documents": 3, "undated": 2, "sentences": 4, "words": 11, "terms": 5}
    assert counts.items() <= found.counts.items()
    assert found.counts["characters"] == sum(len(document.text) for document in documents)
    assert found.counts["distinct documents"] == 2
    expected = {
        "method": "codet",
        "depth": 3,
        "threshold": 0.5,
        "analysis": str(PROFILES["plain"]),
        "window": "7 days, 0:00:00",
        "floor": 0.25,
        "threads": 2,
        "statistics": "collection",
    }
    assert expected.items() <= found.parameters.items()
    assert {"twicetold", "python", "hash"} <= set(found.versions)
    assert {"analyse", "features", "join", "decide"} <= set(found.seconds)
    json.dumps(found.to_json())


def test_progress_is_told_stage_by_stage_and_never_goes_back() -> None:
    steps: list[Progress] = []
    run(sharing_documents(40), progress=steps.append)
    stages = [stage for stage, _ in itertools.groupby(step.stage for step in steps)]
    assert stages == ["analyse", "features", "join"]
    for stage in stages:
        done = [step.done for step in steps if step.stage == stage]
        assert done == sorted(done)
        assert done[-1] == 40


# Texts nobody would write.

HOSTILE: dict[str, str] = {
    "lone surrogates": "fox \ud800gnu hen\udfff",
    "nul": "fox\x00gnu\x00hen",
    "a word of 5 MB": "x" * 5_000_000,
    "a line of 20 MB": "word " * 4_000_000,
    "white space": " \t\r\n\u2028\u2029\x85" * 1000,
    "quotation marks": "“(\"'a. " * 20_000,
    "the last code point": "\U0010ffff a \U0010ffff",
    "marks": "\u0301\ufe0f" * 1000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_scanned_like_any_other(name: str) -> None:
    text = HOSTILE[name]
    documents = [
        Document(id="one", text=text),
        Document(id="other", text=text),
        document("whole", "ant bee cat"),
        document("part", "ant bee cat", "dog elk"),
    ]
    found = by_ids(run(documents))
    assert found["one", "other"].relation == "identical"
    assert found["part", "whole"].right_in_left == 1.0


def test_a_hundred_thousand_empty_documents_are_copies_of_the_first() -> None:
    documents = [Document(id=f"{n:06}", text="") for n in range(100_000)]
    pairs = run(documents)
    assert len(pairs) == 99_999
    assert set(pairs.table.column("left").to_pylist()) == {"000000"}
    assert pairs.count() == {"identical": 99_999}
    different = [Document(id=f"{n:05}", text="." * (n + 1)) for n in range(2_000)]
    assert len(run(different)) == 0

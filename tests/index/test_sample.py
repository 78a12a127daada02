"""What statistics are counted in: some documents of all, evenly spread, or those added first."""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.calling import NEWS, twicetold
from tests.index.making import stories
from twicetold import Document
from twicetold.index import Index, making, pinning, rebuilding
from twicetold.index.pinning import spread_sample


@given(st.lists(st.integers(1, 60), max_size=70), st.integers(1, 20), st.integers(1, 400))
def test_a_sample_is_evenly_spread_and_no_larger_than_it_may_be(
    lengths: list[int], most: int, most_characters: int
) -> None:
    documents = [Document(id=str(n), text="x" * length) for n, length in enumerate(lengths)]
    sample = spread_sample(documents, most=most, most_characters=most_characters)

    def fits(some: list[Document]) -> bool:
        return len(some) <= most and sum(len(one.text) for one in some) <= most_characters

    assert fits(sample) or len(sample) <= 1
    places = [int(document.id) for document in sample]
    # Of each so many documents, a power of two, one was taken; of the last ones perhaps none.
    steps = [1 << n for n in range(8)]
    spread = [step for step in steps if all(at // step == n for n, at in enumerate(places))]
    assert any(0 <= -(-len(lengths) // step) - len(sample) <= 1 for step in spread)
    assert not fits(documents) or sample == documents


def test_those_that_come_by_turns_are_all_in_a_sample() -> None:
    documents = [Document(id=str(n), text="x") for n in range(4000)]
    sample = spread_sample(documents, most=600)
    turns = Counter(int(document.id) % 4 for document in sample)
    assert len(sample) == 500
    assert min(turns.values()) > 90


def test_a_sample_and_a_rebuild_know_what_comes_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = partial(spread_sample, most=8)
    monkeypatch.setattr(making, "spread_sample", few)
    monkeypatch.setattr(rebuilding, "spread_sample", few)
    documents = list(stories(32))
    text = "Lately zebras were seen."
    documents += [Document(id=f"late {n}", text=text, language="en") for n in range(32)]
    for sample, known in ((documents, 4), (documents[:32], 0)):
        with Index.create(tmp_path / str(known), method="codet", sample=sample) as index:
            assert index.statistics is not None
            assert (index.statistics.documents, index.statistics.frequency("zebra")) == (8, known)
            for _ in index.add_all(documents):
                pass
            index.rebuild()
            assert (index.statistics.documents, index.statistics.frequency("zebra")) == (8, 4)


def test_who_adds_more_than_statistics_were_counted_in_is_told_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pinning, "_DOCUMENTS", 5)
    path = tmp_path / "news.index"
    for options, is_told in ((["--limit", 0], True), (["--quiet"], False)):
        twicetold("index", "create", path, "--method", "codet")
        done = twicetold("index", "add", path, NEWS / "wire.jsonl", *options)
        message = (
            f"twicetold: {path}: statistics are of the first 5 documents; "
            f"`twicetold index rebuild {path}` counts them in a sample of all\n"
        )
        assert (done.code, done.err) == (0, message if is_told else "")
        path = tmp_path / "quiet.index"
    # It is said once.
    done = twicetold("index", "add", path, NEWS / "blogs.jsonl", "--limit", 0)
    assert (done.code, done.err) == (0, "")
    # Nothing is said where all were counted.
    twicetold("index", "create", tmp_path / "few", "--method", "codet")
    rows = (NEWS / "wire.jsonl").read_text("utf-8").splitlines()[:4]
    done = twicetold(
        "index", "add", tmp_path / "few", "-", "--format", "jsonl", stdin="\n".join(rows)
    )
    assert (done.code, done.err) == (0, "")

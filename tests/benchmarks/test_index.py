"""An index is measured beside a scan, and readers meanwhile see no error."""

from pathlib import Path
from typing import Any

import pytest
from benchmarks.index import index, quantile
from benchmarks.text.collection import make_collection


def test_an_index_is_measured_at_each_size() -> None:
    found = index([30, 60], method="codet", searches=10, repeat=2, pause=0.01)
    assert [step.n_documents for step in found.steps] == [30, 60]
    turns = [turn for step in found.steps for turn in step.turns]
    assert len(turns) == 4
    assert all(turn.added.code == 0 and turn.rate and turn.rate_alike for turn in turns)
    assert all(turn.scanned_alike and turn.scanned_alike.code == 0 for turn in turns)
    assert all(len(step.searches) == len(step.repeated) == 10 for step in found.steps)
    assert all(step.disk > step.text_bytes > 0 and step.postings > 0 for step in found.steps)
    assert "rate over scan" in str(found)
    assert found.to_json()["readers"] is None
    assert [len(step["rates_alike"]) for step in found.to_json()["steps"]] == [2, 2]


def test_readers_see_no_error_while_documents_are_added() -> None:
    found = index([60], method="codet", searches=10, readers=True)
    assert found.readers is not None
    assert (found.steps, found.readers.errors) == ([], [])
    assert found.to_json()["readers"]["n_documents"] == 48
    assert "48 documents were added" in str(found)


def test_an_index_without_answers_is_not_compared_with_a_scan(tmp_path: Path) -> None:
    made = tmp_path / "made.jsonl"
    make_collection(made, 40, seed=3)
    found = index([30], method="codet", searches=5, answers=False, made=made)
    step = found.steps[0]
    turn = step.turns[0]
    assert (turn.scanned, turn.scanned_alike, turn.rate, turn.rate_alike) == (None,) * 4
    assert step.n_documents == 30
    assert found.title == "Index, codet: made.jsonl"


def test_an_index_that_is_kept_is_searched_again_and_not_made_again(tmp_path: Path) -> None:
    made, keep = tmp_path / "made.jsonl", tmp_path / "kept"
    make_collection(made, 40, seed=3)
    first, second = (
        index([30], method="codet", searches=5, answers=False, made=made, keep=keep).steps[0]
        for _ in range(2)
    )
    assert [file.name for file in keep.iterdir()] == ["codet-30"]
    assert len(first.turns) == 1
    assert (second.turns, second.disk) == ([], first.disk)
    assert len(second.searches) == 5


@pytest.mark.parametrize(
    ("given", "message"),
    [({"repeat": 0}, "at least 1, got 0"), ({"readers": True, "repeat": 2}, "leave the rest out")],
)
def test_what_cannot_be_measured_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(SystemExit, match=message):
        index([30], **given)


def test_a_quantile_is_one_of_the_values() -> None:
    assert (quantile([5.0, 1.0, 3.0], 0.99), quantile([], 0.5)) == (5.0, 0.0)

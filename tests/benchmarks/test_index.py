"""An index is measured beside a scan, and readers meanwhile see no error."""

from pathlib import Path

from benchmarks.index import index, quantile
from benchmarks.text.collection import make_collection


def test_an_index_is_measured_at_each_size() -> None:
    found = index([30, 60], method="codet", searches=10)
    assert [step.n_documents for step in found.steps] == [30, 60]
    assert all(step.added and step.added.code == 0 for step in found.steps)
    assert all(len(step.searches) == len(step.repeated) == 10 for step in found.steps)
    assert all(step.disk > step.text_bytes > 0 and step.postings > 0 for step in found.steps)
    assert "rate over scan" in str(found)
    assert found.to_json()["readers"] is None


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
    assert (step.scanned, step.rate, step.n_documents) == (None, None, 30)
    assert found.title == "Index, codet: made.jsonl"


def test_an_index_that_is_kept_is_searched_again_and_not_made_again(tmp_path: Path) -> None:
    made, keep = tmp_path / "made.jsonl", tmp_path / "kept"
    make_collection(made, 40, seed=3)
    first, second = (
        index([30], method="codet", searches=5, answers=False, made=made, keep=keep).steps[0]
        for _ in range(2)
    )
    assert [file.name for file in keep.iterdir()] == ["codet-30"]
    assert first.added is not None
    assert (second.added, second.rate, second.disk) == (None, None, first.disk)
    assert len(second.searches) == 5


def test_a_quantile_is_one_of_the_values() -> None:
    assert (quantile([5.0, 1.0, 3.0], 0.99), quantile([], 0.5)) == (5.0, 0.0)

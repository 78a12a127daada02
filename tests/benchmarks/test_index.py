"""An index is measured beside a scan, and readers meanwhile see no error."""

from benchmarks.index import index, quantile


def test_an_index_is_measured_at_each_size() -> None:
    found = index([30, 60], method="codet", searches=10, readers=True)
    assert [step.n_documents for step in found.steps] == [30, 60]
    assert all(step.added.code == 0 and len(step.searches) == 10 for step in found.steps)
    assert all(step.disk > step.text_bytes > 0 and step.postings > 0 for step in found.steps)
    assert found.readers is not None
    assert found.readers.errors == []
    assert "rate over scan" in str(found)
    assert found.to_json()["readers"]["n_documents"] == 48


def test_a_quantile_is_one_of_the_values() -> None:
    assert (quantile([5.0, 1.0, 3.0], 0.99), quantile([], 0.5)) == (5.0, 0.0)

"""An index under random changes is a plain list of documents that are scanned."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.index.model import Model, row
from twicetold import Document, scan
from twicetold.counting import build_statistics
from twicetold.index import SERVED, Index
from twicetold.pipeline import DETECTORS, detector_class

WORDS = ("dam", "river", "town", "flood", "monday", "mayor", "bridge", "wall", "rain", "boat")
NEWS = datetime(2024, 1, 1, tzinfo=UTC)

SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)
TEXTS = st.lists(SENTENCES, max_size=4).map(lambda parts: ". ".join(parts) + ".")
DAYS = st.none() | st.integers(0, 40)
IDS = st.sampled_from([f"d{n}" for n in range(9)])
STEPS = st.one_of(
    st.tuples(st.just("add"), IDS, TEXTS, DAYS),
    st.tuples(st.just("add"), IDS, TEXTS, DAYS),
    st.tuples(st.just("bulk"), st.lists(st.tuples(IDS, TEXTS, DAYS), max_size=6)),
    st.tuples(st.just("remove"), IDS),
    st.tuples(st.just("expire"), st.integers(0, 40)),
    st.tuples(st.just("merge")),
    st.tuples(st.just("reopen")),
)


def document(name: str, text: str, day: int | None) -> Document:
    """Return a document of one of two sources, and some of none: what each repeats is its own."""
    published = None if day is None else NEWS + timedelta(days=day)
    source = (None, "wire", "blog")[int(name[1:]) % 3]
    return Document(id=name, text=text, published=published, language="en", source=source)


def sample() -> list[Document]:
    """Return documents of three sources, each of which has a sentence everywhere."""
    own = [" ".join(f"w{n}x{k}" for k in range(9)) for n in range(24)]
    repeated = [(" ".join(WORDS[n : n + 3]), " ".join(WORDS[: n + 2])) for n in range(5)]
    texts = [
        f"{repeated[n % 3][0]}. {WORDS[n % 9]} {words}. {repeated[n % 5][1]}."
        for n, words in enumerate(own)
    ]
    return [document(f"s{n}", text, None) for n, text in enumerate(texts)]


#: Boilerplate is what few documents have, so that samples this small have some.
OPTIONS: dict[str, dict[str, Any]] = {"retelling": {"boilerplate_documents": 2}}
STATISTICS = {
    name: build_statistics(sample(), method=name, max_key_documents=6, **OPTIONS.get(name, {}))
    for name in SERVED
}


def run(index: Index, model: Model, step: tuple[Any, ...]) -> Index:
    """Do the same to both; every answer to a new document is checked."""
    kind, *rest = step
    if kind in {"add", "bulk"}:
        given_ = [rest] if kind == "add" else rest[0]
        new = [document(*parts) for parts in given_]
        told = list(index.add_all(new, on_duplicate="replace", all_pairs=True))
        assert [added.id for added in told] == [one.id for one in new]
        for one in new:
            model.add(one)
    elif kind == "remove":
        assert index.remove(rest[0]) == [name for name in rest if name in model.documents]
        model.documents.pop(rest[0], None)
    elif kind == "expire":
        index.expire(NEWS + timedelta(days=rest[0]))
        model.move(NEWS + timedelta(days=rest[0]))
    elif kind == "merge":
        by_bucket: dict[int, list[int]] = {}
        for name, found in index._core.parts.rows.items():
            by_bucket.setdefault(found.bucket, []).append(name)
        for names in by_bucket.values():
            index._write().merge(names)
    else:
        path = index.path
        index.close()
        return Index.open(path, write=True)
    return index


@pytest.mark.parametrize("method", SERVED)
@given(steps=st.lists(STEPS, max_size=10), window=st.none() | st.integers(1, 20))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_an_index_holds_what_a_scan_of_its_documents_finds(
    method: str, steps: list[tuple[Any, ...]], window: int | None
) -> None:
    statistics = STATISTICS[method]
    length = None if window is None else timedelta(days=window)
    model = Model(length)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index"
        more = OPTIONS.get(method, {})
        index = Index.create(path, method=method, statistics=statistics, window=length, **more)
        for step in steps:
            index = run(index, model, step)
            assert sorted(one.id for one in index.documents()) == sorted(model.documents)
        for all_pairs in (False, True):
            expected = model.pairs(method, statistics, all_pairs=all_pairs, **more)
            assert sorted(map(row, index.pairs(all_pairs=all_pairs))) == expected
            for name, (one, _) in model.documents.items():
                found = sorted(map(row, index.search(one, all_pairs=all_pairs)))
                assert found == [r for r in expected if name in r[:2]]
        assert index.check() == []
        with Index.open(path) as reader:
            assert sorted(map(row, reader.pairs(all_pairs=True))) == expected
        index.close()


@pytest.mark.parametrize("method", SERVED)
@given(
    texts=st.lists(st.tuples(TEXTS, DAYS), min_size=2, max_size=9),
    order=st.randoms(use_true_random=False),
    cut=st.integers(1, 60),
)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_one_by_one_in_any_order_is_bulk_is_scan(
    method: str, texts: list[tuple[str, int | None]], order: Any, cut: int
) -> None:
    statistics = STATISTICS[method]
    documents = [document(f"d{n}", *parts) for n, parts in enumerate(texts)]
    passages = detector_class(method).unit == "sentence" or None
    more = OPTIONS.get(method, {})
    found = scan(
        documents,
        method=method,
        statistics=statistics,
        all_pairs=True,
        passages=passages,
        **more,
    )
    expected = sorted(map(row, found))
    order.shuffle(documents)
    for batch in (1, cut, 10**9):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "i"
            index = Index.create(path, method=method, statistics=statistics, **more)
            told = index.iter_add(documents, all_pairs=True, batch=batch)
            assert sorted(row(pair) for added in told for pair in added.pairs) == expected
            index.close()


def test_the_sample_has_boilerplate() -> None:
    statistics = STATISTICS["retelling"]
    (form,) = (form for form in statistics.pinned if form.startswith("boilerplate"))
    assert statistics.frequent_keys(form)


@pytest.mark.parametrize("method", ["codet", "retelling", "qsign"])
@given(
    texts=st.lists(st.tuples(st.sampled_from(["dam. river town", "dam. river", "flood"]), DAYS)),
    order=st.randoms(use_true_random=False),
)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_equal_documents_out_of_the_order_of_time_cost_some_pairs_more_and_none_less(
    method: str, texts: list[tuple[str, int | None]], order: Any
) -> None:
    """A copy that came before its original stood for it until then: its pairs were told."""
    statistics = STATISTICS[method]
    more = OPTIONS.get(method, {})
    documents = [document(f"d{n}", *parts) for n, parts in enumerate(texts)]
    found = (
        [
            {
                row(pair)[:7]
                for pair in scan(
                    documents, method=method, statistics=statistics, all_pairs=p, **more
                )
            }
            for p in (False, True)
        ]
        if documents
        else [set(), set()]
    )
    order.shuffle(documents)
    with (
        tempfile.TemporaryDirectory() as folder,
        Index.create(Path(folder) / "i", method=method, statistics=statistics, **more) as index,
    ):
        told = {row(pair)[:7] for one in documents for pair in index.add(one).pairs}
        assert found[0] <= told <= found[1]
        assert {row(pair)[:7] for pair in index.pairs()} == found[0]


@pytest.mark.parametrize("method", SERVED)
@given(
    texts=st.lists(st.tuples(st.sampled_from(["dam. river town", "dam. river", "dam"]), DAYS)),
    asked=st.tuples(IDS, st.sampled_from(["dam. river town", "dam. river"]), DAYS),
)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_search_for_a_copy_finds_what_a_scan_with_it_does(
    method: str, texts: list[tuple[str, int | None]], asked: tuple[str, str, int | None]
) -> None:
    statistics = STATISTICS[method]
    more = OPTIONS.get(method, {})
    documents = [document(f"d{n}", *parts) for n, parts in enumerate(texts)]
    one = document(*asked)
    others = [other for other in documents if other.id != one.id]
    found = scan([*others, one], method=method, statistics=statistics, **more)
    expected = sorted(row(pair)[:7] for pair in found if one.id in (pair.left, pair.right))
    with (
        tempfile.TemporaryDirectory() as folder,
        Index.create(Path(folder) / "i", method=method, statistics=statistics, **more) as index,
    ):
        list(index.add_all(documents))
        assert sorted(row(pair)[:7] for pair in index.search(one)) == expected


@pytest.mark.parametrize("method", sorted(set(DETECTORS) - set(SERVED)))
def test_methods_that_are_not_served_refuse(method: str, tmp_path: Path) -> None:
    with pytest.raises(Exception, match=f"an index does not serve {method}; it serves retelling"):
        Index.create(tmp_path / "index", method=method)

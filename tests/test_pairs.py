"""`Pairs` is a sequence of records: slices, equality, pickles."""

import pickle
from collections.abc import Sequence
from dataclasses import replace

import pytest

from twicetold import Document, Pairs, scan
from twicetold.pairs import Manifest
from twicetold.records import Pair

METHODS = ("retelling", "codet", "word-overlap")


@pytest.fixture(scope="module", params=METHODS)
def pairs(request: pytest.FixtureRequest) -> Pairs:
    return scan("examples/news", method=request.param)


SLICES = (
    slice(3), slice(2, 5), slice(None), slice(-3, None), slice(None, None, 2),
    slice(None, None, -1), slice(5, 2), slice(100, 200), slice(0, 10_000),
)  # fmt: skip


@pytest.mark.parametrize("some", SLICES, ids=str)
def test_a_slice_is_pairs_with_these_records_24(pairs: Pairs, some: slice) -> None:
    found = pairs[some]
    assert isinstance(found, Pairs)
    assert list(found) == list(pairs)[some]
    assert found.manifest is pairs.manifest
    assert found.table.to_pylist() == pairs.table.to_pylist()[some]
    assert (
        b"".join(found.json_lines()).splitlines() == b"".join(pairs.json_lines()).splitlines()[some]
    )


def test_it_is_a_sequence(pairs: Pairs) -> None:
    assert isinstance(pairs, Sequence)
    records = list(pairs)
    assert pairs[-1] == records[-1]
    assert list(reversed(pairs)) == records[::-1]
    assert pairs.index(records[2]) == 2
    assert pairs.count(records[2]) == 1
    assert records[2] in pairs
    assert sum(pairs.count().values()) == len(records)
    with pytest.raises(IndexError):
        pairs[len(pairs)]


def test_equal_ones_have_the_same_records(pairs: Pairs) -> None:
    assert pairs == pairs[:] == Pairs.of(pairs, Manifest()) == list(pairs)
    assert pairs != pairs[1:]
    assert pairs != pairs[::-1]
    first = pairs[0]
    other = [replace(first, odds=first.odds + 1), *pairs[1:]]
    assert pairs != Pairs.of(other, pairs.manifest)
    assert pairs != 5


def test_a_pickle_gives_the_same_again_24(pairs: Pairs) -> None:
    again = pickle.loads(pickle.dumps(pairs))
    assert again == pairs
    assert again.manifest == pairs.manifest
    assert again.table == pairs.table
    assert pickle.loads(pickle.dumps(pairs[:3])) == pairs[:3]
    assert pickle.loads(pickle.dumps(Pairs.of([], Manifest()))) == []


def test_a_pickle_keeps_where_in_pages_passages_are() -> None:
    pages = [
        Document(
            id=name, text=f"{more} The dam above the town broke on Monday morning at six.",
            html=f"<html><body><p>{more} The dam above the town broke on Monday morning at six."
            "</p></body></html>", language="en",
        )
        for name, more in (("a", "It rained."), ("b", "Nobody was hurt in the town."))
    ]  # fmt: skip
    pairs = scan(pages)
    assert any(passage.left_place for pair in pairs for passage in pair.passages)
    assert pickle.loads(pickle.dumps(pairs)) == pairs
    assert list(pairs[:1]) == list(pairs)[:1]


def test_records_made_by_hand_are_told_as_they_are() -> None:
    made = [Pair("a", "b", "overlap", 0.1, 0.2, 0.1, 0.0), Pair("a", "c", "contains", 0, 1, 0.5, 1)]
    assert list(Pairs.of(made, Manifest())[1:]) == made[1:]

"""Which documents stay: every one that goes has a witness that stays."""

from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.deduplicating.choosing import survivors

MOST = 9

Holders = Mapping[int, Sequence[int]]


@st.composite
def held(draw: st.DrawFn) -> tuple[list[int], dict[int, list[int]]]:
    """Ranks, and who holds whom: one way, both ways, in chains and in rings."""
    n = draw(st.integers(1, MOST))
    edges = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda e: e[0] != e[1])
    holders: dict[int, list[int]] = {}
    for document, holder in sorted(draw(st.sets(edges, max_size=3 * n))):
        holders.setdefault(document, []).append(holder)
    return draw(st.permutations(range(n))), holders


def has_ring(n: int, holders: Holders) -> bool:
    """Whether documents hold each other in a ring, looking only at what holds one way."""
    graph = {
        document: [
            other for other in holders.get(document, ()) if document not in holders.get(other, ())
        ]
        for document in range(n)
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        return True
    return False


@given(held(), st.data())
def test_what_goes_has_a_witness_that_stays(
    given: tuple[list[int], dict[int, list[int]]], data: st.DataObject
) -> None:
    ranks, holders = given
    n = len(ranks)
    fixed = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    kept = survivors(ranks, holders, fixed=fixed)
    for document in range(n):
        if not kept[document]:
            assert not fixed[document]
            assert any(kept[holder] for holder in holders[document])


@given(held())
def test_nothing_stays_that_another_one_holds_unless_there_is_a_ring(
    given: tuple[list[int], dict[int, list[int]]],
) -> None:
    ranks, holders = given
    kept = survivors(ranks, holders)
    if has_ring(len(ranks), holders):
        return
    for document, found in holders.items():
        assert not (kept[document] and any(kept[holder] for holder in found))
    # Deduplicating what is left drops nothing.
    left = [n for n in range(len(ranks)) if kept[n]]
    again = {n: [holder for holder in holders.get(n, ()) if kept[holder]] for n in left}
    assert not any(again.values())


@given(st.permutations(range(6)), st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5))))
def test_of_documents_that_hold_each_other_the_best_stays(
    ranks: list[int], edges: set[tuple[int, int]]
) -> None:
    holders: dict[int, set[int]] = {}
    for a, b in edges:
        if a != b:
            holders.setdefault(a, set()).add(b)
            holders.setdefault(b, set()).add(a)
    expected: set[int] = set()
    for n in sorted(range(6), key=ranks.__getitem__):
        if not expected & holders.get(n, set()):
            expected.add(n)
    kept = survivors(ranks, holders)
    assert {n for n in range(6) if kept[n]} == expected


@pytest.mark.parametrize(
    ("holders", "kept"),
    [
        # A chain: the middle one goes, and what only it held stays.
        ({0: [1], 1: [2]}, [True, False, True]),
        # Held by both: the first goes for the last.
        ({0: [1, 2], 1: [2]}, [False, False, True]),
        # A ring of three has no kernel: one too many stays, and none is lost.
        ({0: [1], 1: [2], 2: [0]}, [True, True, False]),
    ],
)
def test_chains_and_rings(holders: dict[int, list[int]], kept: list[bool]) -> None:
    assert survivors([0, 1, 2], holders) == kept

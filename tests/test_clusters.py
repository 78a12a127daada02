"""Clusters are what a search through all pairs finds, and bridges what taking a pair away shows."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold import scan
from twicetold.clusters import Cluster, find_clusters
from twicetold.pairs import Manifest, Pairs
from twicetold.records import RELATIONS, Pair, Relation

NAMES = "abcdefghi"


def pair(left: str, right: str, score: float = 0.8, relation: Relation = "near-duplicate") -> Pair:
    return Pair(left, right, relation, score, score / 2, score / 2, 1.0)


@st.composite
def many_pairs(draw: st.DrawFn) -> list[Pair]:
    """Pairs among few documents; copies are each joined with the first of them only."""
    chosen = draw(st.lists(st.sampled_from(list(combinations(NAMES, 2))), unique=True, max_size=14))
    scores = st.sampled_from([0.1, 0.5, 0.6, 0.75, 1.0])
    kinds = st.sampled_from(RELATIONS)
    return [pair(left, right, draw(scores), draw(kinds)) for left, right in chosen]


def parts(names: set[str], pairs: list[Pair]) -> set[frozenset[str]]:
    """Return the connected parts, by walking from each document wherever pairs lead."""
    found = set()
    for name in names:
        seen = {name}
        while (
            more := {end for p in pairs for end in (p.left, p.right) if {p.left, p.right} & seen}
            - seen
        ):
            seen |= more
        found.add(frozenset(seen))
    return found


def texts(cluster: Cluster, joining: list[Pair]) -> set[frozenset[str]]:
    return parts(set(cluster.documents), [p for p in joining if p.relation == "identical"])


@given(pairs=many_pairs(), threshold=st.none() | st.sampled_from([0.0, 0.5, 0.7]))
def test_clusters_are_the_connected_parts(pairs: list[Pair], threshold: float | None) -> None:
    joining = [
        p for p in pairs if (p.relation != "overlap" if threshold is None else p.score >= threshold)
    ]
    names = {name for p in joining for name in (p.left, p.right)}
    found = find_clusters(pairs, threshold=threshold)
    assert {frozenset(cluster.documents) for cluster in found} == parts(names, joining)
    for cluster in found:
        own = [p for p in joining if p.left in cluster.documents]
        assert cluster.pairs == len(own)
        known = texts(cluster, own)
        between = [p for p in own if not any({p.left, p.right} <= text for text in known)]
        assert cluster.worst.score == min(p.score for p in between or own)
        linked = sum(
            any({p.left, p.right} & one and {p.left, p.right} & other for p in between)
            for one, other in combinations(known, 2)
        )
        assert cluster.apart == len(known) * (len(known) - 1) // 2 - linked


@given(pairs=many_pairs())
def test_a_bridge_is_a_pair_without_which_a_cluster_falls_apart(pairs: list[Pair]) -> None:
    joining = [p for p in pairs if p.relation != "overlap"]
    for cluster in find_clusters(pairs):
        names = set(cluster.documents)
        own = [p for p in joining if p.left in names]
        known = texts(cluster, own)
        wanted = {}
        for p in own:
            within = any({p.left, p.right} <= text for text in known)
            rest = parts(names, [other for other in own if other is not p])
            if len(known) > 2 and not within and len(rest) > 1:
                sides = [
                    next(len(part) for part in rest if end in part) for end in p.left + p.right
                ]
                wanted[p.left, p.right] = tuple(sides)
        found = {
            (bridge.pair.left, bridge.pair.right): (bridge.left_side, bridge.right_side)
            for bridge in cluster.bridges
        }
        assert found == wanted


@given(pairs=many_pairs(), data=st.data())
def test_the_order_of_pairs_does_not_matter(pairs: list[Pair], data: st.DataObject) -> None:
    assert find_clusters(data.draw(st.permutations(pairs))) == find_clusters(pairs)


@given(pairs=many_pairs())
def test_pairs_of_a_run_and_pairs_in_a_list_are_alike(pairs: list[Pair]) -> None:
    assert find_clusters(Pairs.of(pairs, Manifest())) == find_clusters(pairs)


def test_a_long_chain_is_no_problem() -> None:
    names = [f"{n:06}" for n in range(20_000)]
    (cluster,) = find_clusters(pair(a, b) for a, b in pairwise(names))
    assert len(cluster.bridges) == len(names) - 1
    # The bridge in the middle parts the most.
    assert cluster.bridges[0].left_side == cluster.bridges[0].right_side == len(names) // 2


def test_no_pairs_make_no_clusters() -> None:
    assert find_clusters([]) == []
    assert find_clusters([pair("a", "b", relation="overlap")]) == []


@pytest.mark.parametrize("method", ["codet", "word-overlap"])
def test_copies_of_one_story_are_one_cluster(method: str) -> None:
    found = {
        cluster.documents: cluster
        for cluster in find_clusters(scan("examples/news", method=method))
    }
    frost = found["gazette/late-frost.html", "wire-121", "wire-122"]
    assert (frost.pairs, frost.apart, frost.bridges) == (2, 0, ())
    assert frost.worst.relation == "near-duplicate"
    row = frost.to_json()
    assert row["worst"]["left"] == "wire-121"
    assert row["documents"] == list(frost.documents)

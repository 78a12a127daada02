"""Tree matching: the example of the thesis, told again, and the laws of links, shades and dots."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twicetold.comparing import compare
from twicetold.documents import read
from twicetold.html import Hierarchy, match_trees, outline
from twicetold.records import Document

FOLDER = Path(__file__).parent / "news"
METHODS = ("fuzzy-set", "retelling", "word-overlap")


def page(number: int) -> Document:
    [found] = read(FOLDER / f"minister_{number}.html")
    return found


def golden() -> dict[str, object]:
    """Return what the two pages have in common, by method."""
    found = {}
    for method in METHODS:
        comparison = compare(page(1), page(2), method=method)
        trees = comparison.parts[0].trees(comparison.left)
        assert trees is not None
        # Keys of JSON are strings.
        found[method] = json.loads(json.dumps(trees.to_json()))
    return found


def test_two_pages_on_one_event_have_the_links_shades_and_dots_they_had() -> None:
    """To write the file anew: ``python -m tests.pages.test_trees``; look at what changed."""
    wanted = json.loads((FOLDER / "minister.json").read_text())
    assert golden() == wanted


def test_the_shades_of_the_thesis() -> None:
    """One of three sentences is a third, three of four three quarters, thirteen match in all."""
    comparison = compare(page(1), page(2), method="word-overlap")
    trees = comparison.parts[0].trees(comparison.left)
    assert trees is not None
    right = comparison.parts[0].right.hierarchy
    assert right is not None
    shades = {right.nodes[n].path: shade for n, shade in enumerate(trees.right_shades) if shade}
    assert shades["html/body/p[2]"] == pytest.approx(1 / 3)
    assert shades["html/body/p[3]"] == pytest.approx(3 / 4)
    partners = {
        link.left for link in trees.links if right.nodes[link.right].path == "html/body/p[3]"
    }
    assert len(partners) == 3
    assert len({right for _, right in trees.dots}) == 13


@pytest.mark.parametrize("method", METHODS)
def test_every_match_carries_path_and_role_of_both_sides(method: str) -> None:
    comparison = compare(page(1), page(2), method=method)
    assert comparison.pair.passages
    for passage in comparison.pair.passages:
        assert passage.left_place is not None
        assert passage.right_place is not None
        assert passage.left_place.path.startswith("html/body/div/")
    row = comparison.to_json()["passages"][0]
    assert set(row["left_place"]) == {"node", "role", "path"}
    assert comparison.to_json()["documents"][0]["trees"]["order"] == "document"


def test_a_text_beside_a_page_has_no_tree_and_no_place() -> None:
    text = Document(id="text", text=page(1).text)
    comparison = compare(page(1), text)
    assert comparison.parts[0].trees(comparison.left) is None
    assert comparison.pair.passages[0].left_place is not None
    assert comparison.pair.passages[0].right_place is None


LEFT, RIGHT = (outline((FOLDER / f"minister_{n}.html").read_text()) for n in (1, 2))
PAIRS = st.sets(
    st.tuples(st.integers(0, len(LEFT.sentences) - 1), st.integers(0, len(RIGHT.sentences) - 1))
)


def matched(tree: Hierarchy, shades: tuple[float, ...]) -> float:
    return sum(shade * len(node.sentences) for node, shade in zip(tree.nodes, shades, strict=True))


@given(PAIRS)
@settings(deadline=None)
def test_the_matched_sentences_of_all_nodes_are_those_of_the_document(
    pairs: set[tuple[int, int]],
) -> None:
    found = match_trees(LEFT, RIGHT, pairs)
    assert matched(LEFT, found.left_shades) == pytest.approx(len({i for i, _ in pairs}))
    assert matched(RIGHT, found.right_shades) == pytest.approx(len({j for _, j in pairs}))
    assert sum(link.sentences for link in found.links) == len(pairs)
    assert found.left_resemblance == len({i for i, _ in pairs}) / len(LEFT.sentences)


@given(PAIRS, st.sampled_from(["document", "thesis"]))
@settings(deadline=None)
def test_swapped_pages_have_transposed_dots_and_links(
    pairs: set[tuple[int, int]], order: str
) -> None:
    found = match_trees(LEFT, RIGHT, pairs, order=order)  # type: ignore[arg-type]
    back = match_trees(RIGHT, LEFT, {(j, i) for i, j in pairs}, order=order)  # type: ignore[arg-type]
    assert set(back.dots) == {(j, i) for i, j in found.dots}
    assert {(b, a, n) for a, b, n in back.links} == {tuple(link) for link in found.links}
    assert back.left_shades == found.right_shades
    assert back.odds == found.odds


@given(PAIRS)
@settings(deadline=None)
def test_another_order_moves_dots_and_nothing_else(pairs: set[tuple[int, int]]) -> None:
    found = match_trees(LEFT, RIGHT, pairs)
    other = match_trees(LEFT, RIGHT, pairs, order="thesis")
    assert set(found.dots) == pairs
    assert len(other.dots) == len(pairs)
    assert (other.links, other.left_shades, other.odds) == (
        found.links,
        found.left_shades,
        found.odds,
    )


if __name__ == "__main__":
    text = json.dumps(golden(), indent=1)
    (FOLDER / "minister.json").write_text(text + "\n")

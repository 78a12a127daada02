"""What is read from a dotplot."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.comparing import Dot, dotplot
from twicetold.comparing.dotplots import runs_of, thinned


def dots(*places: tuple[int, int]) -> list[Dot]:
    return [Dot(left, right, 1.0) for left, right in places]


def along(n: int, left: int = 0, right: int = 0, step: int = 1) -> list[tuple[int, int]]:
    return [(left + k, right + step * k) for k in range(n)]


@pytest.mark.parametrize(
    ("places", "size", "shape", "patterns"),
    [
        ([], (3, 3), "none", []),
        (along(5), (5, 5), "insertion", [("diagonal run", (0, 4), (0, 4))]),
        (along(5, right=4), (5, 20), "subset", [("diagonal run", (0, 4), (4, 8))]),
        (
            along(4) + along(3, 6, 6),
            (9, 9),
            "insertion",
            [
                ("diagonal run", (0, 3), (0, 3)),
                ("diagonal run", (6, 8), (6, 8)),
                ("gap", (4, 5), (4, 5)),
            ],
        ),
        (
            along(4) + along(3, 4, 6),
            (7, 9),
            "subset",
            [
                ("diagonal run", (0, 3), (0, 3)),
                ("diagonal run", (4, 6), (6, 8)),
                ("insertion", (4, 3), (4, 5)),
            ],
        ),
        (
            along(4, right=4) + along(4, left=4),
            (8, 8),
            "reordered",
            [("diagonal run", (0, 3), (4, 7)), ("diagonal run", (4, 7), (0, 3))],
        ),
        (along(5, right=4, step=-1), (5, 5), "reordered", [("anti-diagonal", (0, 4), (0, 4))]),
        ([(0, 1), (0, 5), (0, 9)], (9, 12), "scattered", [("vertical line", (0, 0), (1, 9))]),
        ([(1, 0), (5, 0), (9, 0)], (12, 9), "scattered", [("horizontal line", (1, 9), (0, 0))]),
        (
            [(left, right) for left in range(2, 6) for right in range(3, 7)],
            (20, 20),
            "scattered",
            [("square", (2, 5), (3, 6))],
        ),
    ],
)
def test_patterns_are_named(
    places: list[tuple[int, int]],
    size: tuple[int, int],
    shape: str,
    patterns: list[tuple[str, tuple[int, int], tuple[int, int]]],
) -> None:
    found = dotplot(dots(*places), *size)
    assert [pattern[:3] for pattern in found.patterns] == patterns
    assert found.shape == shape


def test_figures_are_those_of_the_definition() -> None:
    found = dotplot(dots(*along(3), (3, 9), (4, 8)), 10, 10)
    assert (found.longest_run, found.on_runs) == (3, 0.6)
    assert found.tau == pytest.approx((9 - 1) / 10)
    assert (found.left_coverage, found.right_coverage) == (0.5, 0.5)
    assert dotplot(dots(*along(2)), 2, 2, same=True).shape == "identical"
    assert dotplot(dots((0, 0)), 5, 5).tau is None


places = st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=60)


@given(places)
def test_every_dot_is_in_one_run(found: set[tuple[int, int]]) -> None:
    for step in (1, -1):
        runs = runs_of(dots(*found), step)
        assert sorted((dot.left, dot.right) for run in runs for dot in run) == sorted(found)
        for run in runs:
            assert all(b.left - a.left == 1 and b.right - a.right == step for a, b in pairwise(run))


@given(places)
def test_tau_is_that_of_all_pairs(found: set[tuple[int, int]]) -> None:
    best: dict[int, int] = {}
    for left, right in sorted(found):
        best.setdefault(left, right)
    rights = [best[left] for left in sorted(best)]
    ordered = sum(
        (rights[b] > rights[a]) - (rights[b] < rights[a])
        for b in range(len(rights))
        for a in range(b)
    )
    n = len(rights)
    tau = dotplot(dots(*found), 10, 10).tau
    assert tau is None if n < 2 else tau == pytest.approx(2 * ordered / (n * (n - 1)))


def test_too_many_dots_are_thinned_evenly() -> None:
    rng = random.Random(5)
    many = [Dot(rng.randrange(5000), rng.randrange(3000), rng.random()) for _ in range(20_000)]
    few = thinned(many, 5000, 3000, 2_500)
    assert len(few) <= 2_500
    assert set(few) <= set(many)
    # The best one of all is still there, and so is every tenth of the plot.
    assert max(many, key=lambda dot: dot.score) in few
    assert {(dot.left // 500, dot.right // 300) for dot in few} == {
        (x, y) for x in range(10) for y in range(10)
    }
    assert thinned(many[:10], 5000, 3000, 10) == many[:10]

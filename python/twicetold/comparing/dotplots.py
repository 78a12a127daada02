"""Dotplots: the sentences of two documents that match as points, and the patterns they make.

x is the place of a sentence in left, y in right; a dot means that the two match. What to see::

    diagonal run      the same sentences in the same order
    gap               an unmatched stretch of both between two runs, the order is kept
    insertion         an unmatched stretch of one of them: a broken diagonal
    anti-diagonal     the same sentences in reversed order
    vertical line     one sentence of left matches several of right
    horizontal line   one sentence of right matches several of left
    square            each of several sentences matches each of several others

Helfman, "Dotplot patterns", 1996; Church and Helfman, "Dotplot", 1993; Yerra, thesis, 2005.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from twicetold.comparing.records import Dot

__all__ = ["DotPattern", "Dotplot", "PatternName", "Shape", "dotplot", "runs_of", "thinned"]

PatternName = Literal[
    "diagonal run",
    "gap",
    "insertion",
    "anti-diagonal",
    "vertical line",
    "horizontal line",
    "square",
]
Shape = Literal["identical", "subset", "insertion", "reordered", "scattered", "none"]

#: So many dots make a run or a line.
LEAST = 3
#: Kendall's tau from which on the order counts as kept, and a share that counts as all.
_ORDERED, _ALL = 0.6, 0.9


class DotPattern(NamedTuple):
    """A pattern and where it is: the first and the last sentence on both sides.

    Of a stretch without sentences, as an insertion has one, the first is one more than the last.
    """

    name: PatternName
    left: tuple[int, int]
    right: tuple[int, int]
    dots: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Dotplot:
    """What can be read from a dotplot.

    ``on_runs``  the share of dots on diagonal runs
    ``tau``      Kendall's tau of the places of matched sentences; None if fewer than two match
    """

    patterns: tuple[DotPattern, ...]
    longest_run: int
    on_runs: float
    tau: float | None
    left_coverage: float
    right_coverage: float
    shape: Shape


def dotplot(dots: Sequence[Dot], n_left: int, n_right: int, *, same: bool = False) -> Dotplot:
    """Read a dotplot; ``same`` says that both texts are equal.

    >>> found = dotplot([Dot(n, n + 2, 1.0) for n in range(4)], 4, 9)
    >>> found.shape, found.tau, [pattern.name for pattern in found.patterns]
    ('subset', 1.0, ['diagonal run'])
    """
    squares = list(_squares(dots))
    # Each sentence of left is in one square at most.
    square_of = {n: square for square in squares for n in range(square.left[0], square.left[1] + 1)}
    outside = {dot for dot in dots if not _holds(square_of.get(dot.left), dot)}
    every = runs_of(dots, 1)
    runs = [run for run in every if len(run) >= LEAST and not outside.isdisjoint(run)]
    left, right = {dot.left for dot in dots}, {dot.right for dot in dots}
    coverage = len(left) / n_left if n_left else 0.0, len(right) / n_right if n_right else 0.0
    tau = _tau(dots)
    on_runs = sum(map(len, runs)) / len(dots) if dots else 0.0
    return Dotplot(
        patterns=(*squares, *_patterns(outside, runs)),
        longest_run=max(map(len, every), default=0),
        on_runs=on_runs,
        tau=tau,
        left_coverage=coverage[0],
        right_coverage=coverage[1],
        shape="identical" if same else _shape(dots, coverage, on_runs, tau),
    )


def runs_of(dots: Iterable[Dot], step: Literal[1, -1]) -> list[list[Dot]]:
    """Return the runs along the diagonal, or with -1 against it; each dot is in one of them."""
    by_place = {(dot.left, dot.right): dot for dot in dots}
    runs = []
    for (left, right), dot in sorted(by_place.items()):
        if (left - 1, right - step) in by_place:
            continue
        run = [dot]
        while (following := by_place.get((left + len(run), right + step * len(run)))) is not None:
            run.append(following)
        runs.append(run)
    return runs


def thinned(dots: Sequence[Dot], n_left: int, n_right: int, most: int) -> list[Dot]:
    """Return at most ``most`` dots: the best of each cell of a grid that is fine enough."""
    if len(dots) <= most:
        return list(dots)
    cells = int(most**0.5)
    best: dict[tuple[int, int], Dot] = {}
    for dot in dots:
        cell = dot.left * cells // max(n_left, 1), dot.right * cells // max(n_right, 1)
        if cell not in best or dot.score > best[cell].score:
            best[cell] = dot
    return sorted(best.values())


def _shape(
    dots: Sequence[Dot], coverage: tuple[float, float], on_runs: float, tau: float | None
) -> Shape:
    if not dots:
        return "none"
    if tau is None or tau >= _ORDERED:
        if max(coverage) >= _ALL:
            return "insertion" if min(coverage) >= _ALL else "subset"
        return "insertion" if on_runs else "scattered"
    return "reordered" if on_runs or tau <= -_ORDERED else "scattered"


def _patterns(outside: set[Dot], runs: list[list[Dot]]) -> Iterator[DotPattern]:
    """Yield the patterns outside of squares: the longest runs, lines, and what is between runs."""
    yield from sorted(
        (_pattern("diagonal run", run) for run in runs), key=lambda p: (-p.dots, p.left, p.right)
    )
    against = (run for run in runs_of(outside, -1) if len(run) >= LEAST)
    yield from (_pattern("anti-diagonal", run) for run in against)
    for name, side in (("vertical line", 0), ("horizontal line", 1)):
        lines: defaultdict[int, list[Dot]] = defaultdict(list)
        for dot in sorted(outside):
            lines[dot[side]].append(dot)  # type: ignore[index]
        for line in lines.values():
            if len(line) >= LEAST:
                yield _pattern(name, line)  # type: ignore[arg-type]
    yield from _between(runs)


def _pattern(name: PatternName, dots: Sequence[Dot]) -> DotPattern:
    left, right = [dot.left for dot in dots], [dot.right for dot in dots]
    return DotPattern(name, (min(left), max(left)), (min(right), max(right)), len(dots))


def _holds(square: DotPattern | None, dot: Dot) -> bool:
    return square is not None and square.right[0] <= dot.right <= square.right[1]


def _squares(dots: Iterable[Dot]) -> Iterator[DotPattern]:
    """Yield the places where neighbouring sentences of left match the same several of right."""
    rows: defaultdict[int, set[int]] = defaultdict(set)
    for dot in dots:
        rows[dot.left].add(dot.right)
    full = sorted(left for left, right in rows.items() if len(right) >= LEAST)
    block: list[int] = []
    for left in [*full, None]:
        common = left is not None and block and rows[left] & rows[block[-1]]
        if left is not None and (
            not block or (left == block[-1] + 1 and common and len(common) >= LEAST)
        ):
            block.append(left)
            continue
        if len(block) >= LEAST:
            yield _pattern("square", [Dot(i, j, 1.0) for i in block for j in rows[i]])
        block = [] if left is None else [left]


def _between(runs: list[list[Dot]]) -> Iterator[DotPattern]:
    """Yield what is unmatched between runs that follow each other on both sides."""
    for run, following in pairwise(sorted(runs)):
        last, first = run[-1], following[0]
        left = last.left + 1, first.left - 1
        right = last.right + 1, first.right - 1
        there, here = left[1] - left[0] + 1, right[1] - right[0] + 1
        if min(there, here) >= 0 and max(there, here) > 0:
            yield DotPattern("gap" if min(there, here) else "insertion", left, right, 0)


def _tau(dots: Iterable[Dot]) -> float | None:
    """Return Kendall's tau-a of the best partners, left in order."""
    best: dict[int, Dot] = {}
    for dot in sorted(dots, key=lambda dot: (-dot.score, dot.left, dot.right)):
        best.setdefault(dot.left, dot)
    places = [best[left].right for left in sorted(best)]
    n = len(places)
    if n < 2:  # noqa: PLR2004 - one sentence has no order
        return None
    known = sorted(set(places))
    # How many places came so far, in stretches of a power of two that end at each (Fenwick).
    counts = [0] * (len(known) + 1)
    balance = 0
    for seen, place in enumerate(places):
        at = bisect_left(known, place)
        balance += _counted(counts, at) - (seen - _counted(counts, at + 1))
        at += 1
        while at < len(counts):
            counts[at] += 1
            at += at & -at
    return balance / (n * (n - 1) / 2)


def _counted(counts: Sequence[int], end: int) -> int:
    """Return how many places came before one."""
    total = 0
    while end > 0:
        total += counts[end]
        end -= end & -end
    return total

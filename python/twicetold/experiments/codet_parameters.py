"""C-PSC, C-DT-on, C-DT-off, C-ETL: what CoDet's parameters do to its decisions.

Varol, Can, Aykanat, Kaya, "CoDet", CIKM 2011, section 4: suffixes hardly matter, five words of a
sorted sentence are best and fewer nearly as good; without sorting a few words are too few.
"""

from __future__ import annotations

from collections.abc import Sequence

from twicetold.detectors.codet import CoDet
from twicetold.experiments.collection import features_of, tree_of
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.planted import truth_of
from twicetold.experiments.sweeping import GRID, Sweep, sweep

__all__ = ["depth_sorted", "depth_unsorted", "suffixes", "thresholds"]

#: Table 1 of the paper: CoDet with its best parameters.
PAPER_F1 = 0.76
_PAPER_DEPTH = 5
_DEPTHS: tuple[int | None, ...] = (*range(1, 11), None)
_SUFFIXES = (1, 2, 3, 4, 5)
#: Differences of F1 that nobody would act on.
_SAME = 0.02


def suffixes(setting: Setting) -> Outcome:
    """Sweep the number of suffixes: best F1 over all thresholds, and the size of the tree."""
    truth = truth_of(setting)
    documents = truth.documents()
    rows = []
    for n in setting.steps(_SUFFIXES):
        detector = CoDet(suffixes=n)
        [found] = sweep([truth.labelled], detector, setting)
        tree = tree_of(features_of(documents, detector, setting.threads))
        paper = PAPER_F1 if n == 1 else None
        rows.append((n, *_figures(found), paper, tree.nodes, tree.entries, tree.megabytes))
    f1s = [row[4] or 0.0 for row in rows]
    nodes = [row[7] for row in rows]
    x = tuple(map(float, _SUFFIXES))
    return Outcome(
        name="C-PSC",
        title="CoDet by the number of suffixes of a sentence (PSC), words sorted, depth 5",
        columns=("suffixes", *_COLUMNS, "paper F1", "nodes", "list entries", "table MB"),
        rows=tuple(rows),
        figures=(
            Figure("Best F1 by suffixes", "suffixes", "F1", _with_paper(x, f1s)),
            Figure(
                "Size of the tree by suffixes",
                "suffixes",
                "nodes",
                (Series("nodes", x, tuple(map(float, nodes))),),
            ),
        ),
        conclusion=suffix_conclusion(f1s, nodes),
        notes=(truth.about, _GRID_NOTE),
    )


def suffix_conclusion(f1s: Sequence[float], nodes: Sequence[int]) -> str:
    """Say whether suffixes matter, and what they cost."""
    flat = max(f1s) - min(f1s) <= _SAME
    verdict = "hardly changes, as in the paper" if flat else "changes, unlike in the paper"
    return (
        f"best F1 from {min(f1s):.3f} to {max(f1s):.3f}: it {verdict}; "
        f"{_SUFFIXES[-1]} suffixes make the tree {nodes[-1] / nodes[0]:.1f} times as large"
    )


def depth_sorted(setting: Setting) -> Outcome:
    """Sweep the depth with the words of sentences sorted by idf."""
    return _depth(setting, "C-DT-on", word_sorting=True)


def depth_unsorted(setting: Setting) -> Outcome:
    """Sweep the depth with the words of sentences as they come."""
    return _depth(setting, "C-DT-off", word_sorting=False)


def _depth(setting: Setting, name: str, *, word_sorting: bool) -> Outcome:
    truth = truth_of(setting)
    rows = []
    for depth in setting.steps(_DEPTHS):
        detector = CoDet(depth=depth, word_sorting=word_sorting)
        [found] = sweep([truth.labelled], detector, setting)
        paper = PAPER_F1 if depth == _PAPER_DEPTH and word_sorting else None
        rows.append((_word(depth), *_figures(found), paper))
    f1s = [row[4] or 0.0 for row in rows]
    x = tuple(map(_word, _DEPTHS))
    order = "sorted by idf" if word_sorting else "in their order"
    series = _with_paper(x, f1s) if word_sorting else (Series("ours", x, tuple(f1s)),)
    return Outcome(
        name=name,
        title=f"CoDet by the number of words taken of a sentence (DT), words {order}",
        columns=("depth", *_COLUMNS, "paper F1"),
        rows=tuple(rows),
        figures=(Figure(f"Best F1 by depth, words {order}", "depth", "F1", series),),
        conclusion=depth_conclusion(f1s, word_sorting=word_sorting),
        notes=(truth.about, _GRID_NOTE),
    )


def depth_conclusion(f1s: Sequence[float], *, word_sorting: bool) -> str:
    """Say where the peak is, and whether few words are enough."""
    peak = max(f1s)
    if not peak:
        return "nothing was found at any depth"
    at = _word(_DEPTHS[f1s.index(peak)])
    few, five = f1s[0] / peak, f1s[_DEPTHS.index(_PAPER_DEPTH)]
    told = f"best F1 {peak:.3f} at depth {at}, {five:.3f} at the paper's 5; "
    told += f"one word reaches {few:.0%} of the best"
    if word_sorting:
        agree = peak - five <= _SAME
        return f"{told}: the paper's five is {'as good as any' if agree else 'not the best here'}"
    low = few < 1 - _SAME
    return f"{told}: few unsorted words are {'too few, as in the paper' if low else 'enough here'}"


def thresholds(setting: Setting) -> Outcome:
    """Sweep the threshold: precision, recall and F1, without direction and with it."""
    truth = truth_of(setting)
    both = [truth.labelled, *([truth.directed] if truth.directed else [])]
    views = []
    for _ in setting.steps([0]):
        views = [each.decisions() for each in sweep(both, CoDet(), setting)]
    rows = []
    for n, threshold in enumerate(GRID):
        figures = [
            value for view in views for value in (view[n].precision, view[n].recall, view[n].f1)
        ]
        rows.append((threshold, *figures))
    names = ("unordered", "directed")[: len(views)]
    f1s = [view.f1 or 0.0 for view in views[0]]
    return Outcome(
        name="C-ETL",
        title="CoDet by threshold (ETL)",
        columns=("threshold", *(f"{kind} {of}" for kind in names for of in ("P", "R", "F1"))),
        rows=tuple(rows),
        figures=tuple(
            Figure(
                f"CoDet by threshold, {kind} pairs",
                "threshold",
                "share",
                tuple(
                    Series(of, GRID, tuple(found.figures()[of.lower()] for found in view))
                    for of in ("precision", "recall", "F1")
                ),
            )
            for kind, view in zip(names, views, strict=True)
        ),
        conclusion=threshold_conclusion(f1s),
        notes=(
            truth.about,
            "the paper tested several values and prints none; its table 1 has F1 0.76",
            "a pair counts as found from the threshold on",
        ),
    )


def threshold_conclusion(f1s: Sequence[float]) -> str:
    """Say where F1 is best, and how far around it is nearly as good."""
    best = max(f1s)
    place = f1s.index(best)
    low = high = place
    while low > 0 and f1s[low - 1] >= best - _SAME:
        low -= 1
    while high < len(f1s) - 1 and f1s[high + 1] >= best - _SAME:
        high += 1
    plateau = (
        f"within {_SAME} of it from {GRID[low]:.2f} to {GRID[high]:.2f}"
        if high > low
        else "and nowhere near it elsewhere"
    )
    default = f1s[GRID.index(CoDet().threshold)]
    return f"best F1 {best:.3f} at {GRID[place]:.2f}, {plateau}; {default:.3f} at the default 0.5"


_COLUMNS = ("threshold", "P", "R", "best F1", "tuned F1")
_GRID_NOTE = (
    "best F1: the best threshold of 0.05 to 1.00; tuned F1: that of one half, on the other half"
)


def _figures(found: Sweep) -> tuple[float, float | None, float | None, float | None, float | None]:
    best = found.best()
    return best.threshold, best.precision, best.recall, best.f1, found.tuned()


def _word(depth: int | None) -> str:
    return "all" if depth is None else str(depth)


def _with_paper(x: tuple[float | str, ...], f1s: Sequence[float]) -> tuple[Series, ...]:
    paper = Series("paper, table 1", x, (PAPER_F1,) * len(x), from_paper=True)
    return Series("ours", x, tuple(f1s)), paper

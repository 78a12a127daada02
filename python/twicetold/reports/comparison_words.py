"""What a comparison found, in plain words: for a terminal and for a page alike."""

from __future__ import annotations

from collections.abc import Iterator

from twicetold.comparing import Compared, Comparison, Dotplot, Part, Verdict
from twicetold.reports.printable import shorten
from twicetold.reports.table import percent
from twicetold.reports.words import boilerplate_line, count_of

__all__ = [
    "dotplot_line",
    "figures_lines",
    "name_of",
    "right_name",
    "summary",
    "verdict",
    "verdict_line",
]

_VERDICTS = {
    "identical": "the same text",
    "near-duplicate": "near-duplicates: each is contained in the other",
    "contained": "left is contained in right",
    "contains": "left contains right",
    "version": "versions of one text, each with something of its own",
    "same-form": "the same form with other facts",
}

#: A longer name is shortened in a sentence.
_LONGEST_NAME = 48

#: What the shape of a dotplot says.
_SHAPES = {
    "identical": "identical: one unbroken diagonal",
    "subset": "subset: one text is in the other, in the same order",
    "insertion": "insertion: the same order, with stretches added or changed",
    "reordered": "reordered: the same sentences in another order",
    "scattered": "scattered: single sentences, no common order",
    "none": "none: no sentences match",
}


def verdict(found: Comparison) -> str:
    """Return the relation of the two sides in words."""
    neither = "overlap, but neither is contained" if found.has_evidence else "no common passages"
    return _VERDICTS.get(found.pair.relation, neither)


def verdict_line(found: Verdict) -> str:
    """Return what a model says, in a line."""
    there, back = percent(found.left_in_right), percent(found.right_in_left)
    if found.taken is not None:
        return (
            f"probability {there} that left is told in right, {back} of the reverse, "
            f"{percent(found.taken)} that text was taken; a relation holds from "
            f"{percent(found.threshold)} on"
        )
    return (
        f"decided by {found.method}: probability {there} that left is in right, {back} of the "
        f"reverse; related from {percent(found.threshold)} on"
    )


def name_of(side: Compared) -> str:
    """Return what a document is called: its id, of a long path only the end."""
    name = side.document.id
    if len(name) > _LONGEST_NAME:
        name = name.replace("\\", "/").rstrip("/").rpartition("/")[2] or name
    return shorten(name, _LONGEST_NAME)


def right_name(found: Comparison) -> str:
    """Return what the right side is called: an id, or how many there are together."""
    if len(found.parts) == 1:
        return name_of(found.parts[0].right)
    return f"the {len(found.parts)} others together"


def summary(found: Comparison) -> list[str]:
    """Return the comparison in plain words: how much of each is in the other, and which is earlier.

    Before that, what a model says of it, if one was asked.
    Of several documents on the right, also what of left is in which.
    """
    left, right = name_of(found.left), right_name(found)
    pair = found.pair
    here = f"{len(found.left.matched):,} of {count_of(len(found.left.sentences), 'sentence')}"
    matched = sum(len(part.right.matched) for part in found.parts)
    total = sum(len(part.right.sentences) for part in found.parts)
    there = f"{matched:,} of {count_of(total, 'sentence')}"
    verb = "is" if len(found.parts) == 1 else "are"
    time = {"left": f"; {left} is earlier", "right": f"; {right} {verb} earlier"}
    earlier = time.get(found.earlier or "", "")
    learned = [verdict_line(found.verdict)] if found.verdict else []
    lines = [
        *learned,
        f"{percent(pair.left_in_right)} of {left} is in {right}; {here}{earlier}",
        f"{percent(pair.right_in_left)} of {right} is in {left}; {there}",
    ]
    if len(found.parts) > 1:
        lines.append(_mosaic(found))
    sides = (found.left, *(part.right for part in found.parts))
    told = [boilerplate_line(s.boilerplate, name_of(s)) for s in sides if s.boilerplate]
    return [*lines, *told]


def figures_lines(found: Comparison) -> Iterator[str]:
    """Yield the other figures: content, resemblance, odds."""
    left, right, pair = name_of(found.left), right_name(found), found.pair
    if pair.left_content_in_right is not None and pair.right_content_in_left is not None:
        there, back = pair.left_content_in_right, pair.right_content_in_left
        yield f"same content: {percent(there)} of {left}, {percent(back)} of {right}"
    yield f"resemblance {percent(pair.resemblance)}, odds {_odds(pair.odds)}"


def _odds(odds: float) -> str:
    """Write odds as people bet.

    >>> _odds(100.0), _odds(4.263), _odds(0.0989), _odds(0.0)
    ('100 to 1', '4.3 to 1', '0.099 to 1', '0 to 1')
    """
    return f"{odds:.2g} to 1" if odds < 10 else f"{odds:.0f} to 1"  # noqa: PLR2004


def _mosaic(found: Comparison) -> str:
    """Say what of left came best from where."""
    total = len(found.left.sentences)
    parts = [
        f"{count_of(len(part.credited), 'sentence')} best in {name_of(part.right)}"
        for part in sorted(found.parts, key=_credit)
        if part.credited
    ]
    rest = total - sum(len(part.credited) for part in found.parts)
    return ", ".join([*parts, f"{rest:,} in none"])


def _credit(part: Part) -> int:
    return -len(part.credited)


def dotplot_line(plot: Dotplot) -> str:
    """Return what a dotplot says, in a line."""
    if plot.shape == "none":
        return _SHAPES["none"]
    order = "" if plot.tau is None else f"; Kendall's tau of the order {plot.tau:.2f}"
    runs = f"longest run {count_of(plot.longest_run, 'sentence')}"
    return f"{_SHAPES[plot.shape]}; {runs}{order}"

"""Pairs as a table for people: the best ones, and what the run found in a few lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TextIO

from twicetold.pairs import Pairs
from twicetold.records import Pair, Relation
from twicetold.reports.printable import cells_of, printable, shorten

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "WORDS",
    "is_ascii",
    "percent",
    "percents",
    "print_on_terminal",
    "print_table",
    "table_lines",
]

#: How the left document stands to the right one: a sign, its stand-in without Unicode, and words.
WORDS: dict[Relation, tuple[str, str, str]] = {
    "identical": ("=", "=", "identical"),
    "near-duplicate": ("≈", "~", "near-duplicate"),
    "contained": ("⊂", "<", "contained in"),
    "contains": ("⊃", ">", "contains"),
    "overlap": ("∩", "&", "overlaps"),
    "version": ("≋", "v", "version of"),
    "same-form": ("≡", "#", "same form as"),
}

_STYLES: dict[Relation, str] = {
    "identical": "magenta",
    "near-duplicate": "cyan",
    "contained": "green",
    "contains": "green",
    "overlap": "dim",
    "version": "blue",
    "same-form": "dim",
}
#: How the columns stand.
_JUSTIFIED: tuple[Literal["left", "right"], ...] = (
    "right",
    "left",
    "right",
    "left",
    "right",
    "left",
)
#: Cells of a line on a terminal that ids cannot have, and what an id is never cut below.
_TAKEN, _LEAST = 39, 8


def percent(share: float) -> str:
    """Write a share in whole percents; only what is everything is 100%.

    >>> percent(1.0), percent(0.9996), percent(0.004), percent(0.0)
    ('100%', '99%', '<1%', '0%')
    """
    if 0 < share < 0.01:  # noqa: PLR2004 - one percent
        return "<1%"
    return f"{percents(share)}%"


def percents(share: float) -> int:
    """Return a share in whole percents; only what is everything is 100."""
    return min(round(share * 100), 99) if share < 1 else round(share * 100)


def print_table(pairs: Pairs, file: TextIO, *, limit: int) -> None:
    """Print the best pairs; anywhere but on a terminal without cutting ids and without colour."""
    likely = "model" in pairs.manifest.parameters
    if file.isatty():
        from rich.console import Console

        print_on_terminal(pairs.best(limit), Console(file=file, highlight=False), likely=likely)
        return
    ascii_only = is_ascii(file.encoding)
    lines = table_lines(pairs.best(limit), ascii_only=ascii_only, likely=likely)
    file.writelines(line + "\n" for line in lines)


def print_on_terminal(pairs: Sequence[Pair], console: Console, *, likely: bool = False) -> None:
    """Print pairs in colour, with ids cut in the middle where the terminal is too narrow."""
    from rich.table import Table
    from rich.text import Text

    ascii_only = is_ascii(console.encoding)
    gap = "..." if ascii_only else "…"
    ids = _fitted([_ids(pair) for pair in pairs], console.width - _TAKEN, gap=gap)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for name, justify in zip(_heading(pairs, ascii_only=ascii_only), _JUSTIFIED, strict=True):
        table.add_column(name, justify=justify, no_wrap=True)
    for pair, own in zip(pairs, ids, strict=True):
        styles = ("bold", "", "dim", _STYLES[pair.relation], "dim", "")
        cells = _cells(pair, own, ascii_only=ascii_only)
        table.add_row(*(Text(cell, style) for cell, style in zip(cells, styles, strict=True)))
    console.print(table)
    console.print(_legend(pairs, ascii_only=ascii_only, likely=likely), style="dim")


def table_lines(pairs: Sequence[Pair], *, ascii_only: bool, likely: bool = False) -> list[str]:
    """Return pairs as lines of plain text."""
    rows = [_heading(pairs, ascii_only=ascii_only)]
    rows += [_cells(pair, _ids(pair), ascii_only=ascii_only) for pair in pairs]
    widths = [max(map(cells_of, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        line = ""
        for cell, width, justify in zip(row, widths, _JUSTIFIED, strict=True):
            gap = " " * (width - cells_of(cell))
            line += (gap + cell if justify == "right" else cell + gap) + "  "
        lines.append(line.rstrip())
    return [*lines, _legend(pairs, ascii_only=ascii_only, likely=likely)]


def is_ascii(encoding: str | None) -> bool:
    """Return whether arrows and signs cannot be written."""
    return not (encoding or "ascii").lower().startswith("utf")


def _ids(pair: Pair) -> tuple[str, str]:
    return printable(pair.left), printable(pair.right)


def _heading(pairs: Sequence[Pair], *, ascii_only: bool) -> list[str]:
    there, back = _arrows(ascii_only=ascii_only)
    first = "sure" if _is_judged(pairs) else "score"
    return [first, "left", there, "relation", back, "right"]


def _is_judged(pairs: Sequence[Pair]) -> bool:
    """Return whether pairs have probabilities."""
    return any(pair.taken is not None for pair in pairs)


def _cells(pair: Pair, ids: tuple[str, str], *, ascii_only: bool) -> list[str]:
    sign, stand_in, words = WORDS[pair.relation]
    there, back = percent(pair.left_in_right), percent(pair.right_in_left)
    relation = f"{stand_in if ascii_only else sign} {words}"
    best = pair.score if pair.taken is None else pair.taken
    return [percent(best), ids[0], there, relation, back, ids[1]]


def _legend(pairs: Sequence[Pair], *, ascii_only: bool, likely: bool) -> str:
    there, back = _arrows(ascii_only=ascii_only)
    how = "how likely it is that" if likely else "how much of"
    sure = "sure: the probability that text was taken; " if _is_judged(pairs) else ""
    return f"{sure}{there} {how} left is in right, {back} {how} right is in left"


def _arrows(*, ascii_only: bool) -> tuple[str, str]:
    return ("->", "<-") if ascii_only else ("→", "←")


def _fitted(ids: list[tuple[str, str]], room: int, *, gap: str) -> list[tuple[str, str]]:
    """Cut ids so that both columns fit; a side that needs less than half leaves the other more."""
    left, right = (max((cells_of(pair[n]) for pair in ids), default=0) for n in (0, 1))
    half = max(room // 2, _LEAST)
    left, right = min(left, max(half, room - right)), min(right, max(half, room - left))
    return [(shorten(a, left, gap=gap), shorten(b, right, gap=gap)) for a, b in ids]

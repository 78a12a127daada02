"""Pairs as a table for people: the best ones, and what the run found in a few lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from twicetold.pairs import Pairs
from twicetold.records import Pair, Relation
from twicetold.reports.printable import printable, shorten

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["WORDS", "pairs_table", "percent", "print_table"]

#: How the left document stands to the right one: a sign, its stand-in without Unicode, and words.
WORDS: dict[Relation, tuple[str, str, str]] = {
    "identical": ("=", "=", "identical"),
    "near-duplicate": ("≈", "~", "near-duplicate"),
    "contained": ("⊂", "<", "contained in"),
    "contains": ("⊃", ">", "contains"),
    "overlap": ("∩", "&", "overlaps"),
}

_STYLES: dict[Relation, str] = {
    "identical": "magenta",
    "near-duplicate": "cyan",
    "contained": "green",
    "contains": "green",
    "overlap": "dim",
}
#: Cells of a line on a terminal that ids cannot have, and what an id is never cut below.
_TAKEN, _LEAST = 39, 8


def percent(share: float) -> str:
    """Write a share in whole percents; only what is everything is 100%.

    >>> percent(1.0), percent(0.9996), percent(0.004), percent(0.0)
    ('100%', '99%', '<1%', '0%')
    """
    if 0 < share < 0.01:  # noqa: PLR2004 - one percent
        return "<1%"
    return f"{min(round(share * 100), 99) if share < 1 else round(share * 100)}%"


def print_table(pairs: Pairs, console: Console, *, limit: int) -> None:
    """Print the best pairs; anywhere but on a terminal without cutting ids and without colour."""
    table = pairs_table(pairs.best(limit), console)
    there, back = _arrows(console)
    legend = f"{there} how much of left is in right, {back} how much of right is in left"
    if console.is_terminal:
        console.print(table)
        console.print(legend, style="dim")
        return
    console.width = 1_000_000
    with console.capture() as lines:
        console.print(table)
    for line in (*lines.get().splitlines(), legend):
        console.file.write(line.rstrip() + "\n")


def pairs_table(pairs: Sequence[Pair], console: Console) -> Table:
    """Return a table of pairs, with ids cut in the middle where the terminal is too narrow."""
    from rich.table import Table
    from rich.text import Text

    ascii_only = console.options.ascii_only
    ids = [(printable(pair.left), printable(pair.right)) for pair in pairs]
    if console.is_terminal:
        ids = _fitted(ids, console.width - _TAKEN, gap="..." if ascii_only else "…")
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    there, back = _arrows(console)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("left", no_wrap=True)
    table.add_column(there, justify="right", no_wrap=True)
    table.add_column("relation", no_wrap=True)
    table.add_column(back, justify="right", no_wrap=True)
    table.add_column("right", no_wrap=True)
    for pair, (left, right) in zip(pairs, ids, strict=True):
        sign, stand_in, words = WORDS[pair.relation]
        table.add_row(
            Text(percent(pair.score), style="bold"),
            Text(left),
            Text(percent(pair.left_in_right), style="dim"),
            Text(f"{stand_in if ascii_only else sign} {words}", style=_STYLES[pair.relation]),
            Text(percent(pair.right_in_left), style="dim"),
            Text(right),
        )
    return table


def _arrows(console: Console) -> tuple[str, str]:
    return ("->", "<-") if console.options.ascii_only else ("→", "←")


def _fitted(ids: list[tuple[str, str]], room: int, *, gap: str) -> list[tuple[str, str]]:
    """Cut ids so that both columns fit; a side that needs less than half leaves the other more."""
    from rich.cells import cell_len

    left, right = (max((cell_len(pair[n]) for pair in ids), default=0) for n in (0, 1))
    half = max(room // 2, _LEAST)
    left, right = min(left, max(half, room - right)), min(right, max(half, room - left))
    return [(shorten(a, left, gap=gap), shorten(b, right, gap=gap)) for a, b in ids]

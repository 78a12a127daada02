"""A comparison, as text for a terminal: a summary, and the passages side by side."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from twicetold.comparing import Compared, Comparison, Part, dotplot
from twicetold.records import Passage, Span
from twicetold.reports.comparison_words import (
    dotplot_line,
    figures_lines,
    name_of,
    summary,
    verdict,
    verdict_line,
)
from twicetold.reports.printable import printable
from twicetold.reports.table import percent
from twicetold.reports.words import count_of

__all__ = ["print_comparison"]

#: Code points of a passage that are shown; the page has all.
_LONGEST = 600
_COLOURS = ("cyan", "yellow", "green", "magenta", "blue", "red")


def print_comparison(found: Comparison, console: Console, *, limit: int) -> None:
    """Print what two sides have in common: in words, then passage by passage."""
    console.print(Text(verdict(found), style="bold"), soft_wrap=True)
    for line in (*summary(found), *figures_lines(found)):
        console.print(Text(printable(line)), soft_wrap=True)
    for part in found.parts:
        _print_part(found, part, console)
    rows = [(passage, part) for part in found.parts for passage in part.pair.passages]
    rows.sort(key=lambda row: (row[0].left, row[0].right))
    for number, (passage, part) in enumerate(rows[:limit]):
        _print_passage(found.left, part, passage, number, console)
    if len(rows) > limit:
        more = count_of(len(rows) - limit, "passage").replace(" ", " more ")
        rest = f"{more}: see with --limit, --json or --report"
        console.print()
        console.print(Text(rest, style="dim"), soft_wrap=True)


def _print_part(found: Comparison, part: Part, console: Console) -> None:
    left, right = found.left, part.right
    same = left.document.text == right.document.text
    plot = dotplot(part.dots, len(left.sentences), len(right.sentences), same=same)
    if len(found.parts) > 1:
        name = f"{percent(part.pair.left_in_right)} in {name_of(right)}; dotplot "
    else:
        name = "dotplot "
    console.print(Text(printable(name) + dotplot_line(plot)), soft_wrap=True)
    if part.verdict is not None and len(found.parts) > 1:
        learned = f"  {part.verdict.relation}, {verdict_line(part.verdict)}"
        console.print(Text(printable(learned)), soft_wrap=True)


def _print_passage(
    left: Compared, part: Part, passage: Passage, number: int, console: Console
) -> None:
    colour = _COLOURS[number % len(_COLOURS)]
    console.print()
    title = f"[{number + 1}] {passage.type}, score {percent(passage.score)}"
    console.print(Text(title, style=f"bold {colour}"))
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, expand=True, header_style="dim")
    for side in (left, part.right):
        table.add_column(Text(printable(name_of(side))), ratio=1, overflow="fold")
    table.add_row(
        _passage_text(left, passage.left, colour), _passage_text(part.right, passage.right, colour)
    )
    console.print(table)


def _passage_text(side: Compared, span: Span, colour: str) -> Text:
    """Return the text of a passage, with the words both sides have in colour."""
    end = span.end
    if end - span.start > _LONGEST:
        end = span.start + _LONGEST
        # At the end of a word, where the script has ends of words.
        gap = side.document.text.rfind(" ", end - _LONGEST // 4, end)
        end = gap if gap > 0 else end
    text = Text()
    for start, stop, is_shared in _pieces(side, span.start, end):
        words = " ".join(f"<{side.document.text[start:stop]}>".split())[1:-1]
        text.append(printable(words), style=colour if is_shared else "")
    if end < span.end:
        text.append(" …", style="dim")
    return text


def _pieces(side: Compared, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    for run in side.emphasised:
        if run.end <= start or run.start >= end:
            continue
        if run.start > start:
            yield start, run.start, False
        yield max(run.start, start), min(run.end, end), True
        start = min(run.end, end)
    if start < end:
        yield start, end, False

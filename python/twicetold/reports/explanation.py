"""An explanation, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from twicetold.evidence import Explanation, SentenceEvidence
from twicetold.reports.printable import printable, shorten
from twicetold.reports.table import percent
from twicetold.reports.words import boilerplate_line

__all__ = ["print_explanation"]

_RELATIONS = {
    "identical": "the same text",
    "near-duplicate": "near-duplicates: each is contained in the other",
    "contained": "left is contained in right",
    "contains": "left contains right",
    "version": "versions of one text, each with something of its own",
    "same-form": "the same form with other facts",
}


#: So many of the blocks that were left out are shown.
_EXAMPLES = 3


def print_explanation(found: Explanation, console: Console, *, limit: int) -> None:
    """Print why a pair has its score: in words, by sentence, then by feature."""
    for line in _summary(found):
        console.print(Text(line), soft_wrap=True)
    for name in ("left", "right"):
        _print_side(found, name, console, limit)
    _print_evidence(found, console, limit)


def _summary(found: Explanation) -> Iterator[str]:
    yield f"left   {printable(found.left.id)}"
    yield f"right  {printable(found.right.id)}"
    neither = "overlap, but neither is contained" if found.evidence else "nothing in common"
    yield _RELATIONS.get(found.relation, neither)
    if found.probabilities is not None:
        there, back, taken = map(percent, found.probabilities)
        yield (
            f"probability {there} that left is told in right, {back} of the reverse, {taken} that "
            f"text was taken; a relation holds from {found.threshold:.0%} on"
        )
    yield ""
    for side, name, other in ((found.left, "left", "right"), (found.right, "right", "left")):
        verdict = "contained" if found.is_contained(side) else "not contained"
        part = f"{side.shared:,.2f} of {side.total:,.2f}"
        if found.estimated:
            how = "by the model" if found.learned else "estimated"
            how = how if side.share else "not met by the method"
            part = f"{how}; of its weight {part}"
        is_in = f"likely that {name} is in {other}" if found.learned else f"of {name} is in {other}"
        share = f"{side.share:6.1%} {is_in} ({part})"
        decided = f"threshold {found.threshold:g}: " if found.probabilities is None else ""
        yield f"{share}; {decided}{verdict}"
    yield f"weights from {printable(found.statistics)}"
    for side, name in ((found.left, "left"), (found.right, "right")):
        if side.boilerplate:
            yield boilerplate_line(side.boilerplate, name)
            yield f"  such as {_examples(side.left_out)}"
    if found.left_out:
        yield f"{found.left_out:,} {found.noun} left out: too many documents have them"


def _examples(texts: Iterable[str]) -> str:
    """Return some of what was left out, the longest first."""
    longest = sorted(texts, key=len, reverse=True)[:_EXAMPLES]
    return ", ".join(f"“{printable(shorten(' '.join(text.split()), 60))}”" for text in longest)


def _print_side(found: Explanation, name: str, console: Console, limit: int) -> None:
    side = found.left if name == "left" else found.right
    other = "right" if name == "left" else "left"
    shared = sorted((s for s in side.sentences if s.shared), key=lambda s: (-s.shared, s.number))
    title = f"{name}: {len(shared)} of {len(side.sentences)} sentences are in {other}"
    _print_title(f"{title}, wholly or in part", console)
    rows = ((f"{s.shared / s.weight:.0%}", s) for s in shared[:limit])
    _print_sentences(rows, len(shared) - limit, "green", console)
    boilerplate = [s for s in side.sentences if s.is_boilerplate]
    if boilerplate:
        _print_title(f"{name}: boilerplate of its source, which does not count", console)
        rows = (("", s) for s in boilerplate[:limit])
        _print_sentences(rows, len(boilerplate) - limit, "dim", console)
    if found.is_contained(side) or not side.missing:
        return
    needed = f"{found.needed(side):,.2f} more of its weight would have reached the threshold; "
    lead = "" if found.estimated else needed
    _print_title(f"{name}: {lead}the weightiest of what {other} lacks", console)
    rows = ((f"{s.weight - s.shared:,.1f}", s) for s in side.missing[:limit])
    _print_sentences(rows, len(side.missing) - limit, "red", console)


def _print_title(title: str, console: Console) -> None:
    console.print()
    console.print(Text(title, style="bold"), soft_wrap=True)


def _print_sentences(
    rows: Iterable[tuple[str, SentenceEvidence]], rest: int, style: str, console: Console
) -> None:
    table = _grid()
    for amount, sentence in rows:
        partner = "" if sentence.partner is None else f" ~ {sentence.partner + 1}"
        text = printable(" ".join(sentence.text.split()))
        number = Text(f"[{sentence.number + 1}{partner}]", style="dim")
        table.add_row(Text(amount, style=style), number, Text(text))
    console.print(table)
    _print_rest(rest, "sentences", console)


def _print_evidence(found: Explanation, console: Console, limit: int) -> None:
    if not found.evidence:
        return
    _print_title(f"shared {found.noun} and what they add", console)
    table = _grid()
    for evidence in found.evidence[:limit]:
        number = f"[{evidence.left_sentences[0] + 1} ~ {evidence.right_sentences[0] + 1}]"
        label = Text(printable(evidence.label))
        table.add_row(f"{evidence.weight:,.2f}", Text(number, style="dim"), label)
        other = [link for link in evidence.words if link.left != link.right]
        if other:
            told = ", ".join(f"{w.left} ~ {w.right} {w.correlation:.2f}" for w in other[:limit])
            more = f", {len(other) - limit} more" if len(other) > limit else ""
            table.add_row("", "", Text(printable(f"other words: {told}{more}"), style="dim"))
    console.print(table)
    _print_rest(len(found.evidence) - limit, found.noun, console)


def _grid() -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", min_width=7, no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _print_rest(n: int, noun: str, console: Console) -> None:
    if n > 0:
        text = f"        {n:,} more {noun}: see them with --limit or --json"
        console.print(Text(text, style="dim"), soft_wrap=True)

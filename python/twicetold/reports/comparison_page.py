"""A comparison as one page: both texts side by side, linked; dotplot; figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time
from itertools import accumulate
from pathlib import Path
from typing import Any

from twicetold.comparing import Compared, Comparison, Dot, Part, Verdict, dotplot
from twicetold.comparing.dotplots import DotPattern, thinned
from twicetold.reports.comparison_words import (
    dotplot_line,
    name_of,
    right_name,
    summary,
    verdict,
    verdict_line,
)
from twicetold.reports.files import check_page, replacing
from twicetold.reports.marking import Mark, marked, touched
from twicetold.reports.page import render, shown
from twicetold.reports.table import percent, percents
from twicetold.reports.tree_view import tree_view

__all__ = ["comparison_page", "write_comparison_page"]

#: Passages in a row have different colours; then these come again.
_COLOURS = 8
#: More dots than a plot has pixels to show.
_MOST_DOTS = 250_000
#: Longer texts are laid out where they are looked at; a browser would take long for all of it.
_LONG_TEXT = 60_000
#: What shares are of, without content and with it.
_MEANING = (
    "In means: a sentence there matches.",
    "In means retold, sentence by sentence; content means vocabulary, wherever it stands.",
)
#: So many passages have a link of their own above the texts.
_MOST_CHIPS = 24
#: So many patterns of each name are listed.
_MOST_PATTERNS = 4


def write_comparison_page(found: Comparison, path: str | Path, /) -> None:
    """Write the page to a file, which appears when it is complete."""
    check_page(path)
    with replacing(path) as file:
        file.write(comparison_page(found))


def comparison_page(found: Comparison) -> bytes:
    """Return the page, as bytes in UTF-8."""
    marks = _marks(found)
    parts = [_part(found, number, part, marks) for number, part in enumerate(found.parts)]
    has_content = found.pair.left_content_in_right is not None
    left_marks = sorted(marks, key=lambda mark: mark.left)
    data = {
        "left": _ends(found.left),
        "parts": [part.pop("data") for part in parts],
    }
    return render(
        "compare",
        data,
        scripts=("board",),
        also=["tree"] if any(part["trees"] for part in parts) else [],
        title=shown(f"{name_of(found.left)} · {right_name(found)}"),
        verdict=verdict(found),
        relation=found.pair.relation if found.has_evidence else "none",
        summary=[shown(line) for line in summary(found)],
        figures=list(_figures(found)),
        method=f"{_decided(found)} {_MEANING[has_content]}",
        left={
            **_about(found.left),
            "blocks": marked(found.left, left_marks, "left"),
        },
        parts=parts,
        passages=[_chip(mark) for mark in marks[:_MOST_CHIPS]],
        more_passages=max(len(marks) - _MOST_CHIPS, 0),
    )


def _decided(found: Comparison) -> str:
    """Say by what the verdict came about."""
    if found.verdict is None:
        return f"by {found.method}; contained from {found.threshold:g} on."
    model = found.verdict.settings.get("model", "")
    return f"by {found.method}, model {model}; shares and passages are those of an alignment."


def _marks(found: Comparison) -> list[Mark]:
    """Return the passages with numbers, in the order of left, over all documents of right."""
    rows = [
        (passage, number)
        for number, part in enumerate(found.parts)
        for passage in part.pair.passages
    ]
    rows.sort(key=lambda row: (row[0].left, row[1], row[0].right))
    partners = [_Partners(part.dots) for part in found.parts]
    return [
        Mark(
            number=n + 1,
            colour=n % _COLOURS,
            part=part,
            left=passage.left,
            right=passage.right,
            score=passage.score,
            title=f"passage {n + 1}: {passage.type}, score {percent(passage.score)}",
            to_right=partners[part].of_left,
            to_left=partners[part].of_right,
            left_sentences=touched(passage.left, found.left.sentences),
            right_sentences=touched(passage.right, found.parts[part].right.sentences),
        )
        for n, (passage, part) in enumerate(rows)
    ]


def _chip(mark: Mark) -> dict[str, Any]:
    """Return what leads to a passage: the places where it begins on both sides."""
    return {
        "number": mark.number,
        "colour": mark.colour,
        "words": mark.title.partition(": ")[2],
        "here": mark.anchor("left", mark.sentences("left").start),
        "there": mark.anchor("right", mark.sentences("right").start),
    }


class _Partners:
    """The matches of each sentence, the best first."""

    def __init__(self, dots: Sequence[Dot]) -> None:
        self.of_left: dict[int, list[int]] = {}
        self.of_right: dict[int, list[int]] = {}
        for dot in sorted(dots, key=lambda dot: (-dot.score, dot.left, dot.right)):
            self.of_left.setdefault(dot.left, []).append(dot.right)
            self.of_right.setdefault(dot.right, []).append(dot.left)


def _part(found: Comparison, number: int, part: Part, marks: list[Mark]) -> dict[str, Any]:
    own = [mark for mark in marks if mark.part == number]
    same = found.left.document.text == part.right.document.text
    n_left, n_right = len(found.left.sentences), len(part.right.sentences)
    plot = dotplot(part.dots, n_left, n_right, same=same)
    dots = thinned(part.dots, n_left, n_right, _MOST_DOTS)
    trees = tree_view(found.left, part)
    return {
        **_about(part.right),
        "number": number,
        "share": percent(part.pair.left_in_right),
        "back": percent(part.pair.right_in_left),
        "matched": part.left_matched,
        "blocks": marked(part.right, sorted(own, key=lambda mark: mark.right), "right"),
        "plot": dotplot_line(plot),
        "verdict": "" if part.verdict is None else _verdict(part.verdict),
        "patterns": (patterns := list(_patterns(plot.patterns))),
        "more_patterns": len(plot.patterns) - len(patterns),
        "n_dots": len(part.dots),
        "n_drawn": len(dots),
        "trees": trees,
        "data": {
            "right": _ends(part.right),
            "dots": _coloured(dots, own),
            **({} if trees is None else {"trees": trees.pop("data")}),
        },
    }


def _about(side: Compared) -> dict[str, Any]:
    document = side.document
    about = [document.title, document.source, document.url]
    if document.published is not None:
        about.append(_time(document.published))
    return {
        "id": shown(document.id),
        "name": shown(name_of(side)),
        "about": [shown(text) for text in about if text],
        "sentences": len(side.sentences),
        "long": " long" if len(document.text) > _LONG_TEXT else "",
    }


def _time(published: datetime) -> str:
    """Return a time as UTC, so that two can be compared; a day where only that is known."""
    try:
        told = published.astimezone(UTC)
    except OverflowError:  # a day that calendars of UTC do not have
        return f"{published:%Y-%m-%d}"
    return f"{told:%Y-%m-%d}" if told.time() == time() else f"{told:%Y-%m-%d %H:%M} UTC"


def _figures(found: Comparison) -> list[dict[str, str]]:
    pair, learned = found.pair, found.verdict
    rows: list[tuple[str, float | None]] = [
        ("probability that left is in right", learned.left_in_right if learned else None),
        ("probability that right is in left", learned.right_in_left if learned else None),
        ("of left is in right", pair.left_in_right),
        ("of right is in left", pair.right_in_left),
        ("of left's content is in right", pair.left_content_in_right),
        ("of right's content is in left", pair.right_content_in_left),
        ("resemblance", pair.resemblance),
    ]
    return [
        {"name": name, "value": percent(share), "share": f"{share:.4f}"}
        for name, share in rows
        if share is not None
    ] + [{"name": "odds (at most 100)", "value": f"{pair.odds:.2g}", "share": ""}]


def _verdict(found: Verdict) -> str:
    return f"{found.relation}, {verdict_line(found)}"


def _patterns(patterns: Sequence[DotPattern]) -> Iterator[dict[str, Any]]:
    """Yield some of each name; which come first was decided where they were found."""
    counts: Counter[str] = Counter()
    for pattern in patterns:
        counts[pattern.name] += 1
        if counts[pattern.name] <= _MOST_PATTERNS:
            yield {
                "name": pattern.name,
                "left": _range(pattern.left),
                "right": _range(pattern.right),
                "box": ",".join(map(str, (*pattern.left, *pattern.right))),
            }


def _range(ends: tuple[int, int]) -> str:
    first, last = ends[0] + 1, ends[1] + 1
    if last < first:
        return "–"
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"


def _ends(side: Compared) -> list[int]:
    """Return start and end of each sentence, as a browser counts: in UTF-16."""
    text = side.document.text
    if text.isascii() or max(text) <= "\uffff":
        return [place for span in side.sentences for place in span]
    before = [0, *accumulate(char > "\uffff" for char in text)]
    return [place + before[place] for span in side.sentences for place in span]


def _coloured(dots: Sequence[Dot], marks: Sequence[Mark]) -> list[int]:
    """Return four numbers a dot: left, right, score in percent, and the colour of its passage."""
    here, there = (_marks_at(marks, side) for side in ("left", "right"))
    rows = []
    for dot in dots:
        common = here.get(dot.left, _NOTHING) & there.get(dot.right, _NOTHING)
        colour = marks[min(common)].colour if common else 0
        rows += [dot.left, dot.right, percents(dot.score), colour]
    return rows


_NOTHING: frozenset[int] = frozenset()


def _marks_at(marks: Sequence[Mark], side: str) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for n, mark in enumerate(marks):
        for sentence in mark.sentences(side):
            found.setdefault(sentence, set()).add(n)
    return found

"""A lesson as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from twicetold.evaluation.confusion import Decision
from twicetold.learning.deciding import accuracies
from twicetold.learning.held_out import HeldOut
from twicetold.learning.learning import Lesson
from twicetold.learning.reliability import Reliability
from twicetold.reports.printable import printable
from twicetold.reports.words import count_of

__all__ = ["lesson_lines"]

_FIGURES = {
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "accuracy": "accuracy",
    "accuracy_related": "on related",
    "accuracy_unrelated": "on unrelated",
    "accuracy_balanced": "balanced",
}


def lesson_lines(lesson: Lesson) -> Iterator[str]:
    """Say what was learned from what, and what it is worth."""
    yield from _about(lesson)
    yield from _held_out(lesson)
    yield from _reliability(lesson.held_out.reliability)
    yield from _curve(lesson)
    yield from _similarities(lesson)


def _about(lesson: Lesson) -> Iterator[str]:
    patterns, model, plan = lesson.patterns, lesson.model, lesson.plan
    related = int((patterns.positive & patterns.met).sum())
    unrelated = int((~patterns.positive).sum())
    sources = len({*patterns.left.tolist(), *patterns.right.tolist()})
    yield (
        f"{printable(lesson.labelled)}: {related:,} related and {unrelated:,} unrelated pairs "
        f"of {count_of(sources, 'source')}"
    )
    missed = int(patterns.weight[patterns.positive & ~patterns.met].sum())
    if missed:
        what = count_of(missed, "related pair")
        yield f"{what} not met from {model.floor:g} on: counted as missed"
    methods = "+".join(member.name for member in model.members)
    gamma = "" if plan.gamma is None else f", gamma 2^{plan.gamma}"
    kind = "left in right" if model.directed else "related"
    yield (
        f"model {model.version} of {methods}: {plan.kernel}, C 2^{plan.c}{gamma}; "
        f"{kind} from a probability of {_number(model.threshold)} on"
    )


def _held_out(lesson: Lesson) -> Iterator[str]:
    found = lesson.held_out
    times = f", {found.repeats} times over" if found.repeats > 1 else ""
    yield from _title(f"on {lesson.plan.folds} folds of sources that were held out{times}")
    head = ["", *_FIGURES.values()]
    rows = [
        _row("learned", found.learned),
        _row("best single threshold", found.rival),
        _row("best with hindsight", found.hindsight),
    ]
    yield from _table([head, *rows])
    names = list(dict.fromkeys(rival.name for rival in found.rivals))
    yield f"  the single threshold is on {', '.join(names)}, as the other folds have it best"
    yield f"  with hindsight it is on {found.best}, which turns out best on the folds held out"
    yield from _higher(found, found.rival, "difference", "the single threshold")
    yield from _higher(found, found.hindsight, "difference_hindsight", "hindsight")


def _higher(found: HeldOut, rival: Decision, interval: str, words: str) -> Iterator[str]:
    ends = found.intervals.get(interval)
    one, other = found.learned.f1, rival.f1
    if ends and one is not None and other is not None:
        least, most = (_number(end, sign=True) for end in ends)
        way = "higher" if one >= other else "lower"
        yield f"  F1 is {_number(abs(one - other))} {way} than of {words} [{least} {most}]"


def _row(name: str, decision: Decision) -> list[str]:
    figures = accuracies(decision)
    return [name, *(_number(figures[key]) for key in _FIGURES)]


def _reliability(found: Reliability) -> Iterator[str]:
    if found.bins:
        yield from _title("what is said to be so likely, and how often it is so, on the same folds")
        head = ["probability", "pairs", "mean", "related", "95% interval"]
        rows = [
            [
                f"{_number(own.low, 1)} to {_number(own.high, 1)}",
                f"{own.pairs:,.0f}",
                _number(own.predicted),
                _number(own.observed),
                " to ".join(map(_number, own.interval)),
            ]
            for own in found.bins
        ]
        yield from _table([head, *rows])
        yield f"  off by {_number(found.error)} in the mean; Brier score {_number(found.brier)}"


def _curve(lesson: Lesson) -> Iterator[str]:
    if lesson.curve:
        yield from _title("by the number of pairs learned from")
        head = ["pairs", *_FIGURES.values()]
        rows = [
            [f"{point.size:,}", *(_number(point.figures[key]) for key in _FIGURES)]
            for point in lesson.curve
        ]
        yield from _table([head, *rows])


def _similarities(lesson: Lesson) -> Iterator[str]:
    if lesson.contributions:
        yield from _title("what each similarity contributes, as F1 on the held out folds")
        head = ["", "weight", "alone", "all but it", "all, it shuffled"]
        rows = [
            [
                each.name,
                "-" if each.weight is None else f"{each.weight:+.2f}",
                *(_number(value) for value in (each.alone, each.without, each.shuffled)),
            ]
            for each in lesson.contributions
        ]
        yield from _table([head, *rows])


def _title(words: str) -> Iterator[str]:
    yield ""
    yield words


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()


def _number(value: float | None, places: int = 3, *, sign: bool = False) -> str:
    """Write a figure with three places, or as many as are asked for.

    >>> _number(0.9735), _number(1.0), _number(None), _number(0.027, sign=True), _number(0.1, 1)
    ('.974', '1.000', '-', '+.027', '.1')
    """
    if value is None:
        return "-"
    text = f"{value:{'+' if sign else ''}.{places}f}"
    return text.replace("0.", ".", 1) if abs(value) < 1 else text

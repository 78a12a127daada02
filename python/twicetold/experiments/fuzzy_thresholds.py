"""Y-perm and Y-var: where false positives and false negatives of fuzzy sets balance."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from twicetold.detectors.fuzzy_set import FuzzySet
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.sentence_truth import Counts, Similar, counts_of, truth_of

__all__ = ["crossing", "permission", "variation"]

#: The thesis' thresholds.
PERMISSION, VARIATION = 0.825, 0.15
_PERMISSIONS = tuple(round(0.5 + 0.005 * n, 3) for n in range(101))
_VARIATIONS = tuple(round(0.0125 * n, 4) for n in range(15))
#: Every tenth step is that of the thesis: 0.05.
_SHOWN = 10


def permission(setting: Setting) -> Outcome:
    """Sweep the permission threshold over labelled pairs of sentences."""
    truth = truth_of(setting)
    both = Similar(truth, setting.threads).of(FuzzySet())
    counts = [
        counts_of([min(two) >= at - 1e-9 for two in both], truth.positive)
        for at in setting.steps(_PERMISSIONS, "thresholds")
    ]
    found = crossing(_PERMISSIONS, counts)
    shown = list(zip(_PERMISSIONS, counts, strict=True))[::_SHOWN]
    return Outcome(
        name="Y-perm",
        title="false positives and false negatives by the permission threshold",
        columns=("permission", "FP %", "FN %", "precision", "recall", "F1"),
        rows=tuple(_row(at, of) for at, of in shown),
        figures=(_figure("permission threshold", _PERMISSIONS, counts, PERMISSION),),
        conclusion=_conclusion("permission", found, PERMISSION),
        notes=(truth.about, "FP % of the pairs that are not alike, FN % of those that are"),
    )


def variation(setting: Setting) -> Outcome:
    """Sweep the variation threshold over the pairs above the permission threshold."""
    truth = truth_of(setting)
    both = Similar(truth, setting.threads).of(FuzzySet())
    above = [n for n, two in enumerate(both) if min(two) >= PERMISSION - 1e-9]
    positive = [truth.positive[n] for n in above]
    counts = [
        counts_of([abs(both[n][0] - both[n][1]) <= at + 1e-9 for n in above], positive)
        for at in setting.steps(_VARIATIONS, "thresholds")
    ]
    found = crossing(_VARIATIONS, counts)
    return Outcome(
        name="Y-var",
        title="the same by the variation threshold, of pairs above the permission threshold",
        columns=("variation", "FP %", "FN %", "precision", "recall", "F1"),
        rows=tuple(_row(at, of) for at, of in zip(_VARIATIONS, counts, strict=True)),
        figures=(_figure("variation threshold", _VARIATIONS, counts, VARIATION),),
        conclusion=_conclusion("variation", found, VARIATION),
        notes=(
            truth.about,
            f"{len(above):,} pairs from {PERMISSION} on, {sum(positive):,} of them alike",
        ),
    )


def _row(at: float, counts: Counts) -> tuple[float, ...]:
    fp, fn = counts.shares
    return (at, 100 * fp, 100 * fn, counts.precision, counts.recall, counts.f1)


def _figure(name: str, x: Sequence[float], counts: Sequence[Counts], thesis: float) -> Figure:
    shares = [of.shares for of in counts]
    top = max(100 * max(two) for two in shares)
    series = (
        Series("false positives", tuple(x), tuple(100 * fp for fp, _ in shares)),
        Series("false negatives", tuple(x), tuple(100 * fn for _, fn in shares)),
        Series("chosen in the thesis", (thesis, thesis), (0.0, top), from_paper=True),
    )
    return Figure(f"errors by the {name}", name, "%", series)


def crossing(x: Sequence[float], counts: Sequence[Counts]) -> float | None:
    """Return where the two curves meet, between two steps in proportion; None if nowhere."""
    apart = [fp - fn for fp, fn in (of.shares for of in counts)]
    for (a, left), (b, right) in pairwise(zip(x, apart, strict=True)):
        if left == 0:
            return a
        if (left > 0) != (right > 0):
            return a + (b - a) * left / (left - right)
    return None


def _conclusion(name: str, found: float | None, thesis: float) -> str:
    if found is None:
        return f"the curves do not cross; the thesis sets the {name} threshold to {thesis}"
    return f"the curves cross at a {name} of {found:.3f}; the thesis sets {thesis}"

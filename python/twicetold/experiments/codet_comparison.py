"""C-cmp: CoDet beside the methods of its table 1, and ours, on the same labelled pairs.

Varol, Can, Aykanat, Kaya, "CoDet", CIKM 2011, table 1: 5,000 documents, 4,727 judged pairs of which
2,875 are containments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from twicetold.evaluation import Evaluation, evaluate
from twicetold.evaluation.judged import is_judged
from twicetold.evaluation.views import mean_of
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.judged_comparison import compare_judged
from twicetold.experiments.planted import truth_of
from twicetold.pipeline import DETECTORS

__all__ = ["METHODS", "PAPER", "compare", "order_conclusion"]


class Printed(NamedTuple):
    """A line of the paper's table."""

    precision: float
    recall: float
    f1: float


#: Table 1 of the paper, the best first.
PAPER: Mapping[str, Printed] = {
    "full-fingerprint": Printed(0.82, 0.88, 0.85),
    "codet": Printed(0.75, 0.76, 0.76),
    "imatch": Printed(0.72, 0.33, 0.45),
    "simhash": Printed(0.53, 0.30, 0.39),
    "dsc": Printed(0.22, 0.45, 0.30),
}
#: The paper's methods, and all others there are.
METHODS = (*PAPER, *(method for method in DETECTORS if method not in PAPER))

#: With what a threshold is tuned: scores down to a low one. What is not here has its defaults.
_WIDE: Mapping[str, Mapping[str, Any]] = {
    "simhash": {"distance": 16},
    "imatch": {"lexicons": 10},
    "minhash": {"mode": "containment", "threshold": 0.1},
}
#: How many resamples an interval comes from.
RESAMPLES = 1000
#: Pairs below it have no score: in a large collection, nearly all pairs have a tiny one.
_FLOOR = 0.05


def compare(setting: Setting) -> Outcome:
    """Judge every method with its defaults, and with a threshold tuned on the other half.

    On a judged collection: related and taken, weighed by strata.
    """
    if setting.labels is not None and is_judged(Path(setting.labels)):
        return compare_judged(setting, PAPER, METHODS, resamples=RESAMPLES)
    truth = truth_of(setting)
    floor = _FLOOR if setting.labels is None else 0.0
    options: dict[str, Any] = {
        "floor": floor,
        "sample_seed": setting.seed,
        "threads": setting.threads,
    }
    found: dict[str, Evaluation] = {}
    wide: dict[str, Evaluation] = {}
    parts: dict[str, dict[str, float]] = {}
    kinds = truth.directed.unordered() if setting.labels is None and truth.directed else None
    for method in setting.steps(METHODS, "methods"):
        found[method] = evaluate(truth.labelled, method=method, bootstrap=RESAMPLES, **options)
        wide[method] = found[method]
        if method in _WIDE:
            given = _WIDE[method]
            wide[method] = evaluate(truth.labelled, method=method, bootstrap=0, **options, **given)
        whole = evaluate(kinds, method=method, bootstrap=0, **options) if kinds else found[method]
        parts[method] = _recalls(whole)
    rows = [(*_row(found[m], wide[m]), *parts[m].values()) for m in found]
    f1s = {method: each.pairs.fixed.f1 or 0.0 for method, each in found.items()}
    return Outcome(
        name="C-cmp",
        title="methods compared: precision, recall and F1, as decided and with a tuned threshold",
        columns=(*_COLUMNS, *(f"R {part}" for part in parts["codet"])),
        rows=tuple(rows),
        figures=(_figure(found, wide), _trade(found)),
        conclusion=order_conclusion(f1s, _certain(found)),
        notes=(
            truth.about,
            f"{found['codet'].pairs.pairs:,} pairs, {found['codet'].pairs.positives:,} related",
            "F1 from and to: 95% interval, resampled by cluster",
            "tuned: the best threshold of one half of the clusters, on the other half; for that "
            + "; ".join(f"{method} has {_words(given)}" for method, given in _WIDE.items()),
        ),
    )


_COLUMNS = (
    "method",
    "P",
    "R",
    "F1",
    "F1 from",
    "F1 to",
    "tuned at",
    "tuned P",
    "tuned R",
    "tuned F1",
    "AUC",
    "seconds",
    "paper P",
    "paper R",
    "paper F1",
)


def _row(found: Evaluation, wide: Evaluation) -> tuple[object, ...]:
    fixed = found.pairs.fixed
    tuned = mean_of(wide.pairs.tuned)
    thresholds = [half.threshold for half in wide.pairs.tuned]
    at = sum(thresholds) / len(thresholds) if thresholds else None
    return (
        found.method,
        fixed.precision,
        fixed.recall,
        fixed.f1,
        *found.pairs.intervals.get("f1", (None, None)),
        at,
        *(tuned.get(name) for name in ("precision", "recall", "f1")),
        wide.pairs.auc,
        found.seconds,
        *PAPER.get(found.method, (None, None, None)),
    )


def _recalls(found: Evaluation) -> dict[str, float]:
    """Return the recall of each part of a set that has related pairs, such as each planted kind."""
    recalls = {name: part.fixed.recall for name, part in found.parts.items()}
    return {name: recall for name, recall in recalls.items() if recall is not None}


def _words(given: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in given.items())


def _certain(found: Mapping[str, Evaluation]) -> set[tuple[str, str]]:
    """Return the pairs of methods of which the first is better beyond doubt."""
    certain = set()
    for one, other in combinations(found, 2):
        difference = found[one].more_than(found[other]).get("f1")
        if difference is not None:
            low, high = difference[1]
            certain |= {(one, other)} if low > 0 else {(other, one)} if high < 0 else set()
    return certain


def order_conclusion(f1s: Mapping[str, float], certain: set[tuple[str, str]]) -> str:
    """Hold our order of the paper's methods against the paper's."""
    ours = sorted(PAPER, key=lambda method: -f1s[method])
    pairs = list(combinations(PAPER, 2))
    agree = [pair for pair in pairs if f1s[pair[0]] > f1s[pair[1]]]
    against = sorted(f"{b} over {a}" for a, b in pairs if (b, a) in certain)
    signs = [" = " if f1s[a] == f1s[b] else " > " for a, b in pairwise(ours)]
    order = "".join(part for both in zip(ours, [*signs, ""], strict=True) for part in both)
    told = (
        f"F1 in the order {order}; {len(agree)} of {len(pairs)} comparisons of methods "
        "come out as in the paper"
    )
    if against:
        return f"{told}; beyond chance against it: {', '.join(against)}"
    return f"{told}; none is beyond chance against it"


def _figure(found: Mapping[str, Evaluation], wide: Mapping[str, Evaluation]) -> Figure:
    methods = tuple(found)
    return Figure(
        "F1 by method",
        "",
        "F1",
        (
            Series(
                "as decided",
                methods,
                tuple(each.pairs.fixed.f1 or 0.0 for each in found.values()),
                ends=tuple(each.pairs.intervals.get("f1") for each in found.values()),
            ),
            Series(
                "tuned on the other half",
                methods,
                tuple(mean_of(each.pairs.tuned).get("f1") for each in wide.values()),
            ),
            Series(
                "paper, table 1",
                methods,
                tuple(PAPER[m].f1 if m in PAPER else None for m in methods),
                from_paper=True,
            ),
        ),
        kind="bar",
    )


def _trade(found: Mapping[str, Evaluation]) -> Figure:
    methods = tuple(found)

    def ours(name: str) -> tuple[float | None, ...]:
        return tuple(each.pairs.fixed.figures()[name] for each in found.values())

    def paper(values: Sequence[float]) -> tuple[float | None, ...]:
        return tuple(values[list(PAPER).index(m)] if m in PAPER else None for m in methods)

    return Figure(
        "Precision and recall as decided",
        "",
        "share",
        (
            Series("precision", methods, ours("precision")),
            Series("recall", methods, ours("recall")),
            Series(
                "paper, precision",
                methods,
                paper([row.precision for row in PAPER.values()]),
                from_paper=True,
            ),
            Series("paper, recall", methods, paper([row.recall for row in PAPER.values()]), True),
        ),
        kind="bar",
    )

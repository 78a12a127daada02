"""C-cmp on a judged collection: every method, and two questions, with the weights of strata."""

from __future__ import annotations

from collections.abc import Mapping

from twicetold.evaluation import JudgedEvaluation, JudgedSet, evaluate_judged, read_judged
from twicetold.evaluation.answers import ANSWERS, Question
from twicetold.experiments.frame import Figure, Outcome, Series, Setting

__all__ = ["compare_judged", "judged_conclusion"]

_COLUMNS = (
    "method",
    "P",
    "R",
    "F1",
    "F1 from",
    "F1 to",
    "best F1",
    "at",
    "AUC",
    "taken P",
    "taken R",
    "taken F1",
    "taken from",
    "taken to",
    "taken AUC",
    "seconds",
    "paper P",
    "paper R",
    "paper F1",
)


def compare_judged(
    setting: Setting,
    paper: Mapping[str, tuple[float, float, float]],
    methods: tuple[str, ...],
    *,
    resamples: int,
) -> Outcome:
    """Judge every method by the judged collection of a setting, as it decides by default."""
    assert setting.labels is not None
    judged = read_judged(setting.labels)
    found = {
        method: evaluate_judged(
            judged,
            method=method,
            bootstrap=resamples,
            sample_seed=setting.seed,
            threads=setting.threads,
        )
        for method in setting.steps(methods, "methods")
    }
    rows = tuple((*_row(each), *paper.get(method, (None,) * 3)) for method, each in found.items())
    return Outcome(
        name="C-cmp",
        title=f"methods compared on {judged.name}: related and taken, each pair as it weighs",
        columns=_COLUMNS,
        rows=rows,
        figures=(_figure(found, "related", paper), _figure(found, "taken", {})),
        conclusion=judged_conclusion(found),
        notes=tuple(_notes(judged, found)),
    )


def _row(found: JudgedEvaluation) -> tuple[object, ...]:
    related, taken = found.related, found.taken
    best = related.best if related.positives else None
    return (
        found.method,
        *_decided(found, "related"),
        best.f1 if best else None,
        best.threshold if best else None,
        related.auc,
        *_decided(found, "taken"),
        taken.auc,
        found.seconds,
    )


def _decided(found: JudgedEvaluation, question: Question) -> tuple[float | None, ...]:
    view = found.views[question]
    ends = view.intervals.get("f1", (None, None)) if view.positives else (None, None)
    return (view.fixed.precision, view.fixed.recall, view.fixed.f1, *ends)


def _figure(
    found: Mapping[str, JudgedEvaluation],
    question: Question,
    paper: Mapping[str, tuple[float, float, float]],
) -> Figure:
    methods = tuple(found)
    views = [each.views[question] for each in found.values()]
    ours = Series(
        "as decided",
        methods,
        tuple(view.fixed.f1 or 0.0 for view in views),
        ends=tuple(view.intervals.get("f1") for view in views),
    )
    best = Series("at the best threshold", methods, tuple(view.best.f1 for view in views))
    printed = Series(
        "paper, table 1",
        methods,
        tuple(paper[m][2] if m in paper else None for m in methods),
        from_paper=True,
    )
    series = (ours, best, printed) if paper else (ours, best)
    return Figure(f"F1 of {question}, by method", "", "F1", series, kind="bar")


def _notes(judged: JudgedSet, found: Mapping[str, JudgedEvaluation]) -> list[str]:
    answers = judged.answers()
    told = ", ".join(f"{n:,} {name}" for name in ANSWERS if (n := answers[name][0]))
    stand = ", ".join(f"{w:,.0f} {name}" for name, (n, w) in answers.items() if n)
    unreported = "a pair that a method does not report has the score 0"
    likely = [method for method, each in found.items() if each.probabilities]
    scores = f"scores of {', '.join(likely)} are probabilities, of the others shares"
    return [
        f"truth: {judged.name}, {len(judged.pairs):,} judged pairs: {told}",
        f"they stand for {stand}",
        "related: near-duplicate, contained or contains; taken: related or overlap",
        f"{unreported}; {scores if likely else 'scores are shares'}",
        "from and to: 95% interval of F1, resampled by connected pairs",
    ]


def judged_conclusion(found: Mapping[str, JudgedEvaluation]) -> str:
    """Say which method is best for each question, and which are not worse beyond chance."""
    parts = []
    for question in ("related", "taken"):
        f1s = {method: each.views[question].fixed.f1 or 0.0 for method, each in found.items()}
        if not any(each.views[question].positives for each in found.values()):
            parts.append(f"no judged pair is {question}")
            continue
        order = sorted(f1s, key=lambda method: -f1s[method])
        first = order[0]
        even = [m for m in order[1:] if not _is_worse(found[m], found[first], question)]
        beside = f", not beyond chance before {', '.join(even)}" if even else ", beyond chance"
        place = order.index("retelling") + 1 if "retelling" in order else None
        own = f"; retelling is number {place} with {f1s['retelling']:.3f}" if place else ""
        if place == 1:
            own = ""
        parts.append(f"{question}: {first} has the best F1, {f1s[first]:.3f}{beside}{own}")
    return "; ".join(parts)


def _is_worse(one: JudgedEvaluation, best: JudgedEvaluation, question: Question) -> bool:
    difference = best.more_than(one, question).get("f1")
    return difference is not None and difference[1][0] > 0

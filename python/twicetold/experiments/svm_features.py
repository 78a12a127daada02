"""L-k: how many terms of a sentence make its feature, and which similarity decides.

Lin, Liao, Lee, "Detecting near-duplicate documents using sentence-level features and supervised
learning", Expert Systems with Applications 40, 2013, call the method KSBS-k and find k = 3 and 4
the most accurate on Enron mail; its tables are not public.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Literal, get_args

from twicetold.detectors.sentence_svm import SentenceSVM
from twicetold.experiments import svm_patterns
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.learning.contributions import alone
from twicetold.learning.deciding import accuracies
from twicetold.learning.held_out import hold_out

__all__ = ["terms", "terms_conclusion"]

Feature = Literal["composite", "terms"]
Counted = Literal["presence", "frequency"]

#: The numbers of terms of a sentence that are tried.
TERMS = (1, 2, 3, 4, 5, 6)
_PAPER = (3, 4)
#: Differences of F1 that nobody would act on.
_SAME = 0.005


def terms(setting: Setting) -> Outcome:
    """Sweep the number of terms, what a feature is, how it counts, and what decides."""
    labelled = svm_patterns.labelled_of(setting)
    plan = svm_patterns.plan_of(setting)
    asked = list(product(get_args(Feature), get_args(Counted), TERMS))
    rows: list[tuple[object, ...]] = []
    f1s: dict[tuple[str, str], list[float]] = {}
    notes: tuple[str, ...] = ()
    for feature, counts, k in setting.steps(asked):
        detector = SentenceSVM(feature=feature, counts=counts, terms=k)
        patterns = svm_patterns.patterns_of(labelled, detector, setting)
        notes = notes or svm_patterns.about(labelled, patterns)
        found, folds = hold_out(patterns, plan, resamples=0)
        figures = accuracies(found.learned)
        single = [alone(patterns, n, folds, plan) for n in range(len(patterns.names))]
        f1s.setdefault((feature, counts), []).append(figures["f1"] or 0.0)
        rows.append((feature, counts, k, *figures.values(), accuracies(found.rival)["f1"], *single))
    return Outcome(
        name="L-k",
        title="KSBS-k: terms of a sentence, one feature or several, there or how often",
        columns=(
            *("feature", "counts", "k", "acc. related", "acc. unrelated", "acc. balanced"),
            *("accuracy", "P", "R", "learned F1", "single F1"),
            *(f"F1 {name}" for name in SentenceSVM.similarities),
        ),
        rows=tuple(rows),
        figures=(
            Figure(
                "F1 of the learned decision by terms of a sentence",
                "k",
                "F1",
                tuple(
                    Series(f"{feature}, {counts}", tuple(map(float, TERMS)), tuple(values))
                    for (feature, counts), values in f1s.items()
                ),
                from_zero=False,
            ),
        ),
        conclusion=terms_conclusion(f1s["composite", "presence"]),
        notes=(
            *notes,
            _COLUMNS_NOTE,
            "the paper's tables are not public; it finds k = 3 and 4 the most accurate",
        ),
    )


_COLUMNS_NOTE = (
    "learned F1: by all similarities; single F1: the best threshold on the best of them; then the "
    "best threshold on each"
)


def terms_conclusion(f1s: Sequence[float]) -> str:
    """Say which numbers of terms are best, and whether they are the paper's."""
    best = max(f1s)
    good = [k for k, value in zip(TERMS, f1s, strict=True) if value >= best - _SAME]
    agree = any(k in _PAPER for k in good)
    named = ", ".join(map(str, good))
    verdict = "as in the paper" if agree else "unlike in the paper, where 3 and 4 are"
    return f"composite features are best (F1 {best:.3f}, within {_SAME}) with k {named}: {verdict}"

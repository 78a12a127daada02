"""L-cmp and L-learn: sentence features beside their rivals, and how many pairs are enough.

Lin, Liao, Lee, Expert Systems with Applications 40, 2013, compare KSBS-k with shingles of 3 words
and SpotSigs, each with the same learner; its tables are not public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from twicetold.detectors.sentence_svm import SentenceSVM
from twicetold.experiments import svm_patterns
from twicetold.experiments.edited import SHARES
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.learning.curve import learning_curve
from twicetold.learning.deciding import accuracies
from twicetold.learning.held_out import hold_out

__all__ = ["RIVALS", "compare", "compare_conclusion", "curve_conclusion", "sizes"]

#: The features that are compared, by name; the first two are the paper's own.
RIVALS: Mapping[str, SentenceSVM] = {
    "KSBS-4": SentenceSVM(terms=4),
    "KSBS-3": SentenceSVM(terms=3),
    "3-grams": SentenceSVM(feature="shingles", gram=3),
    "SpotSigs": SentenceSVM(feature="spotsigs"),
    "sentence 3-grams": SentenceSVM(feature="sentence-grams", gram=3),
}
_OWN = ("KSBS-4", "KSBS-3")
#: The shares of words or sentences that are changed.
RATES: Sequence[float] = SHARES
#: Versions of each document at a rate.
_VERSIONS = 2
#: Differences that nobody would act on.
_SAME = 0.005


def compare(setting: Setting) -> Outcome:
    """Learn by each feature from versions with one rate of changes, rate by rate."""
    rates: Sequence[float | None] = [None] if setting.labels is not None else RATES
    plan = svm_patterns.plan_of(setting)
    rows: list[tuple[object, ...]] = []
    balanced: dict[str, list[float]] = {name: [] for name in RIVALS}
    notes: tuple[str, ...] = ()
    for rate in setting.steps(rates, "rates"):
        shares = SHARES if rate is None else (rate,) * _VERSIONS
        labelled = svm_patterns.labelled_of(setting, shares=shares)
        for name, detector in RIVALS.items():
            patterns = svm_patterns.patterns_of(labelled, detector, setting)
            notes = notes or svm_patterns.about(labelled, patterns)
            found, _ = hold_out(patterns, plan, resamples=0)
            figures = accuracies(found.learned)
            balanced[name].append(figures["accuracy_balanced"] or 0.0)
            told = "-" if rate is None else f"{rate:.0%}"
            rows.append((told, name, *figures.values(), accuracies(found.rival)["f1"]))
    return Outcome(
        name="L-cmp",
        title="sentence features beside their rivals, with the same learner",
        columns=(
            *("changed", "feature", "acc. related", "acc. unrelated", "acc. balanced"),
            *("accuracy", "P", "R", "learned F1", "single F1"),
        ),
        rows=tuple(rows),
        figures=(_compare_figure(rates, balanced),),
        conclusion=compare_conclusion(balanced),
        notes=(*notes, "the paper's tables are not public; it finds KSBS-k at least as accurate"),
    )


def _compare_figure(
    rates: Sequence[float | None], balanced: Mapping[str, Sequence[float]]
) -> Figure:
    """Draw features by the rate of changes or, where pairs are labelled, side by side."""
    if None in rates:
        values = tuple(values[0] for values in balanced.values())
        series = Series("balanced accuracy", tuple(balanced), values)
        return Figure("Balanced accuracy by feature", "feature", "accuracy", (series,), kind="bar")
    x = tuple(f"{rate:.0%}" for rate in rates)
    return Figure(
        "Balanced accuracy by the share of words or sentences changed",
        "changed",
        "accuracy",
        tuple(Series(name, x, tuple(values)) for name, values in balanced.items()),
        from_zero=False,
    )


def compare_conclusion(balanced: Mapping[str, Sequence[float]]) -> str:
    """Say whether sentence features are as accurate as each rival, in the mean over the rates."""
    means = {name: sum(values) / len(values) for name, values in balanced.items()}
    own = max(_OWN, key=lambda name: means[name])
    better = [name for name in means if name not in _OWN and means[name] > means[own] + _SAME]
    told = ", ".join(f"{name} {value:.3f}" for name, value in means.items())
    if better:
        verdict = f"{' and '.join(better)} more accurate than {own}, unlike in the paper"
    else:
        verdict = f"{own} at least as accurate as its rivals, as in the paper"
    return f"balanced accuracy in the mean: {told}; {verdict}"


def sizes(setting: Setting) -> Outcome:
    """Learn from ever more pairs."""
    labelled = svm_patterns.labelled_of(setting)
    plan = svm_patterns.plan_of(setting)
    points = []
    notes: tuple[str, ...] = ()
    for _ in setting.steps([0]):
        patterns = svm_patterns.patterns_of(labelled, SentenceSVM(), setting)
        notes = svm_patterns.about(labelled, patterns)
        _, folds = hold_out(patterns, plan, resamples=0)
        points = list(learning_curve(patterns, folds, plan))
    x = tuple(float(point.size) for point in points)
    return Outcome(
        name="L-learn",
        title="KSBS-4: accuracy by the number of pairs learned from",
        columns=(
            *("pairs", "acc. related", "acc. unrelated", "acc. balanced"),
            *("accuracy", "P", "R", "F1"),
        ),
        rows=tuple((point.size, *point.figures.values()) for point in points),
        figures=(
            Figure(
                "Figures by the number of pairs learned from",
                "pairs",
                "share",
                tuple(
                    Series(told, x, tuple(point.figures[name] for point in points))
                    for told, name in (("balanced accuracy", "accuracy_balanced"), ("F1", "f1"))
                ),
                log_x=True,
                from_zero=False,
            ),
        ),
        conclusion=curve_conclusion(
            [point.size for point in points], [point.figures["f1"] or 0.0 for point in points]
        ),
        notes=notes,
    )


def curve_conclusion(counts: Sequence[int], f1s: Sequence[float]) -> str:
    """Say from how many pairs on more of them change little."""
    last = f1s[-1]
    flat = len(f1s) - 1
    while flat > 0 and abs(f1s[flat - 1] - last) <= 2 * _SAME:
        flat -= 1
    return (
        f"F1 {f1s[0]:.3f} from {counts[0]:,} pairs and {last:.3f} from {counts[-1]:,}; "
        f"from {counts[flat]:,} on it stays within {2 * _SAME} of that"
    )

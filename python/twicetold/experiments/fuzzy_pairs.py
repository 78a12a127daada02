"""Y-2081 and Y-corr: how well pairs of sentences are told apart, and what correlations add."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twicetold.correlations import CorrelationUnit
from twicetold.detectors.fuzzy_set import FuzzySet
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.sentence_truth import (
    Counts,
    Similar,
    Truth,
    best_threshold,
    counts_at,
    counts_of,
    pearson,
    truth_of,
)
from twicetold.extras import install_command
from twicetold.relatedness import has_table
from twicetold.sentence_similarity import (
    MEASURES,
    Background,
    SentenceSimilarity,
    learn_similarity,
    rows_of,
)

__all__ = ["correlations", "mean_pearson", "on_known", "sentence_pairs", "tuned"]

#: The thesis' table 4.7 as counts: groups 1 and 2, and both.
THESIS = {
    "thesis, group 1": Counts(87, 28, 13, 913),
    "thesis, group 2": Counts(92, 37, 9, 902),
    "thesis, both": Counts(179, 65, 22, 1815),
}
_FLOORS = (0.02, 0.05, 0.1, 0.2)
_UNITS: tuple[CorrelationUnit, ...] = ("document", "paragraph", "sentence")
#: The table of English words, and the cosines from which on its words count.
_TABLE = "wordllama"
_COSINES = (0.2, 0.3, 0.4, 0.5)
_NO_TABLE = f"the table of wordllama is not installed: {install_command('words')}"
_PENALTIES = (3.0, 10.0, 30.0, 100.0)


def sentence_pairs(setting: Setting) -> Outcome:
    """Compare fuzzy sets and learned similarity with simpler measures, and with the thesis."""
    truth = truth_of(setting)
    steps = iter(setting.steps(("fuzzy sets", "measures", "learning"), "methods"))
    next(steps)
    detector = FuzzySet()
    both = Similar(truth, setting.threads).of(detector)
    next(steps)
    background = Background(truth.background, threads=setting.threads)
    measured = background.measure(truth.pairs, threads=setting.threads)
    all_rows = rows_of(measured)
    column = {name: [row[n] for row in all_rows] for n, name in enumerate(MEASURES)}
    next(steps)
    scores: dict[str, list[float]] = {
        "all alike": [1.0] * len(truth.pairs),
        "words in common": column["content terms, mean"],
        "idf cosine": column["idf cosine"],
        "fuzzy set, smaller Sim": [min(two) for two in both],
        "learned": _learned(truth, measured, setting.threads),
    }
    rows: list[tuple[Any, ...]] = [_thesis_row(name, counts) for name, counts in THESIS.items()]
    tested = truth.rows(tested=True)
    equal = [detector.is_equal(*both[n]) for n in tested]
    decided = counts_of(equal, [truth.positive[n] for n in tested])
    rows.append(
        (
            "fuzzy set, EQ as printed",
            detector.permission,
            *_figures(decided),
            None,
            decided.thesis_f1,
        )
    )
    for name, values in scores.items():
        threshold, counts = tuned(truth, values)
        r = mean_pearson(truth, values) if truth.graded else None
        rows.append((name, threshold, *_figures(counts), r, counts.thesis_f1))
    list(steps)
    names = tuple(str(row[0]) for row in rows)
    ours = tuple(None if name in THESIS else row[8] for name, row in zip(names, rows, strict=True))
    paper = tuple(row[8] if name in THESIS else None for name, row in zip(names, rows, strict=True))
    return Outcome(
        name="Y-2081",
        title="pairs of sentences told apart; thresholds and weights from other pairs",
        columns=("method", "threshold", "TP", "FP", "FN", "TN", "precision", "recall", "F1",
                 "accuracy", "Pearson", "F1, thesis' way"),
        rows=tuple(rows),
        figures=(
            Figure("F1 of pairs of sentences", "method", "F1",
                   (Series("ours", names, ours), Series("thesis", names, paper, from_paper=True)),
                   kind="bar"),
        ),
        conclusion=_conclusion(rows, graded=truth.graded),
        notes=(
            truth.divided,
            f"words counted in {len(truth.background):,} texts; F1 is the usual one: the thesis'",
            "own (.92 and .93 there) takes percentages for counts, whatever is frequent",
        ),
    )  # fmt: skip


def _learned(truth: Truth, measured: memoryview[float], threads: int) -> list[float]:
    """Return the values of weights learned from the pairs that are not reported."""
    train = truth.rows(tested=False)
    kind: Any = "ridge" if truth.graded else "logistic"
    content, size = measured.tobytes(), 8 * len(MEASURES)

    def fitted(chosen: Sequence[int], penalty: float) -> SentenceSimilarity:
        part = b"".join(content[size * n : size * (n + 1)] for n in chosen)
        view = memoryview(part).cast("d", shape=[len(chosen), len(MEASURES)])
        labels = [truth.labels[n] for n in chosen]
        return learn_similarity(view, labels, kind=kind, penalty=penalty, threads=threads)

    # The penalty is chosen on every fourth pair to learn from.
    held, rest = train[::4], [n for k, n in enumerate(train) if k % 4]

    def quality(penalty: float) -> float:
        model = fitted(rest, penalty)
        values = model.values(measured)
        return pearson([values[n] for n in held], [truth.labels[n] for n in held])

    return fitted(train, max(_PENALTIES, key=quality)).values(measured)


def tuned(truth: Truth, values: Sequence[float], *, tested: bool = True) -> tuple[float, Counts]:
    """Return the best threshold of the pairs to learn from, and what it gives on the others.

    ``tested`` False: on the same.
    """
    train, asked = truth.rows(tested=False), truth.rows(tested=tested)
    threshold = best_threshold([values[n] for n in train], [truth.positive[n] for n in train])
    return threshold, counts_at(
        [values[n] for n in asked], [truth.positive[n] for n in asked], threshold
    )


def mean_pearson(truth: Truth, values: Sequence[float], *, tested: bool = True) -> float:
    """Return the mean of the correlations of each reported part.

    ``tested`` False: of each part to learn from.
    """
    asked = truth.rows(tested=tested)
    parts = sorted({truth.parts[n] for n in asked})
    found = []
    for part in parts:
        own = [n for n in asked if truth.parts[n] == part]
        found.append(pearson([values[n] for n in own], [truth.labels[n] for n in own]))
    return sum(found) / len(found)


def _figures(counts: Counts) -> tuple[float, ...]:
    return (*counts, counts.precision, counts.recall, counts.f1, counts.accuracy)


def _thesis_row(name: str, counts: Counts) -> tuple[Any, ...]:
    return (name, 0.825, *_figures(counts), None, counts.thesis_f1)


def _conclusion(rows: Sequence[Sequence[Any]], *, graded: bool) -> str:
    own = {row[0]: row for row in rows if row[0] not in THESIS}
    best = max(own.values(), key=lambda row: row[10] or 0.0 if graded else row[8])
    told = f"F1 {best[8]:.3f}, accuracy {best[9]:.3f}"
    if graded:
        told += f", Pearson {best[10]:.3f}"
    fuzzy = own["fuzzy set, smaller Sim"]
    return (
        f"best: {best[0]} ({told}); fuzzy set with a tuned permission F1 {fuzzy[8]:.3f}; "
        "the thesis reports 0.804 on its pairs"
    )


def correlations(setting: Setting) -> Outcome:
    """Take correlations from documents, paragraphs, sentences and a table, with several floors."""
    truth = truth_of(setting)
    similar = Similar(truth, setting.threads)
    rows: list[tuple[Any, ...]] = []
    sources = dict.fromkeys(_UNITS, _FLOORS) | ({_TABLE: _COSINES} if has_table() else {})
    tried = [(source, floor) for source, floors in sources.items() for floor in floors]
    for source, floor in setting.steps(tried):
        detector = _taking(source, floor)
        found = similar.correlations(detector)
        values = [min(two) for two in similar.of(detector)]
        threshold, counts = tuned(truth, values)
        figures = (counts.f1, counts.accuracy, mean_pearson(truth, values))
        known = on_known(truth, values)
        rows.append((source, floor, found.n_words, found.n_pairs, known, threshold, *figures))
    figure, place = ("Pearson", 8) if truth.graded else ("F1", 6)
    series = tuple(
        Series(source, floors, tuple(row[place] for row in rows if row[0] == source))
        for source, floors in sources.items()
    )
    return Outcome(
        name="Y-corr",
        title="where correlations of words come from, and from which value on they count",
        columns=("unit", "floor", "words", "pairs of words", f"{figure}, to learn from",
                 "threshold", "F1", "accuracy", "Pearson"),
        rows=tuple(rows),
        figures=(
            Figure(f"{figure} by the floor of correlations", "floor", figure, series, log_x=True,
                   from_zero=False),
        ),
        conclusion=_best_floors(rows),
        notes=(
            truth.divided,
            f"correlations counted in {len(truth.background):,} texts; threshold of the smaller",
            "Sim tuned on the pairs that are not reported; the thesis: documents, no floor",
            "of wordllama the words of the pairs are related, as nothing has to be counted",
            *(() if has_table() else (_NO_TABLE,)),
        ),
    )  # fmt: skip


def on_known(truth: Truth, values: Sequence[float]) -> float:
    """Return what is chosen by: Pearson or F1 of the pairs that are not reported."""
    if truth.graded:
        return mean_pearson(truth, values, tested=False)
    return tuned(truth, values, tested=False)[1].f1


def _best_floors(rows: Sequence[Sequence[Any]]) -> str:
    """Say which source wins, each with the floor that is best on the pairs to learn from."""
    chosen = [
        max((row for row in rows if row[0] == source), key=lambda row: row[4])
        for source in dict.fromkeys(row[0] for row in rows)
    ]
    best = max(chosen, key=lambda row: row[4])
    told = (
        f"{row[0]} from {row[1]} on: F1 {row[6]:.3f}, accuracy {row[7]:.3f}, Pearson {row[8]:.3f}"
        for row in chosen
    )
    return f"best, by the pairs to learn from: {best[0]}; {'; '.join(told)}"


def _taking(source: str, floor: float) -> FuzzySet:
    if source == _TABLE:
        return FuzzySet(relatedness="wordllama", correlation_floor=floor)
    return FuzzySet(correlation_unit=source, correlation_floor=floor)  # type: ignore[arg-type]

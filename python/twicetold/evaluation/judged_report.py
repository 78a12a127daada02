"""Evaluations by judged collections for people: blocks of figures, a line a method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from twicetold.evaluation.answers import ANSWERS, QUESTIONS, Question, is_true
from twicetold.evaluation.judged import JudgedSet
from twicetold.evaluation.judged_evaluating import JudgedEvaluation
from twicetold.evaluation.judged_views import relations_and_answers
from twicetold.evaluation.report import Row, block, clusters_in_words, number
from twicetold.reports.printable import printable
from twicetold.reports.words import count_of

__all__ = ["judged_lines"]

_MEANING: dict[Question, str] = {
    "related": "related: who has read one need not read the other",
    "taken": "taken: related, or a passage with particular content is in both",
}
_FIGURES = ("precision", "recall", "f1")


def judged_lines(evaluations: Sequence[JudgedEvaluation]) -> Iterator[str]:
    """Say how several methods did on one judged collection."""
    first = evaluations[0]
    yield from _about(first.judged)
    for question in QUESTIONS:
        yield from _question_blocks(evaluations, question)
    if len(evaluations) == 1:
        yield from _relations(first)
        for question in QUESTIONS:
            yield from _reliability(first, question)
    else:
        for question in QUESTIONS:
            yield from _differences(evaluations, question)
    yield from _notes(evaluations)


def _about(judged: JudgedSet) -> Iterator[str]:
    answers = judged.answers()
    told = ", ".join(f"{answers[name][0]:,} {name}" for name in ANSWERS if answers[name][0])
    unsure = sum(not pair.sure for pair in judged.pairs)
    yield f"{printable(judged.name)}: {count_of(len(judged.pairs), 'judged pair')}: {told}"
    if any(pair.weight != 1 for pair in judged.pairs):
        weights = ", ".join(f"{w:,.0f} {name}" for name, (n, w) in answers.items() if n)
        yield f"they stand for {weights}"
    if unsure or judged.unanswered:
        waiting = f"; {judged.unanswered:,} without an answer" if judged.unanswered else ""
        yield f"readers were not sure of {unsure:,}{waiting}"
    agreed = judged.agreement()
    if agreed is not None:
        yield (
            f"second reader: {agreed['pairs']:,} pairs, the same answer for {agreed['same']:,}; "
            f"kappa {number(agreed['answers'])}, related {number(agreed['related'])}, "
            f"taken {number(agreed['taken'])}"
        )


def _question_blocks(evaluations: Sequence[JudgedEvaluation], question: Question) -> Iterator[str]:
    yield ""
    yield _MEANING[question]
    views = [(found, found.views[question]) for found in evaluations]
    if not views[0][1].positives:
        yield f"  no judged pair is {question}"
        rows = [Row(found.method, "", view.fixed.figures(), {}) for found, view in views]
        yield from block("as decided", ("false_positive_rate",), rows)
        return
    rows = []
    for found, view in views:
        error = found.reliability[question].error
        figures = {**view.figures(), "calibration_error": error}
        rows.append(Row(found.method, "", figures, view.intervals))
    columns = (*_FIGURES, "auc", "calibration_error")
    yield from block("as decided, every pair as it weighs", columns, rows)
    best = [Row(f.method, number(v.best.threshold), v.best.figures(), {}) for f, v in views]
    yield from block("at the best threshold of these pairs", _FIGURES, best)


def _relations(found: JudgedEvaluation) -> Iterator[str]:
    """Yield what pairs of each relation were judged to be."""
    rows = relations_and_answers(found.judged.pairs, found.said)
    head = ["", *ANSWERS, *QUESTIONS]
    cells = []
    for relation, answers in rows.items():
        counts = (f"{n:,}" if n else "" for n, _ in answers.values())
        total = sum(weight for _, weight in answers.values())
        shares = (
            number(sum(w for name, (_, w) in answers.items() if is_true(question, name)) / total)
            for question in QUESTIONS
        )
        cells.append([relation, *counts, *shares])
    yield ""
    yield f"what {found.method} says, how many such pairs were judged so, and shares as they weigh"
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    for line in (head, *cells):
        first, *rest = line
        right = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        yield f"  {first:<{widths[0]}}  {'  '.join(right)}".rstrip()


def _reliability(found: JudgedEvaluation, question: Question) -> Iterator[str]:
    """Yield how many pairs of each score are what the score says."""
    own = found.reliability[question]
    if not own.bins:
        return
    what = "probability" if found.probabilities else "score, which is a share and no probability"
    yield ""
    yield f"{question} by {what}: reported pairs, mean score, share of them that are"
    for one in own.bins:
        yield (
            f"  {one.start:.1f} to {one.end:.1f}  {one.pairs:>5,}  "
            f"{number(one.score):>5}  {number(one.share):>5}"
        )
    yield (
        f"  expected calibration error {number(own.error)}; "
        f"every judged pair once: {number(own.error_of_judged)}"
    )


def _differences(evaluations: Sequence[JudgedEvaluation], question: Question) -> Iterator[str]:
    first, *others = evaluations
    rows = []
    for found in others:
        known = found.more_than(first, question)
        values = {name: value for name, (value, _) in known.items()}
        ends = {name: between for name, (_, between) in known.items()}
        rows.append(Row(found.method, "", values, ends))
    if any(row.figures for row in rows):
        columns = ("f1", "precision", "recall", "auc")
        yield from block(f"{question} as decided, more than {first.method}", columns, rows)


def _notes(evaluations: Sequence[JudgedEvaluation]) -> Iterator[str]:
    first = evaluations[0]
    notes = ["a pair that is not reported has the score 0"]
    if first.bootstrap:
        drawn = f"{count_of(first.bootstrap, 'resample')} of {clusters_in_words(first.related)}"
        notes.append(f"[ ] 95% interval, from {drawn}, seed {first.seed}")
    for found in evaluations:
        reported = sum(one.is_reported for one in found.said)
        notes.append(f"{found.method}: {reported:,} of the judged pairs reported")
    if n := first.counts.get("missing_documents", 0):
        were = "judged document is" if n == 1 else "judged documents are"
        notes.append(f"{n:,} {were} not among the documents; their pairs score 0")
    yield ""
    yield from notes

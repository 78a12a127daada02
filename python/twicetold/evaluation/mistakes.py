"""The judged pairs that methods are wrong about, worst first, with both texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from twicetold.documents import Report
from twicetold.evaluation.answers import QUESTIONS, Question, is_true
from twicetold.evaluation.judged import JudgedPair
from twicetold.evaluation.judged_evaluating import JudgedEvaluation
from twicetold.evaluation.judged_views import Verdict
from twicetold.records import Document
from twicetold.reports.side_by_side import Entry, side_of, write_side_by_side
from twicetold.reports.words import count_of
from twicetold.scanning import Documents, Source

__all__ = ["Mistake", "documents_by_id", "mistakes", "write_mistakes"]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A pair, and what methods that are wrong about it say. ``by`` has the methods, in order.

    ``size`` is how far the score of the worst of them is from the truth, from 0 to 1.
    """

    pair: JudgedPair
    by: Mapping[str, Verdict]
    wrong: Mapping[str, tuple[Question, ...]]
    size: float


def mistakes(evaluations: Sequence[JudgedEvaluation]) -> list[Mistake]:
    """Return the pairs that any of the methods is wrong about, the worst first.

    How bad a mistake is: by how much the score misses the truth, then by how many methods make it,
    then by how many pairs of the pool the pair stands for.
    """
    found = []
    for n, pair in enumerate(evaluations[0].judged.pairs):
        said = {one.method: one.said[n] for one in evaluations}
        wrong = {method: _wrong(pair, verdict) for method, verdict in said.items()}
        by = {method: verdict for method, verdict in said.items() if wrong[method]}
        if by:
            size = max(_size(pair, said[m], q) for m in by for q in wrong[m])
            found.append(Mistake(pair, by, {method: wrong[method] for method in by}, size))
    return sorted(found, key=lambda one: (-one.size, -len(one.by), -one.pair.weight, one.pair.id))


def _wrong(pair: JudgedPair, said: Verdict) -> tuple[Question, ...]:
    return tuple(q for q in QUESTIONS if said.says(q) != is_true(q, pair.answer))


def _size(pair: JudgedPair, said: Verdict, question: Question) -> float:
    truth = 1.0 if is_true(question, pair.answer) else 0.0
    return abs(truth - min(max(said.score(question), 0.0), 1.0))


def write_mistakes(evaluations: Sequence[JudgedEvaluation], path: str | Path) -> int:
    """Write the pairs that methods are wrong about for reading; return how many.

    The suffix says how: .html is a page, .md or .txt Markdown.
    """
    judged = evaluations[0].judged
    found = mistakes(evaluations)
    wanted = {side for one in found for side in (one.pair.left, one.pair.right)}
    documents = documents_by_id(judged.sources, wanted)
    methods = ", ".join(one.method for one in evaluations)
    of = count_of(len(judged.pairs), "judged pair")
    summary = [
        f"{len(found):,} of {of} are decided otherwise than judged, by {methods}",
        "the worst first: by how far the score is from the judgement",
    ]
    is_one = len(evaluations) == 1
    entries = [_entry(n, one, documents, is_one=is_one) for n, one in enumerate(found, start=1)]
    write_side_by_side(path, f"{judged.name}: pairs judged otherwise", summary, entries)
    return len(found)


def _entry(number: int, one: Mistake, documents: Mapping[str, Document], *, is_one: bool) -> Entry:
    pair = one.pair
    sure = "" if pair.sure else ", not sure"
    second = "" if pair.second in (None, pair.answer) else f", second reader: {pair.second}"
    said = next(iter(one.by.values())).relation if is_one else _methods(len(one.by))
    lines = [f"judged {pair.answer}{sure}{second}" + (f": {pair.note}" if pair.note else "")]
    for method, verdict in one.by.items():
        lines.append(
            f"{method}: {verdict.relation}, related {verdict.related:.2f}, "
            f"taken {verdict.taken:.2f}; wrong about {' and '.join(one.wrong[method])}"
        )
    stratum = f" of stratum {pair.stratum}" if pair.stratum else ""
    lines.append(f"pair {pair.id}{stratum}, stands for {pair.weight:,.1f}")
    sides = [
        side_of("LEFT", pair.left, documents.get(pair.left)),
        side_of("RIGHT", pair.right, documents.get(pair.right)),
    ]
    return Entry(f"{number}. judged {pair.answer}, decided {said}", lines, sides)


def _methods(n: int) -> str:
    return f"otherwise by {count_of(n, 'method')}"


def documents_by_id(sources: Iterable[Source | Document], wanted: set[str]) -> dict[str, Document]:
    """Return those documents of sources that are wanted."""
    every = Documents(tuple(sources), Report(), strict=False)
    return {document.id: document for document in every if document.id in wanted}

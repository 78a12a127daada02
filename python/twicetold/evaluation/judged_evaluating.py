"""`evaluate_judged`: how well a method answers related and taken on a judged collection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twicetold.analysis import Profile
from twicetold.decision import Decision
from twicetold.documents import Report
from twicetold.errors import ParameterError, SourceError
from twicetold.evaluation.answers import QUESTIONS, Question
from twicetold.evaluation.evaluating import BOOTSTRAP
from twicetold.evaluation.found import found_pairs
from twicetold.evaluation.judged import JudgedSet, read_judged
from twicetold.evaluation.judged_views import (
    Reliability,
    Verdict,
    relations_and_answers,
    reliability,
    verdicts,
    view_question,
)
from twicetold.evaluation.resampling import difference
from twicetold.evaluation.runs import from_file, from_scan, parameters_by_method
from twicetold.evaluation.views import PairView
from twicetold.pipeline import Detector, Progress, ignore
from twicetold.scanning import make_detector
from twicetold.statistics import Statistics

__all__ = ["JudgedEvaluation", "evaluate_judged", "evaluate_judged_all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedEvaluation:
    """What came of it: one method on one judged collection.

    ``views`` and ``reliability`` have the figures of both questions; those of views are weighted.
    ``said`` is what the method says of each judged pair. ``probabilities``: whether its scores are
    probabilities, and not shares.
    """

    judged: JudgedSet
    method: str
    parameters: Mapping[str, Any]
    counts: Mapping[str, int]
    said: tuple[Verdict, ...]
    probabilities: bool
    views: Mapping[Question, PairView]
    reliability: Mapping[Question, Reliability]
    bootstrap: int = 0
    seed: int = 0
    seconds: float | None = None

    @property
    def related(self) -> PairView:
        """The figures of whether one document tells the other."""
        return self.views["related"]

    @property
    def taken(self) -> PairView:
        """The figures of whether text was taken."""
        return self.views["taken"]

    def more_than(
        self, other: JudgedEvaluation, question: Question
    ) -> dict[str, tuple[float, tuple[float, float]]]:
        """Return by how much each figure is larger than another's, and the 95% interval of that.

        Both must be evaluations of the same collection with the same seed.
        """
        mine, its = self.views[question], other.views[question]
        found = {}
        for name, samples in mine.samples.items():
            a, b = mine.figures().get(name), its.figures().get(name)
            ends = difference(samples, its.samples[name])
            if a is not None and b is not None and ends is not None:
                found[name] = a - b, ends
        return found

    def to_json(self) -> dict[str, Any]:
        """Return one object of named figures, with the counts behind them."""
        judged = self.judged
        answers = {name: {"pairs": n, "weight": w} for name, (n, w) in judged.answers().items()}
        relations = {
            relation: {name: {"pairs": n, "weight": w} for name, (n, w) in row.items() if n}
            for relation, row in relations_and_answers(judged.pairs, self.said).items()
        }
        found: dict[str, Any] = {
            "set": judged.name,
            "labels": "judgements",
            "method": self.method,
            "parameters": dict(self.parameters),
            "counts": {
                **self.counts,
                "judged_pairs": len(judged.pairs),
                "reported": sum(one.is_reported for one in self.said),
                "unanswered": judged.unanswered,
                "sure": sum(pair.sure for pair in judged.pairs),
            },
            "answers": answers,
            "relations": relations,
            "scores_are": "probabilities" if self.probabilities else "shares",
        }
        for question in QUESTIONS:
            found[question] = {
                **self.views[question].to_json(),
                "reliability": self.reliability[question].to_json(),
            }
        found["second_reader"] = judged.agreement()
        return found | {"bootstrap": self.bootstrap, "seed": self.seed, "seconds": self.seconds}


def evaluate_judged(  # noqa: PLR0913 - every choice of an evaluation, by name
    labels: JudgedSet | str | Path,
    *,
    method: str | Detector = "retelling",
    pairs: str | Path | None = None,
    floor: float | None = None,
    bootstrap: int = BOOTSTRAP,
    sample_seed: int = 0,
    profile: Profile | str | None = None,
    statistics: Statistics | str | Path | None = None,
    decision: Decision | str | Path | None = None,
    language: str | None = None,
    max_key_documents: int = 1000,
    threads: int = 0,
    report: Report | None = None,
    progress: Callable[[Progress], None] = ignore,
    **parameters: Any,
) -> JudgedEvaluation:
    """Judge a method by a judged collection: a folder with ``judgements.jsonl`` and documents.

    The method scans the documents, with statistics of these unless others are given. Related is
    what it calls identical, near-duplicate, contained or contains; taken is that, and what it calls
    version or overlap. A pair that it does not report has the score 0. ``pairs`` is a file that
    `scan` wrote, to be judged instead of a scan; only a ``threshold`` of related can be given
    with it. The other keywords are those of `evaluate`; ``floor`` None is that of `scan`.

    >>> from twicetold import Document
    >>> from twicetold.evaluation.judged import JudgedPair
    >>> dam = "The old dam at Brindle broke on Monday. Ten villages lie below it."
    >>> texts = {"a": dam, "b": f"{dam} Nobody was hurt.", "c": "Shares fell by two percent."}
    >>> dams = JudgedSet(
    ...     "dams",
    ...     tuple(Document(id=id, text=text) for id, text in texts.items()),
    ...     (
    ...         JudgedPair("1", "b", "a", "contains", "contains", weight=2.0),
    ...         JudgedPair("2", "a", "c", "unrelated", "unrelated", weight=30.0),
    ...     ),
    ... )
    >>> found = evaluate_judged(dams, bootstrap=0)
    >>> found.related.fixed.f1, found.taken.auc, found.said[0].relation
    (1.0, 1.0, 'contains')
    """
    if bootstrap < 0:
        msg = f"bootstrap must be at least 0, got {bootstrap!r}"
        raise ParameterError(msg)
    judged = labels if isinstance(labels, JudgedSet) else read_judged(labels)
    if pairs is not None:
        run = from_file(pairs, floor, parameters)
    elif not judged.sources:
        msg = f"{judged.name}: there are no documents beside it; say where they are with documents"
        raise SourceError(msg)
    else:
        options = {
            "floor": floor,
            "profile": profile,
            "statistics": statistics,
            "decision": decision,
            "language": language,
            "max_key_documents": max_key_documents,
            "passages": False,
            "threads": threads,
            "report": Report() if report is None else report,
            "progress": progress,
        }
        run = from_scan(judged, make_detector(method, parameters), options)
    found = list(found_pairs(run.table, judged.ids))
    said = verdicts(judged, found, run.threshold if run.given else None)
    asked: dict[str, Any] = {
        "threshold": run.threshold,
        "seed": sample_seed,
        "bootstrap": bootstrap,
    }
    return JudgedEvaluation(
        judged=judged,
        method=run.method,
        parameters=run.parameters,
        counts=run.counts,
        said=tuple(said),
        probabilities=any(each.probability is not None for *_, each in found),
        views={q: view_question(judged.pairs, said, q, **asked) for q in QUESTIONS},
        reliability={q: reliability(judged.pairs, said, q) for q in QUESTIONS},
        bootstrap=bootstrap,
        seed=sample_seed,
        seconds=run.seconds,
    )


def evaluate_judged_all(
    labels: JudgedSet | str | Path,
    *,
    methods: Sequence[str],
    parameters: Mapping[str, Any],
    **options: Any,
) -> list[JudgedEvaluation]:
    """Judge several methods by the same collection; each takes those parameters that it has."""
    judged = labels if isinstance(labels, JudgedSet) else read_judged(labels)
    found = []
    for method, given in parameters_by_method(methods, parameters).items():
        found.append(evaluate_judged(judged, method=method, **options, **given))
        # What is wrong with the documents is told once, not by every method.
        options["report"] = Report()
    return found

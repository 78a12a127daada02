"""`evaluate`: how well a detector does on labelled data, in one call."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from twicetold.analysis import Profile
from twicetold.decision import Decision
from twicetold.documents import Report
from twicetold.errors import ParameterError
from twicetold.evaluation.found import Found, Measure, check_measure, found_pairs
from twicetold.evaluation.labels import LabelledSet, unordered
from twicetold.evaluation.outcome import Evaluation
from twicetold.evaluation.runs import (
    Run,
    from_comparing,
    from_file,
    from_scan,
    parameters_by_method,
)
from twicetold.evaluation.scored import Rule, Scored, score_clusters, score_pairs
from twicetold.evaluation.sets import read_labels
from twicetold.evaluation.views import PairView, view_clusters, view_pairs
from twicetold.pipeline import Detector, Progress, ignore
from twicetold.scanning import make_detector
from twicetold.statistics import Statistics

__all__ = ["BOOTSTRAP", "evaluate", "evaluate_all"]

log = logging.getLogger(__name__)

#: How many resamples an interval comes from.
BOOTSTRAP = 1000


def evaluate(  # noqa: PLR0913 - every choice of an evaluation, by name
    labels: LabelledSet | str | Path,
    *,
    method: str | Detector = "retelling",
    pairs: str | Path | None = None,
    judge_by: Measure = "containment",
    floor: float = 0.0,
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
) -> Evaluation:
    """Judge a detector by labelled data.

    ``labels`` is a labelled set or the path of one (of a judged collection every pair counts once
    here: `evaluate_judged` weighs them). The detector scans the documents of the set,
    with statistics of these unless others are given, and each labelled pair has the score it got
    there; 0 if it was not found, or scores below ``floor``. ``pairs`` is a file that `scan` wrote,
    to be judged instead of a scan. Of pairs of sentences, a method that can compare any two of them
    is asked for just these, and nothing is 0 because it was not found. ``judge_by`` is what is
    compared with thresholds.

    ``bootstrap`` is the number of resamples behind the 95% intervals, drawn by document cluster
    from ``sample_seed``, which also divides the clusters into halves. The keywords from ``profile``
    to ``threads`` are those of `scan`; what else is given are the parameters of the detector.

    >>> from twicetold import Document
    >>> from twicetold.evaluation import LabelledPair, LabelledSet
    >>> texts = {"a": "The dam broke on Monday.", "b": "The dam broke on Monday. Ten died.",
    ...          "c": "Shares fell by two percent."}
    >>> dams = LabelledSet(
    ...     name="dams",
    ...     sources=tuple(Document(id=id, text=text) for id, text in texts.items()),
    ...     pairs=(LabelledPair("a", "b", 1), LabelledPair("a", "c", 0)),
    ... )
    >>> found = evaluate(dams, bootstrap=0)
    >>> found.pairs.fixed.f1, found.pairs.auc
    (1.0, 1.0)
    """
    check_measure(judge_by)
    if bootstrap < 0:
        msg = f"bootstrap must be at least 0, got {bootstrap!r}"
        raise ParameterError(msg)
    labelled = labels if isinstance(labels, LabelledSet) else read_labels(labels)
    if pairs is not None:
        run = from_file(pairs, floor, parameters)
    else:
        options = {
            "floor": floor,
            "profile": profile,
            "statistics": statistics,
            "decision": decision,
            "language": language,
            "max_key_documents": max_key_documents,
            "threads": threads,
            "report": Report() if report is None else report,
            "progress": progress,
        }
        detector = make_detector(method, parameters)
        compares = labelled.unit == "sentence" and detector.compares_pairs
        run = (from_comparing if compares else from_scan)(labelled, detector, options)
    log.info("%s: %d pairs found by %s", labelled.name, run.table.num_rows, run.method)
    return _judge(labelled, run, judge_by, bootstrap=bootstrap, seed=sample_seed)


def evaluate_all(
    labels: LabelledSet | str | Path,
    *,
    methods: Sequence[str],
    parameters: Mapping[str, Any],
    **options: Any,
) -> list[Evaluation]:
    """Judge several detectors by the same data; each takes those parameters that it has."""
    labelled = labels if isinstance(labels, LabelledSet) else read_labels(labels)
    found = []
    for method, given in parameters_by_method(methods, parameters).items():
        found.append(evaluate(labelled, method=method, **options, **given))
        # What is wrong with the documents is told once, not by every method.
        options["report"] = Report()
    return found


def _judge(
    labelled: LabelledSet, run: Run, measure: Measure, *, bootstrap: int, seed: int
) -> Evaluation:
    # A detector decides by containment; by another measure its threshold has to be applied.
    by_score = run.given or measure != "containment"
    rule = Rule(measure, run.threshold if by_score else None)
    ids = labelled.ids
    asked: dict[str, Any] = {"threshold": run.threshold, "seed": seed, "bootstrap": bootstrap}
    known: dict[str, Any] = {
        "labelled": labelled,
        "method": run.method,
        "parameters": run.parameters,
        "measure": measure,
        "bootstrap": bootstrap,
        "seed": seed,
        "seconds": run.seconds,
    }
    pairs = list(found_pairs(run.table, ids))
    if labelled.clusters:
        scored, edges, decided, clusters = score_clusters(labelled, pairs, rule)
        return Evaluation(
            **known,
            counts={**run.counts, "labelled_documents": len(ids)},
            pairs=view_pairs(scored, graded=False, **asked),
            clusters=view_clusters(scored, edges, decided, clusters, **asked),
        )
    asked |= {"graded": labelled.graded, "test_part": labelled.test_part}
    scored = score_pairs(labelled, pairs, rule)
    unordered = None
    if labelled.directed:
        unordered = view_pairs(score_pairs(labelled.unordered(), pairs, rule), **asked)
    return Evaluation(
        **known,
        counts={
            **run.counts,
            "labelled_documents": len(ids),
            "unlabelled_found": rule.count(run.table) - _n_judged(labelled, pairs, rule),
        },
        pairs=view_pairs(scored, **asked),
        unordered=unordered,
        parts=_parts(labelled, scored, run.threshold),
    )


def _n_judged(labelled: LabelledSet, pairs: Iterable[tuple[str, str, Found]], rule: Rule) -> int:
    """Return how many of the pairs that count as found have a label."""
    keys = labelled.keys
    return sum(
        unordered(left, right) in keys and rule.decides(found, directed=False)
        for left, right, found in pairs
    )


def _parts(labelled: LabelledSet, scored: Scored, threshold: float) -> dict[str, PairView]:
    """Return the figures of each part, each with the pairs of the control."""
    names = [part for part in labelled.parts if part != labelled.control]
    if len(labelled.parts) < 2:  # noqa: PLR2004 - one part is the whole
        return {}
    return {
        part: view_pairs(
            scored.rows({part, labelled.control}),
            threshold=threshold,
            graded=labelled.graded,
            tune=False,
        )
        for part in names
    }

"""`evaluate`: how well a detector does on labelled data, in one call."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from twicetold.analysis import Profile
from twicetold.documents import Report
from twicetold.errors import ParameterError
from twicetold.evaluation.found import Found, Measure, check_measure, found_pairs, read_found
from twicetold.evaluation.labels import LabelledSet, unordered
from twicetold.evaluation.outcome import Evaluation
from twicetold.evaluation.scored import Rule, Scored, score_clusters, score_pairs
from twicetold.evaluation.sentence_pairs import compared_table
from twicetold.evaluation.sets import read_labels
from twicetold.evaluation.views import PairView, view_clusters, view_pairs
from twicetold.parameters import parameters_of
from twicetold.pipeline import Detector, Progress, detector_class, ignore
from twicetold.records import Document
from twicetold.scanning import Documents, make_detector, scan
from twicetold.statistics import Statistics

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["BOOTSTRAP", "evaluate", "evaluate_all"]

log = logging.getLogger(__name__)

#: How many resamples an interval comes from.
BOOTSTRAP = 1000


def evaluate(  # noqa: PLR0913 - every choice of an evaluation, by name
    labels: LabelledSet | str | Path,
    *,
    method: str | Detector = "codet",
    pairs: str | Path | None = None,
    judge_by: Measure = "containment",
    floor: float = 0.0,
    bootstrap: int = BOOTSTRAP,
    sample_seed: int = 0,
    profile: Profile | str | None = None,
    statistics: Statistics | str | Path | None = None,
    language: str | None = None,
    max_key_documents: int = 1000,
    threads: int = 0,
    report: Report | None = None,
    progress: Callable[[Progress], None] = ignore,
    **parameters: Any,
) -> Evaluation:
    """Judge a detector by labelled data.

    ``labels`` is a labelled set or the path of one. The detector scans the documents of the set,
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
        run = _from_file(pairs, floor, parameters)
    else:
        options = {
            "floor": floor,
            "profile": profile,
            "statistics": statistics,
            "language": language,
            "max_key_documents": max_key_documents,
            "threads": threads,
            "report": Report() if report is None else report,
            "progress": progress,
        }
        detector = make_detector(method, parameters)
        compares = labelled.unit == "sentence" and detector.compares_pairs
        run = (_from_comparing if compares else _from_scan)(labelled, detector, options)
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
    own = {name: {known.name for known in parameters_of(detector_class(name))} for name in methods}
    for name in parameters:
        if not any(name in known for known in own.values()):
            msg = f"no parameter {name!r} in {', '.join(methods)}"
            raise ParameterError(msg)
    found = []
    for method in dict.fromkeys(methods):
        given = {name: value for name, value in parameters.items() if name in own[method]}
        found.append(evaluate(labelled, method=method, **options, **given))
        # What is wrong with the documents is told once, not by every method.
        options["report"] = Report()
    return found


class _Run(NamedTuple):
    """What a detector found, and how. ``given``: a threshold to decide by, not the detector."""

    method: str
    parameters: Mapping[str, Any]
    threshold: float
    given: bool
    table: pa.Table
    counts: Mapping[str, int]
    seconds: float | None


def _from_scan(labelled: LabelledSet, detector: Detector, options: dict[str, Any]) -> _Run:
    """Scan the documents of a set, and see to it that those with a label are among them."""
    missing = labelled.ids

    def noted(documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            missing.discard(document.id)
            yield document

    n_labelled = len(missing)
    documents = Documents(labelled.sources, options["report"], strict=False)
    found = scan(noted(documents), method=detector, all_pairs=True, **options)
    if len(missing) == n_labelled:
        raise _no_label(labelled)
    counts = found.manifest.counts
    return _Run(
        method=detector.name,
        parameters=detector.settings(),
        threshold=detector.threshold,
        given=False,
        table=found.table,
        counts={"documents": counts["documents"], "missing_documents": len(missing)},
        seconds=round(sum(found.manifest.seconds.values()), 3),
    )


def _from_comparing(labelled: LabelledSet, detector: Detector, options: dict[str, Any]) -> _Run:
    """Compare the labelled pairs of sentences, and no others."""
    table, n_documents, seconds = compared_table(labelled, detector, options)
    if table.num_rows == 0:
        raise _no_label(labelled)
    known = set(table.column("left").to_pylist()) | set(table.column("right").to_pylist())
    return _Run(
        method=detector.name,
        parameters={p.name: getattr(detector, p.name) for p in parameters_of(type(detector))},
        threshold=detector.threshold,
        given=False,
        table=table,
        counts={"documents": n_documents, "missing_documents": len(labelled.ids - known)},
        seconds=round(seconds, 3),
    )


def _no_label(labelled: LabelledSet) -> ParameterError:
    some = min(labelled.ids)
    msg = f"{labelled.name}: no document has a label; labels are of ids such as {some!r}"
    return ParameterError(msg)


def _from_file(path: str | Path, floor: float, parameters: Mapping[str, Any]) -> _Run:
    """Take the pairs of a file; a threshold is the one parameter that still can be given."""
    import pyarrow.compute as pc

    others = set(parameters) - {"threshold"}
    if others:
        msg = f"pairs from a file have no parameter {min(others)!r}; only a threshold can be given"
        raise ParameterError(msg)
    threshold = parameters.get("threshold")
    table = read_found(path)
    score = pc.max_element_wise(table.column("left_in_right"), table.column("right_in_left"))
    decided = pc.not_equal(table.column("relation"), "overlap")
    return _Run(
        method=Path(path).name,
        parameters={} if threshold is None else {"threshold": threshold},
        threshold=0.5 if threshold is None else threshold,
        given=threshold is not None,
        table=table.filter(pc.or_(decided, pc.greater_equal(score, floor))),
        counts={},
        seconds=None,
    )


def _judge(
    labelled: LabelledSet, run: _Run, measure: Measure, *, bootstrap: int, seed: int
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

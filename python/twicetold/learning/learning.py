"""`learn`: from labelled pairs to a model, in one call."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from twicetold.analysis import Profile, profile_of
from twicetold.documents import Report
from twicetold.errors import ParameterError
from twicetold.evaluation import LabelledSet, read_labels
from twicetold.learning.choosing import Plan, learn_rule
from twicetold.learning.contributions import Contribution, contributions
from twicetold.learning.curve import Point, learning_curve
from twicetold.learning.deciding import OBJECTIVES, Objective
from twicetold.learning.held_out import HeldOut, hold_out
from twicetold.learning.learned import Learned, learned
from twicetold.learning.model import Model
from twicetold.learning.model_file import save_model
from twicetold.learning.patterns import RATIO, Patterns, patterns_of
from twicetold.learning.svm import Kernel, require_extra
from twicetold.learning.vectors import FLOOR, meet, names_of
from twicetold.pipeline import (
    Detector,
    Engine,
    Job,
    Progress,
    engine_of,
    ignore,
)
from twicetold.scanning import Documents, make_detectors
from twicetold.statistics import Statistics

__all__ = ["Lesson", "learn", "measure"]

log = logging.getLogger(__name__)

#: How many resamples an interval comes from.
RESAMPLES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What was learned, and what it is worth.

    ``curve`` and ``contributions`` are empty where they were not asked for.
    """

    model: Model
    plan: Plan
    patterns: Patterns
    held_out: HeldOut
    curve: tuple[Point, ...]
    contributions: tuple[Contribution, ...]
    labelled: str

    def detector(self) -> Learned:
        """Return the detector with the model inside."""
        return learned(self.model)

    def save(self, path: str | Path, /) -> None:
        """Write the model as one file."""
        save_model(self.model, path)

    def to_json(self) -> dict[str, Any]:
        """Return one object of named figures, with the counts behind them."""
        head = self.model.head()
        plan = self.plan
        return {
            "set": self.labelled,
            "model": self.model.version,
            "members": head["members"],
            "profile": head["profile"],
            "directed": self.model.directed,
            "floor": self.model.floor,
            "threshold": self.model.threshold,
            "kernel": plan.kernel,
            "objective": plan.objective,
            "balanced": plan.balanced,
            "c": None if plan.c is None else 2.0**plan.c,
            "gamma": None if plan.gamma is None else 2.0**plan.gamma,
            "folds": plan.folds,
            "seed": plan.seed,
            "counts": _counts(self.patterns),
            "held_out": self.held_out.to_json(),
            "curve": [{"pairs": point.size, **point.figures} for point in self.curve],
            "similarities": [each._asdict() for each in self.contributions],
        }


def _counts(patterns: Patterns) -> dict[str, int]:
    related, met = patterns.positive, patterns.met
    return {
        "patterns": len(patterns),
        "related": int((related & met).sum()),
        "unrelated": int((~related).sum()),
        "related_not_met": int(patterns.weight[related & ~met].sum()),
        "sources": len({*patterns.left.tolist(), *patterns.right.tolist()}),
    }


def learn(  # noqa: PLR0913 - every choice of a lesson, by name
    labels: LabelledSet | str | Path,
    *,
    method: str | Detector | Sequence[str | Detector] = "retelling",
    kernel: Kernel = "linear",
    objective: Objective = "f1",
    balanced: bool = True,
    folds: int = 5,
    repeats: int = 1,
    ratio: float = RATIO,
    floor: float = FLOOR,
    sample_seed: int = 0,
    curve: bool = True,
    contribution: bool = True,
    resamples: int = RESAMPLES,
    engine: str | Engine = "local",
    profile: Profile | str | None = None,
    statistics: Statistics | str | Path | None = None,
    language: str | None = None,
    max_key_documents: int = 1000,
    threads: int = 0,
    report: Report | None = None,
    progress: Callable[[Progress], None] = ignore,
    **parameters: Any,
) -> Lesson:
    """Learn from labelled pairs when documents are related.

    ``labels`` is a labelled set or the path of one. Each ``method`` scans its documents, and a
    support vector machine learns to decide by the similarities of the pairs it meets from ``floor``
    on. C and gamma are found by cross-validation over ``folds`` of sources, the distance to the
    boundary becomes a probability, and the threshold is the one with the best ``objective``. What
    this is worth is judged by folds that are held out, ``repeats`` times, with other folds. At
    most ``ratio`` unrelated pairs are learned from for each related one; these, folds and samples
    are drawn from ``sample_seed``. The keywords from ``profile`` to ``threads`` are those of
    `scan`; what else is given are parameters of the method.

    Needs the extra ``learn``: ``pip install scikit-learn skops``.
    """
    require_extra()
    plan = Plan(
        kernel=kernel,
        objective=objective,
        balanced=balanced,
        ratio=ratio,
        folds=folds,
        seed=sample_seed,
    )
    _check(plan, ratio, floor, repeats)
    labelled = labels if isinstance(labels, LabelledSet) else read_labels(labels)
    members = make_detectors(method, parameters)
    if isinstance(statistics, (str, Path)):
        statistics = Statistics.load(statistics)
    if profile is None:
        profile = members[0].profile if statistics is None else statistics.profile
    job = Job(
        detector=members[0],
        profile=profile_of(profile),
        statistics=statistics,
        language=language,
        max_key_documents=max_key_documents,
        threads=threads,
        progress=progress,
    )
    patterns = measure(
        labelled,
        members,
        job,
        floor=floor,
        ratio=ratio,
        seed=sample_seed,
        engine=engine_of(engine),
        report=report,
    )
    _tell(progress, 0)
    judged, found = hold_out(patterns, plan, resamples=resamples, repeats=repeats)
    _tell(progress, 1)
    rule = learn_rule(patterns, plan)
    model = Model(
        members=members,
        profile=job.profile,
        names=names_of(members),
        directed=patterns.directed,
        floor=floor,
        threshold=rule.threshold,
        boundary=rule.boundary,
        sigmoid=rule.sigmoid,
        figures=judged.to_json(),
        pipeline=rule.pipeline,
    )
    log.info("%s: learned %s from %d pairs", labelled.name, model.version, len(patterns))
    _tell(progress, 2)
    points = tuple(learning_curve(patterns, found, plan)) if curve else ()
    _tell(progress, 3)
    weights = rule.boundary.weights if rule.boundary.gamma is None else None
    parts = tuple(contributions(patterns, found, plan, weights)) if contribution else ()
    _tell(progress, _STEPS)
    return Lesson(
        model=model,
        plan=rule.plan,
        patterns=patterns,
        held_out=judged,
        curve=points,
        contributions=parts,
        labelled=labelled.name,
    )


#: Folds, the model, the curve, the contributions.
_STEPS = 4


def _tell(progress: Callable[[Progress], None], done: int) -> None:
    progress(Progress("learn", done, _STEPS, "steps"))


def measure(
    labelled: LabelledSet,
    members: Sequence[Detector],
    job: Job,
    *,
    floor: float = FLOOR,
    ratio: float = RATIO,
    seed: int = 0,
    engine: Engine | None = None,
    report: Report | None = None,
) -> Patterns:
    """Return the labelled pairs with their similarities: what a decision is learned from."""
    documents = Documents(labelled.sources, Report() if report is None else report, strict=False)
    met = meet(members, documents, floor=floor, engine=engine or engine_of("local"), job=job)
    return patterns_of(labelled, met, ratio=ratio, seed=seed)


def _check(plan: Plan, ratio: float, floor: float, repeats: int) -> None:
    known: dict[str, tuple[Any, Sequence[Any]]] = {
        "kernel": (plan.kernel, get_args(Kernel)),
        "objective": (plan.objective, OBJECTIVES),
    }
    for name, (value, choices) in known.items():
        if value not in choices:
            msg = f"{name} must be {' or '.join(choices)}, got {value!r}"
            raise ParameterError(msg)
    if plan.folds < 2:  # noqa: PLR2004 - one to learn from, one to judge by
        msg = f"folds must be at least 2, got {plan.folds!r}"
        raise ParameterError(msg)
    if repeats < 1:
        msg = f"repeats must be at least 1, got {repeats!r}"
        raise ParameterError(msg)
    if not ratio > 0:
        msg = f"ratio must be above 0, got {ratio!r}"
        raise ParameterError(msg)
    if not 0 <= floor <= 1:
        msg = f"floor must be from 0 to 1, got {floor!r}"
        raise ParameterError(msg)

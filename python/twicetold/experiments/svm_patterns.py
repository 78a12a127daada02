"""What the experiments with a learned decision share: labelled pairs with their similarities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twicetold.analysis import profile_of
from twicetold.evaluation import LabelledSet, read_labels
from twicetold.experiments.collection import take
from twicetold.experiments.edited import SHARES, edited_set
from twicetold.experiments.frame import Setting
from twicetold.learning.choosing import Plan
from twicetold.learning.learning import measure
from twicetold.learning.patterns import Patterns
from twicetold.learning.svm import require_extra
from twicetold.pipeline import Detector, Job

__all__ = ["about", "labelled_of", "patterns_of", "plan_of"]


def labelled_of(setting: Setting, *, shares: Sequence[float] = SHARES) -> LabelledSet:
    """Return the labelled set of a setting, or the documents with edited versions of them."""
    require_extra()
    if setting.labels is not None:
        return read_labels(setting.labels)
    return edited_set(take(setting), documents=setting.documents, shares=shares, seed=setting.seed)


def patterns_of(labelled: LabelledSet, detector: Detector, setting: Setting) -> Patterns:
    """Return the labelled pairs with the similarities of a detector."""
    job = Job(detector=detector, profile=profile_of(detector.profile), threads=setting.threads)
    return measure(labelled, [detector], job, seed=setting.seed)


def plan_of(setting: Setting) -> Plan:
    """Return how decisions are learned: as `learn` does it."""
    return Plan(seed=setting.seed)


_FOLDS_NOTE = (
    "every figure is of 5 folds of sources that were held out; C, probabilities and thresholds are "
    "from the other folds"
)


def _related(patterns: Patterns) -> tuple[Any, Any]:
    return patterns.positive, patterns.positive & patterns.met


def about(labelled: LabelledSet, patterns: Patterns) -> tuple[str, ...]:
    """Say what was learned from, and how it was judged."""
    made = "edited versions made by words or sentences changed" if labelled.name == "edited" else ""
    related, met = (round(patterns.weight[which].sum()) for which in _related(patterns))
    return (
        f"truth: {labelled.name}{', ' if made else ''}{made}",
        f"{related:,} related pairs of {patterns.n_sources:,} sources; row 1 meets {met:,}",
        _FOLDS_NOTE,
    )

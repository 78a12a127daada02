"""Labelled data and what it says about detectors: figures, pooling, test collections.

::

    labels ─► scan ─► scored pairs ─► figures       sets/, found, scored, views, evaluating
    judgements ─► scan ─► related and taken, weighed       judged, judged_views, judged_evaluating
    detectors ─► nominations ─► judgements                 pooling, judging

`evaluate` is the one call from a labelled set to figures, `evaluate_judged` that from a judged
collection.
"""

from __future__ import annotations

from .evaluating import BOOTSTRAP, evaluate, evaluate_all
from .found import MEASURES, Measure
from .judged import JudgedPair, JudgedSet, read_judged
from .judged_evaluating import JudgedEvaluation, evaluate_judged, evaluate_judged_all
from .labels import LabelledPair, LabelledSet
from .outcome import Evaluation
from .removals import JudgedRemovals, evaluate_removals
from .sets import SETS, read_labels

__all__ = [
    "BOOTSTRAP",
    "MEASURES",
    "SETS",
    "Evaluation",
    "JudgedEvaluation",
    "JudgedPair",
    "JudgedRemovals",
    "JudgedSet",
    "LabelledPair",
    "LabelledSet",
    "Measure",
    "evaluate",
    "evaluate_all",
    "evaluate_judged",
    "evaluate_judged_all",
    "evaluate_removals",
    "read_judged",
    "read_labels",
]

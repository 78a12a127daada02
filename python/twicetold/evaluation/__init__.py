"""Labelled data and what it says about detectors: figures, pooling, test collections.

::

    labels ─► scan ─► scored pairs ─► figures       sets/, found, scored, views, evaluating
    detectors ─► nominations ─► judgements ─► labels               pooling, judging

`evaluate` is the one call from a labelled set to figures.
"""

from __future__ import annotations

from .evaluating import BOOTSTRAP, evaluate, evaluate_all
from .found import MEASURES, Measure
from .labels import LabelledPair, LabelledSet
from .outcome import Evaluation
from .sets import SETS, read_labels

__all__ = [
    "BOOTSTRAP",
    "MEASURES",
    "SETS",
    "Evaluation",
    "LabelledPair",
    "LabelledSet",
    "Measure",
    "evaluate",
    "evaluate_all",
    "read_labels",
]

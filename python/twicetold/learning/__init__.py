"""Decisions learned from labelled pairs: a support vector machine over similarities.

::

    labels ─► detectors ─► vectors ─► patterns ─► SVM ─► probability ─► model ─► detector
              vectors.py              patterns    svm    calibration    model    learned

`learn` is the one call from a labelled set to a model; `load_model` and `learned` make a detector
of a model file, which is used everywhere a detector is. Needs the extra ``learn``.
"""

from __future__ import annotations

from .learned import Learned, learned
from .learning import Lesson, learn
from .model import Model
from .model_file import load_model, save_model

__all__ = ["Learned", "Lesson", "Model", "learn", "learned", "load_model", "save_model"]

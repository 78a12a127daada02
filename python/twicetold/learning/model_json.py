"""A model as plain JSON: what an index keeps, so that it decides without the model file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twicetold import _kernel
from twicetold.analysis import Profile
from twicetold.errors import FormatError
from twicetold.learning.calibration import Sigmoid
from twicetold.learning.checks import checked, finite, other_version, share
from twicetold.learning.model import Model, release
from twicetold.learning.svm import Boundary
from twicetold.learning.vectors import names_of
from twicetold.scanning import make_detector

__all__ = ["from_json", "to_json"]


def to_json(model: Model) -> dict[str, Any]:
    """Return all that decides; the figures and what scikit-learn fitted stay behind."""
    boundary = model.boundary
    return {
        **model.head(),
        "mean": list(boundary.mean),
        "scale": list(boundary.scale),
        "weights": list(boundary.weights),
        "intercept": boundary.intercept,
        "gamma": boundary.gamma,
        "support": [list(row) for row in boundary.support],
        "sigmoid": list(model.sigmoid),
    }


def from_json(whole: Mapping[str, Any]) -> Model:
    """Return the model; `FormatError` for one of another version, or of other similarities."""
    if (other := other_version(whole)) is not None:
        what, given, known = other
        msg = f"its model is one of {what} {given}, not {known}"
        raise FormatError(msg)
    if release(whole["twicetold"]) != release(_kernel.VERSION):
        made = whole["twicetold"]
        msg = f"its model was learned with Twicetold {made}, this is {_kernel.VERSION}"
        raise FormatError(msg)
    members = tuple(make_detector(row["method"], row["parameters"]) for row in whole["members"])
    names = tuple(whole["similarities"])
    if names != names_of(members):
        msg = f"its model was learned from other similarities than {', '.join(names_of(members))}"
        raise FormatError(msg)
    slope, offset = whole["sigmoid"]
    boundary = Boundary(
        mean=tuple(whole["mean"]),
        scale=tuple(whole["scale"]),
        weights=tuple(whole["weights"]),
        intercept=whole["intercept"],
        gamma=whole["gamma"],
        support=tuple(map(tuple, whole["support"])),
    )
    return Model(
        members=members,
        profile=Profile(**whole["profile"]),
        names=names,
        directed=whole["directed"],
        floor=share(whole["floor"]),
        threshold=share(whole["threshold"]),
        boundary=checked(boundary, len(names)),
        sigmoid=Sigmoid(finite(slope), finite(offset)),
    )

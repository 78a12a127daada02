"""A model as plain JSON: what an index keeps, so that it decides without the model file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twicetold import _kernel
from twicetold.analysis import Profile
from twicetold.errors import FormatError
from twicetold.learning.calibration import Sigmoid
from twicetold.learning.model import FORMAT_VERSION, Model, release
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
    known = {"format_version": FORMAT_VERSION, "hash_version": _kernel.HASH_VERSION}
    for name, version in known.items():
        if whole[name] != version:
            what = name.replace("_", " ")
            msg = f"its model is one of {what} {whole[name]}, not {version}"
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
    support, weights = whole["support"], whole["weights"]
    rows = [weights] if whole["gamma"] is None else support
    is_fitting = whole["gamma"] is None or len(support) == len(weights)
    rows = [whole["mean"], whole["scale"], *rows]
    if not is_fitting or any(len(row) != len(names) for row in rows):
        msg = f"its model has not one number for each of {len(names)} similarities"
        raise ValueError(msg)
    return Model(
        members=members,
        profile=Profile(**whole["profile"]),
        names=names,
        directed=whole["directed"],
        floor=whole["floor"],
        threshold=whole["threshold"],
        boundary=Boundary(
            mean=tuple(whole["mean"]),
            scale=tuple(whole["scale"]),
            weights=tuple(whole["weights"]),
            intercept=whole["intercept"],
            gamma=whole["gamma"],
            support=tuple(map(tuple, whole["support"])),
        ),
        sigmoid=Sigmoid(*whole["sigmoid"]),
    )

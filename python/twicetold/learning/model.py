"""A model: a learned decision, with everything that has to be the same where it is used."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from twicetold import _kernel
from twicetold.analysis import Profile
from twicetold.errors import ParameterError
from twicetold.learning.calibration import Sigmoid
from twicetold.learning.svm import Boundary
from twicetold.learning.vectors import mirrored, symmetric
from twicetold.parameters import parameters_of
from twicetold.pipeline import Detector

__all__ = ["FORMAT_VERSION", "Model", "release"]

#: The version of the file format.
FORMAT_VERSION = 1


def release(version: Any) -> list[str]:
    """Return the part of a version within which scores stay the same."""
    return str(version).split(".")[:2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A decision over the similarities of some detectors.

    ``members``     the detectors, with their parameters
    ``profile``     the analysis they were run with
    ``names``       of the similarities, one detector after the other
    ``directed``    it says how likely left is in right; else how likely the two are related
    ``floor``       pairs below it in all detectors are not looked at
    ``threshold``   the probability from which on a pair is related
    ``figures``     what the decision was worth where it was learned
    ``pipeline``    the same boundary as scikit-learn fitted it; not needed for deciding
    """

    members: tuple[Detector, ...]
    profile: Profile
    names: tuple[str, ...]
    directed: bool
    floor: float
    threshold: float
    boundary: Boundary
    sigmoid: Sigmoid
    figures: Mapping[str, Any] = field(default_factory=dict, compare=False)
    pipeline: Any = field(default=None, compare=False, repr=False)

    def probabilities(self, vectors: Any) -> tuple[Any, Any]:
        """Return how likely left is in right, and right in left, for rows of similarities.

        Without direction both are how likely the two are related.
        """
        if not self.directed:
            found = self._likely(symmetric(vectors, self.names))
            return found, found
        return self._likely(vectors), self._likely(mirrored(vectors, self.names))

    def _likely(self, vectors: Any) -> Any:
        return self.sigmoid(self.boundary.distances(vectors))

    @property
    def version(self) -> str:
        """What stands for the content: equal content, equal version."""
        numbers = [self.boundary.weights, self.boundary.intercept, self.boundary.mean]
        numbers += [self.boundary.scale, self.boundary.gamma, self.boundary.support, self.sigmoid]
        content = json.dumps([self.head(), numbers], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def head(self) -> dict[str, Any]:
        """Return everything but numbers of the boundary, as the file holds it."""
        return {
            "format": "twicetold model",
            "format_version": FORMAT_VERSION,
            "twicetold": _kernel.VERSION,
            "hash_version": _kernel.HASH_VERSION,
            "members": [
                {"method": member.name, "parameters": member.settings()} for member in self.members
            ],
            "profile": {name: getattr(self.profile, name) for name in type(self.profile).__slots__},
            "similarities": list(self.names),
            "directed": self.directed,
            "floor": self.floor,
            "threshold": self.threshold,
        }

    def require(self, methods: Sequence[str], parameters: Mapping[str, Any]) -> None:
        """Raise `ParameterError` unless methods and parameters given beside are the model's own."""
        own = tuple(member.name for member in self.members)
        for method in methods:
            if method not in own:
                msg = (
                    f"the model was learned for {', '.join(own)}, not for {method}; "
                    f"leave out the method, or learn a model for it"
                )
                raise ParameterError(msg)
        for name, value in parameters.items():
            known = [
                getattr(member, name)
                for member in self.members
                if name in (parameter.name for parameter in parameters_of(type(member)))
            ]
            if value not in known:
                has = f"{name} {known[0]!r}" if known else f"no parameter {name!r}"
                msg = (
                    f"the model was learned with {has}, got {value!r}; "
                    f"leave it out, or learn a model with it"
                )
                raise ParameterError(msg)

"""The decision: whether a pair was told again, taken from, or is the same form with other facts.

Two logistic regressions over quantities that the kernel measures of the two texts and of the
frequencies in the collection. *Related* is asked in both directions (is one document told in the
other?), *taken* of the pair (was text taken?). The coefficients are a file of numbers, learned from
judged pairs by ``make decision``; another file can take its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from twicetold import _kernel
from twicetold.errors import FormatError, ParameterError
from twicetold.statistics import Statistics

__all__ = ["LEAST", "Decision", "Regression", "decision_of", "default_decision"]

#: A pair whose probabilities cannot reach this any more is not measured further.
LEAST = 0.05

#: Of fewer documents, frequencies say nothing about forms.
_FEWEST_DOCUMENTS = 50

_DEFAULT = Path(__file__).with_name("decision.json")


@dataclass(frozen=True, slots=True)
class Regression:
    """Coefficients by the names of the quantities; ``unknown`` stands for what is not known."""

    bias: float
    weights: Mapping[str, float]
    unknown: Mapping[str, float]

    def coefficients(self) -> tuple[float, Mapping[str, float], Mapping[str, float]]:
        """Return them as the kernel takes them."""
        return self.bias, self.weights, self.unknown

    def to_json(self) -> dict[str, Any]:
        """Return them as they are written."""
        return {"bias": self.bias, "weights": dict(self.weights), "unknown": dict(self.unknown)}

    @classmethod
    def from_json(cls, row: Any) -> Regression:
        """Return what `to_json` gave."""
        weights, unknown = (
            {str(name): float(value) for name, value in row[part].items()}
            for part in ("weights", "unknown")
        )
        return cls(float(row["bias"]), weights, unknown)


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A calibrated decision.

    ``collection`` holds where the forms of a collection are known, ``alone`` where they are not:
    for two documents, a handful, or statistics that were counted elsewhere.
    """

    collection: tuple[Regression, Regression]
    alone: tuple[Regression, Regression]
    #: Where the coefficients come from, and what they are worth.
    about: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def model(self, statistics: Statistics) -> _kernel.DecisionModel:
        """Return the regressions for pairs under these statistics."""
        related, taken = self.collection if self.knows_forms(statistics) else self.alone
        return _kernel.DecisionModel(related.coefficients(), taken.coefficients())

    @staticmethod
    def knows_forms(statistics: Statistics) -> bool:
        """Whether the statistics say which wording is repeated in the collection."""
        return statistics.has_forms and statistics.documents >= _FEWEST_DOCUMENTS

    @property
    def version(self) -> str:
        """What stands for the coefficients: equal coefficients, equal version."""
        import hashlib
        import json

        row = {name: part for name, part in self.to_json().items() if name != "about"}
        return hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()[:16]

    def to_json(self) -> dict[str, Any]:
        """Return the decision as its file has it."""
        both = {"collection": self.collection, "alone": self.alone}
        rows = {
            name: {"related": related.to_json(), "taken": taken.to_json()}
            for name, (related, taken) in both.items()
        }
        return {"format": "twicetold decision", "version": 1, **rows, "about": dict(self.about)}

    @classmethod
    def from_json(cls, row: Any, path: str | Path) -> Decision:
        """Return the decision that `to_json` gave; ``path`` is what to call it if it is none."""
        try:
            found = cls._from_rows(row)
            for pair in (found.collection, found.alone):
                _kernel.DecisionModel(*(part.coefficients() for part in pair))
        except (KeyError, TypeError, ValueError, AttributeError, ParameterError) as error:
            msg = f"{path}: is no decision that this program reads; learn one from judged pairs"
            raise FormatError(msg) from error
        return found

    @classmethod
    def _from_rows(cls, row: Any) -> Decision:
        if (row["format"], row["version"]) != ("twicetold decision", 1):
            raise ValueError(row["version"])
        both = [
            (Regression.from_json(row[name]["related"]), Regression.from_json(row[name]["taken"]))
            for name in ("collection", "alone")
        ]
        return cls(both[0], both[1], row.get("about", {}))

    @classmethod
    def load(cls, path: str | Path, /) -> Decision:
        """Read a decision from its file."""
        import json

        try:
            row = json.loads(Path(path).read_bytes())
        except OSError as error:
            msg = f"{path}: {error.strerror or error}"
            raise ParameterError(msg) from error
        except ValueError as error:
            msg = f"{path}: is no decision, which is a JSON object"
            raise FormatError(msg) from error
        return cls.from_json(row, path)


@cache
def default_decision() -> Decision:
    """Return the decision that comes with the package."""
    return Decision.load(_DEFAULT)


def decision_of(given: Decision | str | Path | None, *, learned: bool = False) -> Decision | None:
    """Return the decision a caller asks for: ``learned``, ``own`` (None), a file, or the default.

    ``learned`` says whether the default of the method is a learned one.
    """
    if isinstance(given, Decision):
        return given
    if given is None:
        return default_decision() if learned else None
    if given == "learned":
        return default_decision()
    if given == "own":
        return None
    return Decision.load(given)

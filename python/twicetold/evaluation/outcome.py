"""What an evaluation found: one method on one labelled set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from twicetold.evaluation.found import Measure
from twicetold.evaluation.labels import LabelledSet
from twicetold.evaluation.resampling import difference
from twicetold.evaluation.views import ClusterView, PairView, means

__all__ = ["Evaluation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What came of it: one method on one labelled set.

    ``pairs`` are the figures of the labelled pairs; of a directed set also ``unordered``, where a
    pair is right if either direction is. ``parts`` has the figures of each part of a set that has
    several, ``clusters`` those of a set of clusters.
    """

    labelled: LabelledSet
    method: str
    parameters: Mapping[str, Any]
    measure: Measure
    counts: Mapping[str, int]
    pairs: PairView
    unordered: PairView | None = None
    clusters: ClusterView | None = None
    parts: Mapping[str, PairView] = field(default_factory=dict)
    bootstrap: int = 0
    seed: int = 0
    seconds: float | None = None

    def mean_of_parts(self) -> dict[str, float | None]:
        """Return the mean of each figure over the parts that have it, whatever their size."""
        return means([part.figures() for part in self.parts.values()])

    def more_than(self, other: Evaluation) -> dict[str, tuple[float, tuple[float, float]]]:
        """Return by how much each figure is larger than another's, and the 95% interval of that.

        Both must be evaluations of the same set with the same seed: the difference is taken
        resample by resample, so that what makes a resample hard for both does not count.
        """
        found = {}
        ours, theirs = self.pairs.figures(), other.pairs.figures()
        for name, samples in self.pairs.samples.items():
            # A correlation does not exist where all scores are the same.
            a, b = ours.get(name), theirs.get(name)
            if a is None or b is None:
                continue
            ends = difference(samples, other.pairs.samples[name])
            if ends is not None:
                found[name] = a - b, ends
        return found

    def to_json(self) -> dict[str, Any]:
        """Return one object of named figures, with the counts behind them."""
        view = self.pairs.to_json()
        found: dict[str, Any] = {
            "set": self.labelled.name,
            "unit": self.labelled.unit,
            "labels": "clusters" if self.labelled.clusters else "pairs",
            "directed": self.labelled.directed,
            "positive_from": self.labelled.positive_from,
            "method": self.method,
            "parameters": dict(self.parameters),
            "measure": self.measure,
            **view,
            "counts": {**self.counts, **view["counts"]},
        }
        if self.unordered is not None:
            found["unordered"] = self.unordered.to_json()
        if self.clusters is not None:
            found["clustering"] = self.clusters.to_json()
        if self.parts:
            found["parts"] = {name: part.to_json() for name, part in self.parts.items()}
            found["mean_of_parts"] = self.mean_of_parts()
        found |= {"bootstrap": self.bootstrap, "seed": self.seed, "seconds": self.seconds}
        return found

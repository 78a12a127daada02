"""Every threshold of a grid at once: one scan, then counts of its scored pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twicetold.documents import Report
from twicetold.evaluation.confusion import Decision
from twicetold.evaluation.curve import Counts, Curve
from twicetold.evaluation.found import found_pairs
from twicetold.evaluation.labels import LabelledSet
from twicetold.evaluation.scored import Rule, score_clusters, score_pairs
from twicetold.evaluation.views import mean_of
from twicetold.experiments.frame import Setting
from twicetold.pipeline import Detector
from twicetold.scanning import Documents, scan

__all__ = ["GRID", "Sweep", "sweep"]

#: The thresholds of the paper's kind: 0.05 to 1 in steps of 0.05.
GRID = tuple(round(0.05 * n, 2) for n in range(1, 21))


class Sweep:
    """The decisions at every threshold of a grid; a pair is found from the threshold on."""

    def __init__(self, labelled: LabelledSet, table: Any, seed: int) -> None:
        pairs = found_pairs(table, labelled.ids)
        scored = (
            score_clusters(labelled, pairs, Rule())[0]
            if labelled.clusters
            else score_pairs(labelled, pairs, Rule())
        )
        curve = Curve(scored.score, scored.positive)
        self._whole = curve.count(scored.weights(scored.ones()))
        self._halves = [curve.count(scored.weights(half)) for half in scored.halves(seed)]

    def decisions(self) -> list[Decision]:
        """Return the decision at each threshold."""
        return [self._whole.at(threshold) for threshold in GRID]

    def best(self) -> Decision:
        """Return the decision with the highest F1; of equals the strictest."""
        return _best(self._whole)

    def tuned(self) -> float | None:
        """Return the F1 of the best threshold of one half on the other, both ways in the mean."""
        one, other = self._halves
        asked = [(one, other), (other, one)]
        return mean_of([b.at(_best(a).threshold) for a, b in asked if a.positives])["f1"]


def _best(counts: Counts) -> Decision:
    return max(map(counts.at, GRID), key=lambda found: (found.f1 or 0.0, found.threshold))


def sweep(labelled: Sequence[LabelledSet], detector: Detector, setting: Setting) -> list[Sweep]:
    """Scan the documents of labelled sets, the same in all, and judge by each set."""
    documents = list(Documents(labelled[0].sources, Report(), strict=False))
    found = scan(documents, method=detector, floor=GRID[0], all_pairs=True, threads=setting.threads)
    return [Sweep(each, found.table, setting.seed) for each in labelled]

"""What a detector says of two documents: they are scanned, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from twicetold.analysis import Profile
from twicetold.decision import Decision
from twicetold.pipeline import Detector, Job, engine_of
from twicetold.records import Document, Pair, Relation
from twicetold.statistics import Statistics

__all__ = ["ask", "scanned_pair"]


def ask(
    documents: Sequence[Document], detector: Detector, profile: Profile, statistics: Statistics
) -> tuple[list[float], Relation]:
    """Return how much of each document is in the other, and the relation; left is the first.

    For what is not a sum of weights: sketches, and probabilities that a model says.
    """
    found = scanned_pair(documents, detector, profile, statistics)
    if found is None:
        return [0.0, 0.0], "overlap"
    return [found.left_in_right, found.right_in_left], found.relation


def scanned_pair(
    documents: Sequence[Document],
    detector: Detector,
    profile: Profile,
    statistics: Statistics,
    *,
    decision: Decision | None = None,
) -> Pair | None:
    """Return the pair that a scan of two documents finds under these statistics, if any."""
    left, right = documents
    pair = [replace(left, id="a", published=None), replace(right, id="b", published=None)]
    job = Job(
        detector=detector,
        profile=profile,
        statistics=statistics,
        floor=0.0,
        decision=decision,
        same_form=True,
    )
    return next(iter(detector.run(engine_of("local"), pair, job)), None)

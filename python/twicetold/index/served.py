"""Which methods an index serves, and by which keys it finds what they would join."""

from __future__ import annotations

from typing import Literal

from twicetold import _kernel
from twicetold.errors import ParameterError
from twicetold.pipeline import Detector, Job

__all__ = ["SERVED", "join_floor", "postings", "served"]

#: The methods whose pairs depend on nothing but the two documents and pinned statistics, and which
#: find all of them by keys.
SERVED = (
    "retelling",
    "codet",
    "full-fingerprint",
    "dsc",
    "winnowing",
    "imatch",
    "simhash",
    "minhash",
    "word-overlap",
    "qsign",
    "rare-grams",
)


def served(detector: Detector) -> Detector:
    """Return a method that an index serves; raise `ParameterError` if it does not.

    A model of one of them is served, too: it decides about what its detector finds.
    """
    if len(detector.members) > 1:
        msg = (
            f"an index does not serve {detector.name}: it keeps the keys of one method, and would "
            f"not find what the others meet; learn a model of one of {', '.join(SERVED)}"
        )
        raise ParameterError(msg)
    if detector.members[0].name not in SERVED:
        msg = f"an index does not serve {detector.name}; it serves {', '.join(SERVED)}"
        raise ParameterError(msg)
    return detector


def join_floor(job: Job) -> float:
    """Return the share from which on documents are joined, as the engine does."""
    return max(job.join_floor - 1e-9, 0.0)


def postings(detector: Detector, job: Job, bundle: _kernel.Bundle) -> _kernel.Postings:
    """Return the keys by which documents are found, and which they look up."""
    verification = detector.verify()
    keys = None
    if (
        verification is not None
        and verification.meets_by_keys
        and not verification.is_symmetric
        and len(bundle)
    ):
        features = bundle.features()
        sides: tuple[Literal["store"], Literal["probe"]] = ("store", "probe")
        store, probe = (detector.keys(features, side) for side in sides)
        keys = (store, probe)
    assert job.statistics is not None
    frequent = job.statistics.left_out(job.detector.keys_form)
    return _kernel.Postings(bundle, verification, keys, frequent=frequent, floor=join_floor(job))

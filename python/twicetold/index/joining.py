"""New documents and those that may be related to them, joined as a scan joins them."""

from __future__ import annotations

from collections.abc import Iterator

from twicetold import _kernel
from twicetold.engines.local import Run
from twicetold.pairs import Manifest, Pairs
from twicetold.pipeline import Detector, Job
from twicetold.records import Pair

__all__ = ["join", "join_all"]


class _Join(Run):
    """The join of a scan, over documents whose features are known."""

    def __init__(self, job: Job, detector: Detector, bundle: _kernel.Bundle) -> None:
        self.job = job
        self.detector = detector
        self.collection = bundle.collection()
        self.manifest = Manifest()
        self._features_of = bundle

    def decided(self, first: int) -> tuple[_kernel.ScoredPairs, Pairs]:
        """Return the pairs with a document from this one on."""
        assert self.job.statistics is not None
        join = self._leave_out(self._features_of.features(), self.job.statistics)
        pairs = self._decide(self._join(join))
        if first:
            pairs = pairs.involving(first)
        return pairs, self._tell(pairs, join)


def join(
    job: Job, detector: Detector, related: _kernel.Bundle, new: _kernel.Bundle
) -> Iterator[tuple[int, int, Pair]]:
    """Yield the pairs of new documents, with the place of the one that came last.

    And with when the other one counts as told. ``related`` are those that were there before; all of
    them, with ``new``, are moved.
    """
    first = len(related)
    times = [*related.times, *new.times]
    related.append(new)
    rows, pairs = _Join(job, detector, related).decided(first)
    for (left, right), pair in zip(rows.documents(), pairs, strict=True):
        yield max(left, right) - first, times[min(left, right)], pair


def join_all(job: Job, detector: Detector, bundle: _kernel.Bundle) -> Pairs:
    """Return the pairs among all of these documents."""
    return _Join(job, detector, bundle).decided(0)[1]

"""A detector with a model inside: used everywhere a detector is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from twicetold import scoring
from twicetold.analysis import Profile
from twicetold.batches import Batched
from twicetold.errors import ParameterError
from twicetold.learning.columns import column, with_columns
from twicetold.learning.model import Model
from twicetold.learning.vectors import Met, meet
from twicetold.learning.wrapping import Wrapper
from twicetold.pairs import Pairs, pairs_schema
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Engine, Job
from twicetold.records import Document
from twicetold.statistics import Statistics

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Learned", "learned"]

#: Two related documents are near-duplicates if the smaller share is so much of the larger one.
_MUTUAL = 0.5
_BELOW = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned(Wrapper):
    """Finds what a detector finds, and decides by a model of its similarities.

    The shares of a pair become probabilities. A model with direction says how likely left is in
    right, and right in left. One without says how likely the two are related, p, and with the
    shares a and b of the detector::

        larger of both directions = p        smaller = p * min(a, b) / max(a, b)

    The score is the probability, and the relation follows from the threshold and both directions as
    ever; the smaller one is kept at the threshold or above it where its share is at least half of
    the larger one, and below it otherwise. What scores less than the model's floor was never
    learned from, and has the probability 0.

    Several detectors are run one after the other, and their similarities put together; a pair that
    one of them meets is decided about.
    """

    model: Model
    threshold: float = parameter(
        0.5, "probability from which on a pair is related", minimum=0, maximum=1, decides_keys=False
    )

    def __post_init__(self) -> None:
        # super() without arguments does not survive the class that slots=True makes anew.
        Detector.__post_init__(self)

    @property
    def name(self) -> str:  # type: ignore[override]
        """The names of the detectors inside."""
        return f"learned({'+'.join(member.name for member in self.model.members)})"

    @property
    def profile(self) -> Profile:  # type: ignore[override]
        """The analysis that the model was learned with."""
        return self.model.profile

    @property
    def join_floor(self) -> float:
        """The share from which on pairs are decided about."""
        return self.model.floor

    @property
    def estimates(self) -> bool:
        """Shares are probabilities, not quotients of weights."""
        return True

    @property
    def needs_grams(self) -> bool:  # type: ignore[override]
        """Whether one of the detectors needs 4-grams of characters."""
        return any(member.needs_grams for member in self.model.members)

    @property
    def similarities(self) -> tuple[str, ...]:  # type: ignore[override]
        """The names of the similarities of all detectors."""
        return self.model.names

    def settings(self) -> dict[str, Any]:
        """Return what the model is, and the parameters of its detectors."""
        head = self.model.head()
        return {
            "threshold": self.threshold,
            "model": self.model.version,
            "members": head["members"],
        }

    def with_statistics(self, statistics: Statistics) -> Detector:
        """Return the same with the parameters that are left to the statistics."""
        if statistics.profile != self.model.profile:
            msg = (
                f"the model was learned with the profile {self.model.profile}, "
                f"not {statistics.profile}; leave out the profile, or learn a model with it"
            )
            raise ParameterError(msg)
        return replace(self, base=self.base.with_statistics(statistics))

    def decide(self, scores: pa.Table) -> pa.Table:
        """Put probabilities in place of the shares, and relate by the threshold."""
        shares = [column(scores, name) for name in ("left_in_right", "right_in_left")]
        found = self._judged(
            self.base.vectors(scores), shares, column(scores, "same_text").astype(bool)
        )
        return scoring.relate(with_columns(scores, found), self.threshold, strict=False)

    def run(self, engine: Engine, documents: Iterable[Document] | Batched, job: Job) -> Pairs:
        """Return the pairs among documents; with several detectors, each is run for itself."""
        members = self.model.members
        if len(members) == 1:
            return engine.run(documents, job)
        if job.passages:
            msg = "a model of several detectors has no passages to give; ask for them without it"
            raise ParameterError(msg)
        # A look at the profile before the work, not after it.
        self.with_statistics(Statistics(job.profile))
        met = meet(members, documents, floor=self.model.floor, engine=engine, job=job)
        table = self._named(met)
        if not job.all_pairs:
            table = _without_further_copies(table)
        table = _kept(table, job.floor)
        manifest = met.manifest
        manifest.parameters |= {"method": self.name, **self.settings(), "floor": job.floor}
        manifest.parameters["all_pairs"] = job.all_pairs
        manifest.counts["pairs"] = table.num_rows
        return Pairs(table, manifest)

    def _judged(self, vectors: Any, shares: Sequence[Any], same: Any) -> dict[str, Any]:
        """Return the columns that probabilities change."""
        import numpy as np

        left, right = self.model.probabilities(np.asarray(vectors, float))
        if not self.model.directed:
            left, right = self._turned(left, shares)
        met = np.maximum(*shares) >= self.model.floor - scoring.EPSILON
        left, right = (np.where(same, 1.0, np.where(met, p, 0.0)) for p in (left, right))
        odds = [scoring.odds(a, b) for a, b in zip(left.tolist(), right.tolist(), strict=True)]
        return {
            "left_in_right": left,
            "right_in_left": right,
            "odds": np.array(odds, float),
            "score": np.maximum(left, right),
        }

    def _turned(self, likely: Any, shares: Sequence[Any]) -> tuple[Any, Any]:
        """Return both directions of pairs that are so likely related."""
        import numpy as np

        larger = np.maximum(*shares)
        ratio = np.minimum(*shares) / np.where(larger > 0, larger, 1.0)
        border = self.threshold
        smaller = np.where(
            ratio >= _MUTUAL,
            np.maximum(likely * ratio, np.minimum(likely, border)),
            np.minimum(likely * ratio, border * (1 - _BELOW)),
        )
        there = shares[0] >= shares[1]
        return np.where(there, likely, smaller), np.where(there, smaller, likely)

    def _named(self, met: Met) -> pa.Table:
        """Return met pairs as a table, with the mean of what the detectors say of each."""
        import numpy as np
        import pyarrow as pa

        shares = [_mean(met, name) for name in ("left_in_right", "right_in_left")]
        resemblance = np.where(met.same, 1.0, _mean(met, "resemblance"))
        # Some detector met it, whatever the mean: the floor has been applied.
        above = [np.where(met.same, 1.0, np.maximum(share, self.model.floor)) for share in shares]
        columns = {
            "left": pa.array(met.left, pa.string()),
            "right": pa.array(met.right, pa.string()),
            "resemblance": pa.array(resemblance),
            "same_text": pa.array(met.same),
        }
        judged = self._judged(met.vectors, above, met.same)
        table = with_columns(pa.table(columns), judged)
        return scoring.relate(table, self.threshold, strict=False)


def _mean(met: Met, name: str) -> Any:
    """Return the mean of a similarity over the detectors that have it."""
    import numpy as np

    places = [n for n, known in enumerate(met.names) if known.rpartition(".")[2] == name]
    if not places:
        return np.ones(len(met.left))
    return np.mean(met.vectors[:, places], axis=1)


def _without_further_copies(table: pa.Table) -> pa.Table:
    """Keep, of documents with the same text, each with the first of them only."""
    import pyarrow as pa

    rows = list(
        zip(
            *(table.column(name).to_pylist() for name in ("left", "right", "same_text")),
            strict=True,
        )
    )
    copies = {right for _, right, same in rows if same}
    keep = [not (same and left in copies) for left, _, same in rows]
    return table.filter(pa.array(keep, pa.bool_()))


def _kept(table: pa.Table, floor: float | None) -> pa.Table:
    import pyarrow.compute as pc

    keep = pc.not_equal(table.column("relation"), "overlap")
    if floor is not None:
        keep = pc.or_(keep, pc.greater_equal(table.column("score"), floor))
    schema = pairs_schema()
    return table.filter(keep).select(schema.names).cast(schema)


def learned(
    model: Model, *, methods: Sequence[str] = (), parameters: Mapping[str, Any] | None = None
) -> Learned:
    """Return the detector with a model inside.

    Methods and parameters given beside must be the model's own; only the threshold, a probability
    here, may be another one.
    """
    given = dict(parameters or {})
    threshold = given.pop("threshold", model.threshold)
    model.require(methods, given)
    return Learned(
        base=model.members[0], model=replace(model, pipeline=None, figures={}), threshold=threshold
    )

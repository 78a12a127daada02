"""A detector with a model inside: used everywhere a detector is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from twicetold.analysis import Analysed, Profile
from twicetold.batches import Batched
from twicetold.errors import ParameterError
from twicetold.learning.model import Model
from twicetold.learning.model_json import from_json, to_json
from twicetold.learning.vectors import Met, meet, same_text
from twicetold.learning.wrapping import Wrapper
from twicetold.pairs import Pairs
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Engine, Job, counts_across
from twicetold.records import RELATIONS, Document, Pair
from twicetold.scoring import EPSILON, Joined, Scores, odds
from twicetold.statistics import Statistics

__all__ = ["Learned", "learned", "restored"]

#: Two related documents are near-duplicates if the smaller share is so much of the larger one.
_MUTUAL = 0.5
_BELOW = 1e-6
_SHARES = ("left_in_right", "right_in_left")


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
    def tells_passages(self) -> bool:  # type: ignore[override]
        """Whether pairs come with their passages: those of a single detector that gives them."""
        return len(self.members) == 1 and self.base.tells_passages

    @property
    def members(self) -> tuple[Detector, ...]:
        """The detectors whose similarities are decided by."""
        return self.model.members

    def add_statistics(
        self, analysed: Sequence[Analysed], statistics: Statistics, *, threads: int = 0
    ) -> None:
        """Add what each of the detectors wants counted."""
        for member in self.members:
            member.add_statistics(analysed, statistics, threads=threads)

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

    def recipe(self) -> dict[str, Any]:
        """Return the whole model, with the threshold that holds here."""
        return {"threshold": self.threshold, "model": to_json(self.model)}

    def with_statistics(self, statistics: Statistics) -> Detector:
        """Return the same with the parameters that are left to the statistics."""
        self._require(statistics.profile)
        for member in self.members[1:]:
            member.with_statistics(statistics)
        return replace(self, base=self.base.with_statistics(statistics))

    def _require(self, profile: Profile) -> None:
        if profile != self.model.profile:
            msg = (
                f"the model was learned with the profile {self.model.profile}, "
                f"not {profile}; leave out the profile, or statistics with it, or learn a model "
                "with it"
            )
            raise ParameterError(msg)

    def score(self, joined: Joined) -> Scores:
        """Return the scores of the detector inside, with probabilities in place of the shares."""
        return self._probable(self.base.score(joined))

    def roll_up(self, matched: Joined) -> Scores:
        """Return the same of documents whose sentences match."""
        return self._probable(self.base.roll_up(matched))

    def _probable(self, scores: Scores) -> Scores:
        import numpy as np

        shares = [np.frombuffer(scores.column(name), "<f8") for name in _SHARES]
        found = self._judged(self.base.vectors(scores), shares, same_text(scores))
        return scores.with_shares(*(share.astype("<f8").tobytes() for share in found))

    def run(self, engine: Engine, documents: Iterable[Document] | Batched, job: Job) -> Pairs:
        """Return the pairs among documents; with several detectors, each is run for itself."""
        members = self.model.members
        if len(members) == 1:
            return engine.run(documents, job)
        if job.passages:
            msg = "a model of several detectors has no passages to give; ask for them without it"
            raise ParameterError(msg)
        # A look at the profile before the work, not after it.
        self._require(job.profile)
        met = meet(members, documents, floor=self.model.floor, engine=engine, job=job)
        pairs = [pair for pair in self._pairs(met) if _is_kept(pair, job.floor)]
        if not job.all_pairs and job.across is None:
            pairs = _without_further_copies(pairs)
        manifest = met.manifest
        manifest.parameters |= {"method": self.name, **self.settings(), "floor": job.floor}
        manifest.parameters["all_pairs"] = job.all_pairs
        manifest.counts["pairs"] = len(pairs)
        manifest.counts["undirected pairs"] = sum(pair.earlier is None for pair in pairs)
        if job.across is not None:
            paired = {name for pair in pairs for name in (pair.left, pair.right)}
            manifest.counts |= counts_across(job.across(list(paired)))
        return Pairs.of(pairs, manifest)

    def _judged(self, vectors: Any, shares: Sequence[Any], same: Any) -> list[Any]:
        """Return the probabilities, both ways, that take the place of the shares."""
        import numpy as np

        left, right = self.model.probabilities(np.asarray(vectors, float))
        if not self.model.directed:
            left, right = self._turned(left, shares)
        met = np.maximum(*shares) >= self.model.floor - EPSILON
        return [np.where(same, 1.0, np.where(met, p, 0.0)) for p in (left, right)]

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

    def _pairs(self, met: Met) -> Iterator[Pair]:
        """Yield met pairs, with the mean of what the detectors say of each."""
        import numpy as np

        shares = [_mean(met, name) for name in _SHARES]
        resemblance = np.where(met.same, 1.0, _mean(met, "resemblance"))
        # Some detector met it, whatever the mean: the floor has been applied.
        above = [np.where(met.same, 1.0, np.maximum(share, self.model.floor)) for share in shares]
        judged = [share.tolist() for share in self._judged(met.vectors, above, met.same)]
        columns = (*judged, resemblance.tolist(), met.same.tolist(), met.earlier)
        for left, right, there, back, alike, same, earlier in zip(
            met.left, met.right, *columns, strict=True
        ):
            scores = Scores.matched_share(Joined.of([(there, back, 1.0, 1.0, same)]))
            relation = RELATIONS[self.decide(scores)[0]]
            likely = odds(there, back)
            yield Pair(left, right, relation, there, back, alike, likely, earlier=earlier)


def _mean(met: Met, name: str) -> Any:
    """Return the mean of a similarity over the detectors that have it."""
    import numpy as np

    places = [n for n, known in enumerate(met.names) if known.rpartition(".")[2] == name]
    if not places:
        return np.ones(len(met.left))
    return np.mean(met.vectors[:, places], axis=1)


def _without_further_copies(pairs: Sequence[Pair]) -> list[Pair]:
    """Keep, of documents with the same text, each with the first of them only."""
    copies = {pair.right for pair in pairs if pair.relation == "identical"}
    return [pair for pair in pairs if pair.relation != "identical" or pair.left not in copies]


def _is_kept(pair: Pair, floor: float | None) -> bool:
    return pair.relation != "overlap" or (floor is not None and pair.score >= floor)


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


def restored(recipe: Mapping[str, Any]) -> Learned:
    """Return the detector that a recipe was written of."""
    return learned(from_json(recipe["model"]), parameters={"threshold": recipe["threshold"]})

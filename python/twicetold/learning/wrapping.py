"""A detector around another one: all but the decision is the other's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from twicetold.analysis import Analysed
from twicetold.pipeline import Detector, Features, Keys, Trace, Verification
from twicetold.records import WordLink
from twicetold.scoring import Joined, Scores
from twicetold.statistics import Statistics

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Wrapper"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapper(Detector):
    """Finds what ``base`` finds, and scores it in the same way."""

    base: Detector

    @property
    def profile(self) -> str:  # type: ignore[override]
        """The analysis the other one asks for."""
        return self.base.profile

    @property
    def unit(self) -> Literal["document", "sentence"]:  # type: ignore[override]
        """What has features and is joined."""
        return self.base.unit

    @property
    def similarities(self) -> tuple[str, ...]:  # type: ignore[override]
        """The names of the similarities."""
        return self.base.similarities

    @property
    def max_key_sentences(self) -> int | None:
        """How many different sentences may share a key by which they meet."""
        return self.base.max_key_sentences

    @property
    def boilerplate_documents(self) -> int:
        """How many documents of a source have what is boilerplate."""
        return self.base.boilerplate_documents

    @property
    def tells_content(self) -> bool:  # type: ignore[override]
        """Whether pairs come with how much of the content of each the other has."""
        return self.base.tells_content

    @property
    def counts_features(self) -> bool:
        """Whether it matters how often a document has a feature."""
        return self.base.counts_features

    @property
    def keys_form(self) -> str:
        """The canonical form of what decides the keys."""
        return self.base.keys_form

    def add_statistics(
        self, analysed: Sequence[Analysed], statistics: Statistics, *, threads: int = 0
    ) -> None:
        """Add what the other one wants counted beyond document frequencies."""
        self.base.add_statistics(analysed, statistics, threads=threads)

    def links(
        self, left: Sequence[str], right: Sequence[str], statistics: Statistics
    ) -> list[WordLink]:
        """Return which terms of two sentences that match have to do with each other."""
        return self.base.links(left, right, statistics)

    def features(self, analysed: Analysed, statistics: Statistics, *, threads: int = 0) -> Features:
        """Return the evidence of each unit."""
        return self.base.features(analysed, statistics, threads=threads)

    def verify(self) -> Verification | None:
        """Return how units that share a key are checked."""
        return self.base.verify()

    def keys(self, features: Features, side: Literal["store", "probe"]) -> Keys:
        """Return the keys each unit stores, or looks up."""
        return self.base.keys(features, side)

    def trace(self, analysed: Analysed, document: int, statistics: Statistics) -> list[Trace]:
        """Return the evidence of one document in words."""
        return self.base.trace(analysed, document, statistics)

    def score(self, joined: Joined) -> Scores:
        """Return the scores of joined pairs."""
        return self.base.score(joined)

    def roll_up(self, matched: Joined) -> Scores:
        """Return the scores of pairs of documents whose sentences match."""
        return self.base.roll_up(matched)

    def vectors(self, scores: Scores) -> np.ndarray[Any, Any]:
        """Return the similarities of scored pairs."""
        return self.base.vectors(scores)

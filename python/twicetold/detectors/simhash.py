"""SimHash: near-duplicates by sketches that differ in a few bits."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import ClassVar, Literal

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.errors import ParameterError
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Features, Keys, Trace, Verification
from twicetold.scoring import Joined, Relations, Scores
from twicetold.statistics import Idf, Statistics

__all__ = ["SimHash"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimHash(Detector):
    """Near-duplicates by sketches that differ in a few bits.

    The different terms of a document without the ``skip`` rarest vote on each bit of its sketch,
    with their idf, by that bit of their hash::

        bit i of S(X) = 1  if  sum of idf(t) over the t with bit i  >  sum over the t without
        A and B are near-duplicates  if  S(A) and S(B) differ in at most ``distance`` bits

    A bit differs with the chance angle / pi, so that sketches of 64 bits differ in 2.9 at a cosine
    of 0.99 and in 9.2 at 0.9. The score is the share of equal bits. Sketches are found in tables
    of ``blocks``: bits are cut into blocks, and of two sketches at most ``distance`` blocks differ,
    so the others are a key; nothing within the distance is lost.

    Charikar, "Similarity estimation techniques from rounding algorithms", STOC 2002; tables: Manku,
    Jain, Das Sarma, "Detecting near-duplicates for web crawling", WWW 2007, section 3; skipped
    terms, idf and a distance below 3 as Varol, Can, Aykanat, Kaya, CIKM 2011, section 4. Differs
    from the paper: bits of our hash in place of SHA-1's, 64 unless ``bits`` says 160.

    >>> from twicetold import Document, scan
    >>> one = Document(id="a", text="The dam broke on Monday and ten villages lie below it.")
    >>> other = Document(id="b", text="Ten villages lie below: on Monday the dam broke!")
    >>> [p.relation for p in scan([one, other], method="simhash", language="en")]
    ['near-duplicate']
    """

    name: ClassVar[str] = "simhash"
    profile: ClassVar[str] = "codet"

    distance: int = parameter(2, "in how many bits sketches may differ", minimum=0)
    bits: int = parameter(64, "how many bits a sketch has", minimum=8, maximum=1024)
    skip: int = parameter(2, "how many of the rarest terms are left out", minimum=0)
    idf: Idf = parameter("plus-one", "weight of a word: log(N/df)+1, log(N/df), or smoothed")
    blocks: int | None = parameter(
        None, "blocks that tables are made of; none: as distance and bits ask for", minimum=1
    )

    def __post_init__(self) -> None:
        # super() without arguments does not survive the class that slots=True makes anew.
        Detector.__post_init__(self)
        if self.distance >= self.bits:
            msg = f"distance must be below bits ({self.bits}), got {self.distance}"
            raise ParameterError(msg)
        if self.blocks is not None and not self.distance < self.blocks <= self.bits:
            msg = (
                f"blocks must be above distance ({self.distance}) and at most bits ({self.bits}), "
                f"got {self.blocks}"
            )
            raise ParameterError(msg)

    @property
    def threshold(self) -> float:
        """The share of equal bits at the distance."""
        return 1 - self.distance / self.bits

    def features(self, analysed: Analysed, statistics: Statistics, *, threads: int = 0) -> Features:
        """Return the sketch of each document."""
        return _kernel.simhash_features(
            analysed,
            statistics.native,
            bits=self.bits,
            skip=min(self.skip, sys.maxsize),
            idf=self.idf,
            threads=threads,
        )

    def keys(self, features: Features, side: Literal["store", "probe"]) -> Keys:  # noqa: ARG002
        """Return the keys of each sketch in the block tables."""
        blocks = self.blocks or _kernel.simhash_blocks(self.bits, self.distance)
        return _kernel.simhash_keys(features, bits=self.bits, distance=self.distance, blocks=blocks)

    def verify(self) -> Verification:
        """Compare the bits of sketches that share a key."""
        return Verification.hamming(distance=self.distance)

    def trace(self, analysed: Analysed, document: int, statistics: Statistics) -> list[Trace]:
        """Return the terms that vote, wherever they come."""
        rows = _kernel.simhash_trace(
            analysed,
            document,
            statistics.native,
            skip=min(self.skip, sys.maxsize),
            idf=self.idf,
        )
        return [
            Trace(n, term, key, weight) for sentences, term, key, weight in rows for n in sentences
        ]

    def score(self, joined: Joined) -> Scores:
        """Return the scores: the share of equal bits is all that is known, whichever way."""
        return Scores.likeness(joined)

    def decide(self, scores: Scores) -> Relations:
        """Return the relation: what was found is alike, and no more is known."""
        return scores.relate_alike(self.threshold)

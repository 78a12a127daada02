"""I-Match: near-duplicates by one hash of a document's rare terms."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, ClassVar

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Features, Trace
from twicetold.scoring import Relations, Scores
from twicetold.statistics import Statistics

__all__ = ["IMatch"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IMatch(Detector):
    """Near-duplicates by one hash of a document's rare terms.

    The different terms of a document are ranked by idf, the rarest first; ``skip`` are dropped, as
    they may be misspellings, the ``take`` after them are hashed in the order of their text::

        T(X) = the terms of X after the ``skip`` rarest, at most ``take``
        A and B are near-duplicates  if  hash(T(A)) = hash(T(B))

    With more ``lexicons`` the i-th fingerprint is the hash of those of T(X) that the i-th random
    lexicon holds (``lexicon_share`` of all terms, by a seeded hash of the term; the first lexicon
    holds all). One equal fingerprint is enough; the score is the share of equal ones. A document
    without terms left has no fingerprint. It tells nothing of containment: both directions have
    the same relation.

    Chowdhury, Frieder, Grossman, McCabe, "Collection statistics for fast duplicate document
    detection", TOIS 20(2), 2002, with the band as adapted by Varol, Can, Aykanat, Kaya, CIKM 2011,
    section 4; lexicons: Kołcz, Chowdhury, Alspector, KDD 2004. Differs from the papers: our 64-bit
    hash in place of SHA-1; equal idf is ordered by the term itself.

    >>> from twicetold import Document, scan
    >>> one = Document(id="a", text="The dam broke on Monday and ten villages lie below it.")
    >>> other = Document(id="b", text="Ten villages lie below: on Monday the dam broke!")
    >>> [p.relation for p in scan([one, other], method="imatch")]
    ['near-duplicate']
    """

    name: ClassVar[str] = "imatch"
    profile: ClassVar[str] = "codet"

    threshold: float = parameter(
        0.0,
        "share of fingerprints that must be equal; 0: one is enough",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    skip: int = parameter(2, "how many of the rarest terms are left out", minimum=0)
    take: int = parameter(10, "how many terms after them are taken", minimum=1)
    lexicons: int = parameter(
        1, "how many fingerprints: of all terms, and of random lexicons", minimum=1, maximum=1000
    )
    lexicon_share: float = parameter(
        0.7, "share of all terms that a random lexicon holds", minimum=0, maximum=1
    )
    seed: int = parameter(0, "another seed, other lexicons", minimum=0, maximum=2**63)

    def _options(self) -> dict[str, Any]:
        return {
            "skip": min(self.skip, sys.maxsize),
            "take": min(self.take, sys.maxsize),
            "lexicons": self.lexicons,
            "share": float(self.lexicon_share),
            "seed": self.seed,
        }

    def features(self, analysed: Analysed, statistics: Statistics, *, threads: int = 0) -> Features:
        """Return the fingerprints of each document."""
        options = self._options()
        return _kernel.lexicon_features(analysed, statistics.native, **options, threads=threads)

    def trace(self, analysed: Analysed, document: int, statistics: Statistics) -> list[Trace]:
        """Return the fingerprints of a document: their terms, wherever they come."""
        rows = _kernel.lexicon_trace(analysed, document, statistics.native, **self._options())
        return [
            Trace(n, " ".join(terms), key, 1.0) for sentences, terms, key in rows for n in sentences
        ]

    def decide(self, scores: Scores) -> Relations:
        """Return the relation: the better of both directions decides for both."""
        return scores.relate_alike(self.threshold)

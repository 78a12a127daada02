"""Word overlap: sentences that share enough of their words, all of them, found exactly."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import ClassVar, Literal

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Features, Keys, Trace, Verification
from twicetold.statistics import Statistics

__all__ = ["Measure", "WordOverlap"]

Measure = Literal["plain", "idf", "selfnorm"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordOverlap(Detector):
    """Sentences that share enough of their words, exactly.

    With Q the different words of a sentence, R those of another one, and
    ``idf(w) = log(N / df(w))``::

        plain(Q, R)    = |Q & R| / |Q|
        idf(Q, R)      = sum of idf over Q & R / sum of idf over Q
        selfnorm(Q, R) = plain(Q, R) * idf(Q, R)

    Q has a match in a document with a sentence R whose overlap is at least ``min_overlap``. How
    much of a document is in another one is the share of its sentences with a match there.

    The measure of Metzler, Bernstein, Croft, Moffat, Zobel, "Similarity measures for tracking
    information flow", CIKM 2005, as printed by Kim, Candan, Tatemura, "Efficient overlap and
    content reuse detection in blogs and online news articles", WWW 2009, section 2.1, is
    ``|Q & R| / |Q|`` times the sum of idf, which has no upper bound; selfnorm divides it by its
    value for Q itself. A sentence looks up its rarest words in an inverted index, until the rest
    alone could not reach ``min_overlap``: nothing that matches is missed.

    ``search="all-pairs"`` is what qSign is compared with in its paper: only sentences whose words,
    weighted by idf, have a cosine of at least ``min_cosine`` are compared. They are found by
    All-Pairs (Bayardo, Ma, Srikant, "Scaling up all pairs similarity search", WWW 2007), and a
    short sentence inside a long one may be missed.

    >>> from twicetold import Document, scan
    >>> told = Document(id="told", text="The old dam above the town broke on Monday morning.")
    >>> retold = Document(id="retold", text="On Monday the dam above the town broke. Nobody died.")
    >>> for pair in scan([told, retold], method="word-overlap", measure="plain", language="en"):
    ...     print(pair.left, pair.relation, pair.right, pair.left_in_right, pair.right_in_left)
    retold near-duplicate told 1.0 1.0
    """

    name: ClassVar[str] = "word-overlap"
    profile: ClassVar[str] = "qsign"
    unit: ClassVar[Literal["document", "sentence"]] = "sentence"

    threshold: float = parameter(
        0.5,
        "share of a document's sentences with a match from which on it is contained",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    measure: Measure = parameter("selfnorm", "how the overlap of two sentences is measured")
    min_overlap: float = parameter(
        0.5, "overlap from which on two sentences match (the paper's theta)", minimum=0, maximum=1
    )
    min_words: int = parameter(3, "leave out sentences of fewer different words", minimum=1)
    search: Literal["prefix", "all-pairs"] = parameter(
        "prefix", "how sentences are found: by their rarest words, all; or by their cosine, most"
    )
    min_cosine: float = parameter(
        0.3, "cosine from which on all-pairs compares two sentences", minimum=0, maximum=1
    )

    def features(self, analysed: Analysed, statistics: Statistics, *, threads: int = 0) -> Features:
        """Return the different words of each sentence, with their idf."""
        min_words = min(self.min_words, sys.maxsize)
        return _kernel.sentence_features(
            analysed, statistics.native, min_words=min_words, threads=threads
        )

    def verify(self) -> Verification:
        """Return the check of the overlap."""
        cosine = self.min_cosine if self.search == "all-pairs" else None
        return Verification.overlap(measure=self.measure, threshold=self.min_overlap, cosine=cosine)

    def keys(self, features: Features, side: Literal["store", "probe"]) -> Keys:
        """Return all words to store; to look up, the rarest that must not be missed."""
        if side == "store":
            return Keys.of_features(features)
        return _kernel.overlap_prefixes(features, measure=self.measure, threshold=self.min_overlap)

    def trace(self, analysed: Analysed, document: int, statistics: Statistics) -> list[Trace]:
        """Return the different words of each sentence."""
        rows = _kernel.sentence_trace(
            analysed, document, statistics.native, min_words=min(self.min_words, sys.maxsize)
        )
        return [Trace(n, term, key, weight) for n, term, key, weight in rows]

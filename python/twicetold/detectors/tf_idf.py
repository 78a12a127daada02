"""tf-idf: documents as vectors of their words."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import ClassVar, Literal

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Features, Trace
from twicetold.scoring import Joined, Relations, Scores
from twicetold.statistics import Statistics

__all__ = ["TfIdf"]

#: Weights of features are multiples of this.
_UNIT = 2.0**-32


@dataclass(frozen=True, slots=True, kw_only=True)
class TfIdf(Detector):
    """Cosine of documents as vectors of words: what they are about, in whatever order.

    A document has a coordinate for each word, in all of its text or in its first ``opening``
    sentences::

        d(w)         = tf(w, d) * log(1 + N / df(w))   tf: how many sentences of d have w, or 1
        cosine(A, B) = a·b / sqrt(a·a * b·b)        near-duplicates  if  cosine >= threshold
        C(A, B)      = a·b / a·a, at most 1         what is told both ways

    Two documents on one subject are alike by it, whether or not one was taken from the other: it
    says least by itself, and adds most to what other methods say, in a learned decision.

    Salton, Wong, Yang, "A vector space model for automatic indexing", CACM 18, 1975. Differs from
    the paper: 1 is added to N / df, so that a word of all documents still counts.

    >>> from twicetold import Document, scan
    >>> told = Document(id="told", text="The old dam above the town broke on Monday morning.")
    >>> retold = Document(id="retold", text="On Monday a dam broke. The town fled.")
    >>> for pair in scan([told, retold], method="tf-idf", language="en"):
    ...     print(pair.left, pair.relation, pair.right)
    retold near-duplicate told
    """

    name: ClassVar[str] = "tf-idf"
    profile: ClassVar[str] = "codet"
    similarities: ClassVar[tuple[str, ...]] = (
        "left_in_right",
        "right_in_left",
        "resemblance",
        "cosine",
    )

    threshold: float = parameter(
        0.5,
        "cosine from which on two documents are alike",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    counts: Literal["presence", "frequency"] = parameter(
        "frequency", "whether a document has a word, or how many of its sentences do"
    )
    opening: int = parameter(
        0, "only the words of so many sentences a document begins with; 0: all words", minimum=0
    )

    @property
    def counts_features(self) -> bool:
        """Whether a word counts as often as a document has it."""
        return self.counts == "frequency"

    def features(self, analysed: Analysed, statistics: Statistics, *, threads: int = 0) -> Features:
        """Return the words of each document, with their squared idf."""
        words = _kernel.sentence_features(analysed, statistics.native, min_words=1, threads=threads)
        # Here, and one by one: the last bit is the same wherever a word stands among others.
        squares = [
            (weight, round(_squared(weight * _UNIT) / _UNIT)) for weight in words.distinct_weights()
        ]
        opening = min(self.opening, sys.maxsize)
        return words.by_document(
            opening=opening, counted=self.counts_features, weights=squares, threads=threads
        )

    def trace(self, analysed: Analysed, document: int, statistics: Statistics) -> list[Trace]:
        """Return the words of one document, once for each sentence that has them."""
        rows = _kernel.sentence_trace(analysed, document, statistics.native, min_words=1)
        last = self.opening or sys.maxsize
        return [Trace(n, term, key, _squared(weight)) for n, term, key, weight in rows if n < last]

    def score(self, joined: Joined) -> Scores:
        """Return a·b / a·a both ways, at most 1."""
        return Scores.containment(joined, most=1.0)

    def decide(self, scores: Scores) -> Relations:
        """Return near-duplicates from the threshold on."""
        return scores.relate_alike(self.threshold, likeness=scores.column("cosine"))


def _squared(idf: float) -> float:
    """Return the weight of a word whose log(N / df) is given."""
    return math.log1p(math.exp(idf)) ** 2

"""Sentence features: documents as sets of what stands for their sentences."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import ClassVar, Literal

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Features, Trace
from twicetold.scoring import Joined, Relations, Scores
from twicetold.similarity import SIMILARITIES
from twicetold.statistics import Statistics

__all__ = ["SentenceSVM"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceSVM(Detector):
    """Containment of the heaviest terms of sentences (KSBS-k), and its rivals.

    The k terms of a sentence with the largest tf * idf are its feature, and a document is the set
    of the features of its sentences, or says how often it has each::

        tf(w, d)  = how often d has w          idf(w) = log(N / df(w))
        C(A, B)   = a·b / a·a, at most 1       a, b: A and B as vectors of 0 and 1, or of counts

    From a·b, a·a and b·b also follow the five functions of `twicetold.similarity`: what a model
    learns from, and what documents can be decided by instead of containment.

    Lin, Liao, Lee, "Detecting near-duplicate documents using sentence-level features and supervised
    learning", Expert Systems with Applications 40, 2013. Only its first two pages are public: what
    they leave open is on this method's page. The rivals it is compared with are values of
    ``feature``: word grams of the document (Broder's shingles), grams within sentences, and
    SpotSigs (Theobald, Siddharth, Paepcke, SIGIR 2008).

    >>> from twicetold import Document, scan
    >>> told = Document(id="told", text="The old dam broke on Monday. It rained in Lund all night.")
    >>> retold = Document(id="retold", text="The old dam broke on Monday.")
    >>> for pair in scan([told, retold], method="sentence-svm", language="en"):
    ...     print(pair.left, pair.relation, pair.right, pair.left_in_right, pair.right_in_left)
    retold near-duplicate told 1.0 0.5
    """

    name: ClassVar[str] = "sentence-svm"
    profile: ClassVar[str] = "sentence-svm"
    similarities: ClassVar[tuple[str, ...]] = SIMILARITIES

    threshold: float = parameter(
        0.5,
        "share, or similarity, from which on a document is contained, or a near-duplicate",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    similarity: Literal[
        "containment", "jaccard", "cosine", "extended_jaccard", "dice", "euclid"
    ] = parameter(
        "containment",
        "what is compared with the threshold: shares both ways, or one likeness",
        decides_keys=False,
    )
    feature: Literal["composite", "terms", "shingles", "spotsigs", "sentence-grams"] = parameter(
        "composite",
        "what a document is made of: heavy terms of a sentence as one feature or each for itself, "
        "word grams of the document or of its sentences, or spot signatures",
    )
    counts: Literal["presence", "frequency"] = parameter(
        "presence", "whether a document has a feature, or how often"
    )
    terms: int = parameter(4, "how many terms of a sentence are taken (k)", minimum=1)
    weight: Literal["tf-idf", "idf"] = parameter(
        "tf-idf", "how terms of a sentence are weighed: within their document, or for themselves"
    )
    min_words: int = parameter(
        2, "leave out sentences of fewer different terms, where terms are taken", minimum=1
    )
    gram: int = parameter(3, "how many words a gram has", minimum=1, maximum=1000)
    chain: int = parameter(
        3, "how many words follow the antecedent of a spot signature", minimum=1, maximum=1000
    )
    distance: int = parameter(
        1, "how many words apart those of a spot signature are", minimum=1, maximum=1000
    )

    @property
    def counts_features(self) -> bool:
        """Whether a feature counts as often as a document has it."""
        return self.counts == "frequency"

    def features(self, analysed: Analysed, statistics: Statistics, *, threads: int = 0) -> Features:
        """Return the features of each document; each weighs 1."""
        counted = self.counts_features
        if self.feature == "spotsigs":
            return _kernel.spot_features(
                analysed,
                chain=self.chain,
                distance=self.distance,
                counted=counted,
                threads=threads,
            )
        if self.feature in ("shingles", "sentence-grams"):
            return _kernel.gram_features(
                analysed,
                size=self.gram,
                within_sentences=self.feature == "sentence-grams",
                counted=counted,
                threads=threads,
            )
        return _kernel.top_term_features(
            analysed, statistics.native, self.options(), threads=threads
        )

    def options(self) -> _kernel.TopTermOptions:
        """Return the parameters as the kernel's loop over terms takes them."""
        return {
            "number": min(self.terms, sys.maxsize),
            "min_words": min(self.min_words, sys.maxsize),
            "composite": self.feature == "composite",
            "term_frequency": self.weight == "tf-idf",
            "counted": self.counts_features,
        }

    def trace(self, analysed: Analysed, document: int, statistics: Statistics) -> list[Trace]:
        """Return the features of one document in words."""
        if self.feature == "spotsigs":
            rows = _kernel.spot_trace(analysed, document, chain=self.chain, distance=self.distance)
        elif self.feature in ("shingles", "sentence-grams"):
            within = self.feature == "sentence-grams"
            rows = _kernel.gram_trace(analysed, document, size=self.gram, within_sentences=within)
        else:
            rows = _kernel.top_term_trace(analysed, document, statistics.native, self.options())
        return [Trace(n, " ".join(words), key, 1.0) for n, words, key in rows]

    def score(self, joined: Joined) -> Scores:
        """Return containment both ways; what one has more often than the other counts once."""
        return Scores.containment(joined, most=1.0)

    def decide(self, scores: Scores) -> Relations:
        """Return the relation: by containment each way, or by one similarity."""
        if self.similarity == "containment":
            return scores.relate(self.threshold)
        return scores.relate_alike(self.threshold, likeness=scores.column(self.similarity))

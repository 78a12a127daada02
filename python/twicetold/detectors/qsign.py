"""qSign: sentences near each other by their signatures, then compared by their words."""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import dataclass
from typing import ClassVar, Literal

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.detectors.word_overlap import Measure
from twicetold.errors import ParameterError
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Features, Trace, Verification
from twicetold.signatures import bits_per_word
from twicetold.statistics import Statistics

__all__ = ["QSign"]

_MOST_OF_A_TABLE = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class QSign(Detector):
    """Sentences near each other by their signatures, then compared by their words.

    Each word w sets the l bits sig(w) of the m bits of the signature of its sentence. A sentence Q
    of n words asks for those whose signature is near its own, and keeps those with enough overlap
    (`WordOverlap`)::

        hamming   popcount(sig(Q) ^ sig(R)) <= d
        and       popcount(sig(Q) & ~sig(R)) <= d      d = 0: sig(Q) & sig(R) == sig(Q)
        words     sig(w) & sig(R) == sig(w) for at least n - k words w of Q

    The radius d is fixed, or chosen for the n words of each sentence, k of which may change: the
    ``guarantee`` k*l, within which no such sentence is missed; or the largest d within which more
    than k changed words fall with a probability of at most ``false_hits``, by the ``binomial`` law
    of the paper or the ``exact`` one.

    Kim, Candan, Tatemura, "Efficient overlap and content reuse detection in blogs and online news
    articles", WWW 2009, sections 2.1 and 3. Differs from the paper: the words of a sentence are
    hashed with XXH3 and not with MD5, each sets l different bits, the Hybrid tree on disk is
    multi-index hashing in memory. The paper sets the bitwise and aside; asked for word by word,
    with the words of long sentences dealt out to blocks, it is the default: it finds all that
    `WordOverlap` finds.

    >>> from twicetold import Document, scan
    >>> told = Document(id="told", text="The old dam above the town broke on Monday morning.")
    >>> retold = Document(id="retold", text="On Monday the dam above the town broke. Nobody died.")
    >>> for pair in scan([told, retold], method="qsign", measure="plain", language="en"):
    ...     print(pair.left, pair.relation, pair.right, pair.left_in_right, pair.right_in_left)
    retold near-duplicate told 1.0 1.0
    """

    name: ClassVar[str] = "qsign"
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
    bits: int = parameter(256, "bits of a signature (m)", minimum=1, maximum=256)
    bits_per_word: int | None = parameter(
        4, "bits that a word sets (l); none: enough for the words there are", minimum=1, maximum=256
    )
    match: Literal["words", "and", "hamming"] = parameter(
        "words", "what may differ: words not in the other's bits, bits it lacks, or any bits"
    )
    block_words: int = parameter(
        16, "words that share a signature, where words are matched; the rest gets more", minimum=1
    )
    radius: Literal["fixed", "guarantee", "binomial", "exact"] = parameter(
        "guarantee", "how many bits may differ: distance, k times l, or by a bound on false hits"
    )
    distance: int = parameter(2, "bits that may differ, if the radius is fixed (d)", minimum=0)
    changed_words: int | None = parameter(
        None, "words that may change (k); none: as many as leave min_overlap", minimum=0
    )
    false_hits: float = parameter(
        0.1, "bound on the probability of a false hit (the paper's rho)", minimum=0, maximum=1
    )
    no_radius: Literal["zero", "skip"] = parameter(
        "zero", "what a sentence does for which no radius keeps the bound: search with 0, or not"
    )
    search: Literal["multi-index", "scan", "table"] = parameter(
        "multi-index",
        "how signatures within a Hamming distance are found; all find the same",
        decides_keys=False,
    )

    def __post_init__(self) -> None:
        # super() without arguments does not survive the class that slots=True makes anew.
        Detector.__post_init__(self)
        if self.bits_per_word is not None and self.bits_per_word > self.bits:
            msg = f"bits_per_word must not exceed bits ({self.bits}), got {self.bits_per_word}"
            raise ParameterError(msg)
        if self.search != "multi-index" and self.match != "hamming":
            msg = f"search={self.search!r} is for match='hamming', got match={self.match!r}"
            raise ParameterError(msg)
        if self.search == "table" and self.bits > _MOST_OF_A_TABLE:
            msg = f"search='table' is for at most {_MOST_OF_A_TABLE} bits, got bits={self.bits}"
            raise ParameterError(msg)

    def with_statistics(self, statistics: Statistics) -> QSign:
        """Return the same with the number of bits per word that the vocabulary asks for."""
        if self.bits_per_word is not None:
            return self
        return dataclasses.replace(self, bits_per_word=bits_per_word(self.bits, statistics.n_terms))

    def features(self, analysed: Analysed, statistics: Statistics, *, threads: int = 0) -> Features:
        """Return the different words of each sentence, with their idf, and its signature."""
        return _kernel.sentence_features(
            analysed,
            statistics.native,
            min_words=min(self.min_words, sys.maxsize),
            # Blocks are made of the words themselves.
            bits=0 if self.match == "words" else self.bits,
            bits_per_word=self.with_statistics(statistics).bits_per_word or 1,
            threads=threads,
        )

    def verify(self) -> Verification:
        """Return the search for near signatures, and the check of the overlap."""
        return Verification.signature(
            measure=self.measure,
            threshold=self.min_overlap,
            bits=self.bits,
            bits_per_word=self.bits_per_word or 1,
            index={"words": "words", "and": "missing", "hamming": self.search}[self.match],
            radius=self.radius,
            distance=min(self.distance, self.bits),
            changed=None if self.changed_words is None else min(self.changed_words, self.bits),
            false_hits=self.false_hits,
            zero_if_none=self.no_radius == "zero",
            block_words=min(self.block_words, sys.maxsize),
        )

    def trace(self, analysed: Analysed, document: int, statistics: Statistics) -> list[Trace]:
        """Return the different words of each sentence."""
        rows = _kernel.sentence_trace(
            analysed, document, statistics.native, min_words=min(self.min_words, sys.maxsize)
        )
        return [Trace(n, term, key, weight) for n, term, key, weight in rows]

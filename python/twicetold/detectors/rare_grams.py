"""Rare 4-grams: sentences that are the same by their three rarest runs of four characters."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Features, Keys, Trace, Verification
from twicetold.statistics import Statistics

__all__ = ["RareGrams"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RareGrams(Detector):
    """Sentences with the same rarest 4-grams of characters.

    The terms of a sentence, stop words dropped and stemmed, are written without spaces. Of the
    different runs g of four characters the three with the smallest F(g), how often g occurs in the
    sentences of the collection, one after the other, stand for the sentence::

        key(S) = concatenation of the 3 smallest (F(g), place of g) of S, by place
        S and T are the same  <=>  key(S) = key(T)

    How much of a document is in another one is the share of its sentences that are there.

    Yerra, "Detecting similar HTML documents using a sentence-based copy detection approach",
    thesis, Brigham Young University 2005, section 3.2.1. Differs from the thesis: stems are
    Snowball's, sentences of fewer than ``min_words`` different words are left out, and with
    ``min_overlap`` sentences that only happen to have the same key can be told apart by their
    words.

    >>> from twicetold import Document, scan
    >>> told = Document(id="told", text="The old dam above the town broke on Monday morning.")
    >>> retold = Document(id="retold", text="That old dam above a town broke Monday morning! Why?")
    >>> for pair in scan([told, retold], method="rare-grams", language="en"):
    ...     print(pair.left, pair.relation, pair.right, pair.left_in_right, pair.right_in_left)
    retold near-duplicate told 1.0 1.0
    """

    name: ClassVar[str] = "rare-grams"
    profile: ClassVar[str] = "fuzzy-set"
    unit: ClassVar[Literal["document", "sentence"]] = "sentence"

    threshold: float = parameter(
        0.5,
        "share of a document's sentences that are in the other from which on it is contained",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    rarest: int = parameter(
        3, "how many of the rarest 4-grams stand for a sentence", minimum=1, maximum=1000
    )
    min_words: int = parameter(3, "leave out sentences of fewer different words", minimum=1)
    min_overlap: float = parameter(
        0.0,
        "share of the shorter sentence's words both must have beside the key; 0: not looked at",
        minimum=0,
        maximum=1,
    )

    def add_statistics(
        self, analysed: Sequence[Analysed], statistics: Statistics, *, threads: int = 0
    ) -> None:
        """Count the 4-grams of the sentences."""
        statistics.add_grams(*analysed, threads=threads)

    def with_statistics(self, statistics: Statistics) -> RareGrams:
        """Return the same, if 4-grams were counted."""
        _ = statistics.grams
        return self

    def features(self, analysed: Analysed, statistics: Statistics, *, threads: int = 0) -> Features:
        """Return the key of each sentence; where words are compared as well, beside its words."""
        return _kernel.rare_gram_features(
            analysed,
            statistics.grams,
            rarest=self.rarest,
            min_words=min(self.min_words, sys.maxsize),
            with_words=self.min_overlap > 0,
            threads=threads,
        )

    def verify(self) -> Verification:
        """Return the check of the words; without one, sentences with the same key are the same."""
        if self.min_overlap > 0:
            return Verification.common(least=self.min_overlap)
        return Verification.overlap(measure="plain", threshold=1.0)

    def keys(self, features: Features, side: Literal["store", "probe"]) -> Keys:  # noqa: ARG002
        """Return the key of each sentence, on both sides alike."""
        if self.min_overlap > 0:
            return Keys.of_sketches(features)
        return Keys.of_features(features)

    def trace(self, analysed: Analysed, document: int, statistics: Statistics) -> list[Trace]:
        """Return what stands for each sentence."""
        rows = _kernel.rare_gram_trace(
            analysed,
            document,
            statistics.grams,
            rarest=self.rarest,
            min_words=min(self.min_words, sys.maxsize),
        )
        return [Trace(n, grams, key, 1.0) for n, grams, key in rows]

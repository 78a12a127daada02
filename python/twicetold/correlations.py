"""Correlations of words: how they are counted, and the form under which statistics pin them.

::

    c(i, j) = n(i, j) / (n(i) + n(j) - n(i, j))        n: units with the word, or with both

Only correlations from a floor on are kept, so that the matrix is sparse.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from twicetold import _kernel
from twicetold.analysis import Analysed

__all__ = ["MAX_PAIRS", "Correlating", "CorrelationUnit", "Correlations"]

Correlations = _kernel.Correlations
CorrelationUnit = Literal["document", "paragraph", "sentence"]

#: More pairs of words than this would take more than 4 GB while they are counted.
MAX_PAIRS = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlating:
    """What correlations are counted and kept.

    ``unit``       within what words come together
    ``floor``      the smallest correlation that is kept
    ``min_count``  words in fewer units correlate with none
    ``max_share``  words in more than this share of all units correlate with none

    >>> from twicetold.analysis import PROFILES, Analyser
    >>> texts = ["dam river", "dam river", "dam", "river bank"]
    >>> analysed = Analyser(PROFILES["plain"]).analyse(texts, languages=["en"] * 4)
    >>> correlating = Correlating(unit="document", floor=0.3, min_count=1, max_share=1)
    >>> correlating.count([analysed]).between("dam", "river")
    0.5
    """

    unit: CorrelationUnit = "sentence"
    floor: float = 0.05
    min_count: int = 5
    max_share: float = 0.2

    @property
    def form(self) -> str:
        """The canonical form: equal forms count the same."""
        return (
            f"unit={self.unit} floor={self.floor:g} "
            f"min-count={self.min_count} max-share={self.max_share:g}"
        )

    def count(self, analysed: Iterable[Analysed], *, threads: int = 0) -> Correlations:
        """Return the correlations of the words of analysed documents."""
        counts = _kernel.CorrelationCounts(self.unit)
        for batch in analysed:
            counts.add(batch, threads=threads)
        return counts.correlations(
            floor=self.floor,
            min_count=min(self.min_count, 2**32 - 1),
            max_share=self.max_share,
            max_pairs=min(MAX_PAIRS, sys.maxsize),
            threads=threads,
        )

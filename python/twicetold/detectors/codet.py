"""CoDet: containment by the corpus tree of idf-sorted sentence prefixes."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import ClassVar, Literal

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.errors import ParameterError
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Features, Trace
from twicetold.scoring import Relations, Scores
from twicetold.statistics import Idf, Statistics

__all__ = ["CoDet"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoDet(Detector):
    """Containment similarity over the corpus tree, divided by self-containment.

    The words of each sentence are sorted by idf, the rarest first, cut to ``depth`` words and
    inserted into a tree. A node at depth k with the word w weighs ``k * idf(w)``; documents share
    the nodes both have visited::

        CS(A, C) = sum of the weights of shared nodes        SCS(A) = CS(A, A)
        C contains A  if  CS(A, C) / SCS(A) > threshold

    A node is the path that leads to it, so the tree is joined as a table of path hashes: the same
    sums without its random memory accesses. Documents with equal paths are joined once.

    Varol, Can, Aykanat, Kaya, "CoDet: Sentence-based Containment Detection in News Corpora",
    CIKM 2011, section 3. Differs from the paper: a document counts once in a node (``mode="bag"``
    gives the sum over all pairs of sentences as printed in formula 1, whose ratio can exceed 1),
    equal idf is ordered by the word itself, and nodes too many documents share are left out.

    >>> from twicetold import Document, scan
    >>> long = Document(id="long", text="The dam broke on Monday. Ten villages lie below.")
    >>> short = Document(id="short", text="The dam broke on Monday.")
    >>> [(p.left, p.relation, p.right, p.right_in_left) for p in scan([long, short])]
    [('long', 'contains', 'short', 1.0)]
    """

    name: ClassVar[str] = "codet"
    profile: ClassVar[str] = "codet"

    threshold: float = parameter(
        0.5,
        "share of a document's weight from which on it is contained (the paper's ETL)",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    comparison: Literal["above", "at-least"] = parameter(
        "above", "whether the share must exceed the threshold or reach it", decides_keys=False
    )
    word_sorting: bool = parameter(True, "sort the words of a sentence by idf, rarest first (WS)")
    depth: int | None = parameter(
        5, "how many words of a sentence are taken; none: all (DT)", minimum=1
    )
    suffixes: int = parameter(
        1, "how many suffixes of a sentence are inserted, itself included (PSC)", minimum=1
    )
    mode: Literal["set", "bag"] = parameter(
        "set", "count a document once in a node, or as often as it comes (the literal formula)"
    )
    min_depth: int = parameter(1, "leave out paths of fewer words", minimum=1)
    min_words: int = parameter(1, "leave out sentences of fewer words", minimum=1)
    idf: Idf = parameter("plus-one", "weight of a word: log(N/df)+1, log(N/df), or smoothed")
    log_base: float = parameter(math.e, "base of the logarithm in idf", minimum=1.1)

    def __post_init__(self) -> None:
        # super() without arguments does not survive the class that slots=True makes anew.
        Detector.__post_init__(self)
        if self.depth is not None and self.min_depth > self.depth:
            msg = f"min_depth must not exceed depth ({self.depth}), got {self.min_depth}"
            raise ParameterError(msg)

    def options(self) -> _kernel.PathOptions:
        """Return the parameters that decide paths, as the kernel takes them."""
        return {
            "word_sorting": self.word_sorting,
            "depth": None if self.depth is None else min(self.depth, sys.maxsize),
            "suffixes": min(self.suffixes, sys.maxsize),
            "min_depth": min(self.min_depth, sys.maxsize),
            "min_words": min(self.min_words, sys.maxsize),
            "mode": self.mode,
            "idf": self.idf,
            "log_base": self.log_base,
        }

    @property
    def counts_features(self) -> bool:
        """Whether a path counts as often as a document has it."""
        return self.mode == "bag"

    def features(self, analysed: Analysed, statistics: Statistics, *, threads: int = 0) -> Features:
        """Return the root paths of each document's sentences."""
        return _kernel.path_features(analysed, statistics.native, self.options(), threads=threads)

    def trace(self, analysed: Analysed, document: int, statistics: Statistics) -> list[Trace]:
        """Return the paths of a document, in words."""
        rows = _kernel.path_trace(analysed, document, statistics.native, self.options())
        return [Trace(n, " > ".join(terms), key, weight) for n, terms, key, weight in rows]

    def decide(self, scores: Scores) -> Relations:
        """Return the relation; the paper asks for more than the threshold."""
        return scores.relate(self.threshold, strict=self.comparison == "above")

"""Fuzzy sets: sentences that say the same, also in other words."""

from __future__ import annotations

import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.correlations import Correlating, Correlations, CorrelationUnit
from twicetold.errors import StatisticsError
from twicetold.parameters import parameter, parameters_of
from twicetold.pipeline import Compared, Detector, Features, Keys, Trace, Verification
from twicetold.records import WordLink
from twicetold.relatedness import Relating
from twicetold.statistics import Statistics

__all__ = ["FuzzySet"]

#: What lies closer to a threshold is on it, as in the kernel.
EPSILON = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzySet(Detector):
    """Sentences whose words correlate: alike, also in other words.

    ``c`` says how often two words come together in a collection (`twicetold.correlations`); a word
    belongs to a sentence as far as it correlates with any of its words, and sentences are equal if
    the words of each belong to the other::

        mu(i, S)  = 1 - product of (1 - c(i, k)) over the words k of S
        Sim(S, T) = mean of mu(i, T) over the words i of S
        EQ(S, T)  = min(Sim(S, T), Sim(T, S)) >= permission and their difference <= variation

    The share of a document is that of its sentences with an equal one in the other document
    (``exists``), of its sentences in a largest one-to-one matching (``matching``), or of all equal
    pairs, at most 1 (``double``, the printed sum).

    Yerra, "Detecting similar HTML documents using a sentence-based copy detection approach",
    Brigham Young University 2005, chapter 3 and section 4.2. Differs from the thesis: words come
    together in sentences unless ``correlation_unit`` says else, small correlations and those of
    rare and very frequent words are left out, a sentence is a set of words unless ``words`` says
    else, ``relatedness`` may take correlations from a table (`twicetold.relatedness`), and
    sentences are met by an index that misses nothing.

    >>> from twicetold import Document, scan
    >>> told = Document(id="told", text="The old dam above the town broke on Monday morning.")
    >>> retold = Document(id="retold", text="On Monday morning the old dam above the town broke.")
    >>> [(p.relation, p.odds) for p in scan([told, retold], method="fuzzy-set", language="en")]
    [('near-duplicate', 100.0)]
    """

    name: ClassVar[str] = "fuzzy-set"
    profile: ClassVar[str] = "fuzzy-set"
    unit: ClassVar[Literal["document", "sentence"]] = "sentence"
    compares_pairs: ClassVar[bool] = True

    threshold: float = parameter(
        0.5,
        "share of a document's sentences with an equal one from which on it is contained",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    permission: float = parameter(
        0.825, "similarity that equal sentences have at the least, both ways", minimum=0, maximum=1
    )
    variation: float = parameter(
        0.15,
        "difference of the two similarities that equal sentences have at most",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    resemblance: Literal["exists", "matching", "double"] = parameter(
        "exists",
        "count sentences with an equal one, each in one match at most, or all equal pairs",
        decides_keys=False,
    )
    words: Literal["set", "bag"] = parameter(
        "set", "count a word of a sentence once, or as often as it comes"
    )
    min_words: int = parameter(3, "leave out sentences of fewer different words", minimum=1)
    relatedness: Literal["counted", "wordllama"] = parameter(
        "counted",
        "what says which words correlate: the collection, or the table of the package wordllama, "
        "for English",
    )
    correlation_unit: CorrelationUnit = parameter(
        "sentence", "within what words come together, where counted; the thesis: document"
    )
    correlation_floor: float = parameter(
        0.05,
        "the smallest correlation that is kept; of wordllama 0.2 at the least",
        minimum=1e-6,
        maximum=1,
    )
    correlation_min_count: int = parameter(
        5, "words in fewer units correlate with none, where counted; the thesis: 1", minimum=1
    )
    correlation_max_share: float = parameter(
        0.2,
        "words in more than this share of units correlate with none, where counted; the thesis: 1",
        minimum=0,
        maximum=1,
    )

    @property
    def correlation_form(self) -> str:
        """The form under which statistics pin the correlations it takes."""
        counted = self.relatedness == "counted"
        return self.correlating.form if counted else Relating(floor=self.correlation_floor).form

    @property
    def correlating(self) -> Correlating:
        """What correlations this detector counts."""
        return Correlating(
            unit=self.correlation_unit,
            floor=self.correlation_floor,
            min_count=self.correlation_min_count,
            max_share=self.correlation_max_share,
        )

    def add_statistics(
        self, analysed: Sequence[Analysed], statistics: Statistics, *, threads: int = 0
    ) -> None:
        """Count the correlations of the words, or look them up."""
        if self.relatedness == "counted":
            found = self.correlating.count(analysed, threads=threads)
        else:
            found = Relating(floor=self.correlation_floor).relate(statistics, threads=threads)
        statistics.pin_correlations(self.correlation_form, found)

    def with_statistics(self, statistics: Statistics) -> FuzzySet:
        """Return the detector with the correlations that are pinned for it."""
        given = {known.name: getattr(self, known.name) for known in parameters_of(FuzzySet)}
        return _Correlated(**given, correlations=self._correlations(statistics))

    def _correlations(self, statistics: Statistics) -> Correlations:
        form = self.correlation_form
        found = statistics.correlations(form)
        if found is None:
            option = "" if self.relatedness == "counted" else f" --relatedness {self.relatedness}"
            known = ", ".join(f"({form})" for form in statistics.correlated) or "none"
            msg = (
                f"statistics hold no term correlations ({form}), but {known}; build them with "
                f"`twicetold statistics build --method fuzzy-set{option}`"
            )
            raise StatisticsError(msg)
        return found

    def _matrix(self) -> Correlations:
        """Return the correlations; before statistics are known there are none."""
        return Correlations.from_pairs([])

    def features(self, analysed: Analysed, statistics: Statistics, *, threads: int = 0) -> Features:
        """Return the words of each sentence."""
        return _kernel.sentence_features(
            analysed,
            statistics.native,
            min_words=min(self.min_words, sys.maxsize),
            counted=self.words == "bag",
            threads=threads,
        )

    def verify(self) -> Verification:
        """Return the check of equality; before statistics are known, words are equal or not."""
        return Verification.fuzzy(
            self._matrix(),
            permission=self.permission,
            variation=self.variation,
            counting=self.resemblance,
        )

    def keys(self, features: Features, side: Literal["store", "probe"]) -> Keys:
        """Return all words to store; to look up, those that must not be missed, with neighbours."""
        if side == "store":
            return Keys.of_features(features)
        return _kernel.fuzzy_probes(features, self._matrix(), permission=self.permission)

    def trace(self, analysed: Analysed, document: int, statistics: Statistics) -> list[Trace]:
        """Return the different words of each sentence."""
        rows = _kernel.sentence_trace(
            analysed, document, statistics.native, min_words=min(self.min_words, sys.maxsize)
        )
        return [Trace(n, term, key, weight) for n, term, key, weight in rows]

    def links(
        self, left: Sequence[str], right: Sequence[str], statistics: Statistics
    ) -> list[WordLink]:
        """Return how each word of left correlates with the words of right."""
        correlations = self._correlations(statistics)
        other = sorted(set(right))
        return [
            WordLink(word, other[place], value)
            for word in dict.fromkeys(left)
            for place, value in correlations.neighbours(word, other)
        ]

    def compare(
        self,
        analysed: Analysed,
        left: Sequence[int],
        right: Sequence[int],
        statistics: Statistics,
        *,
        threads: int = 0,
    ) -> list[Compared]:
        """Return the similarity of pairs of sentences both ways, and whether they are equal."""
        features = replace(self, min_words=1).features(analysed, statistics, threads=threads)
        n = len(left)
        columns = _kernel.fuzzy_similarities(
            features,
            self._correlations(statistics),
            struct.pack(f"<{n}I", *left),
            struct.pack(f"<{n}I", *right),
            threads=threads,
        )
        both = zip(*(struct.unpack(f"<{n}d", column) for column in columns), strict=True)
        return [Compared(there, back, self.is_equal(there, back)) for there, back in both]

    def is_equal(self, there: float, back: float) -> bool:
        """Return whether sentences with these similarities are equal: EQ of the thesis.

        >>> FuzzySet().is_equal(0.825, 0.975), FuzzySet().is_equal(0.84, 1.0)
        (True, False)
        """
        permitted = min(there, back) >= self.permission - EPSILON
        return permitted and abs(there - back) <= self.variation + EPSILON


@dataclass(frozen=True, slots=True, kw_only=True)
class _Correlated(FuzzySet):
    """The detector once statistics are known."""

    correlations: Correlations = field(repr=False, compare=False)

    def _matrix(self) -> Correlations:
        return self.correlations

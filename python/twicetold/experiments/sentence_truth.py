"""Pairs of sentences with labels, and how alike fuzzy sets say they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

from twicetold.analysis import Analyser, profile_of
from twicetold.correlations import Correlations
from twicetold.detectors.fuzzy_set import FuzzySet
from twicetold.documents import Report
from twicetold.errors import ParameterError
from twicetold.evaluation.labels import LabelledSet
from twicetold.evaluation.sets import read_labels
from twicetold.experiments.collection import take
from twicetold.experiments.frame import Setting
from twicetold.experiments.text.edits import WordStock, change_words
from twicetold.experiments.text.spans import sentences, word_spans
from twicetold.records import Document
from twicetold.scanning import Documents
from twicetold.statistics import Statistics

__all__ = [
    "Counts",
    "Similar",
    "Truth",
    "best_threshold",
    "counts_at",
    "counts_of",
    "pearson",
    "truth_of",
]

#: Sentences of fewer words are not planted, and not more pairs than this.
_LEAST_WORDS, _MOST = 8, 2000
#: How much of a sentence is changed in pairs that are alike.
_CHANGED = (0.05, 0.1, 0.2)


class Truth(NamedTuple):
    """Pairs of sentences: their texts, labels and parts, and texts to count words in.

    ``tested`` says which pairs figures are reported on; all others are there to learn from.
    """

    pairs: list[tuple[str, str]]
    labels: list[float]
    positive: list[bool]
    parts: list[str]
    tested: list[bool]
    background: list[str]
    graded: bool
    about: str

    @property
    def divided(self) -> str:
        """How many of the pairs are reported, in words."""
        return f"{self.about}, {sum(self.tested):,} pairs reported, the others to learn from"

    def rows(self, *, tested: bool) -> list[int]:
        """Return the numbers of the pairs to learn from, or of those that are reported."""
        return [n for n, is_tested in enumerate(self.tested) if is_tested == tested]


class Counts(NamedTuple):
    """Right and wrong decisions."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def precision(self) -> float:
        """How many of those said to be alike are."""
        return self.tp / max(self.tp + self.fp, 1)

    @property
    def recall(self) -> float:
        """How many of those alike are said to be."""
        return self.tp / max(self.tp + self.fn, 1)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return 2 * self.tp / max(2 * self.tp + self.fp + self.fn, 1)

    @property
    def accuracy(self) -> float:
        """How many decisions are right."""
        return (self.tp + self.tn) / max(sum(self), 1)

    @property
    def thesis_f1(self) -> float:
        """The same as the thesis computes it: from percents, with 100 for what is right."""
        fp, fn = self.shares
        precision, recall = 1 / (1 + fp), 1 / (1 + fn)
        return 2 * precision * recall / (precision + recall)

    @property
    def shares(self) -> tuple[float, float]:
        """The false positives among those not alike, the false negatives among those alike."""
        return self.fp / max(self.fp + self.tn, 1), self.fn / max(self.fn + self.tp, 1)


def counts_of(decided: Sequence[bool], positive: Sequence[bool]) -> Counts:
    """Count decisions against the truth."""
    both = list(zip(decided, positive, strict=True))
    return Counts(
        tp=both.count((True, True)),
        fp=both.count((True, False)),
        fn=both.count((False, True)),
        tn=both.count((False, False)),
    )


def counts_at(scores: Sequence[float], positive: Sequence[bool], threshold: float) -> Counts:
    """Count the decisions of a threshold."""
    return counts_of([score >= threshold - 1e-9 for score in scores], positive)


def best_threshold(scores: Sequence[float], positive: Sequence[bool]) -> float:
    """Return the threshold with the highest F1; of equals the strictest."""
    ranked = sorted(zip(scores, positive, strict=True), reverse=True)
    total, tp, best = sum(positive), 0, (0.0, 1.0)
    for n, (score, is_positive) in enumerate(ranked, start=1):
        tp += is_positive
        if n == len(ranked) or ranked[n][0] < score:
            best = max(best, (2 * tp / (n + total), score))
    return best[1]


def pearson(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the correlation of two columns; 0 if one never changes."""
    n = len(x)
    mean_x, mean_y = sum(x) / n, sum(y) / n
    xy = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    spread = math.sqrt(sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y))
    return xy / spread if spread else 0.0


def truth_of(setting: Setting) -> Truth:
    """Return the labelled pairs of a setting, or pairs planted into its documents."""
    documents = take(setting) if setting.data else []
    background = [document.text for document in documents]
    if setting.labels is None:
        return _planted(documents, background, setting.seed)
    labelled = read_labels(setting.labels)
    if labelled.unit != "sentence":
        msg = f"{labelled.name}: this experiment needs pairs of sentences, such as those of mrpc"
        raise ParameterError(msg)
    return _labelled(labelled, background)


def _labelled(labelled: LabelledSet, background: list[str]) -> Truth:
    texts = {d.id: d.text for d in Documents(labelled.sources, Report(), strict=False)}
    known = [p for p in labelled.pairs if p.left in texts and p.right in texts]
    last = max((pair.part for pair in known), default="").partition("/")[0]
    reported = labelled.test_part or last
    tested = [
        pair.part == reported or pair.part.startswith(f"{reported}/") if reported else n % 2 == 1
        for n, pair in enumerate(known)
    ]
    pairs = [(texts[pair.left], texts[pair.right]) for pair in known]
    return Truth(
        pairs,
        [pair.label for pair in known],
        [labelled.is_positive(pair.label) for pair in known],
        [pair.part for pair in known],
        tested,
        background or [text for pair in pairs for text in pair],
        labelled.graded,
        f"truth: {labelled.name}, {len(known):,} pairs",
    )


def _planted(documents: Sequence[Document], background: list[str], seed: int) -> Truth:
    rng, stock = Random(seed), WordStock()  # noqa: S311 - not for secrets
    found: list[str] = []
    for document in documents:
        stock.learn(document.text)
        own = (document.text[span.start : span.end] for span in sentences(document.text))
        found += [text for text in own if len(word_spans(text)) >= _LEAST_WORDS]
    found = list(dict.fromkeys(found))[: _MOST // 2]
    alike = [(text, change_words(text, rng.choice(_CHANGED), stock, rng)) for text in found]
    other = list(pairwise(found))
    pairs = [*alike, *other]
    labels = [1.0] * len(alike) + [0.0] * len(other)
    order = list(range(len(pairs)))
    rng.shuffle(order)
    return Truth(
        [pairs[n] for n in order],
        [labels[n] for n in order],
        [labels[n] > 0 for n in order],
        [""] * len(order),
        [n % 2 == 1 for n in range(len(order))],
        background,
        graded=False,
        about=f"truth: {len(alike):,} sentences with words changed, {len(other):,} neighbours",
    )


class Similar:
    """The words of pairs, analysed once, with correlations counted in the background."""

    def __init__(self, truth: Truth, threads: int) -> None:
        profile = profile_of("fuzzy-set")
        analyser = Analyser(profile)
        self._threads = threads
        texts = list(dict.fromkeys(text for pair in truth.pairs for text in pair))
        numbers = {text: n for n, text in enumerate(texts)}
        self._left, self._right = ([numbers[p[side]] for p in truth.pairs] for side in (0, 1))
        self._background = analyser.analyse(truth.background, threads=threads)
        self._sentences = analyser.analyse(texts, threads=threads)
        self.statistics = Statistics(profile)
        self.statistics.add(self._background, threads=threads)

    def of(self, detector: FuzzySet) -> list[tuple[float, float]]:
        """Return Sim of each pair both ways."""
        self.correlations(detector)
        found = detector.compare(
            self._sentences, self._left, self._right, self.statistics, threads=self._threads
        )
        return [compared[:2] for compared in found]

    def correlations(self, detector: FuzzySet) -> Correlations:
        """Return the correlations a detector takes, counted the first time."""
        form = detector.correlation_form
        if self.statistics.correlations(form) is None and detector.relatedness == "counted":
            detector.add_statistics([self._background], self.statistics, threads=self._threads)
        elif self.statistics.correlations(form) is None:
            # A table needs no texts to count in: it relates the words that are asked for.
            own = detector.count([self._sentences], self.statistics.profile, threads=self._threads)
            related = own.correlations(form)
            assert related is not None
            self.statistics.pin_correlations(form, related)
        found = self.statistics.correlations(form)
        assert found is not None
        return found

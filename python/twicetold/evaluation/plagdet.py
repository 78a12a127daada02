"""How well passages were found, by character: precision, recall, granularity, plagdet.

Potthast, Stein, Barrón-Cedeño, Rosso, "An Evaluation Framework for Plagiarism Detection", COLING
2010, in the form that the PAN competitions use: every case counts the same, long or short.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from twicetold.records import Span

__all__ = ["Plagdet", "Stretch", "judge_passages"]


class Stretch(NamedTuple):
    """A stretch of left and the stretch of right it came from."""

    left: Span
    right: Span


@dataclass(frozen=True, slots=True)
class Plagdet:
    """The figures of some pairs of documents, and the counts behind them.

    ``false_alarms`` is the number of pairs without a case in which something was found.
    """

    precision: float
    recall: float
    granularity: float
    pairs: int
    cases: int
    found: int
    unrelated_pairs: int
    false_alarms: int

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    @property
    def plagdet(self) -> float:
        """``F1 / log2(1 + granularity)``."""
        return self.f1 / math.log2(1 + self.granularity)

    def to_json(self) -> dict[str, Any]:
        """Return the figures by name."""
        return {
            "plagdet": self.plagdet,
            "precision": self.precision,
            "recall": self.recall,
            "granularity": self.granularity,
            "f1": self.f1,
            "pairs": self.pairs,
            "cases": self.cases,
            "found": self.found,
            "unrelated_pairs": self.unrelated_pairs,
            "false_alarms": self.false_alarms,
        }


def judge_passages(pairs: Iterable[tuple[Sequence[Stretch], Sequence[Stretch]]]) -> Plagdet:
    r"""Compare the cases of each pair of documents with what was found in it.

    ::

        recall      = 1/|S| Σ |s ∩ ∪ R(s)| / |s|        R(s): what was found that overlaps s
        precision   = 1/|R| Σ |r ∩ ∪ S(r)| / |r|        S(r): the cases that overlap r
        granularity = mean of |R(s)| over the cases with any

    with S the cases, R what was found. Lengths count the characters of both documents, and two
    stretches overlap if they do so in both. Without any, granularity is 1.

    >>> case = Stretch(Span(0, 100), Span(50, 150))
    >>> half = Stretch(Span(0, 50), Span(50, 150))
    >>> found = judge_passages([([case], [half]), ([], [half])])
    >>> found.recall, found.precision, found.granularity, found.false_alarms
    (0.75, 0.5, 1.0, 1)
    """
    recalls: list[float] = []
    precisions: list[float] = []
    pieces: list[int] = []
    n_pairs = unrelated = false_alarms = 0
    for cases, found in pairs:
        n_pairs += 1
        unrelated += not cases
        false_alarms += bool(found) and not cases
        for case in cases:
            share, overlapping = _covered(case, found)
            recalls.append(share)
            if overlapping:
                pieces.append(overlapping)
        precisions.extend(_covered(stretch, cases)[0] for stretch in found)
    return Plagdet(
        precision=_mean(precisions, 1.0 if not recalls else 0.0),
        recall=_mean(recalls, 1.0 if not precisions else 0.0),
        granularity=_mean(pieces, 1.0),
        pairs=n_pairs,
        cases=len(recalls),
        found=len(precisions),
        unrelated_pairs=unrelated,
        false_alarms=false_alarms,
    )


def _mean(values: Sequence[float], otherwise: float) -> float:
    return math.fsum(values) / len(values) if values else otherwise


def _covered(stretch: Stretch, others: Sequence[Stretch]) -> tuple[float, int]:
    """Return which share of a stretch others cover, and how many of them overlap it."""
    overlapping = [
        other
        for other in others
        if _overlap(stretch.left, other.left) and _overlap(stretch.right, other.right)
    ]
    covered = _union(stretch.left, (other.left for other in overlapping))
    covered += _union(stretch.right, (other.right for other in overlapping))
    length = sum(span.end - span.start for span in stretch)
    return covered / length if length else 0.0, len(overlapping)


def _overlap(one: Span, other: Span) -> bool:
    return max(one.start, other.start) < min(one.end, other.end)


def _union(within: Span, spans: Iterable[Span]) -> int:
    """Return how many characters of a span others cover."""
    covered, at = 0, within.start
    for start, end in sorted(spans):
        first, last = max(start, at), min(end, within.end)
        if first < last:
            covered += last - first
            at = last
    return covered

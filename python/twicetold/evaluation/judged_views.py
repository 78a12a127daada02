"""What a method says of judged pairs, and the figures that follow: weighted, for both questions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from twicetold.evaluation.answers import (
    ANSWERS,
    RELATED_RELATIONS,
    TAKEN_RELATIONS,
    Question,
    is_true,
)
from twicetold.evaluation.columns import floats
from twicetold.evaluation.found import Found
from twicetold.evaluation.judged import JudgedPair, JudgedSet
from twicetold.evaluation.labels import LabelledPair, unordered
from twicetold.evaluation.scored import Scored, source_clusters
from twicetold.evaluation.views import PairView, view_pairs

__all__ = [
    "NOT_REPORTED",
    "Bin",
    "Reliability",
    "Verdict",
    "relations_and_answers",
    "reliability",
    "verdicts",
    "view_question",
]

#: Stands for the relation of a pair that the method does not report.
NOT_REPORTED = "none"
#: Reliability is told in so many steps of probability.
_BINS = 10


class Verdict(NamedTuple):
    """What a method says of a judged pair, seen from its left document.

    ``related`` and ``taken`` are probabilities where the method tells some, else the larger share;
    0 for a pair that is not reported.
    """

    relation: str
    related: float = 0.0
    taken: float = 0.0
    is_related: bool = False
    is_taken: bool = False

    @property
    def is_reported(self) -> bool:
        """Whether the method reports the pair at all."""
        return self.relation != NOT_REPORTED

    def score(self, question: Question) -> float:
        """Return what is compared with thresholds."""
        return self.related if question == "related" else self.taken

    def says(self, question: Question) -> bool:
        """Return the decision of the method."""
        return self.is_related if question == "related" else self.is_taken


def _verdict(found: Found, threshold: float | None) -> Verdict:
    """Return what is said of a pair; with a threshold, that decides who is related."""
    score = found.score("containment", directed=False)
    if found.relation == "same-form":
        score = 0.0
    related = score if found.probability is None else found.probability
    taken = related if found.taken is None else found.taken
    is_related = found.relation in RELATED_RELATIONS
    if threshold is not None:
        is_related = related >= threshold
    is_taken = is_related or found.relation in TAKEN_RELATIONS
    return Verdict(found.relation, related, taken, is_related, is_taken)


def verdicts(
    judged: JudgedSet, pairs: Sequence[tuple[str, str, Found]], threshold: float | None = None
) -> list[Verdict]:
    """Return what a method says of each judged pair, whichever document it names first."""
    wanted = judged.keys
    known = {
        (left, right): found for left, right, found in pairs if unordered(left, right) in wanted
    }
    said = []
    for pair in judged.pairs:
        found = known.get((pair.left, pair.right))
        if found is None and (other := known.get((pair.right, pair.left))) is not None:
            found = other.reversed()
        said.append(Verdict(NOT_REPORTED) if found is None else _verdict(found, threshold))
    return said


def view_question(
    pairs: Sequence[JudgedPair],
    said: Sequence[Verdict],
    question: Question,
    *,
    threshold: float,
    seed: int = 0,
    bootstrap: int = 0,
) -> PairView:
    """Return the figures of one question, each pair with its weight."""
    import pyarrow as pa

    labelled = [LabelledPair(p.left, p.right, float(is_true(question, p.answer))) for p in pairs]
    numbers, clustered_by = source_clusters(labelled)
    clusters = pa.array(numbers, pa.int64())
    label = floats(pair.label for pair in labelled)
    scored = Scored(
        score=floats(one.score(question) for one in said),
        label=label,
        positive=label.cast(pa.bool_()),
        decided=pa.array([one.says(question) for one in said], pa.bool_()),
        part=[""] * len(labelled),
        left=clusters,
        right=clusters,
        n_clusters=max(numbers) + 1,
        clustered_by=clustered_by,
        stands_for=floats(pair.weight for pair in pairs),
    )
    return view_pairs(scored, threshold=threshold, graded=False, seed=seed, bootstrap=bootstrap)


class Bin(NamedTuple):
    """Pairs whose score lies between two ends: how many, their mean score, how many are true.

    ``share`` is of the pairs as they weigh.
    """

    start: float
    end: float
    pairs: int
    weight: float
    score: float
    share: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """Whether scores are probabilities, over the pairs that a method reports.

    ``error`` is the expected calibration error: the mean distance of score and share over the
    bins, each as heavy as its pairs; ``error_of_judged`` is the same with every judged pair once.
    """

    bins: tuple[Bin, ...]
    error: float | None
    error_of_judged: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the figures by name."""
        return {
            "calibration_error": self.error,
            "calibration_error_of_judged": self.error_of_judged,
            "bins": [one._asdict() for one in self.bins],
        }


def reliability(
    pairs: Sequence[JudgedPair], said: Sequence[Verdict], question: Question
) -> Reliability:
    """Return how often pairs of each score are what the score says."""
    rows = [
        (min(max(one.score(question), 0.0), 1.0), is_true(question, pair.answer), pair.weight)
        for pair, one in zip(pairs, said, strict=True)
        if one.is_reported
    ]
    bins = _bins(rows)
    plain = _bins([(score, true, 1.0) for score, true, _ in rows])
    return Reliability(bins, _error(bins), _error(plain))


def _bins(rows: Sequence[tuple[float, bool, float]]) -> tuple[Bin, ...]:
    by_bin: dict[int, list[tuple[float, bool, float]]] = {}
    for row in rows:
        by_bin.setdefault(min(int(row[0] * _BINS), _BINS - 1), []).append(row)
    found = []
    for number, inside in sorted(by_bin.items()):
        weight = math.fsum(weight for *_, weight in inside)
        mean = math.fsum(score * weight for score, _, weight in inside) / weight
        share = math.fsum(weight for _, true, weight in inside if true) / weight
        start, end = number / _BINS, (number + 1) / _BINS
        found.append(Bin(start, end, len(inside), weight, mean, share))
    return tuple(found)


def _error(bins: Sequence[Bin]) -> float | None:
    total = math.fsum(one.weight for one in bins)
    if not total:
        return None
    return math.fsum(one.weight * abs(one.score - one.share) for one in bins) / total


def relations_and_answers(
    pairs: Sequence[JudgedPair], said: Sequence[Verdict]
) -> Mapping[str, Mapping[str, tuple[int, float]]]:
    """Return by relation of the method how many pairs have each answer, judged and as they weigh.

    The relations come in the order in which they claim less and less.
    """
    found: dict[str, dict[str, tuple[int, float]]] = {}
    for pair, one in zip(pairs, said, strict=True):
        row = found.setdefault(one.relation, dict.fromkeys(ANSWERS, (0, 0.0)))
        count, weight = row[pair.answer]
        row[pair.answer] = count + 1, weight + pair.weight
    return {name: found[name] for name in sorted(found, key=_place)}


_ORDER = ("identical", "near-duplicate", "contained", "contains", "version", "overlap", "same-form")


def _place(relation: str) -> tuple[int, str]:
    return (_ORDER.index(relation) if relation in _ORDER else len(_ORDER), relation)

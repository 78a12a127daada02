"""What makes up the score of a pair: sentences, features, and what was missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from twicetold import scoring
from twicetold.records import Relation, Span, WordLink

__all__ = ["Evidence", "Explanation", "SentenceEvidence", "Side"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One feature both documents have: what it is, what it adds to the score.

    Of methods that compare sentences, two sentences that match, with the score of the match and,
    where words that differ count, with the words that have to do with each other.
    """

    label: str
    weight: float
    left_sentences: tuple[int, ...]
    right_sentences: tuple[int, ...]
    words: tuple[WordLink, ...] = ()


@dataclass(frozen=True, slots=True)
class SentenceEvidence:
    """A sentence: its weight in its own document, and how much of it the other document has.

    ``partner`` is the sentence of the other document that shares most with it; None if none does.
    A feature that several sentences have counts for the first of them or, where a method counts
    how often it comes, for each. Boilerplate of a source weighs nothing.
    """

    number: int
    span: Span
    text: str
    weight: float
    shared: float
    partner: int | None
    is_boilerplate: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two documents: its total weight, what of it the other shares, its sentences.

    Methods that compare sentences give each one the weight 1, and 0 where they do not look at it.
    """

    id: str
    total: float
    shared: float
    share: float
    sentences: tuple[SentenceEvidence, ...]
    #: What was left out because the site repeats it on its pages.
    boilerplate: tuple[Span, ...] = ()
    #: The texts of that.
    left_out: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[SentenceEvidence, ...]:
        """The sentences the other document lacks at least in part, the weightiest first."""
        lacking = [s for s in self.sentences if s.weight - s.shared > scoring.EPSILON]
        return tuple(sorted(lacking, key=lambda s: (s.shared - s.weight, s.number)))


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that makes up the score of a pair."""

    left: Side
    right: Side
    relation: Relation
    threshold: float
    evidence: tuple[Evidence, ...]
    #: Features left out because too many documents have them.
    left_out: int
    #: Where idf comes from, for people.
    statistics: str
    #: What evidence is made of, for people.
    noun: str = "features"
    #: Shares and relation were estimated from sketches: they are not the quotients of the weights
    #: beside them.
    estimated: bool = False
    #: Shares are probabilities that a model says.
    learned: bool = False
    #: The probabilities that left is told in right, right in left, and that text was taken; None
    #: where weights decide.
    probabilities: tuple[float, float, float] | None = None

    @property
    def shared(self) -> float:
        """The weight both share; of sentences, how many of left have a match in right."""
        return self.left.shared

    def is_contained(self, side: Side) -> bool:
        """Return whether this side is contained in the other one."""
        only = "contained" if side is self.left else "contains"
        return self.relation in ("identical", "near-duplicate", only)

    def needed(self, side: Side) -> float:
        """Return the weight that was missing for this side to reach the threshold.

        0 if none was, or if it is not weight that decides.
        """
        is_weight = not self.estimated and self.probabilities is None
        return 0.0 if not is_weight else max(self.threshold * side.total - side.shared, 0.0)

    def to_json(self) -> dict[str, Any]:
        """Return the explanation as `explain --json` prints it."""
        return {
            "left": _side_json(self.left, self.needed(self.left)),
            "right": _side_json(self.right, self.needed(self.right)),
            "relation": self.relation,
            **_probabilities_json(self.probabilities),
            "shared": self.shared,
            "threshold": self.threshold,
            "evidence": [
                {
                    "label": e.label,
                    "weight": e.weight,
                    "left_sentences": list(e.left_sentences),
                    "right_sentences": list(e.right_sentences),
                    **({"words": [list(link) for link in e.words]} if e.words else {}),
                }
                for e in self.evidence
            ],
            "left_out": self.left_out,
            "estimated": self.estimated,
            "learned": self.learned,
            "statistics": self.statistics,
        }


def _probabilities_json(found: tuple[float, float, float] | None) -> dict[str, float]:
    if found is None:
        return {}
    left, right, taken = found
    return {
        "probability": max(left, right),
        "left_in_right_probability": left,
        "right_in_left_probability": right,
        "taken": taken,
    }


def _side_json(side: Side, needed: float) -> dict[str, Any]:
    return {
        "id": side.id,
        "total": side.total,
        "shared": side.shared,
        "share": side.share,
        "needed": needed,
        **({"boilerplate": [list(span) for span in side.boilerplate]} if side.boilerplate else {}),
        "sentences": [
            {
                "span": list(s.span),
                "text": s.text,
                "weight": s.weight,
                "shared": s.shared,
                "partner": s.partner,
                **({"boilerplate": True} if s.is_boilerplate else {}),
            }
            for s in side.sentences
        ],
    }

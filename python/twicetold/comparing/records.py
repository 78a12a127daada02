"""What a comparison holds: one document beside one or several others, sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from twicetold.html.hierarchy import Hierarchy
from twicetold.html.trees import Order, TreeMatch, match_trees
from twicetold.records import Document, Pair, PairSide, Relation, Span

__all__ = ["Compared", "Comparison", "Dot", "Part", "Verdict", "earlier_of"]


def earlier_of(left: Document, rights: Sequence[Document]) -> PairSide | None:
    """Return which side is earlier: left, or all on the right; None where times do not tell."""
    if rights and all(left.is_before(right) for right in rights):
        return "left"
    return "right" if rights and all(right.is_before(left) for right in rights) else None


class Dot(NamedTuple):
    """A sentence of left and one of right that match, by their numbers; a dot of the dotplot."""

    left: int
    right: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a learned decision, or a detector with a model, says of left and another document.

    Both directions are probabilities, as a scan gives them. ``taken`` is that of text having been
    taken, ``pair`` what a scan finds; None where a model says no such thing.
    """

    method: str
    settings: dict[str, Any]
    relation: Relation
    left_in_right: float
    right_in_left: float
    threshold: float
    taken: float | None = None
    pair: Pair | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as `compare --json` prints it."""
        taken = {} if self.taken is None else {"taken": self.taken}
        return {
            **taken,
            "method": self.method,
            **self.settings,
            "relation": self.relation,
            "left_in_right": self.left_in_right,
            "right_in_left": self.right_in_left,
            "score": max(self.left_in_right, self.right_in_left),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A document of a comparison.

    ``matched``     the numbers of the sentences that have a match on the other side
    ``emphasised``  the words inside passages that the other side has as well, run by run
    """

    document: Document
    sentences: tuple[Span, ...]
    matched: tuple[int, ...]
    emphasised: tuple[Span, ...]
    #: The nodes of the page it was read from; None if it was not read from one.
    hierarchy: Hierarchy | None = None
    #: What was left out because the site repeats it on its pages.
    boilerplate: tuple[Span, ...] = ()

    def text(self, number: int) -> str:
        """Return the text of a sentence."""
        span = self.sentences[number]
        return self.document.text[span.start : span.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A document on the right, and what left has in common with it alone.

    ``credited`` are the sentences of left whose best match stands in this document.
    """

    right: Compared
    pair: Pair
    dots: tuple[Dot, ...]
    credited: tuple[int, ...]
    #: What a model says of the two; None unless one was asked.
    verdict: Verdict | None = None

    @property
    def left_matched(self) -> int:
        """How many sentences of left have a match in this document."""
        return len({dot.left for dot in self.dots})

    def trees(self, left: Compared, order: Order = "document") -> TreeMatch | None:
        """Return how the trees of both pages match; None unless both were read from pages."""
        if left.hierarchy is None or self.right.hierarchy is None:
            return None
        matches = [(dot.left, dot.right) for dot in self.dots]
        return match_trees(left.hierarchy, self.right.hierarchy, matches, order=order)

    def to_json(self, left: Compared, order: Order = "document") -> dict[str, Any]:
        """Return the part as `compare --json` prints it: the pair, and sentences as counts."""
        trees = self.trees(left, order)
        return {
            **self.pair.to_json(),
            "sentences": {
                "left": len(left.sentences),
                "left_matched": self.left_matched,
                "left_credited": len(self.credited),
                "right": len(self.right.sentences),
                "right_matched": len(self.right.matched),
            },
            **({} if self.verdict is None else {"learned": self.verdict.to_json()}),
            **_left_out("right", self.right),
            **({} if trees is None else {"trees": trees.to_json()}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A document beside one or several others.

    ``pair`` is left with the union of all documents on the right; each of ``parts`` is left with
    one of them alone. Left and right are as they were given, whatever their order in time.
    """

    left: Compared
    parts: tuple[Part, ...]
    pair: Pair
    method: str
    threshold: float
    #: In which order the dotplot of pages counts sentences.
    order: Order = "document"

    @property
    def has_evidence(self) -> bool:
        """Whether anything at all is common to both sides."""
        return self.pair.relation != "overlap" or any(
            part.dots or part.pair.passages for part in self.parts
        )

    @property
    def verdict(self) -> Verdict | None:
        """What a model says of the two documents; None unless one was asked about just two."""
        return self.parts[0].verdict if len(self.parts) == 1 else None

    @property
    def earlier(self) -> PairSide | None:
        """Which side is earlier: ``left``, ``right``, or None where time does not tell."""
        return self.pair.earlier

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as `compare --json` prints it."""
        found = self.pair.to_json()
        several = len(self.parts) > 1
        if several:
            found["right"] = [part.right.document.id for part in self.parts]
            rows = [
                {**passage.to_json(), "document": part.right.document.id}
                for part in self.parts
                for passage in part.pair.passages
            ]
            found["passages"] = sorted(rows, key=lambda row: (row["left"], row["right"]))
        return {
            **found,
            "method": self.method,
            "threshold": self.threshold,
            **({} if self.verdict is None else {"learned": self.verdict.to_json()}),
            "sentences": {
                "left": len(self.left.sentences),
                "left_matched": len(self.left.matched),
                "right": sum(len(part.right.sentences) for part in self.parts),
                "right_matched": sum(len(part.right.matched) for part in self.parts),
            },
            **_left_out("left", self.left),
            "documents": [part.to_json(self.left, self.order) for part in self.parts],
        }


def _left_out(name: str, side: Compared) -> dict[str, Any]:
    """Return what was left out of a document, where something was."""
    if not side.boilerplate:
        return {}
    return {f"{name}_boilerplate": [list(span) for span in side.boilerplate]}

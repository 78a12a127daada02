"""What deduplication says of a collection: what was removed, why, and who holds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from twicetold.records import Span

__all__ = [
    "DIRECTIONS",
    "KEEPS",
    "Cut",
    "Direction",
    "Dropped",
    "Keep",
    "Reason",
    "Removal",
    "Shortened",
    "Skipped",
]

#: Which of several documents that hold each other is kept.
Keep = Literal["earliest", "longest", "first"]
KEEPS: tuple[Keep, ...] = get_args(Keep)

#: Which documents go for one of the other collection: those it holds, those that hold it, or both.
Direction = Literal["contained", "contains", "either"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)

#: Why a document is dropped: how it stands to its witness, or that nothing of it was left.
Reason = Literal["identical", "near-duplicate", "contained", "contains", "retold in parts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Sentences that were cut out of a document, and where its witness has them.

    Spans are those of the texts as they were. ``share`` is how many of the words of a sentence the
    witness has there, of the sentence of which it has fewest.
    """

    span: Span
    witness: str
    witness_span: Span
    share: float

    def to_json(self) -> dict[str, Any]:
        """Return the cut as the ledger has it."""
        return {
            "span": list(self.span),
            "witness": self.witness,
            "witness_span": list(self.witness_span),
            "share": self.share,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A document that was dropped.

    ``at``              its place among the rows of the sources, from 0
    ``witness``         the document that is kept and holds it, or that it ``contains``; None:
                        several hold it, see ``cuts``
    ``in_witness``      how much of it is in the witness, and ``witness_in`` the reverse
    ``against``         whether the witness belongs to the other collection
    """

    at: int
    id: str
    reason: Reason
    witness: str | None
    in_witness: float
    witness_in: float
    against: bool = False
    characters: int = 0
    cuts: tuple[Cut, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the removal as the ledger has it, without the row."""
        return {
            "at": self.at,
            "id": self.id,
            "action": "dropped",
            "reason": self.reason,
            "witness": self.witness,
            "against": self.against,
            "in_witness": self.in_witness,
            "witness_in": self.witness_in,
            "characters": self.characters,
            **({"cuts": [cut.to_json() for cut in self.cuts]} if self.cuts else {}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortened:
    """A document that is kept without sentences that others have."""

    at: int
    id: str
    characters: int
    cuts: tuple[Cut, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the removal as the ledger has it, without the row."""
        return {
            "at": self.at,
            "id": self.id,
            "action": "shortened",
            "characters": self.characters,
            "cuts": [cut.to_json() for cut in self.cuts],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A row that makes no document, such as one without a text."""

    at: int
    reason: str

    def to_json(self) -> dict[str, Any]:
        """Return the removal as the ledger has it, without the row."""
        return {"at": self.at, "id": None, "action": "skipped", "reason": self.reason}


Removal = Dropped | Shortened | Skipped

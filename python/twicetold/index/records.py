"""What an index answers with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypedDict

from twicetold.pipeline import Progress
from twicetold.records import Pair

__all__ = ["Added", "Adding", "IndexInfo", "OnDuplicate", "Status"]

OnDuplicate = Literal["error", "skip", "replace"]
Status = Literal["added", "replaced", "skipped", "expired"]


class Adding(TypedDict, total=False):
    """How documents are added: the keywords of `Index.iter_add`."""

    on_duplicate: OnDuplicate
    all_pairs: bool
    answers: bool
    batch: int
    until_told: bool
    progress: Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a document, and its pairs with those that were there before it.

    ``skipped`` documents had an id that was there; ``expired`` ones are not kept: those that are
    outside the window when they come are not compared either, others went by what came with them.
    Without answers nobody is compared, and there are no pairs. What is told ``again`` was kept by
    an earlier process, and perhaps not told. One that is skipped is ``changed`` if its text is
    not the one that is there.
    """

    id: str
    status: Status
    pairs: Sequence[Pair] = ()
    is_answered: bool = field(default=True, repr=False)
    is_again: bool = field(default=False, repr=False)
    is_changed: bool = field(default=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        """Return the acknowledgement as the command line prints it."""
        told: dict[str, Any] = {"id": self.id, "status": self.status}
        if self.is_again:
            told["again"] = True
        if self.is_changed:
            told["changed"] = True
        if self.is_answered:
            told["pairs"] = [pair.to_json() for pair in self.pairs]
        return told


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexInfo:
    """What an index is, and how large."""

    path: str
    format_version: int
    method: str
    parameters: dict[str, Any]
    language: str | None
    window_seconds: float | None
    floor: float | None
    passages: bool
    max_key_documents: int
    statistics: str | None
    statistics_origin: str | None
    statistics_documents: int
    commit: int
    documents: int
    removed: int
    earliest: str | None
    latest: str | None
    clock: str | None
    horizon: str | None
    segments: int
    features: int
    postings: int
    segment_bytes: int
    database_bytes: int
    text_bytes: int

    def to_json(self) -> dict[str, Any]:
        """Return all of it by name."""
        return asdict(self)

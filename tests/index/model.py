"""A plain list of documents that should behave as an index does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from twicetold import Document, Pair, Statistics, scan
from twicetold.pipeline import detector_class


def row(pair: Pair) -> tuple[Any, ...]:
    scores = (pair.left_in_right, pair.right_in_left, pair.resemblance, pair.odds)
    return (pair.left, pair.right, pair.relation, *scores, pair.passages)


class Model:
    """What should be there, and when it counts as told."""

    def __init__(self, window: timedelta | None) -> None:
        self.window = window
        self.documents: dict[str, tuple[Document, datetime]] = {}
        self.clock: datetime | None = None
        self.horizon: datetime | None = None

    def add(self, new: Document) -> None:
        # An undated one counts as told when it comes, and says nothing of the time of others.
        told = new.published or datetime.now(UTC)
        self.documents.pop(new.id, None)
        if new.published is not None:
            self.clock = told if self.clock is None else max(self.clock, told)
            if self.window is not None:
                self.move(self.clock - self.window)
        if self.horizon is None or told >= self.horizon:
            self.documents[new.id] = (new, told)

    def move(self, horizon: datetime) -> None:
        self.horizon = horizon if self.horizon is None else max(self.horizon, horizon)
        gone = [name for name, (_, told) in self.documents.items() if told < self.horizon]
        for name in gone:
            del self.documents[name]

    def pairs(self, method: str, statistics: Statistics, **options: Any) -> list[tuple[Any, ...]]:
        documents = [document for document, _ in self.documents.values()]
        if not documents:
            return []
        passages = detector_class(method).unit == "sentence" or None
        found = scan(
            documents,
            method=method,
            statistics=statistics,
            window=self.window,
            passages=passages,
            **options,
        )
        return sorted(map(row, found))

"""Documents in batches: what crosses to the kernel at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Protocol, runtime_checkable

from twicetold import _kernel
from twicetold.records import Document

__all__ = ["BATCH", "Batch", "Batched", "Kept", "Waiting", "batch_of", "batches", "microseconds"]

Batch = _kernel.Documents

#: Characters in a batch: enough to keep all cores busy, few enough to be forgotten soon.
BATCH = 8_000_000

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@runtime_checkable
class Batched(Protocol):
    """Documents that can be had in batches without becoming Python objects first."""

    def batches(self) -> Iterator[Batch]:
        """Yield all documents once."""


def microseconds(published: datetime | None) -> int | None:
    """Return a time as the kernel takes it.

    >>> microseconds(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC))
    1000000
    """
    return None if published is None else (published - _EPOCH) // _MICROSECOND


def batch_of(documents: Sequence[Document]) -> Batch:
    """Return documents as a batch."""
    return Batch.from_columns(
        [document.id for document in documents],
        [document.text for document in documents],
        [document.language for document in documents],
        [microseconds(document.published) for document in documents],
        [document.source for document in documents],
    )


def batches(documents: Iterable[Document] | Batched, *, size: int = BATCH) -> Iterator[Batch]:
    """Yield documents in batches of about ``size`` characters."""
    if isinstance(documents, Batched):
        yield from documents.batches()
        return
    waiting = Waiting(size)
    for document in documents:
        yield from waiting.add(document)
    yield from waiting.rest()


class Kept:
    """Batches of documents that can be had again and again."""

    def __init__(self, documents: Iterable[Document] | Batched) -> None:
        self._batches = list(batches(documents))

    def batches(self) -> Iterator[Batch]:
        """Yield the same batches."""
        return iter(self._batches)


class Waiting:
    """Documents that wait until they are a batch of about ``size`` characters."""

    def __init__(self, size: int = BATCH) -> None:
        self._size = size
        self._documents: list[Document] = []
        self._characters = 0

    def add(self, document: Document) -> Iterator[Batch]:
        """Yield a batch if this document makes it full."""
        self._documents.append(document)
        self._characters += len(document.text)
        if self._characters >= self._size:
            yield from self.rest()

    def rest(self) -> Iterator[Batch]:
        """Yield what waits, if anything does."""
        if self._documents:
            yield batch_of(self._documents)
            self._documents, self._characters = [], 0

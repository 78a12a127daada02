"""Documents in batches: what crosses to the kernel at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Protocol, runtime_checkable

from twicetold import _kernel
from twicetold.records import Document

__all__ = [
    "BATCH",
    "Batch",
    "Batched",
    "Kept",
    "Line",
    "Waiting",
    "batch_of",
    "batches",
    "characters",
    "microseconds",
    "moment",
    "time_of",
]

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


def moment(time: int | None) -> datetime | None:
    """Return the time that so many microseconds are."""
    return None if time is None else _EPOCH + timedelta(microseconds=time)


class Line(Document):
    """A document of a line that the kernel read, where its text stays until somebody asks."""

    __slots__ = ("batch", "size", "slot", "time")

    batch: Batch
    slot: int
    #: When it was published, in microseconds.
    time: int | None
    #: Bytes of the text where it is.
    size: int

    @classmethod
    def all_of(cls, batch: Batch) -> Iterator[Line]:
        """Yield the documents of a batch."""
        give = object.__setattr__  # records are frozen
        for slot, name, time, language, source, title, url, size in batch.lines():
            line = cls.__new__(cls)
            give(line, "id", name)
            give(line, "time", time)
            give(line, "language", language)
            give(line, "source", source)
            give(line, "title", title)
            give(line, "url", url)
            give(line, "html", None)
            give(line, "batch", batch)
            give(line, "slot", slot)
            give(line, "size", size)
            yield line

    @property
    def text(self) -> str:
        """The text, written down."""
        return self.batch.text_of(self.slot)

    @property
    def published(self) -> datetime | None:
        """The time, as a date."""
        return moment(self.time)


def time_of(document: Document) -> int | None:
    """Return when a document was published, as the kernel takes it."""
    return document.time if type(document) is Line else microseconds(document.published)


def characters(document: Document) -> int:
    """Return about how long the text of a document is; of a line its bytes, for the same memory."""
    return document.size if type(document) is Line else len(document.text)


def batch_of(documents: Sequence[Document]) -> Batch:
    """Return documents as a batch; the kernel has the texts of lines already."""
    if not any(type(document) is Line for document in documents):
        return _columns(documents)
    parts: list[tuple[Batch, Sequence[int]]] = []
    for batch, run in groupby(documents, lambda one: one.batch if type(one) is Line else None):
        some = list(run)
        if batch is None:
            parts.append((_columns(some), range(len(some))))
        else:
            parts.append((batch, [one.slot for one in some if type(one) is Line]))
    return Batch.gathered(parts)


def _columns(documents: Sequence[Document]) -> Batch:
    return Batch.from_columns(
        [document.id for document in documents],
        [document.text for document in documents],
        [document.language for document in documents],
        [time_of(document) for document in documents],
        [document.source for document in documents],
        [document.title for document in documents],
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
        self._characters += characters(document)
        if self._characters >= self._size:
            yield from self.rest()

    def rest(self) -> Iterator[Batch]:
        """Yield what waits, if anything does."""
        if self._documents:
            yield batch_of(self._documents)
            self._documents, self._characters = [], 0

"""Which statistics an index has: given, counted in a sample or in what is added first."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import TypeVar

from twicetold.analysis import Analysed
from twicetold.batches import characters
from twicetold.engines.local import Run
from twicetold.errors import IndexDamagedError, ParameterError
from twicetold.html.boilerplate import Boilerplate, HeldPages
from twicetold.index.database import Database
from twicetold.index.document_rows import checksum
from twicetold.pipeline import Job
from twicetold.records import Document
from twicetold.statistics import Statistics

__all__ = [
    "Counted",
    "count_sample",
    "load_pinned",
    "pin",
    "spread_numbers",
    "spread_sample",
    "take_sample",
]

T = TypeVar("T")

#: From so many documents, and characters, statistics are made at most.
_DOCUMENTS = 50_000
_CHARACTERS = 100_000_000


def spread_sample(
    documents: Iterable[Document], *, most: int = _DOCUMENTS, most_characters: int = _CHARACTERS
) -> list[Document]:
    """Return some of the documents, evenly spread over all; all, if they are not too many.

    What is too frequent to tell anything changes with time: the oldest do not know it of the rest.
    All are read, and those that are not taken are let go of.
    """
    return _spread(documents, characters, most, most_characters)


def spread_numbers(numbers: Sequence[int]) -> list[int]:
    """Return some of the numbers of documents, as many as a sample may have, likewise."""
    return _spread(numbers, lambda _: 0, _DOCUMENTS, 0)


def _spread(items: Iterable[T], length: Callable[[T], int], most: int, longest: int) -> list[T]:
    """Return one of every so many items; which of them is left to chance, always the same one.

    Those that come by turns, as from several sources, are all among them.
    """
    chance = Random(0)  # noqa: S311 - nothing secret
    step = 1
    place = 0
    sample: list[T] = []
    total = 0
    for n, item in enumerate(items):
        if n % step == 0:
            place = n + chance.randrange(step)
        if n != place:
            continue
        sample.append(item)
        total += length(item)
        while len(sample) > 1 and (len(sample) > most or total > longest):
            pairs = (sample[at : at + 2] for at in range(0, len(sample), 2))
            sample = [chance.choice(pair) for pair in pairs]
            step *= 2
            total = sum(map(length, sample))
    return sample


def take_sample(documents: Iterable[Document]) -> tuple[list[Document], Iterable[Document]]:
    """Return the first documents, and all of them again."""
    rest = iter(documents)
    sample: list[Document] = []
    total = 0
    for document in islice(rest, _DOCUMENTS):
        sample.append(document)
        total += characters(document)
        if total >= _CHARACTERS:
            break
    return sample, _again(sample, rest)


def _again(sample: Iterable[Document], rest: Iterator[Document]) -> Iterator[Document]:
    """Yield a sample and the rest, and let go of each document that was had."""
    waiting = deque(sample)
    del sample
    while waiting:
        yield waiting.popleft()
    yield from rest


class Counted:
    """Documents that were analysed when they were counted, and need not be again."""

    def __init__(self, documents: Sequence[Document], analysed: Sequence[Analysed]) -> None:
        self._analysed = deque(analysed)
        self._documents = deque(documents)

    def take(self, documents: Sequence[Document]) -> Analysed | None:
        """Return what came of these documents; None if they are not those that come next."""
        if not self._analysed or self._analysed[0].n_documents != len(documents):
            self._analysed.clear()
            return None
        if not all(self._documents.popleft() is document for document in documents):
            self._analysed.clear()
            return None
        return self._analysed.popleft()


def count_sample(
    job: Job, documents: Sequence[Document], origin: str
) -> tuple[Statistics, Counted]:
    """Return the statistics of a sample, with the keys too frequent in it."""
    run = Run(job)
    boilerplate = _learned(documents)
    analysed = run.analyse([boilerplate.without(document) for document in documents])
    counted = Counted(documents, analysed)
    statistics = run.counted(analysed)
    statistics.pin_boilerplate(boilerplate)
    statistics.origin = origin
    return statistics, counted


def _learned(documents: Sequence[Document]) -> Boilerplate:
    """Return what sites repeat on their pages."""
    pages = HeldPages()
    for document in documents:
        pages.take(document)
    deque(pages.rest(), maxlen=0)
    return pages.boilerplate


def pin(database: Database, statistics: Statistics) -> None:
    """Keep statistics in the index."""
    if statistics.documents == 0:
        msg = "statistics of an index must be of at least one document"
        raise ParameterError(msg)
    database.pin(statistics.version, statistics.origin, statistics.to_bytes())


def load_pinned(database: Database) -> Statistics | None:
    """Return the statistics of an index; None if none are pinned yet."""
    found = database.pinned()
    if found is None:
        return None
    # A flipped byte may make a value one of another type.
    is_typed = isinstance(found[2], bytes)
    if not is_typed or checksum(*found) != database.get("statistics_checksum"):
        msg = f"{database.path}: is damaged: its statistics are not those that were pinned"
        raise IndexDamagedError(msg)
    return Statistics.from_bytes(found[2], database.path)

"""Which statistics an index has: given, counted in a sample or in what is added first."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple, TypeVar

from twicetold.analysis import Analysed
from twicetold.batches import characters
from twicetold.documents import Sources
from twicetold.engines.local import Run
from twicetold.errors import IndexDamagedError, ParameterError
from twicetold.html.boilerplate import Boilerplate, HeldPages
from twicetold.index.database import Database
from twicetold.index.document_rows import checksum
from twicetold.pipeline import Job, Progress
from twicetold.records import Document
from twicetold.statistics import Statistics

__all__ = [
    "Counted",
    "Sample",
    "count_sample",
    "counting",
    "load_pinned",
    "pin",
    "sample_of",
    "spread_numbers",
    "spread_sample",
]

S = TypeVar("S")
T = TypeVar("T")

#: From so many documents, and characters, statistics are made at most.
_DOCUMENTS = 50_000
_CHARACTERS = 100_000_000
#: After so many documents it is told how many were read.
_STEP = 1000


class Sample(NamedTuple):
    """Documents that stand for all, and what part of all they are."""

    documents: list[Document]
    share: float


def spread_sample(
    documents: Iterable[Document], *, most: int | None = None, most_characters: int | None = None
) -> Sample:
    """Return some of the documents, evenly spread over all; all, if they are not too many.

    What is too frequent to tell anything changes with time: the oldest do not know it of the rest.
    All are read, and those that are not taken are let go of.
    """
    most = _DOCUMENTS if most is None else most
    longest = _CHARACTERS if most_characters is None else most_characters
    return Sample(*_spread(documents, _itself, characters, most, longest))


def spread_numbers(numbers: Sequence[int]) -> list[int]:
    """Return some of the numbers of documents, as many as a sample may have, likewise."""
    return _spread(numbers, _itself, lambda _: 0, _DOCUMENTS, 0)[0]


def _itself(item: T) -> T:
    return item


def _spread(
    items: Iterable[S],
    make: Callable[[S], T | None],
    length: Callable[[T], int],
    most: int,
    longest: int,
    step: int = 1,
) -> tuple[list[T], float]:
    """Return what is made of one of every so many items, and what part of all these are.

    Which one of them is left to chance, always the same one: those that come by turns, as from
    several sources, are all among them. It may be one of which nothing can be made. ``step`` is of
    how many one is taken at least, a power of two.
    """
    chance = Random(0)  # noqa: S311 - nothing secret
    sample: list[T | None] = []
    number, total = 0, 0
    place = chance.randrange(step)
    for at, item in enumerate(items):
        if at != place:
            continue
        made = make(item)
        sample.append(made)
        if made is not None:
            number += 1
            total += length(made)
        while number > 1 and (number > most or total > longest):
            pairs = (sample[at : at + 2] for at in range(0, len(sample), 2))
            sample = [chance.choice(pair) for pair in pairs]
            step *= 2
            lengths = [length(made) for made in sample if made is not None]
            number, total = len(lengths), sum(lengths)
        place = (at // step + 1) * step + chance.randrange(step)
    return [made for made in sample if made is not None], 1 / step


def sample_of(
    documents: Iterable[Document], progress: Callable[[Progress], None]
) -> tuple[Sample, Iterable[Document]]:
    """Return some of the documents, and all of them again.

    Of what can be read only once it is the first ones.
    """
    if isinstance(documents, Sequence):
        return spread_sample(documents), documents
    reading = iter(documents)
    first = _first(reading)
    again = _again(first, reading)
    if not isinstance(documents, Sources) or _is_small(first) or not documents.are_files:
        return Sample(first, 1.0), again
    late = counting(documents.beforehand(), progress)
    step = _likely_step(first, documents.part_read)
    sample = _spread(late, lambda make: make(), characters, _DOCUMENTS, _CHARACTERS, step)
    return Sample(*sample), again


def _likely_step(first: Sequence[Document], part_read: float) -> int:
    """Return of how many documents one will be taken, if all are like the first."""
    share = max(len(first) / _DOCUMENTS, sum(map(characters, first)) / _CHARACTERS) / part_read
    step = 1
    while step < share:
        step *= 2
    return step


def counting(items: Iterable[S], progress: Callable[[Progress], None]) -> Iterator[S]:
    """Yield documents, or what they are made of, and tell how many there were."""
    for n, item in enumerate(items):
        if n % _STEP == 0:
            progress(Progress("read", n, None, "documents"))
        yield item


def _first(documents: Iterable[Document]) -> list[Document]:
    """Return the first documents, as many as a sample may have."""
    first: list[Document] = []
    total = 0
    for document in islice(documents, _DOCUMENTS):
        first.append(document)
        total += characters(document)
        if total >= _CHARACTERS:
            break
    return first


def _is_small(documents: Sequence[Document]) -> bool:
    return len(documents) < _DOCUMENTS and sum(map(characters, documents)) < _CHARACTERS


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


def count_sample(job: Job, sample: Sample, origin: str) -> tuple[Statistics, Counted]:
    """Return the statistics of a sample, with the keys too frequent in all it stands for."""
    documents = sample.documents
    run = Run(job)
    run.share = sample.share
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

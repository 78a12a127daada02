"""Which statistics an index has: given, counted in a sample or in what is added first."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from twicetold.analysis import Analysed
from twicetold.batches import characters
from twicetold.documents import Sources
from twicetold.engines.local import Run
from twicetold.errors import IndexDamagedError, ParameterError
from twicetold.html.boilerplate import Boilerplate, HeldPages
from twicetold.index.database import Database
from twicetold.index.document_rows import checksum
from twicetold.index.spread import Spread
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


#: From so many documents, and characters, statistics are made at most.
_DOCUMENTS = 50_000
_CHARACTERS = 100_000_000
#: This part of a sample tells how large all is: so many times a sample is much more.
_ENOUGH, _MANY = 0.125, 2
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
    spread = _spread(most, most_characters)
    for document in documents:
        if spread.among(1):
            spread.take(document)
    return Sample(spread.taken(), spread.share)


def spread_numbers(numbers: Sequence[int]) -> list[int]:
    """Return some of the numbers of documents, as many as a sample may have, likewise."""
    spread = Spread[int](_DOCUMENTS)
    for number in numbers:
        if spread.among(1):
            spread.take(number)
    return spread.taken()


def _spread(
    most: int | None = None, most_characters: int | None = None, step: int = 1
) -> Spread[Document]:
    return Spread(
        _DOCUMENTS if most is None else most,
        longest=_CHARACTERS if most_characters is None else most_characters,
        length=characters,
        step=step,
    )


def sample_of(
    documents: Iterable[Document], progress: Callable[[Progress], None]
) -> tuple[Sample, Iterable[Document]]:
    """Return some of the documents, and all of them again.

    Of what can be read only once it is the first ones.
    """
    if isinstance(documents, Sequence):
        return spread_sample(documents), documents
    first = _First(documents)
    again = _again(first.documents, first.rest)
    if first.times is None:
        return Sample(first.documents, 1.0), again
    assert isinstance(documents, Sources)
    spread = _spread(step=_step(first.times))

    def among(n: int) -> Sequence[int]:
        if spread.seen % _STEP == 0 or spread.seen // _STEP != (spread.seen + n) // _STEP:
            progress(Progress("read", spread.seen, None, "documents"))
        return spread.among(n)

    for document in documents.some(among):
        spread.take(document)
    return Sample(spread.taken(), spread.share), again


class _First:
    """The first of documents, as many as a sample may have, and the rest of them.

    Of files that hold many more they are fewer: as many as tell that.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents: list[Document] = []
        self.rest = iter(documents)
        #: How many times as many as a sample may have all will be, if the rest is like these; None:
        #: these are all, or all that can be had before they are added.
        self.times: float | None = None
        can_tell: bool | None = None
        total = 0
        for document in islice(self.rest, _DOCUMENTS):
            self.documents.append(document)
            total += characters(document)
            part = max(len(self.documents) / _DOCUMENTS, total / _CHARACTERS)
            if part < _ENOUGH:
                continue
            if can_tell is None:
                can_tell = isinstance(documents, Sources) and documents.are_files
            times = part / documents.part_read if isinstance(documents, Sources) else 0
            if can_tell and (part >= 1 or times >= _MANY):
                self.times = times
            if part >= 1 or self.times is not None:
                break


def _step(times: float) -> int:
    """Return of how many documents one will be taken."""
    step = 1
    while step < times:
        step *= 2
    return step


def counting(
    documents: Iterable[Document], progress: Callable[[Progress], None]
) -> Iterator[Document]:
    """Yield documents, and tell how many there were."""
    for n, document in enumerate(documents):
        if n % _STEP == 0:
            progress(Progress("read", n, None, "documents"))
        yield document


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
    if is_typed and checksum(*found) == database.get("statistics_checksum"):
        statistics = Statistics.from_bytes(found[2], database.path)
        if statistics.version == found[0]:
            return statistics
    msg = f"{database.path}: is damaged: its statistics are not those that were pinned"
    raise IndexDamagedError(msg)

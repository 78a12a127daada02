"""Which statistics an index has: given, counted in a sample or in what is added first."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from pathlib import Path

from twicetold.errors import IndexDamagedError, ParameterError
from twicetold.index.database import Database
from twicetold.index.sealing import checksum
from twicetold.pipeline import Job, engine_of
from twicetold.records import Document
from twicetold.statistics import Statistics

__all__ = ["SAMPLE", "count_sample", "load_pinned", "pin", "take_sample"]

#: So many documents, and characters, that are added first are what statistics are made from.
SAMPLE = 50_000
_CHARACTERS = 150_000_000


def take_sample(documents: Iterable[Document]) -> tuple[list[Document], Iterable[Document]]:
    """Return the first documents, and all of them again."""
    rest = iter(documents)
    sample: list[Document] = []
    characters = 0
    for document in islice(rest, SAMPLE):
        sample.append(document)
        characters += len(document.text)
        if characters >= _CHARACTERS:
            break
    return sample, chain(sample, rest)


def count_sample(job: Job, documents: Sequence[Document], origin: str) -> Statistics:
    """Return the statistics of a sample, with the keys too frequent in it."""
    statistics = engine_of("local").count(documents, job)
    statistics.origin = origin
    return statistics


def pin(database: Database, statistics: Statistics) -> None:
    """Keep statistics in the index."""
    if statistics.documents == 0:
        msg = "statistics of an index must be of at least one document"
        raise ParameterError(msg)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "statistics"
        statistics.save(path)
        content = path.read_bytes()
    database.pin(statistics.version, statistics.origin, content)


def load_pinned(database: Database) -> Statistics | None:
    """Return the statistics of an index; None if none are pinned yet."""
    found = database.pinned()
    if found is None:
        return None
    if checksum(*found) != database.get("statistics_checksum"):
        msg = f"{database.path}: is damaged: its statistics are not those that were pinned"
        raise IndexDamagedError(msg)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "statistics"
        path.write_bytes(found[2])
        return Statistics.load(path)

"""An index that is made in an empty folder, and one that is there and opened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from twicetold.documents import Report
from twicetold.errors import IndexMismatchError, ParameterError, SourceError
from twicetold.index.core import Core, Settings
from twicetold.index.database import Database
from twicetold.index.files import Files
from twicetold.index.pinning import count_sample, pin, take_sample
from twicetold.pipeline import Job
from twicetold.records import Document
from twicetold.scanning import Documents, Source
from twicetold.statistics import Statistics

__all__ = ["made", "opened", "sample_statistics"]


def made(files: Files, job: Job, statistics: Statistics | None, *, threads: int) -> Core:
    """Make an index with these statistics; None: they are counted in what is added first."""
    if files.path.exists() and (not files.path.is_dir() or any(files.path.iterdir())):
        msg = f"{files.path}: is there already; choose another path, or open that index"
        raise SourceError(msg)
    files.make()
    settings = {"settings": asdict(Settings.of(job)), "commit": 0}
    database = Database.create(files.database, settings)
    if statistics is not None:
        with database.transaction():
            pin(database, statistics)
    return Core(files, database, threads=threads)


def opened(files: Files, *, method: str | None, statistics: str | None, threads: int) -> Core:
    """Open an index; another method, or other statistics, than those expected are refused."""
    core = Core(files, Database.open(files.database), threads=threads)
    found = core.settings.method
    if method is not None and method != found:
        msg = (
            f"{files.path}: index of {found}, not of {method}; open it with that method, "
            f"or run `twicetold index rebuild {files.path} --method {method}`"
        )
        raise IndexMismatchError(msg)
    version = None if core.statistics is None else core.statistics.version
    if statistics is not None and statistics != version:
        msg = (
            f"{files.path}: index with statistics {version}, not {statistics}; "
            f"run `twicetold index rebuild {files.path}` with those"
        )
        raise IndexMismatchError(msg)
    return core


def sample_statistics(
    job: Job, sample: Source | Iterable[Source | Document], report: Report
) -> Statistics:
    """Return the statistics of a sample of documents."""
    found, _ = take_sample(Documents(sample, report, strict=False))
    if not found:
        msg = "the sample has no documents; give sources that do"
        raise ParameterError(msg)
    return count_sample(job, found, "a sample")[0]

"""An index that is made in an empty folder, and one that is there and opened."""

from __future__ import annotations

from contextlib import closing

from twicetold.documents import DocumentsLike, Report
from twicetold.errors import IndexMismatchError, ParameterError, SourceError
from twicetold.index.core import Core, Settings
from twicetold.index.database import Database
from twicetold.index.files import Files, WriterLock, quoted
from twicetold.index.pinning import count_sample, counting, pin, spread_sample
from twicetold.pipeline import Job
from twicetold.reference import reference_statistics
from twicetold.scanning import Documents
from twicetold.statistics import Statistics

__all__ = ["made", "opened", "other_statistics"]


def made(files: Files, job: Job, statistics: Statistics | None, *, threads: int) -> Core:
    """Make an index with these statistics; None: they are counted in what is added first."""
    if files.is_taken():
        msg = f"{files.path}: is there already, and is no index; choose another path"
        if files.database.exists():
            msg = f"{files.path}: is there already; choose another path, or open that index"
        raise SourceError(msg)
    settings = {"settings": Settings.of(job).stored(), "commit": 0}
    with files.making():
        lock = WriterLock(files)
        try:
            with files.coming_database() as path, closing(Database.create(path)) as database:
                with database.transaction():
                    for name, value in settings.items():
                        database.set(name, value)
                    if statistics is not None:
                        pin(database, statistics)
                database.begin_log()
        except BaseException:
            lock.remove()
            raise
        lock.release()
    return opened(files, threads=threads, check=False)


def opened(
    files: Files,
    *,
    method: str | None = None,
    statistics: str | None = None,
    threads: int,
    check: bool,
) -> Core:
    """Open an index; another method, or other statistics, than those expected are refused.

    Without ``check`` it may be damaged.
    """
    database = Database.open(files.database)
    try:
        if check:
            database.check_seal()
        core = Core(files, database, threads=threads)
        _expect(core, method, statistics)
    except BaseException:
        database.close()
        raise
    return core


def _expect(core: Core, method: str | None, statistics: str | None) -> None:
    """Refuse an index of another method, or with other statistics, than is asked for."""
    path, found = core.files.path, core.settings.method
    if method is not None and method != found:
        option = "--model FILE" if "(" in method else f"--method {method}"
        msg = (
            f"{path}: index of {found}, not of {method}; open it with {found}, "
            f"or run `twicetold index rebuild {quoted(path)} {option}`"
        )
        raise IndexMismatchError(msg)
    version = None if core.statistics is None else core.statistics.version
    if statistics is not None and statistics != version:
        msg = (
            f"{path}: index with statistics {version}, not {statistics}; "
            f"run `twicetold index rebuild {quoted(path)}` with those"
        )
        raise IndexMismatchError(msg)


def other_statistics(
    job: Job,
    sample: DocumentsLike | None,
    reference: str | None,
    report: Report | None,
) -> Statistics | None:
    """Return the statistics of a sample of documents, or of a language; None: of neither."""
    if reference is not None:
        return reference_statistics(reference, profile=job.profile)
    if sample is None:
        return None
    documents = Documents(sample, report or Report(), strict=False)
    found = spread_sample(counting(documents, job.progress))
    if not found.documents:
        msg = "the sample has no documents; give sources that do"
        raise ParameterError(msg)
    return count_sample(job, found, "a sample")[0]

"""An index with other statistics, or another method: all segments are made again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace

from twicetold.analysis import profile_of
from twicetold.errors import ParameterError
from twicetold.index.core import Core, Settings
from twicetold.index.pinning import count_sample, pin, take_sample
from twicetold.index.writing import Writer
from twicetold.pipeline import Detector, Job
from twicetold.statistics import Statistics

__all__ = ["rebuild"]


def rebuild(
    writer: Writer,
    statistics: Statistics | None,
    detector: Detector | None,
    progress: Callable[[int], None],
) -> None:
    """Pin statistics, None: those of the documents that are there, and take another detector."""
    core = writer.core
    old = (core.settings, core.statistics)
    job = replace(core.job, statistics=None)
    if detector is not None:
        job = _other(job, detector, statistics)
    pinned = _of_documents(core, job) if statistics is None else statistics

    def also() -> None:
        core.database.set("settings", asdict(core.settings))
        pin(core.database, pinned)

    try:
        core.settings = Settings.of(job)
        core.take(pinned)
        instead_of = list(core.parts.rows)
        writer.rewrite(core.database.documents(blanks=True), instead_of, also, progress=progress)
    except BaseException:
        core.settings = old[0]
        core.take(old[1])
        raise


def _other(job: Job, detector: Detector, statistics: Statistics | None) -> Job:
    """Return the same job with another detector."""
    return Job(
        detector=detector,
        profile=profile_of(detector.profile if statistics is None else statistics.profile),
        statistics=None,
        language=job.language,
        window=job.window,
        floor=job.floor,
        passages=detector.unit == "sentence",
        max_key_documents=job.max_key_documents,
        threads=job.threads,
    )


def _of_documents(core: Core, job: Job) -> Statistics:
    documents = core.database.documents(blanks=True)
    sample, _ = take_sample(document for _, _, document in documents)
    if not sample:
        msg = f"{core.files.path}: is empty; there is nothing to make statistics from"
        raise ParameterError(msg)
    statistics, _ = count_sample(job, sample, "the documents of the index")
    statistics.pin_boilerplate(core.boilerplate)  # pages themselves are not kept
    return statistics

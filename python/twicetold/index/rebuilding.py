"""An index with other statistics, or another method: all segments are made again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from twicetold.analysis import profile_of
from twicetold.decision import decision_of
from twicetold.errors import ParameterError
from twicetold.index.core import Core, Settings
from twicetold.index.pinning import count_sample, pin, spread_numbers, spread_sample
from twicetold.index.served import served
from twicetold.index.writing import Writer
from twicetold.pipeline import DETECTORS, Detector, Job
from twicetold.scanning import make_detector
from twicetold.statistics import Statistics

__all__ = ["other_detector", "rebuild"]


def other_detector(
    core: Core, method: str | Detector | None, parameters: dict[str, Any]
) -> Detector | None:
    """Return the detector that is asked for; None: the one that is there.

    Of the method that is there, parameters that are not given stay as they are.
    """
    if method is None and not parameters:
        return None
    if method is None and core.settings.method not in DETECTORS:
        msg = (
            f"{core.files.path}: a model decides here; give --model FILE with these "
            "parameters, or --method NAME for one without"
        )
        raise ParameterError(msg)
    if method in (None, core.settings.method):
        method, parameters = core.settings.method, {**core.settings.parameters, **parameters}
    return served(make_detector(method, parameters))


def rebuild(
    writer: Writer,
    statistics: Statistics | None,
    detector: Detector | None,
    counted: Callable[[Job], Statistics | None],
    progress: Callable[[int], None],
) -> None:
    """Pin what is ``counted``, None: in the documents that are there, and take another detector.

    What is given as ``statistics`` brings its analysis, as it does for an index that is made.
    """
    core = writer.core
    old = (core.settings, core.statistics)
    job = replace(core.job, statistics=None)
    if detector is not None:
        job = _other(job, detector)
    if statistics is not None:
        job = replace(job, profile=statistics.profile)
    pinned = counted(job) or _of_documents(core, job)
    # What is missing is told before the work.
    replace(job, statistics=pinned)

    def also() -> None:
        core.database.set("settings", core.settings.stored())
        pin(core.database, pinned)

    try:
        core.settings = Settings.of(job)
        core.take(pinned)
        instead_of = list(core.parts.rows)
        writer.rewrite(
            core.database.all_documents(blanks=True), instead_of, also, progress=progress
        )
    except BaseException:
        core.settings = old[0]
        core.take(old[1])
        raise


def _other(job: Job, detector: Detector) -> Job:
    """Return the same job with another detector; one of the same method changes nothing else."""
    if detector.name == job.detector.name:
        return replace(job, detector=detector)
    return Job(
        detector=detector,
        profile=profile_of(detector.profile),
        statistics=None,
        language=job.language,
        window=job.window,
        floor=job.floor,
        passages=detector.unit == "sentence",
        decision=decision_of(None, learned=detector.learned_decision),
        max_key_documents=job.max_key_documents,
        threads=job.threads,
    )


def _of_documents(core: Core, job: Job) -> Statistics:
    numbers = core.database.all_numbers()
    documents = core.database.documents(spread_numbers(numbers), blanks=True)
    sample = spread_sample(document for _, _, document in documents)
    if not sample.documents:
        msg = f"{core.files.path}: is empty; there is nothing to make statistics from"
        raise ParameterError(msg)
    sample = sample._replace(share=len(sample.documents) / len(numbers))
    statistics, _ = count_sample(job, sample, "the documents of the index")
    statistics.pin_boilerplate(core.boilerplate)  # pages themselves are not kept
    return statistics

"""`build_statistics`: the statistics of a collection, pinned so that other runs can share them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from twicetold import _kernel
from twicetold.analysis import Analysed, Analyser, Profile, profile_of
from twicetold.documents import Fields, Report
from twicetold.engines.batches import batches, prefetched
from twicetold.pipeline import Detector, Features, Job, Progress, ignore
from twicetold.records import Document
from twicetold.scanning import Source, _documents, make_detector
from twicetold.statistics import Statistics

__all__ = ["build_statistics"]


def build_statistics(  # noqa: PLR0913 - every choice of a run, by name
    sources: Source | Iterable[Source | Document],
    *,
    method: str | Detector = "codet",
    profile: Profile | str | None = None,
    language: str | None = None,
    max_key_documents: int = 1000,
    threads: int = 0,
    fields: Fields | None = None,
    format: Any = None,  # noqa: A002 - the name of the option
    encoding: str | None = None,
    strict: bool = False,
    report: Report | None = None,
    origin: str = "collection",
    progress: Callable[[Progress], None] = ignore,
    **parameters: Any,
) -> Statistics:
    """Count the documents of a collection, and pin the keys a detector finds too frequent in it.

    A scan of the same collection with these statistics gives the pairs that a scan without any
    gives. ``method`` and further keywords choose the detector as in `scan`; frequent keys are
    those of more than ``max_key_documents`` different documents.

    >>> from twicetold import Document
    >>> documents = [Document(id=str(n), text=f"Shares lose {n}%.") for n in range(3)]
    >>> statistics = build_statistics(documents, max_key_documents=2)
    >>> statistics.documents, statistics.frequency("share"), len(statistics.pinned)
    (3, 3, 1)
    """
    detector = make_detector(method, parameters)
    job = Job(
        detector=detector,
        profile=profile_of(detector.profile if profile is None else profile),
        language=language,
        max_key_documents=max_key_documents,
        threads=threads,
        progress=progress,
    )
    options = {"fields": fields or Fields(), "format": format, "encoding": encoding}
    report = Report() if report is None else report
    documents = _documents(sources, report, strict=strict, **options)
    collection = _kernel.Collection()
    statistics = Statistics(job.profile, origin=origin)
    analysed = _count(documents, job, collection, statistics)
    _pin(analysed, job, collection, statistics)
    return statistics


def _count(
    documents: Iterable[Document],
    job: Job,
    collection: _kernel.Collection,
    statistics: Statistics,
) -> list[Analysed]:
    """Count the terms of all documents, and return what they were analysed into."""
    analyser = Analyser(job.profile)
    found = []
    for batch in prefetched(batches(documents)):
        analysed = analyser.analyse(
            [document.text for document in batch],
            languages=[job.language or document.language for document in batch],
            threads=job.threads,
        )
        # Equal documents count once towards a frequent key, whenever they were published.
        undated: list[int | None] = [None] * len(batch)
        collection.add([document.id for document in batch], undated, analysed)
        statistics.add(analysed, threads=job.threads)
        found.append(analysed)
        job.progress(Progress("analyse", len(collection), None, "documents"))
    return found


def _pin(
    analysed: list[Analysed], job: Job, collection: _kernel.Collection, statistics: Statistics
) -> None:
    """Find the keys too frequent to join, which are known when every document is counted."""
    features = Features()
    while analysed:
        made = job.detector.features(analysed.pop(0), statistics, threads=job.threads)
        features.append(job.detector.keys(made, "store"))
        job.progress(Progress("features", features.n_documents, len(collection), "documents"))
    join = _kernel.Join(collection, features, threads=job.threads)
    frequent = join.frequent_keys(job.max_key_documents, threads=job.threads)
    statistics.pin_frequent_keys(job.detector.keys_form, frequent)

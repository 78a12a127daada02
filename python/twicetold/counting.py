"""`build_statistics`: the statistics of a collection, pinned so that other runs can share them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from twicetold.analysis import Profile, profile_of
from twicetold.batches import Batched, Kept
from twicetold.decision import Decision, decision_of
from twicetold.documents import DocumentsLike, Fields, Report
from twicetold.pipeline import Detector, Engine, Job, Progress, engine_of, ignore
from twicetold.scanning import Documents, Preparing, Source, make_detectors
from twicetold.statistics import Statistics

__all__ = ["build_statistics"]


def build_statistics(  # noqa: PLR0913 - every choice of a run, by name
    sources: DocumentsLike,
    *,
    method: str | Detector | Sequence[str | Detector] = "retelling",
    engine: str | Engine = "local",
    profile: Profile | str | None = None,
    language: str | None = None,
    max_key_documents: int = 1000,
    decision: Decision | str | Path | None = None,
    threads: int = 0,
    fields: Fields | None = None,
    format: Any = None,  # noqa: A002 - the name of the option
    encoding: str | None = None,
    content: Any = "full",
    keep_boilerplate: bool = False,
    strict: bool = False,
    leave_out: Iterable[Source] = (),
    report: Report | None = None,
    origin: str = "collection",
    progress: Callable[[Progress], None] = ignore,
    **parameters: Any,
) -> Statistics:
    """Count the documents of a collection, and pin the keys a detector finds too frequent in it.

    A scan of the same collection with these statistics gives the pairs that a scan without any
    gives. ``method`` and further keywords choose the detector as in `scan`; frequent keys are
    those of more than ``max_key_documents`` different documents. What a detector wants counted
    beside terms, 4-grams of characters or correlations of words, is counted as well; so is repeated
    wording, where there is a learned ``decision``. Several
    methods, and those inside a model, are all counted for, under the profile of the first. What
    sites repeat on their pages is left out and pinned, too, unless ``keep_boilerplate`` is True.

    >>> from twicetold import Document
    >>> documents = [Document(id=str(n), text=f"Shares lose {n}%.") for n in range(3)]
    >>> statistics = build_statistics(documents, method="codet", max_key_documents=2)
    >>> statistics.documents, statistics.frequency("share"), len(statistics.pinned)
    (3, 3, 1)
    """
    chosen = make_detectors(method, parameters)
    members = [member for detector in chosen for member in detector.members]
    job = Job(
        detector=members[0],
        profile=profile_of(chosen[0].profile if profile is None else profile),
        language=language,
        max_key_documents=max_key_documents,
        decision=decision_of(decision, learned=any(one.learned_decision for one in members)),
        threads=threads,
        progress=progress,
    )
    preparing = Preparing(keep=keep_boilerplate)
    documents: Batched = Documents(
        sources,
        report,
        fields=fields,
        format=format,
        encoding=encoding,
        content=content,
        strict=strict,
        leave_out=leave_out,
        prepare=preparing,
    )
    if len(members) > 1:
        documents = Kept(documents)
    statistics, *others = (
        engine_of(engine).count(documents, replace(job, detector=member)) for member in members
    )
    for other in others:
        statistics.take(other)
    statistics.pin_boilerplate(preparing.boilerplate)
    statistics.origin = origin
    return statistics

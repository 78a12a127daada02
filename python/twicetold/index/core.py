"""What readers and writers of an index share: settings, statistics, and how documents are seen."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from twicetold import _kernel
from twicetold.analysis import Analyser, Profile
from twicetold.batches import batch_of
from twicetold.errors import IndexMismatchError
from twicetold.index.database import Database
from twicetold.index.files import Files
from twicetold.index.parts import Parts
from twicetold.index.pinning import load_pinned
from twicetold.index.served import join_floor, postings, served
from twicetold.matching import mark_boilerplate
from twicetold.pipeline import Detector, Job, detector_class
from twicetold.records import Document
from twicetold.statistics import Statistics

__all__ = ["Core", "Settings"]

_MICROSECOND = timedelta(microseconds=1)
#: A window is so many buckets of time: what drops out of it drops bucket by bucket.
_BUCKETS = 8
#: An analyser remembers each different word; a new one is made before that is too much.
_WORDS_REMEMBERED = 20_000_000


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is fixed when an index is made."""

    method: str
    parameters: dict[str, Any]
    profile: dict[str, Any]
    hash_version: int
    language: str | None
    window: int | None
    floor: float | None
    passages: bool
    max_key_documents: int

    @classmethod
    def of(cls, job: Job) -> Settings:
        """Return what a job says."""
        window = None if job.window is None else job.window // _MICROSECOND
        return cls(
            method=job.detector.name,
            parameters=job.detector.settings(),
            profile=dataclasses.asdict(job.profile),
            hash_version=_kernel.HASH_VERSION,
            language=job.language,
            window=window,
            floor=job.floor,
            passages=job.has_passages,
            max_key_documents=job.max_key_documents,
        )

    def job(self, statistics: Statistics | None, *, threads: int = 0) -> Job:
        """Return the job that joins what is in the index."""
        detector = served(detector_class(self.method)(**self.parameters))
        return Job(
            detector=detector,
            profile=Profile(**self.profile),
            statistics=statistics,
            language=self.language,
            window=None if self.window is None else timedelta(microseconds=self.window),
            floor=self.floor,
            passages=self.passages,
            max_key_documents=self.max_key_documents,
            threads=threads,
        )

    @property
    def bucket_width(self) -> int | None:
        """How long a bucket of time is; None: there is one for all."""
        return None if self.window is None else max(self.window // _BUCKETS, 1)


class Core:
    """An opened index."""

    def __init__(self, files: Files, database: Database, *, threads: int = 0) -> None:
        self.files = files
        self.database = database
        self.threads = threads
        self.parts = Parts()
        self.load()

    def load(self) -> None:
        """Take settings and statistics from the database."""
        self.settings = Settings(**self.database.get("settings"))
        if self.settings.hash_version != _kernel.HASH_VERSION:
            msg = (
                f"{self.files.path}: keys of hash version {self.settings.hash_version}, this "
                f"program makes {_kernel.HASH_VERSION}; "
                f"run `twicetold index rebuild {self.files.path}`"
            )
            raise IndexMismatchError(msg)
        self.take(load_pinned(self.database))

    def take(self, statistics: Statistics | None) -> None:
        """Work with these statistics from now on."""
        self.statistics = statistics
        self.job = self.settings.job(statistics, threads=self.threads)
        detector = self.job.detector
        self.detector: Detector = (
            detector if statistics is None else detector.with_statistics(statistics)
        )
        self._analyser = Analyser(self.job.profile)
        self._words = 0

    def bundle(
        self, documents: Sequence[Document], numbers: Sequence[int], times: Sequence[int]
    ) -> _kernel.Bundle:
        """Return documents with their features."""
        if not documents:
            return _kernel.Bundle()
        assert self.statistics is not None
        if self._words > _WORDS_REMEMBERED:
            self._analyser, self._words = Analyser(self.job.profile), 0
        boilerplate = self.statistics.boilerplate
        batch = batch_of([boilerplate.without(document) for document in documents])
        analysed = self._analyser.analyse_batch(
            batch,
            language=self.settings.language,
            spans=self.settings.passages,
            threads=self.threads,
        )
        self._words += analysed.n_words
        features = self.detector.features(analysed, self.statistics, threads=self.threads)
        if self.detector.boilerplate_documents:
            collection = _kernel.Collection()
            collection.add(batch, analysed)
            known = (self.detector, features, collection, self.statistics)
            mark_boilerplate(*known, threads=self.threads)
        return _kernel.Bundle.of(batch, analysed, features, numbers, times)

    def postings(self, bundle: _kernel.Bundle) -> _kernel.Postings:
        """Return the keys by which documents are found."""
        return postings(self.detector, self.job, bundle)

    def related(self, bundle: _kernel.Bundle, keys: _kernel.Postings) -> _kernel.Bundle:
        """Return the documents of the index that may be related to some of these."""
        return _kernel.find_related(
            list(self.parts.segments.values()),
            bundle,
            keys,
            self.detector.verify(),
            floor=join_floor(self.job),
            window=self.settings.window,
            horizon=self.parts.horizon,
            removed=self.parts.removed,
            threads=self.threads,
        )

    def bucket(self, time: int) -> int:
        """Return the bucket of a time."""
        width = self.settings.bucket_width
        return 0 if width is None else time // width

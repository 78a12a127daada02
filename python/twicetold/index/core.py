"""What readers and writers of an index share: settings, statistics, and how documents are seen."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from twicetold import _kernel
from twicetold.analysis import Analysed, Analyser, Profile
from twicetold.batches import BATCH, batch_of
from twicetold.decision import Decision
from twicetold.errors import FormatError, IndexDamagedError, IndexMismatchError
from twicetold.html.boilerplate import Boilerplate
from twicetold.index.database import Database
from twicetold.index.files import Files, quoted
from twicetold.index.grouping import BULK, characters, grouped
from twicetold.index.parts import Parts
from twicetold.index.pinning import Counted, load_pinned
from twicetold.index.served import join_floor, postings, served
from twicetold.matching import mark_boilerplate
from twicetold.pipeline import Detector, Job, restored
from twicetold.records import Document
from twicetold.statistics import Statistics

__all__ = ["Core", "Settings"]

_MICROSECOND = timedelta(microseconds=1)
#: A window is so many buckets of time: what drops out of it drops bucket by bucket.
_BUCKETS = 8
#: An analyser remembers each different word, in whose order all are put when new ones come; after
#: so many characters it knows those that came last only. For fewer it is not worth it to remember.
_REMEMBERED = 100_000_000
_FEW = 1_000_000
#: How often a reader looks again which statistics an index has; rebuilding takes longer.
_TRIES = 10
#: So few characters are the work of one thread.
_LITTLE = 100_000


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
    #: The coefficients that decide; None: the method itself does.
    decision: dict[str, Any] | None = None

    @classmethod
    def of(cls, job: Job) -> Settings:
        """Return what a job says."""
        window = None if job.window is None else job.window // _MICROSECOND
        return cls(
            method=job.detector.name,
            parameters=job.detector.recipe(),
            profile=dataclasses.asdict(job.profile),
            hash_version=_kernel.HASH_VERSION,
            language=job.language,
            window=window,
            floor=job.floor,
            passages=job.has_passages,
            max_key_documents=job.max_key_documents,
            decision=None if job.decision is None else job.decision.to_json(),
        )

    def stored(self) -> dict[str, Any]:
        """Return the settings as an index keeps them: a decision only where there is one."""
        row = dataclasses.asdict(self)
        if row["decision"] is None:
            del row["decision"]
        return row

    def job(self, statistics: Statistics | None, *, threads: int = 0) -> Job:
        """Return the job that joins what is in the index."""
        detector = served(restored(self.method, self.parameters))
        return Job(
            detector=detector,
            profile=Profile(**self.profile),
            statistics=statistics,
            language=self.language,
            window=None if self.window is None else timedelta(microseconds=self.window),
            floor=self.floor,
            passages=self.passages,
            max_key_documents=self.max_key_documents,
            decision=None if self.decision is None else Decision.from_json(self.decision, "index"),
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
        #: Documents are analysed while others are searched for.
        self._analysing = threading.Lock()
        self.load()

    def load(self) -> None:
        """Take settings and statistics from the database."""
        try:
            self.settings = Settings(**self.database.get("settings"))
            self.settings.job(None)
        except FormatError as error:
            msg = (
                f"{self.files.path}: {error}; write its documents with `twicetold index export "
                f"{quoted(self.files.path)} -o FILE`, then `twicetold index create` with one "
                "learned anew"
            )
            raise IndexMismatchError(msg) from error
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            msg = f"{self.database.path}: is damaged: its settings are not what was written"
            raise IndexDamagedError(msg) from error
        if self.settings.hash_version != _kernel.HASH_VERSION:
            msg = (
                f"{self.files.path}: keys of hash version {self.settings.hash_version}, this "
                f"program makes {_kernel.HASH_VERSION}; write its documents with `twicetold index "
                f"export {quoted(self.files.path)} -o FILE`, then `twicetold index create` and "
                "`add`"
            )
            raise IndexMismatchError(msg)
        self.take(load_pinned(self.database))

    def refresh(self) -> None:
        """See what was committed last, also if a rebuild made all of it anew."""
        self.parts.refresh(self.database, self.files)
        for _ in range(_TRIES):
            if self.parts.made_by == self.made_by:
                return
            self.load()
            self.parts.commit = -1  # statistics may be pinned without a commit
            self.parts.refresh(self.database, self.files)
        helps = f"`twicetold index check {quoted(self.files.path)}`"
        msg = f"{self.database.path}: its statistics or settings are damaged; see {helps}"
        raise IndexDamagedError(msg)

    def take(self, statistics: Statistics | None) -> None:
        """Work with these statistics from now on."""
        with self._analysing:
            self._take(statistics)

    def _take(self, statistics: Statistics | None) -> None:
        self.statistics = statistics
        version = None if statistics is None else statistics.version
        #: What segments are made by from here, as the database tells it.
        self.made_by = json.loads(json.dumps(self.settings.stored())), version
        self.job = self.settings.job(statistics, threads=self.threads)
        detector = self.job.detector
        self.detector: Detector = (
            detector if statistics is None else detector.with_statistics(statistics)
        )
        self.analysed: Counted | None = None
        self._analyser = Analyser(self.job.profile)
        self._seen = 0

    @property
    def boilerplate(self) -> Boilerplate:
        """What sites repeat on their pages, and is left out."""
        return Boilerplate() if self.statistics is None else self.statistics.boilerplate

    def bundle(self, documents: Sequence[Document]) -> _kernel.Bundle:
        """Return documents with their features; numbers and times are for the caller to tell."""
        # What was counted was analysed in smaller parts.
        most = BULK if self.analysed is None else BATCH
        bundle = _kernel.Bundle()
        for batch in grouped(documents, characters, most=most):
            with self._analysing:
                bundle.append(self._batch(batch))
        return bundle

    def _batch(self, documents: Sequence[Document]) -> _kernel.Bundle:
        assert self.statistics is not None
        threads = self.threads_for(documents)
        batch = batch_of([self.boilerplate.without(document) for document in documents])
        analysed = None if self.analysed is None else self.analysed.take(documents)
        if analysed is not None:  # by another one than ours
            self._analyser = self._analyser.renewed(analysed)
        else:
            self.analysed = None
            analysed = self._analyse(batch, sum(map(characters, documents)), threads=threads)
        features = self.detector.features(analysed, self.statistics, threads=threads)
        if self.detector.boilerplate_documents:
            collection = _kernel.Collection()
            collection.add(batch, analysed)
            known = (self.detector, features, collection, self.statistics)
            mark_boilerplate(*known, threads=threads)
        return _kernel.Bundle.of(batch, analysed, features)

    def threads_for(self, documents: Sequence[Document]) -> int:
        """Return on how many threads to work: for little, others are not woken up."""
        is_little = sum(map(characters, documents)) < _LITTLE
        return 1 if is_little else self.threads

    def _analyse(self, batch: _kernel.Documents, size: int, *, threads: int) -> Analysed:
        """Analyse documents with so many characters."""
        is_little = size < _FEW
        analyser = self._analyser.beside() if is_little else self._analyser
        analysed = analyser.analyse_batch(
            batch,
            language=self.settings.language,
            spans=self.settings.passages,
            threads=threads,
        )
        if not is_little:
            self._seen += size
            if self._seen > _REMEMBERED:
                self._analyser, self._seen = self._analyser.renewed(analysed), 0
        return analysed

    def beside(self) -> Analyser:
        """Return an analyser of single texts that knows the words of those before."""
        with self._analysing:
            return self._analyser.beside()

    def postings(self, bundle: _kernel.Bundle) -> _kernel.Postings:
        """Return the keys by which documents are found."""
        return postings(self.detector, self.job, bundle)

    def related(
        self,
        bundle: _kernel.Bundle,
        keys: _kernel.Postings,
        *,
        only_first: bool = False,
        horizon: int | None = None,
        threads: int = 0,
    ) -> _kernel.Bundle:
        """Return the documents of the index that may be related to some of these.

        ``only_first``: to a single one that repeats an earlier one, only the equal ones. What was
        told before ``horizon`` is gone; None: before that of the last commit.
        """
        return _kernel.find_related(
            list(self.parts.segments.values()),
            bundle,
            keys,
            self.detector.verify(),
            floor=join_floor(self.job),
            window=self.settings.window,
            horizon=self.parts.horizon if horizon is None else horizon,
            removed=self.parts.removed,
            only_first=only_first,
            threads=threads,
        )

    def bucket(self, time: int) -> int:
        """Return the bucket of a time."""
        width = self.settings.bucket_width
        return 0 if width is None else time // width

"""`Index`: documents on disk, each compared with all others when it comes."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, Unpack

from twicetold.analysis import profile_of
from twicetold.batches import microseconds, moment
from twicetold.deadlines import locked
from twicetold.decision import Decision, decision_of
from twicetold.documents import DocumentsLike, Report, one_document
from twicetold.errors import ParameterError
from twicetold.index import checking
from twicetold.index.adding import Adder
from twicetold.index.arrivals import wall_clock
from twicetold.index.core import Core
from twicetold.index.decision_texts import DecisionTexts
from twicetold.index.files import Files
from twicetold.index.given import (
    check_on_duplicate,
    check_one,
    check_window,
    given_documents,
    given_ids,
    given_time,
)
from twicetold.index.grouping import BULK, distinct, in_bulk
from twicetold.index.info import info_of
from twicetold.index.joining import join, join_all
from twicetold.index.making import made, opened, other_statistics
from twicetold.index.parts import EVER
from twicetold.index.placing import place
from twicetold.index.preparing import Ready
from twicetold.index.rebuilding import other_detector, rebuild
from twicetold.index.records import Added, Adding, IndexInfo, OnDuplicate
from twicetold.index.served import served
from twicetold.index.untold import untold
from twicetold.pairs import Manifest, Pairs
from twicetold.pipeline import Detector, Job, Progress, ignore
from twicetold.records import Document, Pair
from twicetold.scanning import make_detector
from twicetold.statistics import Statistics

__all__ = ["Index"]


class Index:
    """Documents kept on disk, searched by what they share.

    One process writes, any number of others search meanwhile; each search sees what was committed.

    >>> import tempfile
    >>> from twicetold import Document
    >>> folder = tempfile.TemporaryDirectory()
    >>> index = Index.create(folder.name + "/news", method="codet")
    >>> index.add(Document(id="brief", text="The dam broke on Monday.", language="en"))
    Added(id='brief', status='added', pairs=())
    >>> report = Document(
    ...     id="report", text="The dam broke on Monday. Ten villages lie below.", language="en"
    ... )
    >>> for pair in index.add(report).pairs:
    ...     print(pair.left, pair.relation, pair.right, pair.left_in_right)
    brief contained report 1.0
    >>> len(index), [pair.right for pair in index.search(report)]
    (2, ['report'])
    >>> index.close()
    >>> folder.cleanup()
    """

    def __init__(self, core: Core, *, write: bool, check: bool = True) -> None:
        self._core = core
        self._lock = threading.RLock()
        self._writer = Adder(core, check=check) if write else None
        if not write and check:
            core.refresh()

    @classmethod
    def create(  # noqa: PLR0913 - every choice of an index, by name
        cls,
        path: str | Path,
        /,
        *,
        method: str | Detector = "retelling",
        statistics: Statistics | str | Path | None = None,
        sample: DocumentsLike | None = None,
        reference: str | None = None,
        language: str | None = None,
        window: timedelta | None = None,
        floor: float | None = None,
        passages: bool | None = None,
        decision: Decision | str | Path | None = None,
        max_key_documents: int = 1000,
        threads: int = 0,
        report: Report | None = None,
        progress: Callable[[Progress], None] = ignore,
        **parameters: Any,
    ) -> Index:
        """Make an index in a folder that is empty or not there, and open it to write.

        ``method``, ``decision`` and further keywords choose the detector as in `scan`. Statistics
        are given, or counted in a ``sample``, or those of the ``reference`` language; with none of
        these they are counted in the documents that are added first. A sample is read to its end,
        and of its documents as many count as are enough, evenly spread. What was published longer
        ago than ``window`` expires.
        """
        check_one(statistics=statistics, sample=sample, reference=reference)
        check_window(window)
        detector = served(make_detector(method, parameters))
        if isinstance(statistics, (str, Path)):
            statistics = Statistics.load(statistics)
        job = Job(
            detector=detector,
            profile=profile_of(detector.profile if statistics is None else statistics.profile),
            statistics=statistics,
            language=language,
            window=window,
            floor=floor,
            passages=detector.unit == "sentence" if passages is None else passages,
            decision=decision_of(decision, learned=detector.learned_decision),
            max_key_documents=max_key_documents,
            threads=threads,
            progress=progress,
        )
        pinned = statistics or other_statistics(job, sample, reference, report)
        core = made(Files(path), job, pinned, threads=threads)
        return cls._of(core, write=True, check=True)

    @classmethod
    def open(
        cls,
        path: str | Path,
        /,
        *,
        write: bool = False,
        method: str | None = None,
        statistics: str | None = None,
        threads: int = 0,
        check: bool = True,
    ) -> Index:
        """Open an index to search it, or to ``write``.

        ``method`` and ``statistics`` (a version) say what is expected: another one is refused.
        Without ``check`` segments may be damaged, to `check` and `repair` them.
        """
        core = opened(
            Files(path), method=method, statistics=statistics, threads=threads, check=check
        )
        return cls._of(core, write=write, check=check)

    @classmethod
    def _of(cls, core: Core, *, write: bool, check: bool) -> Index:
        try:
            return cls(core, write=write, check=check)
        except BaseException:
            core.database.close()
            raise

    @property
    def path(self) -> Path:
        """The folder."""
        return self._core.files.path

    @property
    def detector(self) -> Detector:
        """The method, with its parameters."""
        return self._core.job.detector

    @property
    def statistics(self) -> Statistics | None:
        """The pinned statistics; None as long as nothing was added."""
        return self._core.statistics

    @property
    def horizon(self) -> datetime | None:
        """What was told before is not kept; None: everything is."""
        horizon = self._core.parts.horizon
        return None if horizon == EVER else moment(horizon)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._close(is_stopped=error is not None)

    def close(self) -> None:
        """Close it; another process can write then. A merge that goes on behind is waited for."""
        self._close(is_stopped=False)

    def _close(self, *, is_stopped: bool) -> None:
        with self._lock:
            writer, self._writer = self._writer, None
            try:
                if writer is not None:
                    writer.tell_in_full()
            finally:
                try:
                    if writer is not None:
                        writer.close(is_stopped=is_stopped)
                finally:
                    self._core.database.close()

    def __len__(self) -> int:
        with self._lock:
            return self._core.database.n_documents()

    def _write(self) -> Adder:
        if self._writer is None:
            self._core.database.check_open()
            msg = f"{self.path}: is open for searches only; open it with write=True"
            raise ParameterError(msg)
        return self._writer

    def add(
        self,
        document: Document | Mapping[str, Any],
        /,
        *,
        on_duplicate: OnDuplicate = "error",
        all_pairs: bool = False,
    ) -> Added:
        """Compare a document with all that are there, and keep it.

        When this returns, the document is on disk and others find it. ``all_pairs`` tells every
        one of several equal documents, not only the earliest.
        """
        document = one_document(document, "add")
        (added,) = self.add_all([document], on_duplicate=on_duplicate, all_pairs=all_pairs)
        return added

    def add_all(self, documents: DocumentsLike, /, **options: Unpack[Adding]) -> list[Added]:
        """Add documents, and return what became of each; options are those of `iter_add`.

        All answers are in memory then: of many documents with many pairs, `iter_add` tells them as
        they come.
        """
        return list(self.iter_add(documents, **options))

    def iter_add(
        self,
        documents: DocumentsLike,
        /,
        *,
        on_duplicate: OnDuplicate = "error",
        all_pairs: bool = False,
        answers: bool = True,
        batch: int = BULK,
        until_told: bool = False,
        progress: Callable[[Progress], None] = ignore,
    ) -> Iterator[Added]:
        """Add documents while they are iterated; yields what became of each, after its commit.

        Nothing is added before the first one is asked for, nor the rest if nobody goes on.
        Meanwhile other threads may use the index, also to write.

        Where no statistics are pinned, they are of a sample spread over all documents if these are
        a sequence or `Sources` of files, and of the first ones otherwise; ``progress`` is told how
        many were read for it.

        A commit has about ``batch`` characters. Each document is compared with those before it;
        without ``answers`` with none, which is faster: what is there is told by `pairs`.
        With ``until_told`` the answers of a commit count as not told to anybody until those of the
        next one are asked for, or `told`.
        """
        check_on_duplicate(on_duplicate)
        given = given_documents(documents)
        with self._lock:
            writer = self._write()
        commits = partial(
            writer.add, on_duplicate=on_duplicate, all_pairs=all_pairs, answers=answers
        )
        return self._adding(writer, given, commits, batch, progress, until_told=until_told)

    def _adding(
        self,
        writer: Adder,
        documents: Iterable[Document],
        commits: Callable[[list[Document]], Iterator[deque[Added]]],
        batch: int,
        progress: Callable[[Progress], None],
        *,
        until_told: bool,
    ) -> Iterator[Added]:
        """Add documents commit by commit; between two of them others may have the lock."""
        ahead = not isinstance(documents, Sequence)
        # With a window, what would wait may expire meanwhile.
        bulk = ahead and self._core.settings.window is None
        try:
            # Documents are read without the lock: that may take as long as it likes.
            groups = in_bulk(writer.pinned_from(documents, progress, self._lock), batch)
            for ready in writer.made_ready(groups, ahead=ahead):
                for part in distinct(ready.documents):
                    coming = commits(part)
                    while True:
                        with self._turn(writer):
                            writer.until_told, writer.ready = until_told, ready
                            writer.in_bulk = bulk or writer.in_bulk
                            told = next(coming, None)
                            writer.ready = Ready()
                        if told is None:
                            break
                        while told:  # what was told is not held: it need not be told in full
                            yield told.popleft()
                del ready
        except BaseException:
            with self._lock:
                if self._writer is writer:
                    writer.abandon(merges=ahead)
                    writer.ready = Ready()
            raise
        with self._turn(writer):
            writer.settle(merges=ahead)
            writer.in_bulk = False

    @contextmanager
    def _turn(self, writer: Adder) -> Iterator[None]:
        """Have the index, as long as the same writer is open."""
        with self._lock:
            if self._write() is not writer:
                msg = f"{self.path}: was closed while documents were added; open it again"
                raise ParameterError(msg)
            yield

    def untold(self, *, all_pairs: bool = False) -> Iterator[Added]:
        """Answer again what was added ``until_told`` by a process that ended before it was."""
        with self._lock:
            writer = self._write()  # others may be telling them
            answers = untold(self._core, all_pairs=all_pairs)
        while True:
            with self._turn(writer):
                added = next(answers, None)
            if added is None:
                return
            yield added

    def told(self) -> None:
        """Note that whoever is to know has every answer."""
        with self._lock:
            self._write().told()

    def search(
        self,
        document: Document | Mapping[str, Any],
        /,
        *,
        all_pairs: bool = False,
        deadline: float | None = None,
    ) -> list[Pair]:
        """Return the pairs of a document with those that are there, without keeping it.

        One with the same id is not compared with it. What is not done within ``deadline`` seconds
        ends with `DeadlineError`.
        """
        document = one_document(document, "search")
        with locked(self._lock, deadline):
            core = self._core
            core.refresh()
            if core.statistics is None:
                return []
            told = microseconds(document.published)
            bundle = core.bundle([document])
            bundle.count_as([0], [wall_clock() if told is None else told])
            threads = core.threads_for([document])
            keys = core.postings(bundle)
            # What repeats an earlier one is told with that alone.
            related = core.related(bundle, keys, only_first=not all_pairs, threads=threads)
            same = [n for n, name in enumerate(related.ids) if name != document.id]
            related = related.part(same) if len(same) < len(related) else related
            job = replace(core.job, all_pairs=all_pairs, threads=threads)
            placing = partial(place, core.database, beside=[document])
            texts = DecisionTexts(core, [document])
            return list(join(job, core.detector, related, bundle, placing, texts)[1].pairs())

    def pairs(self, *, all_pairs: bool = False) -> Pairs:
        """Return the pairs among all documents that are there: those a scan of them gives."""
        with self._lock:
            core = self._core
            core.refresh()
            if core.statistics is None:
                return Pairs.of([], Manifest())
            job = replace(core.job, all_pairs=all_pairs)
            placing = partial(place, core.database)
            return join_all(job, core.detector, core.parts.live(), placing, DecisionTexts(core))

    def remove(self, *ids: str) -> list[str]:
        """Remove documents by their ids; returns those that were there."""
        with self._lock:
            self._write().tell_in_full()
            return self._write().remove(given_ids(ids))

    def expire(self, before: datetime | None = None) -> int:
        """Let go of what was told before; None: of what is outside the window by now.

        What comes later and was told before is not kept either. Returns how many documents went.
        """
        with self._lock:
            writer = self._write()
            told = given_time(before)
            if before is not None and told is not None and told > wall_clock():
                msg = (
                    f"before must be no later than now, got {before.isoformat()}; "
                    "whatever comes until then would not be kept"
                )
                raise ParameterError(msg)
            if told is None:
                window = self._core.settings.window
                if window is None:
                    msg = f"{self.path}: has no window; say before which time documents expire"
                    raise ParameterError(msg)
                told = wall_clock() - window
            writer.tell_in_full()
            return writer.expire(told)

    def documents(self) -> Iterator[Document]:
        """Yield all documents, in the order in which they came."""
        for _, _, document in self._core.database.all_documents():
            yield document

    def check(self, *, progress: Callable[[Progress], None] = ignore) -> list[checking.Finding]:
        """Return what is wrong with the files of the index; nothing, if all is well."""
        with self._lock:
            self._core.database.check_open()
            return checking.check(self._core.files, self._core.database, progress)

    def repair(self, *, progress: Callable[[Progress], None] = ignore) -> list[checking.Finding]:
        """Make damaged or missing segments again from the documents; returns what was wrong."""
        with self._lock:
            return checking.repair(self._write(), progress)

    def rebuild(
        self,
        *,
        statistics: Statistics | None = None,
        sample: DocumentsLike | None = None,
        reference: str | None = None,
        method: str | Detector | None = None,
        progress: Callable[[int], None] = lambda _: None,
        report: Report | None = None,
        **parameters: Any,
    ) -> None:
        """Pin new statistics, of the documents that are there or as `create`, or another method.

        All segments are made again; searches go on with the old ones until the one commit.
        """
        check_one(statistics=statistics, sample=sample, reference=reference)
        with self._lock:
            writer = self._write()
            detector = other_detector(self._core, method, parameters)

            def counted(job: Job) -> Statistics | None:
                return statistics or other_statistics(job, sample, reference, report)

            rebuild(writer, statistics, detector, counted, progress)

    def info(self) -> IndexInfo:
        """Return what the index is, and how large."""
        with self._lock:
            self._core.refresh()
            return info_of(self._core)

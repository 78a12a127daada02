"""Documents that are added: answered with what they are related to, and kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from twicetold import _kernel
from twicetold.batches import BATCH
from twicetold.engines.prefetch import prefetched
from twicetold.errors import DocumentError
from twicetold.index.answering import Answerer
from twicetold.index.apart import Apart, in_runs
from twicetold.index.arrivals import Arrival, arrivals
from twicetold.index.database import SegmentRow
from twicetold.index.document_rows import packed_of
from twicetold.index.grouping import characters
from twicetold.index.pinning import Sample, count_sample, pin, sample_of
from twicetold.index.preparing import Packed, Ready, prepared
from twicetold.index.records import Added, OnDuplicate, Status
from twicetold.pipeline import Progress
from twicetold.records import Document
from twicetold.statistics import Statistics

__all__ = ["Adder"]

#: Bytes of own memory that a commit may leave to the next one; segments are mapped beside them.
_KEPT = 600 << 20


class Adder(Answerer):
    """A writer that adds documents."""

    #: Whether the answers of a commit are noted as not told until the next one.
    until_told = False
    #: The number from which on documents are told together; None: those of each commit.
    _untold_first: int | None = None
    #: Whether those that came last were all new: of others it is not worth to do more before.
    all_new = True

    # Statistics

    def pin(self, statistics: Statistics) -> None:
        """Pin statistics before anything is added."""
        with self.database.transaction():
            pin(self.database, statistics)
        self.core.take(statistics)

    def pinned_from(
        self,
        documents: Iterable[Document],
        progress: Callable[[Progress], None],
        lock: AbstractContextManager[Any],
    ) -> Iterable[Document]:
        """Return the documents; where no statistics are pinned yet, from some of them.

        They are pinned under the lock, and read without it.
        """
        if self.core.statistics is not None:
            return documents
        sample, documents = sample_of(documents, progress)
        with lock:
            self._pin_sample(sample)
        return documents

    def _pin_sample(self, sample: Sample) -> None:
        if sample.documents and self.core.statistics is None:
            is_all = sample.share == 1
            origin = "the documents added first" if is_all else "a sample of those added first"
            statistics, counted = count_sample(self.core.job, sample, origin)
            self.pin(statistics)
            if is_all:
                self.core.analysed = counted
            del sample, counted
            _kernel.give_back_memory()

    # Documents

    def made_ready(self, groups: Iterable[list[Document]], *, ahead: bool) -> Iterator[Ready]:
        """Yield groups of documents with what can be done before they are added.

        ``ahead``: by other threads, while those before them are.
        """
        packed: Iterable[Packed] = ((group, packed_of(group)) for group in groups)
        if not ahead:
            return (Ready(group, texts) for group, texts in packed)
        # Texts are read and compressed ahead of those that wait with all they have.
        return prefetched(self._analysed(prefetched(packed, large=True)), large=True)

    def _analysed(self, packed: Iterable[Packed]) -> Iterator[Ready]:
        for group, texts in packed:
            made_by = self.core.made_by
            made = prepared(self.core, group) if self.all_new else None
            yield Ready(group, texts, made, made_by)
            # While the next ones are read, nobody but their user holds these.
            del group, texts, made

    def add(
        self,
        documents: Sequence[Document],
        *,
        on_duplicate: OnDuplicate,
        all_pairs: bool,
        answers: bool = True,
    ) -> Iterator[deque[Added]]:
        """Add documents with different ids; yields what became of those of each commit.

        Between two commits others may write.
        """
        commit = partial(self._timely, all_pairs=all_pairs, answers=answers)
        known = self.database.numbers_of([document.id for document in documents])
        self.all_new = not known
        if on_duplicate == "skip":
            fresh = [document for document in documents if document.id not in known]
            others = self._with_other_texts(documents, known)
            told = {added.id: added for added in commit(fresh, [])}
            yield deque(
                told.pop(document.id)
                if document.id in told
                else Added(
                    document.id,
                    "skipped",
                    is_answered=answers,
                    is_changed=document.id in others,
                )
                for document in documents
            )
            return
        # A new version is seen by those behind it, the old one by those before it.
        run: list[Document] = []
        for n, document in enumerate(documents):
            if document.id not in known:
                run.append(document)
                continue
            if run:
                done = deque(commit(run, []))
                run = []
                if (yield from self._handed_over(done)):
                    known = self.database.numbers_of([one.id for one in documents[n:]])
            if document.id not in known:  # somebody removed it meanwhile
                run.append(document)
                continue
            if on_duplicate == "error":
                msg = (
                    f"id {document.id!r} is in the index already; "
                    "give another one, or --on-duplicate skip or replace"
                )
                raise DocumentError(msg)
            done = deque(commit([document], [known[document.id]]))
            if (yield from self._handed_over(done)):
                known = self.database.numbers_of([one.id for one in documents[n + 1 :]])
        if run:
            yield deque(commit(run, []))

    def _handed_over(self, done: deque[Added]) -> Generator[deque[Added], None, bool]:
        """Yield what a commit did; returns whether somebody else wrote meanwhile."""
        commit = self.core.parts.commit
        yield done
        return self.core.parts.commit != commit

    def _with_other_texts(
        self, documents: Iterable[Document], known: Mapping[str, tuple[int, int]]
    ) -> set[str]:
        """Return the ids that are known with another text."""
        texts = dict(self.database.texts_of([number for number, _ in known.values()]))
        return {
            document.id
            for document in documents
            if document.id in known
            and (text := texts.get(known[document.id][0])) is not None
            and text != document.text.encode("utf-8", "surrogatepass")
        }

    def _timely(
        self,
        documents: list[Document],
        gone: list[tuple[int, int]],
        *,
        all_pairs: bool,
        answers: bool,
    ) -> list[Added]:
        """Answer documents and keep them; one that is outside the window already is left alone.

        It may have been answered before it expired, and its pairs must not be told twice.
        """
        arrived = arrivals(documents, self.core.parts, self.core.settings.window)
        late = {one.document.id for one in arrived[0] if one.time < one.horizon}
        again = partial(self._timely, all_pairs=all_pairs, answers=answers)
        if not late:
            try:
                return self._commit(arrived, gone, all_pairs=all_pairs, answers=answers)
            except Apart as apart:
                runs = in_runs(documents, apart.places)
            # Several commits before any of them is told.
            before, self._untold_first = self._untold_first, self._next_untold()
            try:
                return [added for run in runs for added in again(run, [])]
            finally:
                self._untold_first = before
        if gone:  # the one that is late takes its place, and is not there either
            self.tell_in_full()
            self.remove(list(late))
            gone = []
        timely = [document for document in documents if document.id not in late]
        told = iter(again(timely, gone))
        return [
            Added(one.id, "expired", is_answered=answers) if one.id in late else next(told)
            for one in documents
        ]

    def _next_untold(self) -> int:
        """Return the number from which on documents are told together."""
        return self._untold_first or self.database.last_number() + 1

    def _commit(
        self,
        arrived: tuple[Sequence[Arrival], int | None],
        gone: list[tuple[int, int]],
        *,
        all_pairs: bool,
        answers: bool,
    ) -> list[Added]:
        """Answer documents and keep them, in place of those that are gone."""
        coming, clock = arrived
        documents = [arrival.document for arrival in coming]
        if not documents:
            return []
        self.tell_in_full()  # what answers are made from would be in memory twice
        core = self.core
        status: Status = "replaced" if gone else "added"
        if sum(map(characters, documents)) >= BATCH:
            # What the commit before took is in pieces that would be kept.
            merging = 0 if self._behind is None else self._behind.memory
            _kernel.give_back_memory(kept=_KEPT - merging)
        last = self.database.last_number()
        numbers = list(range(last + 1, last + 1 + len(documents)))
        made = self.ready.take(documents, core.made_by) or prepared(core, documents)
        made[0].count_as(numbers, [arrival.time for arrival in coming])
        for number, _ in gone:
            core.parts.removed.add(number)
        worker = self._worker_for(documents)
        rows: list[SegmentRow] = []
        try:
            with self._log.transaction(self.database, worker):
                if gone:
                    self.database.delete_documents(gone)
                keeping = partial(self._keeping, numbers=numbers, coming=coming, worker=worker)
                rows, found = self._answered(
                    made, coming, keeping, all_pairs=all_pairs, answers=answers
                )
                self._note(rows, [], clock=clock, horizon=coming[-1].horizon)
                if any(document.html is not None for document in documents):
                    self.database.set("pages", True)
                if self.until_told:
                    first = self._untold_first or numbers[0]
                    self.database.set("untold", [first, numbers[-1], status])
        except BaseException:
            self._undo(rows, gone)
            raise
        self._after()
        return [
            Added(
                arrival.document.id,
                # One may expire by those that come with it.
                "expired" if arrival.time < coming[-1].horizon else status,
                pairs,
                is_answered=answers,
            )
            for arrival, pairs in zip(coming, found, strict=True)
        ]

    def told(self) -> None:
        """Note that all answers were told."""
        self.until_told = False
        if self.database.get("untold") is not None:
            with self.database.transaction():
                self.database.set("untold", None)

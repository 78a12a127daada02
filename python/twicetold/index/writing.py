"""The writer of an index: every change is one transaction, and there or not there as a whole.

A segment is written and synced, then its folder, then the transaction that names it. Who is killed
between leaves a file that nobody names, which the next writer sweeps.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from twicetold import _kernel
from twicetold.errors import IndexWriteError, KernelError, SourceError, TwicetoldError
from twicetold.index.behind import AT_ONCE, BEHIND, Merge, Task, Worker
from twicetold.index.core import Core
from twicetold.index.database import SegmentRow
from twicetold.index.files import WriterLock, remove_file, sync
from twicetold.index.grouping import grouped
from twicetold.index.log import Log
from twicetold.index.merging import FILE, to_merge
from twicetold.index.parts import EVER
from twicetold.records import Document

__all__ = ["BEHIND_THREADS", "Writer"]

#: So many removed documents, and such a part of all, are taken out of segments.
_MANY_REMOVED, _PART_REMOVED = 1000, 0.2

#: What goes on behind has its own thread: in a pool that others share, one of them could find
#: itself doing all of a merge while it waits for a piece of its own work.
BEHIND_THREADS = 1

log = logging.getLogger(__name__)


@contextlib.contextmanager
def _told_as_safe(path: Path | None = None) -> Iterator[None]:
    """Say of what cannot be written that the rest is safe; a new file is removed then."""
    try:
        yield
    except BaseException as error:
        if path is not None:
            remove_file(path)
        if not isinstance(error, KernelError | OSError):
            raise
        msg = f"{error}; what was added before is safe"
        raise IndexWriteError(msg) from error


class Writer:
    """Who may change an index."""

    def __init__(self, core: Core, *, check: bool = True) -> None:
        self.core = core
        self.database = core.database
        #: Whether many documents come: segments are merged later then, more of them at once.
        self.in_bulk = False
        #: Whether somebody waits until all is merged, and the merge that goes on behind.
        self._waits = False
        self._behind: Merge | None = None
        self._worker: Worker | None = None
        #: Who writes segments while others are searched.
        self._aside: Worker | None = None
        self._removing: Task[None] | None = None
        self._log = Log(core.database.path)
        self._last_name = 0
        self._lock = WriterLock(core.files)
        try:
            core.files.make_segments()
            core.files.sweep(core.database.segments())
            if check:
                core.parts.refresh(core.database, core.files)
        except BaseException:
            self._lock.release()
            raise

    def close(self, *, is_stopped: bool = False) -> None:
        """Let another process write, after the merge that goes on, unless all is to stop."""
        try:
            if self._behind is not None and not is_stopped:
                self._name_behind(self._behind)
        except SourceError as error:
            log.warning("segments are not merged now: %s", error)
        finally:
            self._end()

    def _end(self) -> None:
        self.abandon()
        self._wait_for_removal()
        self._log.close()
        for worker in filter(None, (self._worker, self._aside)):
            worker.end()
        self._worker = self._aside = None
        self._lock.release()

    def _segments(
        self,
        bundle: _kernel.Bundle,
        keys: _kernel.Postings,
        kept: Sequence[int],
        name: int,
        *,
        threads: int,
    ) -> list[SegmentRow]:
        """Write the segments of some documents of a bundle, one for each bucket of time.

        The first one has this name. They are to be synced before they are named. Another thread
        may call it while the index is searched.
        """
        times = bundle.times
        buckets: dict[int, list[int]] = {}
        for n in kept:
            buckets.setdefault(self.core.bucket(times[n]), []).append(n)
        rows: list[SegmentRow] = []
        try:
            for bucket, places in sorted(buckets.items()):
                part, own = bundle, keys
                if len(places) < len(times):
                    part = bundle.part(places)
                    own = self.core.postings(part)
                rows.append(self._write(part, own, bucket, name + len(rows), threads))
        except BaseException:
            self._drop(rows)
            raise
        return rows

    def _write(
        self,
        bundle: _kernel.Bundle,
        keys: _kernel.Postings,
        bucket: int,
        name: int,
        threads: int,
    ) -> SegmentRow:
        path = self.core.files.segment(name)
        with _told_as_safe(path):
            size, content = _kernel.build_segment(
                bundle, keys, path, file_from=FILE, threads=threads
            )
            return SegmentRow(name, bucket, len(bundle), size, max(bundle.times), content)

    def _sync(self, rows: Iterable[SegmentRow]) -> None:
        """See to it that segments are there after a power cut, before they are named."""
        files = [self.core.files.segment(row.name) for row in rows if row.content is None]
        with _told_as_safe():
            for path in files:
                sync(path)
            if files:
                sync(self.core.files.segments)

    def _next_name(self) -> int:
        """Return a name that no segment had, nor one that is being written."""
        return max(self.database.next_segment(), self._last_name + 1)

    def _drop(self, rows: Iterable[SegmentRow]) -> None:
        """Remove the files of segments that no commit names."""
        self._remove_files(row.name for row in rows if row.content is None)

    def _note(
        self,
        made: Iterable[SegmentRow],
        merged: Iterable[int],
        *,
        clock: int | None = None,
        horizon: int = EVER,
    ) -> int:
        """Name segments, inside a transaction, and let go of what expired; returns how many."""
        for row in made:
            self.database.add_segment(row)
        self.database.delete_segments(merged)
        expired = 0
        if horizon > EVER:
            rows = self.database.segments().values()
            self.database.delete_segments([row.name for row in rows if row.latest < horizon])
            expired = self.database.delete_before(horizon)
            self.database.set("horizon", horizon)
        if clock is not None:
            self.database.set("clock", clock)
        self.database.set("commit", self.core.parts.commit + 1)
        return expired

    def _refresh(self) -> None:
        """See what was committed, and remove the files that nobody names any more."""
        before = self.core.parts.rows
        self.core.parts.refresh(self.database, self.core.files)
        gone = sorted(before.keys() - self.core.parts.rows.keys())
        if gone:
            self._wait_for_removal()
            # The system takes its time for large ones.
            self._removing = Task(partial(self._remove_files, gone), self._aside)

    def _undo(self, rows: Sequence[SegmentRow], gone: Sequence[tuple[int, int]] = ()) -> None:
        """Remove the files of segments that a transaction was to name, and what it let go of stays.

        Whoever interrupts may come when it is committed already: then nothing is undone.
        """
        try:
            if rows:
                named = self.database.segments()
                is_there = any(row.name in named for row in rows)
            else:
                is_there = self.database.get("commit") != self.core.parts.commit
            if is_there:
                self._refresh()
                return
        except TwicetoldError as error:  # what nobody names is swept later
            log.warning("%s", error)
            return
        self._drop(rows)
        for number, _ in gone:
            self.core.parts.removed.discard(number)

    def _remove_files(self, names: Iterable[int]) -> None:
        for name in names:
            remove_file(self.core.files.segment(name))

    def _wait_for_removal(self) -> None:
        if self._removing is not None:
            self._removing.wait()
            self._removing = None

    def _after(self) -> None:
        """Do what a commit makes necessary; what is committed stays so if that fails."""
        self._refresh()
        try:
            if self._behind is not None and self._is_due(self._behind):
                self._name_behind(self._behind)
            while names := self._to_merge():
                self.merge(names)
            if self._behind is None:
                self._rewrite_removed()
        except SourceError as error:
            log.warning("segments are not merged now: %s", error)

    def _is_due(self, merge: Merge) -> bool:
        """Tell whether to name what a merge behind wrote."""
        if not self.in_bulk:
            return merge.is_done
        merge.commits -= 1
        return merge.commits <= 0

    def _to_merge(self) -> list[int]:
        """Return what is to be merged now; a large merge is begun behind, if none goes on."""
        rows = self.core.parts.rows
        others = set(rows)
        if self._behind is not None:
            others -= set(self._behind.names)
        while True:
            names = to_merge((rows[name] for name in others), in_bulk=self.in_bulk)
            size = sum(rows[name].size for name in names)
            if not names or self._waits or size < (BEHIND if self.in_bulk else AT_ONCE):
                return names
            if self._behind is None:
                self._begin_behind(names, size)
            # What is smaller, or of another time, may have to be merged, too.
            others -= set(names)

    def _begin_behind(self, names: Sequence[int], size: int) -> None:
        self._last_name = name = self._next_name()
        gone = self._gone_of(names)
        work = self._merging(names, name, gone)
        self._worker = self._worker or Worker("twicetold-merge")
        self._behind = Merge(
            names, gone, size, lambda stop: work(stop, BEHIND_THREADS), self._worker
        )

    def _name_behind(self, merge: Merge) -> None:
        """Wait for the merge that goes on, and commit what it wrote."""
        try:
            rows = merge.rows()
        except Exception:
            self._behind = None
            raise
        # Who is interrupted before still knows it, and stops it.
        self._behind = None
        # With a window, all of it may have expired meanwhile.
        expired = [row for row in rows if row.latest < self.core.parts.horizon]
        self._drop(expired)
        rows = [row for row in rows if row not in expired]
        self._commit_merged(merge.names, merge.gone, rows)
        _kernel.give_back_memory()

    def settle(self, *, merges: bool = True) -> None:
        """End what goes on behind: with ``merges`` also these, and those that follow."""
        self._log.end(self.database)
        if not merges:
            self._wait_for_removal()
            return
        self._waits = True
        try:
            if self._behind is not None:
                self._name_behind(self._behind)
                self._after()
        except SourceError as error:
            log.warning("segments are not merged now: %s", error)
        finally:
            self._waits = False
            self._wait_for_removal()

    def abandon(self, *, merges: bool = True) -> None:
        """Let go of what goes on behind, with ``merges`` also of these: as if it had not begun."""
        self.in_bulk = False
        with contextlib.suppress(TwicetoldError):  # where nothing can be said any more
            self._log.end(self.database)
        if merges and self._behind is not None:
            self._drop(self._behind.stop())
            self._behind = None

    def _gone_of(self, names: Sequence[int]) -> list[int]:
        """Return what of some segments is gone."""
        parts = self.core.parts
        if not len(parts.removed):
            return []
        held = (number for name in names for number, _ in parts.segments[name].rows())
        return [number for number in held if number in parts.removed]

    def merge(self, names: Sequence[int]) -> None:
        """Make one segment of several, without what is gone."""
        gone = self._gone_of(names)
        work = self._merging(names, self._next_name(), gone)
        self._commit_merged(names, gone, work(None, self.core.threads))

    def _commit_merged(
        self, names: Sequence[int], gone: Sequence[int], rows: Sequence[SegmentRow]
    ) -> None:
        try:
            with self.database.transaction():
                self.database.forget_removed(gone)
                self._note(rows, names)
        except BaseException:
            self._undo(rows)
            raise
        for number in gone:
            self.core.parts.removed.discard(number)
        self._refresh()

    def _merging(
        self, names: Sequence[int], name: int, gone: Sequence[int]
    ) -> Callable[[_kernel.Stop | None, int], list[SegmentRow]]:
        """Return what writes the rest of segments, if there is any, without naming it.

        It has all it needs from now: another thread may call it while the index changes.
        """
        parts, files = self.core.parts, self.core.files
        segments = [parts.segments[name] for name in names]
        removed, horizon = _kernel.Numbers(gone), parts.horizon
        bucket = parts.rows[names[0]].bucket
        is_file = sum(parts.rows[name].size for name in names) >= FILE
        path = files.segment(name) if is_file else None

        def work(stop: _kernel.Stop | None, threads: int) -> list[SegmentRow]:
            with _told_as_safe(path):
                documents, latest, size, content = _kernel.merge_segments(
                    segments, removed, horizon, path, stop=stop, threads=threads
                )
                if is_file and documents:
                    sync(files.segments)
                row = SegmentRow(name, bucket, documents, size, latest, content)
                return [row] if documents else []

        return work

    def _rewrite_removed(self) -> None:
        """Write segments anew if they hold many documents that are gone."""
        parts = self.core.parts
        gone = self.database.counts().removed
        if gone < max(_MANY_REMOVED, _PART_REMOVED * sum(r.documents for r in parts.rows.values())):
            return
        for name in list(parts.rows):
            if any(number in parts.removed for number, _ in parts.segments[name].rows()):
                self.merge([name])

    def remove(self, ids: Sequence[str]) -> list[str]:
        """Remove documents; returns the ids of those that were there."""
        known = self.database.numbers_of(ids)
        if known:
            with self.database.transaction():
                self.database.delete_documents(list(known.values()))
                self._note([], [])
            self._after()
        return [name for name in ids if name in known]

    def expire(self, before: int) -> int:
        """Let go of all that counts as told before; returns how many documents."""
        self.settle()
        horizon = max(before, self.core.parts.horizon)
        with self.database.transaction():
            expired = self._note([], [], horizon=horizon)
        self._after()
        return expired

    # Made again

    def rewrite(
        self,
        documents: Iterable[tuple[int, int, Document]],
        instead_of: Sequence[int],
        also: Callable[[], None] = lambda: None,
        *,
        progress: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Make segments of these documents, in place of others, in one commit.

        ``also`` is called inside the transaction, ``progress`` with the number of documents done.
        """
        # What is replaced must stay what it is called meanwhile.
        self.abandon()
        rows: list[SegmentRow] = []
        done = 0
        try:
            for batch in grouped(documents, lambda row: len(row[2].text)):
                numbers, times, texts = zip(*batch, strict=True)
                bundle = self.core.bundle(texts)
                bundle.count_as(numbers, times)
                keys = self.core.postings(bundle)
                name = self._next_name() + len(rows)
                threads = self.core.threads
                made = self._segments(bundle, keys, range(len(texts)), name, threads=threads)
                rows += made
                self._sync(made)
                done += len(texts)
                progress(done)
            with self.database.transaction():
                also()
                self._note(rows, instead_of)
        except BaseException:
            self._undo(rows)
            raise
        self._after()

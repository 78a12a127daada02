"""A merge that goes on while documents come: a thread of its own writes the segment."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence

from twicetold import _kernel
from twicetold.index.database import SegmentRow

__all__ = ["BEHIND", "Merge", "Worker"]

#: Smaller merges, in bytes, are done at once.
BEHIND = 32 << 20
#: A merge has a commit's time for each so many bytes. It is named after as many, however long it
#: took, so that the same documents make the same segments.
_A_COMMIT = 64 << 20


class Worker:
    """A thread that does one thing after the other, and does not outlive the process."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="twicetold-merge", daemon=True).start()

    def _run(self) -> None:
        while (work := self._waiting.get()) is not None:
            work()

    def do(self, work: Callable[[], None]) -> None:
        """Do this when all before it is done."""
        self._waiting.put(work)

    def end(self) -> None:
        """Do nothing more."""
        self._waiting.put(None)


class Merge:
    """Segments that become one meanwhile, and what of them is gone."""

    def __init__(
        self,
        names: Sequence[int],
        gone: Sequence[int],
        size: int,
        work: Callable[[_kernel.Stop], list[SegmentRow]],
        worker: Worker,
    ) -> None:
        self.names = names
        self.gone = gone
        #: How many commits it waits for.
        self.commits = 1 + size // _A_COMMIT
        self._stop = _kernel.Stop()
        self._rows: list[SegmentRow] = []
        self._error: BaseException | None = None
        self._work = work
        self._done = threading.Event()
        worker.do(self._run)

    def _run(self) -> None:
        try:
            self._rows = self._work(self._stop)
        except BaseException as error:  # noqa: BLE001 - raised again by who waits
            self._error = error
        finally:
            self._done.set()

    def rows(self) -> list[SegmentRow]:
        """Wait for it, and return what was written."""
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._rows

    def stop(self) -> list[SegmentRow]:
        """Let go of it; returns what was written all the same."""
        self._stop.set()
        self._done.wait()
        return self._rows

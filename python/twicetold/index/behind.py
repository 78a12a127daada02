"""What goes on while documents come: a thread of its own writes segments, or merges them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from twicetold import _kernel
from twicetold.index.database import SegmentRow

__all__ = ["AT_ONCE", "BEHIND", "Merge", "Task", "Worker"]

T = TypeVar("T")

#: Where many documents come, merges of fewer bytes are part of a commit.
BEHIND = 32 << 20
#: Where they come one by one: so many are merged in some hundredths of a second.
AT_ONCE = 1 << 20
#: A merge has a commit's time for each so many bytes. It is named after as many, however long it
#: took, so that the same documents make the same segments.
_A_COMMIT = 64 << 20
#: A merge takes a byte of memory for so many that are merged, most of it for a moment.
_A_BYTE = 16


class Worker:
    """A thread that does one thing after the other, and does not outlive the process."""

    def __init__(self, name: str) -> None:
        self._waiting: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def _run(self) -> None:
        while (work := self._waiting.get()) is not None:
            work()
            del work

    def do(self, work: Callable[[], None]) -> None:
        """Do this when all before it is done."""
        self._waiting.put(work)

    def end(self) -> None:
        """Do nothing more."""
        self._waiting.put(None)


class Task(Generic[T]):
    """Something that a worker does meanwhile; without one it is done at once."""

    def __init__(self, work: Callable[[], T], worker: Worker | None) -> None:
        self._work: Callable[[], T] | None = work
        self._done = threading.Event()
        self._found: list[T] = []
        self._error: BaseException | None = None
        if worker is None:
            self._run()
        else:
            worker.do(self._run)

    def _run(self) -> None:
        work, self._work = self._work, None
        assert work is not None
        try:
            self._found.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again by who waits
            self._error = error
        finally:
            # Whoever waits has what was worked on for itself.
            del work
            self._done.set()

    @property
    def is_done(self) -> bool:
        """Whether nobody has to wait for it."""
        return self._done.is_set()

    def wait(self) -> list[T]:
        """Wait for it; returns what came of it, if it did not fail."""
        self._done.wait()
        return self._found

    def result(self) -> T:
        """Wait for it, and return what came of it."""
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._found[0]


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
        #: Bytes of memory to leave to it.
        self.memory = size // _A_BYTE
        stop = self._stop = _kernel.Stop()
        self._task = Task(lambda: work(stop), worker)

    @property
    def is_done(self) -> bool:
        """Whether nobody has to wait for it."""
        return self._task.is_done

    def rows(self) -> list[SegmentRow]:
        """Wait for it, and return what was written."""
        return self._task.result()

    def stop(self) -> list[SegmentRow]:
        """Let go of it; returns what was written all the same."""
        self._stop.set()
        return [row for rows in self._task.wait() for row in rows]

"""What is kept of the documents of a commit, written while others are looked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twicetold.index.behind import Task, Worker
from twicetold.index.database import SegmentRow

__all__ = ["Keeping"]


class Keeping:
    """Segments, then all else; what these are made of is free as soon as they are made.

    Without a worker all is done at once.
    """

    segments: Task[list[SegmentRow]]
    rest: Task[None]

    def __init__(
        self,
        make: Callable[[], list[SegmentRow]],
        keep: Callable[[Sequence[SegmentRow]], None],
        worker: Worker | None,
    ) -> None:
        self._make, self._keep, self._worker = make, keep, worker
        self._rows: list[SegmentRow] = []
        self._is_stopped = False

    def begin(self) -> None:
        """Do it; whoever begins calls `end` if anything goes wrong from then on."""
        self.segments = Task(self._make_segments, self._worker)
        self.rest = Task(self._keep_rest, self._worker)
        if self._worker is None:
            self.rest.result()

    def _make_segments(self) -> list[SegmentRow]:
        if not self._is_stopped:
            self._rows += self._make()
        # What they were made of is not held any longer.
        del self._make
        return self._rows

    def _keep_rest(self) -> None:
        rows = self.segments.result()
        if not self._is_stopped:
            self._keep(rows)

    def end(self) -> list[SegmentRow]:
        """Let go of what is not done yet; returns the segments that were made.

        Nobody uses the database afterwards: also whoever interrupts once more waits for that.
        """
        self._is_stopped = True
        while True:
            try:
                # What the worker was given before is behind it then.
                Task(_nothing, self._worker).wait()
            except BaseException:  # noqa: BLE001, S112 - the first one is on its way already
                continue
            return self._rows


def _nothing() -> None:
    """Nothing is left to do."""

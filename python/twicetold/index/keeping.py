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

    def __init__(
        self,
        make: Callable[[], list[SegmentRow]],
        rest: Callable[[Sequence[SegmentRow]], None],
        worker: Worker | None,
    ) -> None:
        self.segments = Task(make, worker)
        self.rest = Task(lambda: rest(self.segments.result()), worker)

    def end(self) -> list[SegmentRow]:
        """Wait for all of it; returns the segments that were made, whatever failed."""
        self.rest.wait()
        return [row for rows in self.segments.wait() for row in rows]

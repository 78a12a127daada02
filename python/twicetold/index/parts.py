"""What of an index is searched at one moment: its segments, and what of them is gone."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from twicetold import _kernel
from twicetold.errors import IndexDamagedError, KernelError
from twicetold.index.database import Database, SegmentRow
from twicetold.index.files import Files, quoted

__all__ = ["EVER", "Parts", "is_named"]

#: Before all times.
EVER = -(2**62)
#: How often a reader tries again that a writer was faster than, and seconds between.
_TRIES, _PAUSE = 50, 0.01


@dataclass(slots=True)
class Parts:
    """One consistent state, as a commit left it."""

    commit: int = -1
    clock: int | None = None
    horizon: int = EVER
    rows: dict[int, SegmentRow] = field(default_factory=dict)
    segments: dict[int, _kernel.Segment] = field(default_factory=dict)
    removed: _kernel.Numbers = field(default_factory=_kernel.Numbers)
    last_note: int = 0
    #: What its segments were made by: settings, and the version of the statistics.
    made_by: tuple[Any, str | None] = (None, None)

    def refresh(self, database: Database, files: Files) -> None:
        """Take over what was committed since; a file that went meanwhile was merged: again."""
        # What another program wrote to is opened again, which tells what is wrong with it.
        whole = {name: one for name, one in self.segments.items() if one.is_unchanged}
        for attempt in range(_TRIES):
            if len(whole) == len(self.segments) and database.get("commit") == self.commit:
                return
            try:
                self._load(database, files, whole)
            except (IndexDamagedError, KernelError):
                if attempt == _TRIES - 1 or database.get("commit") == self._tried:
                    raise
                time.sleep(_PAUSE)
            else:
                return

    _tried: int = -1

    def _load(self, database: Database, files: Files, known: dict[int, _kernel.Segment]) -> None:
        with database.transaction("DEFERRED"):
            commit, clock, horizon = database.state()
            self._tried = commit
            made_by = database.made_by()
            rows = database.segments()
            notes = database.removed_since(self.last_note)
            segments = {
                name: known.get(name) or _open(database, files, row) for name, row in rows.items()
            }
        for n, number, _ in notes:
            self.removed.add(number)
            self.last_note = n
        self.commit, self.clock, self.rows, self.segments = commit, clock, rows, segments
        self.horizon = EVER if horizon is None else horizon
        self.made_by = made_by

    def live(self) -> _kernel.Bundle:
        """Return all documents that are there."""
        segments = list(self.segments.values())
        return _kernel.load_documents(segments, self.removed, self.horizon)


def _open(database: Database, files: Files, row: SegmentRow) -> _kernel.Segment:
    content = database.content(row.name)
    if content is not None:
        name = f"{database.path}, segment {row.name}"
        segment = _kernel.Segment.of(name, content)
    else:
        name = str(files.segment(row.name))
        try:
            segment = _kernel.Segment.open(name)
        except (KernelError, IndexDamagedError) as error:
            what = str(error).partition("; `twicetold")[0]
            msg = f"{what}; run `twicetold index check --repair {quoted(files.path)}`"
            raise IndexDamagedError(msg) from error
    if not is_named(segment, row):
        msg = (
            f"{name}: is not the segment that was named; "
            f"run `twicetold index check --repair {quoted(files.path)}`"
        )
        raise IndexDamagedError(msg)
    return segment


def is_named(segment: _kernel.Segment, row: SegmentRow) -> bool:
    """Tell whether a segment is as large, and as late, as the manifest says."""
    known = (segment.n_documents, segment.n_bytes, segment.times[1])
    return known == (row.documents, row.size, row.latest)

"""When documents count as told: the clock and the horizon of an index."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from twicetold.batches import time_of
from twicetold.index.parts import Parts
from twicetold.records import Document

__all__ = ["Arrival", "arrivals", "wall_clock"]

#: So far ahead of our clock a date may be by its time zone, in microseconds.
_A_DAY = 24 * 60 * 60 * 1_000_000


class Arrival(NamedTuple):
    """A document that comes, when it counts as told, and how far back the index goes then."""

    document: Document
    time: int
    horizon: int


def wall_clock() -> int:
    """Return the time now, in microseconds."""
    return time.time_ns() // 1000


def arrivals(
    documents: Sequence[Document], parts: Parts, window: int | None
) -> tuple[list[Arrival], int | None]:
    """Return when each document counts as told, and the clock after all of them.

    The clock is the latest time of publication so far, never ahead of ours; None: nothing dated
    came yet. A date of a day to come is wrong and does not move it: one such date must not make
    everything expire. An undated document counts as told now, and does not move it either: which
    ones are kept then depends on no order in which they come.
    """
    now = wall_clock()
    clock, horizon = parts.clock, parts.horizon
    found = []
    for document in documents:
        published = time_of(document)
        if published is not None and published <= now + _A_DAY:
            clock = min(published, now) if clock is None else max(clock, min(published, now))
            if window is not None:
                horizon = max(horizon, clock - window)
        # Our clock may have been set back: what comes now is not too late all the same.
        told = max(now, horizon) if published is None else published
        found.append(Arrival(document, told, horizon))
    return found, clock

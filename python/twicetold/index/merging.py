"""Which segments are merged: those of about the same size in the same bucket of time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from twicetold.index.database import SegmentRow

__all__ = ["FILE", "LARGEST", "to_merge"]

#: From so many bytes on a segment is a file of its own; a smaller one is a row of the database.
FILE = 1 << 20
#: Segments do not become larger by merging, which takes memory for each of their sentences.
LARGEST = 2 << 30
#: So many of a tier become one of the next.
_FACTOR = 4
#: Where many documents come, what would be so large is merged two tiers at a time, up to this part
#: of the largest: each byte is written half as often, and more segments are searched until then.
_IN_BULK, _PART = 32 << 20, 4


def _tier(row: SegmentRow) -> int:
    # Each tier is four times as large as the one before.
    return row.size.bit_length() // 2


def to_merge(rows: Iterable[SegmentRow], *, in_bulk: bool = False) -> list[int]:
    """Return the names of segments that are to become one; none if all is well."""
    tiers: dict[tuple[int, int], list[SegmentRow]] = defaultdict(list)
    for row in rows:
        tiers[row.bucket, _tier(row)].append(row)
    for tier in sorted(tiers):
        found = tiers[tier]
        size = sum(row.size for row in found)
        may_wait = in_bulk and _IN_BULK <= size < LARGEST // _PART
        least = _FACTOR**2 if may_wait else _FACTOR
        if len(found) >= least and size <= LARGEST:
            return [row.name for row in found]
    return []

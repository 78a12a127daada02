"""Deduplication: keep what adds something, and a ledger of what was removed.

::

    sources ─► rows set aside ─► scan ─► who holds whom ─► survivors ─► output, ledger
    other collection (only witnesses) ─┘
"""

from __future__ import annotations

from .outcome import Deduplicated
from .records import DIRECTIONS, KEEPS, Cut, Direction, Dropped, Keep, Removal, Shortened, Skipped
from .running import dedupe
from .sampling import write_sample
from .saving import check_ledger, restore, save

__all__ = [
    "DIRECTIONS",
    "KEEPS",
    "Cut",
    "Deduplicated",
    "Direction",
    "Dropped",
    "Keep",
    "Removal",
    "Shortened",
    "Skipped",
    "check_ledger",
    "dedupe",
    "restore",
    "save",
    "write_sample",
]

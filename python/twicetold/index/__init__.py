"""Documents kept on disk, compared with each one that comes: an index with a window of time.

SQLite holds the truth: documents, manifest, pinned statistics, the commit. Segments hold what the
kernel searches; they are derived, and can be made again from the documents.
"""

from twicetold.errors import (
    IndexDamagedError,
    IndexLockedError,
    IndexMismatchError,
    IndexWriteError,
)
from twicetold.index.checking import Finding, salvage
from twicetold.index.index import Index
from twicetold.index.records import Added, IndexInfo, OnDuplicate
from twicetold.index.served import SERVED
from twicetold.index.streaming import IndexStream, open_or_create
from twicetold.index.telling import Telling

__all__ = [
    "SERVED",
    "Added",
    "Finding",
    "Index",
    "IndexDamagedError",
    "IndexInfo",
    "IndexLockedError",
    "IndexMismatchError",
    "IndexStream",
    "IndexWriteError",
    "OnDuplicate",
    "Telling",
    "open_or_create",
    "salvage",
]

"""Readers: files of many formats to documents, lazily, in bounded memory.

::

    sources ─► files ─► bytes, decompressed ─► a reader of READERS ─► documents
    sources.py          compression.py         jsonl, delimited, parquet, webpage, warc, text

A reader yields what is good and reports what is not (`Report`); it never rewrites a text.
"""

from __future__ import annotations

from .fields import Fields
from .following import follow
from .formats import FORMATS, READERS, Format, Reader
from .reading import read, read_batches, read_every
from .report import NOTED, SKIPPED, Report

__all__ = [
    "FORMATS",
    "NOTED",
    "READERS",
    "SKIPPED",
    "Fields",
    "Format",
    "Reader",
    "Report",
    "follow",
    "read",
    "read_batches",
    "read_every",
]

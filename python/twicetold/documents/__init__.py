"""Readers: files of many formats to documents, lazily, in bounded memory.

::

    sources ─► files ─► bytes, decompressed ─► a reader of READERS ─► documents
    sources.py          compression.py         jsonl, delimited, parquet, webpage, warc, text

A reader yields what is good and reports what is not (`Report`); it never rewrites a text.
"""

from __future__ import annotations

from .content import CONTENTS, Content
from .fields import Fields
from .following import follow
from .formats import FORMATS, READERS, Format, Reader
from .given import DocumentsLike, Given, SourcePath, one_document, repeatable
from .reading import Prepare, Sources, read, read_batches, read_every, read_rows
from .report import NOTED, SKIPPED, Report

__all__ = [
    "CONTENTS",
    "FORMATS",
    "NOTED",
    "READERS",
    "SKIPPED",
    "Content",
    "DocumentsLike",
    "Fields",
    "Format",
    "Given",
    "Prepare",
    "Reader",
    "Report",
    "SourcePath",
    "Sources",
    "follow",
    "one_document",
    "read",
    "read_batches",
    "read_every",
    "read_rows",
    "repeatable",
]

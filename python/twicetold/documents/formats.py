"""The table of formats: a new one is a file with a reader and a row here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from typing import NamedTuple, cast, get_args

from twicetold._kernel import DocumentIds
from twicetold.batches import Batch
from twicetold.errors import FormatError
from twicetold.records import Document

from .compression import COMPRESSIONS, Compression, Stream
from .encodings import mark_of
from .input import Among, Format, Input
from .whole import Row

__all__ = ["FORMATS", "READERS", "Format", "Reader", "Suffix", "sniff", "suffix_of"]

FORMATS: tuple[Format, ...] = get_args(Format)


class Reader(NamedTuple):
    """How a format is recognised by name, and the functions that yield its documents.

    Functions are ``module:function`` of this folder, imported when a file of the format comes.
    """

    suffixes: tuple[str, ...]
    function: str
    batch_function: str | None = None
    row_function: str | None = None
    line_function: str | None = None
    some_function: str | None = None
    #: Whether a file is one document.
    is_whole: bool = False

    def read(self, given: Input) -> Iterator[Document]:
        """Yield the documents of a file."""
        return cast("Iterator[Document]", _function(self.function)(given))

    def lines(self, given: Input) -> Iterator[Document]:
        """Yield the documents of a file, whose texts stay in the kernel where that can be."""
        if self.line_function is None or not given.options.by_kernel:
            return self.read(given)
        return cast("Iterator[Document]", _function(self.line_function)(given))

    def some(self, given: Input, among: Among) -> Iterator[Document | None]:
        """Yield some documents of a file; None in place of one that cannot be made.

        The others are not made, where that can be.
        """
        if self.some_function is None:
            return (document for document in self.read(given) if among(1))
        function = _function(self.some_function)
        return cast("Iterator[Document | None]", function(given, among))

    def batches(self, given: Input, ids: DocumentIds) -> Iterator[Batch]:
        """Yield batches of the documents whose ids are new, where ``batch_function`` is given."""
        assert self.batch_function is not None
        return cast("Iterator[Batch]", _function(self.batch_function)(given, ids))

    def rows(self, given: Input) -> Iterator[Row]:
        """Yield the documents of a file with all that the file says of them."""
        if self.row_function is None:
            return (Row(document, None) for document in self.read(given))
        return cast("Iterator[Row]", _function(self.row_function)(given))


def _function(place: str) -> Callable[..., object]:
    module, _, name = place.partition(":")
    return cast("Callable[..., object]", getattr(import_module(f"{__package__}.{module}"), name))


READERS: dict[Format, Reader] = {
    "txt": Reader(("txt", "text"), "text:read_text", is_whole=True),
    "md": Reader(("md", "markdown"), "text:read_text", is_whole=True),
    "html": Reader(("html", "htm", "xhtml"), "webpage:read_html", is_whole=True),
    "jsonl": Reader(
        ("jsonl", "ndjson", "jsonlines"),
        "jsonl:read_jsonl",
        "jsonl:read_jsonl_batches",
        "jsonl:read_jsonl_rows",
        "jsonl:read_jsonl_lines",
        "jsonl:read_jsonl_some",
    ),
    "csv": Reader(("csv", "tsv"), "delimited:read_csv", row_function="delimited:read_csv_rows"),
    "parquet": Reader(
        ("parquet", "pq"), "parquet:read_parquet", row_function="parquet:read_parquet_rows"
    ),
    "warc": Reader(("warc", "wet"), "warc:read_warc"),
}

_BY_SUFFIX: dict[str, Format] = {
    suffix: name for name, reader in READERS.items() for suffix in reader.suffixes
}
_BLANK = 1 << 20  # bytes of white space after which nobody waits for more
_MARKUP = re.compile(r"\s*<[a-zA-Z!?]")


class Suffix(NamedTuple):
    """What the name of a file says: ``a.tsv.gz`` is ``tsv``, so csv, in gzip."""

    name: str
    format: Format | None
    compression: Compression | None


def suffix_of(path: str) -> Suffix:
    """Read the suffixes of a path.

    >>> suffix_of("news/2026.TSV.gz")
    Suffix(name='tsv', format='csv', compression='gzip')
    """
    name = path[max(path.rfind("/"), path.rfind("\\")) + 1 :]
    stem, *suffixes = name.lower().rsplit(".", 2)
    if not stem:  # a hidden file: its first dot starts no suffix
        suffixes = suffixes[1:]
    return _suffix(*suffixes[-2:])


@lru_cache(maxsize=1000)  # a folder of a million files has few suffixes
def _suffix(*suffixes: str) -> Suffix:
    compression = COMPRESSIONS.get(suffixes[-1]) if suffixes else None
    if compression:
        suffixes = suffixes[:-1]
    name = suffixes[-1] if suffixes else ""
    return Suffix(name, _BY_SUFFIX.get(name), compression)


def unknown(path: str, suffix: str) -> FormatError:
    """Make the error for a file whose name tells no format."""
    what = f"the suffix {suffix!r} names no format" if suffix else "the name has no suffix"
    return FormatError(f"{path}: {what}; say --format with one of {', '.join(FORMATS)}")


def sniff(stream: Stream) -> Format:
    """Guess the format of a pipe by its first bytes: what is nothing else is one plain text."""
    head = stream.peek(8)  # no more: a slow pipe may hold back the rest until we answer
    while len(head) < _BLANK and not head.strip():
        more = stream.peek(len(head) + 1)
        if len(more) == len(head):
            break
        head = more
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"WARC/"):
        return "warc"
    encoding, skip = mark_of(head) or ("utf-8", 0)
    start = head[skip : skip + 65_536].decode(encoding, "ignore")
    if start.lstrip().startswith("{"):
        return "jsonl"
    return "html" if _MARKUP.match(start) else "txt"

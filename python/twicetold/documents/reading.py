"""`read`, `read_batches`, `read_every`, `Sources`: from sources to documents, file after file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Protocol, Unpack, cast

from twicetold._kernel import IdSet
from twicetold.batches import BATCH, Batch, Waiting
from twicetold.errors import ParameterError
from twicetold.records import Document

from . import input as limits
from .compression import Stream
from .content import CONTENTS, Content, require_quality
from .encodings import check_encoding
from .fields import Fields
from .formats import FORMATS, READERS, Format, Reader, sniff, suffix_of
from .input import Among, BeforeRead, Input, Options, Reading, quoted
from .report import Report
from .sources import STDIN, Found, find_files, key_of
from .together import Ahead, in_groups
from .whole import Row

__all__ = [
    "Prepare",
    "Sources",
    "make_options",
    "read",
    "read_batches",
    "read_every",
    "read_file",
    "read_rows",
]

_USUAL = Fields()


def read(
    *sources: str | Path,
    fields: Fields = _USUAL,
    format: Format | None = None,  # noqa: A002 - the name of the option
    encoding: str | None = None,
    content: Content = "full",
    strict: bool = False,
    leave_out: Iterable[str | Path] = (),
    report: Report | None = None,
) -> Iterator[Document]:
    """Yield the documents of files, folders, globs and standard input (``-``), one at a time.

    ``format`` and ``encoding`` hold for every file; ``None`` finds them out file by file.
    ``content`` is what is taken of web pages: everything that is seen, or the main content. What
    cannot be read is counted in ``report`` and skipped; ``strict`` raises `DocumentError` instead.
    Nothing is opened before the first document is asked for; then a source that is not there
    raises `SourceError`, and a file named outright with an unknown suffix `FormatError`.

    The same file is read once, however often it is named; of documents with the same id the first
    is kept. A folder gives its files in the order of their names, without hidden ones. An id is
    the path inside the folder; with several sources the folder as it was named comes before it, so
    that ``a/1.txt`` and ``b/1.txt`` stay two documents. Files in ``leave_out``, such as those that
    are being written, are not read wherever they are found.
    """
    options = make_options(
        *sources,
        fields=fields,
        format=format,
        encoding=encoding,
        content=content,
        strict=strict,
        leave_out=leave_out,
        report=report,
    )
    return _read(options, IdSet())


def read_every(
    *sources: str | Path,
    before_read: BeforeRead | None = None,
    as_lines: bool = False,
    **reading: Unpack[Reading],
) -> Iterator[Document]:
    """Yield the documents that `read` yields, and those whose id came before too.

    With ``as_lines`` those of JSON Lines are read by the kernel, on all cores, where their texts
    stay until somebody asks for them.

    ``before_read`` is called before each block of a file or pipe is read, which may have to be
    waited for: all that came before it has been handed over then.
    """
    options = make_options(*sources, **reading)
    options = options._replace(before_read=before_read, as_lines=as_lines)
    return _read(options, None)


class Sources:
    """The documents that `read_every` yields, which can be had more than once if they are files."""

    def __init__(
        self, *sources: str | Path, as_lines: bool = False, **reading: Unpack[Reading]
    ) -> None:
        options = make_options(*sources, **reading)
        self._options = options._replace(as_lines=as_lines)

    def __iter__(self) -> Iterator[Document]:
        return _read(self._options, None)

    @property
    def are_files(self) -> bool:
        """Whether all can be read again: a pipe gives what it has once."""
        options = self._options
        found = find_files(options.sources, format=options.format)
        return not any(one.is_pipe for one in found)

    @property
    def part_read(self) -> float:
        """About what part of all files was read, as far as they were."""
        report = self._options.report
        return min(1.0, report.bytes_read / report.bytes_total) if report.bytes_total else 1.0

    def some(self, among: Among) -> Iterator[Document | None]:
        """Yield some of the documents of files; None in place of one that cannot be made.

        The others are not made. Nothing is told of what is wrong with some.
        """
        options = self._options._replace(report=Report(), strict=False)
        for found in _files(options):
            if found.format is not None and READERS[found.format].is_whole:
                if among(1):
                    yield next(read_file(found, options), None)
                continue
            with _opened(found, options) as given:
                if given is not None:
                    yield from _reader_of(found, given).some(given, among)


def read_batches(
    *sources: str | Path,
    prepare: Prepare | None = None,
    **reading: Unpack[Reading],
) -> Iterator[Batch]:
    """Yield the documents that `read` yields, in batches as an engine takes them.

    ``prepare`` sees each document that is no row of a file, and may change it or hold it back.
    """
    options = make_options(*sources, **reading)
    return _read_batches(options, prepare)


class Prepare(Protocol):
    """Makes documents ready for analysis; some have to wait until all are known."""

    def take(self, document: Document) -> Document | None:
        """Return the document as it is to be analysed, or None if it has to wait."""

    def rest(self) -> Iterator[Document]:
        """Yield the documents that waited."""


def read_rows(*sources: str | Path, **reading: Unpack[Reading]) -> Iterator[Row]:
    """Yield the documents that `read` yields, each with all the fields of its row.

    Rows that cannot be used come without a document, as far as they can be told apart.
    """
    options = make_options(*sources, **reading)
    return _read_rows(options)


def make_options(
    *sources: str | Path,
    fields: Fields = _USUAL,
    format: Format | None = None,  # noqa: A002 - the name of the option
    encoding: str | None = None,
    content: Content = "full",
    strict: bool = False,
    leave_out: Iterable[str | Path] = (),
    report: Report | None = None,
) -> Options:
    """Check what the caller asked for."""
    if not sources:
        msg = "no source was given; name a file, a folder, a glob, or - for standard input"
        raise ParameterError(msg)
    if format is not None and format not in FORMATS:
        msg = f"format must be one of {', '.join(FORMATS)}, got {format!r}"
        raise ParameterError(msg)
    if content not in CONTENTS:
        msg = f"content must be one of {', '.join(CONTENTS)}, got {content!r}"
        raise ParameterError(msg)
    if content == "main-quality":
        require_quality()
    return Options(
        sources=[str(source) for source in sources],
        fields=fields,
        format=format,
        encoding=None if encoding is None else check_encoding(encoding),
        strict=strict,
        report=Report() if report is None else report,
        limit=limits.LIMIT,
        left_out=frozenset(key_of(str(path)) for path in leave_out),
        content=content,
    )


def _read(options: Options, ids: IdSet | None) -> Iterator[Document]:
    for found in _files_and_pages(options):
        if isinstance(found, Found):
            yield from read_file(found, options, ids)
        else:
            yield from _page_documents(found, ids)


def read_file(found: Found, options: Options, ids: IdSet | None = None) -> Iterator[Document]:
    """Yield the documents of a file; with ``ids``, those whose id is new."""
    with _opened(found, options) as given:
        if given is not None:
            yield from _documents(given, _reader_of(found, given), ids)


def _read_rows(options: Options) -> Iterator[Row]:
    ids = IdSet()
    for found in _files(options):
        with _opened(found, options) as given:
            if given is None:
                continue
            for row in _reader_of(found, given).rows(given):
                if row.document is None or _is_new(given, row.document, ids):
                    yield row
                else:
                    yield Row(None, row.content, "duplicate id")


def _read_batches(options: Options, prepare: Prepare | None) -> Iterator[Batch]:
    ids = IdSet()
    waiting = Waiting()  # documents of small files

    def wait(documents: Iterable[Document]) -> Iterator[Batch]:
        for document in documents:
            ready = document if prepare is None else prepare.take(document)
            if ready is not None:
                yield from waiting.add(ready)

    for found in _files_and_pages(options):
        if not isinstance(found, Found):
            yield from wait(_page_documents(found, ids))
            continue
        with _opened(found, options) as given:
            if given is None:
                continue
            reader = _reader_of(found, given)
            if reader.batch_function and options.fields.are_plain() and options.limit >= BATCH:
                yield from waiting.rest()
                for batch in reader.batches(given, ids):
                    options.report.documents += len(batch)
                    yield batch
                continue
            yield from wait(_documents(given, reader, ids))
    for document in prepare.rest() if prepare is not None else ():
        yield from waiting.add(document)
    yield from waiting.rest()


def _files_and_pages(options: Options) -> Iterator[Found | list[Ahead]]:
    """Yield each file once: web pages in groups that were read together, others as they are."""
    if options.before_read is not None:  # all before a file must be handed over when it is read
        return _files(options)
    return in_groups(_files(options), options, _opened)


def _page_documents(pages: Iterable[Ahead], ids: IdSet | None) -> Iterator[Document]:
    """Yield the documents of pages whose id is new."""
    for page in pages:
        for document in page.documents():
            if page.given is not None and _is_new(page.given, document, ids):
                yield document


def _files(options: Options) -> Iterator[Found]:
    """Yield each file once."""
    _survey(options, IdSet())
    files = IdSet()
    for found in find_files(options.sources, format=options.format, again=True):
        if not files.add(found.key) or found.key in options.left_out:
            continue
        if found.format or found.is_pipe or found.trouble is not None:
            yield found


def _survey(options: Options, files: IdSet) -> None:
    """Add up the sizes, and find out at once whether a source is missing."""
    report = options.report
    total: int | None = report.bytes_total or 0
    for found in find_files(options.sources, format=options.format):
        if not files.add(found.key):
            report.others["repeated file"] += 1
        elif found.key in options.left_out:
            report.others["output"] += 1
        elif found.is_pipe:
            total = None
        elif found.format is None and found.trouble is None:
            report.others["other file"] += 1
        elif total is not None:
            total += found.size
    report.bytes_total = total


@contextmanager
def _opened(found: Found, options: Options) -> Iterator[Input | None]:
    """Open a file, and account for what was read of it; None if it cannot be opened."""
    report = options.report
    if found.trouble is not None:
        options.problem(found.name, None, "unreadable file", found.trouble)
        yield None
        return
    try:
        opened = _open(found)
    except OSError as error:
        report.bytes_read += found.size
        options.problem(found.name, None, "unreadable file", error.strerror or str(error))
        yield None
        return
    with opened as raw:
        suffix = suffix_of(found.path)
        given = Input(
            name=found.name,
            label=found.label,
            suffix=suffix.name,
            stream=Stream(_reader(raw, options), named=suffix.compression, count=_counter(report)),
            options=options,
            raw=None if found.is_pipe else raw,
        )
        yield given
        given.stream.count(max(0, found.size - given.stream.taken))  # what was passed over
        if given.stream.damage is not None:
            given.problem(*given.stream.damage)


def _reader_of(found: Found, given: Input) -> Reader:
    return READERS[found.format or sniff(given.stream)]


def _documents(given: Input, reader: Reader, ids: IdSet | None) -> Iterator[Document]:
    """Yield the documents of a file whose id is new; without ``ids``, all of them."""
    found = reader.lines(given) if given.options.as_lines else reader.read(given)
    return (document for document in found if _is_new(given, document, ids))


def _is_new(given: Input, document: Document, ids: IdSet | None) -> bool:
    """Count a document whose id is new, and report another one."""
    if ids is None or ids.add(document.id):
        given.options.report.documents += 1
        return True
    given.problem("duplicate id", f"an earlier document has the id {quoted(document.id)}")
    return False


def _open(found: Found) -> AbstractContextManager[IO[bytes]]:
    if found.path != STDIN:
        return Path(found.path).open("rb", buffering=0)
    if sys.stdin is None:
        raise OSError(0, "there is no standard input")
    return nullcontext(sys.stdin.buffer)


def _reader(raw: IO[bytes], options: Options) -> Callable[[int], bytes]:
    """Return a function that gives what is there: a slow pipe must not wait for a full block."""
    read_some = cast("Callable[[int], bytes]", getattr(raw, "read1", raw.read))
    before = options.before_read
    if before is None:
        return read_some

    def read_after(size: int) -> bytes:
        before(raw)
        return read_some(size)

    return read_after


def _counter(report: Report) -> Callable[[int], None]:
    def count(size: int) -> None:
        report.bytes_read += size

    return count

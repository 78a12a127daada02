"""`read`, `read_batches`, `read_every`, `Sources`: from sources to documents, file after file."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Protocol, Unpack, cast

from twicetold._kernel import DocumentIds, IdSet
from twicetold.batches import BATCH, Batch, Line, Waiting
from twicetold.errors import ParameterError
from twicetold.records import Document

from . import input as limits
from .account import Account
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

    The same file is read once, however often it is named; of documents of a file with the same id
    the first is kept. An id that an earlier file has, too, gets the name of its file before it:
    ``b.jsonl#7``. If there are no documents, or more records without a text than with one, this
    ends with `FormatError`.

    A folder gives its files in the order of their names, without hidden ones. An id is
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
    return _read(options)


def read_every(
    *sources: str | Path,
    before_read: BeforeRead | None = None,
    as_lines: bool = False,
    distinct_files: bool = True,
    **reading: Unpack[Reading],
) -> Iterator[Document]:
    """Yield the documents that `read` yields, and those whose id came before in their file too.

    Without ``distinct_files`` those of all files keep their ids.

    With ``as_lines`` those of JSON Lines are read by the kernel, on all cores, where their texts
    stay until somebody asks for them.

    ``before_read`` is called before each block of a file or pipe is read, which may have to be
    waited for: all that came before it has been handed over then.
    """
    options = make_options(*sources, **reading)
    options = options._replace(before_read=before_read, as_lines=as_lines)
    return _read(options, keep=True, rename=distinct_files)


class Sources:
    """The documents that `read_every` yields, which can be had more than once if they are files."""

    def __init__(
        self,
        *sources: str | Path,
        as_lines: bool = False,
        distinct_files: bool = True,
        **reading: Unpack[Reading],
    ) -> None:
        options = make_options(*sources, **reading)
        self._options = options._replace(as_lines=as_lines)
        self._distinct_files = distinct_files

    def __iter__(self) -> Iterator[Document]:
        return _read(self._options, keep=True, rename=self._distinct_files)

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

    ``prepare`` sees each document that is no row of a file, and may change it or hold it back; it
    sees rows in batches.
    """
    options = make_options(*sources, **reading)
    return _read_batches(options, _Unprepared() if prepare is None else prepare)


class Prepare(Protocol):
    """Makes documents ready for analysis; some have to wait until all are known."""

    def take(self, document: Document) -> Document | None:
        """Return the document as it is to be analysed, or None if it has to wait."""

    def take_batch(self, batch: Batch) -> None:
        """Take note of rows of a file, which are analysed as they are."""

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


def _read(options: Options, *, keep: bool = False, rename: bool = True) -> Iterator[Document]:
    """Yield documents; with ``keep`` those whose id came before, too."""
    options, account = _accounted(options, keep=keep, rename=rename)
    for found in _files_and_pages(options):
        if isinstance(found, Found):
            yield from read_file(found, options)
        else:
            yield from _page_documents(found)
    account.end(may_be_empty=_may_be_empty(options))


def _accounted(
    options: Options, *, keep: bool = False, rename: bool = True
) -> tuple[Options, Account]:
    """Return the options of one call, which keeps an account."""
    has_format = options.format is not None
    # Of a single file, ids need not be remembered if those that are repeated are kept.
    ids = DocumentIds() if not keep or (rename and _are_several(options)) else None
    account = Account(options.sources, options.fields, has_format=has_format, ids=ids)
    return options._replace(account=account, keeps_repeated=keep), account


def _are_several(options: Options) -> bool:
    """Tell whether there may be several files."""
    first, *others = options.sources
    return bool(others) or not (first == STDIN or Path(first).is_file())


def _may_be_empty(options: Options) -> bool:
    """Tell whether nothing at all is no error: who waits for a pipe takes what comes."""
    found = find_files(options.sources, format=options.format, again=True)
    return options.before_read is not None and any(one.is_pipe for one in found)


def read_file(found: Found, options: Options) -> Iterator[Document]:
    """Yield the documents of a file; where an account is kept, with the ids it gives."""
    with _opened(found, options) as given:
        if given is not None:
            yield from _documents(given, _reader_of(found, given))


def _read_rows(options: Options) -> Iterator[Row]:
    options, account = _accounted(options)
    for found in _files(options):
        with _opened(found, options) as given:
            if given is None:
                continue
            for row in _reader_of(found, given).rows(given):
                if row.document is None:
                    yield row
                elif document := _named(given, row.document):
                    yield Row(document, row.content)
                else:
                    yield Row(None, row.content, "duplicate id")
    account.end()


class _Unprepared:
    """Documents that are analysed as they are."""

    def take(self, document: Document) -> Document:
        return document

    def take_batch(self, batch: Batch) -> None:
        pass

    def rest(self) -> Iterator[Document]:
        return iter(())


def _read_batches(options: Options, prepare: Prepare) -> Iterator[Batch]:
    options, account = _accounted(options)
    assert account.ids is not None
    waiting = Waiting()  # documents of small files

    def wait(documents: Iterable[Document]) -> Iterator[Batch]:
        for document in documents:
            ready = prepare.take(document)
            if ready is not None:
                yield from waiting.add(ready)

    for found in _files_and_pages(options):
        if not isinstance(found, Found):
            yield from wait(_page_documents(found))
            continue
        with _opened(found, options) as given:
            if given is None:
                continue
            reader = _reader_of(found, given)
            if reader.batch_function and options.fields.are_plain() and options.limit >= BATCH:
                yield from waiting.rest()
                for batch in reader.batches(given, account.ids):
                    options.report.documents += len(batch)
                    account.count(len(batch))
                    prepare.take_batch(batch)
                    yield batch
                continue
            yield from wait(_documents(given, reader))
    account.end()
    for document in prepare.rest():
        yield from waiting.add(document)
    yield from waiting.rest()


def _files_and_pages(options: Options) -> Iterator[Found | list[Ahead]]:
    """Yield each file once: web pages in groups that were read together, others as they are."""
    if options.before_read is not None:  # all before a file must be handed over when it is read
        return _files(options)
    return in_groups(_files(options), options, _opened)


def _page_documents(pages: Iterable[Ahead]) -> Iterator[Document]:
    """Yield the documents of pages, with the ids they are given."""
    for page in pages:
        account = page.options.account
        if page.given is not None and account is not None:
            account.open(page.given.name, page.given.label)
        for document in page.documents():
            if page.given is not None and (named := _named(page.given, document)):
                yield named


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
        # Pages that are read ahead have their turn later.
        account = options.account if options.held is None else None
        if account is not None:
            account.open(found.name, found.label)
        yield given
        given.stream.count(max(0, found.size - given.stream.taken))  # what was passed over
        if given.stream.damage is not None:
            given.problem(*given.stream.damage)
        if account is not None:
            account.close(is_source=found.path in options.sources)


def _reader_of(found: Found, given: Input) -> Reader:
    return READERS[found.format or sniff(given.stream)]


def _documents(given: Input, reader: Reader) -> Iterator[Document]:
    """Yield the documents of a file with the ids they are given."""
    found = reader.lines(given) if given.options.as_lines else reader.read(given)
    return (named for document in found if (named := _named(given, document)) is not None)


def _named(given: Input, document: Document) -> Document | None:
    """Count a document, and give it its id; report one whose id came before, and return None."""
    options = given.options
    account = options.account
    if account is not None:
        account.count()
        # Lines have theirs already.
        if account.ids is not None and type(document) is not Line:
            name = account.ids.give(document.id, keep=options.keeps_repeated)
            if name is None:
                detail = f"an earlier document has the id {quoted(document.id)}"
                given.problem("duplicate id", detail)
                return None
            if name != document.id:
                given.named(given.line, document.id, name)
                document = dataclasses.replace(document, id=name)
    options.report.documents += 1
    return document


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

"""`save` and `restore`: what is kept and its ledger as files, and the way back."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from twicetold.deduplicating.ledger import Entry, Head, ledger_lines, opened, read_ledger
from twicetold.deduplicating.outcome import Deduplicated
from twicetold.deduplicating.writing import columns_of, schema_of, write_rows
from twicetold.documents.whole import Content, arrow_rows
from twicetold.errors import FormatError, ParameterError
from twicetold.pipeline import Progress, ignore
from twicetold.reports.files import check_outputs, compressed, kind_of, replacing

__all__ = ["check_ledger", "restore", "save"]

_STEP = 1000


def save(
    found: Deduplicated,
    output: str | Path | None,
    ledger: str | Path | None = None,
    *,
    progress: Callable[[Progress], None] = ignore,
) -> None:
    """Write what is kept, and a ledger from which the sources can be restored.

    Both appear when both are complete. The output is .jsonl, .csv or .parquet, the ledger .jsonl;
    all but Parquet may be followed by .gz or .zst. What is None is not written.
    """
    format = "jsonl" if output is None else kind_of(output).format  # noqa: A001
    check_outputs([output, ledger])
    shape = _shape(found, format)
    # The ledger takes its name first: an output is never there without it.
    with ExitStack() as stack:
        file = None if output is None else stack.enter_context(_replaced(output))
        if ledger is not None:
            check_ledger(ledger)
            lines = stack.enter_context(_replaced(ledger))
            for line in ledger_lines(found, format):
                lines.write(line)
        if file is not None:
            write_rows(_told(found, progress), file, format, shape)


def check_ledger(path: str | Path, /) -> None:
    """Raise `ParameterError` unless a ledger can have that name."""
    if kind_of(path).format != "jsonl":
        msg = f"{path}: a ledger is a file of JSON Lines; name it .jsonl, .jsonl.gz or .jsonl.zst"
        raise ParameterError(msg)


def _shape(found: Deduplicated, format: str) -> Any:  # noqa: A002
    """Return the columns of all rows, also of those that go: a restored file has the same."""
    every = (kept.content for kept, _ in found.walk() if kept.content is not None)
    if format == "jsonl":
        return None
    return columns_of(every) if format == "csv" else schema_of(every)


def _told(found: Deduplicated, progress: Callable[[Progress], None]) -> Iterator[Content]:
    total = found.counts["kept"]
    for n, content in enumerate(found.contents()):
        if n % _STEP == 0:
            progress(Progress("write", n, total, "documents"))
        yield content
    progress(Progress("write", total, total, "documents"))


def restore(
    output: str | Path,
    ledger: str | Path,
    restored: str | Path,
    *,
    progress: Callable[[Progress], None] = ignore,
) -> int:
    """Write the rows of the sources again, in their order and with all fields; say how many.

    ``output`` is what `save` wrote and nobody has changed since; ``restored`` has its format.
    """
    kind, wanted = kind_of(output), kind_of(restored)
    if kind.format != wanted.format:
        msg = f"{restored}: must be .{kind.format} as {output} is; what is restored keeps its form"
        raise ParameterError(msg)
    check_outputs([restored], inputs=[output, ledger])
    with read_ledger(ledger) as (head, entries), _rows(output, kind.format) as (rows, shape):
        if head.format != kind.format:
            msg = f"{ledger}: belongs to a .{head.format}, but {output} is .{kind.format}"
            raise FormatError(msg)
        with _replaced(restored) as file:
            contents = _merged(head, entries, rows, f"{output}: is not what {ledger} belongs to")
            write_rows(_counted(contents, head.rows, progress), file, kind.format, shape)
    return head.rows


def _counted(
    contents: Iterator[Content], total: int, progress: Callable[[Progress], None]
) -> Iterator[Content]:
    for n, content in enumerate(contents):
        if n % _STEP == 0:
            progress(Progress("restore", n, total, "rows"))
        yield content


def _merged(
    head: Head, entries: Iterator[Entry], rows: Iterator[Content], wrong: str
) -> Iterator[Content]:
    """Yield all rows in their places."""
    removed = next(entries, None)
    seen = 0
    for at in range(head.rows):
        is_removed = removed is not None and removed.at == at
        if removed is None or not is_removed or removed.is_kept:
            row = next(rows, None)
            seen += row is not None
            if row is None:
                msg = f"{wrong}: it has {seen:,} rows, {head.kept:,} are wanted"
                raise FormatError(msg)
            if not is_removed:
                yield row
        if removed is not None and is_removed:
            if removed.content is not None:
                yield removed.content
            removed = next(entries, None)
    if next(rows, None) is not None:
        msg = f"{wrong}: it has more than the {head.kept:,} rows that are wanted"
        raise FormatError(msg)


@contextmanager
def _rows(path: str | Path, format: str) -> Iterator[tuple[Iterator[Content], Any]]:  # noqa: A002
    """Open an output: its rows as they stand, and its columns."""
    if format == "parquet":
        import pyarrow as pa
        from pyarrow import parquet

        with Path(path).open("rb") as raw:
            try:
                table = parquet.ParquetFile(raw, buffer_size=1 << 20, pre_buffer=False)
            except pa.ArrowException as error:
                msg = f"{path}: is not a Parquet file"
                raise FormatError(msg) from error
            batches = table.iter_batches(_STEP, use_threads=False)
            yield (row for batch in batches for row in arrow_rows(batch)), table.schema_arrow
        return
    with opened(path) as file:
        if format == "jsonl":
            yield (line.removesuffix(b"\n") for line in file), None
            return
        csv.field_size_limit(max(csv.field_size_limit(), 1 << 27))
        lines = csv.DictReader(io.TextIOWrapper(file, "utf-8", newline=""))
        yield (dict(row) for row in lines), list(lines.fieldnames or ())


@contextmanager
def _replaced(path: str | Path) -> Iterator[IO[bytes]]:
    with replacing(path) as file, compressed(file, kind_of(path).compression) as inner:
        yield inner

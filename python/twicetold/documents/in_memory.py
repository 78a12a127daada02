"""Records and tables that a caller has in memory, as rows with their documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from twicetold.errors import DocumentError, ParameterError
from twicetold.records import Document

from . import input as limits
from .compression import Stream
from .fields import Fields
from .input import Input, Options, quoted
from .parquet import values
from .report import Report
from .rows import Rows
from .whole import ArrowRow, Row, arrow_rows

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Records", "one_record", "table_of"]

#: What problems call the place where records are.
_NAME = "records"
#: Rows of a table that become Python values at a time.
_STEP = 1000


class Records:
    """Makes documents of records: a record without an id is called by its number, from 0."""

    def __init__(self, fields: Fields, report: Report, *, strict: bool) -> None:
        options = Options(
            sources=[],
            fields=fields,
            format=None,
            encoding=None,
            strict=strict,
            report=report,
            limit=limits.LIMIT,
        )
        nowhere = cast("Stream", None)  # no file, nothing to read
        self._input = Input(
            name=_NAME, label=_NAME, suffix="", stream=nowhere, options=options, raw=None
        )
        self._make = _Numbered(self._input)
        self.read = 0
        self.lacking = 0
        self._why = ""

    def row(self, record: Mapping[str, Any], number: int) -> Row:
        """Return a record with the document it makes."""
        known = {name: _known(value) for name, value in record.items()}
        return self._row(known, dict(record), number)

    def table(self, reader: pa.RecordBatchReader, first: int, *, whole: bool) -> Iterator[Row]:
        """Yield the rows of a table; with ``whole``, with all their columns."""
        names = tuple(map(str, reader.schema.names))
        plan = self._make.plan(names)
        if not plan.text:
            raise ParameterError(self._make.lack(names))
        wanted = sorted(map(names.index, plan.columns()))
        number = first
        for batch in _batches(reader):
            columns = [values(batch.column(n)) for n in wanted]
            contents: list[ArrowRow | None] = [None] * batch.num_rows
            if whole:
                contents = list(arrow_rows(batch))
            for cells, content in zip(zip(*columns, strict=True), contents, strict=True):
                record = {names[n]: value for n, value in zip(wanted, cells, strict=True)}
                yield self._row(record, content, number)
                number += 1

    def _row(self, record: dict[str, Any], content: Any, number: int) -> Row:
        self.read += 1
        self._input.reason = None
        document = self._make.document(record, number + 1)
        if document is not None:
            self._input.options.report.documents += 1
            return Row(document, content)
        if self._input.reason in ("missing text", "bad text"):
            self.lacking += 1
            self._why = self._why or self._make.lack(tuple(record))
        return Row(None, content, self._input.reason)

    def check(self) -> None:
        """Refuse records most of which have no text: another field is meant."""
        if 2 * self.lacking > self.read:
            msg = f"{self.lacking:,} of {self.read:,} records have no text: {self._why}"
            raise ParameterError(msg)


class _Numbered(Rows):
    """Rows of which those without an id are called by their number."""

    def _id(self, value: Any, line: int) -> str:
        return str(line - 1) if value is None else super()._id(value, line)

    def missing(self, keys: tuple[str, ...], n: int = 1) -> None:  # noqa: ARG002 - of one row
        self._input.problem("missing text", self.lack(keys))

    def lack(self, keys: tuple[str, ...]) -> str:
        """Return what is said of records with these keys that have no text."""
        names = ", ".join(quoted(key, 40) for key in keys[:12]) + ", ..." * (len(keys) > 12)  # noqa: PLR2004
        wanted = self._fields.text
        what = f"no field {quoted(wanted)}" if wanted else "no field for the text"
        return f"{what} among {names or 'none at all'}; name it with fields=Fields(text=...)"


def _known(value: Any) -> Any:
    """Return a value, or None if it is not a number: so a missing cell is told in many tables."""
    return None if isinstance(value, float) and value != value else value  # noqa: PLR0124


def _batches(reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    for batch in reader:
        for start in range(0, batch.num_rows, _STEP):
            yield batch.slice(start, _STEP)


def table_of(given: Any) -> Any:
    """Return a reader of what is a table by the protocol of Arrow; None: it is none."""
    if not hasattr(given, "__arrow_c_stream__") and not hasattr(given, "__dataframe__"):
        return None
    import pyarrow as pa

    try:
        if hasattr(given, "__arrow_c_stream__"):
            return pa.RecordBatchReader.from_stream(given)
        from pyarrow.interchange import from_dataframe

        return from_dataframe(given).to_reader()
    except (pa.ArrowException, TypeError, ValueError):
        return None  # a single column


def one_record(given: Mapping[str, Any]) -> Document:
    """Return the document of a record with an id and a text."""
    if not Fields().plan(tuple(given)).id:
        names = ", ".join(quoted(key, 40) for key in given)
        msg = f"a record needs an id and a text, got one with {names or 'nothing'}"
        raise ParameterError(msg)
    try:
        row = Records(Fields(), Report(), strict=True).row(given, 0)
    except DocumentError as error:
        raise ParameterError(str(error).removeprefix(f"{_NAME}:1: ")) from error
    assert row.document is not None, "strict raises otherwise"
    return row.document

"""What a detector found: the scores of pairs, from a scan or from a file of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from twicetold.documents.compression import COMPRESSIONS, Stream
from twicetold.errors import FormatError, ParameterError, SourceError
from twicetold.records import RELATIONS
from twicetold.reports.files import kind_of
from twicetold.spreadsheets import from_cell

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "MEASURES",
    "Found",
    "Measure",
    "check_measure",
    "found_pairs",
    "larger_score",
    "read_found",
]

Measure = Literal["containment", "resemblance", "odds"]
MEASURES: tuple[Measure, ...] = get_args(Measure)

_SIDES = ("left", "right")
_NUMBERS = ("left_in_right", "right_in_left", "resemblance", "odds")
_COLUMNS = (*_SIDES, *_NUMBERS, "relation")
#: What some decisions tell beside: how likely a pair is related, by direction, and text was taken.
_PROBABILITIES = ("probability", "left_in_right_probability", "right_in_left_probability", "taken")
_TEXTS = (*_SIDES, "relation")
_N_FOUND = len(_COLUMNS) - len(_SIDES)
#: Relations in which left is in right, and those in which right is in left.
_THERE = frozenset({"identical", "near-duplicate", "contained"})
_BACK = frozenset({"identical", "near-duplicate", "contains"})


class Found(NamedTuple):
    """A pair with its scores, seen from one of its documents."""

    left_in_right: float
    right_in_left: float
    resemblance: float
    odds: float
    relation: str
    #: None where the method tells no probabilities.
    probability: float | None = None
    left_in_right_probability: float | None = None
    right_in_left_probability: float | None = None
    taken: float | None = None

    def reversed(self) -> Found:
        """Return the pair as seen from its other document."""
        turned = {"contained": "contains", "contains": "contained"}.get(self.relation)
        return self._replace(
            left_in_right=self.right_in_left,
            right_in_left=self.left_in_right,
            left_in_right_probability=self.right_in_left_probability,
            right_in_left_probability=self.left_in_right_probability,
            relation=turned or self.relation,
        )

    def score(self, measure: Measure, *, directed: bool) -> float:
        """Return what is compared with a threshold.

        Containment is how likely left is told in right, where a decision tells it, else how much of
        left is in right; without direction the larger of the two.
        """
        if measure == "resemblance":
            return self.resemblance
        if measure == "odds":
            return self.odds
        likely = self.left_in_right_probability if directed else self.probability
        if likely is not None:
            return likely
        return self.left_in_right if directed else max(self.left_in_right, self.right_in_left)

    def is_decided(self, *, directed: bool) -> bool:
        """Return whether the detector said that left is in right, or without direction either."""
        return self.relation in (_THERE if directed else _THERE | _BACK)


def check_measure(measure: str) -> None:
    """Raise `ParameterError` unless there is such a measure."""
    if measure not in MEASURES:
        msg = f"judge_by must be {' or '.join(MEASURES)}, got {measure!r}"
        raise ParameterError(msg)


def found_pairs(table: pa.Table, ids: set[str]) -> Iterator[tuple[str, str, Found]]:
    """Yield the pairs of a table among these documents."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(sorted(ids), pa.string())
    beside = [name for name in _PROBABILITIES if name in table.column_names]
    table = table.select([*_COLUMNS, *beside])
    for side in _SIDES:
        table = table.filter(pc.is_in(table.column(side), value_set=wanted))
    for batch in table.to_batches(max_chunksize=100_000):
        for left, right, *rest in zip(*(c.to_pylist() for c in batch.columns), strict=True):
            further = dict(zip(beside, rest[_N_FOUND:], strict=True))
            yield left, right, Found(*rest[:_N_FOUND], **further)


def larger_score(table: pa.Table) -> Any:
    """Return the containment of each pair of a table, without direction."""
    import pyarrow.compute as pc

    shares = pc.max_element_wise(table.column("left_in_right"), table.column("right_in_left"))
    if "probability" not in table.column_names:
        return shares
    return pc.coalesce(table.column("probability"), shares)


def read_found(path: str | Path) -> pa.Table:
    """Read a file of pairs as `scan -o` writes it: JSON Lines, CSV or Parquet."""
    import pyarrow as pa

    kind = kind_of(path)
    if not Path(path).is_file():
        msg = f"{path}: there is no such file; write one with `twicetold scan SOURCES -o {path}`"
        raise SourceError(msg)
    if kind.format == "parquet":
        return _parquet(path)
    blocks = b"".join(_bytes(Path(path), kind.compression))
    rows = _json_rows(path, blocks) if kind.format == "jsonl" else _csv_rows(path, blocks)
    columns: dict[str, list[Any]] = {name: [] for name in (*_COLUMNS, *_PROBABILITIES)}
    for line, row in rows:
        for name, value in _checked(path, line, row).items():
            columns[name].append(value)
    return pa.table(
        {
            name: pa.array(values, pa.string() if name in _TEXTS else pa.float64())
            for name, values in columns.items()
            if name in _COLUMNS or any(value is not None for value in values)
        }
    )


def _bytes(path: Path, compression: str | None) -> Iterable[bytes]:
    with path.open("rb") as file:
        stream = Stream(file.read, named=COMPRESSIONS[compression] if compression else None)
        yield from stream
        if stream.damage is not None:
            msg = f"{path}: {stream.damage[1]}"
            raise FormatError(msg)


def _parquet(path: str | Path) -> pa.Table:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        known = parquet.read_schema(path).names
        wanted = [*_COLUMNS, *(name for name in _PROBABILITIES if name in known)]
        return parquet.read_table(path, columns=wanted).select(wanted)
    except (pa.ArrowInvalid, KeyError) as error:
        msg = f"{path}: not a Parquet file of pairs: {str(error).splitlines()[0]}"
        raise FormatError(msg) from error


def _json_rows(path: str | Path, content: bytes) -> Iterator[tuple[int, Any]]:
    import orjson

    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            try:
                yield number, orjson.loads(line)
            except orjson.JSONDecodeError as error:
                msg = f"{path}:{number}: not JSON: {error.msg}"
                raise FormatError(msg) from error


def _csv_rows(path: str | Path, content: bytes) -> Iterator[tuple[int, Any]]:
    import csv
    import io

    try:
        rows = csv.DictReader(io.StringIO(content.decode(), newline=""), strict=True)
        for row in rows:
            for side in _SIDES:
                if isinstance(row.get(side), str):
                    row[side] = from_cell(row[side])
            yield rows.line_num, row
    except (csv.Error, UnicodeDecodeError) as error:
        msg = f"{path}: not a CSV file of pairs: {error}"
        raise FormatError(msg) from error


def _checked(path: str | Path, line: int, row: Any) -> dict[str, Any]:
    """Return the columns of a pair, or say what is wrong with the line."""
    try:
        found: dict[str, Any] = {name: str(row[name]) for name in (*_SIDES, "relation")}
        found |= {name: float(row[name]) for name in _NUMBERS}
        beside = {name: row.get(name) for name in _PROBABILITIES}
        found |= {n: None if value in (None, "") else float(value) for n, value in beside.items()}
    except (KeyError, TypeError, ValueError) as error:
        msg = f"{path}:{line}: not a pair as `twicetold scan -o` writes it: {error!r}"
        raise FormatError(msg) from error
    if found["relation"] not in RELATIONS:
        msg = f"{path}:{line}: no relation {found['relation']!r}; there are {', '.join(RELATIONS)}"
        raise FormatError(msg)
    return found

"""Pairs as a file: JSON Lines, CSV or Parquet, known by the suffix.

A file appears under its name when it is complete, and not at all if something goes wrong.
"""

from __future__ import annotations

import codecs
import errno
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal, NamedTuple, cast

from twicetold.aside import target_of, written_aside
from twicetold.documents.formats import Format
from twicetold.documents.sources import find_files
from twicetold.engines.prefetch import prefetched
from twicetold.errors import ParameterError, SourceError
from twicetold.pairs import COLUMNS, Pairs
from twicetold.spreadsheets import to_cell

if TYPE_CHECKING:
    from twicetold.clusters import Cluster

__all__ = [
    "WRITERS",
    "Kind",
    "check_output",
    "check_outputs",
    "check_page",
    "compressed",
    "kind_of",
    "replacing",
    "write_clusters",
    "write_jsonl",
    "write_pairs",
]

Compression = Literal["gz", "zst"]

_PAGES = (".html", ".htm")


class Kind(NamedTuple):
    """What the name of an output file says: ``pairs.csv.gz`` is csv in gzip."""

    format: str
    compression: Compression | None


def write_jsonl(pairs: Pairs, file: IO[bytes]) -> None:
    """Write a JSON object a line, as every command prints a pair."""
    for lines in prefetched(pairs.json_lines()):
        file.write(lines)


def write_csv(pairs: Pairs, file: IO[bytes]) -> None:
    """Write a line of column names and a row a pair; texts are quoted, numbers are exact.

    An apostrophe stands before a text that a spreadsheet would run.
    """
    import csv

    text = codecs.getwriter("utf-8")(file)
    rows = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    rows.writerow(COLUMNS)
    for pair in pairs:
        values = [getattr(pair, name) for name in COLUMNS]
        rows.writerow([to_cell(each) if isinstance(each, str) else each for each in values])


def write_parquet(pairs: Pairs, file: IO[bytes]) -> None:
    """Write the table of pairs as it is."""
    from pyarrow import parquet

    parquet.write_table(pairs.table, file, compression="zstd")


#: Every format of output, by suffix.
WRITERS: dict[str, Callable[[Pairs, IO[bytes]], None]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
}


def write_clusters(clusters: Iterable[Cluster], path: str | Path, /) -> None:
    """Write a JSON object a line, a cluster each."""
    import orjson

    with replacing(path) as file:
        for cluster in clusters:
            file.write(orjson.dumps(cluster.to_json(), option=orjson.OPT_APPEND_NEWLINE))


def kind_of(path: str | Path, /) -> Kind:
    """Return what a file of that name holds; raise `ParameterError` if nobody can know.

    >>> kind_of("pairs.CSV.gz")
    Kind(format='csv', compression='gz')
    """
    parts = Path(path).name.lower().split(".")[1:]
    match parts[-2:]:
        case [*_, ("jsonl" | "csv" | "parquet") as format]:
            return Kind(format, None)
        case [("jsonl" | "csv") as format, ("gz" | "zst") as compression]:
            return Kind(format, compression)
    msg = (
        f"{path}: the suffix of an output must be .jsonl, .csv or .parquet; "
        "the first two may be followed by .gz or .zst"
    )
    raise ParameterError(msg)


def check_page(path: str | Path, /) -> None:
    """Raise `ParameterError` if the name is not that of a page."""
    if Path(path).suffix.lower() not in _PAGES:
        msg = f"{path}: the suffix of a report must be {' or '.join(_PAGES)}"
        raise ParameterError(msg)


def check_output(path: str | Path, /) -> None:
    """Raise `SourceError` if a file of that name cannot be written."""
    path = Path(path)
    folder = path.parent
    if _is_circle(path):
        msg = f"{path}: cannot be written, its links lead in a circle; choose another name"
    elif not folder.is_dir():
        msg = f"{path}: there is no folder {str(folder)!r} to write to; make it first"
    elif path.exists() and not path.is_file():
        msg = f"{path}: cannot be written, it is not a file; choose another name"
    elif not os.access(folder, os.W_OK):
        msg = f"{path}: the folder {str(folder)!r} does not allow writing; choose another"
    else:
        return
    raise SourceError(msg)


def check_outputs(
    outputs: Iterable[str | Path | None],
    sources: Sequence[str | Path] = (),
    *,
    inputs: Iterable[str | Path | None] = (),
    format: Format | None = None,  # noqa: A002 - that of the sources
) -> None:
    """Raise an error if one of these files cannot be written, or takes the place of something.

    Each has a name of its own, however that is spelled; none that is there is a source, or is in a
    folder or matches a glob that is one, and none is another of the ``inputs``. What is None is not
    written or read.
    """
    paths = [Path(path) for path in outputs if path is not None]
    seen: dict[object, Path] = {}
    there: dict[tuple[int, int], Path] = {}
    for path in paths:
        check_output(path)
        names: list[object] = [target_of(path)]
        if path.exists():
            found = path.stat()
            names.append((found.st_dev, found.st_ino))
            there[found.st_dev, found.st_ino] = path
        for name in names:
            if name in seen:
                other = "twice" if seen[name] == path else f"the same file as {seen[name]}"
                msg = f"{path}: is {other} to be written; give each output a name of its own"
                raise ParameterError(msg)
        seen |= dict.fromkeys(names, path)
    if not there:
        return
    for source in map(str, sources):
        _spare(source, there, format)
    for read in inputs:
        if read is not None and Path(read).is_file():
            found = Path(read).stat()
            if (found.st_dev, found.st_ino) in there:
                path = there[found.st_dev, found.st_ino]
                msg = f"{path}: is read and would be written over; choose another name"
                raise ParameterError(msg)


def _spare(source: str, there: dict[tuple[int, int], Path], format: Format | None) -> None:  # noqa: A002
    """Refuse to write over files that a source names."""
    with suppress(SourceError):  # it is told when the source is read
        for found in find_files([source], format=format):
            path = None if found.which is None else there.get(found.which)
            if path is None:
                continue
            if found.path == source:
                msg = f"{path}: is a source and would be written over; choose another name"
            else:
                msg = (
                    f"{path}: is there already, where {source} is a source, and would be written "
                    "over; choose another name or folder, or remove it first"
                )
            raise ParameterError(msg)


def _is_circle(path: Path) -> bool:
    try:
        path.stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


def write_pairs(pairs: Pairs, path: str | Path, /) -> None:
    """Write pairs to a file, in the format and compression its suffixes name."""
    kind = kind_of(path)
    with replacing(path, wait=False) as file, compressed(file, kind.compression) as inner:
        WRITERS[kind.format](pairs, inner)


@contextmanager
def replacing(
    path: str | Path, /, *, wait: bool = True, private: bool = False
) -> Iterator[IO[bytes]]:
    """Open a file that takes its name when the block ends well, and is removed otherwise.

    ``wait`` until it is on the disk, so that it outlives a power cut; not for what another run
    makes again. A ``private`` one is for its user alone, also in place of one that others could
    read.
    """
    check_output(path)
    try:
        with written_aside(path, wait=wait, private=private) as file:
            yield file
    except SourceError:  # of what is read meanwhile: it says itself what is wrong
        raise
    except OSError as error:
        msg = f"{path}: cannot write: {error.strerror or error}; nothing was written"
        raise SourceError(msg) from error


@contextmanager
def compressed(file: IO[bytes], compression: Compression | None) -> Iterator[IO[bytes]]:
    """Wrap a file so that what is written is compressed; the same content gives the same bytes."""
    with ExitStack() as stack:
        if compression == "gz":
            import gzip

            packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0)
            yield cast("IO[bytes]", stack.enter_context(packed))
        elif compression == "zst":
            import zstandard

            compressor = zstandard.ZstdCompressor(level=3)
            yield stack.enter_context(compressor.stream_writer(file, closefd=False))
        else:
            yield file

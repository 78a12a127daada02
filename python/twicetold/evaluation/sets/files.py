"""What the readers of labelled sets share: texts, rows, and sentences as documents."""

from __future__ import annotations

import codecs
import csv
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from twicetold.errors import FormatError, SourceError
from twicetold.records import Document

__all__ = [
    "Texts",
    "documents_beside",
    "file_in",
    "grade",
    "has_columns",
    "json_lines",
    "lines_of",
    "rows_of",
    "text_of",
]


def text_of(path: Path, encoding: str = "utf-8") -> str:
    """Return the text of a file, every character as it stands."""
    try:
        return path.read_bytes().decode(encoding)
    except FileNotFoundError as error:
        msg = f"{path}: the set names this file, and it is not there"
        raise SourceError(msg) from error
    except UnicodeDecodeError as error:
        msg = f"{path}: is not {encoding} at byte {error.start}"
        raise FormatError(msg) from error


def lines_of(path: Path) -> list[str]:
    """Return the lines of a file; nothing but a line feed ends one."""
    lines = text_of(path).split("\n")
    return [line.removesuffix("\r") for line in (lines if lines[-1] else lines[:-1])]


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file with their lines; what is none is an error."""
    import orjson

    if not path.is_file():
        msg = f"{path}: there is no such file"
        raise SourceError(msg)
    content = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            found = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            msg = f"{path}:{number}: not JSON: {error.msg}"
            raise FormatError(msg) from error
        if not isinstance(found, dict):
            msg = f"{path}:{number}: a line must be a JSON object, got {type(found).__name__}"
            raise FormatError(msg)
        yield number, found


def documents_beside(file: Path) -> tuple[Path, ...]:
    """Return what is called ``documents`` or ``documents.*`` in the folder of a file."""
    return tuple(sorted((*file.parent.glob("documents"), *file.parent.glob("documents.*"))))


def file_in(path: Path, pattern: str, columns: Sequence[str] = ()) -> Path:
    """Return the file itself, or the first of a folder that matches and has these columns."""
    if path.is_file():
        return path
    for found in sorted(path.glob(pattern)):
        if not columns or has_columns(found, columns):
            return found
    msg = f"{path}: has no file {pattern} with the columns {', '.join(columns)}"
    raise FormatError(msg)


def has_columns(path: Path, columns: Sequence[str]) -> bool:
    """Return whether the first line of a table names all these columns."""
    if not columns:
        return False
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        head = next(csv.reader([file.readline(1 << 16)]), [])
    return set(columns) <= set(head)


def rows_of(
    path: Path, columns: Sequence[str], *, delimiter: str = ",", quoted: bool = True
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a table with their lines; raise if a column is missing."""
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        rows = csv.DictReader(
            file, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
        )
        missing = set(columns) - set(rows.fieldnames or ())
        if missing:
            msg = f"{path}:1: has no column {min(missing)!r}"
            raise FormatError(msg)
        for row in rows:
            if any(row[column] is None for column in columns):
                msg = f"{path}:{rows.line_num}: a row must have {len(rows.fieldnames or ())} fields"
                raise FormatError(msg)
            yield rows.line_num, row


def grade(value: str, path: Path, line: int) -> float:
    """Return a grade, or say which is no number."""
    try:
        return float(value)
    except ValueError:
        msg = f"{path}:{line}: a grade must be a number, got {value!r}"
        raise FormatError(msg) from None


class Texts:
    """Texts as documents: each distinct text is one, under the id it first came with.

    So pairs that share a sentence are known to belong together. The two sides of one pair are
    always two documents, also if they are equal.
    """

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self._ids: dict[tuple[str, str], str] = {}

    def add(self, id: str, text: str, *, language: str | None = None, twin: str = "") -> str:  # noqa: A002
        """Return the id of the document with this text."""
        key = (text, twin)
        if key not in self._ids:
            self._ids[key] = id
            self.documents.append(Document(id=id, text=text, language=language))
        return self._ids[key]

    def pair(self, id: str, left: str, right: str, language: str | None = None) -> tuple[str, str]:  # noqa: A002
        """Return the ids of the two texts of a pair."""
        one = self.add(f"{id}:1", left, language=language)
        twin = "twin" if left == right else ""
        return one, self.add(f"{id}:2", right, language=language, twin=twin)

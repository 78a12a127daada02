"""What came of an experiment, on a terminal and as files."""

from __future__ import annotations

import csv
import io
import json
import platform
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from twicetold import _kernel
from twicetold.errors import MissingExtraError, SourceError
from twicetold.experiments.frame import Outcome
from twicetold.experiments.plotting import plot
from twicetold.reports.files import replacing
from twicetold.spreadsheets import to_cell

__all__ = ["cell", "outcome_lines", "save"]


def cell(value: object) -> str:
    """Write a value for people: a dash for None, three digits of a share, thousands apart.

    >>> [cell(value) for value in (None, 0.7561, 12345, 1234.5, 41.25, "codet")]
    ['-', '0.756', '12,345', '1,234', '41.2', 'codet']
    """
    if value is None:
        return "-"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    size = abs(value)
    return f"{value:,.0f}" if size >= 1000 else f"{value:.1f}" if size >= 10 else f"{value:.3f}"  # noqa: PLR2004


def _cell(column: str, value: object) -> str:
    """Write a value of a column: percents all with one digit, so that they stand in line.

    >>> _cell("FP %", 7.259), _cell("F1", 0.7561)
    ('7.3', '0.756')
    """
    if column.endswith("%") and isinstance(value, float):
        return f"{value:.1f}"
    return cell(value)


def outcome_lines(outcome: Outcome) -> Iterator[str]:
    """Yield the table, the notes and the conclusion."""
    yield f"{outcome.name}: {outcome.title}"
    yield ""
    rows = [
        outcome.columns,
        *(tuple(map(_cell, outcome.columns, row)) for row in outcome.rows),
    ]
    widths = [max(len(row[n]) for row in rows) for n in range(len(outcome.columns))]
    texts = [
        any(isinstance(row[n], str) for row in outcome.rows) for n in range(len(outcome.columns))
    ]
    for row in rows:
        cells = (
            text.ljust(width) if is_text else text.rjust(width)
            for text, width, is_text in zip(row, widths, texts, strict=True)
        )
        yield "  ".join(cells).rstrip()
    yield ""
    yield from outcome.notes
    yield f"conclusion: {outcome.conclusion}"


def save(
    outcome: Outcome, folder: str | Path, *, settings: dict[str, Any] | None = None
) -> tuple[list[Path], str | None]:
    """Write ``NAME.csv``, ``.png``, ``.svg`` and ``.json`` into a folder, made where needed.

    Returns the files, and why there is no plot where there is none.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"{folder}: cannot be made: {error.strerror or error}; choose another folder"
        raise SourceError(msg) from error
    table = io.StringIO(newline="")
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(outcome.columns)
    for row in outcome.rows:
        rows.writerow([to_cell(each) if isinstance(each, str) else each for each in row])
    versions = {"twicetold": _kernel.VERSION, "python": platform.python_version()}
    whole = {**asdict(outcome), "settings": settings or {}, "versions": versions}
    written = []
    for suffix, content in (
        ("csv", table.getvalue()),
        ("json", json.dumps(whole, ensure_ascii=False, indent=2) + "\n"),
    ):
        path = folder / f"{outcome.name}.{suffix}"
        with replacing(path) as file:
            file.write(content.encode())
        written.append(path)
    try:
        return [*written, *plot(outcome, folder)], None
    except MissingExtraError as error:
        return written, str(error)

"""From judgements to a test collection: status, adjudication, and labels that `evaluate` reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from twicetold.errors import ParameterError
from twicetold.evaluation.judging import Answer, add_lines, read_judgements
from twicetold.evaluation.pool import ADJUDICATOR, Pool, write_lines
from twicetold.evaluation.pooling import pool_documents
from twicetold.records import Document
from twicetold.reports.files import check_outputs

__all__ = ["adjudicate", "collect", "status"]

#: What an answer says of each direction: left in right, right in left.
_DIRECTIONS: dict[Answer, tuple[bool, bool]] = {
    "near-duplicate": (True, True),
    "contained": (True, False),
    "contains": (False, True),
    "unrelated": (False, False),
}
_PARTS = ("id", "text", "title", "url", "source", "published", "language")


def status(folder: str | Path) -> dict[str, Any]:
    """Return how far the judging is, Cohen's kappa in all and by group, and every problem."""
    return read_judgements(Pool.load(folder)).status()


def adjudicate(folder: str | Path) -> dict[str, Any]:
    """Write what the two assessors judge differently for the adjudicator; return the counts."""
    pool = Pool.load(folder)
    found = read_judgements(pool)
    conflicts = found.conflicts(pool.pairs)
    by_group: dict[int, list[dict[str, Any]]] = {}
    for pair in conflicts:
        row = found.conflict(pair)
        by_group.setdefault(row["group"], []).append(row)
    written = sum(
        add_lines(pool.judgement_file(ADJUDICATOR, group), rows) for group, rows in by_group.items()
    )
    return {
        "conflicts": len(conflicts),
        "written": written,
        "open": sum(found.final(pair) is None for pair in conflicts),
        "problems": [str(problem) for problem in found.problems],
    }


def collect(folder: str | Path, output: str | Path) -> dict[str, Any]:
    """Write the judged pairs and all documents as a labelled set that `evaluate` reads.

    Pairs without a judgement of both assessors, or with an open conflict, are left out. The labels
    are directed: each pair makes two, one for each direction. Returns the counts.
    """
    pool, output = Pool.load(folder), Path(output)
    found = read_judgements(pool)
    final = {pair: answer for pair in pool.pairs if (answer := found.final(pair))}
    if not final:
        msg = f"{folder}: no pair is judged by both assessors yet; there is nothing to collect"
        raise ParameterError(msg)
    output.mkdir(parents=True, exist_ok=True)
    check_outputs([output / "documents.jsonl", output / "labels.jsonl"], pool.sources)
    write_lines(output / "documents.jsonl", map(_row, pool_documents(pool)))
    write_lines(output / "labels.jsonl", _labels(pool, final, output.resolve().name))
    return {
        "pairs": len(final),
        "related": sum(answer != "unrelated" for answer in final.values()),
        "left_out": len(pool.pairs) - len(final),
        "documents": pool.documents,
        "problems": [str(problem) for problem in found.problems],
    }


def _labels(pool: Pool, final: dict[str, Answer], name: str) -> Iterator[dict[str, Any]]:
    head = {"labels": "pairs", "name": name, "directed": True, "documents": "documents.jsonl"}
    yield head
    for key, answer in final.items():
        pair = pool.pairs[key]
        there, back = _DIRECTIONS[answer]
        yield {"left": pair.left, "right": pair.right, "label": there}
        yield {"left": pair.right, "right": pair.left, "label": back}


def _row(document: Document) -> dict[str, Any]:
    known = {part: getattr(document, part) for part in _PARTS}
    return {part: value for part, value in known.items() if value is not None}

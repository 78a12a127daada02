"""From judgements of a pool to a judged collection that `evaluate` reads, with its status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from twicetold.errors import ParameterError
from twicetold.evaluation.answers import Answer, is_true, rubric
from twicetold.evaluation.judged import FILE
from twicetold.evaluation.judging import Judgements, add_lines, read_judgements
from twicetold.evaluation.pool import ADJUDICATOR, Pool, write_lines
from twicetold.evaluation.pooling import pool_documents
from twicetold.records import Document
from twicetold.reports.files import check_outputs

__all__ = ["adjudicate", "collect", "status"]

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
    """Write the judged pairs and all documents as a judged collection that `evaluate` reads.

    Pairs without a judgement of both assessors, or with an open conflict, are left out. Where pairs
    were drawn from strata, a pair stands for the size of its stratum over the pairs that were
    judged there. Returns the counts.
    """
    pool, output = Pool.load(folder), Path(output)
    found = read_judgements(pool)
    final = {pair: answer for pair in pool.pairs if (answer := found.final(pair))}
    if not final:
        msg = f"{folder}: no pair is judged by both assessors yet; there is nothing to collect"
        raise ParameterError(msg)
    output.mkdir(parents=True, exist_ok=True)
    files = [output / name for name in ("documents.jsonl", FILE, "RUBRIC.md")]
    check_outputs(files, pool.sources)
    write_lines(files[0], map(_row, pool_documents(pool)))
    write_lines(files[1], _judged(found, final))
    files[2].write_text(rubric(), encoding="utf-8")
    return {
        "pairs": len(final),
        "related": sum(is_true("related", answer) for answer in final.values()),
        "taken": sum(is_true("taken", answer) for answer in final.values()),
        "left_out": len(pool.pairs) - len(final),
        "documents": pool.documents,
        "problems": [str(problem) for problem in found.problems],
    }


def _judged(found: Judgements, final: dict[str, Answer]) -> Iterator[dict[str, Any]]:
    pool = found.pool
    weights = _weights(pool, final)
    for key, answer in final.items():
        pair = pool.pairs[key]
        first, second = (found.rows[name][key] for name in pool.assessors)
        answers = [found.answers[name][key] for name in pool.assessors]
        agreed = answers[0] == answers[1]
        by = [first, second] if agreed else [found.rows[ADJUDICATOR][key]]
        yield {
            "pair": key,
            "left": pair.left,
            "right": pair.right,
            "answer": answer,
            "sure": all(row.get("sure") is not False for row in by),
            "note": next((row["note"] for row in by if row.get("note")), ""),
            "stratum": pair.stratum,
            "weight": weights[pair.stratum],
            "first": answers[0],
            "second": answers[1],
        }


def _weights(pool: Pool, final: dict[str, Answer]) -> dict[str, float]:
    """Return how many pairs of the pool a judged pair of each stratum stands for."""
    judged = Counter(pool.pairs[key].stratum for key in final)
    return {
        name: pool.strata[name]["pairs"] / n if name in pool.strata else 1.0
        for name, n in judged.items()
    }


def _row(document: Document) -> dict[str, Any]:
    known = {part: getattr(document, part) for part in _PARTS}
    return {part: value for part, value in known.items() if value is not None}

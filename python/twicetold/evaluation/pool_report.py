"""The status of a pool for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from twicetold.evaluation.pool import ADJUDICATOR
from twicetold.reports.printable import printable
from twicetold.reports.words import count_of

__all__ = ["status_lines"]


def status_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Say how far the judging is, in all and group by group."""
    names = [name for name in found["judged"] if name != ADJUDICATOR]
    documents = count_of(found["documents"], "document")
    yield f"{count_of(found['pairs'], 'pair')} of {documents}"
    for method, n in found["nominated"].items():
        yield f"  {method} nominated {n:,}"
    yield ""
    shown = [printable(name) for name in names]
    head = ["group", "pairs", *shown, "both", "conflicts", "open", "related", "taken", "kappa"]
    rows = [_row(str(group["group"]), group, names) for group in found["groups"]]
    rows.append(_row("all", found, names))
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for line in (head, *rows):
        cells = (cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        yield "  ".join(cells)
    yield ""
    yield f"kappa, related or not: {_figure(found['kappa'])}"
    yield f"kappa, taken or not: {_figure(found['kappa_taken'])}"
    yield f"kappa, mean of groups: {_figure(found['mean_kappa_of_groups'])}"
    yield f"kappa, of all answers: {_figure(found['kappa_of_answers'])}"
    if found["open_conflicts"]:
        yield f"{count_of(found['open_conflicts'], 'conflict')} wait for the {ADJUDICATOR}"


def _row(name: str, found: Mapping[str, Any], assessors: list[str]) -> list[str]:
    names = ("judged_by_both", "conflicts", "open_conflicts", "related", "taken")
    judged = [f"{found['judged'][assessor]:,}" for assessor in assessors]
    counts = [f"{found[key]:,}" for key in names]
    return [name, f"{found['pairs']:,}", *judged, *counts, _figure(found["kappa"])]


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"

"""Removals drawn at random, for people to read what is lost with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from twicetold.deduplicating.contents import record_of
from twicetold.deduplicating.outcome import Deduplicated
from twicetold.deduplicating.records import Dropped
from twicetold.deduplicating.spool import Kept
from twicetold.errors import ParameterError
from twicetold.reports.files import replacing
from twicetold.reports.side_by_side import Entry, Side, check_readable, write_side_by_side
from twicetold.reports.words import count_of

__all__ = ["answers_beside", "draw", "write_sample"]

_ABOUT = ("title", "source", "published", "date")
_QUESTION = (
    "answer in the file of lines: safe (what stays tells all particular content of what goes), "
    "loses (some of it is gone), worse (the worse of two texts stays)"
)


def draw(found: Deduplicated, size: int, *, seed: int = 0) -> list[Dropped]:
    """Return so many removals, drawn at random from those that are not of identical texts."""
    if size < 1:
        msg = f"a sample must have at least 1 removal, got {size!r}"
        raise ParameterError(msg)
    known = [gone for gone in found.dropped if gone.reason != "identical"]
    return Random(f"removals/{seed}").sample(known, min(size, len(known)))  # noqa: S311


def answers_beside(path: str | Path) -> Path:
    """Return the file of lines for answers that belongs to a file for reading."""
    return Path(path).with_suffix(".jsonl")


def write_sample(
    found: Deduplicated, path: str | Path, size: int, *, name: str = "documents", seed: int = 0
) -> int:
    """Write removals for reading, and beside them a line for the answer to each; return how many.

    ``path`` is a page (.html) or Markdown (.md, .txt): the text of what goes beside that of what
    stays, both whole. The lines, in the file with the suffix .jsonl, are what `evaluate` reads
    once they are answered; ``name`` is the set they belong to. ``found`` must have been made with
    ``texts=True``.
    """
    import orjson

    check_readable(path)
    drawn = draw(found, size, seed=seed)
    wanted = {(name, gone.against) for gone in drawn for name in _witnesses(gone)}
    witnesses = found.documents(wanted)
    entries = [_entry(n, gone, found, witnesses) for n, gone in enumerate(drawn, start=1)]
    of = count_of(len(found.dropped), "removal")
    summary = [f"{len(drawn):,} of {of}, drawn at random (seed {seed}); identical texts left out"]
    write_side_by_side(path, f"{name}: removals for reading", [*summary, _QUESTION], entries)
    with replacing(answers_beside(path)) as file:
        for row in _rows(drawn, name):
            file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
    return len(drawn)


def _witnesses(gone: Dropped) -> list[str]:
    """Return who holds a document: one other, or those that have a passage each."""
    if gone.witness is not None:
        return [gone.witness]
    return list(dict.fromkeys(cut.witness for cut in gone.cuts))


def _rows(drawn: list[Dropped], name: str) -> Iterator[dict[str, Any]]:
    for gone in drawn:
        yield {
            "set": name,
            "removed": gone.id,
            "witness": gone.witness,
            "reason": gone.reason,
            "in_witness": round(gone.in_witness, 4),
            "answer": None,
            "note": "",
        }


def _entry(
    number: int,
    gone: Dropped,
    found: Deduplicated,
    witnesses: dict[tuple[str, bool], Kept],
) -> Entry:
    sides = [_side("REMOVED", gone.id, found.row(gone.at))]
    sides += (
        _side("STAYS", name, witnesses.get((name, gone.against))) for name in _witnesses(gone)
    )
    line = f"{gone.reason}: {gone.in_witness:.0%} of it is there, {gone.witness_in:.0%} the reverse"
    return Entry(f"{number}. {gone.id}", [line], sides)


def _side(heading: str, name: str, kept: Kept | None) -> Side:
    if kept is None:
        return Side(heading, name, "", "")
    record = record_of(kept.content) if kept.content is not None else {}
    known = [str(record[key]) for key in _ABOUT if record.get(key)]
    return Side(heading, name, " · ".join([*known, f"{len(kept.text):,} characters"]), kept.text)

"""A deduplication as text for a terminal."""

from __future__ import annotations

from twicetold.deduplicating.outcome import Deduplicated
from twicetold.deduplicating.records import Dropped, Reason
from twicetold.reports.printable import cells_of, printable
from twicetold.reports.table import percent
from twicetold.reports.words import count_of, size_of

__all__ = ["found_line", "removal_lines", "summary_lines"]

_WORDS: dict[Reason, str] = {
    "identical": "identical to",
    "near-duplicate": "near-duplicate of",
    "contained": "contained in",
    "contains": "contains",
    "retold in parts": "all of it is in",
}


def removal_lines(found: Deduplicated, limit: int) -> list[str]:
    """Return the first documents that were dropped as a table."""
    rows = [_row(gone) for gone in found.dropped[:limit]]
    if not rows:
        return []
    rows.insert(0, ("dropped", "", "", "witness, which is kept"))
    widths = [max(map(cells_of, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        gaps = [" " * (width - cells_of(cell)) for cell, width in zip(row, widths, strict=True)]
        name, share, reason, witness = row
        lines.append(f"{name}{gaps[0]}  {gaps[1]}{share}  {reason}{gaps[2]}  {witness}".rstrip())
    rest = len(found.dropped) - limit
    return [*lines, *([f"and {rest:,} more"] if rest > 0 else []), ""]


def _row(gone: Dropped) -> tuple[str, str, str, str]:
    names = [gone.witness] if gone.witness else list(dict.fromkeys(c.witness for c in gone.cuts))
    return (
        printable(gone.id),
        percent(gone.witness_in if gone.reason == "contains" else gone.in_witness),
        _WORDS[gone.reason],
        ", ".join(map(printable, names)),
    )


def found_line(counts: dict[str, int]) -> str:
    """Say how many documents of the other collection were found, and where.

    >>> found_line({"against": 100, "against, found": 50, "against, found in": 50})
    '50 of 100 test documents found in 50 training documents'
    """
    here = count_of(counts["against, found in"], "training document")
    there = count_of(counts["against"], "test document")
    return f"{counts['against, found']:,} of {there} found in {here}"


def summary_lines(found: Deduplicated, *, bytes_read: int) -> list[str]:
    """Say how much was kept, dropped and cut, in plain words."""
    counts = found.counts
    reasons = {
        name.removeprefix("dropped, "): n
        for name, n in counts.items()
        if name.startswith("dropped,")
    }
    told = ", ".join(f"{n:,} {reason}" for reason, n in reasons.items())
    dropped = f"{counts['dropped']:,} dropped" + (f" ({told})" if told else "")
    lines = [f"{count_of(counts['read'], 'document')}: {counts['kept']:,} kept, {dropped}"]
    if "against" in counts:
        lines.append(found_line(counts))
    if found.manifest.parameters["passages"]:
        cuts = count_of(counts["cuts"], "passage")
        lines.append(f"{cuts} cut out of {counts['shortened']:,} of those that are kept")
    gone = counts["characters dropped"] + counts["characters cut"]
    share = percent(gone / counts["characters read"]) if counts["characters read"] else "0%"
    lines.append(f"{gone:,} of {counts['characters read']:,} characters removed ({share})")
    if counts["skipped"]:
        lines.append(f"{count_of(counts['skipped'], 'row')} that can make no document left out")
    seconds = sum(found.manifest.seconds.values())
    size = f"{size_of(bytes_read)} " if bytes_read else ""
    return [*lines, f"{size}in {seconds:,.1f} s"]

"""An evaluation of passages for people: a line for each part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from twicetold.evaluation.aligning import AlignmentEvaluation
from twicetold.evaluation.plagdet import Plagdet
from twicetold.reports.printable import printable
from twicetold.reports.words import count_of

__all__ = ["alignment_lines"]

_HEAD = "pairs   cases   found  precision  recall  granularity  plagdet  false alarms"


def alignment_lines(found: AlignmentEvaluation) -> Iterator[str]:
    """Say how well passages were found: on all pairs, and on each half of them."""
    entire = found.entire
    yield (
        f"{printable(found.name)}: {count_of(entire.pairs, 'pair')}, "
        f"{count_of(entire.cases, 'passage')}, {count_of(found.documents, 'document')}, "
        f"aligned in {found.seconds:.1f} s"
    )
    tables = {"all pairs": found.parts} | {
        f"the half to {half} on": parts for half, parts in found.halves.items()
    }
    for title, parts in tables.items():
        yield ""
        yield title
        yield from _table(parts)


def _table(parts: Mapping[str, Plagdet]) -> Iterator[str]:
    names = {part: printable(part) or "entire" for part in parts}
    width = max(len(name) for name in names.values())
    yield f"  {'':{width}}  {_HEAD}"
    for part, figures in parts.items():
        alarms = f"{figures.false_alarms} of {figures.unrelated_pairs:,}"
        yield (
            f"  {names[part]:{width}}  {figures.pairs:5,}  {figures.cases:6,}  {figures.found:6,}"
            f"  {figures.precision:9.3f}  {figures.recall:6.3f}  {figures.granularity:11.3f}"
            f"  {figures.plagdet:7.3f}  {alarms}"
        )

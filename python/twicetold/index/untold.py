"""Answers that a process kept, and perhaps did not tell before it ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from twicetold.index.core import Core
from twicetold.index.decision_texts import DecisionTexts
from twicetold.index.joining import join
from twicetold.index.placing import place
from twicetold.index.records import Added, Status

__all__ = ["untold"]


def untold(core: Core, *, all_pairs: bool) -> Iterator[Added]:
    """Answer again the documents of the last commit, with the status they had."""
    first, last, *was = core.database.get("untold") or (1, 0)
    status: Status = was[0] if was else "added"
    job = replace(core.job, all_pairs=all_pairs)
    placing = partial(place, core.database, is_committed=False)
    for number, told, document in core.database.documents(range(first, last + 1), blanks=True):
        bundle = core.bundle([document])
        bundle.count_as([number], [told])
        related = core.related(bundle, core.postings(bundle), threads=core.threads)
        before = [n for n, other in enumerate(related.numbers) if other < number]
        _, found = join(
            job, core.detector, related.part(before), bundle, placing, DecisionTexts(core)
        )
        yield Added(document.id, status, tuple(found.pairs()), is_again=True)

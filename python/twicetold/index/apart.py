"""Documents that cannot be answered in one commit with those that come before them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from twicetold import _kernel
from twicetold.index.arrivals import Arrival
from twicetold.index.parts import EVER
from twicetold.records import Document

__all__ = ["Apart", "answered", "in_runs"]


class Apart(Exception):  # noqa: N818 - no error
    """Raised inside a commit, to begin others with the documents in these places."""

    def __init__(self, places: Sequence[int]) -> None:
        super().__init__(places)
        self.places = places


def answered(
    joined: _kernel.Bundle,
    scored: _kernel.ScoredPairs,
    coming: Sequence[Arrival],
    *,
    all_pairs: bool,
) -> list[list[int]]:
    """Return by their numbers the pairs of each new document with what had not expired by then.

    Of several equal documents only the earliest is told. If that one went by others of the same
    commit, it stands for one that is still there: this is known only where those are committed.
    """
    found = joined.answered(scored, [arrival.horizon for arrival in coming])
    if not all_pairs and coming[-1].horizon > coming[0].horizon:
        every = joined.answered(scored, [EVER] * len(coming))
        both = enumerate(zip(found, every, strict=True))
        if places := [n for n, (some, all_) in both if n and len(some) < len(all_)]:
            raise Apart(places)
    return found


def in_runs(documents: Sequence[Document], places: Sequence[int]) -> Iterator[list[Document]]:
    """Yield documents in lists, of which one begins at each of these places."""
    for start, end in pairwise([0, *places, len(documents)]):
        yield list(documents[start:end])

"""The order of preference: which of several documents that hold each other is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from twicetold.batches import microseconds
from twicetold.deduplicating.records import KEEPS, Keep
from twicetold.errors import ParameterError
from twicetold.records import Document

__all__ = ["Preference"]


class Preference(NamedTuple):
    """The survivor policy.

    Documents of the sources in ``prefer`` come before all others, in that order. Of the rest, and
    among equals, ``keep`` decides: the ``earliest`` (undated ones are last), the ``longest``, or
    the one that was read ``first``. What is still equal comes by time, then as it was read.
    """

    keep: Keep
    prefer: tuple[str, ...] = ()

    @classmethod
    def of(cls, keep: Keep, prefer: Sequence[str]) -> Preference:
        """Make sure that it makes sense."""
        if keep not in KEEPS:
            msg = f"keep must be one of {', '.join(KEEPS)}, got {keep!r}"
            raise ParameterError(msg)
        if isinstance(prefer, str):
            msg = f"prefer must be a list of sources, got the text {prefer!r}"
            raise ParameterError(msg)
        return cls(keep, tuple(prefer))

    def key(self, document: Document, at: int) -> tuple[int, ...]:
        """Return what a document is ranked by; the smallest is kept."""
        place = len(self.prefer)
        if document.source in self.prefer:
            place = self.prefer.index(document.source)
        time = microseconds(document.published)
        age = (int(time is None), time or 0)
        if self.keep == "first":
            return (place, at)
        if self.keep == "longest":
            return (place, -len(document.text), *age, at)
        return (place, *age, at)

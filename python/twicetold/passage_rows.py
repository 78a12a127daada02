"""The passages of many pairs, made into records when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from twicetold.records import PASSAGE_TYPES, Passage, Span

__all__ = ["PassageRows"]


class PassageRows(Sequence[tuple[Passage, ...]]):
    """The passages of each pair, from the columns of the kernel."""

    def __init__(self, ends: bytes, spans: bytes, scores: bytes, types: bytes) -> None:
        self._columns = (ends, spans, scores, types)
        self._ends, self._spans = memoryview(ends).cast("I"), memoryview(spans).cast("I")
        self._scores, self._types = memoryview(scores).cast("d"), types

    def __len__(self) -> int:
        return len(self._ends)

    def __reduce__(self) -> tuple[Any, ...]:
        return PassageRows, self._columns

    def columns(self) -> tuple[bytes, bytes, bytes, bytes]:
        """Return where those of each pair end, four places each, scores and types."""
        return self._columns

    @overload
    def __getitem__(self, at: int) -> tuple[Passage, ...]: ...
    @overload
    def __getitem__(self, at: slice) -> list[tuple[Passage, ...]]: ...

    def __getitem__(self, at: int | slice) -> tuple[Passage, ...] | list[tuple[Passage, ...]]:
        """Return the passages of a pair, or of some pairs."""
        if isinstance(at, slice):
            return [self[n] for n in range(*at.indices(len(self)))]
        at = range(len(self))[at]
        start = self._ends[at - 1] if at else 0
        return tuple(map(self._passage, range(start, self._ends[at])))

    def _passage(self, n: int) -> Passage:
        spans = self._spans[4 * n : 4 * n + 4]
        return Passage(
            Span(spans[0], spans[1]),
            Span(spans[2], spans[3]),
            self._scores[n],
            PASSAGE_TYPES[self._types[n]],
        )

"""New documents and those that may be related to them, joined as a scan joins them."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, overload

from twicetold import _kernel
from twicetold.decision import Decision
from twicetold.engines.local import Run, judged
from twicetold.index.decision_texts import DecisionTexts
from twicetold.pairs import Manifest, Pairs
from twicetold.pipeline import Detector, Job
from twicetold.records import Pair
from twicetold.scoring import Joined
from twicetold.statistics import Statistics

__all__ = ["FoundPairs", "Told", "join", "join_all"]


def _nowhere(pairs: Pairs) -> None:
    """Pairs that are placed already."""


class Told:
    """Pairs with their passages, which are made when somebody asks for them.

    Until then all they are made from is kept. ``place`` adds where in web pages passages are.
    """

    def __init__(self, tell: Callable[[], Pairs], place: Callable[[Pairs], None]) -> None:
        self._tell: Callable[[], Pairs] | None = tell
        self._place = place
        self._pairs: Pairs | None = None
        self._telling = threading.Lock()

    def pairs(self) -> Pairs:
        """Return the pairs."""
        with self._telling:
            if self._tell is not None:
                self._pairs = self._tell()
                self._place(self._pairs)
                self._tell, self._place = None, _nowhere
        assert self._pairs is not None
        return self._pairs


class FoundPairs(Sequence[Pair]):
    """Some of many pairs, made into records when they are asked for."""

    __slots__ = ("_numbers", "_told")

    def __init__(self, told: Told, numbers: Sequence[int]) -> None:
        self._told = told
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> Pair: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Pair]: ...

    def __getitem__(self, at: int | slice) -> Pair | Sequence[Pair]:
        """Return one of the pairs, or some."""
        if isinstance(at, slice):
            return FoundPairs(self._told, self._numbers[at])
        return self._told.pairs()[self._numbers[at]]

    def __iter__(self) -> Iterator[Pair]:
        return map(self._told.pairs().__getitem__, self._numbers)

    def __eq__(self, other: object) -> bool:
        is_alike = isinstance(other, Sequence) and len(other) == len(self)
        return is_alike and all(a == b for a, b in zip(self, other, strict=True))  # type: ignore[call-overload]

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return (tuple, (tuple(self),))

    def __repr__(self) -> str:
        return repr(tuple(self))


class _Join(Run):
    """The join of a scan, over documents whose features are known."""

    def __init__(
        self, job: Job, detector: Detector, bundle: _kernel.Bundle, texts: DecisionTexts
    ) -> None:
        self.job = job
        self._texts = texts
        self._numbers, self._ids = bundle.numbers, bundle.ids
        self.detector = detector
        self.collection = bundle.collection()
        self.manifest = Manifest()
        self._known = bundle.take_features()

    def _judgements(
        self, joined: Joined, statistics: Statistics, decision: Decision
    ) -> _kernel.Judgements:
        sides = [array("I", column) for column in joined.documents()]
        rows = sorted(set(sides[0]) | set(sides[1]))
        place = {row: n for n, row in enumerate(rows)}
        texts = self._texts.of(
            [self._numbers[row] for row in rows],
            [self._ids[row] for row in rows],
            threads=self.job.threads,
        )
        left, right = (array("I", [place[row] for row in side]).tobytes() for side in sides)
        return judged(texts, (left, right), statistics, decision, threads=self.job.threads)

    def decided(
        self, first: int, place: Callable[[Pairs], None]
    ) -> tuple[_kernel.ScoredPairs, Told]:
        """Return the pairs with a document from this one on."""
        assert self.job.statistics is not None
        join = self._leave_out(self._known, self.job.statistics)
        self.since = first
        found = self.found(join, self.job.statistics)
        return found.pairs, Told(partial(self._tell, found, join), place)


def join(
    job: Job,
    detector: Detector,
    related: _kernel.Bundle,
    new: _kernel.Bundle,
    place: Callable[[Pairs], None],
    texts: DecisionTexts,
) -> tuple[_kernel.ScoredPairs, Told]:
    """Return the pairs of new documents, by their numbers in ``related`` and as they are told.

    ``related`` are those that were there before; ``new`` are moved behind them.
    """
    first = len(related)
    related.append(new, threads=job.threads)
    return _Join(job, detector, related, texts).decided(first, place)


def join_all(
    job: Job,
    detector: Detector,
    bundle: _kernel.Bundle,
    place: Callable[[Pairs], None],
    texts: DecisionTexts,
) -> Pairs:
    """Return the pairs among all of these documents."""
    return _Join(job, detector, bundle, texts).decided(0, place)[1].pairs()

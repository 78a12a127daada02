"""Some of many, evenly spread: what stands for all."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Generic, TypeVar

__all__ = ["Spread"]

T = TypeVar("T")


class Spread(Generic[T]):
    """One of every so many items, as few as may be held.

    Which one of them is left to chance, always the same one: those that come by turns, as from
    several sources, are all among them. It may be one of which nothing can be made.

    >>> spread = Spread(most=3)
    >>> for n in range(10):
    ...     if spread.among(1):
    ...         spread.take(n)
    >>> spread.share, [n // 4 for n in spread.taken()]
    (0.25, [0, 1, 2])
    """

    def __init__(
        self,
        most: int,
        *,
        longest: int = 0,
        length: Callable[[T], int] = lambda _: 0,
        step: int = 1,
    ) -> None:
        """Hold at most so many, and so much of what ``length`` tells.

        ``step`` is of how many one is taken at least, a power of two.
        """
        self._most, self._longest, self._length = most, longest, length
        self._step = step
        self._chance = Random(0)  # noqa: S311 - nothing secret
        self._held: list[T | None] = []
        self._number = self._total = 0
        #: How many items came, and which one is the next that is wanted.
        self.seen = 0
        self._last, self._next = 0, self._chance.randrange(step)

    def among(self, n: int) -> list[int]:
        """Return which of the next ``n`` items are wanted; each is to be taken before the next."""
        self._thin()
        places = []
        end = self.seen + n
        while self._next < end:
            places.append(self._next - self.seen)
            self._last = self._next
            self._go_on()
        self.seen = end
        return places

    def take(self, made: T | None) -> None:
        """Hold what was made of an item that is wanted, if anything was."""
        self._held.append(made)
        if made is not None:
            self._number += 1
            self._total += self._length(made)

    def taken(self) -> list[T]:
        """Return what is held."""
        self._thin()
        return [made for made in self._held if made is not None]

    @property
    def share(self) -> float:
        """What part of all is taken."""
        self._thin()
        return 1 / self._step

    def _go_on(self) -> None:
        """Choose one of those behind the last."""
        window = (self._last // self._step + 1) * self._step
        self._next = max(self.seen, window + self._chance.randrange(self._step))

    def _thin(self) -> None:
        """Let go of every other one while there are too many."""
        while self._number > 1 and (self._number > self._most or self._total > self._longest):
            held = self._held
            pairs = (held[at : at + 2] for at in range(0, len(held), 2))
            self._held = [self._chance.choice(pair) for pair in pairs]
            self._step *= 2
            lengths = [self._length(made) for made in self._held if made is not None]
            self._number, self._total = len(lengths), sum(lengths)
            self._go_on()

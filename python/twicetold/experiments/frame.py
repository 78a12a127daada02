"""What every experiment is given, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from twicetold.pipeline import Progress, ignore

__all__ = ["Figure", "Outcome", "Series", "Setting"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Series:
    """One line, or one colour of bars. A value of y that is None is not there.

    ``ends`` are the ends of the interval around each value, where there are intervals.
    """

    name: str
    x: tuple[float | str, ...]
    y: tuple[float | None, ...]
    from_paper: bool = False
    ends: tuple[tuple[float, float] | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """One plot: lines, bars or dots over x, our series and the paper's.

    Texts as x are categories. ``from_zero``: y begins there, so that lengths compare. Dots are a
    dotplot: y grows downwards, as one reads, and ``size`` is how long both documents are.
    """

    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    log_x: bool = False
    log_y: bool = False
    kind: Literal["line", "bar", "dots"] = "line"
    from_zero: bool = True
    size: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an experiment gives: a table with our numbers beside the paper's, and plots of it.

    ``conclusion`` is one line, computed from the numbers. ``notes`` say sizes and parameters, and
    what was left out.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    figures: tuple[Figure, ...]
    conclusion: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What every experiment is given.

    ``data`` are sources of documents, of which at most ``documents`` are taken. ``labels`` is the
    path of a labelled set, for experiments that need truth; None: truth is planted into the data.
    """

    data: tuple[str, ...]
    documents: int
    seed: int = 0
    threads: int = 0
    labels: str | None = None
    progress: Callable[[Progress], None] = ignore

    def steps(self, items: Sequence[T], unit: str = "runs") -> Iterator[T]:
        """Yield items, and say each time how many are done."""
        for done, item in enumerate(items):
            self.progress(Progress("experiment", done, len(items), unit))
            yield item
        self.progress(Progress("experiment", len(items), len(items), unit))

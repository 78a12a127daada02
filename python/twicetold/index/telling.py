"""Answers that reach whoever is to know: told once, or again after a process that was killed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self

from twicetold.errors import DocumentError
from twicetold.index.index import Index
from twicetold.index.records import Added

__all__ = ["Telling"]


class Telling:
    """Tells answers that are added ``until_told``, and notes in the index when all were.

    Those of an earlier process that ended before it told them are told first: none is lost, the
    last ones may come twice.
    """

    def __init__(
        self, index: Index, tell: Callable[[Added], None], /, *, all_pairs: bool = False
    ) -> None:
        self._index = index
        self._tell = tell
        self._all_pairs = all_pairs
        self._all_told = True

    def __enter__(self) -> Self:
        self.tell(self._index.untold(all_pairs=self._all_pairs))
        self._index.told()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._all_told:
            self._index.told()

    def tell(self, answers: Iterator[Added]) -> None:
        """Tell all of these."""
        self._all_told = False
        while True:
            try:
                added = next(answers, None)
            except DocumentError:
                # Nothing was added since the last answer; of other errors that is not known.
                self._all_told = True
                raise
            if added is None:
                break
            self._tell(added)
            del added
        self._all_told = True

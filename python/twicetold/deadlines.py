"""Deadlines: work that is not done within some seconds ends with `DeadlineError`.

Every call of the kernel keeps the deadline of the thread that makes it; loops in Python look at it
with `check_deadline`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol, TypeVar

from twicetold import _kernel
from twicetold._kernel import check_deadline
from twicetold.errors import DeadlineError, ParameterError

__all__ = ["check_deadline", "checked", "locked", "within"]

T = TypeVar("T")

#: So many steps of a loop are taken between two looks at the deadline.
_STEPS = 256


class _Lock(Protocol):
    def acquire(self, blocking: bool = ..., timeout: float = ...) -> bool: ...

    def release(self) -> None: ...


def within(deadline: float | None) -> AbstractContextManager[None]:
    """Return a context whose work must end within so many seconds; None: there is no deadline.

    >>> with within(60):
    ...     check_deadline()
    """
    if deadline is None:
        return nullcontext()
    given: object = deadline
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not given >= 0:
        msg = f"deadline must be a number of seconds, 0 or more, got {deadline!r}"
        raise ParameterError(msg)
    return _kernel.Within(float(deadline))


def checked(items: Iterable[T]) -> Iterator[T]:
    """Yield items, and look at the deadline now and then.

    >>> list(checked("ab"))
    ['a', 'b']
    """
    for number, item in enumerate(items):
        if number % _STEPS == 0:
            check_deadline()
        yield item


@contextmanager
def locked(lock: _Lock, deadline: float | None) -> Iterator[None]:
    """Hold a lock; time spent waiting for it counts for the deadline."""
    with within(deadline):
        limit = -1 if deadline is None else min(deadline, threading.TIMEOUT_MAX)
        if not lock.acquire(timeout=limit):
            msg = (
                f"not done within the deadline of {deadline} seconds, as another thread uses it "
                "all the time; give a longer one"
            )
            raise DeadlineError(msg)
        try:
            yield
        finally:
            lock.release()

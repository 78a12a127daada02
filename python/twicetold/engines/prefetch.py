"""The next batch is read while the last one is worked on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from typing import TypeVar

__all__ = ["prefetched"]

T = TypeVar("T")


class _End:
    """What a reading thread puts last: nothing, or why it stopped."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def _wait(taken: threading.Semaphore, stopped: threading.Event) -> None:
    while not stopped.is_set() and not taken.acquire(timeout=0.1):
        pass


def prefetched(items: Iterable[T], *, large: bool = False) -> Iterator[T]:
    """Yield the items, with one more read ahead by a thread of its own.

    Of ``large`` ones none is begun while one waits to be taken.
    """
    ready: queue.Queue[T | _End] = queue.Queue(maxsize=1)
    taken = threading.Semaphore(0 if large else 1)
    stopped = threading.Event()

    def put(item: T | _End) -> None:
        while not stopped.is_set():
            try:
                ready.put(item, timeout=0.1)
            except queue.Full:
                continue
            return

    def read() -> None:
        try:
            for item in items:
                put(item)
                del item
                _wait(taken, stopped)
                if stopped.is_set():
                    return
            put(_End())
        except BaseException as error:  # noqa: BLE001 - raised again by the reading side
            put(_End(error))

    thread = threading.Thread(target=read, name="twicetold-reader", daemon=True)
    thread.start()
    try:
        while not isinstance(item := ready.get(), _End):
            taken.release()
            yield item
        if item.error is not None:
            raise item.error
    finally:
        stopped.set()
        # A thread that waits for standard input ends with the process, not before.
        thread.join(timeout=0.2)

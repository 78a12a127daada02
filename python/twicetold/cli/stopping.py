"""How a command is stopped before its end: by a signal, or by its reader."""

from __future__ import annotations

import contextlib
import io
import select
import signal
import sys
import threading
import time
from _thread import interrupt_main, start_new_thread
from collections.abc import Iterator
from types import FrameType
from typing import IO, TYPE_CHECKING

from twicetold.cli.exits import Terminated

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

__all__ = ["Stopped", "Stopping", "is_ready", "raise_again", "stopping", "until_sigterm"]

#: The last one says that the terminal was closed.
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
#: Seconds until a signal is sent again.
_BEHIND = 0.01


class Stopped(Exception):  # noqa: N818 - no error
    """Raised where the command would wait, or read on."""


class Stopping:
    """Notes a signal; raises `Stopped` only where nothing is at hand that is to be finished.

    A second signal interrupts whatever runs.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self._waits = False

    def handle(self, number: int, _frame: FrameType | None) -> None:
        """Take note of a signal."""
        if self.signal is not None:
            raise KeyboardInterrupt
        self.signal = number
        if self._waits:
            raise Stopped

    def check(self) -> None:
        """Raise `Stopped` if a signal came."""
        if self.signal is not None:
            raise Stopped

    @contextlib.contextmanager
    def _waiting(self) -> Iterator[None]:
        self._waits = True
        try:
            self.check()
            yield
        finally:
            self._waits = False

    def sleep(self, seconds: float) -> None:
        """Wait, unless a signal comes or the reader of the output goes away."""
        with self._waiting():
            if _wait_for(None, seconds) is None:
                time.sleep(seconds)

    def wait_for(self, raw: IO[bytes]) -> None:
        """Wait until there is something to read, a signal comes, or the reader goes away."""
        with self._waiting():
            _wait_for(raw, None)


@contextlib.contextmanager
def stopping() -> Iterator[Stopping]:
    """Handle signals as long as this lasts."""
    found = Stopping()
    # `nohup` has a closed terminal ignored: that stays so.
    ignores = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    handled = [number for number in _SIGNALS if number != signal.SIGHUP or not ignores]
    before = [(number, signal.signal(number, found.handle)) for number in handled]
    try:
        yield found
    finally:
        for number, handler in before:
            signal.signal(number, handler)


@contextlib.contextmanager
def until_sigterm() -> Iterator[None]:
    """Take SIGTERM as Ctrl-C as long as this lasts: what is half done is undone, and that told.

    It stays ignored where it is; only the main thread can handle signals.
    """

    def end(_number: int, _frame: FrameType | None) -> None:
        raise Terminated

    before = signal.getsignal(signal.SIGTERM)
    if before is signal.SIG_IGN or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def raise_again(lost: UnraisableHookArgs) -> None:
    """Send a signal again whose exception was lost, where nobody could catch it: in a destructor.

    Other exceptions are shown as Python shows them.
    """
    if issubclass(lost.exc_type, KeyboardInterrupt):
        number = signal.SIGTERM if issubclass(lost.exc_type, Terminated) else signal.SIGINT
        start_new_thread(_send, (number,))
    else:
        sys.__unraisablehook__(lost)


def _send(number: signal.Signals) -> None:
    """Send a signal when what lost it is left behind: at once it would be lost again."""
    time.sleep(_BEHIND)
    interrupt_main(number)


def is_ready(raw: IO[bytes]) -> bool:
    """Tell whether reading would not have to wait."""
    return _wait_for(raw, 0.0) is not False


def _wait_for(raw: IO[bytes] | None, seconds: float | None) -> bool | None:
    """Wait for something to read; None: this cannot be waited for."""
    poll = select.poll()
    wanted, output = _number(raw), _number(sys.stdout)
    if wanted is not None:
        poll.register(wanted, select.POLLIN)
    elif raw is not None or output is None:
        return None
    if output is not None:
        poll.register(output, 0)  # an error on it is always told
    for number, event in poll.poll(None if seconds is None else seconds * 1000):
        if number == output and event & (select.POLLERR | select.POLLHUP):
            raise BrokenPipeError
        if number == wanted:
            return True
    return False


def _number(file: object) -> int | None:
    """Return what the system calls an open file; None if the system does not know it."""
    try:
        number: int = file.fileno()  # type: ignore[attr-defined]
    except (AttributeError, io.UnsupportedOperation, ValueError):
        return None
    return number

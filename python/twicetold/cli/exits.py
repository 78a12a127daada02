"""Exit codes, and every error as one line on standard error.

====  ==========================================================================================
   0  done, also when nothing was found or the reader of a pipe went away
   1  an error while running: the disk is full, memory is short, a package is missing
   2  something given cannot be used: an option, a source, a file, with ``--strict`` a document
 130  interrupted with Ctrl-C
 143  ended by SIGTERM, as a shell tells it of those that say nothing themselves
====  ==========================================================================================
"""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
from collections.abc import Iterator
from typing import NoReturn

import click

from twicetold.cli.codes import DONE, FAILED, INTERRUPTED, REFUSED, TERMINATED
from twicetold.errors import (
    DocumentError,
    FormatError,
    IndexMismatchError,
    IndexWriteError,
    ParameterError,
    SourceError,
    StatisticsError,
    TwicetoldError,
)
from twicetold.reports.printable import printable

__all__ = [
    "DONE",
    "EXIT_CODES",
    "FAILED",
    "INTERRUPTED",
    "REFUSED",
    "TERMINATED",
    "Terminated",
    "leave",
    "one_line",
    "tell",
    "writing",
]

#: What each exit code means, as the help says it.
EXIT_CODES = {
    DONE: "done, also when nothing was found",
    FAILED: "an error while running, such as a full disk",
    REFUSED: "an option, a source or (with --strict) a document that cannot be used",
    INTERRUPTED: "interrupted with Ctrl-C",
    TERMINATED: "ended by SIGTERM",
}


class Terminated(KeyboardInterrupt):
    """SIGTERM came: all is let go as after Ctrl-C."""


_REFUSED = (ParameterError, SourceError, DocumentError, StatisticsError, IndexMismatchError)


def tell(message: str) -> None:
    """Print a line on standard error, with nothing in it that a terminal would obey."""
    with contextlib.suppress(OSError):
        click.echo(printable(message), err=True)


@contextlib.contextmanager
def one_line() -> Iterator[None]:
    """End what runs inside with an exit code, and a line that says why if it went wrong."""
    try:
        yield
        sys.stdout.flush()
    except (click.exceptions.Exit, click.Abort):
        raise
    except BrokenPipeError:
        # `twicetold … | head -1`: who reads has what they wanted.
        _discard_output()
        raise click.exceptions.Exit(DONE) from None
    except (click.ClickException, TwicetoldError, OSError, MemoryError, KeyboardInterrupt) as error:
        message, code = _explain(error)
        tell(f"twicetold: {message}")
        _discard_output()
        raise click.exceptions.Exit(code) from None


@contextlib.contextmanager
def writing(name: str) -> Iterator[None]:
    """Say of an error in here that it came from writing: the run failed, what was given is fine."""
    try:
        yield
    except (BrokenPipeError, FormatError):
        raise
    except SourceError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        msg = f"{name}: cannot write: {error.strerror or error}"
        raise click.ClickException(msg) from error


def leave(end: SystemExit) -> NoReturn:
    """End the process, also if a thread still waits for standard input.

    What others want done at the end is done. The rest is for the system to take back: Python would
    free it piece by piece, and wait for the lock on standard input before it crashes.
    """
    code = DONE if end.code is None else end.code if isinstance(end.code, int) else FAILED
    with contextlib.suppress(OSError, ValueError):
        atexit._run_exitfuncs()  # noqa: SLF001 - there is no other name for it
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _explain(error: BaseException) -> tuple[str, int]:
    if isinstance(error, click.UsageError):
        words = error.format_message().rstrip(".")
        path = error.ctx.command_path if error.ctx else "twicetold"
        return f"{words[:1].lower()}{words[1:]}; see `{path} --help`", REFUSED
    if isinstance(error, click.ClickException):
        return error.format_message(), error.exit_code
    if isinstance(error, KeyboardInterrupt):
        ended = isinstance(error, Terminated)
        return ("ended by SIGTERM", TERMINATED) if ended else ("interrupted", INTERRUPTED)
    if isinstance(error, MemoryError):
        return "out of memory; give it fewer documents at a time, or more memory", FAILED
    if isinstance(error, TwicetoldError):
        refused = isinstance(error, _REFUSED) and not isinstance(error, IndexWriteError)
        return str(error), REFUSED if refused else FAILED
    assert isinstance(error, OSError)
    words = error.strerror or str(error)
    return (f"{error.filename}: {words}" if error.filename else words), FAILED


def _discard_output() -> None:
    """Drop what is still in the buffer: Python would try to write it again at its end."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        return
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)

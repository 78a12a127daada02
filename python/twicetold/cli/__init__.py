"""The command line: each command parses, makes one library call and prints what came of it.

`main` comes before everything else is imported: a large scan lets the kernel make memory ready and
look at its files while Python starts.
"""

from __future__ import annotations

import gc
import os
import sys

from twicetold.cli.codes import INTERRUPTED

# As in `typing`, which takes longer to import than all the rest: checkers take it for true.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

    from twicetold.cli.commands import COMMANDS, program

__all__ = ["COMMANDS", "main", "program"]


def main() -> None:
    """Run the program with the arguments of this process, and end the process."""
    try:
        import signal

        # An exception may be lost while modules are imported: nothing is to be undone yet.
        is_handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if is_handled:
            signal.signal(signal.SIGINT, _interrupted)
        # A run makes few cycles of objects; looking for them takes as long as reading megabytes.
        gc.set_threshold(100_000, 20, 20)
        _open_closed()
        _make_ready(sys.argv[1:])
        from twicetold.cli.commands import program
        from twicetold.cli.exits import leave
        from twicetold.cli.stopping import raise_again

        sys.unraisablehook = raise_again
        if is_handled:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            program(prog_name="twicetold")
        except SystemExit as end:
            leave(end)
    except KeyboardInterrupt:
        # Before or behind what answers to it otherwise.
        _interrupted()


def _interrupted(_number: int = 0, _frame: FrameType | None = None) -> None:
    """End the process: Ctrl-C came where nothing is half done."""
    os.write(2, b"twicetold: interrupted\n")
    os._exit(INTERRUPTED)


def _open_closed() -> None:
    """Open standard input, output and error where they are closed: else the next file would be one.

    Nothing comes from there, what is written to output is an error, and errors reach nobody.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            # The lowest number that is free, which is this one.
            os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def _make_ready(arguments: list[str]) -> None:
    """Have memory made ready, if this looks like a scan of files: twice what they hold.

    The texts of JSON Lines among them are split into sentences meanwhile.
    """
    if arguments[:1] == ["scan"]:
        from twicetold import _kernel

        files = [path for path in arguments[1:] if path.endswith(".jsonl")]
        _kernel.keep_memory(2 * sum(map(_size, arguments[1:])), files)


def _size(path: str) -> int:
    """Return how many bytes a file has; 0 if it is none, as most arguments are."""
    try:
        return os.path.getsize(path)  # noqa: PTH202 - pathlib is not loaded yet
    except (OSError, ValueError):
        return 0


def __getattr__(name: str) -> Any:
    if name not in ("COMMANDS", "program"):
        msg = f"module 'twicetold.cli' has no attribute {name!r}"
        raise AttributeError(msg)
    from twicetold.cli import commands

    return getattr(commands, name)

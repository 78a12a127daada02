"""Run one command and print its wall-clock time, processor time and peak memory as JSON.

A program of its own, and a small one: the kernel counts what a process held before it became
another program, so a child of a large process would seem large.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack


def main() -> None:
    """Measure the command given after ``--``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=600, help="seconds until it is stopped")
    parser.add_argument("--stdin", default=os.devnull, help="file to feed it")
    parser.add_argument("--stdout", default=os.devnull, help="file for what it prints")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    with ExitStack() as stack:
        stdin = stack.enter_context(open(options.stdin, "rb"))  # noqa: PTH123 - a small import
        stdout = stack.enter_context(open(options.stdout, "wb"))  # noqa: PTH123
        stderr = stack.enter_context(tempfile.TemporaryFile())
        start = time.perf_counter()
        child = subprocess.Popen(
            options.command, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True
        )
        stopped = threading.Event()
        timer = threading.Timer(options.limit, _stop, (child.pid, stopped))
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        stderr.seek(0)
        report = {
            "seconds": seconds,
            "cpu": usage.ru_utime + usage.ru_stime,
            # Kibibytes on Linux, bytes on macOS.
            "peak": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
            "code": child.returncode,
            "stopped": stopped.is_set(),
            "errors": stderr.read()[-2000:].decode(errors="replace"),
        }
    print(json.dumps(report))


def _stop(pid: int, stopped: threading.Event) -> None:
    """End the command and what it started: they are a process group of their own."""
    stopped.set()
    os.killpg(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()

"""A scan in a process of its own: time, peak memory and counts, stopped when it takes too long.

``python -m twicetold.experiments.measured SOURCE METHOD THREADS`` prints them as JSON.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from twicetold.errors import KernelError

__all__ = ["Measured", "measure"]


class Measured(NamedTuple):
    """What a scan cost.

    ``seconds`` passed, ``cpu`` are those that processors worked, all threads together: other
    programs of the machine change the first more than the second. ``peak`` are the bytes the
    process held at most.
    """

    seconds: float
    cpu: float
    peak: int
    touched: int
    pairs: int


def measure(source: Path, method: str, *, threads: int, limit: float) -> Measured | None:
    """Scan a file in a process of its own; None if that takes more than ``limit`` seconds."""
    command = [sys.executable, "-m", __name__, str(source), method, str(threads)]
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            command, capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        msg = f"{method} failed: {done.stderr.strip().splitlines()[-1:]}"
        raise KernelError(msg)
    return Measured(*json.loads(done.stdout))


def _peak() -> int:
    """Return the most bytes this program held; what it was started from does not count."""
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        if found:
            return int(found[1]) * 1024
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _main(source: str, method: str, threads: str) -> None:
    from twicetold.scanning import scan

    start, worked = time.perf_counter(), time.process_time()
    pairs = scan(source, method=method, threads=int(threads))
    spent = [time.perf_counter() - start, time.process_time() - worked]
    touched = pairs.manifest.counts["similarities computed"]
    sys.stdout.write(json.dumps([*spent, _peak(), touched, len(pairs)]))


if __name__ == "__main__":
    _main(*sys.argv[1:])

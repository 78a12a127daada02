"""Run a command under ``measure.py`` and keep what it says."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MEGABYTE = 1e6
_LONG = 20
_QUIET = 0.87


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Arguments, and a file to feed on standard input if any."""

    arguments: Sequence[str]
    stdin: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One run: seconds by the clock and by the processors, bytes at the peak, and how it ended."""

    seconds: float
    cpu: float
    peak: int
    code: int
    stopped: bool
    errors: str

    @property
    def core_share(self) -> float:
        """Processor time over wall-clock time: of one thread, near 1 on a quiet machine."""
        return self.cpu / self.seconds

    @property
    def failed(self) -> bool:
        """True if it ended by itself with an error."""
        return self.code != 0 and not self.stopped

    @property
    def reason(self) -> str:
        """Why it failed: the last line it wrote to standard error; empty if it did not."""
        if not self.failed:
            return ""
        lines = self.errors.strip().splitlines()
        return f"failed: {lines[-1] if lines else f'exit code {self.code}'}"


def measure(command: Command, *, limit: float = 600, repeat: int = 1) -> Measured:
    """Run a command in the repository's root; of several runs return the fastest.

    A run of more than 20 seconds is not repeated: its noise is small against its length.
    """
    best: Measured | None = None
    for _ in range(repeat):
        measured = _once(command, limit)
        if best is None or measured.seconds < best.seconds:
            best = measured
        if measured.code != 0 or measured.seconds > _LONG:
            break
    assert best is not None
    return best


def _once(command: Command, limit: float) -> Measured:
    wrapper = [sys.executable, str(ROOT / "benchmarks" / "measure.py"), "--limit", str(limit)]
    if command.stdin is not None:
        wrapper += ["--stdin", str(command.stdin)]
    done = subprocess.run(
        [*wrapper, "--", *command.arguments],
        check=True,
        capture_output=True,
        cwd=ROOT,
        env=_environment(),
    )
    return Measured(**json.loads(done.stdout))


def _environment() -> dict[str, str]:
    """Return that of a user: programs are compiled once, not at every start."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "LC_ALL": "C.UTF-8"}


def busy(floors: Sequence[Measured]) -> list[str]:
    """Return a warning if ``wc -w``, one thread that waits for nothing, had to share its core."""
    share = min(floor.core_share for floor in floors)
    if share >= _QUIET:
        return []
    return [f"- the machine was busy: the floor had {share:.2f} of a core; do not trust seconds"]


def word_count(path: Path) -> Command:
    """Return the floor: the least any program does that reads every word."""
    return Command(arguments=["wc", "-w", str(path)])

"""How long the command line and the import take before they do anything."""

import statistics
import sys
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.runner import Command, measure
from benchmarks.table import figure, table
from benchmarks.tools import twicetold

_RUNS = 11


@dataclass(frozen=True, slots=True)
class StartUp:
    """Median milliseconds of each command; the first is bare Python."""

    milliseconds: dict[str, float]

    def __str__(self) -> str:
        bare = next(iter(self.milliseconds.values()))
        rows = [[name, figure(ms), figure(ms - bare)] for name, ms in self.milliseconds.items()]
        columns = ["command", "ms", "ms over bare Python"]
        return f"Start-up, median of {_RUNS} alternating runs\n\n{table(columns, rows)}"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def startup() -> StartUp:
    """Run the commands in turn, so that whatever else the machine does hits all alike."""
    program = twicetold()
    if program is None:
        msg = "twicetold is not installed; run `pip install .`"
        raise SystemExit(msg)
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        'python -c "import twicetold"': [sys.executable, "-c", "import twicetold"],
        "twicetold --help": [program, "--help"],
    }
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(_RUNS):
        for name, arguments in commands.items():
            measured = measure(Command(arguments=arguments))
            if measured.failed:
                msg = f"`{name}` failed: {measured.errors.strip()}; run `pip install .`"
                raise SystemExit(msg)
            seconds[name].append(measured.seconds)
    return StartUp({name: 1e3 * statistics.median(values) for name, values in seconds.items()})

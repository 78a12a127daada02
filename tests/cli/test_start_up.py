"""The help is there at once."""

import subprocess
import sys
import time

import pytest

from tests.cli.calling import PROGRAM

ALLOWED = 0.150
TRIES = 12


def seconds(command: tuple[str, ...]) -> float:
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


@pytest.mark.parametrize(
    "command",
    [(*PROGRAM, "--help"), (sys.executable, "-c", "import twicetold")],
    ids=["help", "import"],
)
def test_starting_costs_little_more_than_starting_python(command: tuple[str, ...]) -> None:
    bare = min(seconds((sys.executable, "-c", "pass")) for _ in range(3))
    # The best of some tries: other work on the machine only ever makes it slower.
    assert any(seconds(command) - bare < ALLOWED for _ in range(TRIES))

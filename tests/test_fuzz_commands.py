"""A short run of the fuzzer of commands, and proof that it would notice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import fuzz_commands
from tests.fuzz_commands import SECONDS, Worker
from twicetold.cli.commands import COMMANDS

INPUTS = 200 if os.environ.get("TWICETOLD_TESTS") == "quick" else 2_000


def test_no_command_is_broken_or_held_up_by_any_input() -> None:
    found = fuzz_commands.fuzz(INPUTS, seed=1)
    assert not found.findings, "\n".join(found.lines())
    assert found.inputs == INPUTS
    # Few inputs need not come to the rarest command.
    assert set(found.by_command) == set(COMMANDS) or INPUTS < 2_000
    # Most inputs are read: what is refused at once says little.
    assert found.codes[0] > 2 * found.codes[2]


def test_every_command_is_called() -> None:
    assert list(fuzz_commands.COMMANDS) == list(COMMANDS)


def test_the_same_seed_and_number_make_the_same_input(tmp_path: Path) -> None:
    made = []
    for name in ("one", "other"):
        folder = tmp_path / name
        folder.mkdir()
        for number in range(60):
            (folder / str(number)).mkdir()
            _, calls = fuzz_commands.make(7, number, folder / str(number))
            made.append([[word.replace(name, "") for word in call] for call in calls])
    assert made[:60] == made[60:]
    files = [
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*.*")
        }
        for name in ("one", "other")
    ]
    assert files[0] == files[1]


@pytest.mark.parametrize(
    ("number", "what"),
    [
        (-1, f"more than {SECONDS} s of processor time"),
        (-2, "MemoryError"),
        (-3, "the process ended with -11"),
    ],
)
def test_the_fuzzer_notices(number: int, what: str) -> None:
    worker = Worker(seed=1)
    try:
        found = worker.try_input(number)
        assert found.fault is not None
        assert what in found.fault
        assert worker.try_input(0).fault is None
    finally:
        worker.close()

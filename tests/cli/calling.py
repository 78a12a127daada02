"""Ways to call the command line in tests: in this process, or as a user does."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from twicetold.cli import program

NEWS = Path(__file__).resolve().parents[2] / "examples" / "news"
PROGRAM = (sys.executable, "-m", "twicetold")


class Done(NamedTuple):
    """What a call left behind."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Standard output as JSON Lines."""
        return [json.loads(line) for line in self.out.splitlines()]


def twicetold(*arguments: object, stdin: str | bytes | None = None) -> Done:
    """Call the command line in this process; an exception nobody foresaw is raised."""
    done = CliRunner().invoke(
        program, [str(each) for each in arguments], input=stdin, prog_name="twicetold"
    )
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout, done.stderr)


def process(*arguments: object, **options: Any) -> Done:
    """Call the command line in a process of its own."""
    done = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
        **options,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def write_lines(path: Path, rows: Sequence[Mapping[str, Any] | str]) -> Path:
    """Write JSON Lines; a row that is a text is written as it is."""
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path

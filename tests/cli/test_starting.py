"""How the program starts: what it makes ready meanwhile changes nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from twicetold import cli

NEWS = Path(__file__).resolve().parents[2] / "examples" / "news"
SCAN = "import sys; from twicetold.cli import main; sys.argv = ['twicetold', *sys.argv[1:]]; main()"
READY = "from twicetold import _kernel; _kernel.keep_memory(64 << 20); _kernel.keep_memory(); "


def started(
    script: str, *arguments: str | Path, stdin: IO[str] | None = None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, stdin=stdin)


@pytest.mark.parametrize("method", ["codet", "retelling"])
def test_memory_made_ready_changes_no_result(method: str) -> None:
    arguments = ("scan", NEWS, "--method", method, "--json", "--quiet")
    plain = started(SCAN, *arguments).stdout
    assert plain.count("\n") > 10
    assert started(READY + SCAN, *arguments).stdout == plain


def test_texts_that_were_split_while_python_started_change_no_result(tmp_path: Path) -> None:
    lines = [line for path in NEWS.glob("*.jsonl") for line in path.read_text().splitlines()]
    texts = [json.loads(line)["text"] for line in lines]
    rows = (
        {"id": f"{n}-{k}", "n": n, "text": f"{text} {n} copies were made of it, no. {n}."}
        for n in range(1500)
        for k, text in enumerate(texts)
    )
    path = tmp_path / "many.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    assert path.stat().st_size > 4_000_000  # smaller ones are not worth a thread
    options = ("--method", "codet", "--json", "--quiet", "--threshold", "0.9")
    ahead = started(SCAN, "scan", path, *options).stdout
    with path.open() as file:
        piped = started(SCAN, "scan", "-", *options, "--format", "jsonl", stdin=file).stdout
    assert ahead == piped
    assert ahead.count("\n") > 10


def test_nothing_is_made_ready_for_other_commands_or_odd_arguments() -> None:
    script = "from twicetold.cli import _make_ready\n"
    script += "for given in ([], ['--help'], ['scan'], ['scan', '', 'a\\0b', '/', '-', '-q']):\n"
    script += "    _make_ready(given)\n"
    assert started(script).stdout == ""


def test_the_program_is_imported_when_it_is_asked_for() -> None:
    check = "import sys, twicetold.cli; print('click' in sys.modules)"
    assert started(check).stdout == "False\n"
    assert "scan" in cli.COMMANDS
    assert cli.program.name == "program"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = cli.nothing

"""The bar on a terminal: what it shows, where it goes, and that it is gone afterwards."""

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.calling import NEWS, PROGRAM, twicetold, write_lines
from twicetold.cli.progress import Watch
from twicetold.pipeline import Progress
from twicetold.records import Problem


def on_a_terminal(*arguments: object) -> tuple[str, str]:
    """Return what a program writes to standard output, and to a terminal as standard error."""
    ours, theirs = pty.openpty()
    environment = {"TERM": "xterm", "COLUMNS": "100", **os.environ}
    with subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env=environment,
    ) as running:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # the other side is closed
            pass
        os.close(ours)
        assert running.stdout is not None
        out = running.stdout.read()
    return out, shown.decode()


def test_the_bar_is_drawn_on_a_terminal_and_does_not_touch_the_pairs() -> None:
    out, shown = on_a_terminal("scan", NEWS, "--json")
    assert out == twicetold("scan", NEWS, "--json").out
    assert re.search(r"analyse .*0\.1 of 0\.1 MB, [0-9.]+ MB/s", shown)
    assert re.search(r"features .*65 of 65 documents", shown)
    assert re.search(r"join .*65 of 65 documents", shown)
    assert "29 pairs: " in shown.splitlines()[-2]


def test_what_is_added_to_an_index_is_counted_in_bytes(tmp_path: Path) -> None:
    path = tmp_path / "index"
    twicetold("index", "create", path)
    out, shown = on_a_terminal("index", "add", path, NEWS, "--limit", 0)
    assert out.startswith("65 added; ")
    assert re.search(r"add .*0\.1 of 0\.1 MB, [0-9.]+ MB/s", shown)


def test_a_sample_and_a_check_are_watched(tmp_path: Path) -> None:
    path = tmp_path / "index"
    out, shown = on_a_terminal("index", "create", path, "--sample", NEWS)
    assert out.startswith(f"{path}: an index of retelling")
    assert re.search(r"analyse .*0\.1 of 0\.1 MB, [0-9.]+ MB/s", shown)
    assert twicetold("index", "add", path, NEWS, "--limit", 0).code == 0
    out, shown = on_a_terminal("index", "check", path)
    assert out == "all is well\n"
    assert "texts" in shown
    assert "of 65 documents" in shown
    _, shown = on_a_terminal("index", "check", path, "-q")
    assert "texts" not in shown


def test_the_bar_can_be_switched_off() -> None:
    for option in ("--no-progress", "--quiet"):
        _, shown = on_a_terminal("scan", NEWS, option)
        assert "analyse" not in shown


def test_there_is_no_bar_in_a_pipe_unless_asked_for() -> None:
    assert twicetold("scan", NEWS).err == ""


def test_problems_stand_above_the_bar(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", ["{", {"id": "a", "text": "Shares fell."}])
    _, shown = on_a_terminal("scan", path)
    assert f"{path.name}:1: not JSON" in shown.replace("\r\n", "")
    assert shown.splitlines()[-1].endswith("1 skipped: 1 bad json")


def test_a_stage_whose_end_nobody_knows_shows_its_rate() -> None:
    watch = Watch(bar=True)
    assert watch._bar is not None
    watch.report.bytes_read = 8_000_000
    watch.report.documents = 40
    watch.progress(Progress("analyse", 20, None, "documents"))
    (task,) = watch._bar.drawn.tasks
    assert (task.completed, task.total) == (4_000_000, None)
    assert re.fullmatch(r"4\.0 MB, [0-9.,]+ MB/s", task.fields["amount"])


def test_stages_end_when_the_next_begins() -> None:
    watch = Watch(bar=True)
    assert watch._bar is not None
    watch._bar._begin("analyse")
    watch.report.bytes_total = 100
    watch.progress(Progress("features", 5, 10, "documents"))
    analyse, features = watch._bar.drawn.tasks
    assert analyse.finished
    assert not features.finished
    watch.progress(Progress("features", 10, 10, "documents"))
    assert features.finished
    assert watch._bar.drawn.tasks[-1].description == "join"


def test_a_strict_run_tells_only_what_it_does_not_stop_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    watch = Watch(bar=False, strict=True)
    monkeypatch.setattr(watch, "_say", said.append)
    watch.report.add(Problem("a", 1, "bad date", "no date"))
    watch.report.add(Problem("a", 2, "bad json", "not JSON"))
    assert said == ["a:1: no date"]

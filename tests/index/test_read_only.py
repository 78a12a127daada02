"""An index where nothing can be written is read all the same."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.calling import PROGRAM, Done
from tests.index.making import make, story
from twicetold.errors import SourceError
from twicetold.index import Index

#: Adds a document, and is gone before it can tidy up.
KILLED = """
import os, sys
from tests.index.making import story
from twicetold.index import Index
index = Index.open(sys.argv[1], write=True)
index.add(story(500, 8))
os._exit(9)
"""
#: Copies a folder to a file system of its own, where nothing can be written, and goes there.
AWAY = "mount -t tmpfs none {there} && cp -r {here} {there}/index && mount -o remount,ro {there}"

Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return what calls the command line with an index that cannot be written to."""
    there = tmp_path / "there"
    there.mkdir()

    def call(here: Path, command: str, *arguments: object) -> Done:
        if os.geteuid():
            path = there / "index"
            shutil.copytree(here, path)
            path.chmod(0o500)
            before = f"cd {there}"
        else:
            before = AWAY.format(here=shlex.quote(str(here)), there=shlex.quote(str(there)))
        path = there / "index"
        words = shlex.join([*PROGRAM, "index", command, str(path), *map(str, arguments)])
        script = ["sh", "-c", f"{before} && exec {words}"]
        wrapped = script if os.geteuid() else ["unshare", "-m", *script]
        done = subprocess.run(wrapped, capture_output=True, text=True, check=False)
        if os.geteuid():
            path.chmod(0o700)
            shutil.rmtree(path)
        if "unshare" in done.stderr or "mount" in done.stderr:
            pytest.skip("no file system can be mounted here")
        return Done(done.returncode, done.stdout.replace(str(path), "X"), done.stderr)

    return call


def killed(path: Path) -> Path:
    subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert (path / "index.sqlite-wal").stat().st_size
    return path


@pytest.mark.parametrize("has_log", [False, True])
def test_it_is_read_with_and_without_a_log(has_log: bool, run: Run, tmp_path: Path) -> None:
    path, out = make(tmp_path / "index"), tmp_path / "out.jsonl"
    if has_log:
        killed(path)
    assert run(path, "check") == Done(0, "all is well\n", "")
    assert run(path, "export", "-o", out).code == 0
    assert ('"d500"' in out.read_text("utf-8")) == has_log
    assert f"documents   {len(out.read_text('utf-8').splitlines())}," in run(path, "info").out
    searched = run(path, "search", out, "--limit", 0)
    assert (searched.code, searched.err) == (0, "")
    assert searched.out.endswith(" pairs\n")
    refused = run(path, "remove", "d12")
    assert (refused.code, refused.err.count("\n")) == (1, 1)


def test_a_log_that_cannot_be_read_there_is_told(run: Run, tmp_path: Path) -> None:
    path = killed(make(tmp_path / "index"))
    (path / "index.sqlite-shm").unlink()
    done = run(path, "info")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "copy the index to where it can, and open that" in done.err


def test_who_reads_there_is_told_of_changes_from_elsewhere(tmp_path: Path) -> None:
    path = make(tmp_path / "index")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.access", lambda *_: False)
        reader = Index.open(path)
    assert len(reader.search(story(12, 4))) == 2
    with Index.open(path, write=True) as writer:
        assert len(reader.search(story(12, 4))) == 2
        writer.add(story(500, 8))
        with pytest.raises(SourceError, match="was changed from elsewhere"):
            reader.search(story(12, 4))
    with pytest.raises(SourceError, match="open it again"):
        reader.info()
    reader.close()

"""Who looks at its own files does not lose the locks that keep others from taking the log away."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from tests.index.making import make, story
from twicetold.index import Index

#: Checks, waits for others to come and go, adds, and is killed.
CHILD = """
import sys
from tests.index.making import story
from twicetold.index import Index

with Index.open(sys.argv[1], write=True) as index:
    assert index.check() == []
    print("checked", flush=True)
    sys.stdin.readline()
    index.add(story(100, 5.5))
    print("added", flush=True)
    sys.stdin.readline()
"""


def test_what_is_added_after_a_check_is_there(tmp_path: Path) -> None:
    path = make(tmp_path / "index")
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", CHILD, str(path)]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stdout.readline() == b"checked\n"
        with Index.open(path) as reader:
            assert reader.search(story(100, 5.5)) is not None
        child.stdin.write(b"\n")
        child.stdin.flush()
        assert child.stdout.readline() == b"added\n"
        child.send_signal(signal.SIGKILL)
    with Index.open(path) as index:
        assert "d100" in {document.id for document in index.documents()}
        assert index.check() == []

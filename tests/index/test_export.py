"""What `index export` writes: all or nothing, for nobody but its user, also of a damaged index."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import NEWS, twicetold
from tests.index.making import make
from twicetold import Document
from twicetold.cli import index_care
from twicetold.index import salvage


@pytest.mark.parametrize("was_there", [True, False])
def test_ctrl_c_leaves_what_was_there_and_nothing_else(
    was_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: Any) -> Iterator[Document]:
        documents = salvage(*arguments)
        yield next(documents)
        raise KeyboardInterrupt

    monkeypatch.setattr(index_care, "salvage", interrupted)
    path, out = make(tmp_path / "index"), tmp_path / "out.jsonl"
    if was_there:
        out.write_text("kept")
    done = twicetold("index", "export", path, "-o", out)
    assert done == (130, "", "twicetold: interrupted\n")
    assert out.exists() == was_there
    assert not was_there or out.read_text() == "kept"
    assert not list(tmp_path.glob("*.partial"))


def test_what_others_could_read_is_replaced_by_what_they_cannot(tmp_path: Path) -> None:
    path, out = make(tmp_path / "index"), tmp_path / "out.jsonl"
    out.write_text("kept")
    out.chmod(0o644)
    before = os.umask(0)
    try:
        assert twicetold("index", "export", path, "-o", out).code == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert sorted(tmp_path.iterdir()) == sorted([path, out])


def test_nothing_is_written_into_the_index_itself(tmp_path: Path) -> None:
    path = make(tmp_path / "index")
    done = twicetold("index", "export", path, "-o", path / "index.sqlite")
    assert (done.code, done.out) == (2, "")
    assert "is in the index itself; choose another place" in done.err
    assert twicetold("index", "check", path).code == 0


def test_of_a_database_that_was_cut_off_is_written_what_is_left(tmp_path: Path) -> None:
    path, out = tmp_path / "index", tmp_path / "out.jsonl"
    twicetold("index", "create", path, "--method", "codet", "--sample", NEWS)
    assert twicetold("index", "add", path, NEWS, "--limit", 0).code == 0
    database = path / "index.sqlite"
    size = database.stat().st_size
    counts = []
    for pages in range(size // 16384 - 1, 0, -1):
        os.truncate(database, pages * 16384)
        refused = twicetold("index", "info", path)
        assert refused.code == 1
        assert "texts that can still be read are told by `twicetold index export`" in refused.err
        done = twicetold("index", "export", path, "-o", out)
        counts.append(len(out.read_text("utf-8").splitlines()) if done.out else 0)
        assert done.code == int(counts[-1] < 65)
        assert "index export" not in done.err
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 50 > counts[-1] == 0
    assert "nothing of it can be read, go back to a copy of it" in done.err

"""Segments that are gone, or not those that were named, are told and made again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.calling import NEWS, twicetold
from tests.index.making import make, pairs, small_files, story
from twicetold.index import Index
from twicetold.pipeline import Progress


def test_a_folder_of_segments_that_is_gone_is_made_again(tmp_path: Path) -> None:
    path = make(tmp_path / "index")
    before = pairs(path)
    shutil.rmtree(path / "segments")
    found = twicetold("index", "check", path)
    assert found.code == 1
    assert found.out.splitlines()[-1] == f"run `twicetold index check --repair {path}`"
    refused = twicetold("index", "add", path, NEWS)
    assert refused.code == 1
    assert f"run `twicetold index check --repair {path}`" in refused.err
    mended = twicetold("index", "check", "--repair", path)
    assert (mended.code, mended.out.splitlines()[-1]) == (0, "repaired")
    assert pairs(path) == before


def test_it_is_told_how_far_making_them_again_is(tmp_path: Path) -> None:
    path = make(tmp_path / "index")
    shutil.rmtree(path / "segments")
    steps: list[Progress] = []
    with Index.open(path, write=True, check=False) as index:
        assert index.repair(progress=steps.append)
        there = len(list(index.documents()))
    made = [(step.done, step.total) for step in steps if step.stage == "repair"]
    n = made[0][1]
    assert n is not None
    assert 0 < n < there  # those of segments in the database are whole
    assert (made[0], made[-1]) == ((0, n), (n, n))
    assert {"texts", "segments"} <= {step.stage for step in steps}


def test_one_that_held_nothing_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "index"
    Index.create(path, method="codet").close()  # small segments are in the database
    shutil.rmtree(path / "segments")
    assert twicetold("index", "add", path, NEWS / "wire.jsonl", "--limit", 0).code == 0


def test_a_segment_in_place_of_another_is_told_by_every_command(tmp_path: Path) -> None:
    path = tmp_path / "index"
    with small_files(1), Index.create(path, method="codet") as index:
        index.add(story(0))
        list(index.add_all([story(n) for n in range(1, 6)]))
    before = pairs(path)
    one, other = sorted((path / "segments").iterdir())
    shutil.copy(one, other)
    message = (
        f"twicetold: {other}: is not the segment that was named; "
        f"run `twicetold index check --repair {path}`\n"
    )
    for command in (("search", path, NEWS), ("add", path, NEWS), ("info", path)):
        assert twicetold("index", *command) == (1, "", message)
    with small_files(1):
        assert twicetold("index", "check", "--repair", path).code == 0
    assert pairs(path) == before


@pytest.mark.parametrize("column", ["documents", "size", "latest"])
def test_each_thing_that_the_manifest_says_is_compared(column: str, tmp_path: Path) -> None:
    from contextlib import closing

    from twicetold.index.database import Database

    path = make(tmp_path / "index")
    with closing(Database.open(path / "index.sqlite")) as database, database.transaction():
        database._connection.execute(f"UPDATE segments SET {column} = {column} + 1")
    assert "is not the segment that was named" in twicetold("index", "info", path).err

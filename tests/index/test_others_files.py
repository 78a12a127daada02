"""What is not the index's own stays as it is: files beside it, in it, and in place of it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.cli.calling import NEWS, twicetold
from tests.index.making import small_files, story
from twicetold.index import Index


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(
    "name",
    [
        "segments/thesis.txt",
        "segments/00000001.seg.bak",
        "segments/1.seg",
        "segments/012345678.seg",
        "segments/00000001.seg/notes.txt",
        "segments",
        "coming.sqlite.backup",
        "coming.sqlite-old",
        "coming.sqlite/notes.txt",
        "writer.lock",
    ],
)
def test_a_folder_with_files_that_are_not_ours_is_refused_and_stays(
    name: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine"
    file = path / name
    file.parent.mkdir(parents=True)
    file.write_text("A thesis.")
    done = twicetold("index", "create", path, "--method", "codet")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"twicetold: {path}: is there already, and is no index; choose another path\n"
    )
    assert [found for found in path.rglob("*") if found.is_file()] == [file]
    assert file.read_text() == "A thesis."


def test_a_link_to_files_that_are_not_ours_is_not_followed(tmp_path: Path) -> None:
    path, other = tmp_path / "mine", tmp_path / "other"
    path.mkdir()
    other.mkdir()
    (other / "00000001.seg").write_text("A thesis.")
    (path / "segments").symlink_to(other)
    assert twicetold("index", "create", path, "--method", "codet").code == 2
    assert (other / "00000001.seg").read_text() == "A thesis."


def test_a_file_that_is_put_between_segments_stays(tmp_path: Path) -> None:
    path = tmp_path / "index"
    with small_files(1), Index.create(path, method="codet") as index:
        index.add(story(0))
    remains, mine = path / "segments" / "00000077.seg", path / "segments" / "notes.txt"
    remains.write_text("of a writer that was killed")
    mine.write_text("A thesis.")
    assert twicetold("index", "remove", path, "d0").code == 0
    assert not remains.exists()
    assert mine.read_text() == "A thesis."


@pytest.mark.parametrize("what", ["file", "folder", "empty database", "other database"])
def test_where_something_else_is_another_path_is_told(what: str, tmp_path: Path) -> None:
    path = tmp_path / "taken"
    if what == "file":
        path.write_text("A thesis.")
    else:
        path.mkdir()
        name = "thesis.txt" if what == "folder" else "index.sqlite"
        (path / name).write_bytes(b"" if what == "empty database" else b"A thesis.")
    if what == "other database":
        import sqlite3

        (path / "index.sqlite").unlink()
        database = sqlite3.connect(path / "index.sqlite")
        database.execute("CREATE TABLE notes (text)")
        database.close()
    for command in ("info", "check", "export"):
        done = twicetold("index", command, path)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert done.err.endswith(
            "; give the path of an index, or make one at another path with "
            "`twicetold index create`\n"
        )


def test_a_folder_that_is_there_becomes_its_users_alone(tmp_path: Path) -> None:
    path = tmp_path / "index"
    path.mkdir()
    path.chmod(0o777)
    assert twicetold("index", "create", path, "--method", "codet").code == 0
    assert (mode(path), mode(path / "segments")) == (0o700, 0o700)
    # Whoever opens it to others afterwards meant it.
    path.chmod(0o755)
    assert twicetold("index", "add", path, NEWS / "wire.jsonl", "--limit", 0).code == 0
    assert mode(path) == 0o755


def test_nothing_is_written_into_the_folder_of_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is killed leaves nothing there, and a text is nowhere but in its index."""

    def refused(*_: object, **__: object) -> None:
        pytest.fail("a temporary folder")

    monkeypatch.setattr("tempfile.mkdtemp", refused)
    path = tmp_path / "index"
    assert twicetold("index", "create", path, "--method", "codet", "--sample", NEWS).code == 0
    assert twicetold("stream", "--index", path, NEWS / "wire.jsonl", "-q").code == 0
    assert twicetold("index", "search", path, NEWS / "wire.jsonl", "-q").code == 0

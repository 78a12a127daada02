"""A byte that is not what was written, in any file of an index: `check` sees it, and says where."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.calling import twicetold
from tests.index.making import KILLS, content, make, pairs, small_files, story
from twicetold.errors import TwicetoldError
from twicetold.index import Index
from twicetold.index.database import Database

#: Bytes that are flipped in each place.
FLIPS = 20 * KILLS


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make(tmp_path_factory.mktemp("made") / "index")
    assert twicetold("index", "check", path) == (0, "all is well\n", "")
    return path


@pytest.fixture
def index(made: Path, tmp_path: Path) -> Path:
    """Return a copy that can be damaged."""
    return Path(shutil.copytree(made, tmp_path / "index"))


def flip(file: Path, at: int, chance: random.Random) -> None:
    """Change one to eight bits of a byte."""
    with file.open("r+b") as raw:
        raw.seek(at)
        byte = raw.read(1)[0] ^ chance.randrange(1, 256)
        raw.seek(at)
        raw.write(bytes([byte]))


HELPS = "`twicetold index remove` lets go of it"


def told(path: Path) -> str:
    """Return what `check` says; nothing if all is well."""
    try:
        with Index.open(path, check=False) as index:
            return "\n".join(f"{found.file}: {found.what}" for found in index.check())
    except TwicetoldError as error:
        return str(error)


def flipped_one_by_one(path: Path, file: Path, places: Iterable[int], seed: int) -> list[int]:
    """Flip bytes, each by itself; returns those that made no difference to anything.

    A difference that is not told, or told of another file, fails.
    """
    before = content(path)
    whole = file.read_bytes()
    chance = random.Random(seed)
    harmless = []
    for at in places:
        flip(file, at, chance)
        said = told(path)
        if not said:
            assert content(path) == before, f"byte {at} of {file.name}"
            harmless.append(at)
        else:
            # Another version is refused before anything else is looked at.
            named = said.replace(f"{path}: index of format version", str(file))
            assert all(str(file) in line for line in named.splitlines()), said
        file.write_bytes(whole)
    return harmless


def sampled(places: Iterable[int], seed: int) -> list[int]:
    among = list(places)
    return random.Random(seed).sample(among, min(FLIPS, len(among)))


def test_the_head_of_the_database(index: Path) -> None:
    file = index / "index.sqlite"
    harmless = flipped_one_by_one(index, file, range(100), 1)
    # How often tables were changed, and which SQLite wrote last: nobody asks.
    assert set(harmless) <= {*range(40, 44), *range(96, 100)}


@pytest.mark.parametrize("seed", range(2))
def test_what_the_database_holds(index: Path, seed: int) -> None:
    file = index / "index.sqlite"
    places = [at for at, byte in enumerate(file.read_bytes()) if byte]
    harmless = flipped_one_by_one(index, file, sampled(places, seed), seed)
    assert len(harmless) < FLIPS / 10  # what SQLite left behind where nothing is now


def test_what_is_empty_in_the_database(index: Path) -> None:
    """Zeros are mostly where nothing is: what can be read is as before, or the damage is told."""
    file = index / "index.sqlite"
    places = [at for at, byte in enumerate(file.read_bytes()) if not byte]
    flipped_one_by_one(index, file, sampled(places, 3), 3)


def test_tables_by_name(index: Path) -> None:
    """Every value of every small table, changed behind our back, is told."""
    changes = {
        "a setting": "UPDATE meta SET value=replace(value, 'codet', 'qsign') WHERE name='settings'",
        "the clock": "UPDATE meta SET value='1' WHERE name='clock'",
        "the horizon": "UPDATE meta SET value='1' WHERE name='horizon'",
        "the commit": "DELETE FROM meta WHERE name='commit'",
        "a bucket": "UPDATE segments SET bucket=bucket+1",
        "an end": "UPDATE segments SET latest=latest-1",
        "what it is made of": "UPDATE segments SET content=CAST(content AS TEXT) "
        "WHERE content IS NOT NULL",
        "a segment": "DELETE FROM segments WHERE name=(SELECT min(name) FROM segments)",
        "a number given out": "UPDATE sqlite_sequence SET seq=seq-1 WHERE name='documents'",
        "what was removed": "DELETE FROM removed",
        "when that was": "UPDATE removed SET time=time-1",
        "statistics": "UPDATE statistics SET content=zeroblob(9)",
        "what these are made of": "UPDATE statistics SET content='text'",
        "their name": "UPDATE statistics SET origin='another'",
        "a document": "DELETE FROM documents WHERE id='d9'",
        "an id": "UPDATE documents SET id='other' WHERE id='d9'",
        "a title": "UPDATE documents SET about='{\"title\": \"new\"}' WHERE id='d9'",
        "a table": "CREATE TABLE other (x)",
        "an index": "DROP INDEX documents_by_time",
    }
    file = index / "index.sqlite"
    whole = file.read_bytes()
    for what, statement in changes.items():
        with closing(sqlite3.connect(file)) as database, database:
            assert database.execute(statement).rowcount != 0, what
        assert told(index), what
        file.write_bytes(whole)
    assert told(index) == ""


def test_every_byte_of_a_segment_and_its_repair(index: Path) -> None:
    file = min((index / "segments").iterdir(), key=lambda path: path.stat().st_size)
    size = file.stat().st_size
    before = pairs(index)
    # The head, the checksums at the end, and what is between.
    places = {*range(0, 288, 3), *range(size - 24, size), *sampled(range(size), 4)}
    assert flipped_one_by_one(index, file, sorted(places), 4) == []
    chance = random.Random(5)
    for at in (8, size // 2, size - 1):
        flip(file, at, chance)
        assert twicetold("index", "check", index).code == 1
        with small_files():
            done = twicetold("index", "check", "--repair", index)
        assert (done.code, done.out.splitlines()[-1]) == (0, "repaired")
        assert twicetold("index", "check", index) == (0, "all is well\n", "")
        assert pairs(index) == before
        file = min((index / "segments").iterdir(), key=lambda path: path.stat().st_size)
        size = file.stat().st_size


@pytest.mark.parametrize("damage", ["gone", "empty", "cut", "another", "longer"])
def test_a_segment_that_is_not_the_one_that_was_written(index: Path, damage: str) -> None:
    before = pairs(index)
    one, other = sorted((index / "segments").iterdir())[:2]
    whole = one.read_bytes()
    if damage == "gone":
        one.unlink()
    else:
        new = {
            "empty": b"",
            "cut": whole[:-100],
            "longer": whole + b"\0",
            "another": other.read_bytes(),
        }
        one.write_bytes(new[damage])
    assert str(one) in told(index)
    done = twicetold("index", "check", "--repair", index)
    assert (done.code, done.out.splitlines()[-1]) == (0, "repaired"), done
    assert pairs(index) == before


def test_a_segment_inside_the_database_is_repaired(index: Path) -> None:
    before = pairs(index)
    with closing(sqlite3.connect(index / "index.sqlite")) as database, database:
        name, held = database.execute(
            "SELECT name, content FROM segments WHERE content NOT NULL"
        ).fetchone()
        other = held[:400] + bytes([held[400] ^ 1]) + held[401:]
        database.execute("UPDATE segments SET content=? WHERE name=?", (other, name))
    assert f"segment {name}: is damaged" in told(index)
    assert twicetold("index", "check", "--repair", index).code == 0
    assert (told(index), pairs(index)) == ("", before)


def test_a_damaged_document_is_named_and_all_others_are_exported(
    index: Path, tmp_path: Path
) -> None:
    file = index / "index.sqlite"
    with closing(sqlite3.connect(file)) as database:
        (text,) = database.execute("SELECT text FROM documents WHERE id='d9'").fetchone()
        (n,) = database.execute("SELECT count(*) FROM documents").fetchone()
    flip(file, file.read_bytes().index(text) + 20, random.Random(6))
    found = twicetold("index", "check", index)
    assert (found.code, found.out) == (1, f"{file}: the row of document 'd9' is damaged; {HELPS}\n")
    assert twicetold("index", "check", "--repair", index).code == 1
    out = tmp_path / "rest.jsonl"
    done = twicetold("index", "export", index, "-o", out)
    assert (done.code, done.err) == (1, f"{file}: the row of document 'd9' is damaged; {HELPS}\n")
    assert done.out == f"{out}: {n - 1} documents\n"
    assert '"d9"' not in out.read_text("utf-8")


def test_a_damaged_page_costs_its_own_documents(tmp_path: Path) -> None:
    """Those on the pages behind it are exported: SQLite alone would stop there."""
    path = tmp_path / "index"
    with Index.create(path, method="codet") as writer:
        for _ in writer.iter_add(replace(story(n), text=f"{n} " * 900) for n in range(1200)):
            pass
    file = path / "index.sqlite"
    with closing(sqlite3.connect(file)) as database:
        (text,) = database.execute("SELECT text FROM documents WHERE id='d600'").fetchone()
    page = file.read_bytes().index(text) // 16_384 * 16_384
    with file.open("r+b") as raw:
        raw.seek(page)
        raw.write(b"\x00")
    out = tmp_path / "rest.jsonl"
    done = twicetold("index", "export", path, "-o", out)
    assert done.code == 1
    assert "documents cannot be read that have the numbers" in done.err
    kept = [json.loads(line)["id"] for line in out.read_text("utf-8").splitlines()]
    assert len(kept) == len(set(kept))
    assert {"d0", "d1199"} <= set(kept)
    assert "d600" not in kept
    assert 900 < len(kept) < 1200


def test_the_log_of_a_writer_that_was_killed(index: Path, tmp_path: Path) -> None:
    """SQLite takes a damaged log for a short one: what was acknowledged would be gone silently."""
    crashed = tmp_path / "crashed"
    with Index.open(index, write=True) as writer:
        for number in range(40, 43):
            writer.add(story(number, 8))
        for name in ("index.sqlite", "index.sqlite-wal"):
            crashed.mkdir(exist_ok=True)
            shutil.copy(index / name, crashed)
        shutil.copytree(index / "segments", crashed / "segments")
    (crashed / "writer.lock").touch()
    whole = tmp_path / "whole"
    shutil.copytree(crashed, whole)
    assert told(whole) == ""
    expected = content(whole)
    assert b"d42" in repr(expected[1]).encode()
    size = (crashed / "index.sqlite-wal").stat().st_size
    chance = random.Random(7)
    for at in [*range(0, 56, 2), size - 1, *sampled(range(size), 7)]:
        broken = tmp_path / "broken"
        shutil.copytree(crashed, broken)
        log = broken / "index.sqlite-wal"
        flip(log, at, chance)
        said = told(broken)
        assert f"{log}: " in said, (at, said)
        shutil.rmtree(broken)


def test_a_commit_whose_mark_was_cleared_is_missed(index: Path, tmp_path: Path) -> None:
    """The last frame of the log is the end of a commit by one byte that is not 0."""
    crashed = tmp_path / "crashed"
    with Index.open(index, write=True) as writer:
        writer.add(story(40, 8))
        shutil.copytree(index, crashed, ignore=shutil.ignore_patterns("*-shm"))
    log = crashed / "index.sqlite-wal"
    raw = bytearray(log.read_bytes())
    last = len(raw) - 24 - 16_384
    assert any(raw[last + 4 : last + 8])
    raw[last + 4 : last + 8] = bytes(4)
    log.write_bytes(raw)
    assert f"{log}: frame " in told(crashed)


def test_the_lock_holds_nothing_when_nobody_writes(index: Path) -> None:
    assert (index / "writer.lock").read_bytes() == b""
    (index / "writer.lock").write_bytes(b"\xff\xfe")
    assert told(index) == ""
    with Index.open(index, write=True) as writer:
        assert writer.add(story(50, 8)).status == "added"


def test_a_seal_is_checked_when_an_index_is_opened(index: Path) -> None:
    with closing(sqlite3.connect(index / "index.sqlite")) as database, database:
        database.execute("UPDATE meta SET value='1' WHERE name='clock'")
    with pytest.raises(TwicetoldError, match=r"index\.sqlite: its manifest is damaged; see `twice"):
        Index.open(index)
    assert not Database.open(index / "index.sqlite").is_sealed()

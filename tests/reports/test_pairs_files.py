"""Pairs as files: what is written is what is read back, completely or not at all."""

import csv
import gzip
import io
import json
import os
import re
from pathlib import Path
from typing import IO, Any

import pytest
import zstandard
from pyarrow import parquet

from tests.reports.making import SAMPLE, make, pair
from twicetold.errors import ParameterError, SourceError
from twicetold.evaluation.found import read_found
from twicetold.pairs import Pairs, pairs_schema
from twicetold.reports import files
from twicetold.reports.files import WRITERS, kind_of, replacing, write_pairs
from twicetold.spreadsheets import from_cell

_SIDES = ("left", "right")
SUFFIXES = ["jsonl", "csv", "jsonl.gz", "csv.gz", "jsonl.zst", "csv.zst", "parquet"]


def unpacked(path: Path) -> bytes:
    content = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(content)
    if path.suffix == ".zst":
        return zstandard.ZstdDecompressor().decompressobj().decompress(content)
    return content


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Read a file back, with nothing of ours, into rows of the schema."""
    if path.suffix == ".parquet":
        table = parquet.read_table(path)
        assert table.schema.equals(pairs_schema())
        rows: list[dict[str, Any]] = table.to_pylist()
        return rows
    text = unpacked(path).decode("utf-8")
    if ".jsonl" in path.name:
        return [json.loads(line) for line in text.split("\n")[:-1]]
    read = csv.DictReader(io.StringIO(text, newline=""), quoting=csv.QUOTE_NONNUMERIC)
    assert read.fieldnames == pairs_schema().names
    known = [row | {side: from_cell(row[side]) for side in _SIDES} for row in read]
    return [row | {"earlier": row["earlier"] or None} for row in known]


@pytest.mark.parametrize("pairs", [make(SAMPLE), make([])], ids=["pairs", "none"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_read_back_is_what_was_written(suffix: str, pairs: Pairs, tmp_path: Path) -> None:
    path = tmp_path / f"pairs.{suffix}"
    write_pairs(pairs, path)
    if ".jsonl" in path.name:
        assert rows_of(path) == [each.to_json() for each in pairs]
    else:
        assert rows_of(path) == pairs.table.to_pylist()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_pairs_give_the_same_bytes(suffix: str, tmp_path: Path) -> None:
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    write_pairs(make(SAMPLE), first)
    write_pairs(make(SAMPLE), second)
    assert first.read_bytes() == second.read_bytes()


def test_many_pairs_are_written_in_batches(tmp_path: Path) -> None:
    pairs = make([pair(str(n), "x") for n in range(25_000)])
    for suffix in ("jsonl", "csv"):
        path = tmp_path / f"pairs.{suffix}"
        write_pairs(pairs, path)
        assert [row["left"] for row in rows_of(path)] == [str(n) for n in range(25_000)]


@pytest.mark.parametrize(
    ("name", "kind", "compression"),
    [
        ("pairs.jsonl", "jsonl", None),
        ("PAIRS.JSONL", "jsonl", None),
        ("a.b.csv", "csv", None),
        ("folder.gz/pairs.csv", "csv", None),
        ("pairs.csv.gz", "csv", "gz"),
        ("a.b.jsonl.zst", "jsonl", "zst"),
        ("pairs.parquet", "parquet", None),
        ("pairs.gz.parquet", "parquet", None),
    ],
)
def test_the_suffix_names_the_format(name: str, kind: str, compression: str | None) -> None:
    assert kind_of(name) == (kind, compression)


@pytest.mark.parametrize(
    "name",
    [
        "pairs",
        "pairs.",
        "jsonl",
        "pairs.txt",
        "pairs.gz",
        "pairs.xlsx",
        "pairs.parquet.gz",
        "a.csv.7z",
    ],
)
def test_an_unknown_suffix_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(ParameterError) as caught:
        kind_of(name)
    assert all(f".{known}" in str(caught.value) for known in WRITERS)
    assert str(caught.value).startswith(f"{name}: ")


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_file_appears_complete_or_not_at_all(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(pairs: Pairs, file: IO[bytes]) -> None:
        file.write(b"half a line")
        raise error

    monkeypatch.setitem(files.WRITERS, "jsonl", fail)
    path = tmp_path / "pairs.jsonl"
    path.write_text("kept")
    with pytest.raises((SourceError, KeyboardInterrupt)) as caught:
        write_pairs(make(SAMPLE), path)
    if isinstance(error, OSError):
        message = "cannot write: No space left on device; nothing was written"
        assert str(caught.value) == f"{path}: {message}"
    assert path.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [path]


def test_while_it_is_written_a_file_has_another_name(tmp_path: Path) -> None:
    path, others = tmp_path / "pairs.jsonl", tmp_path / "pairs.jsonl.partial"
    others.write_text("kept")
    with replacing(path) as file:
        file.write(b"x")
        [aside] = {*tmp_path.iterdir()} - {others}
        assert re.fullmatch(r"pairs\.jsonl\.\w{16}\.partial", aside.name)
    assert path.read_bytes() == b"x"
    assert (others.read_text(), len(list(tmp_path.iterdir()))) == ("kept", 2)


def test_two_that_write_the_same_file_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / ("long" * 60 + ".jsonl")
    with replacing(path) as one:
        one.write(b"one, which takes longer")
        with replacing(path) as other:
            other.write(b"other")
        assert path.read_bytes() == b"other"
    assert path.read_bytes() == b"one, which takes longer"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "pairs.csv"
    link.symlink_to(tmp_path / "there" / "real.csv")
    write_pairs(make(SAMPLE), link)
    assert link.is_symlink()
    assert rows_of(tmp_path / "there" / "real.csv") == make(SAMPLE).table.to_pylist()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere/pairs.csv", "there is no folder"),
        ("file/pairs.csv", "there is no folder"),
        ("folder.csv", "it is not a file"),
        ("pipe.csv", "it is not a file"),
    ],
)
def test_where_nothing_can_be_written_is_said(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(SourceError, match=message):
        write_pairs(make(SAMPLE), tmp_path / name)


def test_a_folder_that_does_not_allow_writing_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing is forbidden to root, who may run this: the answer of the system is made up.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(SourceError, match="does not allow writing"):
        write_pairs(make(SAMPLE), tmp_path / "pairs.csv")


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_a_file_that_is_replaced_keeps_its_mode_24(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.touch()
    path.chmod(mode)
    write_pairs(make(SAMPLE), path)
    assert path.stat().st_mode & 0o777 == mode
    assert path.stat().st_size > 0


FORMULAS = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-a",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "'=1",
    "''+a",
    "\uff1d1",
]


def test_no_cell_of_a_csv_is_run_by_a_spreadsheet_24(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    harmless = ["plain", "a=b", "'tis", "-1.5", ""]
    pairs = make([pair(name, "x") for name in [*FORMULAS, *harmless]])
    write_pairs(pairs, path)
    rows = csv.DictReader(io.StringIO(path.read_bytes().decode(), newline=""))
    assert [row["left"] for row in rows] == [f"'{name}" for name in FORMULAS] + harmless
    assert read_found(path)["left"].to_pylist() == FORMULAS + harmless

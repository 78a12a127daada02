"""Ids, texts, titles and paths that would like to be something else: they stay what they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import Done, twicetold
from twicetold import Document
from twicetold.errors import DocumentError
from twicetold.index import Index

TEXT = "The dam broke on Monday. Ten villages lie below the water."
IDS = {
    "quotes": "a' OR '1'='1",
    "statement": "x'); DROP TABLE documents; --",
    "double quotes": 'say "no"',
    "pattern": "%_*?[a-z]",
    "parent": "../../../etc/passwd",
    "absolute": "/dev/null",
    "option": "--repair",
    "newline": "one\ntwo\r\nthree",
    "tab and bell": "a\tb\x07",
    "terminal": "\x1b[2J\x1b]0;title\x07",
    "nul": "a\x00b",
    "empty string like": "None",
    "not characters": "\ufffe\uffff",
    "right to left": "\u202egpj.exe",
    "two forms of e": "e\u0301",
    "one form of e": "\u00e9",
    "emoji": "\U0001f4a9" * 3,
    "number": "1e309",
    "long": "L" * 100_000,
    "spaces": "  ",
    "braces": "{0!r} %s $HOME `id`",
}


def add(path: Path, rows: list[dict[str, Any]], *options: object) -> Done:
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    return twicetold("index", "add", path, "-", "--format", "jsonl", *options, stdin=lines)


def row_of(name: str, n: int) -> dict[str, Any]:
    return {
        "id": name,
        "text": f"{TEXT} {name[:200]} word{n}.",
        "title": name[:300],
        "source": name[:300],
        "url": name[:300],
        "language": "en",
    }


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hostile") / 'it\'s "here"; --\n?mode=memory&cache=shared#'
    assert twicetold("index", "create", path, "--method", "codet").code == 0
    done = add(path, [row_of(name, n) for n, name in enumerate(IDS.values())], "--json")
    assert (done.code, [row["id"] for row in done.rows]) == (0, list(IDS.values())), done.err
    return path


def ids(path: Path) -> set[str]:
    return {row["id"] for row in twicetold("index", "export", path).rows}


def test_what_was_added_is_exported_as_it_was(full: Path) -> None:
    rows = {row["id"]: row for row in twicetold("index", "export", full).rows}
    for n, name in enumerate(IDS.values()):
        assert rows[name] == row_of(name, n)
    assert sorted(path.name for path in full.iterdir() if path.suffix != ".lock") == [
        "index.sqlite",
        "segments",
    ]


def test_each_is_found_by_search_info_and_check(full: Path) -> None:
    assert twicetold("index", "check", full).out == "all is well\n"
    info = json.loads(twicetold("index", "info", full, "--json").out)
    assert (info["documents"], info["path"]) == (len(IDS), str(full))
    assert "\n\n" not in twicetold("index", "info", full).out
    lines = json.dumps({"id": "new", "text": TEXT, "language": "en"}) + "\n"
    done = twicetold(
        "index", "search", full, "-", "--format", "jsonl", "--json", "--all-pairs", stdin=lines
    )
    found = {row[side] for row in done.rows for side in ("left", "right")}
    assert found == {*IDS.values(), "new"}
    shown = twicetold("index", "search", full, "-", "--format", "jsonl", "--limit", 99, stdin=lines)
    assert shown.code == 0
    assert "\x1b" not in shown.out
    assert "\x07" not in shown.out


@pytest.mark.parametrize("what", IDS)
def test_each_is_skipped_replaced_and_removed_and_nothing_else_is(full: Path, what: str) -> None:
    name = IDS[what]
    before = ids(full)
    assert name in before
    again = add(full, [row_of(name, 99)])
    assert again.code == 2
    assert again.err.count("\n") == 1
    assert "is in the index already" in again.err
    assert add(full, [row_of(name, 99)], "--on-duplicate", "skip", "--limit", 0).code == 0
    replaced = add(full, [row_of(name, 77)], "--on-duplicate", "replace", "--json")
    assert replaced.rows[0]["status"] == "replaced"
    if "\0" in name:  # no argument of a program can hold it
        with Index.open(full, write=True) as index:
            assert index.remove(name) == [name]
    else:
        done = twicetold("index", "remove", full, "--", name, "never' OR 1=1 --")
        assert done.out == "1 document removed\n"
        assert done.err.count("\n") == 1
    assert ids(full) == before - {name}
    assert add(full, [row_of(name, list(IDS).index(what))], "--limit", 0).code == 0
    assert ids(full) == before


def test_half_a_surrogate_pair_is_refused_in_an_id_and_kept_in_a_text(full: Path) -> None:
    """JSON and Python can hold what UTF-8 cannot. Readers put U+FFFD in its place."""
    before = ids(full)
    rows = [
        '{"id": "half\\ud800", "text": "Some words."}',
        '{"id": "half", "text": "Some \\udfff words.", "title": "\\ud800"}',
    ]
    lines = "".join(f"{row}\n" for row in rows)
    options = ("--format", "jsonl", "--json")
    assert twicetold("index", "add", full, "-", *options, stdin=lines).code == 0
    assert {*map(ascii, ids(full) - before)} == {"'half'", r"'half\ufffd'"}
    with Index.open(full, write=True) as index:
        bad = Document(id="whole\udc80", text="A text of its own.", language="en")
        with pytest.raises(DocumentError, match="has half of a surrogate pair in it; give another"):
            index.add(bad)
        assert index.remove(bad.id) == []
        assert index.search(bad) == []
        text = "A \udfff text \ud800 of its own."
        index.add(Document(id="odd", text=text, title="\udfff", language="en"))
        (odd,) = (one for one in index.documents() if one.id == "odd")
        assert (ascii(odd.text), ascii(odd.title)) == (ascii(text), ascii("\udfff"))
        assert index.check() == []
        index.rebuild()
        assert len(index.remove("odd", "half", "half\ufffd")) == 3
    assert ids(full) == before


def test_expiry_and_rebuild_leave_them_alone(full: Path) -> None:
    before = ids(full)
    assert twicetold("index", "expire", full, "--before", "1999-01-01").out == (
        "0 documents expired\n"
    )
    for bad in ("2024' OR 1=1", "'; DROP TABLE documents; --", "\ud800", "1e999"):
        assert twicetold("index", "expire", full, "--before", bad).code == 2
    assert twicetold("index", "rebuild", full).code == 0
    assert twicetold("index", "rebuild", full, "--method", "x'; --").code == 2
    assert (ids(full), twicetold("index", "check", full).code) == (before, 0)


def test_a_stream_takes_them_too(full: Path, tmp_path: Path) -> None:
    path = tmp_path / "'; --"
    lines = "".join(json.dumps(row_of(name, n)) + "\n" for n, name in enumerate(IDS.values()))
    done = twicetold(
        "stream", "--index", path, "--method", "codet", "--documents", "-q", stdin=lines
    )
    assert [row["id"] for row in done.rows] == list(IDS.values())
    again = twicetold("stream", "--index", path, "--documents", "-q", stdin=lines)
    assert {row["status"] for row in again.rows} == {"skipped"}
    assert ids(path) == ids(full)

"""``twicetold compare``, as a user calls it."""

import builtins
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import NEWS, twicetold, write_lines

DAM = "The old dam above the mill broke on Monday night. Ten people of the village are missing."


def test_a_pair_of_a_collection_is_told_in_plain_words() -> None:
    done = twicetold("compare", "wire-150", "wire-151", "--in", NEWS)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "near-duplicates: each is contained in the other"
    assert lines[1].startswith("probability 95% that left is told in right, ")
    assert lines[2] == "95% of wire-150 is in wire-151; 9 of 10 sentences; wire-150 is earlier"
    assert "[1] verbatim, score 100%" in lines
    assert "\x1b" not in done.out


def test_files_and_standard_input_are_compared(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.html"
    one.write_text(DAM)
    two.write_text(f"<title>T</title><p>It rained.<p>{DAM}<p>Nobody knows who pays for it now.")
    done = twicetold("compare", one, two)
    assert (done.code, done.err) == (0, "")
    assert "2 of 2 sentences" in done.out
    done = twicetold("compare", "-", one, "--format", "txt", stdin=DAM)
    assert (done.code, done.out.splitlines()[0]) == (0, "the same text")


def test_the_first_document_of_a_file_is_taken_and_that_is_said(tmp_path: Path) -> None:
    rows = write_lines(
        tmp_path / "rows.jsonl", [{"id": "x", "text": DAM}, {"id": "y", "text": "No."}]
    )
    one = tmp_path / "one.txt"
    one.write_text(DAM)
    done = twicetold("compare", rows, one)
    assert (done.code, done.out.splitlines()[0]) == (0, "the same text")
    assert "rows.jsonl: holds several documents, x is compared; others by id with --in" in done.err


def test_long_paths_are_called_by_their_ends(tmp_path: Path) -> None:
    folder = tmp_path / "a-folder-with-a-name" / "and-another-one-below-it"
    folder.mkdir(parents=True)
    for name in ("one.txt", "two.txt"):
        (folder / name).write_text(DAM)
    done = twicetold("compare", folder / "one.txt", folder / "two.txt")
    assert done.out.splitlines()[2] == "100% of one.txt is in two.txt; 2 of 2 sentences"


def test_json_is_the_pair_and_what_came_from_which_document() -> None:
    done = twicetold("compare", "wire-112", "wire-110", "wire-111", "--in", NEWS, "--json")
    found = json.loads(done.out)
    assert (found["left"], found["right"]) == ("wire-112", ["wire-110", "wire-111"])
    keys = ["left_in_right", "right_in_left", "left_content_in_right", "right_content_in_left"]
    for row in (found, *found["documents"]):
        assert all(0 <= row[key] <= 1 for key in [*keys, "resemblance", "score"])
        assert row["odds"] >= 0
        assert {"left", "right", "score", "type"} <= set(row["passages"][0])
    assert [row["right"] for row in found["documents"]] == ["wire-110", "wire-111"]
    assert [row["sentences"]["left_credited"] for row in found["documents"]] == [3, 8]
    assert found["earlier"] == "right"


def test_another_method_brings_its_parameters() -> None:
    arguments = ["compare", "haber-06", "haber-08", "--in", NEWS, "--json"]
    found = json.loads(twicetold(*arguments, "--method", "word-overlap", "--threshold", "0.05").out)
    assert (found["method"], found["threshold"]) == ("word-overlap", 0.05)
    assert found["relation"] == "near-duplicate"
    assert "left_content_in_right" not in found
    (passage,) = found["passages"]
    assert passage["type"] == "verbatim"


def test_limit_says_how_many_passages_there_are_more() -> None:
    done = twicetold("compare", "wire-112", "wire-110", "wire-111", "--in", NEWS, "--limit", 1)
    assert "1 more passage: see with --limit, --json or --report" in done.out
    assert "[2]" not in done.out


def test_a_report_and_a_dotplot_are_written(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    arguments = ["compare", "wire-112", "wire-110", "wire-111", "--in", NEWS]
    done = twicetold(*arguments, "--report", page)
    assert done.err == f"report: {page}\n"
    assert page.read_bytes().startswith(b"<!doctype html>")
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for suffix, start in starts.items():
        plot = tmp_path / f"plot.{suffix}"
        assert twicetold(*arguments, "--dotplot", plot, "--quiet").err == ""
        assert plot.read_bytes().startswith(start)
    first = (tmp_path / "plot.svg").read_bytes()
    twicetold(*arguments, "--dotplot", tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").read_bytes() == first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody", "wire-101", "--in", NEWS], "no document with the id 'nobody' in the sources"),
        (["nobody", "noone"], "nobody: no such file or folder"),
        (["-", "-"], "standard input was given more than once; it holds one document"),
        (["wire-101"], "missing argument 'RIGHT...'; see `twicetold compare --help`"),
        (
            ["a", "b", "--dotplot", "x.gif"],
            "x.gif: the suffix of a dotplot must be .png or .svg or .pdf",
        ),
        (["a", "b", "--report", "nowhere/x.html"], "there is no folder 'nowhere' to write to"),
        (
            ["wire-101", "wire-102", "--in", NEWS, "--method", "simhash"],
            "take retelling, word-overlap",
        ),
        (
            ["wire-101", "wire-102", "--in", NEWS, "--method", "magic"],
            "no method 'magic' to compare with",
        ),
        (
            ["wire-101", "wire-102", "--in", NEWS, "--bits", "32"],
            "retelling has no parameter 'bits'",
        ),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(arguments: list[object], message: str) -> None:
    done = twicetold("compare", *arguments)
    (line,) = done.err.splitlines()
    assert done.code == 2
    assert message in line


def test_a_dotplot_without_matplotlib_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = builtins.__import__

    def without(name: str, *arguments: Any, **options: Any) -> Any:
        if name.split(".", maxsplit=1)[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    done = twicetold("compare", "a", "b", "--dotplot", tmp_path / "x.png")
    message = "a dotplot as a file needs matplotlib; run `pip install matplotlib`"
    assert (done.code, done.err) == (1, f"twicetold: {message}\n")


def test_hostile_texts_and_ids_leave_the_terminal_alone(tmp_path: Path) -> None:
    text = f"\x1b[2J {DAM} \u202e\x07 [bold]not markup[/bold] [/] {DAM}"
    rows = [{"id": "\x1b]0;a\x07", "text": text}, {"id": "[red]b", "text": f"{text} More of it."}]
    path = write_lines(tmp_path / "rows.jsonl", rows)
    done = twicetold("compare", rows[0]["id"], rows[1]["id"], "--in", path)
    assert done.code == 0
    assert not set(done.out) & set("\x1b\x07\u202e")
    assert "[bold]not markup[/bold]" in " ".join(done.out.split())


def test_a_deadline_that_has_passed_is_one_line() -> None:
    arguments = ["compare", "wire-112", "wire-110", "--in", NEWS]
    line = (
        "twicetold: not done within the deadline of 0 seconds; "
        "give a longer one, or shorter documents\n"
    )
    assert twicetold(*arguments, "--deadline", 0) == (1, "", line)
    assert twicetold(*arguments, "--deadline", 3600) == twicetold(*arguments)
    assert twicetold(*arguments, "--deadline", -1).code == 2

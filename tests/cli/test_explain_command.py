"""``twicetold explain``, as a user calls it."""

import json
from pathlib import Path

import pytest

from tests.cli.calling import NEWS, twicetold, write_lines


def test_a_pair_of_a_collection_is_explained_in_words() -> None:
    options = ("--in", NEWS, "--limit", 2, "--method", "codet")
    done = twicetold("explain", "wire-101", "wire-103", *options)
    assert (done.code, done.err) == (0, "")
    assert "near-duplicates: each is contained in the other" in done.out
    assert "100.0% of left is in right" in done.out
    assert "shared features and what they add" in done.out
    assert "more sentences: see them with --limit or --json" in done.out


def test_a_pair_below_the_threshold_is_told_what_was_missing() -> None:
    done = twicetold("explain", "radio/market-hall.txt", "radio/harbour-bridge.txt", "--in", NEWS)
    assert done.code == 0
    assert "overlap, but neither is contained" in done.out
    assert "more of its weight would have reached the threshold" in done.out


def test_two_files_need_no_collection(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("The dam broke on Monday. Ten villages lie below it.")
    two.write_text("The dam broke on Monday.")
    done = twicetold("explain", one, two)
    assert done.code == 0
    assert "left contains right" in done.out
    assert "weights from these two documents alone (2 documents)" in done.out


def test_json_is_one_object_with_the_parameters_applied() -> None:
    options = ["--in", NEWS, "--json", "--threshold", "0.9", "--method", "codet", "--mode", "bag"]
    done = twicetold("explain", "wire-101", "wire-103", *options)
    found = json.loads(done.out)
    assert (done.code, found["threshold"]) == (0, 0.9)
    assert found["left"]["id"] == "wire-101"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody", "wire-101", "--in", NEWS], "no document with the id 'nobody' in the sources"),
        (["nobody", "noone"], "nobody: no such file or folder"),
        ([NEWS / "wire.jsonl", "wire-101", "--in", NEWS], "holds several documents"),
        (["wire-101", "wire-103", "--in", "nowhere"], "nowhere: no such file or folder"),
    ],
)
def test_what_cannot_be_found_is_told_in_one_line(arguments: list[object], message: str) -> None:
    done = twicetold("explain", *arguments)
    (line,) = done.err.splitlines()
    assert done.code == 2
    assert message in line


def test_hostile_text_does_not_reach_the_terminal(tmp_path: Path) -> None:
    rows = [{"id": f"{n}\u001b[2J", "text": "Evil \u001b[31mtext here."} for n in range(2)]
    path = write_lines(tmp_path / "a.jsonl", rows)
    done = twicetold("explain", "0\u001b[2J", "1\u001b[2J", "--in", path)
    assert done.code == 0
    assert "\u001b" not in done.out

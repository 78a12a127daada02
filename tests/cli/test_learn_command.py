"""``twicetold learn`` writes a model, and ``--model`` decides by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calling import NEWS, twicetold

LABELS = NEWS.parent / "labels.jsonl"
QUICK = ("--no-curve", "--no-contribution")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "m.skops"
    done = twicetold("learn", LABELS, "-o", path, *QUICK)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1] == f"written: {path}"
    return path


def test_figures_are_one_object_with_json() -> None:
    done = twicetold("learn", LABELS, "--json", "--folds", 3, "--sample-seed", 4)
    whole = json.loads(done.out)
    assert (whole["folds"], whole["seed"]) == (3, 4)
    assert whole["held_out"]["learned"]["f1"] > 0.9
    assert [row["name"] for row in whole["similarities"]] == [
        "left_in_right",
        "right_in_left",
        "resemblance",
    ]
    assert whole["curve"][0]["pairs"] == 10
    assert twicetold("learn", LABELS, "--json", "--folds", 3, "--sample-seed", 4).out == done.out


def test_a_scan_decides_by_a_model(model: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    done = twicetold("scan", NEWS, "--model", model, "-o", pairs, "--quiet")
    assert done.code == 0
    manifest = json.loads((tmp_path / "pairs.jsonl.manifest.json").read_text("utf-8"))
    assert manifest["parameters"]["method"] == "learned(codet)"
    assert manifest["parameters"]["members"][0]["method"] == "codet"
    rows = [json.loads(line) for line in pairs.read_text("utf-8").splitlines()]
    assert len(rows) >= 20
    assert all(row["score"] <= 1 for row in rows)
    strict = twicetold("scan", NEWS, "--model", model, "--threshold", 0.999, "--json")
    assert 0 < len(strict.rows) < len(rows)


def test_an_evaluation_compares_a_model_with_methods(model: Path) -> None:
    options = ("--model", model, "--bootstrap", 0, "--json")
    alone = json.loads(twicetold("evaluate", LABELS, *options).out)
    assert (alone["method"], alone["f1"] > 0.9) == ("learned(codet)", True)
    both = json.loads(twicetold("evaluate", LABELS, "--method", "imatch", *options).out)
    assert [each["method"] for each in both["evaluations"]] == ["imatch", "learned(codet)"]


def test_an_explanation_has_the_probability(model: Path) -> None:
    done = twicetold("explain", "wire-150", "wire-151", "--in", NEWS, "--model", model, "--json")
    found = json.loads(done.out)
    assert found["estimated"]
    rows = twicetold("scan", NEWS, "--model", model, "--json").rows
    (pair,) = (row for row in rows if (row["left"], row["right"]) == ("wire-150", "wire-151"))
    assert found["left"]["share"] == pytest.approx(pair["left_in_right"])
    assert found["relation"] == pair["relation"]


def test_edited_versions_are_made_where_there_are_no_labels(tmp_path: Path) -> None:
    path = tmp_path / "g.skops"
    several = ("--with", "codet.depth=3", "--with", "full-fingerprint.gram=2")
    options = ("--generate", NEWS, "--generate-documents", 30, *several, *QUICK)
    done = twicetold("learn", *options, "-o", path)
    assert done.code == 0
    assert done.out.startswith("edited: ")
    assert "of codet+full-fingerprint: linear" in done.out
    rows = twicetold("scan", NEWS, "--model", path, "--json").rows
    assert "identical" in {row["relation"] for row in rows}


def test_what_is_wrong_is_one_line(model: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.skops"
    other.write_bytes(b"no model")
    alone = tmp_path / "alone.txt"
    alone.write_text("The old dam broke on Monday.")
    for arguments, words in (
        (("learn",), "learning needs labels, or documents to make some from"),
        (("learn", LABELS, "--generate", NEWS), "name PATH or --generate"),
        (("learn", LABELS, "-o", tmp_path / "no" / "m.skops"), "there is no folder"),
        (("learn", LABELS, "--with", "nobody"), "no method 'nobody'; there are"),
        (("learn", LABELS, "--with", "codet.deep=3"), "codet has no parameter 'deep'"),
        (("learn", LABELS, "--ratio", 0), "ratio must be above 0, got 0.0"),
        (("learn", "--generate", alone), "at least 4 documents"),
        (("scan", NEWS, "--model", other), "is not a model of Twicetold"),
        (("scan", NEWS, "--model", model, "--depth", 3), "learned with depth 5, got 3"),
        (("scan", NEWS, "--model", model, "--method", "imatch"), "for codet, not for imatch"),
        (("scan", NEWS, "--model", model, "--profile", "plain"), "learned with the profile"),
        (("explain", "a", "b", "--in", NEWS, "--model", tmp_path), "cannot be read"),
        (("evaluate", LABELS, "--pairs", "p", "--model", model), "leave out --method and --model"),
    ):
        done = twicetold(*arguments)
        assert done.code == 2, arguments
        assert words in done.err
        assert done.err.count("\n") == 1

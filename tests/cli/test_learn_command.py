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
    done = twicetold("learn", LABELS, "--method", "codet", "-o", path, *QUICK)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1] == f"written: {path}"
    return path


def test_without_a_method_it_is_the_one_of_a_scan() -> None:
    done = twicetold("learn", LABELS, "--json", *QUICK)
    assert [each["method"] for each in json.loads(done.out)["members"]] == ["retelling"]


def test_figures_are_one_object_with_json() -> None:
    given = ("learn", LABELS, "--method", "codet", "--json", "--folds", 3, "--sample-seed", 4)
    done = twicetold(*given)
    whole = json.loads(done.out)
    assert (whole["folds"], whole["seed"]) == (3, 4)
    assert whole["held_out"]["learned"]["f1"] > 0.9
    assert [row["name"] for row in whole["similarities"]] == [
        "left_in_right",
        "right_in_left",
        "resemblance",
    ]
    assert whole["curve"][0]["pairs"] == 10
    assert twicetold(*given).out == done.out


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


def test_tables_and_reports_say_likely(model: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = twicetold("scan", NEWS, "--model", model, "--limit", 1, "--report", page)
    assert "how likely it is that left is in right" in done.out
    told = page.read_text("utf-8")
    assert "Percents say how likely it is" in told
    assert '"likely":true' in told.replace(" ", "")
    why = twicetold("explain", "wire-150", "wire-151", "--in", NEWS, "--model", model).out
    assert "likely that left is in right (by the model; of its weight" in why


def test_a_comparison_has_the_verdict_of_a_model_beside_the_passages(
    model: Path, tmp_path: Path
) -> None:
    ids, page = ("wire-150", "wire-151", "--in", NEWS), tmp_path / "page.html"
    rows = twicetold("scan", NEWS, "--model", model, "--json").rows
    (pair,) = (row for row in rows if (row["left"], row["right"]) == ids[:2])
    found = json.loads(twicetold("compare", *ids, "--model", model, "--json").out)
    default = json.loads(twicetold("compare", *ids, "--json").out)
    # Beside a model, shares stay those of the alignment.
    plain = json.loads(twicetold("compare", *ids, "--decision", "own", "--json").out)
    assert (found["method"], found["relation"]) == ("learned(codet)", pair["relation"])
    for name in ("left_in_right", "right_in_left", "score"):
        assert found["learned"][name] == pytest.approx(pair[name])
    assert default["learned"]["method"] == "retelling"
    assert "learned" not in plain
    assert found["passages"] == default["passages"]
    for name in ("passages", "left_in_right", "right_in_left", "sentences"):
        assert found[name] == plain[name]
    done = twicetold("compare", *ids, "--model", model, "--limit", 0, "--report", page)
    told = "decided by learned(codet): probability 99% that left is in right"
    assert done.out.splitlines()[1].startswith(told)
    assert told in page.read_text("utf-8")
    strict = twicetold("compare", *ids, "--model", model, "--threshold", 0.999, "--json")
    assert json.loads(strict.out)["relation"] == "overlap"


def test_a_model_judges_each_of_several_documents(model: Path, tmp_path: Path) -> None:
    ids, page = ("wire-150", "wire-151", "wire-101", "--in", NEWS), tmp_path / "page.html"
    options = ("--model", model, "--report", page)
    found = json.loads(twicetold("compare", *ids, *options, "--json").out)
    plain = json.loads(twicetold("compare", *ids, "--json").out)
    assert found.get("learned", {}).get("method") != "learned(codet)"
    assert (found["method"], found["relation"]) == (plain["method"], plain["relation"])
    each = [part["learned"]["relation"] for part in found["documents"]]
    assert (
        each == [part["relation"] for part in found["documents"]] == ["near-duplicate", "overlap"]
    )
    lines = twicetold("compare", *ids, *options, "--limit", 0).out.splitlines()
    assert sum("decided by learned(codet)" in line for line in lines) == 2
    assert page.read_text("utf-8").count("Of these two: ") == 2


def test_files_alone_are_judged_by_their_own_weights(model: Path, tmp_path: Path) -> None:
    text = "The old dam broke on Monday night. Ten houses were lost in the valley below it."
    for name, more in (("a.txt", ""), ("b.txt", " It rained again on Tuesday.")):
        (tmp_path / name).write_text(text + more)
    files = (tmp_path / "a.txt", tmp_path / "b.txt")
    found = json.loads(twicetold("compare", *files, "--model", model, "--json").out)
    told = json.loads(twicetold("explain", *files, "--model", model, "--json").out)
    assert found["learned"]["left_in_right"] == pytest.approx(told["left"]["share"])
    assert found["relation"] == told["relation"]


def test_statistics_are_counted_for_a_model(model: Path, tmp_path: Path) -> None:
    file = tmp_path / "news.stats"
    done = twicetold("statistics", "build", NEWS, "--model", model, "-o", file)
    assert done.code == 0
    options = ("scan", NEWS, "--model", model, "--json")
    assert twicetold(*options, "--statistics", file).out == twicetold(*options).out


def test_a_model_nominates_for_a_pool(model: Path, tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    done = twicetold("pool", "nominate", pool, NEWS, "--method", "imatch", "--model", model)
    assert (done.code, [line.partition(":")[0] for line in done.out.splitlines()[:2]]) == (
        0,
        ["imatch", "learned(codet)"],
    )
    (run,) = json.loads((pool / "pool.json").read_text("utf-8"))["methods"]["learned(codet)"]
    assert (run["threshold"], run["members"][0]["method"]) == (0.1, "codet")
    rows = twicetold(
        "scan", NEWS, "--model", model, "--all-pairs", "--threshold", 0.1, "--json"
    ).rows
    told = [json.loads(line) for line in (pool / "pairs.jsonl").read_text("utf-8").splitlines()]
    nominated = {frozenset((row["left"], row["right"])) for row in told if len(row["nominations"])}
    assert {frozenset((row["left"], row["right"])) for row in rows} <= nominated
    assert "learned(codet) nominated" in twicetold("pool", "status", pool).out


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
        (("compare", "a", "b", "--in", NEWS, "--model", other), "is not a model of Twicetold"),
        (("compare", "a", "b", "--in", NEWS, "--model", model, "--method", "qsign"), "for codet"),
        (("compare", "a", "b", "--in", NEWS, "--model", model, "--gap", 3), "no parameter 'gap'"),
        (("pool", "nominate", tmp_path / "p", NEWS, "--model", other), "is not a model"),
        (
            ("pool", "nominate", tmp_path / "p", NEWS, "--model", model, "--model", model),
            "learned(codet) nominates once in a pool, got it 2 times",
        ),
    ):
        done = twicetold(*arguments)
        assert done.code == 2, arguments
        assert words in done.err
        assert done.err.count("\n") == 1

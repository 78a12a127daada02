"""`twicetold evaluate`: figures as a table or as one object."""

import json
from pathlib import Path

import pytest

from tests.cli.calling import NEWS, twicetold
from tests.evaluation import making
from twicetold.cli.evaluate import show
from twicetold.evaluation import evaluate, read_labels
from twicetold.pipeline import DETECTORS

EXAMPLES = NEWS.parent


def test_a_table_for_people(tmp_path: Path) -> None:
    done = twicetold("evaluate", making.clough_stevenson(tmp_path / "answers"), "--bootstrap", 20)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == (
        "answers: 2 directed document pairs, 1 related (label 1 or more), 2 clusters"
    )
    assert lines[2] == "at every threshold"
    assert lines[3].split() == ["AUC", "avg.", "precision", "pearson", "spearman"]
    assert lines[4].startswith("  retelling  1.000 [1.000 1.000]  1.000 [1.000 1.000]  1.000")
    assert "as decided" in lines
    assert "without direction: right if either document is contained in the other" in lines
    assert lines[-1].startswith("[ ] 95% interval, from 20 resamples of documents")


def test_one_object_for_programs(tmp_path: Path) -> None:
    path = making.versions(tmp_path / "wiki")
    done = twicetold("evaluate", path, "--json", "--bootstrap", 10, "--sample-seed", 3)
    found = json.loads(done.out)
    assert (found["set"], found["method"], found["labels"]) == ("wiki", "retelling", "clusters")
    for name in ("precision", "recall", "f1", "accuracy", "auc"):
        assert found[name] == 1
    assert found["counts"]["true_positives"] == 1
    assert found["clustering"]["ari"] == found["clustering"]["bcubed_f1"] == 1
    assert (found["bootstrap"], found["seed"]) == (10, 3)
    assert found["best"]["f1"] == 1


def test_options_reach_the_detector_and_the_labels(tmp_path: Path) -> None:
    path = making.bills(tmp_path / "bills")
    given = ("--method", "codet", "--threshold", 1, "--depth", "none", "--positive-from", 4)
    found = json.loads(twicetold("evaluate", path, "--json", "--directed", *given).out)
    assert found["parameters"]["depth"] is None
    assert (found["threshold"], found["positive_from"], found["directed"]) == (1, 4, True)
    assert found["counts"]["positives"] == 0
    pan = making.pan(tmp_path / "pan")
    part = json.loads(twicetold("evaluate", pan, "--json", "--part", "02-no-obfuscation").out)
    assert part["counts"]["pairs"] == 2


def test_a_method_given_twice_is_judged_once(tmp_path: Path) -> None:
    path = making.own(tmp_path)
    done = twicetold("evaluate", path, "--method", "codet", "--method", "codet", "--json")
    assert json.loads(done.out)["method"] == "codet"


def test_every_method_is_in_the_table_and_in_the_object(tmp_path: Path) -> None:
    arguments = ["evaluate", making.own(tmp_path), "--bootstrap", 5, "--threshold", 0.4]
    arguments += [word for name in DETECTORS for word in ("--method", name)]
    done = twicetold(*arguments)
    assert (done.code, done.err) == (0, "")
    block = done.out.split("\n\n")[1].splitlines()[2:]
    assert [line.split()[0] for line in block] == list(DETECTORS)
    found = json.loads(twicetold(*arguments, "--json").out)
    every = found.get("evaluations", [found])
    assert [each["method"] for each in every] == list(DETECTORS)
    # A method without a threshold of its own is not given one.
    assert all(each["parameters"].get("threshold", 0.4) == 0.4 for each in every)


def test_two_evaluations_are_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    labels = read_labels(EXAMPLES / "labels.jsonl")
    first, second = (evaluate(labels, bootstrap=5, threshold=share) for share in (0.5, 0.9))
    show([first, second], as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert [each["threshold"] for each in found["evaluations"]] == [0.5, 0.9]
    assert found["more_than_first"]["retelling"]["recall"]["difference"] < 0


def test_pairs_of_a_file_and_labels_without_documents(tmp_path: Path) -> None:
    labels = making.write_json(
        tmp_path / "labels.jsonl",
        [
            {"left": "wire-101", "right": "wire-102", "label": True},
            {"left": "wire-101", "right": "blog-203", "label": False},
        ],
    )
    refused = twicetold("evaluate", labels)
    assert refused.code == 2
    assert "the labels name no documents" in refused.err
    direct = json.loads(twicetold("evaluate", labels, "--documents", NEWS, "--json").out)
    assert (direct["f1"], direct["counts"]["documents"]) == (1, 65)
    twicetold("scan", NEWS, "-o", tmp_path / "pairs.jsonl", "-q")
    pairs = ("--pairs", tmp_path / "pairs.jsonl", "--documents", NEWS, "--json")
    found = json.loads(twicetold("evaluate", labels, *pairs).out)
    assert (found["f1"], found["method"], found["seconds"]) == (1, "pairs.jsonl", None)


def test_what_is_wrong_is_one_line(tmp_path: Path) -> None:
    path = making.own(tmp_path)
    for arguments, words in (
        ((tmp_path / "nowhere",), "there is no such file or folder"),
        ((path, "--format", "pan"), "a labelled set has pairs or clusters, got neither"),
        ((path, "--threshold", 2), "threshold must be a number from 0 to 1, got 2.0"),
        ((path, "--part", "x"), "has no part 'x'; it has but one"),
        ((path, "--pairs", "none.jsonl"), "none.jsonl: there is no such file"),
        (
            (path, "--pairs", "p.jsonl", "--method", "codet"),
            "leave out --method and --model, or --pairs",
        ),
    ):
        done = twicetold("evaluate", *arguments)
        assert done.code == 2
        assert words in done.err
        assert len(done.err.splitlines()) == 1


def test_problems_of_documents_are_told_once(tmp_path: Path) -> None:
    path = making.own(tmp_path)
    with (path / "documents.jsonl").open("a") as file:
        file.write("{\n")
    done = twicetold("evaluate", path)
    assert done.code == 0
    assert done.err.splitlines()[-1] == "1 skipped: 1 bad json"
    assert twicetold("evaluate", path, "-q") == (0, "", "")
    asked = twicetold("evaluate", path, "-q", "--json")
    assert (asked.code, asked.err) == (0, "")
    assert json.loads(asked.out)["method"] == "retelling"

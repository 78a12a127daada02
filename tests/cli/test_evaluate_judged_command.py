"""`twicetold evaluate` of judged collections and judged removals."""

import json
from pathlib import Path

from tests.cli.calling import twicetold
from tests.evaluation import making


def test_a_judged_collection_is_known_by_its_file(tmp_path: Path) -> None:
    path = making.judged(tmp_path / "dams")
    done = twicetold("evaluate", path, "--bootstrap", 20)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("dams: 4 judged pairs: ")
    assert "related: who has read one need not read the other" in done.out
    assert "taken: related, or a passage with particular content is in both" in done.out
    found = json.loads(twicetold("evaluate", path, "--json", "--bootstrap", 0).out)
    assert (found["method"], found["labels"]) == ("retelling", "judgements")
    assert found["related"]["recall"] == 1
    sure = json.loads(twicetold("evaluate", path, "--json", "--only-sure").out)
    assert sure["counts"]["judged_pairs"] == 3


def test_several_methods_and_a_file_with_their_errors(tmp_path: Path) -> None:
    path, page = making.judged(tmp_path / "dams"), tmp_path / "errors.html"
    given = ("--method", "retelling", "--method", "codet", "--bootstrap", 5)
    done = twicetold("evaluate", path, *given, "--threshold", 1, "--errors", page)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1].endswith(f" to {page}")
    assert "pairs judged otherwise" in page.read_text("utf-8")
    found = json.loads(twicetold("evaluate", path, *given, "--json").out)
    assert [one["method"] for one in found["evaluations"]] == ["retelling", "codet"]
    assert "f1" in found["more_than_first"]["codet"]["related"]


def test_the_pairs_of_a_file_and_documents_from_elsewhere(tmp_path: Path) -> None:
    path = making.judged(tmp_path / "dams")
    moved = path.rename(tmp_path / "moved") / "judgements.jsonl"
    documents = moved.with_name("documents.jsonl").rename(tmp_path / "d.jsonl")
    refused = twicetold("evaluate", moved)
    assert refused.code == 2
    assert "there are no documents beside it" in refused.err
    direct = json.loads(twicetold("evaluate", moved, "--documents", documents, "--json").out)
    twicetold("scan", documents, "--all-pairs", "-o", tmp_path / "pairs.jsonl", "-q")
    found = json.loads(
        twicetold("evaluate", moved, "--pairs", tmp_path / "pairs.jsonl", "--json").out
    )
    assert found["related"] == direct["related"]


def test_options_without_a_meaning_are_refused(tmp_path: Path) -> None:
    judged, own = making.judged(tmp_path / "dams"), making.own(tmp_path / "own")
    removals = making.write_json(tmp_path / "r.jsonl", [{"removed": "a", "answer": "safe"}])
    for arguments, words in (
        ((judged, "--directed"), "--directed has no meaning with judged pairs; leave it out"),
        ((judged, "--judge-by", "odds"), "--judge-by has no meaning with judged pairs"),
        ((judged, "--errors", "e.pdf"), "texts are written for reading as .html, .md, .txt"),
        ((judged, "--pairs", "p.jsonl", "--method", "codet"), "leave out --method and --model"),
        ((own, "--errors", "e.html"), "--errors has no meaning without judged pairs"),
        ((own, "--only-sure"), "--only-sure has no meaning without judged pairs"),
        ((removals, "--method", "codet"), "--method has no meaning with judged removals"),
    ):
        done = twicetold("evaluate", *arguments)
        assert (done.code, len(done.err.splitlines())) == (2, 1)
        assert words in done.err


def test_judged_removals_are_counted(tmp_path: Path) -> None:
    rows = [{"removed": "a", "witness": "b", "answer": answer} for answer in ("safe", "loses")]
    path = making.write_json(tmp_path / "judged_removals_x.jsonl", rows)
    done = twicetold("evaluate", path)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("judged_removals_x: 2 removals judged\n")
    assert json.loads(twicetold("evaluate", path, "--json").out)["shares"]["safe"]["share"] == 0.5

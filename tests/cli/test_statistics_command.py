"""`twicetold statistics`: built ones serve a scan, and can be looked into."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.calling import NEWS, twicetold
from twicetold import Document, Statistics, counting, scan
from twicetold.detectors.codet import CoDet


@pytest.fixture
def built(tmp_path: Path) -> Path:
    path = tmp_path / "news.statistics"
    options = ("--method", "codet", "--max-key-documents", 3)
    done = twicetold("statistics", "build", NEWS, "-o", path, *options)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{path}: 3,020 terms of 65 documents, version ")
    return path


def test_a_scan_with_the_statistics_of_a_collection_is_a_scan_of_it(built: Path) -> None:
    codet = ("--method", "codet")
    alone = twicetold("scan", NEWS, "--max-key-documents", 3, "--json", *codet)
    pinned = twicetold("scan", NEWS, "--statistics", built, "--json", *codet)
    assert pinned.rows == alone.rows
    assert "the statistics say so" in twicetold("scan", NEWS, "--statistics", built, *codet).out


def test_frequent_keys_are_pinned_for_the_detector_given(built: Path, tmp_path: Path) -> None:
    assert Statistics.load(built).pinned == (CoDet().keys_form,)
    path = tmp_path / "other.statistics"
    codet, plain = ("--method", "codet"), ("--profile", "plain")
    twicetold("statistics", "build", NEWS, "-o", path, *codet, "--depth", "none", *plain)
    other = Statistics.load(path)
    assert other.pinned == (CoDet(depth=None).keys_form,)
    assert other.profile.stop_words == "keep"
    assert other.origin == str(NEWS)


def test_4_grams_are_counted_where_asked(built: Path, tmp_path: Path) -> None:
    path = tmp_path / "grams.statistics"
    asked = ("--method", "codet", "--method", "rare-grams", "--profile", "fuzzy-set")
    assert twicetold("statistics", "build", NEWS, "-o", path, *asked).code == 0
    pinned = twicetold("scan", NEWS, "--statistics", path, "--method", "rare-grams", "--json")
    assert pinned.rows == twicetold("scan", NEWS, "--method", "rare-grams", "--json").rows
    shown = twicetold("statistics", "show", path, "--json").out
    n_grams = Statistics.load(path).grams.n_grams
    assert json.loads(shown)["grams"] == n_grams > 1000
    assert f"4-grams    {n_grams:,}" in twicetold("statistics", "show", path).out
    assert json.loads(twicetold("statistics", "show", built, "--json").out)["grams"] is None
    refused = twicetold("scan", NEWS, "--statistics", built, "--method", "rare-grams")
    assert refused.code != 0
    assert "hold no frequencies of 4-grams; build them with" in refused.err


def test_a_file_for_several_methods_serves_each_of_them(tmp_path: Path) -> None:
    path = tmp_path / "all.statistics"
    methods = ("fuzzy-set", "rare-grams", "codet")
    asked = [word for method in methods for word in ("--method", method)]
    assert twicetold("statistics", "build", NEWS, "-o", path, *asked, "--depth", 3).code == 0
    for method in methods:
        how = (
            "--method",
            method,
            "--profile",
            "fuzzy-set",
            *(("--depth", 3) * (method == "codet")),
        )
        pinned = twicetold("scan", NEWS, "--statistics", path, *how, "--json")
        assert pinned.rows == twicetold("scan", NEWS, *how, "--json").rows != []


def test_show_tells_which_words_correlate(built: Path, tmp_path: Path) -> None:
    path = tmp_path / "fuzzy.statistics"
    twicetold("statistics", "build", NEWS, "-o", path, "--method", "fuzzy-set")
    form = "unit=sentence floor=0.05 min-count=5 max-share=0.2"
    matrix = Statistics.load(path).correlations(form)
    assert matrix is not None
    found = json.loads(twicetold("statistics", "show", path, "--json").out)["correlations"]
    assert found == {form: {"words": matrix.n_words, "pairs": matrix.n_pairs}}
    assert found[form]["pairs"] > 10
    told = f"correlated {matrix.n_words:,} words in {matrix.n_pairs:,} pairs: {form}\n"
    assert told in twicetold("statistics", "show", path).out
    assert json.loads(twicetold("statistics", "show", built, "--json").out)["correlations"] == {}


def test_building_tells_problems_like_a_scan(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text('{"id": "a", "text": "Shares fell."}\n{\n', "utf-8")
    done = twicetold("statistics", "build", source, "-o", tmp_path / "s")
    assert done.code == 0
    assert done.err.splitlines()[-1] == "1 skipped: 1 bad json"
    assert twicetold("statistics", "build", source, "-o", tmp_path / "s", "--strict").code == 2
    assert twicetold("statistics", "build", source, "-o", tmp_path / "s", "-q") == (0, "", "")


def test_show_tells_what_was_counted_and_what_words_weigh(built: Path) -> None:
    asked = ("--top", 2, "--term", "Bridges", "--term", "the", "--language", "en")
    lines = twicetold("statistics", "show", built, *asked).out.splitlines()
    assert lines[0].split() == ["documents", "65"]
    assert lines[1].split() == ["terms", "3,020"]
    assert lines[3].split() == ["origin", str(NEWS)]
    assert lines[5].startswith("pinned     11 frequent keys of codet ")
    assert [line.split() for line in lines[7:10]] == [
        ["frequent", "term", "documents", "idf"],
        ["on", "49", "1.28"],
        ["the", "49", "1.28"],
    ]
    assert [line.split() for line in lines[11:]] == [
        ["word", "term", "documents", "idf"],
        ["Bridges", "bridg", "5", "3.56"],
        ["the", "(stop", "word)"],
    ]


def test_show_as_json_is_one_object(built: Path) -> None:
    done = twicetold("statistics", "show", built, "--json", "--top", 1, "--term", "bridg")
    found = json.loads(done.out)
    statistics = Statistics.load(built)
    assert found["documents"] == 65
    assert found["terms"] == 3020
    assert found["version"] == statistics.version
    assert found["frequent_keys"] == {CoDet().keys_form: 11}
    assert [row["term"] for row in found["top"]] == ["on"]
    assert found["words"] == [
        {"word": "bridg", "term": "bridg", "documents": 5, "idf": pytest.approx(3.5649, abs=1e-4)}
    ]


def test_a_reference_needs_no_collection(tmp_path: Path) -> None:
    path = tmp_path / "tr.statistics"
    done = twicetold("statistics", "reference", "tr", "-o", path, "--profile", "plain")
    assert (done.code, done.err) == (0, "")
    assert "terms of 1,000,000 documents" in done.out
    assert Statistics.load(path).frequency("ve") > 100_000
    assert twicetold("statistics", "reference", "xx", "-o", path).code == 2


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    done = twicetold("statistics", "reference", "tr", "-o", tmp_path / "x")
    assert done.code == 1
    assert "pip install 'wordfreq[cjk]'" in done.err


def test_statistics_can_be_built_from_documents_themselves() -> None:
    documents = [Document(id=str(n), text=f"Shares lose {n}%. Oil is up.") for n in range(5)]
    statistics = counting.build_statistics(documents, method="codet", max_key_documents=4, depth=3)
    assert statistics.documents == 5
    pairs = scan(documents, method="codet", statistics=statistics, depth=3)
    alone = scan(documents, method="codet", max_key_documents=4, depth=3)
    assert pairs.table.equals(alone.table)

"""Pooling: nominations to judgements to a test collection, and no judgement is ever lost."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluation.making import write_json
from twicetold import scan
from twicetold.documents import read
from twicetold.errors import FormatError, ParameterError, SourceError
from twicetold.evaluation import evaluate_judged, read_judged
from twicetold.evaluation.answers import ANSWERS, RELATED, Answer, rubric
from twicetold.evaluation.collecting import adjudicate, collect, status
from twicetold.evaluation.permissive import PERMISSIVE, overrides, permissive
from twicetold.evaluation.pool import Pool
from twicetold.evaluation.pooling import default_methods, nominate
from twicetold.evaluation.strata import allotted
from twicetold.pipeline import DETECTORS, detector_class

NEWS = Path(__file__).resolve().parents[2] / "examples" / "news"

Judge = Callable[[dict[str, Any]], str | None]


def judge(folder: Path, assessor: str, answer: Judge, note: str = "") -> None:
    """Answer every line of an assessor, as a person or a web page would."""
    for file in sorted((folder / "judgements" / assessor).glob("*.jsonl")):
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        for row in rows:
            row["answer"] = answer(row)
            row["note"] = note
        write_json(file, rows)


def by_length(row: dict[str, Any]) -> str:
    """Judge in a way that has nothing to do with any detector."""
    left, right = row["left"]["characters"], row["right"]["characters"]
    return "unrelated" if left % 3 == 0 else "contained" if left < right else "contains"


def in_turn(answers: Iterable[str]) -> Judge:
    """Give answers one after the other, whatever is asked."""
    left = iter(answers)
    return lambda _: next(left)


def lines(folder: Path, assessor: str) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for file in sorted((folder / "judgements" / assessor).glob("*.jsonl"))
        for line in file.read_text("utf-8").splitlines()
    ]


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    folder = tmp_path / "pool"
    nominate(folder, [NEWS], methods=["codet"], parameters={"codet": {"threshold": 0.4}}, groups=4)
    return folder


def test_nominated_is_what_the_detector_decides_on(pool: Path) -> None:
    found = Pool.load(pool)
    pairs = scan(NEWS, method="codet", threshold=0.4, all_pairs=True)
    assert {(p.left, p.right) for p in found.pairs.values()} == {(p.left, p.right) for p in pairs}
    for pair in pairs:
        (entry,) = (p for p in found.pairs.values() if (p.left, p.right) == (pair.left, pair.right))
        assert entry.nominations == {
            "codet": {
                "score": pair.score,
                "left_in_right": pair.left_in_right,
                "right_in_left": pair.right_in_left,
            }
        }
    assert [run["threshold"] for run in found.methods["codet"]] == [0.4]
    assert found.documents == 65


def test_each_pair_is_in_one_group_and_groups_are_of_equal_size(pool: Path) -> None:
    found = Pool.load(pool)
    sizes = Counter(pair.group for pair in found.pairs.values())
    assert set(sizes) == {1, 2, 3, 4}
    assert max(sizes.values()) - min(sizes.values()) <= 1
    for assessor in ("first", "second"):
        rows = lines(pool, assessor)
        assert sorted(row["pair"] for row in rows) == sorted(found.pairs)
        for row in rows:
            assert row["group"] == found.pairs[row["pair"]].group
            assert (row["assessor"], row["answer"], row["note"]) == (assessor, None, "")
            assert row["sure"] is True
            assert row["left"]["id"] == found.pairs[row["pair"]].left
            assert row["left"]["text"]
            assert "nominations" not in row


def test_the_same_pool_is_made_again(pool: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    given: dict[str, Any] = {
        "methods": ["codet"],
        "parameters": {"codet": {"threshold": 0.4}},
        "groups": 4,
    }
    nominate(again, [NEWS], **given)
    assert (again / "pairs.jsonl").read_bytes() == (pool / "pairs.jsonl").read_bytes()
    assert lines(again, "first") == lines(pool, "first")
    other = tmp_path / "other"
    nominate(other, [NEWS], **given, group_seed=1)
    assert lines(other, "first") != lines(pool, "first")


def test_another_method_asks_only_for_its_new_pairs(pool: Path) -> None:
    judge(pool, "first", by_length, "my note")
    before = lines(pool, "first")
    known = Pool.load(pool)
    counts = nominate(pool, methods=["codet"], parameters={"codet": {"threshold": 0.1}})
    after = Pool.load(pool)
    assert counts["new"] == len(after.pairs) - len(known.pairs) > 0
    assert counts["written"] == 2 * counts["new"]
    rows = {row["pair"]: row for row in lines(pool, "first")}
    assert [rows[row["pair"]] for row in before] == before
    assert {row["pair"] for row in rows.values() if row["answer"] is None} == (
        set(after.pairs) - set(known.pairs)
    )
    assert all(after.pairs[pair].group == known.pairs[pair].group for pair in known.pairs)
    sizes = Counter(pair.group for pair in after.pairs.values())
    assert max(sizes.values()) - min(sizes.values()) <= 1
    # A third time, there is nothing new to ask.
    files = {f: f.read_bytes() for f in pool.rglob("*.jsonl")}
    assert nominate(pool, methods=["codet"], parameters={"codet": {"threshold": 0.2}})["new"] == 0
    assert {f: f.read_bytes() for f in files if "judgements" in f.parts} == {
        f: content for f, content in files.items() if "judgements" in f.parts
    }


def test_a_line_that_is_missing_is_written_again(pool: Path) -> None:
    judge(pool, "second", by_length)
    whole = {row["pair"]: row for row in lines(pool, "second")}
    file = pool / "judgements" / "second" / "01.jsonl"
    lost, *kept = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    write_json(file, kept)
    nominate(pool, methods=["codet"], parameters={"codet": {"threshold": 0.4}})
    found = {row["pair"]: row for row in lines(pool, "second")}
    assert found.pop(lost["pair"])["answer"] is None
    whole.pop(lost["pair"])
    assert found == whole


def test_a_file_that_cannot_be_read_is_not_written(pool: Path) -> None:
    file = pool / "judgements" / "first" / "02.jsonl"
    file.write_bytes(file.read_bytes() + b'{"pair": "half of a')
    content = file.read_bytes()
    with pytest.raises(FormatError, match=r"02\.jsonl:\d+: not a judgement: .*; mend the line"):
        nominate(pool, methods=["codet"])
    assert file.read_bytes() == content


def test_a_write_that_fails_leaves_what_was_there(
    pool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(pool, "first", by_length)
    before = {f: f.read_bytes() for f in pool.rglob("*.json*")}

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device"):
        nominate(pool, methods=["codet"])
    assert {f: f.read_bytes() for f in pool.rglob("*.json*")} == before


def test_kappa_is_told_in_all_and_by_group(pool: Path) -> None:
    empty = status(pool)
    assert (empty["kappa"], empty["mean_kappa_of_groups"], empty["judged_by_both"]) == (
        None,
        None,
        0,
    )
    # Half a table of yes and no, by the place in the file: the golden one needs a hundred pairs.
    answers = (["contained"] * 2, ["contained", "unrelated"], ["unrelated"] * 2)
    for n, assessor in enumerate(("first", "second")):
        judge(pool, assessor, in_turn([pair[n] for pair in answers] * 100))
    found = status(pool)
    n = found["pairs"]
    both = [answers[place % 3] for place in range(n)]
    same = sum(a == b for a, b in both) / n
    first, second = (sum(pair[k] == "contained" for pair in both) / n for k in (0, 1))
    chance = first * second + (1 - first) * (1 - second)
    assert (
        found["kappa"] == found["kappa_of_answers"] == pytest.approx((same - chance) / (1 - chance))
    )
    assert found["judged"] == {"first": n, "second": n, "adjudicator": 0}
    assert found["agreed"] + found["conflicts"] == n
    kappas = [group["kappa"] for group in found["groups"]]
    assert len(kappas) == 4
    assert found["mean_kappa_of_groups"] == pytest.approx(sum(kappas) / 4)
    assert sum(group["pairs"] for group in found["groups"]) == n


def test_the_golden_kappa_comes_out_of_files(tmp_path: Path) -> None:
    sources = write_json(
        tmp_path / "d.jsonl",
        [{"id": f"{n:03}", "text": f"Word{n} stands alone. All say this."} for n in range(101)],
    )
    nominate(
        tmp_path / "pool",
        [sources],
        methods=["codet"],
        parameters={"codet": {"threshold": 0.0}},
        top=100,
        groups=1,
    )
    table = {("contained", "contains"): 50, ("contained", "unrelated"): 10,
             ("unrelated", "near-duplicate"): 5, ("unrelated", "unrelated"): 35}  # fmt: skip
    both = [answers for answers, times in table.items() for _ in range(times)]
    for n, assessor in enumerate(("first", "second")):
        judge(tmp_path / "pool", assessor, in_turn([pair[n] for pair in both]))
    found = status(tmp_path / "pool")
    assert found["kappa"] == pytest.approx(0.6939, abs=5e-5)
    assert found["conflicts"] == 65


def test_conflicts_go_to_the_adjudicator_once(pool: Path) -> None:
    judge(pool, "first", by_length, "short")
    judge(pool, "second", lambda row: "unrelated")
    found = adjudicate(pool)
    asked = lines(pool, "adjudicator")
    assert found["conflicts"] == found["written"] == found["open"] == len(asked) > 0
    for row in asked:
        assert row["assessor"] == "adjudicator"
        assert row["answer"] is None
        assert row["answers"] == {"first": by_length(row), "second": "unrelated"}
        assert row["notes"] == {"first": "short", "second": ""}
    judge(pool, "adjudicator", lambda row: "contained")
    again = adjudicate(pool)
    assert (again["written"], again["open"]) == (0, 0)
    assert {row["answer"] for row in lines(pool, "adjudicator")} == {"contained"}
    counted = status(pool)
    assert counted["related"] == counted["conflicts"]
    assert counted["decided"] == counted["pairs"]


def test_a_pool_becomes_a_collection_that_evaluate_reads(pool: Path, tmp_path: Path) -> None:
    truth: Mapping[str, Answer] = dict(
        zip(sorted(Pool.load(pool).pairs), ANSWERS * 100, strict=False)
    )
    judge(pool, "first", lambda row: truth[row["pair"]], "my note")
    judge(pool, "second", lambda row: truth[row["pair"]])
    output = tmp_path / "collection"
    counts = collect(pool, output)
    found = read_judged(output)
    assert counts["pairs"] == len(found.pairs)
    assert counts["related"] == sum(pair.answer in RELATED for pair in found.pairs)
    assert {pair.id: pair.answer for pair in found.pairs} == truth
    assert all(pair.first == pair.second == pair.answer for pair in found.pairs)
    assert {(pair.weight, pair.stratum, pair.sure, pair.note) for pair in found.pairs} == {
        (1.0, "", True, "my note")
    }
    assert (output / "RUBRIC.md").read_text("utf-8") == rubric()
    judged = evaluate_judged(output, method="codet", bootstrap=0, threshold=0.4)
    assert judged.counts["documents"] == 65
    assert all(said.is_reported for said in judged.said)
    assert judged.related.fixed.recall == 1
    assert judged.related.fixed.precision == counts["related"] / counts["pairs"]


def test_the_adjudicator_decides_what_is_collected(pool: Path, tmp_path: Path) -> None:
    judge(pool, "first", lambda row: "overlap")
    judge(pool, "second", lambda row: "stock")
    adjudicate(pool)
    judge(pool, "adjudicator", lambda row: "contained", "a copy")
    for file in (pool / "judgements" / "adjudicator").glob("*.jsonl"):
        file.write_text(file.read_text("utf-8").replace('"sure": true', '"sure": false'), "utf-8")
    collect(pool, tmp_path / "collection")
    for pair in read_judged(tmp_path / "collection").pairs:
        assert (pair.answer, pair.first, pair.second) == ("contained", "overlap", "stock")
        assert (pair.sure, pair.note) == (False, "a copy")


def test_a_judgement_of_before_has_the_same_answers(pool: Path) -> None:
    """Lines that were written before there were six answers have no `sure`."""
    for file in (pool / "judgements").rglob("*.jsonl"):
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        write_json(file, [{k: v for k, v in row.items() if k != "sure"} for row in rows])
    for assessor in ("first", "second"):
        judge(pool, assessor, by_length)
    assert status(pool)["agreed"] == status(pool)["pairs"]
    collect(pool, pool.parent / "collection")
    assert all(pair.sure for pair in read_judged(pool.parent / "collection").pairs)


def test_assessors_are_given_whole_texts(tmp_path: Path) -> None:
    long = " ".join(f"Sentence {n} of a long report ends here." for n in range(900))
    rows = [{"id": name, "text": f"{long} The end of {name}."} for name in ("a", "b")]
    pool = tmp_path / "pool"
    nominate(pool, [write_json(tmp_path / "d.jsonl", rows)], methods=["codet"], groups=1)
    [row] = lines(pool, "first")
    for side in ("left", "right"):
        assert row[side]["text"].endswith(f"The end of {row[side]['id']}.")
        assert row[side]["characters"] == len(row[side]["text"])
    page = re.sub("</?mark>", "", (pool / "reading" / "01.html").read_text("utf-8"))
    assert page.count("Sentence 899 of a long report ends here.") == 2
    assert page.count("<details>") == 2
    assert "The end of b." in page
    assert (pool / "RUBRIC.md").read_text("utf-8") == rubric()


def test_what_a_method_that_finds_passages_reports_as_overlap_is_nominated(tmp_path: Path) -> None:
    nominate(tmp_path / "pool", [NEWS], methods=["retelling"])
    pairs = scan(NEWS, all_pairs=True, passages=False)
    assert any(pair.relation == "overlap" for pair in pairs)
    found = Pool.load(tmp_path / "pool").pairs.values()
    assert {(p.left, p.right) for p in found} == {(p.left, p.right) for p in pairs}


def sampled(folder: Path, **given: Any) -> Pool:
    nominate(folder, [NEWS], methods=["retelling", "codet", "dsc"], **given)
    return Pool.load(folder)


def test_a_sample_stands_for_all_pairs(tmp_path: Path) -> None:
    pool = sampled(tmp_path / "pool", sample=16)
    assert len(pool.pairs) == 16
    drawn = Counter(pair.stratum for pair in pool.pairs.values())
    assert drawn == {name: known["drawn"] for name, known in pool.strata.items()}
    every = sampled(tmp_path / "every")
    texts = {document.id: document.text for document in read(NEWS)}
    different = [p for p in every.pairs.values() if texts[p.left] != texts[p.right]]
    assert len(different) < len(every.pairs)
    assert sum(known["pairs"] for known in pool.strata.values()) == len(different)
    # Weights of judged pairs are sizes of strata over those that were judged.
    lost = next(pair for pair in pool.pairs.values() if drawn[pair.stratum] > 1)
    for assessor in ("first", "second"):
        judge(tmp_path / "pool", assessor, lambda r: None if r["pair"] == lost.id else "stock")
    collect(tmp_path / "pool", tmp_path / "collection")
    found = read_judged(tmp_path / "collection").pairs
    assert len(found) == 15
    assert sum(pair.weight for pair in found) == pytest.approx(len(different))
    for pair in found:
        n = drawn[pair.stratum] - (pair.stratum == lost.stratum)
        assert pair.weight == pool.strata[pair.stratum]["pairs"] / n


def test_the_same_seed_draws_the_same_sample(tmp_path: Path) -> None:
    one, again, other = (
        sampled(tmp_path / f"{n}", sample=16, group_seed=seed) for n, seed in enumerate((5, 5, 6))
    )
    assert list(one.pairs) == list(again.pairs)
    assert set(one.pairs) != set(other.pairs)


def test_a_sample_is_drawn_once(pool: Path, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="is a pool of all pairs already; make another one"):
        nominate(pool, methods=["dsc"], sample=10)
    with pytest.raises(ParameterError, match=r"a pair of each of the \d+ strata, got 1; ask for"):
        sampled(tmp_path / "small", sample=1)
    sampled(tmp_path / "sample", sample=16)
    with pytest.raises(ParameterError, match="is a sample, which is drawn at once; make another"):
        nominate(tmp_path / "sample", methods=["imatch"])
    with pytest.raises(ParameterError, match="a sample must have at least 1 pair, got 0"):
        sampled(tmp_path / "none", sample=0)
    copies = write_json(tmp_path / "d.jsonl", [{"id": n, "text": "One line."} for n in "ab"])
    with pytest.raises(ParameterError, match="no method nominates a pair of different texts"):
        nominate(tmp_path / "copies", [copies], methods=["codet"], sample=5)


@given(st.dictionaries(st.text(min_size=1), st.integers(1, 50), min_size=1), st.integers(1, 300))
def test_every_stratum_gives_what_it_has_or_as_much_as_any_other(
    sizes: dict[str, int], sample: int
) -> None:
    if sample < len(sizes):
        return
    found = allotted(sizes, sample)
    assert sum(found.values()) == min(sample, sum(sizes.values()))
    most = max(found.values())
    assert all(1 <= n <= sizes[name] for name, n in found.items())
    assert all(n == sizes[name] or n >= most - 1 for name, n in found.items())


def test_only_decided_pairs_are_collected(pool: Path, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="no pair is judged by both assessors yet"):
        collect(pool, tmp_path / "none")
    judge(pool, "first", lambda row: "contained")
    judge(pool, "second", lambda row: "contained" if row["group"] == 1 else None)
    counts = collect(pool, tmp_path / "some")
    in_first = sum(pair.group == 1 for pair in Pool.load(pool).pairs.values())
    assert counts["pairs"] == in_first
    assert counts["left_out"] == len(Pool.load(pool).pairs) - in_first


def test_what_cannot_be_understood_is_told_with_file_and_line(pool: Path) -> None:
    file = pool / "judgements" / "first" / "01.jsonl"
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    rows[0]["answer"] = " Contained "
    rows[1]["answer"] = "maybe"
    rows[2]["answer"] = 7
    rows[3]["answer"] = "unrelated"
    write_json(
        file, [*rows, {**rows[3], "answer": "contains"}, {"pair": "unknown", "answer": None}]
    )
    file.write_bytes(file.read_bytes() + b"[1]\n{broken\n")
    found = status(pool)
    end = len(rows)
    wanted = f"an answer must be {', '.join(ANSWERS)} or null"
    twice = f"pair {rows[3]['pair']} is answered twice, unrelated and contains; keep one"
    *problems, last = found["problems"]
    assert problems == [
        f"{file}:2: {wanted}, got 'maybe'",
        f"{file}:3: {wanted}, got 7",
        f"{file}:{end + 1}: {twice}",
        f"{file}:{end + 2}: no such pair in the pool: 'unknown'",
        f"{file}:{end + 3}: no such pair in the pool: [1]",
    ]
    assert last.startswith(f"{file}:{end + 4}: not JSON: ")
    assert found["judged"]["first"] == 1


def test_a_pool_keeps_to_its_documents(tmp_path: Path) -> None:
    source = write_json(tmp_path / "d.jsonl", [{"id": n, "text": "One line."} for n in range(3)])
    pool = tmp_path / "pool"
    nominate(pool, [source], methods=["codet"])
    with pytest.raises(ParameterError, match="; make another for other sources"):
        nominate(pool, [NEWS])
    write_json(source, [{"id": n, "text": "One line."} for n in range(4)])
    with pytest.raises(
        ParameterError, match="documents have changed since the pool was made, from 3 to 4"
    ):
        nominate(pool, methods=["codet"])
    with pytest.raises(ParameterError, match="put them into a file instead of -"):
        nominate(tmp_path / "other", ["-"])
    with pytest.raises(ParameterError, match="is no pool yet; name the sources"):
        nominate(tmp_path / "other")
    with pytest.raises(SourceError, match="holds no pool; make one with"):
        status(tmp_path / "other")


@pytest.mark.parametrize(
    "assessors", [("ann",), ("ann", "ann"), ("ann", "adjudicator"), ("ann", "../bob")]
)
def test_it_takes_two_assessors(assessors: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="assessor"):
        nominate(tmp_path, [NEWS], assessors=assessors)


def test_parameters_of_a_method_that_does_not_nominate_are_refused(tmp_path: Path) -> None:
    given = overrides(["simhash.distance=4"])
    with pytest.raises(ParameterError, match="simhash has parameters, and does not nominate"):
        nominate(tmp_path / "pool", [NEWS], methods=["codet"], parameters=given)
    assert not (tmp_path / "pool").exists()


def test_a_file_is_no_place_for_a_pool(tmp_path: Path) -> None:
    file = tmp_path / "news.jsonl"
    file.write_text("{}")
    with pytest.raises(ParameterError, match="is a file, and a pool is a folder"):
        nominate(file, [NEWS])


@pytest.mark.parametrize("method", DETECTORS)
def test_every_method_can_nominate(method: str) -> None:
    detector = permissive(method)
    assert detector.name == method
    assert detector.threshold <= detector_class(method)().threshold


def test_retelling_and_the_five_methods_of_the_paper_pool() -> None:
    five = ["codet", "full-fingerprint", "dsc", "imatch", "simhash"]
    assert default_methods() == list(PERMISSIVE) == ["retelling", *five]
    assert permissive("retelling") == detector_class("retelling")()


@pytest.mark.parametrize(
    "word", ["codet", "codet.depth", "codet=3", "codex.depth=3", "codet.breadth=3"]
)
def test_a_parameter_nobody_has_is_refused(word: str) -> None:
    with pytest.raises(ParameterError):
        overrides([word])


def test_parameters_have_the_type_of_their_declaration() -> None:
    words = ["codet.depth=3", "codet.word-sorting=off", "codet.mode=bag", "codet.threshold=1e-1"]
    given = {"depth": 3, "word_sorting": False, "mode": "bag", "threshold": 0.1}
    assert overrides(words) == {"codet": given}
    with pytest.raises(ParameterError, match="depth must be a whole number"):
        permissive("codet", overrides(["codet.depth=deep"])["codet"])

"""`twicetold pool`: from nominations to a test collection, as people call it."""

import json
from pathlib import Path

from tests.cli.calling import NEWS, twicetold


def answer(folder: Path, assessor: str, word: str, *, but_first: str | None = None) -> None:
    for file in (folder / "judgements" / assessor).glob("*.jsonl"):
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        for row in rows:
            row["answer"] = word
        if but_first is not None:
            rows[0]["answer"] = but_first
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def test_a_pool_from_beginning_to_end(tmp_path: Path) -> None:
    pool, output = tmp_path / "pool", tmp_path / "collection"
    given = ("--method", "codet", "--set", "codet.threshold=0.5", "--groups", 2)
    done = twicetold("pool", "nominate", pool, NEWS, *given)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "codet: 27 pairs",
        f"{pool}: 27 new pairs, 27 in all",
        f"to judge: {pool / 'judgements'}",
        f"to read: {pool / 'reading'}; {pool / 'RUBRIC.md'}",
    ]
    again = twicetold("pool", "nominate", pool, "--method", "codet", "--set", "codet.threshold=0.6")
    assert f"{pool}: 0 new pairs, 27 in all" in again.out
    later = twicetold("pool", "nominate", pool, "--method", "codet", "--groups", 3)
    assert (later.code, later.err) == (
        2,
        f"twicetold: {pool}: is a pool already, which --groups cannot change; leave it out\n",
    )
    answer(pool, "first", "contained")
    answer(pool, "second", "contained", but_first="unrelated")
    shown = twicetold("pool", "status", pool).out.splitlines()
    assert shown[0] == "27 pairs of 65 documents"
    assert " ".join(shown[3].split()) == (
        "group pairs first second both conflicts open related taken kappa"
    )
    assert shown[6].split() == ["all", "27", "27", "27", "27", "2", "2", "25", "25", "0.000"]
    assert shown[-1] == "2 conflicts wait for the adjudicator"
    counted = json.loads(twicetold("pool", "status", pool, "--json").out)
    assert (counted["conflicts"], counted["nominated"]) == (2, {"codet": 27})
    done = twicetold("pool", "adjudicate", pool)
    assert done.out.splitlines() == [
        f"{pool}: 2 conflicts, 2 new, 2 open",
        f"to judge: {pool / 'judgements' / 'adjudicator'}",
    ]
    answer(pool, "adjudicator", "contains")
    assert twicetold("pool", "adjudicate", pool).out == f"{pool}: 2 conflicts, 0 new, 0 open\n"
    done = twicetold("pool", "collect", pool, "-o", output)
    assert done.out == f"{output}: 27 judged pairs, 27 related, 27 taken; 0 open\n"
    judged = json.loads(twicetold("evaluate", output, "--json").out)
    assert (judged["set"], judged["counts"]["judged_pairs"]) == ("collection", 27)
    assert judged["related"]["recall"] == 1
    assert judged["second_reader"]["same"] == 25


def test_a_sample_is_drawn_from_strata(tmp_path: Path) -> None:
    pool, output = tmp_path / "pool", tmp_path / "collection"
    given = ("--method", "retelling", "--method", "codet", "--sample", 12)
    done = twicetold("pool", "nominate", pool, NEWS, *given)
    assert (done.code, done.err) == (0, "")
    drawn = done.out.splitlines()[2]
    assert drawn.startswith("12 of ")
    assert " pairs drawn, strata: " in drawn
    assert drawn.endswith(" of equal texts left out")
    for assessor in ("first", "second"):
        answer(pool, assessor, "overlap")
    assert twicetold("pool", "collect", pool, "-o", output).code == 0
    judged = json.loads(twicetold("evaluate", output, "--json", "--bootstrap", 0).out)
    assert judged["answers"]["overlap"]["pairs"] == 12
    assert judged["answers"]["overlap"]["weight"] > 12
    refused = twicetold("pool", "nominate", pool, "--method", "dsc")
    assert (refused.code, "is a sample, which is drawn at once" in refused.err) == (2, True)


def test_a_bad_answer_is_told_by_every_command_that_reads_it(tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    twicetold("pool", "nominate", pool, NEWS, "--method", "codet", "-q")
    for assessor in ("first", "second"):
        answer(pool, assessor, "contained")
    file = pool / "judgements" / "first" / "01.jsonl"
    file.write_text(file.read_text("utf-8").replace('"contained"', '"inside"'), "utf-8")
    commands = (("status", pool), ("adjudicate", pool), ("collect", pool, "-o", tmp_path / "c"))
    for command in commands:
        done = twicetold("pool", *command)
        assert done.code == 0
        assert f"{file}:1: an answer must be near-duplicate" in done.err


def test_what_is_wrong_is_one_line(tmp_path: Path) -> None:
    for arguments, words in (
        (("nominate", tmp_path / "p"), "is no pool yet; name the sources"),
        (("nominate", tmp_path / "p", tmp_path / "none.jsonl"), "none.jsonl"),
        (("nominate", tmp_path / "p", NEWS, "--set", "codet"), "METHOD.PARAMETER=VALUE"),
        (("nominate", tmp_path / "p", NEWS, "--assessor", "ann"), "it takes two assessors"),
        (("status", tmp_path / "p"), "holds no pool"),
        (("collect", tmp_path / "p", "-o", tmp_path / "c"), "holds no pool"),
    ):
        done = twicetold("pool", *arguments)
        assert done.code == 2, done
        assert words in done.err
        assert len(done.err.splitlines()) == 1


def test_a_pool_without_a_command_shows_its_help() -> None:
    assert "let detectors nominate pairs" in twicetold("pool").out

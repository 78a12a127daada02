"""`twicetold dedupe`: what it prints, what it writes, and the way back."""

import csv
import json
import resource
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import NEWS, Done, process, twicetold, write_lines
from twicetold.deduplicating import dedupe

STORY = "The mine at Oldfield will close in May. Three hundred miners lose their jobs."
OTHER = "A heron was seen on the canal. Nobody in the town had ever photographed one."
LONGER = f"{STORY} The shafts are full of water. Pumps run at night. The council wants a museum."


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    """Two documents of which one is in the other, a copy, and a line that is none."""
    rows: list[dict[str, Any] | str] = [
        {"id": "brief", "text": STORY, "source": "wire", "tags": ["mine"]},
        {"id": "report", "text": LONGER, "source": "gazette", "score": 1.5},
        "{broken",
        {"id": "other", "text": OTHER, "source": "blog"},
        {"id": "again", "text": OTHER, "source": "wire"},
    ]
    return write_lines(tmp_path / "news.jsonl", rows)


def ids(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in path.read_text("utf-8").splitlines()]


def test_output_ledger_and_manifest_are_written_and_lead_back(
    collection: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    done = twicetold("dedupe", collection, "-o", out)
    assert done.code == 0
    assert ids(out) == ["report", "other"]
    # Lines are kept as they were, with fields nobody knows.
    assert out.read_text().splitlines()[0] == collection.read_text().splitlines()[1]
    ledger = tmp_path / "out.jsonl.ledger.jsonl"
    head, *entries = map(json.loads, ledger.read_text("utf-8").splitlines())
    assert (head["ledger"], head["rows"], head["kept"]) == ("dedupe", 5, 2)
    told = [(entry["id"], entry["action"], entry["reason"]) for entry in entries]
    assert told == [
        ("brief", "dropped", "contained"),
        (None, "skipped", "bad json"),
        ("again", "dropped", "identical"),
    ]
    assert [entries[0]["witness"], entries[2]["witness"]] == ["report", "other"]
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())
    assert (manifest["counts"]["kept"], manifest["parameters"]["keep"]) == (2, "earliest")
    assert manifest["problems"] == {"bad json": 1}
    back = tmp_path / "back.jsonl"
    assert twicetold("dedupe", out, "--restore", ledger, "-o", back).code == 0
    assert back.read_bytes() == collection.read_bytes()


def test_the_summary_is_in_plain_words(collection: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = twicetold("dedupe", collection, "-o", out)
    table, _, rest = done.out.partition("\n\n")
    assert table.splitlines()[1] == "brief    100%  contained in  report"
    lines = rest.splitlines()
    assert lines[0] == "4 documents: 2 kept, 2 dropped (1 contained, 1 identical)"
    gone = len(STORY) + len(OTHER)
    all_of_it = gone + len(OTHER) + len(LONGER)
    assert lines[1] == f"{gone} of {all_of_it} characters removed ({gone / all_of_it:.0%})"
    assert lines[2] == "1 row that can make no document left out"
    assert lines[4] == f"kept: {out}; removed, and why: {out}.ledger.jsonl"
    assert done.err.splitlines()[-1] == "1 skipped: 1 bad json"


def test_a_dry_run_writes_nothing(collection: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    done = twicetold("dedupe", collection, "--dry-run", "-o", tmp_path / "out.jsonl")
    assert done.out.endswith("nothing was written: this was a dry run\n")
    assert sorted(tmp_path.iterdir()) == before


def test_removals_printed_as_json_are_those_of_the_library() -> None:
    done = twicetold("dedupe", NEWS, "--dry-run", "--json", "--method", "retelling", "--passages")
    found = dedupe(NEWS, method="retelling", passages=True)
    assert done.rows == json.loads(json.dumps([removal.to_json() for removal in found.removals]))


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ([], ["report", "other"]),
        (["--prefer", "wire"], ["report", "again"]),
        (["--keep", "first"], ["report", "other"]),
        (["--share", "1"], ["report", "other"]),
        (["--threshold", "1", "--comparison", "above", "--method", "codet"], None),
        (["--no-within"], ["brief", "report", "other", "again"]),
    ],
)
def test_options_decide_what_is_kept(
    collection: Path, tmp_path: Path, options: list[str], kept: list[str] | None
) -> None:
    out = tmp_path / "out.jsonl"
    assert twicetold("dedupe", collection, "-o", out, "-q", *options).code == 0
    assert ids(out) == (kept or ["brief", "report", "other"])


def test_against_another_collection(collection: Path, tmp_path: Path) -> None:
    other = write_lines(tmp_path / "other.jsonl", [{"id": "x", "text": OTHER}])
    out = tmp_path / "out.csv.gz"
    done = twicetold("dedupe", collection, "--against", other, "-o", out)
    assert "4 documents: 2 kept, 2 dropped (2 identical)" in done.out
    assert other.read_text() == json.dumps({"id": "x", "text": OTHER}) + "\n"
    refused = twicetold("dedupe", collection, "--against", other, "-o", other)
    assert refused.code == 2
    assert "is a source and would be written over" in refused.err


def test_standard_input_can_be_read(collection: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    done = twicetold("dedupe", "-", "-o", out, "-q", stdin=collection.read_bytes())
    assert (done.code, done.out) == (0, "")
    with out.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == ["report", "other"]
    assert rows[0]["score"] == "1.5"


def test_a_dash_prints_what_is_kept(collection: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    done = twicetold("dedupe", collection, "-o", "-", "--ledger", ledger)
    lines = collection.read_text().splitlines()
    assert done.out.splitlines() == [lines[1], lines[3]]
    out, back = tmp_path / "out.jsonl", tmp_path / "back.jsonl"
    out.write_text(done.out)
    assert twicetold("dedupe", out, "--restore", ledger, "-o", back, "-q").code == 0
    assert back.read_bytes() == collection.read_bytes()


def refusals(collection: Path, tmp_path: Path) -> list[tuple[list[object], str]]:
    out = tmp_path / "out.jsonl"
    return [
        ([collection], "nowhere to write; name a file with -o, or say --dry-run"),
        ([collection, "-o", "-", "--json"], "write one to a file"),
        ([collection, "-o", tmp_path / "out.txt"], "the suffix of an output must be"),
        ([collection, "-o", collection], "is a source and would be written over"),
        ([collection, "-o", out, "--ledger", out], "is twice to be written; give each output"),
        ([collection, "-o", out, "--ledger", tmp_path / "l.csv"], "a ledger is a file of JSON"),
        ([collection, "-o", out, "--strict"], "not JSON at column"),
        ([collection, "-o", out, "--share", "2"], "share must be a number from 0 to 1"),
        ([collection, "-o", out, "--keep", "newest"], "'newest' is not one of"),
        ([collection, "-o", out, "--passages", "--method", "codet"], "compares whole documents"),
        ([collection, "--restore", "gone.jsonl", "-o", out], "gone.jsonl: no such file"),
        ([collection, "--restore", collection, "-o", out], "is no ledger of `twicetold dedupe`"),
        ([collection, "--restore", collection], "--restore takes one file"),
    ]


@pytest.mark.parametrize("number", range(13))
def test_what_cannot_be_done_is_refused_in_one_line(
    collection: Path, tmp_path: Path, number: int
) -> None:
    arguments, message = refusals(collection, tmp_path)[number]
    done: Done = twicetold("dedupe", *arguments)
    assert done.code == 2
    assert message in done.err.splitlines()[-1]
    assert not (tmp_path / "out.jsonl").exists()


def test_a_preferred_source_that_nobody_has_is_told(collection: Path, tmp_path: Path) -> None:
    done = twicetold("dedupe", collection, "-o", tmp_path / "o.jsonl", "--prefer", "wrie")
    assert (done.code, "--prefer wrie: no document has this source" in done.err) == (0, True)


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    done = process("dedupe", NEWS, "-o", tmp_path / "out.jsonl", preexec_fn=small_files)
    assert (done.code, done.out) == (1, "")
    (line,) = done.err.splitlines()
    assert "File too large; set TMPDIR to a folder with as much room as the sources take" in line
    assert list(tmp_path.iterdir()) == []


def test_a_sample_of_removals_is_written_for_reading(tmp_path: Path) -> None:
    out, look = tmp_path / "out.jsonl", tmp_path / "look.md"
    done = twicetold("dedupe", NEWS, "-o", out, "--sample", 3)
    page, lines = tmp_path / "out.jsonl.sample.html", tmp_path / "out.jsonl.sample.jsonl"
    assert done.out.splitlines()[-1] == f"for reading: {page}; for answers: {lines}"
    rows = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    assert [row["set"] for row in rows] == ["news"] * 3
    assert all(row["removed"] in page.read_text("utf-8") for row in rows)
    dry = ("dedupe", NEWS, "--dry-run", "--sample", 3)
    assert twicetold(*dry, "--sample-output", look, "-q").code == 0
    assert rows == [json.loads(row) for row in look.with_suffix(".jsonl").read_text().splitlines()]
    for arguments, words in (
        (dry, "nowhere to write the sample; name a file with --sample-output"),
        ((*dry[:3], "--sample-output", look), "give --sample INTEGER as well"),
        ((*dry, "--sample-output", tmp_path / "look.pdf"), "texts are written for reading as"),
        (
            ("dedupe", NEWS, "-o", "look.jsonl", "--sample", 3, "--sample-output", "look.md"),
            "is twice to be written",
        ),
    ):
        refused = twicetold(*arguments)
        assert (refused.code, words in refused.err) == (2, True), refused.err

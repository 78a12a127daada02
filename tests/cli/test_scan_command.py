"""`twicetold scan`: what it prints, what it writes, what it says about bad input."""

import json
from pathlib import Path

import pytest

import twicetold as library
from tests.cli.calling import NEWS, process, twicetold, write_lines
from twicetold.cli.progress import SHOWN
from twicetold.deduplicating import dedupe, save
from twicetold.errors import ParameterError

STORY = "The mine at Oldfield will close in May. Three hundred miners lose their jobs."
CODET = ("--method", "codet")
OTHER = "A heron was seen on the canal. Nobody in the town had ever photographed one."
LONGER = f"{STORY} The shafts are full of water. Pumps run at night. The council wants a museum."


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    """Two documents of which one is in the other, a third, and two lines that are none."""
    rows: list[dict[str, str] | str] = [
        {"id": "brief", "text": STORY},
        "{broken",
        {"id": "report", "text": LONGER},
        {"id": "nothing"},
        {"id": "other", "text": OTHER},
    ]
    return write_lines(tmp_path / "news.jsonl", rows)


def test_the_pairs_printed_as_json_are_those_of_the_library() -> None:
    done = twicetold("scan", NEWS, "--json")
    assert (done.code, done.err) == (0, "")
    assert done.rows == [pair.to_json() for pair in library.scan(NEWS)]


def test_what_is_written_is_never_read_2(collection: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(collection.parent)
    call = ("scan", ".", "--floor", 0, "-o", "pairs.jsonl", "--report", "page.html")
    first = twicetold(*call, "--manifest", "about.jsonl")
    assert first.code == 0
    assert "other" in Path("page.html").read_text()
    assert json.loads(Path("about.jsonl").read_text())["problems"] == {
        "bad json": 1,
        "missing text": 1,
    }


@pytest.mark.parametrize("source", [".", "*", "{folder}", "../{name}/", "**/*.jsonl"])
@pytest.mark.parametrize(
    ("command", "option", "output"),
    [
        ("scan", "-o", "out.jsonl"),
        ("scan", "--report", "out.jsonl"),
        ("scan", "--manifest", "out.jsonl"),
        ("scan", "--clusters", "out.jsonl"),
        ("dedupe", "-o", "out.jsonl"),
        ("dedupe", "--ledger", "out.jsonl"),
        ("dedupe", "--manifest", "out.jsonl"),
        ("statistics build", "-o", "out.jsonl"),
    ],
)
def test_what_a_source_names_is_never_replaced_24(
    source: str,
    command: str,
    option: str,
    output: str,
    collection: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = collection.parent
    monkeypatch.chdir(folder)
    source = source.format(folder=folder, name=folder.name)
    (folder / output).write_text('{"id": "mine", "text": "Nobody else has this."}\n')
    before = {path: path.read_bytes() for path in folder.iterdir()}
    options = [option, output]
    if command == "dedupe" and option != "-o":
        options += ["-o", str(folder.parent / f"{folder.name}.jsonl")]
    done = twicetold(*command.split(), source, *options)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"twicetold: {output}: is there already, where {source} is a source, and would be written "
        "over; choose another name or folder, or remove it first\n"
    )
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_the_same_command_again_says_what_to_do_24(
    collection: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(collection.parent)
    for command in (
        ["dedupe", ".", "-o", "kept.jsonl"],
        ["statistics", "build", ".", "-o", "counts.bin"],
    ):
        assert twicetold(*command).code == 0
        before = {path: path.read_bytes() for path in Path().iterdir()}
        again = twicetold(*command)
        assert again.code == 2
        assert again.err.startswith(f"twicetold: {command[-1]}: is there already, where . is a so")
        assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_what_is_compared_against_is_not_replaced_24(collection: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    mine = write_lines(other / "mine.jsonl", [{"id": "mine", "text": "One text."}])
    hard, soft = other / "hard.jsonl", tmp_path / "soft.jsonl"
    hard.hardlink_to(mine)
    soft.symlink_to(mine)
    for output in (mine, hard, soft):
        done = twicetold("dedupe", collection, "--against", other, "-o", output)
        assert done.code == 2
        assert f"{output}: is there already, where {other} is a source" in done.err


def test_statistics_that_are_read_are_not_replaced_24(collection: Path, tmp_path: Path) -> None:
    counts = tmp_path / "counts.bin"
    assert twicetold("statistics", "build", collection, "-o", counts).code == 0
    before = counts.read_bytes()
    done = twicetold("scan", collection, "--statistics", counts, "--manifest", counts)
    assert (done.code, done.err) == (
        2,
        f"twicetold: {counts}: is read and would be written over; choose another name\n",
    )
    assert counts.read_bytes() == before


def test_two_outputs_of_one_name_are_refused_24(collection: Path, tmp_path: Path) -> None:
    name, hard, folder = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "folder"
    folder.symlink_to(tmp_path)
    calls = [
        ("scan", "-o", name, "--clusters", name),
        ("scan", "-o", name, "--clusters", folder / "a.jsonl"),
        ("scan", "-o", name, "--report", f"{tmp_path}/../{tmp_path.name}/a.jsonl"),
        ("scan", "-o", name, "--clusters", f"{name}.manifest.json"),
        ("dedupe", "-o", name, "--ledger", folder / "a.jsonl"),
    ]
    for command, *options in calls:
        done = twicetold(command, collection, *options)
        assert (done.code, done.out) == (2, "")
        assert done.err.count("\n") == 1
        assert "to be written; give each output a name of its own" in done.err
        assert not name.exists()
    name.write_text("")
    hard.hardlink_to(name)
    done = twicetold("scan", collection, "-o", name, "--clusters", hard)
    assert done.err == (
        f"twicetold: {hard}: is the same file as {name} to be written; "
        "give each output a name of its own\n"
    )
    with pytest.raises(ParameterError, match="is twice to be written"):
        save(dedupe(collection), name, name)


def test_a_dash_as_output_is_json() -> None:
    assert twicetold("scan", NEWS, "-o", "-") == twicetold("scan", NEWS, "--json")


def test_the_table_shows_the_best_pairs_and_what_was_found() -> None:
    done = twicetold("scan", NEWS, "--limit", 3)
    table, _, rest = done.out.partition("\n\n")
    heading, *rows, legend = table.splitlines()
    assert heading.split() == ["sure", "left", "→", "relation", "←", "right"]
    best = library.scan(NEWS).best(3)
    assert [row.split()[1] for row in rows] == [pair.left for pair in best]
    assert [row.split()[-1] for row in rows] == [pair.right for pair in best]
    assert legend.startswith("sure: the probability that text was taken; → how much of left is")
    counts, sizes, more = rest.splitlines()
    assert counts.startswith("29 pairs: 10 near-duplicate, ")
    assert sizes.startswith("65 documents, 905 sentences, 103 kB in ")
    assert more == "26 more: write them all with -o pairs.jsonl"


def test_a_containment_reads_from_left_to_right(collection: Path) -> None:
    done = twicetold("scan", collection)
    assert "100%  brief  100%  ⊂ contained in" in done.out


def test_no_pairs_is_a_friendly_line_and_no_error(tmp_path: Path) -> None:
    rows = [{"id": "a", "text": STORY}, {"id": "b", "text": OTHER}]
    done = twicetold("scan", write_lines(tmp_path / "a.jsonl", rows))
    assert done.code == 0
    assert done.out.startswith("no pairs: nothing reaches the threshold of 0.5; ")
    alone = twicetold("scan", write_lines(tmp_path / "b.jsonl", rows[:1]))
    assert alone.out.startswith("no pairs: it takes two documents to find one\n1 document, ")


def test_nobody_needs_a_terminal_to_read_whole_ids(tmp_path: Path) -> None:
    rows = [{"id": letter * 300, "text": STORY} for letter in "ab"]
    done = twicetold("scan", write_lines(tmp_path / "a.jsonl", rows))
    assert "a" * 300 in done.out
    assert "b" * 300 in done.out


def test_an_id_cannot_move_the_cursor(tmp_path: Path) -> None:
    rows = [{"id": "a\x1b[2J\u202e", "text": STORY}, {"id": "[red]b\n", "text": STORY}]
    done = twicetold("scan", write_lines(tmp_path / "a.jsonl", rows))
    assert "a\\x1b[2J\\u202e" in done.out
    assert "[red]b\\n" in done.out


def test_a_poor_encoding_is_no_reason_to_stop(tmp_path: Path) -> None:
    rows = [{"id": "köprü", "text": STORY}, {"id": "大桥", "text": STORY}]
    path = write_lines(tmp_path / "a.jsonl", rows)
    done = process("scan", path, env={"PYTHONIOENCODING": "ascii"})
    assert done.code == 0
    assert "k\\xf6pr\\xfc" in done.out
    assert "= identical" in done.out


def test_every_format_of_output_is_written_with_its_manifest(tmp_path: Path) -> None:
    for name in ("pairs.jsonl", "pairs.csv", "pairs.parquet", "pairs.jsonl.gz", "pairs.csv.zst"):
        path = tmp_path / name
        done = twicetold("scan", NEWS, "-o", path)
        assert done.code == 0
        assert f"all pairs are in {path}" in done.out
        assert path.stat().st_size > 0
        manifest = json.loads(path.with_name(f"{name}.manifest.json").read_text("utf-8"))
        assert manifest["counts"]["pairs"] == 29
    assert len(list(tmp_path.iterdir())) == 10


def test_the_manifest_says_how_the_pairs_came_about(collection: Path) -> None:
    path = collection.with_name("run.json")
    twicetold("scan", collection, "--manifest", path, "--threshold", "0.6", "--window", "2d")
    manifest = json.loads(path.read_text("utf-8"))
    assert manifest["versions"]["twicetold"] == library.__version__
    assert manifest["parameters"]["threshold"] == 0.6
    assert manifest["parameters"]["window"] == "2 days, 0:00:00"
    assert manifest["counts"]["documents"] == 3
    assert manifest["problems"] == {"bad json": 1, "missing text": 1}
    assert manifest["examples"][0].startswith(f"{collection}:2: not JSON")
    assert set(manifest["seconds"]) >= {"analyse", "features", "join"}


def test_no_manifest_is_written_unasked(collection: Path) -> None:
    twicetold("scan", collection)
    twicetold("scan", collection, "-o", collection.with_name("pairs.csv"), "--no-manifest")
    names = sorted(path.name for path in collection.parent.iterdir())
    assert names == ["news.jsonl", "pairs.csv"]


def test_problems_are_told_with_file_and_line_and_summed_up(collection: Path) -> None:
    done = twicetold("scan", collection, "--json")
    assert done.code == 0
    assert [row["left"] for row in done.rows] == ["brief"]
    first, second, summary = done.err.splitlines()
    assert first.startswith(f"{collection}:2: not JSON")
    assert second.startswith(f"{collection}:4: no field for the text")
    assert summary == "2 skipped: 1 bad json, 1 missing text"


def test_of_many_problems_only_the_first_are_shown(tmp_path: Path) -> None:
    rows: list[dict[str, str] | str] = [{"id": "a", "text": STORY}, *["{"] * (SHOWN + 5)]
    done = twicetold("scan", write_lines(tmp_path / "bad.jsonl", rows))
    lines = done.err.splitlines()
    assert len(lines) == SHOWN + 2
    assert lines[-2] == "more problems like these are counted, not shown"
    assert lines[-1] == f"{SHOWN + 5} skipped: {SHOWN + 5} bad json"


def test_strict_stops_at_the_first_problem(collection: Path) -> None:
    done = twicetold("scan", collection, "--strict")
    assert (done.code, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert line.startswith(f"twicetold: {collection}:2: not JSON")


def test_quiet_prints_nothing_but_errors(collection: Path) -> None:
    assert twicetold("scan", collection, "--quiet") == (0, "", "")
    done = twicetold("scan", collection, "--quiet", "--strict")
    assert done.code == 2
    assert len(done.err.splitlines()) == 1


def test_fields_can_be_named(tmp_path: Path) -> None:
    parts = ("id", "text", "title", "url", "source", "published", "language")
    about = {"title": "t", "url": "u", "source": "s", "published": "2026-01-02", "language": "en"}
    rows = [
        {f"my_{key}": value for key, value in (about | {"id": name, "text": STORY}).items()}
        for name in "ab"
    ]
    named = [f"--{part}-field=my_{part}" for part in parts]
    manifest = tmp_path / "run.json"
    path = write_lines(tmp_path / "a.jsonl", rows)
    done = twicetold("scan", path, *named, "--json", "--manifest", manifest)
    assert [(row["left"], row["right"]) for row in done.rows] == [("a", "b")]
    assert json.loads(manifest.read_text("utf-8"))["counts"]["undated"] == 0


def test_standard_input_is_a_source(collection: Path) -> None:
    done = twicetold("scan", "-", "--format", "jsonl", "--json", stdin=collection.read_bytes())
    assert [(row["left"], row["right"]) for row in done.rows] == [("brief", "report")]
    assert done.err.startswith("stdin:2: not JSON")


def test_format_and_encoding_hold_for_every_source(tmp_path: Path) -> None:
    rows = [{"id": name, "text": "Köprü çöktü."} for name in "ab"]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path = tmp_path / "news.data"
    path.write_bytes(lines.encode("cp1254"))
    done = twicetold("scan", path, "--format", "jsonl", "--encoding", "cp1254", "--json")
    assert [row["relation"] for row in done.rows] == ["identical"]
    assert done.err == ""


def test_what_the_run_did_not_look_at_is_said(tmp_path: Path) -> None:
    rows = [{"id": str(n), "text": f"{STORY} Number {n} is new."} for n in range(4)]
    path = write_lines(tmp_path / "a.jsonl", rows)
    done = twicetold("scan", path, "--max-key-documents", 3, "--window", "1d")
    left_out = "left out of the join: more than"
    assert f"keys {left_out} 30 different sentences or 3 different documents have each" in done.out
    assert "4 documents without a date: the window does not hold for them" in done.out
    done = twicetold("scan", path, "--max-key-documents", 3, "--method", "codet")
    assert f"keys {left_out} 3 different documents have each" in done.out


def test_statistics_without_keys_of_the_method_are_told(tmp_path: Path) -> None:
    rows = [{"id": str(n), "text": f"{STORY} Number {n} is new."} for n in range(4)]
    path = write_lines(tmp_path / "a.jsonl", rows)
    statistics = tmp_path / "codet.statistics"
    assert twicetold("statistics", "build", path, "--method", "codet", "-o", statistics).code == 0
    told = "the statistics know no frequent keys of retelling, none is left out; `twicetold "
    done = twicetold("scan", path, "--statistics", statistics)
    assert f"{told}statistics build --method retelling` finds them" in done.out
    done = twicetold("scan", path, "--statistics", statistics, "--method", "codet")
    assert "the statistics know" not in done.out
    assert "the statistics know" not in twicetold("scan", path).out


def test_where_no_threshold_is_lower_none_is_asked_for(collection: Path) -> None:
    done = twicetold("scan", collection, "--method", "imatch")
    assert done.out.startswith("no pairs: nothing is as near as imatch asks for\n")


@pytest.mark.parametrize(
    ("options", "parameter", "value"),
    [
        (["--window", "36h"], "window", "1 day, 12:00:00"),
        (["--floor", "0.2"], "floor", 0.2),
        (["--all-pairs"], "all_pairs", True),
        (["--max-key-documents", "7"], "max_key_documents", 7),
        (["--language", "tr"], "language", "tr"),
        (["--threads", "1"], "threads", 1),
        (["--threshold", ".7"], "threshold", 0.7),
        ([*CODET, "--depth", "3"], "depth", 3),
        ([*CODET, "--depth", "none"], "depth", None),
        ([*CODET, "--no-word-sorting"], "word_sorting", False),
        ([*CODET, "--mode", "bag"], "mode", "bag"),
        (["--boilerplate-documents", "0"], "boilerplate_documents", 0),
    ],
)
def test_options_reach_the_run(
    options: list[str], parameter: str, value: object, tmp_path: Path
) -> None:
    path = tmp_path / "run.json"
    assert twicetold("scan", NEWS, *options, "--manifest", path, "-q").code == 0
    assert json.loads(path.read_text("utf-8"))["parameters"][parameter] == value


def test_the_profile_reaches_the_run(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    twicetold("scan", NEWS, "--profile", "plain", "--manifest", path, "-q")
    parameters = json.loads(path.read_text("utf-8"))["parameters"]
    assert "stop=keep" in parameters["analysis"]

"""`twicetold index`: what each command prints, keeps and refuses."""

import json
import signal
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import NEWS, PROGRAM, Done, process, twicetold, write_lines
from twicetold.index import Index

DAY = timedelta(days=1)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAM = "The dam broke on Monday. Ten villages lie below the water."
LONG = f"{DAM} Nobody was hurt, said the mayor. Engineers had warned of cracks for years."


def told(name: str, text: str, day: int = 0, **more: Any) -> dict[str, Any]:
    published = (NOON + day * DAY).isoformat()
    return {"id": name, "text": text, "language": "en", "published": published, **more}


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Return an index of the wire, with the statistics of all news."""
    path = tmp_path / "news.index"
    done = twicetold("index", "create", path, "--method", "codet", "--sample", NEWS)
    assert done == (0, f"{path}: an index of codet, statistics: a sample (65 documents)\n", "")
    assert twicetold("index", "add", path, NEWS / "wire.jsonl", "--limit", 0).out == (
        "20 added; 9 pairs\n"
    )
    return path


def add(path: Path, rows: list[Any], *options: object) -> Done:
    lines = "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)
    return twicetold("index", "add", path, "-", "--format", "jsonl", *options, stdin=lines)


def info(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(twicetold("index", "info", path, "--json").out)
    return found


# Making one


def test_statistics_are_given_counted_or_a_reference_and_never_two(tmp_path: Path) -> None:
    file = tmp_path / "news.statistics"
    assert twicetold("statistics", "build", NEWS, "--method", "codet", "-o", file).code == 0
    ways: dict[str, list[object]] = {
        "given": ["--statistics", file],
        "a sample": ["--sample", NEWS / "wire.jsonl", "--sample", NEWS / "blogs.jsonl"],
        "reference": ["--reference", "en"],
        "first": [],
    }
    found = {}
    for name, options in ways.items():
        path = tmp_path / name
        done = twicetold("index", "create", path, "--method", "codet", *options)
        assert (done.code, done.err) == (0, ""), done.err
        found[name] = info(path)
    assert found["given"]["statistics_documents"] == 65
    assert found["a sample"]["statistics_documents"] == 26
    assert found["reference"]["statistics_origin"] == "reference of en from wordfreq"
    assert found["first"]["statistics"] is None
    both = twicetold("index", "create", tmp_path / "both", *ways["given"], *ways["reference"])
    assert (both.code, both.out) == (2, "")
    assert "exclude each other" in both.err
    assert not (tmp_path / "both").exists()


def test_statistics_without_the_frequent_keys_of_the_method_are_told(tmp_path: Path) -> None:
    file, path = tmp_path / "news.statistics", tmp_path / "index"
    assert twicetold("statistics", "build", NEWS, "-o", file).code == 0
    message = (
        "the statistics know no frequent keys of winnowing, none is left out; "
        "`twicetold statistics build --method winnowing` finds them\n"
    )
    options = ("--method", "winnowing", "--statistics", file)
    assert twicetold("index", "create", path, *options).err == message
    assert twicetold("index", "add", path, NEWS, "--limit", 0).code == 0
    assert twicetold("index", "rebuild", path, *options).err == message
    assert twicetold("index", "rebuild", path, *options, "-q").err == ""
    assert twicetold("index", "rebuild", path).err == ""


def test_what_cannot_be_used_of_a_sample_is_told(made: Path, tmp_path: Path) -> None:
    sample = write_lines(tmp_path / "sample.jsonl", [told("a", DAM), "{"])
    message = f"{sample}:2: not JSON at column 2: unexpected end of data\n1 skipped: 1 bad json\n"
    other = tmp_path / "index"
    assert twicetold("index", "create", other, "--sample", sample).err == message
    assert twicetold("index", "rebuild", made, "--sample", sample).err == message
    assert twicetold("index", "rebuild", made, "--sample", sample, "-q").err == ""
    streamed = twicetold("stream", "--sample", sample, stdin="")
    assert streamed.err == f"{message}nothing added; 0 pairs\n"


def test_without_any_they_are_those_of_what_is_added_first(tmp_path: Path) -> None:
    path = tmp_path / "index"
    assert "those of what is added first" in twicetold("index", "create", path).out
    assert "none yet" in twicetold("index", "info", path).out
    assert add(path, [told("a", DAM)]).code == 0
    first = info(path)
    assert first["statistics_documents"] == 1
    assert add(path, [told("b", LONG)]).code == 0
    assert info(path)["statistics"] == first["statistics"]


def test_what_is_chosen_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "index"
    options = ["--method", "codet", "--depth", 3, "--window", "30d", "--floor", 0.2]
    twicetold("index", "create", path, *options, "--language", "en")
    found = info(path)
    assert (found["method"], found["parameters"]["depth"]) == ("codet", 3)
    assert (found["window_seconds"], found["floor"], found["language"]) == (30 * 86400, 0.2, "en")
    shown = twicetold("index", "info", path).out
    assert "window      30 days" in shown
    assert "depth 3" in shown


def test_a_path_that_is_taken_is_refused(made: Path, tmp_path: Path) -> None:
    again = twicetold("index", "create", made)
    assert again.code == 2
    assert again.err == (
        f"twicetold: {made}: is there already; choose another path, or open that index\n"
    )
    (tmp_path / "file").write_text("something")
    assert twicetold("index", "create", tmp_path / "file").code == 2


def test_a_method_that_is_not_served_is_refused(tmp_path: Path) -> None:
    done = twicetold("index", "create", tmp_path / "index", "--method", "fuzzy-set")
    assert done.code == 2
    assert "an index does not serve fuzzy-set; it serves retelling, codet" in done.err
    assert not (tmp_path / "index").exists()
    for command in (("index", "create"), ("index", "rebuild"), ("stream",)):
        words = "".join(twicetold(*command, "--help").out.split())
        assert "notservedbyanindex:sentence-svm,fuzzy-set,tf-idf" in words


@pytest.mark.parametrize(
    "command", ["add X", "search X", "remove X", "expire", "info", "check", "export", "rebuild"]
)
def test_where_there_is_no_index_the_command_is_told_that_makes_one(
    command: str, tmp_path: Path
) -> None:
    name, *rest = command.split()
    done = twicetold("index", name, tmp_path / "none", *rest)
    assert (done.code, done.out) == (2, "")
    assert f"no index here; make one with `twicetold index create {tmp_path / 'none'}`" in done.err
    assert done.err.count("\n") == 1


# Adding


def test_pairs_of_all_that_is_added_are_those_of_a_scan(made: Path) -> None:
    wanted = twicetold("scan", NEWS / "wire.jsonl", "--method", "codet", "--all-pairs", "--json")
    assert len(wanted.rows) == 9
    found = twicetold("index", "search", made, NEWS / "wire.jsonl", "--json", "--all-pairs").rows
    both = {(row["left"], row["right"]) for row in found}
    assert both == {(row["left"], row["right"]) for row in wanted.rows}


def test_json_acknowledges_each_document_with_its_pairs(made: Path) -> None:
    done = add(made, [told("brief", DAM), told("report", LONG, 1)], "--json")
    assert (done.code, done.err) == (0, "")
    brief, report = done.rows
    assert brief == {"id": "brief", "status": "added", "pairs": []}
    (pair,) = report["pairs"]
    assert (pair["left"], pair["relation"], pair["right"]) == ("brief", "contained", "report")
    assert pair["left_in_right"] == 1.0 > pair["right_in_left"]


def test_without_answers_documents_are_kept_and_found_later(made: Path) -> None:
    done = add(made, [told("brief", DAM), told("report", LONG, 1)], "--json", "--no-answers")
    assert done.rows == [{"id": name, "status": "added"} for name in ("brief", "report")]
    with Index.open(made) as index:
        assert ("brief", "report") in {(pair.left, pair.right) for pair in index.pairs()}
    (new,) = add(made, [told("new", LONG, 2)], "--json").rows
    assert [pair["left"] for pair in new["pairs"]] == ["report"]
    again = add(made, [told("brief", DAM)], "--no-answers", "--on-duplicate", "skip")
    assert again.out == "1 skipped; not compared\n"
    told_of = add(made, [told("brief", DAM)], "--json", "--no-answers", "--on-duplicate", "skip")
    assert told_of.rows == [{"id": "brief", "status": "skipped"}]
    replaced = add(
        made, [told("brief", LONG, 3)], "--json", "--no-answers", "--on-duplicate", "replace"
    )
    assert replaced.rows == [{"id": "brief", "status": "replaced"}]
    (last,) = add(made, [told("last", LONG, 4)], "--json").rows
    assert {pair["left"] for pair in last["pairs"]} == {"report"}
    with Index.open(made) as index:
        assert ("report", "brief") in {(pair.left, pair.right) for pair in index.pairs()}


def test_an_acknowledged_document_is_there_before_the_run_ends(made: Path) -> None:
    lines = f"{json.dumps(told('a', DAM))}\n{json.dumps(told('b', LONG))}\n{{\n"
    arguments = ("index", "add", made, "-", "--format", "jsonl", "--json", "--strict")
    done = process(*arguments, input=lines)
    assert done.code == 2
    assert done.err == "twicetold: stdin:3: not JSON at column 2: unexpected end of data\n"
    kept = {row["id"] for row in done.rows}
    exported = {row["id"] for row in twicetold("index", "export", made).rows}
    assert kept <= exported


@pytest.mark.parametrize("apart", [True, False], ids=["in two runs", "in one"])
def test_an_id_that_comes_again_is_an_error_skipped_or_replaced(made: Path, apart: bool) -> None:
    old, new = told("a", DAM), told("a", LONG)

    def again(how: str) -> Done:
        if apart:
            add(made, [old], "--on-duplicate", "replace")
            return add(made, [new], "--json", "--on-duplicate", how)
        twicetold("index", "remove", made, "a")
        return add(made, [old, new], "--json", "--on-duplicate", how)

    refused = again("error")
    assert refused.code == 2
    assert "id 'a' is in the index already; give another one, or --on-duplicate" in refused.err
    skipped = {"id": "a", "status": "skipped", "changed": True, "pairs": []}
    assert again("skip").rows[-1] == skipped
    assert text_of(made, "a") == DAM
    assert again("replace").rows[-1]["status"] == "replaced"
    assert text_of(made, "a") == LONG
    assert info(made)["documents"] == 21


def text_of(path: Path, name: str) -> str:
    (text,) = (row["text"] for row in twicetold("index", "export", path).rows if row["id"] == name)
    assert isinstance(text, str)
    return text


def test_what_was_added_before_an_error_stays_and_the_rest_comes_with_skip(made: Path) -> None:
    rows = [told(str(n), f"Story number {n} has words of its own{n}.") for n in range(6)]
    assert add(made, [*rows[:4], rows[1]]).code == 2
    assert info(made)["documents"] == 24
    done = add(made, rows, "--on-duplicate", "skip")
    assert done.out.endswith("2 added, 4 skipped; 0 pairs\n")


def test_bad_lines_are_told_and_skipped(made: Path) -> None:
    done = add(made, [told("a", DAM), "{", '{"id": "b"}', told("c", LONG)], "--limit", 0)
    assert done.code == 0
    assert done.err.splitlines()[0] == "stdin:2: not JSON at column 2: unexpected end of data"
    assert done.err.splitlines()[-1] == "2 skipped: 1 bad json, 1 missing text"
    assert done.out == "2 added; 1 pair\n"


# Searching, removing, expiring


def test_a_search_keeps_nothing(made: Path) -> None:
    before = info(made)
    done = twicetold("index", "search", made, NEWS / "blogs.jsonl", "--limit", 1)
    assert done.out.splitlines()[1].split()[1] == "wire-120"
    assert done.out.splitlines()[-1] == "6 documents, 2 pairs"
    assert len(twicetold("index", "search", made, NEWS / "blogs.jsonl", "--json").rows) == 2
    assert info(made) == before


def test_documents_that_are_there_are_told_with_each_other_once(made: Path) -> None:
    assert twicetold("index", "add", made, NEWS / "blogs.jsonl", "--limit", 0).code == 0
    done = twicetold("index", "search", made, NEWS / "wire.jsonl", NEWS / "blogs.jsonl")
    rows = [line for line in done.out.splitlines() if "%" in line]
    with Index.open(made) as index:
        assert len(rows) == len(set(rows)) == len(index.pairs()) == 12
    assert done.out.splitlines()[-1] == "26 documents, 12 pairs"
    found = twicetold("index", "search", made, NEWS / "wire.jsonl", NEWS / "blogs.jsonl", "--json")
    assert len(found.rows) == 12


def test_what_is_removed_is_found_no_more(made: Path) -> None:
    source = write_lines(made.parent / "one.jsonl", [told("new", LONG, 2)])
    add(made, [told("old", LONG)])
    assert len(twicetold("index", "search", made, source, "--json").rows) == 1
    done = twicetold("index", "remove", made, "old", "never-was")
    assert done == (0, "1 document removed\n", f"twicetold: {made}: no document 'never-was'\n")
    assert twicetold("index", "search", made, source, "--json").rows == []


def test_what_is_outside_the_window_expires(tmp_path: Path) -> None:
    path = tmp_path / "index"
    twicetold("index", "create", path, "--method", "codet", "--window", "10d")
    done = add(path, [told("old", LONG), told("new", LONG, 5), told("late", LONG, 30)], "--json")
    assert [(row["id"], len(row["pairs"])) for row in done.rows] == [
        ("old", 0),
        ("new", 1),
        ("late", 0),
    ]
    assert info(path)["documents"] == 1
    assert add(path, [told("older", DAM, 1)], "--json").rows[0]["status"] == "expired"
    gone = twicetold("index", "expire", path, "--before", "2026-04-30")
    assert gone.out == "1 document expired\n"


def test_without_a_window_expiry_asks_for_a_date(made: Path) -> None:
    refused = twicetold("index", "expire", made)
    assert refused.code == 2
    assert "has no window; say before which time documents expire" in refused.err
    bad = twicetold("index", "expire", made, "--before", "soon")
    assert bad.err == (
        "twicetold: --before must be a date such as 2026-03-01 or 2026-03-01T12:00Z, got 'soon'\n"
    )
    assert twicetold("index", "expire", made, "--before", "1999-01-01", "-q").out == ""


# Care


def test_export_is_what_was_added_and_can_be_added_again(made: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    assert twicetold("index", "export", made, "-o", file).out == f"{file}: 20 documents\n"
    other = tmp_path / "other.index"
    twicetold("index", "create", other, "--method", "codet", "--sample", NEWS)
    assert twicetold("index", "add", other, file, "--limit", 0).out == "20 added; 9 pairs\n"
    assert twicetold("index", "export", other).out == file.read_text("utf-8")


def test_check_finds_a_flipped_byte_and_repairs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twicetold.index.writing.FILE", 1)  # every segment is a file
    path = tmp_path / "index"
    twicetold("index", "create", path, "--method", "codet", "--sample", NEWS)
    assert twicetold("index", "add", path, NEWS, "--limit", 0).code == 0
    assert twicetold("index", "check", path) == (0, "all is well\n", "")
    segment = max((path / "segments").iterdir(), key=lambda file: file.stat().st_size)
    content = bytearray(segment.read_bytes())
    content[len(content) // 2] ^= 1
    segment.write_bytes(content)
    found = twicetold("index", "check", path)
    assert found.code == 1
    assert str(segment) in found.out
    assert f"run `twicetold index check --repair {path}`" in found.out
    mended = twicetold("index", "check", "--repair", path)
    assert (mended.code, mended.out.splitlines()[-1]) == (0, "repaired")
    assert twicetold("index", "check", path, "-q") == (0, "", "")


def test_rebuild_pins_new_statistics_or_another_method(made: Path) -> None:
    before = info(made)
    done = twicetold("index", "rebuild", made)
    after = info(made)
    assert done.out == f"{made}: codet, statistics {after['statistics']}\n"
    assert after["statistics"] != before["statistics"]
    assert (after["statistics_documents"], after["documents"]) == (20, 20)
    assert twicetold("index", "rebuild", made, "--method", "qsign", "--distance", 3).code == 0
    assert (info(made)["method"], info(made)["documents"]) == ("qsign", 20)


def test_rebuild_takes_a_sample_or_a_reference_as_create_does(made: Path) -> None:
    assert twicetold("index", "rebuild", made, "--sample", NEWS).code == 0
    assert (info(made)["statistics_origin"], info(made)["statistics_documents"]) == ("a sample", 65)
    assert twicetold("index", "rebuild", made, "--reference", "en", "--method", "qsign").code == 0
    assert info(made)["statistics_origin"] == "reference of en from wordfreq"
    refused = twicetold("index", "rebuild", made, "--reference", "en", "--sample", NEWS)
    assert (refused.code, "exclude each other" in refused.err) == (2, True)


def test_sigterm_ends_a_bulk_as_ctrl_c_does(made: Path) -> None:
    command = [*PROGRAM, "index", "add", str(made), "-", "--format", "jsonl", "--json"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as running:
        assert running.stdin is not None
        running.stdin.write(f"{json.dumps(told('a', DAM))}\n")
        running.stdin.flush()
        while not (made / "writer.lock").read_text():
            time.sleep(0.01)
        time.sleep(0.3)
        running.send_signal(signal.SIGTERM)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err) == (143, "", "twicetold: ended by SIGTERM\n")
    assert twicetold("index", "check", made).out == "all is well\n"
    assert info(made)["documents"] == 20


def test_an_empty_one_has_nothing_to_rebuild_from(tmp_path: Path) -> None:
    twicetold("index", "create", tmp_path / "index")
    done = twicetold("index", "rebuild", tmp_path / "index")
    assert done.code == 2
    assert "is empty; there is nothing to make statistics from" in done.err


def test_a_second_writer_is_told_who_writes(made: Path) -> None:
    with Index.open(made, write=True):
        done = process("index", "remove", made, "wire-101")
        assert done.code == 1
        assert "writes to this index; wait until it is done, or search" in done.err
        assert process("index", "info", made).code == 0


def test_a_search_ends_at_its_deadline(made: Path) -> None:
    done = twicetold("index", "search", made, NEWS / "wire.jsonl", "--deadline", 0)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("twicetold: not done within the deadline of 0 seconds; ")
    searched = [
        twicetold("index", "search", made, NEWS / "wire.jsonl", *options)
        for options in ((), ("--deadline", 3600))
    ]
    assert searched[0] == searched[1]

"""Sources of which nothing comes, and ids that several files have."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.cli.calling import Done, write_lines
from tests.cli.calling import twicetold as call

import twicetold
from twicetold import Fields, Report, read
from twicetold.deduplicating import dedupe, restore
from twicetold.documents import Sources, read_batches, read_every, read_rows
from twicetold.errors import FormatError
from twicetold.index import Index

WORDS = ["harbour", "bridge", "crack", "mine", "tram", "heron", "canal", "council", "pump", "pit"]


def text(n: int) -> str:
    """Return a text that no other number has."""
    first, second = WORDS[n % 10], WORDS[n // 10 % 10]
    return f"The {first} number {n} was seen near the {second}. Nobody had counted {n} before."


def rows_of(numbers: Iterable[int], field: str = "text") -> list[dict[str, Any]]:
    return [{"id": str(n), field: text(n)} for n in numbers]


# Nothing, or too little, can be read


def lines(rows: Iterable[Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def table(**columns: Any) -> bytes:
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table(columns), sink)
    return bytes(sink.getvalue())


MOST = [*rows_of(range(40)), *[{"id": f"x{n}", "body_text": text(n)} for n in range(60)]]
USUAL = '"text" or "body" or "content" or "article"'

#: The name of a file, what is in it, options of the command line, and what is said.
NOTHING: list[tuple[str, bytes, list[str], str]] = [
    (
        "a.jsonl",
        lines({"id": n, "body": text(n), "title": "T"} for n in range(1000)),
        ["--text-field", "text"],
        (
            '{path}: no text found under "text" in 1,000 records; their fields are id, body, '
            "title; name one with --text-field"
        ),
    ),
    (
        "a.csv",
        b"id,words\n1,one\n2,two\n",
        [],
        (
            f"{{path}}: no text found under {USUAL} in 2 records; their fields are id, words; "
            "name one with --text-field"
        ),
    ),
    (
        "a.parquet",
        table(id=[1, 2], words=["x", "y"]),
        [],
        (
            f"{{path}}: no text found under {USUAL} in 2 records; their fields are id, words; "
            "name one with --text-field"
        ),
    ),
    (
        "a.jsonl",
        lines(MOST),
        [],
        (
            f"{{path}}: 60 of 100 records have no text under {USUAL}; their fields are id, "
            "body_text; name one with --text-field"
        ),
    ),
    (
        "a.jsonl",
        lines({"id": n, "text": None} for n in range(3)),
        [],
        (
            f"{{path}}: no text found under {USUAL} in 3 records; their fields are id, text; "
            "name one with --text-field"
        ),
    ),
    (
        "a.jsonl",
        lines([rows_of(range(3))]),
        [],
        (
            "{path}: no document can be read: 1 bad json; first: {path}:1: a line holds one JSON "
            "object, not an array, got "
        ),
    ),
    (
        "a.jsonl",
        json.dumps(rows_of(range(3)), indent=1).encode(),
        [],
        "{path}: no document can be read: 14 bad json; first: {path}:1: not JSON at column ",
    ),
    (
        "a.csv",
        b"id,text\n1,one\n",
        ["--format", "jsonl"],
        "{path}: no document can be read: 2 bad json; first: {path}:1: ",
    ),
    (
        "a.jsonl",
        lines(rows_of(range(3))),
        ["--format", "parquet"],
        (
            "{path}: no document can be read: 1 bad parquet; first: {path}: not a Parquet file; "
            "name the format with --format if it is another one"
        ),
    ),
    (
        "a.parquet",
        table(id=[1, 2], text=["x", "y"])[:-40],
        [],
        "{path}: no document can be read: 1 bad parquet; first: {path}: ",
    ),
    ("a.jsonl", b"", [], "{path}: no documents; give sources that hold some"),
    ("a.csv", b"", [], "{path}: no documents; give sources that hold some"),
    ("a.txt", b"", [], "{path}: no document can be read: 1 empty text; first: {path}: the file"),
    (
        "a.jsonl",
        lines({"key": n, "text": text(n)} for n in range(3)),
        ["--id-field", "nope"],
        (
            '{path}: no id found under "nope" in 3 records; their fields are key, text; '
            "name one with --id-field"
        ),
    ),
    (
        "a.csv",
        b"key,text\n1,one\n2,two\n",
        ["--id-field", "nope"],
        (
            '{path}: no id found under "nope" in 2 records; their fields are key, text; '
            "name one with --id-field"
        ),
    ),
    (
        "a.jsonl",
        lines({"key": n, "text": text(n)} for n in range(3)),
        ["--id-field", "nope.nope"],
        (
            '{path}: no id found under "nope.nope" in 3 records; their fields are key, text; '
            "name one with --id-field"
        ),
    ),
]

COMMANDS = [
    ["scan", "{path}", "-o", "{out}.jsonl", "--report", "{out}.html"],
    ["dedupe", "{path}", "-o", "{out}.jsonl"],
    ["dedupe", "{good}", "--against", "{path}", "-o", "{out}.jsonl"],
    ["statistics", "build", "{path}", "-o", "{out}.stats"],
    ["index", "add", "{index}", "{path}"],
    ["index", "search", "{index}", "{path}"],
    ["index", "create", "{out}.index", "--sample", "{path}"],
    ["stream", "{path}"],
    ["compare", "{path}", "{good}"],
    ["explain", "0", "1", "--in", "{path}"],
    ["pool", "nominate", "{out}.pool", "{path}"],
]


def said(done: Done) -> str:
    """Return the last line, which says why a command was refused."""
    assert done.code == 2, done
    assert "Traceback" not in done.err
    return done.err.splitlines()[-1]


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "good.jsonl", rows_of(range(1)))


@pytest.mark.parametrize(("name", "data", "options", "message"), NOTHING)
def test_what_cannot_be_read_is_refused_and_nothing_is_written_24(
    name: str, data: bytes, options: list[str], message: str, tmp_path: Path
) -> None:
    path, out = tmp_path / name, tmp_path / "out.jsonl"
    path.write_bytes(data)
    done = call("dedupe", path, "-o", out, *options)
    assert said(done).startswith("twicetold: " + message.format(path=path))
    assert done.err.count("\n") == 1 or "60 of 100" in message
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda given: " ".join(given[:2]))
@pytest.mark.parametrize("case", [0, 3, 10], ids=["field", "most", "empty"])
def test_every_command_refuses_it_24(
    arguments: list[str], case: int, good: Path, tmp_path: Path
) -> None:
    name, data, options, message = NOTHING[case]
    path, index = tmp_path / name, tmp_path / "index"
    path.write_bytes(data)
    if "{good}" in arguments:
        good.write_bytes(lines({"id": n, "text": text(n), "body": text(n)} for n in range(1)))
    with Index.create(index, method="codet", reference=None) as made:
        made.add(twicetold.Document(id="there", text=text(99)))
    before = sorted(tmp_path.rglob("*"))
    places = {"path": path, "out": tmp_path / "out", "good": good, "index": index}
    if arguments[0] == "compare" and case == 3:  # the first document is all that is wanted
        return
    if arguments[:2] == ["index", "create"]:  # without options how to read: the usual names
        options, message = [], message.replace('under "text" in', f"under {USUAL} in")
        path.write_bytes(data.replace(b'"body"', b'"words"'))
        message = message.replace("id, body,", "id, words,")
    done = call(*(each.format(**places) for each in arguments), *options)
    assert said(done).startswith("twicetold: " + message.format(path=path))
    after = sorted(tmp_path.rglob("*"))
    assert [path for path in after if path.suffix != ".seg"] == [
        path for path in before if path.suffix != ".seg"
    ]


def test_from_python_it_is_a_format_error_24(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", rows_of(range(5), "words"))
    calls: list[Callable[[], object]] = [
        lambda: twicetold.scan(path),
        lambda: twicetold.scan([path]),
        lambda: dedupe(path),
        lambda: twicetold.build_statistics(path),
        lambda: list(read(path)),
        lambda: list(read_batches(path)),
        lambda: list(read_rows(path)),
        lambda: list(read_every(path)),
        lambda: list(Sources(path, as_lines=True)),
    ]
    for run in calls:
        with pytest.raises(FormatError, match=r"no text found under .* their fields are id, words"):
            run()
    assert len(twicetold.scan([])) == 0
    assert len(dedupe([])) == 0


def test_half_is_enough_and_so_are_others(tmp_path: Path) -> None:
    half = [*rows_of(range(50)), *[{"id": f"x{n}"} for n in range(50)]]
    path = write_lines(tmp_path / "a.jsonl", half)
    assert len(list(read(path))) == 50
    write_lines(tmp_path / "b.jsonl", rows_of([99]))
    (tmp_path / "about.csv").write_text("name,size\na,1\n")
    (tmp_path / "empty.jsonl").write_text("")
    assert len(list(read(tmp_path))) == 51
    more = 'a.jsonl and 1 more file: 51 of 101 records have no text under "text"'
    with pytest.raises(FormatError, match=more):
        list(read(tmp_path / "[ae]*.jsonl", f"{tmp_path}/ab*"))
    # A file that was named is wanted.
    with pytest.raises(FormatError, match=r"about\.csv: no text found"):
        list(read(path, tmp_path / "about.csv"))
    assert len(list(read(path, tmp_path / "empty.jsonl"))) == 50


def test_a_pipe_may_bring_nothing_to_a_stream() -> None:
    assert call("stream", "-", stdin="").code == 0
    assert said(call("stream", "-", stdin='{"body_text": "x"}\n')).startswith(
        "twicetold: stdin: no text found under"
    )
    assert said(call("scan", "-", stdin="")).startswith("twicetold: -: no document")


# Ids that several files have


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Three files with the same ids, and different texts but for one."""
    write_lines(tmp_path / "a.jsonl", rows_of(range(5)))
    more = [{"id": str(n), "text": text(n + 20)} for n in range(6)]
    write_lines(tmp_path / "b.jsonl", [*more, {"id": "0", "text": text(50)}])
    (tmp_path / "c.csv").write_text(f'id,text\n0,"{text(70)}"\n9,"{text(3)}"\n', "utf-8")
    return sorted(tmp_path.iterdir())


IDS = ["0", "1", "2", "3", "4"]
OTHER_IDS = [*(f"b.jsonl#{n}" for n in range(5)), "5"]
LAST_IDS = ["c.csv#0", "9"]


@pytest.mark.parametrize("as_folder", [True, False])
def test_ids_that_other_files_have_get_the_name_of_the_file_24(
    as_folder: bool, files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sources = ["."] if as_folder else [path.name for path in files]
    report, other = Report(), Report()
    expected = [*IDS, *OTHER_IDS, *LAST_IDS]
    found = list(read(*sources, report=report))
    assert [one.id for one in found] == expected
    assert [one.text for one in found][5:7] == [text(20), text(21)]
    assert report.count == {"shared id": 6, "duplicate id": 1}
    assert [str(problem) for problem in report.problems] == [
        (
            "b.jsonl:1: an earlier file has the id '0', too: here it is 'b.jsonl#0'; others like "
            "it are changed likewise"
        ),
        "b.jsonl:7: an earlier document has the id '0'",
    ]
    batches = read_batches(*sources, report=other)
    assert [name for batch in batches for name in batch.columns()[0]] == expected
    assert (other.count, other.problems) == (report.count, report.problems)
    rows = [row.document.id for row in read_rows(*sources) if row.document is not None]
    assert rows == expected
    # The index decides what becomes of those that are repeated.
    kept = [*IDS, *OTHER_IDS, "b.jsonl#0", *LAST_IDS]
    for as_lines in (True, False):
        assert [one.id for one in read_every(*sources, as_lines=as_lines)] == kept
    every = read_every(*sources, as_lines=True, distinct_files=False)
    assert [one.id for one in every] == [*IDS, *IDS, "5", "0", "0", "9"]


def test_nothing_is_dropped_by_a_scan_or_a_dedupe_24(files: list[Path], tmp_path: Path) -> None:
    found = twicetold.scan([str(path) for path in files[:2]], method="codet")
    assert found.manifest.counts["documents"] == 11
    out, ledger, back = (tmp_path / name for name in ("out.jsonl", "ledger.jsonl", "back.jsonl"))
    done = call("dedupe", *files, "-o", out, "--ledger", ledger)
    assert done.code == 0
    assert done.err.count("an earlier file has the id") == 1
    assert "6 shared id" in done.err
    assert len(out.read_text().splitlines()) == 12
    removed = [json.loads(line) for line in ledger.read_text().splitlines()[1:]]
    assert [(row["id"], row["reason"]) for row in removed if row["action"] == "dropped"] == [
        ("9", "identical")
    ]
    assert restore(out, ledger, back) == 14
    # The rows stay as they are: only what documents are called is changed.
    assert back.read_text().splitlines()[5:12] == files[1].read_text().splitlines()


@pytest.mark.parametrize("option", ["error", "skip"])
def test_the_same_files_give_an_index_the_same_ids_24(
    option: str, files: list[Path], tmp_path: Path
) -> None:
    index = tmp_path / "index"
    (tmp_path / "b.jsonl").write_text("".join(files[1].read_text().splitlines(True)[:6]))
    assert call("index", "create", index, "--method", "codet").code == 0
    done = call("index", "add", index, *files, "--on-duplicate", option, "--json")
    assert done.code == 0
    ids = [*IDS, *(f"{files[1]}#{n}" for n in range(5)), "5", f"{files[2]}#0", "9"]
    assert [row["id"] for row in done.rows] == ids
    again = call("index", "add", index, *files, "--on-duplicate", "skip", "--json")
    assert [(row["id"], row["status"]) for row in again.rows] == [(name, "skipped") for name in ids]
    assert [row["id"] for row in call("index", "export", index).rows] == ids
    # What replaces a document has its id.
    last = call("index", "add", index, *files, "--on-duplicate", "replace", "--json", "-q")
    assert {row["id"] for row in last.rows} == {*IDS, "5", "9"}


def test_explain_and_compare_know_the_same_ids_24(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in ("explain", "compare"):
        done = call(command, "3", "9", "--in", ".", "--json")
        assert done.code == 0, done
        done = call(command, "b.jsonl#0", "c.csv#0", "--in", ".", "--json")
        assert done.code == 0, done


def test_a_name_that_is_taken_is_made_longer(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", [{"id": "b.jsonl#0", "text": text(1)}, *rows_of([0])])
    write_lines(tmp_path / "b.jsonl", rows_of([0]))
    assert [one.id for one in read(tmp_path)] == ["b.jsonl#0", "0", "b.jsonl#b.jsonl#0"]


def test_a_named_id_must_be_in_each_file(tmp_path: Path) -> None:
    rows = [{"key": f"k{n}", "text": text(n)} for n in range(2000)]
    path = write_lines(tmp_path / "a.jsonl", rows)
    write_lines(tmp_path / "b.jsonl", rows_of(range(2000)))
    fields = Fields(id="key")
    assert len(list(read(path, fields=fields))) == 2000
    made: list[str] = []
    for read_some in (read, read_every, Sources):
        with pytest.raises(FormatError, match=r'b\.jsonl: no id found under "key" in'):
            made.extend(one.id for one in read_some(tmp_path, fields=fields))
    one = [{"text": text(1)}, {"key": "k", "text": text(2)}]
    assert len(list(read(write_lines(tmp_path / "c.jsonl", one), fields=fields))) == 2

"""JSON Lines, CSV and Parquet: records with named fields."""

from __future__ import annotations

import datetime as dt
import gzip
import io
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from twicetold.deduplicating import dedupe, save
from twicetold.documents import Fields, Report, read
from twicetold.documents.fields import ALIASES
from twicetold.errors import DocumentError

Collect = Callable[..., Any]
Write = Callable[[str, bytes], Path]

BAD_LINES = [
    (b"{", "bad json"),
    (b"[1, 2]", "bad json"),
    (b'"text"', "bad json"),
    (b"not json", "bad json"),
    (b'{"text": "a"} {"text": "b"}', "bad json"),
    (b'{"text": "a"', "bad json"),
    (b'{"text": ' + b"[" * 100_000, "bad json"),
    (b'{"text": "a", "n": ' + b"1" * 10_000 + b"}", None),
    (b'{"text": "\xff"}', "bad encoding"),
    (b'{"text": "\xed\xa0\x80"}', "bad encoding"),
    (b'{"id": "x"}', "missing text"),
    (b"{}", "missing text"),
    (b'{"text": null}', "missing text"),
    (b'{"text": 17}', "bad text"),
    (b'{"text": ["a"]}', "bad text"),
    (b'{"text": ""}', "empty text"),
    (b'{"text": " \\n\\t\\u3000"}', "empty text"),
    (b'{"id": "good", "text": "again"}', "duplicate id"),
    (b'{"id": {"a": 1}, "text": "a"}', "bad id"),
    (b'{"id": true, "text": "a"}', "bad id"),
    (b'{"id": 1234567890123456789012345, "text": "a"}', "bad id"),
    (b'{"text": "a", "date": "soon"}', "bad date"),
    (b'{"text": "a", "date": {"a": 1}}', "bad date"),
]


@pytest.mark.parametrize(("line", "reason"), BAD_LINES)
def test_a_bad_line_is_reported_with_its_number_and_the_rest_is_read(
    line: bytes, reason: str | None, collect: Collect, write: Write
) -> None:
    path = write("a.jsonl", b'{"id": "good", "text": "x"}\n\n' + line + b'\r\n{"text": "last"}')
    reading = collect(path)
    assert reading.problems == ([(3, reason)] if reason else [])
    assert reading.ids[0] == "good"
    assert reading.ids[-1] == "a.jsonl:4"
    kept = reason is None or reason in ("bad id", "bad date")
    assert len(reading.documents) == 2 + kept
    problem = str(reading.report.problems[0]) if reason else ""
    assert problem == "" or problem.startswith(f"{path}:3: ")
    assert "\n" not in problem
    assert len(problem) < 400


@pytest.mark.parametrize(("line", "reason"), [row for row in BAD_LINES if row[1]])
def test_strict_stops_at_what_would_be_lost(line: bytes, reason: str, write: Write) -> None:
    path = write("a.jsonl", b'{"id": "good", "text": "x"}\n' + line)
    documents = read(path, strict=True)
    assert next(documents).id == "good"
    if reason in ("bad id", "bad date"):
        assert next(documents).text == "a"
    else:
        with pytest.raises(DocumentError, match=r"a\.jsonl:2: "):
            next(documents)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (rb'{"text": "a\ud800b\udc00\ud83d\ude00"}', "a\ufffdb\ufffd😀"),
        (b'{"text": "tab\tnul\x00end"}', "tab\tnul\0end"),
        (rb'{"text": "a\u0000b\r\n"}', "a\0b\r\n"),
        (b'{"text": "a", "score": NaN, "top": Infinity}', "a"),
        ('{"text": "a\u2028b\u0085c\x0b"}'.encode(), "a\u2028b\u0085c\x0b"),
        (b'  {"text": "a"}  ', "a"),
    ],
)
def test_the_text_is_not_rewritten(line: bytes, text: str, collect: Collect, write: Write) -> None:
    assert collect(write("a.jsonl", line + b"\n")).texts == [text]


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=3), max_size=8))
@settings(deadline=None)
def test_every_line_is_a_document_or_a_problem(
    collect: Collect, write: Write, records: list[dict[str, str]]
) -> None:
    lines = [
        json.dumps(record | {"text": "x"} if n % 2 else record) for n, record in enumerate(records)
    ]
    reading = collect(write("a.jsonl", "\n".join(lines).encode()))
    assert len(reading.documents) + reading.report.skipped == len(lines)


@given(st.lists(st.binary(max_size=30), max_size=12), st.sampled_from([b"\n", b"\r\n"]))
@settings(deadline=None)
def test_no_line_is_lost_silently(
    collect: Collect, write: Write, lines: list[bytes], end: bytes
) -> None:
    data = b"{}" + end + end.join(lines)
    reading = collect(write("a.jsonl", data))
    count = sum(1 for line in data.split(b"\n") if line.strip())
    assert len(reading.documents) + reading.report.skipped == count


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32", "cp1254"])
@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_other_encodings_are_read_with_a_mark_or_the_option(
    form: str, encoding: str, collect: Collect, write: Write
) -> None:
    text = "Işık söndü, değil mi?"
    rows = {"jsonl": f'{{"text": "{text}"}}\r\n', "csv": f'text\r\n"{text}"\r\n'}
    data = rows[form].encode(encoding)
    if encoding in ("utf-16", "utf-32"):  # a mark that is missing is no harm to the option
        marked = 4 if encoding == "utf-32" else 2
        assert collect(write(f"a.{form}", data[marked:]), encoding=encoding).texts == [text]
    told = {} if data[:2] in (b"\xff\xfe", b"\xef\xbb") else {"encoding": encoding}
    assert collect(write(f"a.{form}", data), **told).texts == [text]


@pytest.mark.parametrize("encoding", ["utf-16", "ascii", "cp1254", "utf-32"])
def test_only_the_line_with_the_bad_byte_is_lost(
    encoding: str, collect: Collect, write: Write
) -> None:
    good, bad = '{"text": "one"}\n', {"utf-16": b"\x00\xd8\n\x00", "utf-32": b"\xff\xff\xff\xff"}
    wrong = bad.get(encoding, b'{"text": "\x81"}') + "\n".encode(encoding)[-4:].lstrip(b"\xff\xfe")
    tail = good.replace("one", "two").encode(encoding.replace("16", "16-le").replace("32", "32-le"))
    reading = collect(write("a.jsonl", good.encode(encoding) + wrong + tail), encoding=encoding)
    assert reading.texts[0] == "one"
    assert reading.texts[-1] == "two"
    assert set(reading.report.count) == {"bad encoding"}


def test_a_line_over_the_limit_is_passed_over(
    collect: Collect, write: Write, compress: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twicetold.documents.input.LIMIT", 3_000_000)
    long = '"' + "x" * 3_500_000 + '"'
    for name, head, row in (("a.jsonl", "", '{{"text": {}}}'), ("a.csv", "text\n", "{}")):
        lines = [row.format(cell) for cell in ('"one"', long, '"two"', long)]
        path = write(name, (head + "\n".join(lines)).encode())
        reading = collect(path)
        assert reading.report.bytes_read == reading.report.bytes_total
        assert collect(write(f"{name}.zst", compress["zst"](path.read_bytes()))).texts == [
            "one",
            "two",
        ]
        assert reading.texts == ["one", "two"]
        first = 1 + bool(head)
        assert reading.problems == [(first + 1, "too long"), (first + 3, "too long")]


def test_memory_stays_bounded_while_a_large_file_streams(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for number in range(6_500):
            file.write(b'{"id": %d, "text": "%b"}\n' % (number, b"%d words " % number * 900))
    tracemalloc.start()
    try:
        size = sum(len(document.text) for document in read(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > 60_000_000
    assert peak < 20_000_000


def test_a_line_of_a_hundred_megabytes_needs_no_more_than_four_times_that(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"text": "' + b"x" * 100_000_000 + b'"}')
    code = (
        "import sys; from resource import *; from twicetold.documents import read\n"
        "used = lambda: getrusage(RUSAGE_SELF).ru_maxrss * 1024\n"
        "list(read(sys.argv[2])); before = used()\n"
        "assert len(next(read(sys.argv[1])).text) == 10**8; print(used() - before)"
    )
    (tmp_path / "small.jsonl").write_text('{"text": "x"}')
    command = [sys.executable, "-c", code, str(path), str(tmp_path / "small.jsonl")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 400_000_000


FIELDS = [
    ({}, {"body": "b", "content": "c"}, "b"),
    ({}, {"text": "", "body": "b"}, "b"),
    ({}, {"text": None, "article": "a"}, "a"),
    ({}, {"Text": "t"}, "t"),
    ({}, {"TEXT": "loud", "text": "quiet"}, "quiet"),
    ({"text": "body"}, {"text": "t", "body": "b"}, "b"),
    ({"text": "Body"}, {"text": "t", "body": "b"}, None),
    ({"text": "article.body"}, {"article": {"body": "in"}}, "in"),
    ({"text": "article.body"}, {"article.body": "flat", "article": {"body": "in"}}, "flat"),
    ({"text": "a.b.c"}, {"a": {"b": {"c": "deep"}}}, "deep"),
    ({"text": "a.b.c"}, {"a": {"b": "shallow"}}, None),
    ({"text": "a.b"}, {"a": ["b"]}, None),
    ({"text": "nope"}, {"text": "t"}, None),
]


@pytest.mark.parametrize(("names", "record", "text"), FIELDS)
def test_fields_are_found_by_name_or_by_the_usual_names(
    names: dict[str, str], record: dict[str, Any], text: str | None, collect: Collect, write: Write
) -> None:
    reading = collect(write("a.jsonl", json.dumps(record).encode()), fields=Fields(**names))
    assert reading.texts == ([] if text is None else [text])
    assert reading.report.count == ({} if text else {"missing text": 1})


@pytest.mark.parametrize(("part", "alias"), [(p, a) for p, names in ALIASES.items() for a in names])
def test_every_usual_name_is_found(part: str, alias: str, collect: Collect, write: Write) -> None:
    row = {alias: "2026-01-02"} if part == "text" else {"text": "x", alias: "2026-01-02"}
    [document] = collect(write("a.jsonl", json.dumps(row).encode())).documents
    value = getattr(document, part)
    assert (value.date().isoformat() if part == "published" else value) == "2026-01-02"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("x", "x"),
        (17, "17"),
        (0, "0"),
        (-5, "-5"),
        (2**64 - 1, "18446744073709551615"),
        (1.5, "1.5"),
        ({"$oid": "507f"}, "507f"),
        (None, "a.jsonl:1"),
        ("", "a.jsonl:1"),
    ],
)
def test_ids_become_text(value: Any, expected: str, collect: Collect, write: Write) -> None:
    reading = collect(write("a.jsonl", json.dumps({"id": value, "text": "x"}).encode()))
    assert reading.ids == [expected]
    assert reading.report.count == {}


def test_the_url_is_no_id_unless_told(collect: Collect, write: Write) -> None:
    path = write(
        "a.jsonl", b'{"url": "http://x/", "text": "old"}\n{"url": "http://x/", "text": "new"}'
    )
    assert collect(path).ids == ["a.jsonl:1", "a.jsonl:2"]
    reading = collect(path, fields=Fields(id="url"))
    assert reading.ids == ["http://x/"]
    assert reading.problems == [(2, "duplicate id")]


def test_an_id_is_read_once_in_each_file(collect: Collect, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": 1, "text": "first"}\n{"id": 2, "text": "x"}')
    (tmp_path / "b.csv").write_text("id,text\n3,y\n1,second\n")
    reading = collect(tmp_path)
    assert reading.ids == ["1", "2", "3", "b.csv#1"]
    assert [str(p) for p in reading.report.problems] == [
        (
            "b.csv:3: an earlier file has the id '1', too: here it is 'b.csv#1'; others like it "
            "are changed likewise"
        )
    ]


CSV = [
    ("id,text\n1,a\n", [("1", "a")], {}),
    ("id;text\n1;a, b\n", [("1", "a, b")], {}),
    ("id\ttext\n1\ta\n", [("1", "a")], {}),
    ("id|text\n1|a\n", [("1", "a")], {}),
    ("text\na, b; c\n", [("x.csv:2", "a, b; c")], {}),
    ('text\n"a, ""b"""\n', [("x.csv:2", 'a, "b"')], {}),
    ('"id","te""xt",text\r\n1,,"a\r\nb ""c"""\r\n', [("1", 'a\r\nb "c"')], {}),
    ("id,text\r1,a\r2,b", [("1", "a"), ("2", "b")], {}),
    (" id , text \n1,a\n", [("1", "a")], {}),
    ("ID,Text\n1,a\n", [("1", "a")], {}),
    ("id,text\n1,a,\n2,b,c\n3\n4,\n\n5,e\n", [("1", "a"), ("5", "e")], None),
    ("id,text\n1,nul\0\n", [("1", "nul\0")], {}),
    ('id,text\n1,"open\n2,b\n', [], {"bad csv": 1}),
    ('id,text\n1,say "hi" now\n', [("1", 'say "hi" now')], {}),
    ("id,words\n1,a\n", [], {"missing text": 1}),
    ("\n\nid,text\n1,a\n", [("1", "a")], {}),
    ('text\n""\n\n"a"\n', [("x.csv:4", "a")], {"empty text": 1}),
]


@pytest.mark.parametrize(("data", "expected", "count"), CSV)
def test_csv_of_many_dialects(
    data: str, expected: list[tuple[str, str]], count: Any, collect: Collect, write: Write
) -> None:
    reading = collect(write("x.csv", data.encode()))
    assert [(d.id, d.text) for d in reading.documents] == expected
    if count is not None:
        assert reading.report.count == count


def test_problems_of_csv_name_the_line_where_the_row_starts(collect: Collect, write: Write) -> None:
    data = b'id,text\n1,"two\nlines"\n2,\n"3","a\n\nb",x\n4,\xff\n5,ok\n6,"never\nclosed\n'
    reading = collect(write("a.csv", data), encoding="utf-8")
    assert reading.ids == ["1", "5"]
    assert reading.problems == [
        (4, "empty text"),
        (5, "bad csv"),
        (8, "bad encoding"),
        (10, "bad csv"),
    ]
    assert "lines 10 to 11" in reading.report.problems[-1].detail


@given(st.lists(st.binary(max_size=20).filter(lambda row: b'"' not in row), max_size=10))
@settings(deadline=None)
def test_no_row_is_lost_silently(collect: Collect, write: Write, rows: list[bytes]) -> None:
    rows = [row.translate(None, b"\r\n") for row in rows]
    reading = collect(write("a.csv", b"text\n" + b"\n".join(rows)), encoding="utf-8")
    assert len(reading.documents) + reading.report.skipped == sum(map(bool, rows))


def test_csv_that_is_not_utf8_is_guessed_when_the_first_letter_shows_it(
    collect: Collect, write: Write
) -> None:
    ascii_rows = "".join(f"{n},plain words of row {n}\n" for n in range(40_000))
    tail = "x,Привет мир. Это новости дня, и они хорошие.\n" * 50
    for encoding in ("cp1251", "utf-8"):
        data = ("id,text\n" + ascii_rows + tail.replace("дня,", "дня")).encode(encoding)
        assert collect(write("a.csv", data)).documents[-1].text.startswith("Привет мир")


def test_a_cell_of_a_hundred_megabytes_is_read(collect: Collect, write: Write) -> None:
    text = "x" * 100_000_000
    assert len(collect(write("a.csv", f'id,text\n1,"{text}"\n'.encode())).texts[0]) == 100_000_000


def _parquet(**columns: Any) -> bytes:
    sink = io.BytesIO()
    parquet.write_table(pa.table(columns), sink, row_group_size=2)
    return sink.getvalue()


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.binary(), pa.dictionary(pa.int32(), pa.string())],
    ids=str,
)
def test_parquet_texts_of_every_kind(kind: pa.DataType, collect: Collect, write: Write) -> None:
    texts = pa.array(["ışık", None, "", "x", "x"]).cast(kind)
    reading = collect(write("a.parquet", _parquet(body=texts, other=pa.array(range(5)))))
    assert reading.texts == ["ışık", "x", "x"]
    assert reading.ids == ["a.parquet:1", "a.parquet:4", "a.parquet:5"]
    assert [line for line, _ in reading.problems] == [2, 3]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([dt.date(2026, 1, 2)]), "2026-01-02T00:00:00+00:00"),
        (pa.array([dt.date(2026, 1, 2)], pa.date64()), "2026-01-02T00:00:00+00:00"),
        (pa.array([1767323045], pa.timestamp("s")), "2026-01-02T03:04:05+00:00"),
        (pa.array([1767323045123], pa.timestamp("ms", "UTC")), "2026-01-02T03:04:05.123000+00:00"),
        (
            pa.array([1767323045123456789], pa.timestamp("ns", "Europe/Istanbul")),
            "2026-01-02T03:04:05.123456+00:00",
        ),
        (pa.array([1], pa.timestamp("s", "Mars/Olympus")), "1970-01-01T00:00:01+00:00"),
        (pa.array(["2026-01-02"]), "2026-01-02T00:00:00+00:00"),
        (pa.array([1767323045]), "2026-01-02T03:04:05+00:00"),
        (pa.array([2**62], pa.timestamp("us")), None),
        (pa.array([2**62, 0], pa.timestamp("ms"))[:1], None),
        (pa.array([2**30], pa.date32()), None),
        (pa.array([5], pa.time64("us")), None),
    ],
    ids=lambda value: str(getattr(value, "type", value)),
)
def test_parquet_dates_of_every_kind(
    column: pa.Array, expected: str | None, collect: Collect, write: Write
) -> None:
    reading = collect(write("a.parquet", _parquet(text=["x"], date=column)))
    [document] = reading.documents
    assert (document.published and document.published.isoformat()) == expected
    assert reading.report.count == ({} if expected else {"bad date": 1})


def test_parquet_reaches_into_structs(collect: Collect, write: Write) -> None:
    data = _parquet(article=pa.array([{"body": "in", "title": "T"}]), n=[1])
    reading = collect(
        write("a.parquet", data), fields=Fields(text="article.body", title="article.title", id="n")
    )
    assert [(d.id, d.title, d.text) for d in reading.documents] == [("1", "T", "in")]


def test_parquet_text_that_is_not_utf8_is_one_bad_row(collect: Collect, write: Write) -> None:
    texts = pa.array([b"ok", b"\xff", b"fine"]).view(pa.string())
    reading = collect(write("a.parquet", _parquet(text=texts, id=pa.array(["a", "b", "c"]))))
    assert reading.ids == ["a", "c"]
    assert reading.problems == [(2, "bad encoding")]


def test_parquet_without_a_text_names_its_columns(collect: Collect, write: Write) -> None:
    reading = collect(write("a.parquet", _parquet(id=[1, 2], words=["x", "y"])))
    assert reading.documents == []
    assert reading.report.problems[0].detail == (
        "no field for the text among 'id', 'words'; name it with --text-field"
    )
    assert reading.problems == [(None, "missing text")]


def test_parquet_columns_of_one_name_are_numbered_24(
    collect: Collect, write: Write, tmp_path: Path
) -> None:
    columns = [pa.array(values) for values in (["a", "b"], ["one", "two"], ["eins", "zwei"])]
    sink = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays(columns, names=["id", "text", "text"]), sink)
    path = write("a.parquet", sink.getvalue())
    reading = collect(path)
    assert [(one.id, one.text) for one in reading.documents] == [("a", "one"), ("b", "two")]
    assert not reading.problems
    second = collect(path, fields=Fields(text="text (2)"))
    assert [one.text for one in second.documents] == ["eins", "zwei"]
    out = tmp_path / "out.jsonl"
    save(dedupe(path), out)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert rows[0] == {"id": "a", "text": "one", "text (2)": "eins"}


def test_damaged_parquet_keeps_the_rows_before(collect: Collect, write: Write) -> None:
    texts = [f"{n} " + "words " * 2000 for n in range(5000)]
    data = bytearray(_parquet(text=pa.array(texts)))
    data[len(data) // 2 : len(data) // 2 + 200] = bytes(200)
    reading = collect(write("a.parquet", bytes(data)))
    assert set(reading.report.count) <= {"bad parquet", "bad encoding"}
    assert reading.report.skipped >= 1
    assert reading.texts[0] == texts[0]
    reading = collect(write("a.parquet", b"PAR1 and nothing else"))
    assert reading.problems == [(None, "bad parquet")]


def test_two_readings_do_not_mix(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text\na\nb\n")
    pairs = zip(read(tmp_path / "a.csv"), read(tmp_path / "a.csv"), strict=True)
    assert [(left.text, right.text) for left, right in pairs] == [("a", "a"), ("b", "b")]


def test_a_report_goes_on_over_several_calls(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "a"}\n{')
    report = Report()
    for _ in range(2):
        list(read(tmp_path / "a.jsonl", report=report))
    assert report.documents == report.skipped == 2
    assert report.bytes_read == report.bytes_total == 30

"""What is kept and its ledger as files, and the way back: every row, in order, with all fields."""

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from twicetold.deduplicating import dedupe, restore, save
from twicetold.documents import Fields
from twicetold.errors import FormatError, ParameterError
from twicetold.records import Document

TEXTS = (
    "The mine near Osmarrow will close in May. Its owner lost two percent on Monday.",
    "The mine near Osmarrow will close in May. Its owner lost two percent on Monday. So it goes.",
    "It rained for eleven days. The ferry stays in its harbour until the storm has passed.",
    "Bakers complain about flour that is dearer than ever before, and about their ovens.",
)
SUFFIXES = ("jsonl", "jsonl.gz", "jsonl.zst", "csv", "csv.gz", "parquet")

#: Values that have to come back as they were.
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=4,
)
names = st.sampled_from(["rank", "tags", "Über", "meta.data", "", "note"])
records = st.fixed_dictionaries(
    {"text": st.sampled_from(TEXTS)}, optional={"id": st.text(max_size=3)}
).flatmap(
    lambda record: st.dictionaries(names, values, max_size=3).map(lambda more: {**more, **record})
)
#: Lines that make no document, or one that other programs refuse, but were in the file.
odd = st.sampled_from(
    [
        b"{",
        b"[1]",
        b'{"text": ""}',
        b'{"id": "x"}',
        b'{"text": 7}',
        b'{"text": "Half a \\ud800 pair.", "n": NaN}',
        b'  {"text" : "Room around it." }  ',
        b'{"text": "From another system."}\r',
    ]
)
lines = st.lists(
    records.map(lambda r: json.dumps(r, ensure_ascii=False).encode()) | odd, max_size=8
)


def read_table(path: Path) -> list[list[str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(lines)
def test_json_lines_come_back_byte_by_byte(tmp_path: Path, lines: list[bytes]) -> None:
    source = tmp_path / "in.jsonl"
    # With fewer documents than other lines it is refused.
    lines += [b'{"text": "This is row %d."}' % n for n in range(len(lines) + 1)]
    source.write_bytes(b"".join(line + b"\n" for line in lines))
    out, ledger, back = (
        tmp_path / "out.jsonl",
        tmp_path / "ledger.jsonl.zst",
        tmp_path / "back.jsonl",
    )
    found = dedupe(source)
    save(found, out, ledger)
    assert restore(out, ledger, back) == len(lines)
    assert back.read_bytes() == source.read_bytes()
    kept = out.read_bytes().split(b"\n")[:-1]
    assert len(kept) == found.counts["kept"]
    assert set(kept) <= set(lines)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    rows = [
        ["id", "Text", "note", "note", "rank"],
        ["a", TEXTS[0], "first, with a comma", "", "1"],
        ["b", TEXTS[0], 'and "quotes"', "x", "02"],
        ["c", TEXTS[2], "line\r\nbreak", " spaces ", ""],
        ["d", "", "no text", "", ""],
        ["e", TEXTS[1], "", "", "5"],
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=";").writerows(rows)
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_comes_back(tmp_path: Path, table: Path, suffix: str) -> None:
    found = dedupe(table, share=0.5)
    assert (found.kept, found.counts["skipped"]) == (["c", "e"], 1)
    out, ledger, back = (tmp_path / f"{name}.{suffix}" for name in ("out", "x", "back"))
    ledger = tmp_path / "ledger.jsonl"
    save(found, out, ledger)
    assert restore(out, ledger, back) == 5
    # All rows, none removed: what a file of that format says of the whole source.
    whole = tmp_path / f"whole.{suffix}"
    everything = dedupe(table, share=1.0, threshold=1.0, method="codet", comparison="above")
    everything.removals.clear()
    everything._by_place.clear()
    save(everything, whole)
    if suffix == "parquet":
        assert parquet.read_table(back).equals(parquet.read_table(whole))
    else:
        assert back.read_bytes() == whole.read_bytes()
    if suffix.startswith("csv"):
        cells = read_table(back)
        assert cells[0] == ["id", "Text", "note", "note (2)", "rank"]
        assert cells[2] == ["b", TEXTS[0], 'and "quotes"', "x", "02"]
        assert cells[3][2:4] == ["line\r\nbreak", " spaces "]


def test_parquet_keeps_its_types(tmp_path: Path) -> None:
    source = tmp_path / "in.parquet"
    times = pa.array([1, 2, 3, None], pa.timestamp("ns", "Europe/Berlin"))
    given = pa.table(
        {
            "id": pa.array([1, 2, 3, 4], pa.int32()),
            "text": pa.array([TEXTS[0], TEXTS[0], TEXTS[2], TEXTS[3]], pa.large_string()),
            "when": times,
            "tags": pa.array([["a"], [], None, ["b", None]], pa.list_(pa.string())),
            "raw": pa.array([b"\xff", b"", None, b"x"], pa.binary()),
            "cost": pa.array([1, 2, 3, 4]).cast(pa.decimal128(22, 2)),
            "at": pa.array([{"x": 1.5}, None, {"x": None}, {"x": 2.0}]),
            "kind": pa.array(["news", "news", "blog", None]).dictionary_encode(),
        }
    )
    parquet.write_table(given, source)
    found = dedupe(source, method="retelling", passages=True)
    assert found.kept == ["1", "3", "4"]
    out, ledger, back = tmp_path / "out.parquet", tmp_path / "ledger.jsonl", tmp_path / "b.parquet"
    save(found, out, ledger)
    restore(out, ledger, back)
    plain = given.set_column(7, "kind", given["kind"].cast(pa.string()))
    assert parquet.read_table(back).equals(plain)
    assert parquet.read_table(out).equals(plain.take([0, 2, 3]))
    # As JSON Lines, values that JSON does not have are texts.
    save(found, tmp_path / "out.jsonl")
    row = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])
    assert (row["id"], row["tags"], row["raw"], row["cost"]) == (1, ["a"], "/w==", "1.00")


def test_types_of_columns_follow_from_all_rows(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    rows: list[dict[str, Any]] = [
        {"text": TEXTS[0], "n": 1, "x": 1, "mixed": "a", "yes": True},
        {"text": TEXTS[2], "n": None, "x": 0.5, "mixed": {"b": 1}, "big": 2**70 + 1},
        {"text": TEXTS[0], "n": 3, "x": None, "mixed": [1], "late": "only here"},
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = dedupe(source)
    assert found.counts["dropped"] == 1
    out, ledger, back = tmp_path / "out.parquet", tmp_path / "l.jsonl", tmp_path / "back.parquet"
    save(found, out, ledger)
    types = {field.name: str(field.type) for field in parquet.read_schema(out)}
    assert types == {
        "text": "string",
        "n": "int64",
        "x": "double",
        "mixed": "string",
        "yes": "bool",
        "big": "string",
        "late": "string",
    }
    restore(out, ledger, back)
    read = parquet.read_table(back).to_pylist()
    assert [json.loads(row["mixed"]) for row in read] == ["a", {"b": 1}, [1]]
    assert [row["late"] for row in read] == [None, None, "only here"]
    assert read[1]["big"] == str(2**70 + 1)


def test_shortened_rows_come_back_whole(tmp_path: Path) -> None:
    told = "The mine near Osmarrow will close in May after eighty years of work under ground."
    own = ["Bakers complain about flour that is dearer than ever before, and about ovens."]
    own += ["Nobody has seen the brown bear that took eleven sheep from the upper pasture."]
    rows = [
        {"article": {"body": f"{own[0]} {told}", "lang": "en"}, "n": 1, "big": 2**80 + 1},
        {"article": {"body": f"{told} {own[1]}", "lang": "en"}, "n": 2, "big": 2**81 + 1},
    ]
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(row, indent=None) + "\n" for row in rows))
    fields = Fields(text="article.body")
    found = dedupe(source, method="retelling", passages=True, fields=fields, keep="first")
    out, ledger, back = tmp_path / "out.jsonl", tmp_path / "ledger.jsonl", tmp_path / "back.jsonl"
    save(found, out, ledger)
    written = [json.loads(line) for line in out.read_text().splitlines()]
    assert written[0] == rows[0]
    assert written[1] == {**rows[1], "article": {"body": own[1], "lang": "en"}}
    restore(out, ledger, back)
    assert back.read_bytes() == source.read_bytes()
    entry = json.loads(ledger.read_text().splitlines()[1])
    assert entry["action"] == "shortened"
    assert entry["cuts"][0]["witness"] == "in.jsonl:1"


def test_folders_of_files_become_records(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a.txt").write_text(TEXTS[0])
    (folder / "b.txt").write_text(TEXTS[0])
    (folder / "c.html").write_text(f"<html lang=en><title>Rain</title><p>{TEXTS[2]}</html>")
    found = dedupe(folder)
    out, ledger, back = tmp_path / "out.jsonl", tmp_path / "ledger.jsonl", tmp_path / "back.jsonl"
    save(found, out, ledger)
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == ["a.txt", "c.html"]
    restore(out, ledger, back)
    read = [json.loads(line) for line in back.read_text().splitlines()]
    assert [row["id"] for row in read] == ["a.txt", "b.txt", "c.html"]
    assert read[1] == {"id": "b.txt", "text": TEXTS[0]}
    assert (read[2]["title"], read[2]["language"]) == ("Rain", "en")


def saved(tmp_path: Path) -> tuple[Path, Path]:
    documents = [Document(id=str(n), text=text) for n, text in enumerate(TEXTS)]
    out, ledger = tmp_path / "out.jsonl", tmp_path / "ledger.jsonl"
    save(dedupe(documents, share=0.5), out, ledger)
    return out, ledger


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            lambda out, _: out.write_bytes(out.read_bytes().partition(b"\n")[2]),
            "rows, .* wanted",
        ),
        (lambda out, _: out.write_bytes(out.read_bytes() + b"{}\n"), "it has more than the"),
        (
            lambda _, ledger: ledger.write_bytes(b'{"pairs": 1}\n'),
            "is no ledger of `twicetold dedupe`",
        ),
        (lambda _, ledger: ledger.write_bytes(b""), "is no ledger of `twicetold dedupe`"),
        (
            lambda _, ledger: ledger.write_bytes(ledger.read_bytes()[:-9]),
            ":2: is no line of a ledger",
        ),
    ],
)
def test_what_does_not_belong_together_is_refused(tmp_path: Path, spoil: Any, message: str) -> None:
    out, ledger = saved(tmp_path)
    spoil(out, ledger)
    with pytest.raises(FormatError, match=message):
        restore(out, ledger, tmp_path / "back.jsonl")
    assert not list(tmp_path.glob("back*"))


def test_names_that_cannot_be(tmp_path: Path) -> None:
    out, ledger = saved(tmp_path)
    with pytest.raises(ParameterError, match=r"must be \.jsonl as"):
        restore(out, ledger, tmp_path / "back.csv")
    with pytest.raises(ParameterError, match="a ledger is a file of JSON Lines"):
        save(dedupe([Document(id="a", text=TEXTS[0])]), out, tmp_path / "ledger.csv")
    with pytest.raises(ParameterError, match="the suffix of an output"):
        save(dedupe([Document(id="a", text=TEXTS[0])]), tmp_path / "out.xlsx")


def test_nothing_is_there_if_something_goes_wrong(tmp_path: Path) -> None:
    found = dedupe([Document(id="a", text=TEXTS[0])])

    def fail(_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save(found, tmp_path / "out.jsonl", tmp_path / "ledger.jsonl", progress=fail)
    assert list(tmp_path.iterdir()) == []

"""What a caller gives as sources: paths, texts, documents, records, tables."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from twicetold import Document, Fields, Report, build_statistics, explain, scan
from twicetold.comparing import compare
from twicetold.deduplicating import dedupe
from twicetold.documents import Given, SourcePath, read, repeatable
from twicetold.errors import DocumentError, ParameterError, SourceError
from twicetold.index import Index

LONG = "The old dam above the town broke on Monday morning. " * 200
SHORT = "The old dam above the town broke on Monday morning."
OTHER = "A heron was seen on the canal, and nobody had a camera."
TEXTS = [SHORT, OTHER, f"{SHORT} {OTHER}"]


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a folder with some files, whose names short texts could match."""
    (tmp_path / "a.txt").write_text(SHORT)
    (tmp_path / "b.txt").write_text(OTHER)
    (tmp_path / "Why not").write_text("no suffix")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def documents(given: Any, **options: Any) -> list[Document]:
    return [row.document for row in Given(given, **options).rows() if row.document is not None]


def found(pairs: Any) -> list[tuple[str, str, str]]:
    return [(pair.left, pair.relation, pair.right) for pair in pairs]


EXPECTED = [("0", "contained", "2"), ("1", "contained", "2")]

RECORDS = [{"text": text} for text in TEXTS]


class Frame:
    """A data frame of another library, as far as this one can see."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def __bool__(self) -> bool:
        msg = "The truth value of a DataFrame is ambiguous."
        raise ValueError(msg)

    def __iter__(self) -> Iterator[str]:
        return iter(self._table.column_names)


class OlderFrame:
    """The same with the protocol that came before."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __dataframe__(self, **options: Any) -> object:
        return self._table.__dataframe__(**options)


TABLE = pa.table({"text": TEXTS})
UNDERSTOOD: dict[str, Any] = {
    "texts": lambda: TEXTS,
    "a tuple of texts": lambda: tuple(TEXTS),
    "an iterator of texts": lambda: iter(TEXTS),
    "a numpy array": lambda: np.array(TEXTS),
    "records": lambda: RECORDS,
    "an iterator of records": lambda: iter(RECORDS),
    "documents": lambda: [Document(id=str(n), text=text) for n, text in enumerate(TEXTS)],
    "a table": lambda: TABLE,
    "a table in pieces": lambda: pa.concat_tables([TABLE[:1], TABLE[1:]]),
    "a record batch": lambda: TABLE.to_batches()[0],
    "a reader": TABLE.to_reader,
    "a column": lambda: TABLE["text"],
    "a frame": lambda: Frame(TABLE),
    "an older frame": lambda: OlderFrame(TABLE),
}


@pytest.mark.parametrize("what", UNDERSTOOD)
def test_what_is_in_memory_is_understood_everywhere_24(what: str, tmp_path: Path) -> None:
    give = UNDERSTOOD[what]
    options: dict[str, Any] = {"method": "codet", "language": "en", "threshold": 0.6}
    assert found(scan(give(), **options)) == EXPECTED
    assert dedupe(give(), **options).kept == ["2"]
    assert build_statistics(give(), method="codet", language="en").documents == 3
    assert explain("0", "2", sources=give(), method="codet").relation == "contained"
    assert compare("0", "2", sources=give(), language="en").pair.left == "0"
    with Index.create(tmp_path / "index", sample=give(), language="en") as index:
        assert [added.id for added in index.add_all(give())] == ["0", "1", "2"]


def test_strings_that_name_something_are_paths() -> None:
    for given in (
        ["a.txt"],
        ["a.txt", Path("b.txt")],
        ["*.txt"],
        ["."],
        ["**/*.txt"],
        [Path("no")],
    ):
        known = Given(given)
        assert list(known.rows()) == []
        assert known.paths == [str(path) for path in given]
        assert Given(given).paths_only == known.paths
    assert found(scan(["a.txt", "b.txt"])) == []


def test_short_texts_that_look_like_globs_are_texts() -> None:
    given = ["Who? Me?", "What?", "[1]", "no one * here", "Why"]
    assert [document.text for document in documents(given)] == given
    assert [document.id for document in documents(given)] == ["0", "1", "2", "3", "4"]


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "paths and texts": (
        ["a.txt", LONG, "b.txt"],
        ParameterError,
        (
            "1 of 3 strings name no file or folder, such as 'The old dam above the town broke on "
            "Monday morning. The old...; give either paths or texts"
        ),
    ),
    "a file that is not there": (
        ["nothing.jsonl"],
        SourceError,
        "nothing.jsonl: no such file or folder",
    ),
    "one of them is not there": (
        ["a.txt", "nothing.jsonl"],
        SourceError,
        "nothing.jsonl: no such file or folder",
    ),
    "a glob that matches nothing": (
        ["data/*.jsonl"],
        SourceError,
        "data/*.jsonl: the glob matches nothing",
    ),
    "a long text": (
        LONG,
        SourceError,
        (
            "The old dam above the town broke on Monday morning. The old ...: no such file or "
            "folder; a text goes into a list, or into a Document"
        ),
    ),
    "a short text": (SHORT, SourceError, f"{SHORT}: no such file or folder"),
    "a dict": (
        {"id": "a", "text": LONG},
        ParameterError,
        (
            "a single dict (with 'id', 'text') is no list of documents; put records into a list"
        ),
    ),
    "a number": (
        5,
        ParameterError,
        "sources must be paths, documents, texts, records or a table, got 5",
    ),
    "nothing": (
        None,
        ParameterError,
        "sources must be paths, documents, texts, records or a table, got None",
    ),
    "bytes": (
        b"The dam broke.",
        ParameterError,
        "sources must be paths, documents, texts, records or a table, got b'The dam broke.'",
    ),
    "a list of numbers": (
        [SHORT, 5],
        ParameterError,
        (
            "item 1 of the sources must be one of paths, documents, texts, records or a table, "
            "got 5"
        ),
    ),
    "records without a text": (
        [{"id": "a", "story": SHORT}, {"id": "b", "story": OTHER}],
        ParameterError,
        (
            "2 of 2 records have no text: no field for the text among 'id', 'story'; name it with "
            "fields=Fields(text=...)"
        ),
    ),
    "a table without a text": (
        pa.table({"id": ["a"], "story": [SHORT]}),
        ParameterError,
        "no field for the text among 'id', 'story'; name it with fields=Fields(text=...)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_meant_is_refused_in_one_short_sentence_24(what: str) -> None:
    given, error, message = WRONG[what]
    for call in (scan, dedupe, build_statistics):
        with pytest.raises(error) as caught:
            call(given)
        assert str(caught.value) == message
    if given is not None:
        with pytest.raises(error) as caught:
            explain("a", "b", sources=given)
        assert str(caught.value) == message


def test_no_message_is_as_long_as_the_text() -> None:
    calls: tuple[Any, ...] = (
        lambda: scan([LONG, "a.txt"]),
        lambda: scan(LONG),
        lambda: list(read(LONG)),
        lambda: explain(LONG, SHORT),
        lambda: compare(LONG, SHORT),
        lambda: compare(SHORT, LONG, sources=["a.txt"]),
    )
    for call in calls:
        with pytest.raises((ParameterError, SourceError)) as caught:
            call()
        assert len(str(caught.value)) < 250
        assert "\n" not in str(caught.value)


def test_fields_of_records_are_found_as_in_files() -> None:
    published = datetime(2026, 1, 2, 3, tzinfo=UTC)
    rows: list[dict[str, Any]] = [
        {"_id": 7, "body": SHORT, "headline": "Dam", "publisher": "Wire", "url": "http://a/1",
         "date": "2026-01-02", "lang": "en", "score": 1.5},
        {"_id": None, "body": OTHER, "headline": float("nan"), "publisher": None, "url": None,
         "date": date(2026, 1, 2), "lang": None, "score": 2},
        {"_id": "x", "body": LONG, "date": published},
    ]  # fmt: skip
    one, two, three = documents(rows)
    day = datetime(2026, 1, 2, tzinfo=UTC)
    assert one == Document(
        id="7", text=SHORT, title="Dam", source="Wire", url="http://a/1", published=day,
        language="en",
    )  # fmt: skip
    assert two == Document(id="1", text=OTHER, published=day)
    assert three == Document(id="x", text=LONG, published=published)
    table = pa.Table.from_pylist(
        [
            {**row, "_id": row["_id"] and str(row["_id"]), "date": published, "headline": None}
            for row in rows
        ]
    )
    assert [document.id for document in documents(table)] == ["7", "1", "x"]
    assert {document.published for document in documents(table)} == {published}
    named = documents([{"key": "a", "story": SHORT}], fields=Fields(id="key", text="story"))
    assert named == [Document(id="a", text=SHORT)]


def test_what_cannot_be_used_is_counted_and_strict_stops_at_it() -> None:
    report = Report()
    rows = [{"text": SHORT}, {"text": ""}, {"text": OTHER}, {"text": 5}]
    assert [document.id for document in documents(rows, report=report)] == ["0", "2"]
    assert (report.documents, dict(report.count)) == (2, {"empty text": 1, "bad text": 1})
    with pytest.raises(DocumentError, match="records:2: the text is empty"):
        documents(rows, strict=True)
    again = Report()
    assert found(scan([{"id": "a", "text": SHORT}, {"id": "a", "text": OTHER}], report=again)) == []
    assert dict(again.count) == {"duplicate id": 1}


def test_deduplicated_records_keep_what_they_have() -> None:
    rows = [{"text": SHORT, "score": 1}, {"text": SHORT, "score": 2}, {"text": OTHER, "score": 3}]
    kept = dedupe(rows, method="codet")
    assert list(kept.records()) == [rows[0], rows[2]]
    table = pa.Table.from_pylist(rows)
    assert list(dedupe(table, method="codet").records()) == [rows[0], rows[2]]


def test_paths_and_documents_may_stand_side_by_side() -> None:
    own = Document(id="own", text=f"{SHORT} {OTHER}", language="en")
    pairs = scan(["a.txt", own, "b.txt"], language="en")
    assert {pair.left for pair in pairs} | {pair.right for pair in pairs} == {
        "own", "a.txt", "b.txt",
    }  # fmt: skip


def test_a_path_that_is_certainly_one_is_no_text() -> None:
    with pytest.raises(SourceError, match="no such file or folder"):
        scan([SourcePath(SHORT), SourcePath(OTHER)])


def test_what_can_be_had_once_is_kept_for_a_second_time() -> None:
    for what, give in UNDERSTOOD.items():
        kept = repeatable(give())
        assert [document.text for document in documents(kept)] == TEXTS, what
        assert [document.text for document in documents(kept)] == TEXTS, what


def test_a_name_that_is_too_long_for_the_system_is_told() -> None:
    with pytest.raises(SourceError, match="no such file or folder"):
        list(read("x" * 5000))
    with pytest.raises(SourceError, match="no such file or folder"):
        list(read("x" * (os.pathconf(".", "PC_NAME_MAX") + 1)))

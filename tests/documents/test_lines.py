"""Documents of JSON Lines whose texts stay in the kernel: the same as those that are read."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.running import taken

from twicetold import Document
from twicetold.batches import Line, batch_of, characters
from twicetold.documents import Fields, Report, read_batches, read_every
from twicetold.index.document_rows import packed_of

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(0, 99),
    st.sampled_from(["", " ", "a b", 'x "y" \\ \n z', "é 长 \U0001f600", "2026-01-02", "en"]),
    st.just(["x"]),
)
KEYS = ("id", "_id", "text", "body", "title", "Headline", "url", "source", "date", "lang", "n")


def told(documents: list[Document]) -> list[tuple[Any, ...]]:
    return [tuple(getattr(one, field.name) for field in fields(Document)) for one in documents]


def both(path: Path, **options: Any) -> tuple[list[Document], list[Document]]:
    """Read a file in both ways, with the same problems."""
    found, reports = [], []
    for as_lines in (False, True):
        report = Report()
        found.append(taken(read_every(path, as_lines=as_lines, report=report, **options))[0])
        reports.append((report.documents, [str(problem) for problem in report.problems]))
    assert reports[0] == reports[1]
    return found[0], found[1]


@given(
    rows=st.lists(st.dictionaries(st.sampled_from(KEYS), VALUES), max_size=8), plain=st.booleans()
)
def test_lines_are_the_documents_that_are_read(
    rows: list[dict[str, Any]], plain: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.jsonl"
    lines = [json.dumps(row, ensure_ascii=plain) for row in rows]
    path.write_text("\n".join([*lines, "{", "", '{"id": "last", "text": "the last one"}']))
    documents, lines_ = both(path)
    assert told(lines_) == told(documents)
    assert any(type(line) is Line for line in lines_)


def test_names_that_stand_for_two_parts_are_read_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"url": "http://a", "text": "one"}\n{"url": "http://b", "text": "two"}\n')
    documents, lines = both(path, fields=Fields(id="url"))
    assert [one.id for one in lines] == [one.url for one in lines] == ["http://a", "http://b"]
    assert told(lines) == told(documents)


def test_a_name_that_stands_for_two_parts_holds_for_both_in_batches_too(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"source": "wire", "text": "one"}\n')
    fields_ = Fields(id="source")
    assert [one.source for one in read_every(path, fields=fields_)] == ["wire"]
    assert [batch.columns()[4] for batch in read_batches(path, fields=fields_)] == [["wire"]]


def test_lines_make_the_batch_and_the_bytes_that_documents_make(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    text = (
        '{"id": %d, "text": "Line \\"%d\\" of é.\\nIt ends.", "lang": "en", "date": "2026-01-02"}\n'
    )
    path.write_text("".join(text % (n, n) for n in range(100)))
    documents, lines = both(path)
    assert all(type(line) is Line for line in lines)
    some, others = [lines[7], lines[3], *lines[50:]], [documents[7], documents[3], *documents[50:]]
    assert batch_of(some).columns() == batch_of(others).columns()
    assert batch_of([*some, documents[1]]).columns() == batch_of([*others, documents[1]]).columns()
    assert list(packed_of(some).values()) == list(packed_of(others).values())
    mixed = [documents[1], *some, documents[2], lines[4]]
    ids, texts, *_ = batch_of(mixed).columns()
    assert (ids, texts) == ([one.id for one in mixed], [one.text for one in mixed])
    packed = packed_of(mixed)
    assert [packed[id(one)] for one in mixed] == [packed_of([one])[id(one)] for one in mixed]
    assert all(characters(line) > 0 for line in lines)


def test_a_line_is_found_in_every_batch_it_may_be_of(tmp_path: Path) -> None:
    for n in range(3):
        (tmp_path / f"{n}.jsonl").write_text(f'{{"id": "{n}", "text": "text number {n}"}}\n')
    lines = list(read_every(tmp_path, as_lines=True))
    turned = [lines[2], lines[0], lines[1], lines[0]]
    ids, texts, *_ = batch_of(turned).columns()
    assert ids == ["2", "0", "1", "0"]
    assert texts == [f"text number {name}" for name in ids]


def test_lines_hold_their_texts_and_not_all_that_stands_beside_them(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    row = '{"id": %d, "text": "a short text é", "vector": "' + "0" * 5000 + '"}\n'
    path.write_text("".join(row % n for n in range(500)))
    lines = list(read_every(path, as_lines=True))
    assert {line.text for line in lines} == {"a short text é"}
    tracked = sum(characters(line) for line in lines)
    assert tracked == 500 * len("a short text é".encode())
    assert batch_of(lines).contents()[0] == "a short text é".encode() * 500


@pytest.mark.parametrize("depth", [100, 1_000, 1_023, 1_100, 100_000])
@pytest.mark.parametrize("brackets", [("[", "]"), ('{"a":', "}")])
def test_what_is_too_deep_is_refused_whoever_reads(
    depth: int, brackets: tuple[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "a.jsonl"
    deep = brackets[0] * depth + "1" + brackets[1] * depth
    path.write_text(f'{{"id": "deep", "text": "one", "n": {deep}}}\n{{"id": "b", "text": "two"}}\n')
    documents, lines = both(path)
    batched = [batch.columns()[0] for batch in read_batches(path)]
    found = ["deep", "b"] if depth < 1_024 else ["b"]
    assert [one.id for one in documents] == [one.id for one in lines] == found
    assert [name for names in batched for name in names] == found

"""The format as docs/index-format.md tells it, and an index of its first day."""

from __future__ import annotations

import json
import lzma
import shutil
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests import reference_index
from tests.cli.calling import twicetold
from tests.index.making import DAY, make, small_files, story
from tests.index.model import row
from twicetold import _kernel, read
from twicetold.batches import microseconds
from twicetold.index import SERVED, Index

#: Indexes as `making.make` made them: of the first day, and of sentences, in blocks of 1,024 bytes.
GOLDEN = Path(__file__).parent / "golden"
GOLDEN_SENTENCES = Path(__file__).parent / "golden_sentences"
DOCS = Path(__file__).resolve().parents[2] / "docs"
NEWS = Path(__file__).resolve().parents[2] / "examples" / "news"


def words(content: bytes) -> list[int]:
    return [value for (value,) in struct.iter_unpack("<Q", content)]


def compare(path: Path) -> reference_index.Index:
    """Compare all that the plain reader finds with what the program says."""
    plain = reference_index.Index(path)
    with Index.open(path) as index:
        told = list(index.documents())
        parts = index._core.parts
        bundle = parts.live()
    for one, document in zip(plain.documents, told, strict=True):
        about = {"title": document.title, "url": document.url, "source": document.source,
                 "language": document.language}  # fmt: skip
        for name in ("boilerplate", "places"):
            one.about.pop(name, None)
        assert one.about == {name: value for name, value in about.items() if value is not None}
        assert (one.id, one.text) == (document.id, document.text)
        assert one.published == microseconds(document.published)
    held = plain.held()
    assert sorted(held) == sorted(one.number for one in plain.documents)
    assert sorted(bundle.numbers) == sorted(held)
    # Features, unit by unit, in the order in which the program loads documents.
    ends, keys, weights, counts = bundle.features().columns()
    _, width, sketches = bundle.features().unit_columns()
    expected: list[tuple[int, int, int]] = []
    drawn: list[int] = []
    unit_ends: list[int] = []
    for number, name, time in zip(bundle.numbers, bundle.ids, bundle.times, strict=True):
        segment, stored = held[number]
        assert (stored.id, stored.time) == (name, time)
        features, sketch = segment.features(), segment.sketches()
        for unit in stored.units:
            expected += sorted(features[unit])  # the program sorts by key, too
            unit_ends.append(len(expected))
            drawn += sketch[unit]
            assert segment.words == width
    found = [words(keys), words(weights)]
    many = [n for (n,) in struct.iter_unpack("<I", counts)] or [1] * len(found[0])
    rows = list(zip(*found, many, strict=True))
    by_unit = [sorted(own) for own in reference_index.parts(words(ends), rows)]
    assert [feature for own in by_unit for feature in own] == expected
    assert (words(ends), words(sketches)) == (unit_ends, drawn)
    for segment in plain.segments.values():
        check_postings(segment)
    return plain


def check_postings(segment: reference_index.Segment) -> None:
    """Postings are sorted, name units that are there, and holders hold what they should."""
    postings = segment.postings()
    rows = [(key, not looks_up, unit) for key, unit, looks_up in postings]
    assert rows == sorted(rows)
    assert len({(key, unit) for key, unit, _ in postings}) == len(postings)
    assert {unit for _, unit, _ in postings} <= set(range(segment.n_units))
    holders = segment.holders()
    for place, document in enumerate(segment.documents):
        assert all(place in holders[unit] for unit in document.units)
    assert sum(map(len, holders)) == sum(len({*one.units}) for one in segment.documents)


@pytest.mark.parametrize("method", SERVED)
def test_a_reader_written_from_the_page_finds_the_same(method: str, tmp_path: Path) -> None:
    path = tmp_path / "index"
    with small_files(4000), Index.create(path, method=method, window=40 * DAY) as index:
        list(index.add_all([story(n, n / 5) for n in range(20)]))
        for number in range(20, 26):
            index.add(story(number, number / 5))
        index.remove("d3", "d24")
        index.expire(story(2, 0.1).published)
    assert compare(path).segments


def test_postings_of_codet_are_its_keys(tmp_path: Path) -> None:
    plain = compare(make(tmp_path / "index"))
    for segment in plain.segments.values():
        features = segment.features()
        wanted = {(key >> 32, unit) for unit, own in enumerate(features) for key, _, _ in own}
        assert {post[:2] for post in segment.postings()} == wanted


def test_pages_whose_boilerplate_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "index"
    with Index.create(path, method="codet", sample=NEWS) as index:
        list(index.add_all(read(NEWS)))
        before = sorted(row(pair) for pair in index.pairs(all_pairs=True))
    spans = [one.about.get("boilerplate") for one in reference_index.Index(path).documents]
    assert any(spans)
    compare(path)
    # Made again from what is kept: the page itself is not, and need not be.
    with Index.open(path, write=True) as index:
        index.rebuild(statistics=index.statistics)
        assert sorted(row(pair) for pair in index.pairs(all_pairs=True)) == before
        index.rebuild()
        assert index.statistics is not None
        assert index.statistics.boilerplate


def test_the_page_has_the_tables_as_they_are(tmp_path: Path) -> None:
    page = (DOCS / "index-format.md").read_text("utf-8")
    with closing(sqlite3.connect(make(tmp_path / "index") / "index.sqlite")) as database:
        rows = database.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")
        statements = [sql for (sql,) in rows if "sqlite_" not in sql]
        names = {name for (name,) in database.execute("SELECT name FROM meta")}
    assert len(statements) == 6
    for statement in statements:
        assert f"{statement};" in page
    for name in names:
        assert f"| `{name}` |" in page


# Indexes as they were


class Golden(NamedTuple):
    """A copy of an index that was kept, and what it answered."""

    path: Path
    wanted: dict[str, Any]


@pytest.fixture(params=[GOLDEN, GOLDEN_SENTENCES], ids=lambda folder: folder.name)
def golden(request: pytest.FixtureRequest, tmp_path: Path) -> Golden:
    """Return a copy; the database, of mostly empty pages, is kept compressed."""
    folder: Path = request.param
    path = tmp_path / "index"
    shutil.copytree(folder / "segments", path / "segments")
    content = lzma.decompress((folder / "index.sqlite.xz").read_bytes())
    (path / "index.sqlite").write_bytes(content)
    return Golden(path, json.loads((folder / "answers.json").read_text("utf-8")))


def answers(path: Path) -> dict[str, Any]:
    """Return what an index answers: its pairs, and those of documents that are not in it."""
    with Index.open(path) as index:
        new = [story(number, 9) for number in (2, 30, 31)]
        found = [list(index.pairs(all_pairs=True)), *(index.search(one) for one in new)]
        text = json.dumps([[pair.to_json() for pair in pairs] for pairs in found])
        return {"documents": [one.id for one in index.documents()], "pairs": json.loads(text)}


def test_an_index_of_an_earlier_day_opens_and_answers_as_it_did(golden: Golden) -> None:
    assert twicetold("index", "check", golden.path) == (0, "all is well\n", "")
    assert answers(golden.path) == golden.wanted
    assert len(golden.wanted["pairs"][0]) > 5
    compare(golden.path)


def test_it_can_be_written_to_repaired_and_rebuilt(golden: Golden) -> None:
    with small_files(), Index.open(golden.path, write=True) as index:
        assert index.add(story(30, 9)).status == "added"
        assert index.remove("d30") == ["d30"]
        index.rebuild(statistics=index.statistics)
    assert answers(golden.path) == golden.wanted
    next((golden.path / "segments").iterdir()).write_bytes(b"")
    assert twicetold("index", "check", "--repair", golden.path).code == 0
    assert answers(golden.path) == golden.wanted


def test_it_is_of_this_version(golden: Golden) -> None:
    meta = reference_index.Index(golden.path).meta
    assert meta["settings"]["hash_version"] == _kernel.HASH_VERSION


def test_segments_are_written_as_they_were(tmp_path: Path) -> None:
    """What changes their bytes changes the format: it needs a flag or a version, and the page."""
    kept, made = (
        {file.name: file.read_bytes() for file in (path / "segments").iterdir()}
        for path in (GOLDEN_SENTENCES, make(tmp_path / "index", method="retelling"))
    )
    assert kept.keys() == made.keys()
    assert [name for name in kept if kept[name] != made[name]] == []

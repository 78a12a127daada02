"""Passages of web pages say where in them they are, as in a scan; the pages are not kept."""

from __future__ import annotations

import base64
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests import reference_index
from tests.cli.calling import NEWS, twicetold
from tests.index.model import row
from twicetold import Document, scan
from twicetold.counting import build_statistics
from twicetold.documents import read_every
from twicetold.html.reading import page_of
from twicetold.index import Index

DAY = timedelta(days=1)
THEN = datetime(2026, 3, 1, tzinfo=UTC)
STORY = (
    "The dam above Korvel broke on Monday morning after nine days of rain. "
    "Engineers had warned the council of deep cracks in its eastern wall."
)


def page(name: str, day: int, words: str = "") -> Document:
    """Return a page whose story is the second of its blocks."""
    markup = f"<h1>{name} tells {words}</h1><main><p>{STORY}</p></main>"
    text = page_of(markup).text
    return Document(
        id=name, text=text, html=markup, language="en", published=THEN + day * DAY, source=name
    )


@pytest.mark.parametrize("method", ["retelling", "qsign"])
def test_places_are_those_of_a_scan(method: str, tmp_path: Path) -> None:
    sources = [NEWS / "wire.jsonl", NEWS / "gazette"]
    statistics = build_statistics(sources, method=method)
    scanned = scan(sources, method=method, statistics=statistics, passages=True, all_pairs=True)
    wanted = sorted(map(row, scanned))
    placed = [one for pair in scanned for one in pair.passages if one.left_place or one.right_place]
    assert placed
    with Index.create(
        tmp_path / "index", method=method, statistics=statistics, passages=True
    ) as index:
        told = list(index.add_all(read_every(*map(str, sources)), all_pairs=True))
        assert sorted(row(pair) for added in told for pair in added.pairs) == wanted
        assert sorted(map(row, index.pairs(all_pairs=True))) == wanted
        for document in read_every(*map(str, sources)):
            found = sorted(map(row, index.search(document, all_pairs=True)))
            assert found == [one for one in wanted if document.id in one[:2]]
        assert index.check() == []


def test_a_stream_prints_them_and_tells_them_again(tmp_path: Path) -> None:
    options = ("--sample", NEWS, "--index", tmp_path / "index", "-q")
    first = twicetold("stream", NEWS / "gazette", *options)
    assert '"left_place"' in first.out
    with Index.open(tmp_path / "index", write=True) as index:
        wire = list(read_every(str(NEWS / "wire.jsonl")))
        told = [pair for added in index.add_all(wire, until_told=True) for pair in added.pairs]
    again = twicetold("stream", *options[2:], stdin=b"")
    assert again.rows == [pair.to_json() for pair in told]
    assert again.out.count("_place") > 0


def test_answers_name_places_of_what_is_gone_by_then(tmp_path: Path) -> None:
    with Index.create(
        tmp_path / "index", method="retelling", reference="en", window=10 * DAY
    ) as index:
        index.add(page("a", 0))
        second = index.add(page("b", 1))
        index.remove("a")
        expired = list(index.add_all([page("c", 2), page("d", 40)]))
        assert [added.status for added in expired] == ["expired", "added"]
        last = index.add(page("e", 41))
    for added, names in ((second, "ab"), (expired[0], "bc"), (last, "de")):
        (pair,) = added.pairs
        assert (pair.left, pair.right) == tuple(names)
        for passage in pair.passages:
            assert passage.left_place is not None
            assert passage.right_place is not None
            assert passage.left_place == passage.right_place


def test_what_is_kept_of_a_page_is_written_as_documented(tmp_path: Path) -> None:
    path = tmp_path / "index"
    with Index.create(path, method="codet", reference="en") as index:
        index.add(page("a", 0))
    (kept,) = reference_index.Index(path).documents
    lines = zlib.decompress(base64.b64decode(kept.about["places"])).decode().split("\n")
    nodes = [line.split("\t") for line in lines]
    text = page("a", 0).text
    assert [text[int(start) :][:7] for start, *_ in nodes] == ["a tells", "The dam"]
    assert [path.split()[-1].rpartition("/")[2] for *_, path in nodes] == ["h1", "p"]

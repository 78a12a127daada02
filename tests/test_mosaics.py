"""A mosaic attributes each character to the earliest document that has it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.running import document
from twicetold import scan
from twicetold.documents.dates import parse_date
from twicetold.errors import ParameterError
from twicetold.mosaics import Mosaic, Mosaics, mosaics
from twicetold.pairs import Manifest, Pairs
from twicetold.records import Document, Pair, Passage, PassageType, Span

DAY_ONE = datetime(2026, 3, 1, tzinfo=UTC)
DAM = "The old dam above the town broke on Monday morning after weeks of heavy rain."
FAIR = "A fair with forty stalls opens beside the cathedral on the first Sunday in May."
ROADS = "Three mountain roads stay closed until the snow has been cleared by the army."


def dated(name: str, day: int | None, *sentences: str) -> Document:
    when = None if day is None else DAY_ONE + timedelta(days=day)
    return document(name, *sentences, published=when)


def told(mosaic: Mosaic) -> dict[str | None, float]:
    return {part.document: round(part.share, 2) for part in mosaic.parts}


def test_each_stretch_belongs_to_the_earliest_that_has_it() -> None:
    documents = [
        dated("later", 3, DAM, FAIR, ROADS),
        dated("second", 1, FAIR, DAM),
        dated("first", 0, DAM),
    ]
    pairs = scan(documents, method="word-overlap", passages=True)
    second, later = sorted(mosaics(pairs, documents), key=lambda mosaic: len(mosaic.parts))
    assert second.document == "second"
    assert told(second) == {"first": 0.49, None: 0.51}
    assert later.document == "later"
    assert [part.document for part in later.parts] == ["second", "first", None]
    assert [tile.document for tile in later.tiles] == ["first", "second", None]
    assert abs(sum(part.share for part in later.parts) - 1) < 1e-12
    assert all(part.is_earlier for part in later.parts)


def test_a_copy_has_what_its_original_took_from_others() -> None:
    documents = [dated("a", 0, DAM), dated("b", 1, DAM, FAIR), dated("c", 2, DAM, FAIR)]
    for method in ("word-overlap", "qsign"):
        found = mosaics(scan(documents, method=method, passages=True), documents)
        b, c = found
        assert told(b).keys() == {"a", None}
        assert told(c).keys() == {"a", "b"}
        assert [tile.span for tile in b.tiles] == [tile.span for tile in c.tiles]
        assert told(c)["b"] == told(b)[None]


def test_without_dates_nobody_knows_who_was_first() -> None:
    documents = [dated("a", None, DAM), dated("b", 2, DAM, FAIR)]
    a, b = mosaics(scan(documents, method="word-overlap", passages=True), documents)
    assert told(a) == {"b": 1.0}
    assert told(b) == {"a": 0.49, None: 0.51}
    for found in (a, b):
        assert [part.is_earlier for part in found.parts if part.document] == [False]


@pytest.mark.parametrize(
    ("times", "known"),
    [
        (("2026-03-01", "2026-03-01"), False),
        (("2026-03-01", "2026-03-01T09:00Z"), False),
        (("2026-03-01T09:00Z", "2026-03-01T09:00Z"), False),
        (("2026-03-01T09:00Z", None), False),
        (("2026-03-01T09:00Z", "2026-03-01T09:01Z"), True),
        (("2026-03-01", "2026-03-02"), True),
        (("2026-03-01T23:59Z", "2026-03-02"), True),
        (("2026-03-01", "2026-03-02T09:00Z"), True),
    ],
)
def test_one_of_two_is_earlier_only_where_times_tell_24(
    times: tuple[str, str | None], known: bool
) -> None:
    documents = [
        document(name, DAM, *more, published=None if time is None else parse_date(time))
        for name, time, more in zip("ab", times, ((), (FAIR,)), strict=True)
    ]
    found = mosaics(scan(documents, method="word-overlap", passages=True), documents)
    assert [mosaic.document for mosaic in found] == (["b"] if known else ["a", "b"])
    parts = [part for mosaic in found for part in mosaic.parts if part.document]
    assert [part.is_earlier for part in parts] == ([True] if known else [False, False])


@pytest.mark.parametrize("name", ["0", "z"])
def test_the_document_asked_about_has_a_mosaic_whatever_its_id_24(name: str) -> None:
    asked, stored = document(name, DAM, FAIR), dated("a", 1, DAM)
    pairs = scan([asked, stored], method="word-overlap", passages=True)
    for others in ([], [stored]):
        collected = Mosaics(pairs, only=[name])
        for one in (asked, *others):
            collected.see(one)
        assert told(collected.of(name)) == {"a": 0.49, None: 0.51}
    collected = Mosaics(Pairs.of([], Manifest()), only=[name])
    collected.see(asked)
    assert told(collected.of(name)) == {None: 1.0}
    with pytest.raises(ParameterError, match="no mosaic of 'other'"):
        collected.of("other")


def test_copies_of_one_day_are_also_in_each_other() -> None:
    documents = [dated("a", 0, DAM), dated("b", 1, DAM, FAIR), dated("c", 1, DAM, FAIR)]
    b, c = mosaics(scan(documents, method="word-overlap", passages=True), documents)
    assert told(b) == {"a": 0.49, "c": 0.51}
    assert told(c) == {"a": 0.49, "b": 0.51}
    for found in (b, c):
        assert all(part.is_earlier == (part.document == "a") for part in found.parts)


def test_methods_without_passages_make_no_mosaics() -> None:
    documents = [dated("a", 0, DAM), dated("b", 1, DAM, FAIR)]
    assert mosaics(scan(documents, method="codet"), documents) == []


def test_blank_characters_do_not_count() -> None:
    text = f"\n\n\n   {DAM}   \n\n\t"
    documents = [dated("a", 0, DAM), Document(id="b", text=text, published=DAY_ONE + timedelta(1))]
    (found,) = mosaics(scan(documents, method="word-overlap", passages=True), documents)
    assert told(found) == {"a": 1.0}


def test_boilerplate_is_told_apart_and_a_changed_text_is_no_problem() -> None:
    long = Passage(Span(0, 40), Span(10, 500), 1.0, "boilerplate")
    pairs = Pairs.of([Pair("a", "b", "contained", 1, 0.5, 0.5, 1.0, passages=(long,))], Manifest())
    documents = [dated("a", 0, DAM), dated("b", 1, DAM)]
    (found,) = mosaics(pairs, documents)
    assert [(part.document, part.is_boilerplate) for part in found.parts] == [
        ("a", True),
        (None, False),
    ]
    assert found.tiles[-1].span.end == len(documents[1].text)
    # A document that is gone has no mosaic.
    (left,) = mosaics(pairs, documents[:1])
    assert [(part.document, part.is_earlier) for part in left.parts[:1]] == [("b", False)]


def turned(passage: Passage) -> Passage:
    return replace(passage, left=passage.right, right=passage.left)


SIZE = 24
TEXT = "ab cd  ef\ngh ij kl mn op"


@st.composite
def passages(draw: st.DrawFn) -> tuple[Passage, ...]:
    found = []
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, SIZE - 1))
        kind: PassageType = draw(st.sampled_from(["edited", "boilerplate"]))
        end = draw(st.integers(start + 1, SIZE))
        found.append(Passage(Span(0, 1), Span(start, end), 1.0, kind))
    return tuple(found)


@given(
    given_by=st.lists(st.tuples(passages(), st.none() | st.integers(0, 4)), min_size=1, max_size=5),
    name=st.sampled_from(["", "z"]),
    hour=st.none() | st.integers(0, 9),
)
def test_tiles_are_those_of_looking_at_each_character(
    given_by: list[tuple[tuple[Passage, ...], int | None]], name: str, hour: int | None
) -> None:
    when = None if hour is None else DAY_ONE + timedelta(days=2, hours=hour)
    own = Document(id=name, text=TEXT, published=when)
    documents = [dated(name, day, TEXT) for name, (_, day) in zip("abcde", given_by, strict=False)]
    by_id = {d.id: found for d, (found, _) in zip(documents, given_by, strict=True)}
    pairs = [
        Pair(other, name, "overlap", 0.1, 0.1, 0.1, 1.0, passages=some)
        if other < name
        else Pair(name, other, "overlap", 0.1, 0.1, 0.1, 1.0, passages=tuple(map(turned, some)))
        for other, some in by_id.items()
    ]
    order = sorted(
        (d for d in documents if not own.is_before(d)),
        key=lambda d: (not d.is_before(own), d.published is None, d.published or DAY_ONE, d.id),
    )
    wanted: list[str | None] = []
    for place in range(SIZE):
        holders = [
            d.id for d in order if any(p.right.start <= place < p.right.end for p in by_id[d.id])
        ]
        wanted.append(holders[0] if holders else None)
    known = [*documents, own] if hour is None or hour % 2 else [own, *documents]
    found = [one for one in mosaics(Pairs.of(pairs, Manifest()), known) if one.document == name]
    if not any(wanted[n] for n in range(SIZE) if not TEXT[n].isspace()):
        assert found == []
        return
    tiles = found[0].tiles
    for place in range(SIZE):
        if not TEXT[place].isspace():
            (tile,) = [t for t in tiles if t.span.start <= place < t.span.end]
            assert tile.document == wanted[place]
    ink = [n for n in range(SIZE) if not TEXT[n].isspace()]
    shares: dict[str | None, float] = {}
    for part in found[0].parts:
        shares[part.document] = shares.get(part.document, 0) + part.share
    for other in {wanted[n] for n in ink}:
        assert abs(shares[other] - sum(wanted[n] == other for n in ink) / len(ink)) < 1e-12

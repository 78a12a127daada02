"""The page of a scan, as bytes: whole, safe, and within its bounds whatever was scanned."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest

from tests import hostile
from tests.reports.making import HOSTILE, SAMPLE, make, pair
from tests.reports.test_comparison_page import EVIL, Reading
from tests.running import document
from twicetold import read, scan
from twicetold.clusters import find_clusters
from twicetold.pairs import Pairs
from twicetold.records import Document, Passage, PassageType, Span
from twicetold.reports.page import shown
from twicetold.reports.scan_columns import pair_columns, source_of
from twicetold.reports.scan_page import scan_page

NEWS = "examples/news"
TOLD = "The old dam above the town broke on Monday morning after weeks of heavy rain."


def data_of(page: bytes, name: str = "data") -> dict[str, Any]:
    found = re.search(
        rb'<script type="application/json" id="%s">(.*?)</script>' % name.encode(), page, re.DOTALL
    )
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def page_of(documents: list[Document], **options: Any) -> bytes:
    pairs = scan(documents, method="word-overlap", passages=True, language="en", min_overlap=0.3)
    return scan_page(pairs, documents, **options)


def passages_of(page: bytes) -> list[tuple[str, str]]:
    """Return both sides of every passage, as a browser would cut them out of the texts."""
    data, told = data_of(page), data_of(page, "texts")
    found = []
    for number, flat in told["passages"].items():
        for at in range(0, len(flat), 6):
            sides = []
            for side, start, end in (
                ("left", *flat[at : at + 2]),
                ("right", *flat[at + 2 : at + 4]),
            ):
                stretches = told["texts"][str(data["pairs"][side][int(number)])]
                sides.append(cut(stretches, start, end))
            found.append((sides[0], sides[1]))
    return found


def cut(stretches: list[Any], start: int, end: int) -> str:
    for first, text in zip(stretches[1::2], stretches[2::2], strict=True):
        units = text.encode("utf-16-le")
        if first <= start <= first + len(units) // 2:
            return bytes(units[2 * (start - first) : 2 * (end - first)]).decode("utf-16-le")
    pytest.fail("a passage lies outside of the texts")


@pytest.mark.parametrize("method", ["codet", "retelling", "qsign"])
def test_a_page_holds_all_pairs_and_their_passages(method: str) -> None:
    documents = list(read(NEWS))
    found = scan(documents, method=method, passages=None if method == "codet" else True)
    page = scan_page(found, documents)
    data = data_of(page)
    ids = data["documents"]["id"]
    rows = zip(data["pairs"]["left"], data["pairs"]["right"], strict=True)
    assert {(ids[left], ids[right]) for left, right in rows} == {(p.left, p.right) for p in found}
    assert len(data["clusters"]) == len(find_clusters(found)) > 10
    assert bool(data["mosaics"]) == (method != "codet")
    texts = {text for one in documents for text in [shown(one.text)]}
    assert all(any(side in text for text in texts) for both in passages_of(page) for side in both)
    assert len(data_of(page, "texts")["passages"]) == len(found)


def test_passages_are_those_of_the_pairs() -> None:
    documents = list(read(NEWS))
    found = scan(documents, method="retelling")
    known = {one.id: one.text for one in documents}
    wanted = [
        (shown(known[p.left][slice(*own.left)]), shown(known[p.right][slice(*own.right)]))
        for p in found
        for own in p.passages
    ]
    shown_ones = passages_of(scan_page(found, documents))
    # Those that follow each other are shown as one.
    assert 0 < len(shown_ones) <= len(wanted)
    for left, right in wanted:
        assert any(left in one and right in other for one, other in shown_ones)


def test_sentences_that_follow_each_other_are_one_passage() -> None:
    other, more = "A fair opens on Sunday beside the mill.", "The army clears the roads of snow."
    documents = [document("a", TOLD, other, more), document("b", more, TOLD, other)]
    page = page_of(documents)
    assert passages_of(page) == [(f"{TOLD}\n\n{other}", f"{TOLD}\n\n{other}"), (more, more)]
    assert data_of(page)["pairs"]["passages"] == [3]


def test_a_page_needs_nothing_but_itself() -> None:
    page = scan_page(scan(NEWS, method="retelling"), read(NEWS))
    tags = Reading(page).tags
    assert not {tag for tag, _ in tags} & {"link", "img", "iframe", "object", "base"}
    assert not any(key in {"src", "style"} or key.startswith("on") for _, a in tags for key in a)
    assert all((a.get("href") or "#").startswith("#") for _, a in tags)
    names = [a["id"] for _, a in tags if "id" in a]
    assert len(names) == len(set(names))
    assert {(a.get("href") or "#")[1:] for tag, a in tags if tag == "a"} <= set(names)


def test_only_the_own_script_and_style_are_allowed() -> None:
    page = page_of([document(f"{n}{EVIL}", TOLD, EVIL, source=EVIL, title=EVIL) for n in range(3)])
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', page.decode())
    for name in ("script", "style"):
        (own,) = re.findall(rf"<{name}>(.*?)</{name}>", page.decode(), re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
        assert f"{name}-src &#39;sha256-{digest}&#39;" in policy
    assert policy.startswith("default-src &#39;none&#39;")
    assert "unsafe" not in policy


def test_what_documents_say_is_text_and_nothing_else() -> None:
    about = {"title": EVIL, "source": EVIL, "url": f"javascript:{EVIL}"}
    evil = [Document(id=f"{n}{EVIL}", text=f"{TOLD} {EVIL}", **about) for n in range(3)]  # type: ignore[arg-type]
    page, plain = page_of(evil), page_of([document(name, TOLD) for name in "abc"])
    assert Reading(page).tags == [
        (tag, {**a, **({"content": dict(b)["content"]} if "content" in a else {})})
        for (tag, a), (_, b) in zip(Reading(plain).tags, Reading(page).tags, strict=True)
    ]
    assert data_of(page)["documents"]["id"] == [shown(one.id) for one in evil]
    assert b"\x00" not in page
    assert b"\x1b" not in page
    assert b"\xe2\x80\xa8" not in page


@pytest.mark.parametrize(
    "text", [*hostile.SEEDS, "", "𝔸𝔹 👩‍👩‍👧 was here and there again. 𝔸", "a\ud800b"]
)
def test_any_text_can_be_shown(text: str) -> None:
    documents = [
        Document(id="a", text=f"{text}\n\n{TOLD}\n\n{text}"),
        Document(id="b", text=f"{text} {text}\n\n{TOLD}"),
    ]
    assert any(TOLD in left and TOLD in right for left, right in passages_of(page_of(documents)))


def test_pairs_made_by_hand_with_any_ids_and_no_documents() -> None:
    page = scan_page(make(SAMPLE), [])
    data = data_of(page)
    assert len(data["pairs"]["left"]) == len(SAMPLE)
    assert set(data["documents"]["id"]) == {shown(name) for name in HOSTILE}
    assert data["documents"]["time"] == [None] * len(HOSTILE)
    assert data["compare"] == ""


def test_no_pairs_and_one_pair() -> None:
    empty = data_of(scan_page(make([]), []))
    assert empty["clusters"] == empty["mosaics"] == empty["pairs"]["left"] == []
    assert "No pairs among 7 documents" in scan_page(make([]), []).decode()
    one = scan_page(make([pair("a", "b")]), [])
    assert "1 pair among 7 documents" in one.decode()
    assert data_of(one)["clusters"][0]["documents"] == [0, 1]


def test_what_is_left_out_is_said() -> None:
    documents = [
        document(f"{n:03}", TOLD, f"Only number {n} has this sentence.") for n in range(40)
    ]
    pairs = scan(documents, method="word-overlap", passages=True)
    assert len(pairs) == 780
    page = scan_page(pairs, documents, most_pairs=100, most_characters=2_000)
    data, told = data_of(page), data_of(page, "texts")
    # The worst pair of the cluster is there, also if it is not among the best.
    assert 100 <= len(data["pairs"]["left"]) <= 101
    assert 0 < len(told["passages"]) < 50
    assert sum(len(text) for rows in told["texts"].values() for text in rows[2::2]) <= 2_000
    notes = re.findall(r'<p class="note left-out">(.*?)</p>', page.decode())
    left_out = 780 - len(data["pairs"]["left"])
    assert notes[0].startswith(f"{left_out} weaker pairs are not on this page")
    without = len(data["pairs"]["left"]) - len(told["passages"])
    assert notes[1].startswith(f"The texts of {without} pairs are not on this page")


def test_a_million_pairs_are_a_page_of_a_few_megabytes() -> None:
    pairs = make([pair(f"{n:05}", f"{n + 1:05}", n % 997 / 997) for n in range(60_000)])
    page = scan_page(pairs, [])
    assert len(data_of(page)["pairs"]["left"]) < 23_000
    assert len(page) < 3_000_000


def test_a_very_long_text_is_shown_in_part() -> None:
    long = " ".join(f"Sentence {n} tells of the {n * 7919 % 10_007}th dam." for n in range(20_000))
    documents = [Document(id=name, text=long) for name in "ab"]
    page = scan_page(scan(documents, method="retelling"), documents)
    told = data_of(page, "texts")
    assert told["cut"] == [0]
    assert max(len(text) for rows in told["texts"].values() for text in rows[2::2]) < 13_000
    assert len(page) < 200_000


def test_a_page_is_the_same_for_any_order_of_documents() -> None:
    documents = list(read(NEWS))
    found = scan(documents, method="retelling")
    assert scan_page(found, documents) == scan_page(found, documents[::-1])


def test_only_what_is_everything_is_all() -> None:
    found: Pairs = make([pair("a", "b", 0.99999, 0.00001), pair("a", "c", 1.0, 0.0)])
    data = data_of(scan_page(found, []))["pairs"]
    assert (data["there"], data["back"]) == ([1000, 999], [0, 1])


def test_all_pairs_of_a_scan_are_counted_between_sources_24() -> None:
    days = [datetime(2026, 3, 1 + n % 2, tzinfo=UTC) for n in range(60)]
    documents = [
        Document(id=f"{n:02}", text="", source=f"s{n:02}", published=day)
        for n, day in enumerate(days)
    ]
    pairs = make([pair(a.id, b.id) for a, b in combinations(documents, 2) if not b.is_before(a)])
    data = data_of(scan_page(pairs, documents, most_pairs=5))
    counted = data["counted"]
    cells = [counted["cells"][n : n + 5] for n in range(0, len(counted["cells"]), 5)]
    outside = [counted["outside"][n : n + 3] for n in range(0, len(counted["outside"]), 3)]
    assert counted["pairs"] == len(pairs) == sum(row[-1] for row in (*cells, *outside))
    assert counted["more"] == 20
    at = {name: days[int(name[1:])] for name in data["sources"] if name}
    for left, right, _, is_directed, n in cells:
        assert n == 1
        assert is_directed == (at[data["sources"][left]] < at[data["sources"][right]])
    wanted = sum(days[int(p.left)] < days[int(p.right)] for p in pairs)
    assert 0 < sum(row[-1] for row in (*cells, *outside) if row[-2]) == wanted < len(pairs)
    ids = data["documents"]["id"]
    rows = zip(*(data["pairs"][name] for name in ("left", "right", "directed")), strict=True)
    for left, right, is_directed in rows:
        assert is_directed == (days[int(ids[left])] < days[int(ids[right])])


def test_a_score_of_100_percent_is_everything_24() -> None:
    spans = [(Span(0, 2), Span(0, 2), 0.9999), (Span(10, 12), Span(10, 12), 1.0)]
    found = [Passage(left, right, score, "edited") for left, right, score in spans]
    pairs = make([replace(pair("a", "b"), passages=tuple(found))])
    page = scan_page(pairs, [Document(id=name, text="x" * 20) for name in "ab"])
    (flat,) = data_of(page, "texts")["passages"].values()
    assert flat[4::6] == [99, 100]


def test_dates_of_all_times_and_zones() -> None:
    times = [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, tzinfo=UTC),
        datetime(2026, 3, 1, 12, tzinfo=UTC) + timedelta(milliseconds=7),
        None,
    ]
    documents = [document(str(n), TOLD, published=time) for n, time in enumerate(times)]
    found = data_of(page_of(documents))["documents"]
    seconds = dict(zip(found["id"], found["time"], strict=True))
    assert seconds == {"0": -62135596800, "1": 253402297200, "2": 1772366400.007, "3": None}


@pytest.mark.parametrize(
    ("about", "wanted"),
    [
        ({"source": "Wire", "url": "https://host.example/x"}, "Wire"),
        ({"url": "https://host.example/x"}, "host.example"),
        ({"url": "http://[broken"}, "folder"),
        ({"url": "not an address"}, "folder"),
        ({}, "folder"),
    ],
)
def test_a_source_is_what_is_known_best(about: dict[str, str], wanted: str) -> None:
    assert source_of(Document(id="folder/file.txt", text="", **about)) == wanted  # type: ignore[arg-type]
    assert source_of(Document(id="alone", text="")) == ""


def test_documents_that_changed_since_the_scan_are_no_problem() -> None:
    documents = [document(name, TOLD, f"Only {name} has this one.") for name in "abc"]
    pairs = scan(documents, method="word-overlap", passages=True)
    changed = [document("a", "Short."), document("b"), documents[2]]
    for now in (changed, changed[:1], []):
        page = scan_page(pairs, now)
        told = data_of(page, "texts")
        assert len(data_of(page)["pairs"]["left"]) == len(pairs) > 1
        assert all(len(flat) % 6 == 0 for flat in told["passages"].values())
    assert told["passages"] == {}


def test_shares_of_content_are_told_where_there_are_some() -> None:
    plain, numbers = pair("a", "b"), {"a": 0, "b": 1}
    assert "content" not in pair_columns([plain], numbers, {})
    told = replace(plain, left_content_in_right=0.25, right_content_in_left=0.5)
    columns = pair_columns([told, plain], numbers, {})
    assert (columns["content"], columns["contentBack"]) == ([250, 0], [500, 0])


def test_only_passages_of_one_kind_are_joined() -> None:
    text = "One two three four. Five six seven. Eight nine ten eleven."
    spans = [Span(0, 19), Span(20, 35), Span(36, 58)]
    kinds: list[PassageType] = ["verbatim", "edited", "boilerplate"]
    passages = tuple(
        Passage(span, span, 0.9 - n / 10, kind)
        for n, (span, kind) in enumerate(zip(spans, kinds, strict=True))
    )
    found = make([replace(pair("a", "b"), passages=passages)])
    page = scan_page(found, [Document(id=name, text=text) for name in "ab"])
    (flat,) = data_of(page, "texts")["passages"].values()
    assert flat == [0, 35, 0, 35, 80, 1, 36, 58, 36, 58, 70, 4]

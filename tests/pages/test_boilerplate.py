"""What a site repeats makes no two of its pages alike, and what they really share is kept."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from twicetold import Document, explain, scan
from twicetold.comparing import compare
from twicetold.counting import build_statistics
from twicetold.documents import read
from twicetold.html.boilerplate import Boilerplate, HeldPages, blanked
from twicetold.html.reading import page_of
from twicetold.records import Span
from twicetold.reports.comparison_page import comparison_page
from twicetold.reports.comparison_words import summary
from twicetold.statistics import Statistics

SECTIONS = ("News", "Sport", "Weather", "Jobs", "Cars", "Homes", "Letters", "Puzzles", "Recipes")
MENU = "".join(f"<li>{word} from all over the county</li>" for word in SECTIONS)
NOTICE = (
    "<p>We and our partners store cookies on your device to show you what your neighbours read, "
    "to measure how long you read it, and to keep the lights on in our newsroom.</p>"
)
WORDS = "harbour bridge mayor flood ferry school strike bakery tunnel orchard museum quarry".split()  # noqa: SIM905


def story(seed: int) -> list[str]:
    """Return paragraphs that no other story has."""
    rng = random.Random(seed)
    return [
        f"The {rng.choice(WORDS)} near the {rng.choice(WORDS)} was number {rng.randrange(10**9)}, "
        f"said {rng.choice(WORDS)} keeper {rng.randrange(10**9)} of the {rng.choice(WORDS)}."
        for _ in range(4)
    ]


def page(name: str, paragraphs: list[str], *, source: str | None = "news.example") -> Document:
    told = "".join(f"<p>{text}</p>" for text in paragraphs)
    html = (
        f"<title>{name}</title><nav><ul>{MENU}</ul></nav><div><h1>{name} today</h1>{told}</div>"
        f"<footer>{NOTICE}<p>Most read: {name}</p></footer>"
    )
    return Document(id=name, text=page_of(html).text, html=html, source=source)


PAGES = [page(f"story {n}", story(n)) for n in range(6)]


@pytest.mark.parametrize("method", ["codet", "winnowing", "full-fingerprint", "minhash"])
def test_different_stories_of_a_site_are_not_alike(method: str) -> None:
    others = [Document(id=f"text {n}", text="\n\n".join(story(100 + n))) for n in range(60)]
    assert len(scan([*PAGES, *others], method=method, threshold=0.3)) == 0
    assert len(scan([*PAGES, *others], method=method, threshold=0.3, keep_boilerplate=True)) > 0


def test_a_story_that_a_site_has_three_times_is_still_found() -> None:
    copies = [page(f"copy {n}", story(99)) for n in range(3)]
    found = scan([*PAGES, *copies], all_pairs=True, decision="own")
    assert {(pair.left, pair.right) for pair in found} == {
        ("copy 0", "copy 1"),
        ("copy 0", "copy 2"),
        ("copy 1", "copy 2"),
    }


def test_a_paragraph_taken_over_once_is_still_found() -> None:
    taken = page("taken", story(0)[:3] + story(50)[:1])
    [pair] = scan([*PAGES, taken], decision="own")
    assert {pair.left, pair.right} == {"story 0", "taken"}


@pytest.mark.parametrize("label", ["", "Next: ", "Previous: "])
def test_a_headline_of_another_page_points_there(label: str) -> None:
    """Only where it stands as a pointer, and only of a page that is there."""
    head = "The ferry to the islands will sail again"
    pointer = f"<aside><p>{label}{head}</p><p>Nobody wrote: {head}, and more</p></aside>"
    told = [page("other", story(8)), *PAGES[:3]]
    pages = [
        Document(id=str(n), text=page_of(html).text, html=html, source="news.example")
        for n, html in enumerate(
            [
                f"<title>{head} | News</title><h1>{head}</h1><p>{story(7)[0]}</p>",
                str(told[0].html) + pointer,
                *(str(each.html) for each in told[1:]),
            ]
        )
    ]
    held = HeldPages()
    assert [held.take(each) for each in pages] == [None] * 5
    own, other, *_ = (each.text for each in held.rest())
    assert head in own
    assert f"{label}{head}\n" not in other
    assert f"Nobody wrote: {head}, and more" in other


def test_blocks_are_known_by_their_letters() -> None:
    texts = ["Don\u2019t miss: 12 of our best\u2026", "DON\ufffdT MISS 7 of our best"]
    marks = [page_of(f"<p>{text}</p>").blocks()[1] for text in texts]
    assert marks[0] == marks[1]
    assert page_of("<p>&raquo; | &hellip;</p>").blocks()[1] == b""


def test_compare_leaves_out_what_a_site_repeats() -> None:
    pages = [*PAGES, page("taken", story(0)[:3])]
    found = compare("story 0", "taken", sources=pages, decision="own")
    assert found.left.boilerplate
    assert found.pair.relation == "near-duplicate"
    text = found.left.document.text
    left_out = " ".join(text[span.start : span.end] for span in found.left.boilerplate)
    assert "cookies" in left_out
    assert not any("cookies" in found.left.text(n) for n in range(len(found.left.sentences)))
    row = found.to_json()
    assert row["left_boilerplate"] == [list(span) for span in found.left.boilerplate]
    assert row["documents"][0]["right_boilerplate"]
    assert any(line.endswith("its site has them on other pages, too") for line in summary(found))
    assert b'class="out"' in comparison_page(found)
    kept = compare("story 0", "taken", sources=pages, keep_boilerplate=True)
    assert not kept.left.boilerplate
    assert kept.pair.left_in_right > found.pair.left_in_right
    # Of two pages alone nothing can be learned.
    assert not compare(pages[0], pages[-1]).left.boilerplate


def test_pages_of_different_sites_have_no_boilerplate_in_common() -> None:
    others = [page(f"other {n}", story(n), source=f"{n}.example") for n in range(6)]
    held = HeldPages()
    assert [held.take(each) for each in others] == [None] * 6
    assert [each.text for each in held.rest()] == [each.text for each in others]
    assert not held.boilerplate


def test_a_page_without_a_source_and_a_text_do_not_wait() -> None:
    held = HeldPages()
    for each in (page("a", story(1), source=None), Document(id="b", text="x", source="s")):
        assert held.take(each) is each


def test_the_order_of_pages_changes_nothing() -> None:
    tables = []
    for pages in (PAGES, PAGES[::-1]):
        held = HeldPages()
        for each in pages:
            held.take(each)
        list(held.rest())
        tables.append(held.boilerplate.to_bytes())
    assert tables[0] == tables[1]
    assert Boilerplate.from_bytes(tables[0]).to_bytes() == tables[0]


def test_statistics_pin_what_was_learned(tmp_path: Path) -> None:
    statistics = build_statistics(PAGES)
    assert len(statistics.boilerplate)
    path = tmp_path / "statistics"
    statistics.save(path)
    loaded = Statistics.load(path)
    assert loaded.version == statistics.version
    assert loaded.boilerplate.marks == statistics.boilerplate.marks
    # A single new page loses what its site is known to repeat.
    spans = loaded.boilerplate.spans(page("new", story(77)))
    text = page("new", story(77)).text
    left = blanked(text, spans)
    assert "county" not in left
    assert "cookies" not in left
    assert all(paragraph in left for paragraph in story(77))
    assert len(left) == len(text)


def test_pinned_and_learned_give_the_same_pairs() -> None:
    pages = [*PAGES, page("taken", story(0)[:3])]
    learned = scan(pages)
    pinned = scan(pages, statistics=build_statistics(pages))
    assert list(learned) == list(pinned)
    assert learned.manifest.counts["boilerplate blocks"] > 0


def test_explain_shows_what_was_left_out() -> None:
    pages = [*PAGES, page("taken", story(0)[:3])]
    found = explain("story 0", "taken", sources=pages)
    assert found.left.boilerplate
    assert found.to_json()["left"]["boilerplate"]
    assert not any("cookies" in sentence.text for sentence in found.left.sentences)
    kept = explain("story 0", "taken", sources=pages, keep_boilerplate=True)
    assert not kept.left.boilerplate
    assert any("cookies" in sentence.text for sentence in kept.left.sentences)


def test_offsets_hold_and_passages_know_their_place(tmp_path: Path) -> None:
    for number, each in enumerate([*PAGES, page("taken", story(0)[:3])]):
        head = f'<link rel=canonical href="https://news.example/{number}">'
        (tmp_path / f"{number}.html").write_text(head + str(each.html))
    documents = {each.id: each for each in read(tmp_path)}
    [pair] = scan(tmp_path, method="word-overlap", passages=True)
    texts = [documents[pair.left].text[p.left.start : p.left.end] for p in pair.passages]
    assert "\n\n".join(story(0)[:3]) in "\n\n".join(texts)
    for passage in pair.passages:
        assert passage.left_place is not None
        assert passage.left_place.role == "body"
        assert passage.left_place.path.startswith("html/body/div/p")
        assert passage.right_place is not None
        row = passage.to_json()
        assert row["right_place"]["role"] == "body"


def test_blanks_take_the_place_of_text() -> None:
    assert blanked("abc def", [Span(0, 3)]) == "    def"
    assert blanked("abc def", []) == "abc def"

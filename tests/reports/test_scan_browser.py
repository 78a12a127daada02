"""The page of a scan in a real browser: what a reader does with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import opened, opened_browser
from tests.reports.making import SAMPLE, make, pair
from tests.reports.test_comparison_page import EVIL
from twicetold import read, scan
from twicetold.records import Document
from twicetold.reports.scan_page import write_scan_page

NEWS = "examples/news"
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True}
MANY = 20_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with opened_browser() as found:
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def news(folder: Path) -> Path:
    path = folder / "news.html"
    pairs = scan(NEWS, method="word-overlap", passages=True, floor=0.02)
    write_scan_page(pairs, read(NEWS), path)
    return path


@pytest.fixture(scope="module")
def bridged(folder: Path) -> Path:
    """Two stories in three versions each, and a pair that joins them."""
    pairs = [pair(a, b, 0.9, 0.8, 1) for one in ("abc", "xyz") for a, b in combinations(one, 2)]
    path = folder / "bridged.html"
    write_scan_page(make([*pairs, pair("c", "x", 0.5, 0.1)]), [], path)
    return path


@pytest.fixture(scope="module")
def many(folder: Path) -> Path:
    """A page as large as pages get."""
    start = datetime(2020, 1, 1, tzinfo=UTC)
    pairs = [pair(f"{n:05}", f"{n + 1 + n % 7:05}", 0.5 + n % 499 / 1000) for n in range(MANY)]
    documents = (
        Document(
            id=f"{n:05}",
            text=f"Text of number {n}. " * 100,
            title=f"Story {n}",
            source=f"paper {n % 40}",
            published=start + timedelta(hours=n),
        )
        for n in range(MANY + 10)
    )
    path = folder / "many.html"
    write_scan_page(make(pairs), documents, path)
    return path


def shown_pairs(page: Page) -> str:
    return page.locator("#count").inner_text()


def test_a_cluster_shows_its_worst_pair_and_opens_to_its_documents(
    browser: Browser, news: Path
) -> None:
    with opened(browser, news) as page:
        card = page.locator("#clusters .card").first
        expect(card.locator(".links")).to_contain_text("Worst pair")
        title = card.locator(".title")
        expect(card.locator(".members")).to_be_hidden()
        title.click()
        expect(title).to_have_attribute("aria-expanded", "true")
        expect(card.locator(".members .document")).to_have_count(3)
        dates = card.locator(".members time").all_inner_texts()
        assert dates == sorted(dates)
        card.get_by_role("button", name="Only this cluster").click()
        expect(page.locator("#count")).to_contain_text("2 of 74 pairs")
        expect(page.locator("#clusters .card")).to_have_count(1)
        page.get_by_role("button", name=re.compile("Show all, not only cluster of")).click()
        expect(page.locator("#count")).to_contain_text("74 of 74 pairs")


def test_a_bridge_says_what_it_joins(browser: Browser, bridged: Path) -> None:
    with opened(browser, bridged) as page:
        links = page.locator("#clusters .links .pair")
        expect(links).to_have_count(2)
        expect(links.nth(1)).to_contain_text("Bridge: alone joins 3 with 3")
        about = page.locator("#clusters .title .about")
        expect(about).to_contain_text("6 documents · 7 pairs · 8 couples of texts not joined")
        links.nth(1).click()
        expect(page.locator("dialog h2")).to_contain_text("contained, 50%")


def test_a_pair_opens_to_its_passages_side_by_side(browser: Browser, news: Path) -> None:
    with opened(browser, news) as page:
        row = page.locator("#pairs .pair", has_text="Brindlesea votes to take tram").first
        row.click()
        dialog = page.locator("dialog")
        expect(dialog).to_be_visible()
        expect(dialog.locator("h2")).to_have_text(re.compile("near-duplicate, 100%"))
        first = dialog.locator(".passage").first
        left, right = first.locator(".cell").nth(0), first.locator(".cell").nth(1)
        expect(left).to_contain_text("voted by 31 to 22 on Thursday")
        expect(right).to_contain_text("voted by 31 to 22 last night")
        # Words that both have are emphasised, others are not.
        expect(left.locator("b").first).to_contain_text("Brindlesea city council voted by 31 to 22")
        assert "Thursday" not in "".join(left.locator("b").all_inner_texts())
        boxes = [left.bounding_box(), right.bounding_box()]
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert boxes[0]["y"] == boxes[1]["y"]
        assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
        expect(dialog.locator("code")).to_contain_text("twicetold compare wire-140 gazette/tram")


def test_the_keyboard_goes_from_pair_to_pair_and_back_to_where_it_was(
    browser: Browser, news: Path
) -> None:
    with opened(browser, news) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        page.locator("#pairs .pair").nth(1).focus()
        page.keyboard.press("Enter")
        heading = page.locator("dialog .sides")
        second = heading.inner_text()
        page.keyboard.press("n")
        assert heading.inner_text() != second
        page.keyboard.press("p")
        assert heading.inner_text() == second
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_be_hidden()
        assert page.evaluate("document.activeElement.classList.contains('pair')")
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(outline) != "none"


def test_filters_hold_for_everything(browser: Browser, news: Path) -> None:
    with opened(browser, news) as page:
        assert shown_pairs(page) == "24 of 74 pairs; 50 overlaps hidden"
        filtering = page.locator("#filtering")
        filtering.click()
        expect(filtering).to_have_attribute("aria-expanded", "true")
        page.get_by_label("overlap").check()
        expect(page.locator("#count")).to_have_text("74 of 74 pairs")
        page.get_by_label("overlap").uncheck()
        page.locator("#source").select_option(label="Kıyı Haber Ajansı")
        expect(page.locator("#count")).to_contain_text("3 of 74")
        expect(page.locator("#clusters .card")).to_have_count(2)
        expect(page.locator(".matrix tbody tr")).to_have_count(2)
        page.get_by_role("button", name="Reset").click()
        expect(page.locator("#count")).to_contain_text("24 of 74")
        page.locator("#least").fill("97")
        expect(page.locator("#count")).to_contain_text("19 of 74")
        page.get_by_role("button", name="Reset").click()
        page.locator("#from").fill("2025-11-01")
        expect(page.locator("#count")).to_contain_text("2 of 74")
        page.locator("#to").fill("2025-11-02")
        expect(page.locator("#count")).to_contain_text("0 of 74")
        assert page.locator("#pairs .pair").count() == 0
        assert page.locator("#mosaics .card").count() == 0


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("igdeliova", "İğdeliova"),
        ("İĞDELİOVA", "İğdeliova"),
        ("渡轮", "渡轮"),
        ("wire-140", "Gorse Hill"),
        ("paint shop at Tarnhollow", "Eleven blue carriages"),
    ],
)
def test_text_is_found_with_and_without_marks_and_in_passages(
    browser: Browser, news: Path, words: str, wanted: str
) -> None:
    with opened(browser, news) as page:
        page.locator("#filtering").click()
        page.locator("#text").fill(words)
        expect(page.locator("#count")).to_contain_text(re.compile("^[123] of 74"))
        expect(page.locator("#pairs .pair").first).to_contain_text(wanted)


def test_pairs_can_be_ordered_by_time(browser: Browser, news: Path) -> None:
    with opened(browser, news) as page:
        page.locator("#order").select_option("old")
        first = page.locator("#pairs .pair").first
        expect(first).to_contain_text("2025-04-08")
        page.locator("#order").select_option("new")
        expect(first).to_contain_text("2025-11-05")
        page.locator("#order").select_option("weak")
        expect(first.locator(".score")).to_have_text("73%")
        page.locator("#order").select_option("quick")
        expect(first).to_contain_text("2025-04-14 18:02")


def test_pointing_at_a_document_in_the_graph_tells_about_it(browser: Browser, news: Path) -> None:
    with opened(browser, news) as page:
        canvas = page.locator("canvas")
        shown = page.locator("#graph output")
        expect(shown).to_contain_text("Point at a document")
        canvas.focus()
        page.keyboard.press("n")
        expect(shown).to_contain_text("Northfold Wire · 2025-04-08 07:10")
        expect(shown).to_contain_text("later in Crack closes Brindlesea harbour bridge, welders")
        for key in ("n", "p", "+", "ArrowRight", "-", "0"):
            page.keyboard.press(key)
        # With the mouse: somewhere on the canvas there is another one.
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        assert box is not None
        before = shown.inner_text()
        for x in range(160, int(box["width"]), 12):
            page.mouse.move(box["x"] + x, box["y"] + 42)
            if shown.inner_text() != before:
                break
        expect(shown).not_to_have_text(before)
        canvas.focus()
        page.keyboard.press("Enter")
        expect(page.locator("dialog h2")).to_be_visible()
        expect(page.locator("dialog .pair").first).to_be_visible()


def test_a_cell_of_the_sources_shows_its_pairs(browser: Browser, news: Path) -> None:
    with opened(browser, news) as page:
        expect(page.locator("#sources .note")).to_contain_text("is later than")
        cell = page.get_by_role("button", name="Hay and Milk later than Northfold Wire: 1 pair")
        cell.click()
        expect(page.locator("#count")).to_contain_text("1 of 74")
        expect(page.locator("#pairs .pair")).to_contain_text("From the wire: our two dairies")


def test_a_mosaic_says_what_a_document_was_put_together_from(browser: Browser, news: Path) -> None:
    with opened(browser, news) as page:
        card = page.locator("#mosaics .card", has_text="Brindlesea bridge may reopen").first
        expect(card).to_contain_text("72% from Crack closes Brindlesea harbour bridge")
        expect(card).to_contain_text("14% new")
        assert card.locator(".strip i").count() >= 3
        card.locator(".title").click()
        dialog = page.locator("dialog")
        expect(dialog).to_contain_text("Put together from")
        dialog.locator(".parts button").first.click()
        expect(dialog.locator(".passage").first).to_be_visible()
        dialog.get_by_role("button", name="Back").click()
        expect(dialog).to_contain_text("Put together from")


@pytest.fixture(scope="module")
def one_day(folder: Path) -> Path:
    """Joint releases of one day, one of them with an hour; and one of the next day."""
    told = "The old dam above the town broke on Monday morning after weeks of heavy rain."
    day = datetime(2026, 3, 1, tzinfo=UTC)
    times = {"ann": day, "bob": day, "cid": day + timedelta(hours=9), "dan": day + timedelta(1)}
    documents = [
        Document(id=f"{name}/{n}", text=told, source=name, published=time, language="en")
        for n in range(3)
        for name, time in times.items()
    ]
    path = folder / "one_day.html"
    found = scan(documents, method="word-overlap", passages=True, all_pairs=True)
    assert len(found) == 66
    write_scan_page(found, documents, path, most_pairs=12)
    return path


def test_documents_of_one_day_are_neither_earlier_nor_later_24(
    browser: Browser, one_day: Path
) -> None:
    with opened(browser, one_day) as page:
        # Of all pairs of the scan, not of those on the page: dan after each of the others.
        expect(page.locator("#count")).to_have_text(re.compile("^1[2-9] of 1[2-9] pairs$"))
        note = page.locator("#sources .note")
        expect(note).to_contain_text("All 66 pairs of the scan are counted")
        expect(note).to_contain_text("39 pairs are not counted: times do not tell")
        for name in ("ann", "bob", "cid"):
            page.get_by_role("button", name=f"dan later than {name}: 9 pairs").wait_for()
        assert page.locator(".matrix button").count() == 3
        # Where one of them is opened, too.
        page.locator("#pairs .pair", has_text="ann/0").filter(has_text="bob/0").first.click()
        dialog = page.locator("dialog")
        expect(dialog).to_contain_text("right is in left.")
        dialog.locator(".side .title").first.click()
        expect(dialog).to_contain_text("Also in others")
        expect(dialog).to_contain_text("Also in")
        assert "Earlier in" not in dialog.inner_text()
        page.keyboard.press("Escape")
        page.locator("#filtering").click()
        page.locator("#text").fill("dan/0")
        expect(note).to_contain_text("Only pairs on this page are counted")


def test_a_later_day_is_a_day_later_24(browser: Browser, folder: Path) -> None:
    start = datetime(2026, 3, 1, 23, tzinfo=UTC)
    documents = [
        Document(id="a", text="One.", published=start),
        Document(id="b", text="Two.", published=start + timedelta(hours=1)),
    ]
    path = folder / "days.html"
    write_scan_page(make([pair("a", "b")]), documents, path)
    with opened(browser, path) as page:
        page.locator("#pairs .pair").click()
        expect(page.locator("dialog")).to_contain_text("the right one came 1 day later")
        page.locator("dialog .side .title").first.click()
        expect(page.locator("dialog")).to_contain_text("Later in 1 document")
        page.get_by_role("button", name="Back").click()
        page.locator("dialog .side .title").last.click()
        expect(page.locator("dialog")).to_contain_text("Earlier in 1 document")


def test_methods_without_passages_show_what_an_alignment_finds(
    browser: Browser, folder: Path
) -> None:
    path = folder / "codet.html"
    write_scan_page(scan(NEWS, method="codet"), read(NEWS), path)
    with opened(browser, path) as page:
        expect(page.locator(".left-out")).to_contain_text("gives no passages")
        page.locator("#pairs .pair", has_text="Brindlesea votes to take tram").first.click()
        expect(page.locator("dialog .passage mark").first).to_contain_text("4.7 kilometres")
        page.keyboard.press("Escape")
        expect(page.locator("#mosaics")).to_have_class("none empty")


def test_twenty_thousand_pairs_stay_usable(browser: Browser, many: Path) -> None:
    with opened(browser, many) as page:
        # What nobody looks at is not made.
        assert page.locator("body *").count() < 2_000
        assert shown_pairs(page) == "20,000 of 20,000 pairs"
        page.locator("#pairs .more").click()
        expect(page.locator("#pairs .pair")).to_have_count(75)
        # Who goes on with the keyboard is at the first of the new ones.
        assert page.evaluate(
            "document.activeElement === document.querySelectorAll('#pairs .pair')[25]"
        )
        page.locator("#filtering").click()
        page.locator("#text").fill("Story 12345")
        expect(page.locator("#count")).to_contain_text(re.compile(r"^\d of 20,000"))
        page.locator("#pairs .pair").first.click()
        expect(page.locator("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Reset").click()
        page.locator("canvas").focus()
        for key in ("n", "+", "+", "ArrowRight", "0"):
            page.keyboard.press(key)
        expect(page.locator("#graph output")).to_contain_text("Story 0")
        expect(page.locator(".matrix tbody tr")).to_have_count(12)
        expect(page.locator("#sources .note")).to_contain_text("28 more are not in the table")


def test_what_is_chosen_after_a_reset_stays_chosen(browser: Browser, news: Path) -> None:
    with opened(browser, news) as page:
        # Both in one turn of the page: nothing of the reset may come after it.
        page.evaluate(
            """() => {
                document.getElementById("unfiltered").click();
                const key = new KeyboardEvent("keydown", { key: "n" });
                document.querySelector("canvas").dispatchEvent(key);
                return new Promise((done) => setTimeout(done, 50));
            }"""
        )
        expect(page.locator("#graph output .name")).to_have_count(1)


@pytest.mark.parametrize("name", ["news", "many"])
@pytest.mark.parametrize("width", [320, 390, 768])
def test_no_width_needs_scrolling_to_the_side(
    browser: Browser, name: str, width: int, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(name)
    with opened(browser, path, viewport={"width": width, "height": 844}) as page:
        page.locator("#filtering").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.locator("#pairs .pair").first.click()
        assert page.evaluate("document.querySelector('.content').scrollWidth") <= width


def test_a_phone_shows_passages_below_each_other(browser: Browser, news: Path) -> None:
    with opened(browser, news, **PHONE) as page:
        page.locator("#pairs .pair").first.tap()
        cells = page.locator("dialog .passage").first.locator(".cell")
        left, right = cells.nth(0).bounding_box(), cells.nth(1).bounding_box()
        assert left is not None
        assert right is not None
        assert right["y"] >= left["y"] + left["height"]
        page.get_by_role("button", name="Close", exact=True).tap()
        expect(page.locator("dialog")).to_be_hidden()


def test_print_shows_the_page_or_the_pair_that_is_open(browser: Browser, news: Path) -> None:
    with opened(browser, news) as page:
        page.emulate_media(media="print")
        expect(page.locator(".bar")).to_be_hidden()
        expect(page.locator("#clusters .card").first).to_be_visible()
        assert page.pdf().startswith(b"%PDF")
        page.emulate_media(media="screen")
        page.locator("#pairs .pair").first.click()
        page.emulate_media(media="print")
        expect(page.locator("main")).to_be_hidden()
        expect(page.locator("dialog .passage").first).to_be_visible()
        expect(page.locator(".tools")).to_be_hidden()
        # Paper has no window above others; afterwards it is one again.
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert not page.evaluate("document.querySelector('dialog').matches(':modal')")
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.evaluate("document.querySelector('dialog').matches(':modal')")
        page.emulate_media(media="screen")
        page.keyboard.press("n")
        expect(page.locator("dialog .passage").first).to_be_visible()


def test_the_dark_is_dark(browser: Browser, news: Path) -> None:
    for scheme, is_dark in (("dark", True), ("light", False)):
        with opened(browser, news, color_scheme=scheme) as page:
            colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            assert (int(re.findall(r"\d+", colour)[0]) < 100) == is_dark


def test_every_control_has_a_name(browser: Browser, news: Path) -> None:
    with opened(browser, news) as page:
        page.locator("#filtering").click()
        page.locator("#pairs .pair").first.click()
        nameless = page.evaluate(
            """() => [...document.querySelectorAll("button, input, select, canvas")]
              .filter((each) => !each.hidden && !each.textContent.trim())
              .filter((each) => !each.getAttribute("aria-label") && !(each.labels || []).length)
              .map((each) => each.outerHTML)"""
        )
        assert nameless == []
        for role in ("search", "navigation", "main", "banner"):
            assert page.get_by_role(role, include_hidden=True).count() == 1


def test_nothing_in_a_document_runs(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "evil.html"
    told = "The old dam above the town broke on Monday morning after weeks of heavy rain."
    documents = [
        Document(id=f"{n}{EVIL}", text=f"{told} {EVIL}", title=EVIL, source=f"{EVIL}{n % 2}")
        for n in range(4)
    ]
    pairs = scan(documents, method="word-overlap", passages=True, language="en")
    write_scan_page(pairs, documents, path)
    with opened(browser, path, viewport={"width": 390, "height": 844}) as page:
        page.locator("#filtering").click()
        page.locator("#clusters .title").first.click()
        page.locator("#pairs .pair").first.click()
        page.keyboard.press("Escape")
        page.locator("#mosaics .title").first.click()
        page.keyboard.press("Escape")
        page.locator("canvas").focus()
        page.keyboard.press("n")
        assert page.title() != "owned"
        assert page.locator("img").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("n", [0, 1, len(SAMPLE)])
def test_pages_of_no_pair_of_one_and_of_odd_ones(browser: Browser, tmp_path: Path, n: int) -> None:
    path = tmp_path / "few.html"
    write_scan_page(make(SAMPLE[:n]), [], path)
    with opened(browser, path) as page:
        page.locator("#filtering").click()
        page.locator("canvas").focus()
        for key in ("n", "p", "+", "0"):
            page.keyboard.press(key)
        if n == 0:
            expect(page.locator("#graph output")).to_contain_text("No pairs to draw")
            expect(page.locator("#sources .note")).to_contain_text("No pairs to count")
            shown = "getComputedStyle(document.querySelector('#pairs ol'), '::before').content"
            assert page.evaluate(shown) == '"There are none."'
            return
        expect(page.locator("#sources .note")).to_contain_text("Nobody knows who was first")
        page.keyboard.press("Enter")
        expect(page.locator("dialog .pair").first).to_be_visible()
        page.locator("dialog .pair").first.click()
        expect(page.locator("dialog .missing")).to_contain_text("not on this page")


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_a_link_of_the_bar_leads_to_a_heading_that_is_seen(
    browser: Browser, news: Path, options: dict[str, Any]
) -> None:
    """Also with the filters open, which stay at the top of a wide page."""
    with opened(browser, news, **options) as page:
        page.locator("#filtering").click()
        page.get_by_role("link", name="Sources").click()
        page.wait_for_function(
            """() => {
              const heading = document.querySelector("#sources-title").getBoundingClientRect();
              const at = document.elementFromPoint(heading.left + 5, heading.top + 5);
              return heading.top >= 0 && at !== null && at.id === "sources-title";
            }"""
        )

"""The page of a comparison in a real browser: what a reader does with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import opened, opened_browser
from tests.comparing import test_comparing as stories
from tests.reports.test_comparison_page import EVIL
from tests.running import document
from twicetold.comparing import compare
from twicetold.documents import read
from twicetold.html.reading import page_of
from twicetold.records import Document
from twicetold.reports.comparison_page import write_comparison_page

PHONE = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2, "has_touch": True}

#: Ten sentences, none like another.
DAM = [*stories.DAM, *stories.FAIR, *stories.ROADS]
FILL = [
    f"Meanwhile the {n}th customer, number {n * 7}, bought a loaf and left by door {n}."
    for n in range(60)
]
TRAMS = [
    f"Ferry {n} carries {n * 70} passengers, said its captain with the badge {n * 11}."
    for n in range(40)
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with opened_browser() as found:
        yield found


@pytest.fixture(scope="module")
def long_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten sentences at the end of left that stand in the middle of right."""
    path = tmp_path_factory.mktemp("pages") / "long.html"
    left, right = document("left", *FILL, *DAM), document("right", *TRAMS, *DAM, *TRAMS[::-1])
    write_comparison_page(compare(left, right, method="word-overlap", min_overlap=0.8), path)
    return path


@pytest.fixture(scope="module")
def tabs_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "tabs.html"
    left = document("left", *DAM, *FILL)
    write_comparison_page(
        compare(left, [document("b", *DAM[:5], *TRAMS), document("c", *TRAMS, *DAM[5:])]), path
    )
    return path


def is_seen(element: Locator, pane: Locator) -> bool:
    """Return whether an element is inside the part of its pane that is shown."""
    box, own = element.bounding_box(), pane.bounding_box()
    assert box is not None
    assert own is not None
    return own["y"] <= box["y"] and box["y"] + box["height"] <= own["y"] + own["height"] + 1


def point_at(page: Page, left: float, right: float, n_left: int, n_right: int) -> None:
    """Move the mouse to a place of the whole plot, by sentences."""
    canvas = page.locator("canvas:visible")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    x = 47 + (left + 0.5) / n_left * (box["width"] - 2 - 56)
    y = 25 + (right + 0.5) / n_right * (box["height"] - 2 - 34)
    page.mouse.move(box["x"] + x, box["y"] + y)


def test_a_click_on_a_passage_scrolls_the_other_side(browser: Browser, long_page: Path) -> None:
    with opened(browser, long_page) as page:
        pane = page.locator(".right .text")
        target = page.locator("#right-0-43")
        assert not is_seen(target, pane)
        page.locator("#left-63").click()
        expect(target).to_have_class(re.compile(r"\bflash\b"))
        expect(target).to_be_in_viewport()
        assert is_seen(target, pane)
        page.locator("#right-0-45").click()
        expect(page.locator("#left-65")).to_have_class(re.compile(r"\bflash\b"))
        assert page.locator(".flash").count() == 1


def test_pointing_at_a_dot_shows_its_two_sentences(browser: Browser, long_page: Path) -> None:
    with opened(browser, long_page) as page:
        shown = page.locator("output")
        expect(shown).to_contain_text("Point at a dot")
        point_at(page, 62, 42, 70, 90)
        expect(shown).to_contain_text("left, sentence 63")
        expect(shown).to_contain_text("right, sentence 43, score 100%")
        assert shown.inner_text().count(DAM[2]) == 2


def test_a_click_on_a_dot_goes_to_both_texts(browser: Browser, long_page: Path) -> None:
    with opened(browser, long_page) as page:
        point_at(page, 64, 44, 70, 90)
        page.mouse.down()
        page.mouse.up()
        expect(page.locator("#left-64")).to_be_in_viewport()
        expect(page.locator("#right-0-44")).to_be_in_viewport()


def test_the_wheel_and_dragging_zoom_and_move(browser: Browser, long_page: Path) -> None:
    with opened(browser, long_page) as page:
        shown = page.locator("output")
        point_at(page, 65, 45, 70, 90)
        for _ in range(12):
            page.mouse.wheel(0, -100)
        # The place under the mouse stays where it is.
        page.mouse.move(0, 0)
        point_at(page, 65, 45, 70, 90)
        expect(shown).to_contain_text("left, sentence 66")
        # Neighbours are now far apart.
        box = page.locator("canvas").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 100, box["y"] + box["height"] - 30)
        expect(shown).not_to_contain_text("left, sentence 67")
        page.get_by_role("button", name="All").click()
        point_at(page, 60, 40, 70, 90)
        expect(shown).to_contain_text("left, sentence 61")


def test_a_pattern_is_named_and_can_be_looked_at(browser: Browser, long_page: Path) -> None:
    with opened(browser, long_page) as page:
        button = page.get_by_role("button", name="diagonal run left 61–70, right 41–50")
        button.click()
        expect(page.locator("output")).to_contain_text("left, sentence 61")


def test_everything_can_be_done_with_the_keyboard(browser: Browser, long_page: Path) -> None:
    with opened(browser, long_page) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.locator("canvas").focus()
        for key in ("+", "ArrowRight", "ArrowDown", "-", "0", "n", "n"):
            page.keyboard.press(key)
        expect(page.locator("output")).to_contain_text("left, sentence 62")
        page.keyboard.press("p")
        expect(page.locator("output")).to_contain_text("left, sentence 61")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "left-60"
        expect(page.locator("#right-0-40")).to_be_in_viewport()
        # Enter on a passage goes to the other side, and back.
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "right-0-40"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "left-60"
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(outline) != "none"


def test_n_and_p_go_from_passage_to_passage(browser: Browser, tabs_page: Path) -> None:
    with opened(browser, tabs_page) as page:
        page.locator(".left .text").focus()
        seen = []
        for key in "nnp":
            page.keyboard.press(key)
            seen.append(page.evaluate("document.activeElement.dataset.n"))
        assert seen == ["1", "2", "1"]


def test_the_numbers_above_the_texts_lead_to_both_sides(browser: Browser, tabs_page: Path) -> None:
    with opened(browser, tabs_page) as page:
        page.get_by_role("link", name=re.compile(r"^2 verbatim")).click()
        expect(page.locator("#right-1-40")).to_be_in_viewport()
        expect(page.locator("#left-5")).to_be_in_viewport()


def test_tabs_show_one_document_at_a_time(browser: Browser, tabs_page: Path) -> None:
    with opened(browser, tabs_page) as page:
        first, second = page.locator("#part-0"), page.locator("#part-1")
        expect(first).to_be_visible()
        expect(second).to_be_hidden()
        page.get_by_role("tab", name="c").click()
        expect(second).to_be_visible()
        expect(first).to_be_hidden()
        page.keyboard.press("ArrowLeft")
        expect(first).to_be_visible()
        # A passage of the other document brings it up.
        page.locator("#left-7").click()
        expect(page.locator("#right-1-42")).to_be_in_viewport()


@pytest.mark.parametrize("name", ["long_page", "tabs_page"])
@pytest.mark.parametrize("width", [320, 360, 768])
def test_no_width_needs_scrolling_to_the_side(
    browser: Browser, name: str, width: int, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(name)
    with opened(browser, path, viewport={"width": width, "height": 740}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_phone_shows_texts_below_each_other_and_links_work(
    browser: Browser, long_page: Path
) -> None:
    with opened(browser, long_page, **PHONE) as page:
        left, right = page.locator(".left").bounding_box(), page.locator(".right").bounding_box()
        assert left is not None
        assert right is not None
        assert right["y"] >= left["y"] + left["height"]
        page.locator("#left-63").tap()
        expect(page.locator("#right-0-43")).to_be_in_viewport()


def test_print_shows_all_of_all_texts(browser: Browser, tabs_page: Path) -> None:
    with opened(browser, tabs_page) as page:
        page.emulate_media(media="print")
        expect(page.locator("#part-0")).to_be_visible()
        expect(page.locator("#part-1")).to_be_visible()
        expect(page.locator(".zoom").first).to_be_hidden()
        for pane in page.locator(".text").all():
            assert pane.evaluate("pane => pane.scrollHeight <= pane.clientHeight")
        assert page.pdf().startswith(b"%PDF")


def test_the_dark_is_dark(browser: Browser, long_page: Path) -> None:
    for scheme, is_dark in (("dark", True), ("light", False)):
        with opened(browser, long_page, color_scheme=scheme) as page:
            colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            assert (int(re.findall(r"\d+", colour)[0]) < 100) == is_dark


def test_nothing_in_a_document_runs(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "evil.html"
    documents = [Document(id=f"{n}{EVIL}", text=f"{EVIL} {n}", title=EVIL) for n in range(3)]
    write_comparison_page(compare(documents[0], documents[1:], language="en"), path)
    with opened(browser, path, viewport={"width": 360, "height": 740}) as page:
        assert page.title() != "owned"
        assert page.locator("img").count() == 0
        page.locator("canvas:visible").focus()
        page.keyboard.press("n")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.locator("output:visible").inner_text() != ""


def test_two_books_stay_usable(browser: Browser, tmp_path: Path) -> None:
    sentences = [
        f"Sentence {n} of the book tells of the {n * 7919 % 10_007}th dam." for n in range(10_000)
    ]
    half = len(sentences) // 2
    left = document("left", *(" ".join(sentences[n : n + 8]) for n in range(0, 10_000, 8)))
    turned = sentences[half:] + sentences[:half]
    right = document("right", *(" ".join(turned[n : n + 8]) for n in range(0, 10_000, 8)))
    path = tmp_path / "books.html"
    write_comparison_page(compare(left, right, method="word-overlap", min_overlap=0.9), path)
    with opened(browser, path) as page:
        # Dots are on the canvas: there are no elements for them.
        assert page.locator(".plot *").count() < 100
        point_at(page, 2500, 7500, 10_000, 10_000)
        expect(page.locator("output")).to_contain_text("score 100%")
        shown = page.locator("output").inner_text()
        # Both names begin a line: "left, sentence 2501" and "right, sentence 7501, …".
        numbers = re.findall(r"^(?:left|right), sentence (\d+)", shown, re.MULTILINE)
        first, second = (int(number) - 1 for number in numbers)
        assert second == (first + half) % 10_000
        page.locator("canvas").focus()
        page.keyboard.press("Enter")
        expect(page.locator(f"#left-{first}")).to_be_in_viewport()
        expect(page.locator(f"#right-0-{second}")).to_be_in_viewport()


def test_a_passage_leads_to_every_partner_it_has(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "partners.html"
    left = document("left", *DAM[:3])
    rights = [document("b", *DAM[:3]), document("c", *TRAMS[:30], *DAM[:2])]
    write_comparison_page(compare(left, rights, method="word-overlap", min_overlap=0.8), path)
    with opened(browser, path) as page:
        # The passage with c comes first and gives the colour; that with b has its number beside.
        others = page.locator(".left .also")
        expect(others).to_have_count(1)
        flashed = page.locator(".flash")
        page.get_by_role("tab", name="c").click()
        others.first.click()
        expect(flashed).to_have_attribute("id", "right-0-0")
        # While a document is shown, a click stays with it where it has a partner.
        page.locator("#left-1").click()
        expect(flashed).to_have_attribute("id", "right-0-1")
        page.get_by_role("tab", name="c").click()
        page.locator("#left-1").click()
        expect(flashed).to_have_attribute("id", "right-1-31")
        page.locator("#left-2").click()
        expect(flashed).to_have_attribute("id", "right-0-2")


@pytest.fixture(scope="module")
def trees_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two news pages with their trees."""
    path = tmp_path_factory.mktemp("pages") / "trees.html"
    news = Path(__file__).parents[1] / "pages" / "news"
    first, second = (next(iter(read(news / f"minister_{n}.html"))) for n in (1, 2))
    write_comparison_page(compare(first, second, method="word-overlap"), path)
    return path


def test_the_trees_of_two_pages_are_linked_and_shaded(browser: Browser, trees_page: Path) -> None:
    with opened(browser, trees_page) as page:
        expect(page.locator(".trees .links path")).to_have_count(15)
        node = page.locator(".tree.right li[data-node='6'] .node")
        assert node.evaluate("node => node.style.getPropertyValue('--shade')") == "75%"
        expect(node).to_contain_text("3 of 4")
        node.click()
        expect(page.locator(".links path.chosen")).to_have_count(3)
        expect(page.locator(".partners li")).to_have_count(3)
        page.locator(".partners button").first.click()
        expect(page.locator("#left-5")).to_be_in_viewport()
        node.click()
        expect(page.locator(".partners li")).to_have_count(0)


def test_trees_fold_to_matched_branches(browser: Browser, trees_page: Path) -> None:
    with opened(browser, trees_page) as page:
        home = page.locator(".tree.left").get_by_text("Home", exact=True)
        expect(home).to_be_visible()
        page.get_by_role("button", name="Matched branches only").click()
        expect(home).to_be_hidden()
        expect(page.locator(".tree.left").get_by_text("Talks without her")).to_be_visible()
        expect(page.locator(".trees .links path")).to_have_count(15)


@pytest.mark.parametrize("width", [320, 768])
def test_trees_fit_every_width(browser: Browser, trees_page: Path, width: int) -> None:
    with opened(browser, trees_page, viewport={"width": width, "height": 740}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.locator(".tree.left .node.matched").first.click()
        expect(page.locator(".partners li").first).to_be_visible()


def test_a_large_page_shows_matched_branches_at_first(browser: Browser, tmp_path: Path) -> None:
    told = "".join(f"<p>{sentence}</p>" for sentence in DAM)
    menus = ["".join(f"<li>{w} {n}</li>" for n in range(100)) for w in ("Home", "Land")]
    pages = [f"<ul>{menu}</ul><h1>News</h1>{told}" for menu in menus]
    documents = [Document(id=str(n), text=page_of(p).text, html=p) for n, p in enumerate(pages)]
    write_comparison_page(compare(*documents, method="word-overlap"), tmp_path / "large.html")
    with opened(browser, tmp_path / "large.html") as page:
        expect(page.locator(".tree.left li").nth(50)).to_be_hidden()
        expect(page.locator(".tree.left .node.matched").first).to_be_visible()
        page.get_by_role("button", name="Matched branches only").click()
        expect(page.locator(".tree.left li").nth(50)).to_be_visible()

"""Pairs of texts for reading: whole, folded where long, and nothing of them runs."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.browser import opened, opened_browser
from twicetold import Document
from twicetold.errors import ParameterError
from twicetold.reports.side_by_side import Entry, Side, side_of, write_side_by_side

SHARED = "the old dam above Brindle broke on Monday morning after a week of rain"
LONG = " ".join(f"Line {n} of a report that nobody shortened." for n in range(400))


def entry(*texts: str) -> Entry:
    sides = [Side("LEFT" if n == 0 else "RIGHT", f"d{n}", "", t) for n, t in enumerate(texts)]
    return Entry("1. dams", ["judged overlap"], sides)


def shown_text(content: str) -> list[str]:
    """The texts of a page as a reader sees them, all unfolded."""
    articles = re.findall(r"<article>.*?</article>", content, re.DOTALL)
    found = []
    for article in articles:
        parts = re.findall(r'<div class="text" dir="auto">(.*?)</div>', article, re.DOTALL)
        found.append(re.sub("<[^>]*>", "", "".join(parts)))
    return found


def test_words_in_a_row_that_both_have_are_marked(tmp_path: Path) -> None:
    texts = (f"We hear {SHARED}, he said.", f"Yes: {SHARED.upper()}! Five words are not the same")
    write_side_by_side(tmp_path / "t.html", "dams", [], [entry(*texts)])
    content = (tmp_path / "t.html").read_text("utf-8")
    assert re.findall("<mark>(.*?)</mark>", content) == [SHARED, SHARED.upper()]
    assert shown_text(content) == list(texts)


def test_scripts_without_spaces_are_marked_too(tmp_path: Path) -> None:
    texts = ("星期一早上大坝决堤了", "据报道大坝决堤了。")
    write_side_by_side(tmp_path / "t.html", "dams", [], [entry(*texts)])
    content = (tmp_path / "t.html").read_text("utf-8")
    assert re.findall("<mark>(.*?)</mark>", content) == ["大坝决堤了"] * 2


@pytest.mark.parametrize("length", [0, 1, 2499, 2500, 2999, 3000, 3001, 9000])
def test_texts_of_any_length_are_whole(length: int, tmp_path: Path) -> None:
    texts = (LONG[:length], "x" * length)
    write_side_by_side(tmp_path / "t.html", "dams", [], [entry(*texts)])
    content = (tmp_path / "t.html").read_text("utf-8")
    assert shown_text(content) == list(texts)
    assert content.count("<details>") == (2 if length > 3000 else 0)
    write_side_by_side(tmp_path / "t.md", "dams", [], [entry(*texts)])
    assert all(f"```text\n{text}\n```" in (tmp_path / "t.md").read_text("utf-8") for text in texts)


def test_what_is_known_of_a_document_stands_above_it() -> None:
    day = Document(id="a", text="x", title="T", published=datetime(2026, 3, 1, tzinfo=UTC))
    assert side_of("LEFT", "a", day).about == "T · 2026-03-01 · 1 character"
    assert side_of("LEFT", "a", None).about == "not among the documents"


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"look.csv: texts are written for reading as \.html"):
        write_side_by_side(tmp_path / "look.csv", "", [], [])


def test_long_texts_unfold_and_no_document_runs(tmp_path: Path) -> None:
    evil = f"<script>alert(1)</script><img src=x onerror=alert(2)> {LONG} </textarea>"
    path = tmp_path / "t.html"
    write_side_by_side(path, "<b>dams</b>", ["one", "two"], [entry(evil, LONG), entry("a", "b")])
    with opened_browser() as browser, opened(browser, path) as page:
        assert page.locator("details").count() == 2
        end = page.get_by_text("Line 399 of a report").first
        assert not end.is_visible()
        page.get_by_role("button", name="Unfold every text").click()
        assert end.is_visible()
        page.get_by_role("button", name="Fold long texts").click()
        assert not end.is_visible()
    with opened_browser() as browser, opened(browser, path, java_script_enabled=False) as page:
        assert not page.get_by_role("button").is_visible()
        page.locator("summary").first.click()
        assert page.get_by_text("Line 399 of a report").first.is_visible()

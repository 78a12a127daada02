"""The main content of pages, quick and good."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.running import taken
from twicetold.documents import CONTENTS, Report, content, read
from twicetold.errors import MissingExtraError, ParameterError
from twicetold.html import outline

MENU = "".join(f'<li><a href="/{n}">Section number {n} of this site</a></li>' for n in range(30))
TOLD = [
    f"The mayor of town number {n} said on Tuesday that the bridge over the river stays closed "
    f"until engineers have looked at each of its {n + 40} piers, which may take the whole summer."
    for n in range(6)
]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    told = "".join(f"<p>{text}</p>" for text in TOLD)
    path = tmp_path / "page.html"
    path.write_text(
        "<html lang=en><head><title>Bridge closed</title>"
        '<meta property="article:published_time" content="2026-01-02"></head><body>'
        f"<nav class=nav><ul>{MENU}</ul></nav>"
        f"<article><h1>Bridge closed</h1>{told}</article>"
        f"<footer class=footer><ul>{MENU}</ul></footer></body></html>"
    )
    return path


@pytest.mark.parametrize("kind", CONTENTS)
def test_main_content_has_the_story_and_not_the_menus(page: Path, kind: str) -> None:
    [document] = read(page, content=kind)  # type: ignore[arg-type]
    assert all(text in document.text for text in TOLD)
    assert ("Section number 7" in document.text) == (kind == "full")
    # What the page says of itself is that of the whole page.
    assert document.title == "Bridge closed"
    assert document.language == "en"
    assert document.published is not None
    # Nodes and offsets are those of the text that was taken.
    found = outline(document)
    assert [found.text_of(node) for node in found.nodes][-len(TOLD) :] == TOLD or kind == "full"


@pytest.mark.parametrize("kind", ["main", "main-quality"])
def test_a_page_without_main_content_is_a_problem(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.html"
    path.write_text("<script>x</script>")
    report = Report()
    assert taken(read(path, content=kind, report=report))[0] == []  # type: ignore[arg-type]
    assert report.count == {"empty text": 1}


@pytest.mark.parametrize("kind", ["main", "main-quality"])
def test_a_page_too_wild_for_an_extractor_is_not_given_to_it(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.html"
    path.write_text("<div>x" * 200_000)
    report = Report()
    assert taken(read(path, content=kind, report=report))[0] == []  # type: ignore[arg-type]
    assert report.count == {"empty text": 1}


def test_an_unknown_content_is_told_with_those_there_are(page: Path) -> None:
    with pytest.raises(ParameterError, match="content must be one of full, main, main-quality"):
        read(page, content="best")  # type: ignore[arg-type]


def test_the_good_extractor_is_asked_for_by_name_where_it_is_missing(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"pip install trafilatura"):
        read(page, content="main-quality")

"""The benchmark of web pages, on a few small ones."""

import json
from pathlib import Path

import pytest
from benchmarks.main_content import main_content, score
from benchmarks.pages import pages
from tests.experiments import making

from twicetold.errors import ParameterError

STORY = "The dam broke on Monday night. Ten people died in the flood below it, the mayor said."
MENU = "<nav>Home News Sport Weather Jobs Cars Homes Letters</nav>"


@pytest.mark.parametrize(
    ("wanted", "found", "scores"),
    [
        ("a b c d e", "a b c d e", (1.0, 1.0)),
        ("a b c d e", "a b c d", (1.0, 0.5)),
        ("a b c d", "a b c d e f", (1 / 3, 1.0)),
        ("a b c d", "", (0.0, 0.0)),
        ("a b", "A, b!", (0.0, 0.0)),
    ],
)
def test_scores_count_runs_of_four_words(
    wanted: str, found: str, scores: tuple[float, float]
) -> None:
    assert score(wanted, found) == pytest.approx(scores)


def test_main_content_is_scored_by_the_truth_of_the_set(tmp_path: Path) -> None:
    (tmp_path / "html").mkdir()
    paragraphs = f"<p>{STORY}</p>" * 5
    page = f"<title>Dam</title><body>{MENU}<article>{paragraphs}</article></body>"
    (tmp_path / "html" / "a.html").write_text(page)
    truth = {"a": {"articleBody": " ".join([STORY] * 5), "url": "x"}}
    (tmp_path / "ground-truth.json").write_text(json.dumps(truth))
    scores = main_content(tmp_path).scores
    assert list(scores) == ["full", "main", "main-quality"]
    assert scores["full"][0] < 1
    assert scores["full"][1] == 1
    assert scores["main"] == (1, 1, 1)


def test_all_parts_of_a_site_are_measured(tmp_path: Path) -> None:
    found = pages(None, making.site(tmp_path), ["codet", "word-overlap"])
    speed, trees, called = (part.to_json() for part in found)
    assert list(speed["steps"]) == ["hierarchy", "analysis", "both"]
    assert trees["title"].startswith("Two pages of ")
    assert all(value > 0 for row in trees["steps"].values() for value in row)
    assert (called["pages"], called["pairs"], called["same"]) == (24, 276, 0)
    assert {name: row[1:] for name, row in called["methods"].items()} == {
        "codet": (0, 0),
        "word-overlap": (0, 0),
    }
    assert all(str(part).count("|") > 10 for part in found)


def test_there_must_be_pages() -> None:
    with pytest.raises(ParameterError, match="give --articles, --sites or both"):
        pages(None, None, None)

"""Y-html and Y-odds on web pages: what must come out whatever the pages are like."""

from pathlib import Path
from typing import Any

import pytest

from tests.experiments import making
from twicetold.errors import ParameterError
from twicetold.experiments import run, save


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return making.site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def versions(folder: Path) -> Any:
    return run("Y-html", folder, threads=1)


def test_what_was_copied_is_found_and_nothing_else(versions: Any) -> None:
    rows = {row[1]: row for row in versions.rows if row[0] == "made"}
    assert set(rows) == {"fuzzy set", "retelling"}
    for row in rows.values():
        told, matched, wrong, missed = row[4:8]
        assert told == 13
        # Three of thirteen are edited and may be missed.
        assert missed <= 3
        assert wrong == 0
        assert matched >= told - missed
        assert row[8] > 0
    assert rows["fuzzy set"][13] == 13
    assert f"finds {13 - rows['fuzzy set'][7]} of 13, 0 wrong" in versions.conclusion


def test_it_has_dotplots_in_document_order(versions: Any, tmp_path: Path) -> None:
    made = versions.figures[0]
    assert (made.kind, made.title) == ("dots", "made, in document order")
    for series in made.series:
        assert all(1 <= x <= made.size[0] for x in series.x)
        assert all(1 <= y <= made.size[1] for y in series.y)
        assert list(series.y) == sorted(series.y)  # a version keeps the order
    files, missing = save(versions, tmp_path)
    assert missing is None
    assert sorted(file.suffix for file in files) == [".csv", ".json", ".png", ".svg"]


def test_texts_are_no_pages(tmp_path: Path) -> None:
    news = making.write(tmp_path / "news.jsonl", 5)
    with pytest.raises(ParameterError, match="at least 2 web pages, got 0"):
        run("Y-html", news)


def test_pages_that_tell_nothing_are_refused(tmp_path: Path) -> None:
    for n in range(12):
        (tmp_path / f"{n}.html").write_text(f"<p>Page {n}")
    with pytest.raises(ParameterError, match="Y-html needs pages that tell"):
        run("Y-html", tmp_path)
    with pytest.raises(ParameterError, match="Y-odds needs 3 pages that tell"):
        run("Y-odds", tmp_path)


def test_odds_of_pages_tell_copies_from_others(folder: Path) -> None:
    outcome = run("Y-odds", folder, threads=1)
    rows: Any = outcome.rows
    assert outcome.title == "odds of ten web pages, three pairs of which are alike"
    # One sentence of twenty is another: 0.95² to 1 - 0.95².
    assert [row[1] for row in rows[:3]] == pytest.approx([9.256] * 3, abs=1e-3)
    assert rows[3][1] < 0.1

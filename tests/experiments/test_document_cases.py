"""Y-cases: what must come out whatever the collection is like."""

from pathlib import Path
from typing import Any

import pytest

from tests.experiments import making
from twicetold.errors import ParameterError
from twicetold.experiments import run, save

MATCHERS = ("4-gram", "fuzzy set", "retelling")


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Any:
    news = making.write(tmp_path_factory.mktemp("news") / "news.jsonl", 150)
    return run("Y-cases", news, documents=151, threads=1)


def test_sentences_of_subsets_are_all_found_and_unrelated_ones_are_not(outcome: Any) -> None:
    rows = {(row[0], row[1]): row for row in outcome.rows}
    assert len(rows) == len(outcome.rows) == 11 * len(MATCHERS)
    for matcher in MATCHERS:
        for case in ("subset", "subset and 10 others"):
            _, _, first, second, told, matched, of_first, of_second, wrong, missed, *_ = rows[
                case, matcher
            ]
            assert (told, missed, wrong) == (matched, 0, 0)
            assert of_first == matched / first
            assert of_second == told / second
        assert rows["subset", matcher][7] == 1.0
        assert rows["unrelated", matcher][4] == 0
        # An edited sentence may be missed; one that was copied never is.
        assert rows["revision 5-6", matcher][9] == 0


def test_the_thesis_stands_beside_its_own_matchers(outcome: Any) -> None:
    rows = {(row[0], row[1]): row for row in outcome.rows}
    assert rows["related", "4-gram"][10:13] == (47, 0.54, 0.60)
    assert rows["related", "fuzzy set"][10:13] == (27, 0.31, 0.34)
    assert rows["revision 1-6", "fuzzy set"][10:13] == (46, 0.47, 0.46)
    assert rows["related", "retelling"][10:13] == (None, None, None)
    # What the thesis prints as percents is the matched count over the lengths.
    for plan in (("subset", 35, 21), ("unrelated", 149, 133), ("8 times longer", 425, 50)):
        thesis = rows[plan[0], "4-gram"]
        assert round(thesis[10] / plan[1], 2) == pytest.approx(thesis[11], abs=0.01)
        assert round(thesis[10] / plan[2], 2) == pytest.approx(thesis[12], abs=0.01)


def test_every_case_has_its_dotplot(outcome: Any, tmp_path: Path) -> None:
    assert [figure.title for figure in outcome.figures] == list(
        dict.fromkeys(row[0] for row in outcome.rows)
    )
    for figure in outcome.figures:
        assert figure.kind == "dots"
        for series in figure.series:
            assert all(1 <= float(x) <= figure.size[0] for x in series.x)
            assert all(1 <= float(y or 0) <= figure.size[1] for y in series.y)
    files, missing = save(outcome, tmp_path)
    assert missing is None
    assert sorted(file.suffix for file in files) == [".csv", ".json", ".png", ".svg"]


def test_the_conclusion_counts(outcome: Any) -> None:
    told, missed = (sum(row[n] for row in outcome.rows if row[1] == "4-gram") for n in (4, 9))
    assert outcome.conclusion.startswith(f"4-gram finds {told - missed} of {told}, ")


def test_too_few_sentences_are_refused(tmp_path: Path) -> None:
    news = making.write(tmp_path / "news.jsonl", 3)
    with pytest.raises(ParameterError, match="Y-cases needs"):
        run("Y-cases", news, documents=4)

"""Removals for reading: drawn at random, texts whole, and lines that `evaluate` reads."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.making import write_json
from tests.running import sharing_documents
from twicetold.deduplicating import dedupe, write_sample
from twicetold.deduplicating.sampling import answers_beside, draw
from twicetold.errors import FormatError, ParameterError
from twicetold.evaluation import evaluate_removals
from twicetold.records import Document

MINE = "The mine near Osmarrow will close in May after eighty years."
SHARES = "Shares of its owner lost two percent on Monday morning."
UNION = "The union wants talks before anybody is dismissed."


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answers_beside(path).read_text("utf-8").splitlines()]


def test_the_same_seed_draws_the_same_and_identical_texts_are_left_out() -> None:
    documents = sharing_documents(60)
    copies = [Document(id=f"copy {one.id}", text=one.text) for one in documents[:5]]
    found = dedupe([*documents, *copies], method="codet")
    assert any(gone.reason == "identical" for gone in found.dropped)
    drawn = draw(found, 4, seed=1)
    assert drawn == draw(found, 4, seed=1)
    every = draw(found, 10_000)
    assert len(every) > 4
    assert {gone.id for gone in every} == {g.id for g in found.dropped if g.reason != "identical"}
    assert every != draw(found, 10_000, seed=2)
    with pytest.raises(ParameterError, match="must have at least 1 removal, got 0"):
        draw(found, 0)


@pytest.mark.parametrize("suffix", [".html", ".md"])
def test_what_goes_stands_beside_what_stays(suffix: str, tmp_path: Path) -> None:
    source = write_json(
        tmp_path / "news.jsonl",
        [
            {"id": "long", "text": f"{MINE} {SHARES} {UNION}", "title": "All of it"},
            {"id": "short", "text": f"{MINE} {SHARES}", "title": "Mine & shares"},
        ],
    )
    found = dedupe(source, texts=True)
    path = tmp_path / f"look{suffix}"
    assert write_sample(found, path, 5, name="news") == 1
    [row] = rows_of(path)
    assert row == {
        "set": "news",
        "removed": "short",
        "witness": "long",
        "reason": "contained",
        "in_witness": 1.0,
        "answer": None,
        "note": "",
    }
    text = re.sub("</?mark>", "", path.read_text("utf-8"))
    assert text.index(f"{MINE} {SHARES}") < text.index(f"{MINE} {SHARES} {UNION}")
    assert ("Mine &amp; shares" if suffix == ".html" else "Mine & shares") in text
    with pytest.raises(FormatError, match="holds no judged removal"):
        evaluate_removals(answers_beside(path))
    write_json(answers_beside(path), [{**row, "answer": "loses"}])
    assert evaluate_removals(answers_beside(path)).shares["loses"].share == 1


def test_a_witness_of_another_collection_is_shown(tmp_path: Path) -> None:
    mine = [Document(id="x", text=f"{MINE} {SHARES}")]
    other = [Document(id="x", text=f"{MINE} {SHARES} {UNION}")]
    found = dedupe(mine, against=other, texts=True)
    path = tmp_path / "look.txt"
    assert write_sample(found, path, 5) == 1
    assert UNION in path.read_text("utf-8")

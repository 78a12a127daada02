"""Labelled pairs scored by alignment, as a file that `evaluate --pairs` takes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.aligned import candidates, rows
from tests.evaluation import making

from twicetold.evaluation import evaluate, read_labels
from twicetold.records import Document


@pytest.mark.parametrize("by", ["retold", "content", "mean"])
@pytest.mark.parametrize("made", [making.clough_stevenson, making.versions])
def test_evaluate_judges_what_is_written(
    made: Callable[[Path], Path], by: str, tmp_path: Path
) -> None:
    labelled = read_labels(made(tmp_path / "set"))
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows(labelled, by)), "utf-8")
    found = evaluate(labelled, pairs=file, threshold=0.9, bootstrap=0)
    assert (found.pairs.auc, found.pairs.fixed.f1) == (1, 1)


def test_candidates_share_runs_of_words() -> None:
    texts = ["a b c d e f g", "x a b c d e f g", "a b c d e f", "g f e d c b a"]
    documents = [Document(id=str(n), text=text) for n, text in enumerate(texts)]
    assert list(candidates(documents)) == [("0", "1")]

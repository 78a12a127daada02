"""Y-err: what must come out whatever the collection is like."""

from pathlib import Path
from typing import Any

import pytest

from tests.experiments import making
from twicetold import _kernel
from twicetold.errors import ParameterError
from twicetold.experiments import run
from twicetold.experiments.rare_gram_errors import (
    KINDS,
    Planted,
    count_errors,
    edited,
    errors_conclusion,
)

SENTENCES = [(f"word{n}x", f"other{n}y", f"third{n}z", f"last{n}") for n in range(100)]


def test_each_tenth_sentence_is_there_again_with_one_edit() -> None:
    planted = edited(SENTENCES, seed=1)
    assert planted.sentences[:100] == SENTENCES
    assert list(planted.copies.values()) == [*KINDS, *KINDS]
    lengths = {"verbatim": 0, "added": 1, "removed": -1, "replaced": 0, "swapped": 0}
    for (one, copy), kind in planted.copies.items():
        before, after = planted.sentences[one], planted.sentences[copy]
        assert len(after) - len(before) == lengths[kind]
        assert (before == after) == (kind == "verbatim")
        assert kind != "swapped" or sorted(before) == sorted(after)
    assert edited(SENTENCES, seed=1) == planted


def test_errors_are_counted_by_what_is_the_same() -> None:
    frequencies = _kernel.GramFrequencies.from_text("abcdbcde", [1, 9])
    sentences = [("abcd", "efgh"), ("abcd", "efgh", "q"), ("xabcd", "zz"), ("bcde", "mnop")]
    planted = Planted(sentences, {(0, 1): "added", (2, 3): "replaced"})
    found = count_errors(planted, frequencies, rarest=1)
    # Unseen grams are the rarest: "cdef" for the first two, which are the only equals.
    assert (found.declared, found.wrong, found.unlike) == (1, 0, 0)
    assert found.missed == {"replaced": 1}
    wrong = Planted([("abcd",), ("abcd", "xyzw")], {})
    known = _kernel.GramFrequencies.from_text("bcdxcdxydxyzxyzw", [9, 9, 9, 9])
    found = count_errors(wrong, known, rarest=1)
    assert (found.declared, found.wrong, found.unlike) == (1, 1, 0)


def test_the_experiment_runs_and_concludes(tmp_path: Path) -> None:
    data = making.write(tmp_path / "news.jsonl", 30)
    outcome = run("Y-err", data=[str(data)], documents=31)
    assert [row[1] for row in outcome.rows[:2]] == ["all", "these"]
    assert outcome.rows[0][0] == 100
    rows: list[Any] = list(outcome.rows)
    for row in rows:
        assert all(0 <= share <= 1 for share in row[4:12])
        assert row[5] <= row[4]
        assert row[7] == 0, "a verbatim copy is never missed"
    assert "false positives" in outcome.conclusion
    again = run("Y-err", data=[str(data)], documents=31)
    assert again.rows == outcome.rows


def test_too_few_sentences_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl"
    path.write_text('{"id": "a", "text": "One two three four."}\n{"id": "b", "text": "Five."}\n')
    with pytest.raises(ParameterError, match="at least 10 different sentences"):
        run("Y-err", data=[str(path)])


def test_the_conclusion_follows_the_numbers() -> None:
    few = (100, "all", 10, 9, 0.0, 0.0, 0.1)
    many = (5_000, "all", 500, 600, 0.25, 0.1, 0.1)
    assert errors_conclusion([few, many]) == (
        "false positives 0.000 at 100 sentences and 0.250 at 5,000; false negatives 0.100 at 100 "
        "sentences and 0.100 at 5,000: wrong matches grow with the number of sentences"
    )
    assert "do not grow" in errors_conclusion([few, few])

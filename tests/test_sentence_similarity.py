"""Measures of two sentences, and the weights learned for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from twicetold import _kernel
from twicetold.errors import FormatError, ParameterError, SourceError
from twicetold.sentence_similarity import (
    MEASURES,
    Background,
    SentenceSimilarity,
    learn_similarity,
)

PAIRS = [
    ("The dam above Lund broke on Monday.", "On Monday the dam above Lund broke."),
    ("Ten villages lie below.", "Below it lie ten villages."),
    ("Shares fell by 2 percent.", "Shares rose by 3 percent."),
    ("A cat slept.", "Parliament voted on the bill."),
    ("The mine will close in May.", "The mine will not close in May."),
    ("He said so twice.", "It rained."),
]
LABELS = [1, 1, 0, 0, 0, 0]


def measured(**options: Any) -> memoryview[float]:
    texts = [text for pair in PAIRS for text in pair]
    return Background(texts, language="en").measure(PAIRS, language="en", **options)


def test_measures_have_names_and_do_not_depend_on_threads() -> None:
    assert len(set(MEASURES)) == len(MEASURES)
    one, two = (measured(threads=n).tobytes() for n in (1, 2))
    assert one == two
    found = measured()
    assert found[4, MEASURES.index("only one denies")] == 1
    assert found[2, MEASURES.index("different numbers")] == 2


@pytest.mark.parametrize("kind", ["ridge", "logistic"])
def test_what_was_learned_tells_the_pairs_apart(kind: Any) -> None:
    model = learn_similarity(measured(), LABELS, kind=kind, penalty=1.0)
    values = model.values(measured())
    assert min(values[:2]) > 0.5 > max(values[2:])
    if kind == "logistic":
        assert all(0 < value < 1 for value in values)


def test_a_model_travels_as_a_file(tmp_path: Path) -> None:
    model = learn_similarity(measured(), LABELS)
    model.save(tmp_path / "m.json")
    assert SentenceSimilarity.load(tmp_path / "m.json") == model
    content = json.loads((tmp_path / "m.json").read_text("utf-8"))
    del content["weights"]["words, mean"]
    (tmp_path / "m.json").write_text(json.dumps(content), "utf-8")
    with pytest.raises(FormatError, match="other measures"):
        SentenceSimilarity.load(tmp_path / "m.json")
    (tmp_path / "m.json").write_text("[]", "utf-8")
    with pytest.raises(FormatError, match="not a model"):
        SentenceSimilarity.load(tmp_path / "m.json")
    with pytest.raises(SourceError, match="cannot read"):
        SentenceSimilarity.load(tmp_path / "none.json")
    with pytest.raises(SourceError, match="cannot write"):
        model.save(tmp_path / "none" / "m.json")


def test_what_cannot_be_learned_from_is_refused() -> None:
    with pytest.raises(ParameterError, match="at least one pair"):
        Background().measure([])
    with pytest.raises(ParameterError, match="6 pairs but 1 labels"):
        learn_similarity(measured(), [1])
    with pytest.raises(ParameterError, match="labels must be 0 or 1"):
        learn_similarity(measured(), [0.5] * 6)
    with pytest.raises(ParameterError, match="kind must be"):
        _kernel.learn_linear(b"", b"", kind="forest", penalty=1.0)
    background = Background()
    with pytest.raises(ParameterError, match="two texts each, all below 1"):
        _kernel.measure_pairs(
            ["a"],
            b"\0\0\0\0",
            b"\1\0\0\0",
            analyser=background._analyser.native,
            statistics=background.statistics.native,
            correlations=background.correlations,
        )

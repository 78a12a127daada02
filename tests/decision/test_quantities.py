"""What the kernel measures of a pair is what a slow, obvious reference measures."""

from __future__ import annotations

import math
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.decision.reference import Collection, Text, quantities
from twicetold import Document, _kernel
from twicetold.analysis import PROFILES, Analyser
from twicetold.batches import batch_of
from twicetold.decision import default_decision
from twicetold.statistics import Statistics

WORDS = (
    *("Ortsund", "Havre", "Mira", "Lund", "bridge", "council", "storm", "harbour", "tram"),
    *("opened", "closed", "repaired", "wind", "ferry", "7", "12", "1,340", "the", "of", "and"),
    *("night", "money", "library", "roof", "museum", "boat", "fire", "school", "a", "in"),
)
sentence = st.lists(st.sampled_from(WORDS), min_size=3, max_size=14).map(" ".join)
base = st.lists(sentence, min_size=3, max_size=6)


@st.composite
def collections(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Texts that are edits of one another, with their titles."""
    first = draw(base)
    texts = [first]
    for _ in range(draw(st.integers(1, 4))):
        own = list(draw(st.sampled_from(texts)))
        for _ in range(draw(st.integers(0, 3))):
            at = draw(st.integers(0, len(own) - 1))
            words = own[at].split()
            words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(WORDS))
            own[at] = " ".join(words)
        if draw(st.booleans()):
            own.insert(draw(st.integers(0, len(own))), draw(sentence))
        texts.append(own)
    titles = st.sampled_from(["", "Storm in Ortsund", "The ferry of Havre", "Ortsund storm"])
    return [(". ".join(text) + ".", draw(titles)) for text in texts]


def measured(rows: list[tuple[str, str]]) -> tuple[list[tuple[int, int]], _kernel.Judgements]:
    documents = [
        Document(id=str(n), text=text, title=title or None, language="en")
        for n, (text, title) in enumerate(rows)
    ]
    analyser = Analyser(PROFILES["retelling-scan"])
    batch = batch_of(documents)
    analysed = analyser.analyse_batch(batch, language=None, spans=True, threads=1)
    statistics = Statistics(PROFILES["retelling-scan"])
    statistics.add(analysed)
    texts = _kernel.DecisionTexts()
    texts.add(batch, analysed)
    forms = texts.count(statistics.native)
    pairs = [(a, b) for a in range(len(rows)) for b in range(len(rows)) if a != b]
    left, right = (array("I", [pair[side] for pair in pairs]).tobytes() for side in (0, 1))
    model = default_decision().model(statistics)
    return pairs, texts.judge(left, right, statistics.native, forms, model)


@given(collections())
def test_quantities_are_those_of_the_reference(rows: list[tuple[str, str]]) -> None:
    pairs, judged = measured(rows)
    texts = [Text(text, title, "en") for text, title in rows]
    distinct = list({text: own for (text, _), own in zip(rows, texts, strict=True)}.values())
    all_ = Collection(texts, distinct)
    stages = [stage for stage, *_ in judged.details()]
    for (a, b), found, stage in zip(pairs, judged.quantities(), stages, strict=True):
        if texts[a].words == texts[b].words:
            assert stage == 0
            continue
        assert stage == 3
        for own, expected in zip(found, quantities(texts[a], texts[b], all_), strict=True):
            assert own == pytest.approx(expected, rel=1e-4, abs=1e-6, nan_ok=True)


def test_probabilities_do_not_depend_on_the_side_or_the_number_of_threads() -> None:
    rows = [
        ("The bridge of Ortsund was closed on Monday night after a storm of 12 hours.", "Storm"),
        ("The bridge of Ortsund was closed on Monday night after a storm of 7 hours.", "Storm"),
        ("The museum of Havre has a new roof, paid by the council in 2024.", "Roof"),
    ]
    pairs, judged = measured(rows)
    columns = [array("d", column) for column in judged.probabilities()]
    by_pair = {pair: [column[n] for column in columns] for n, pair in enumerate(pairs)}
    for (a, b), (there, back, taken) in by_pair.items():
        other = by_pair[b, a]
        assert [there, back, taken] == [other[1], other[0], other[2]]
        assert taken >= max(there, back)
        assert all(0 <= value <= 1 and math.isfinite(value) for value in (there, back, taken))

"""tf-idf: documents as vectors of their words, against a slow, obvious twin."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold import Document, Statistics, scan
from twicetold.analysis import PROFILES, Analyser
from twicetold.detectors.tf_idf import TfIdf

PROFILE = PROFILES["plain"]
WORDS = ["ant", "bee", "cow", "dog", "elk", "fox"]
#: Documents as sentences of words: few words, so that many are shared.
DOCUMENTS = st.lists(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=6), max_size=4),
    min_size=2,
    max_size=5,
)

Sentences = Sequence[Sequence[str]]


def text_of(sentences: Sentences) -> str:
    return " ".join(f"{' '.join(words).capitalize()}." for words in sentences if words)


def vector(sentences: Sentences, detector: TfIdf, frequency: Counter[str], n: int) -> Counter[str]:
    spoken = [words for words in sentences if words]
    taken = spoken[: detector.opening] if detector.opening else spoken
    found = Counter(word for words in taken for word in set(words))
    if detector.counts == "presence":
        found = Counter(set(found))
    return Counter({w: times * math.log(1 + n / frequency[w]) for w, times in found.items()})


def dot(one: Counter[str], other: Counter[str]) -> float:
    return sum(one[word] * other[word] for word in one)


@pytest.mark.parametrize(
    "detector", [TfIdf(), TfIdf(counts="presence"), TfIdf(opening=1), TfIdf(opening=2)], ids=str
)
@given(documents=DOCUMENTS)
def test_pairs_have_the_cosine_and_the_shares_of_their_vectors(
    detector: TfIdf, documents: list[list[list[str]]]
) -> None:
    texts = [text_of(sentences) for sentences in documents]
    frequency = Counter(w for s in documents for w in {word for words in s for word in words})
    vectors = [vector(s, detector, frequency, len(documents)) for s in documents]
    found = scan(
        [Document(id=str(n), text=text) for n, text in enumerate(texts)],
        method=detector,
        profile="plain",
        floor=0.01,
        all_pairs=True,
    )
    seen = set()
    for pair in found:
        left, right = int(pair.left), int(pair.right)
        seen.add((min(left, right), max(left, right)))
        a, b = vectors[left], vectors[right]
        if texts[left] == texts[right]:
            assert pair.relation == "identical"
            continue
        assert pair.left_in_right == pytest.approx(min(dot(a, b) / dot(a, a), 1), abs=1e-8)
        assert pair.right_in_left == pytest.approx(min(dot(a, b) / dot(b, b), 1), abs=1e-8)
        cosine = dot(a, b) / math.sqrt(dot(a, a) * dot(b, b))
        if abs(cosine - detector.threshold) > 1e-6:
            assert (pair.relation == "near-duplicate") == (cosine > detector.threshold)
    for right, left in ((r, q) for r in range(len(texts)) for q in range(r)):
        a, b = vectors[left], vectors[right]
        if a and b and dot(a, b) >= 0.02 * min(dot(a, a), dot(b, b)):
            assert (left, right) in seen


def test_a_word_counts_once_a_sentence_and_a_document_without_words_has_none() -> None:
    analysed = Analyser(PROFILE).analyse(["Bee bee. Bee cow.", "", "Cow."], languages=["en"] * 3)
    statistics = Statistics(PROFILE)
    statistics.add(analysed)
    ends, _, weights, counts = TfIdf().features(analysed, statistics).columns()
    assert np.frombuffer(ends, "<u8").tolist() == [2, 2, 3]
    assert sorted(np.frombuffer(counts, "<u4").tolist()) == [1, 1, 2]
    rare, frequent = math.log(1 + 3 / 1) ** 2, math.log(1 + 3 / 2) ** 2
    found = sorted(weight / 2**32 for weight in np.frombuffer(weights, "<u8").tolist())
    assert found == pytest.approx([frequent, frequent, rare])


def test_nothing_has_no_features() -> None:
    analysed = Analyser(PROFILE).analyse([])
    assert TfIdf().features(analysed, Statistics(PROFILE)).n_documents == 0


def test_what_is_told_has_the_weights_of_the_features() -> None:
    analysed = Analyser(PROFILE).analyse(["Bee fled. Cow fled."], languages=["en"])
    statistics = Statistics(PROFILE)
    statistics.add(analysed)
    rows = TfIdf(opening=1).trace(analysed, 0, statistics)
    assert [(row.sentence, row.label) for row in rows] == [(0, "bee"), (0, "fled")]
    assert all(row.weight == pytest.approx(math.log(2) ** 2) for row in rows)


def test_it_needs_no_numpy_24(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after `pip install twicetold` alone, which brings none."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    for detector in (TfIdf(), TfIdf(counts="presence"), TfIdf(opening=2)):
        assert len(scan("examples/news", method=detector)) > 0

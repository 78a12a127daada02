"""Rare 4-grams: the thesis' examples, the oracle, and frequencies as pinned statistics."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.reference import Told
from tests.reference_features import gram_frequencies, grams_of, rare_key
from tests.running import PLAIN, analysed, document, run
from twicetold import PROFILES, Document, Statistics, _kernel, build_statistics, explain, scan
from twicetold.analysis import Analyser
from twicetold.detectors.rare_grams import RareGrams
from twicetold.errors import ParameterError, StatisticsError
from twicetold.records import Passage, Span
from twicetold.sentence_store import SentenceStore

#: The refined sentence that the thesis prints, with its own stems.
PRINTED = (
    "iraqs top shiite muslim cleric grand ayatollah ali alsistani travel britain expect receive "
    "treat heart condi spoke said"
)
SISTANI = PRINTED.split()

#: Rows of table 3.1: the 4-grams as far as they are printed, and the three that stand for them.
#: Row 12 prints "aicc", which is none of its 4-grams: "iacc" is.
TABLE_3_1 = {
    1: ("topshiiteclericlondonhearttreat", "opsh pshi hiit"),
    2: ("londonenglandapiraqstopshiitemuslimcle", "raqs aqst qsto"),
    4: ("iraqstopshiitemuslimclericgra", "raqs aqst qsto"),
    8: ("durminutestopov", "durm urmi rmin"),
    12: ("sistaniaccompanithreeai", "tani niac iacc"),
}


def frequencies(known: dict[str, int]) -> _kernel.GramFrequencies:
    return _kernel.GramFrequencies.from_text("".join(known), list(known.values()))


def test_the_4_grams_of_novel_creations() -> None:
    found = Statistics(PLAIN)
    found.add_grams(analysed(["novel creations"]))
    expected = "nove ovel velc elcr lcre crea reat eati atio tion ions"
    assert found.grams.text() == ("".join(sorted(expected.split())), [1] * 11)


def test_the_sentence_of_the_thesis() -> None:
    """Its stems are not Porter's, so they are given as printed."""
    assert (len("".join(SISTANI)), len(set(grams_of(SISTANI)))) == (102, 99)
    printed = (
        "iraq raqs aqst qsto stop tops opsh pshi shii hiit iite item temu emus musl usli slim "
        "limc imcl mcle cler leri eric ricg icgr cgra"
    )
    assert grams_of(SISTANI)[:26] == printed.split()
    known = dict.fromkeys(grams_of(SISTANI), 9) | {"raqs": 2, "aqst": 1, "qsto": 1}
    key = _kernel.rarest_grams("".join(SISTANI), frequencies(known), 3)
    assert key == "raqsaqstqsto" == rare_key(SISTANI, known)


@pytest.mark.parametrize("row", TABLE_3_1)
def test_table_3_1(row: int) -> None:
    text, printed = TABLE_3_1[row]
    grams = grams_of([text])
    assert set(printed.split()) <= set(grams)
    known = dict.fromkeys(grams, 7) | dict.fromkeys(printed.split(), 1)
    assert _kernel.rarest_grams(text, frequencies(known), 3) == printed.replace(" ", "")


def test_snowball_stems_do_not_give_the_printed_grams() -> None:
    profile = PROFILES["fuzzy-set"]
    statistics = Statistics(profile)
    texts = ["Iraq's top Shiite Muslim cleric, Grand Ayatollah Ali al-Sistani"]
    statistics.add_grams(Analyser(profile).analyse(texts, languages=["en"]))
    counts = [statistics.grams.frequency(gram) for gram in ("raqs", "raqt", "lial", "alsi")]
    assert counts == [0, 1, 1, 1]


@given(told=strategies.told(), rarest=st.integers(1, 4), min_words=st.integers(1, 3))
def test_keys_are_those_of_the_oracle(told: list[Told], rarest: int, min_words: int) -> None:
    known = gram_frequencies(d.sentences for d in told)
    found = analysed([d.text for d in told])
    statistics = Statistics(PLAIN)
    statistics.add(found)
    statistics.add_grams(found)
    assert statistics.grams.text() == ("".join(sorted(known)), [known[g] for g in sorted(known)])
    detector = RareGrams(rarest=rarest, min_words=min_words)
    for n, doc in enumerate(told):
        expected = [
            (number, rare_key(words, known, rarest))
            for number, words in enumerate(doc.sentences)
            if len(set(words)) >= min_words
        ]
        trace = detector.trace(found, n, statistics)
        assert [(t.sentence, t.label) for t in trace] == expected
        assert all(len(t.label) <= 4 * rarest for t in trace)


@given(
    told=strategies.told(),
    min_overlap=st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    days=st.none() | st.integers(0, 20),
)
def test_shares_are_those_of_the_double_loop(
    told: list[Told], min_overlap: float, days: int | None
) -> None:
    known = gram_frequencies(d.sentences for d in told)
    window = None if days is None else timedelta(days=days)

    def matches(one: Sequence[str], other: Sequence[str]) -> bool:
        if rare_key(one, known) != rare_key(other, known):
            return False
        a, b = set(one), set(other)
        return len(a & b) / min(len(a), len(b)) >= min_overlap - 1e-9

    documents = strategies.as_documents(told)
    detector = RareGrams(min_words=1, min_overlap=min_overlap)
    pairs = run(documents, detector, floor=0.0, all_pairs=True, window=window)
    sentences = {d.id: list(dict.fromkeys(d.sentences)) for d in told}

    def unit(words: Sequence[str]) -> object:
        """What is one sentence: the same key, and the same words where they are looked at."""
        return rare_key(words, known), frozenset(words) if min_overlap else None

    def share(one: str, other: str) -> float:
        units = {unit(words): words for words in sentences[one]}
        there = sentences[other]
        matched = sum(any(matches(words, found) for found in there) for words in units.values())
        return matched / len(units)

    for pair in pairs:
        if sentences[pair.left]:
            assert pair.left_in_right == share(pair.left, pair.right)
            assert pair.right_in_left == share(pair.right, pair.left)
    if window is None:
        expected = {
            frozenset((one.id, other.id))
            for n, one in enumerate(told)
            for other in told[:n]
            if one.text == other.text
            or any(matches(a, b) for a in one.sentences for b in other.sentences)
        }
        assert {frozenset((pair.left, pair.right)) for pair in pairs} == expected


@given(
    words=st.lists(strategies.words, min_size=3, max_size=6),
    stop_words=st.lists(st.sampled_from(["the", "of", "a", "and", "was"]), max_size=4),
    shuffle=st.randoms(use_true_random=False),
)
def test_stop_words_change_no_key(
    words: list[str], stop_words: list[str], shuffle: random.Random
) -> None:
    mixed = list(words)
    for word in stop_words:
        mixed.insert(shuffle.randrange(len(mixed) + 1), word)
    documents = [
        Document(id="plain", text=" ".join(words), language="en"),
        Document(id="mixed", text=" ".join(mixed) + "!", language="en"),
    ]
    (pair,) = scan(documents, method="rare-grams", min_words=1)
    assert (pair.left_in_right, pair.right_in_left) == (1.0, 1.0)


def test_what_happens_to_have_the_same_key_is_told_apart_by_its_words() -> None:
    """Both sentences have the rare name; nothing else is the same."""
    told = document("told", "xqzw ant bee cat dog")
    other = document("other", "xqzw elk fox gnu hen")
    common = {gram: 90 for words in ("antbeecatdog", "elkfoxgnuhen") for gram in grams_of([words])}
    grams = {**common, "qzwa": 50, "zwan": 50, "want": 50, "qzwe": 50, "zwel": 50, "welk": 50}
    statistics = Statistics.from_terms(PLAIN, 1, {}, grams=grams)
    (pair,) = run([told, other], RareGrams(rarest=1), statistics=statistics)
    assert pair.relation == "near-duplicate"
    assert (
        list(run([told, other], RareGrams(rarest=1, min_overlap=0.5), statistics=statistics)) == []
    )
    (pair,) = run([told, other], RareGrams(rarest=1, min_overlap=0.2), statistics=statistics)
    assert pair.left_in_right == 1.0


def test_passages_and_explanation() -> None:
    left = Document(id="a", text="Nothing of that was it. The dam over Lund broke.", language="en")
    right = Document(
        id="b", text="The dam over Lund broke. A dam over a Lund broke!", language="en"
    )
    options: dict[str, Any] = {"method": "rare-grams", "language": "en"}
    (pair,) = scan([left, right], passages=True, floor=0.0, **options)
    assert pair.passages[0] == Passage(Span(24, 48), Span(0, 24), 1.0, "verbatim")
    assert (pair.passages[1].right, pair.passages[1].type) == (Span(25, 49), "edited")
    found = explain("a", "b", sources=[left, right], **options)
    assert (found.left.share, found.right.share) == (pair.left_in_right, pair.right_in_left)
    assert found.left.sentences[1].partner == 0
    assert found.relation == pair.relation


def test_pinned_frequencies_give_what_the_scan_counts_itself(tmp_path: Path) -> None:
    documents = [
        document("a", "the dam over lund broke today", "nobody was hurt in the flood"),
        document("b", "the dam over lund broke today", "it rained all night in town"),
        document("c", "it rained all night in town", "a bridge fell into the river"),
    ]
    built = build_statistics(documents, method="rare-grams")
    built.save(tmp_path / "s")
    loaded = Statistics.load(tmp_path / "s")
    assert loaded.version == built.version
    assert loaded.grams.text() == built.grams.text()
    own, pinned = (
        scan(documents, method="rare-grams", floor=0.0, statistics=s) for s in (None, loaded)
    )
    assert own.table.equals(pinned.table)
    assert len(own) == 2
    grams = dict.fromkeys(["abcd"], 3)
    other = Statistics.from_terms(PLAIN, 1, {}, grams=grams)
    assert other.version != Statistics.from_terms(PLAIN, 1, {}, grams={"abcd": 4}).version
    assert other.version != Statistics.from_terms(PLAIN, 1, {}).version


def test_statistics_without_4_grams_are_refused_with_the_way_out() -> None:
    documents = [document("a", "the dam over lund broke today")]
    without = build_statistics(documents, profile="fuzzy-set", origin="elsewhere")
    expected = (
        "statistics of elsewhere hold no frequencies of 4-grams; "
        "build them with `twicetold statistics build --method rare-grams`"
    )
    with pytest.raises(StatisticsError, match=expected):
        scan(documents, method="rare-grams", statistics=without)
    with pytest.raises(StatisticsError, match=expected):
        explain(documents[0], documents[0], method="rare-grams", statistics=without)
    with_them = build_statistics(documents, method=["codet", "rare-grams"], profile="fuzzy-set")
    assert list(scan(documents, method="rare-grams", statistics=with_them)) == []


def test_a_file_with_damaged_grams_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s"
    Statistics.from_terms(PLAIN, 1, {}, grams={"abcd": 3, "bcdé": 1}).save(path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for name, content in (
        ("grams.txt", b"abc"),
        ("gram-frequencies.u32", b""),
        ("grams.txt", None),
    ):
        with zipfile.ZipFile(path, "w") as archive:
            for known, kept in (members | {name: content}).items():
                if kept is not None:
                    archive.writestr(known, kept)
        with pytest.raises(StatisticsError, match="not a statistics file, or damaged"):
            Statistics.load(path)


@pytest.mark.parametrize("grams", [{"abc": 1}, {"abcde": 1}, {"abcd": 0}, {"abcd": -1}])
def test_a_table_of_4_grams_has_4_grams(grams: dict[str, int]) -> None:
    with pytest.raises(ParameterError, match="a gram has 4 characters and occurs, got 'abc"):
        Statistics.from_terms(PLAIN, 1, {}, grams=grams)


def test_damaged_grams_are_refused() -> None:
    with pytest.raises(ParameterError, match="5 characters of grams but 1 frequencies"):
        _kernel.GramFrequencies.from_text("abcde", [1])
    with pytest.raises(ParameterError, match='a gram has 4 characters, got "abc"'):
        frequencies({"abcd": 1}).frequency("abc")
    assert frequencies({"abcd": 5}).frequency("abcd") == 5


def test_sentences_match_as_they_come() -> None:
    statistics = Statistics.from_terms(PROFILES["fuzzy-set"], 1, {}, grams={})
    store = SentenceStore(RareGrams(), statistics)
    assert store.add(document("a", "the dam over lund broke today")) == []
    (found,) = store.add(document("b", "dam lund broke today", "nobody hurt anything else"))
    assert (found.earlier, found.score) == ("a", 1.0)

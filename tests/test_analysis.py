"""Texts of any language become sentences of terms, and every offset points into the text."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import fuzz, hostile
from twicetold import _kernel, analyse
from twicetold.analysis import PROFILES, Analysed, Analyser, Profile, detect_language
from twicetold.errors import ParameterError
from twicetold.records import Sentence
from twicetold.statistics import Statistics

#: The canonical form is part of every stored version: another text makes every file foreign.
CANONICAL = {
    "default": "analysis=1 stop=drop numbers=keep stem=snowball joiner=keep min=1",
    "plain": "analysis=1 stop=keep numbers=keep stem=none joiner=keep min=1",
    "codet": "analysis=1 stop=drop numbers=keep stem=first5 joiner=keep min=1",
    "qsign": "analysis=1 stop=drop numbers=keep stem=none joiner=keep min=1",
    "sentence-svm": "analysis=1 stop=drop numbers=keep stem=none joiner=keep min=1",
    "fuzzy-set": "analysis=1 stop=drop numbers=drop stem=snowball joiner=delete min=1",
    "retelling": "analysis=1 stop=keep numbers=keep stem=snowball joiner=keep min=1",
}

#: Language, text, terms of each sentence under "plain".
PLAIN_TERMS: list[tuple[str, str, list[str]]] = [
    ("en", "Cats ran. The dog slept!", ["cats ran", "the dog slept"]),
    ("en", "Dr. Smith paid $3.50 on Jan. 5. He left.", ["dr smith paid 3.50 on jan 5", "he left"]),
    ("en", "Don't call al-Sistani, Iraq's man.", ["don't call al sistani iraq man"]),
    ("en", "A title\n\nThe text goes\non here.", ["a title", "the text goes on here"]),
    ("en", "one\u2028two\u2029three\u0085four", ["one", "two", "three", "four"]),
    ("en", "I ❤️ you 👩‍👩‍👧‍👦 and 🇹🇷", ["i you and"]),
    ("en", "zero\u200bwidth so\u00adft ＦＵＬＬ ﬁne", ["zerowidth soft full fine"]),
    ("tr", "ISPARTA'nın İSTANBUL ışığı. Kim?", ["ısparta istanbul ışığı", "kim"]),
    ("tr", "TITANIK battı.", ["tıtanık battı"]),
    ("en", "TITANIK sank.", ["titanik sank"]),
    ("az", "ILIQ su.", ["ılıq su"]),
    ("fr", "L’eau, c'est bon.", ["eau est bon"]),
    ("de", "STRASSE und Straße.", ["strasse und straße"]),
    ("el", "ΟΔΟΣ; οδός.", ["οδος", "οδός"]),
    ("zh", "長江是母親河。今天下雨！", ["長江 是 母親 河", "今天 下雨"]),
    ("ja", "東京は首都です。雨です。", ["東京 は 首都 です", "雨 です"]),
    ("hi", "हिन्दी में।", ["हिन्दी में"]),
    ("ko", "왜? 아무도 모른다.", ["왜", "아무도 모른다"]),
]

#: Text, and the terms that are left under a profile, in English.
KEPT_TERMS: list[tuple[Profile, str, str]] = [
    (PROFILES["default"], "The cats are running in 2026.", "cat run 2026"),
    (PROFILES["plain"], "The cats are running in 2026.", "the cats are running in 2026"),
    (PROFILES["codet"], "The councillors are running in 2026.", "counc runni 2026"),
    (PROFILES["qsign"], "The cats are running in 2026.", "cats running 2026"),
    (PROFILES["sentence-svm"], "The cats are running in 2026.", "cats running 2026"),
    (PROFILES["fuzzy-set"], "Al-Sistani spoke for Iraq's 2026 cats", "alsistani spoke iraq cat"),
    (Profile(joiner="split", stem="none"), "Rock'n'roll al-Sistani", "rock n roll al sistani"),
    (Profile(joiner="delete", stem="none"), "Rock'n'roll al-Sistani", "rocknroll alsistani"),
    (Profile(numbers="drop", stem="none"), "Room 101 has 3.5 cats, 2nd", "room cats 2nd"),
    (Profile(min_length=4, stem="none"), "Oxen and emus ate hay", "oxen emus"),
]

DETECTED = {
    "en": "The council said on Tuesday that it would not pay for the repairs of the bridge.",
    "tr": "Belediye köprünün onarımı için daha çok para ödemeyeceğini ve bu konuda bilgi verdi.",
    "de": "Der Rat teilte am Dienstag mit, dass er für die Reparatur der Brücke nicht zahlt.",
    "zh": "市议会星期二表示，不会支付五月洪水后关闭的大桥的维修费用。",
    "ja": "市議会は火曜日、五月の洪水の後に閉鎖された橋の修理費を払わないと述べた。",
    "th": "สภาเมืองกล่าวเมื่อวันอังคารว่าจะไม่จ่ายค่าซ่อมสะพาน",
    "ru": "Совет заявил во вторник, что он не будет платить за ремонт моста, закрытого в мае.",
}

any_text = st.text(max_size=60) | st.builds(hostile.text, st.integers(0, 2**32).map(random.Random))
languages = st.sampled_from([None, "en", "tr", "fr", "zh", "ja", "th", "ar", "hi", "und"])
profiles = st.builds(
    Profile,
    stop_words=st.sampled_from(["drop", "keep"]),
    numbers=st.sampled_from(["drop", "keep"]),
    stem=st.sampled_from(["none", "first5", "snowball"]),
    joiner=st.sampled_from(["keep", "split", "delete"]),
    min_length=st.integers(1, 4),
)


def terms(sentences: list[Sentence]) -> list[str]:
    return [" ".join(word.term for word in sentence) for sentence in sentences]


def kept(analysed: Analysed, document: int = 0) -> str:
    return " ".join(
        term
        for _, words in analysed.sentences(document)
        for _, term, _, is_dropped in words
        if not is_dropped
    )


def rows(analysed: Analysed) -> list[Any]:
    documents = [analysed.sentences(n) for n in range(analysed.n_documents)]
    return [documents, analysed.languages, analysed.text_hashes]


@pytest.mark.parametrize(("language", "text", "expected"), PLAIN_TERMS)
def test_a_text_becomes_sentences_of_terms(language: str, text: str, expected: list[str]) -> None:
    assert terms(analyse(text, profile="plain", language=language)) == expected


@pytest.mark.parametrize(("profile", "text", "expected"), KEPT_TERMS)
def test_a_profile_decides_which_terms_are_left(profile: Profile, text: str, expected: str) -> None:
    assert kept(Analyser(profile).analyse([text], languages=["en"], spans=True)) == expected


def test_the_canonical_forms_are_as_they_always_were() -> None:
    assert {name: str(profile) for name, profile in PROFILES.items()} == CANONICAL


@given(profiles, profiles)
def test_different_profiles_have_different_forms(one: Profile, other: Profile) -> None:
    assert (str(one) == str(other)) == (one == other)


@given(any_text, languages, profiles)
def test_every_span_points_at_its_word(text: str, language: str | None, profile: Profile) -> None:
    analyser = Analyser(profile)
    sentences = analyser.analyse([text], languages=[language], spans=True)
    assert fuzz.fault(text, sentences.sentences(0)) is None


@given(any_text, languages, profiles)
def test_a_word_alone_means_what_it_means_in_its_sentence(
    text: str, language: str | None, profile: Profile
) -> None:
    sentences = analyse(text, profile=profile, language=language)
    (code,) = Analyser(profile).analyse([text], languages=[language]).languages
    for word in (word for sentence in sentences for word in sentence):
        (alone,) = analyse(word.surface, profile=profile, language=code)
        (same,) = alone
        assert (same.surface, same.term, same.is_stop) == (word.surface, word.term, word.is_stop)


@pytest.mark.parametrize("mark", ["\ufe0f", "\u0301", "\u20dd", "\u200d", "\U000e0100", "\u034f"])
def test_a_mark_alone_is_no_word(mark: str) -> None:
    assert terms(analyse(f"heart {mark} beat ❤{mark} {mark}", profile="plain", language="en")) == [
        "heart beat"
    ]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("😀 𝔘nd 𐐀 word", [(2, 5), (6, 7), (8, 12)]),
        ("é😀é x", [(0, 1), (2, 3), (4, 5)]),
        ("e\u0301 x", [(0, 2), (3, 4)]),
        ("\ud800 word", [(2, 6)]),
        ("a\udfffb", [(0, 1), (2, 3)]),
        ("\x00word\x00 \x00", [(1, 5)]),
    ],
)
def test_offsets_count_code_points(text: str, spans: list[tuple[int, int]]) -> None:
    found = [word.span for sentence in analyse(text, language="en") for word in sentence]
    assert found == spans


def test_two_halves_of_a_pair_stay_two_code_points() -> None:
    (sentence,) = analyse("\ud83d\ude00 word", language="en")
    assert [word.surface for word in sentence] == ["word"]


@pytest.mark.parametrize("language", [code for code, _, _ in _kernel.languages()])
def test_every_language_has_offsets_terms_and_stop_words_in_lower_case(language: str) -> None:
    for text in hostile.SEEDS:
        analysed = Analyser(PROFILES["default"]).analyse([text], languages=[language], spans=True)
        assert analysed.languages == [language]
        assert fuzz.fault(text, analysed.sentences(0)) is None


@pytest.mark.parametrize(
    ("language", "text", "at_least"),
    [
        ("zh", "市议会星期二表示不会支付五月洪水后关闭的大桥的维修费用", 10),
        ("ja", "市議会は火曜日に橋の修理費を払わないと述べた", 8),
        ("th", "สภาเมืองกล่าวเมื่อวันอังคารว่าจะไม่จ่ายค่าซ่อมสะพาน", 6),
        ("lo", "ນະຄອນຫຼວງວຽງຈັນເປັນເມືອງຫຼວງຂອງລາວ", 3),
        ("km", "ភ្នំពេញជារាជធានីនៃប្រទេសកម្ពុជា", 3),
        ("my", "ရန်ကုန်မြို့သည်မြန်မာနိုင်ငံအကြီးဆုံးမြို့", 3),
    ],
)
def test_scripts_without_spaces_have_usable_terms(language: str, text: str, at_least: int) -> None:
    words = [word.surface for sentence in analyse(text, language=language) for word in sentence]
    assert len(words) >= at_least
    assert "".join(words) == text


def test_thai_sentences_end_at_spaces() -> None:
    text = "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย เป็นศูนย์กลางการปกครองของประเทศ"
    found = [text[slice(*sentence.span)] for sentence in analyse(text, language="th")]
    assert found == text.split(" ")


def test_stop_words_are_marked_whatever_the_profile_does_with_them() -> None:
    for profile in ("default", "plain"):
        (sentence,) = analyse("The cat and the dog", profile=profile, language="en")
        assert [word.is_stop for word in sentence] == [True, False, True, True, False]
    (sentence,) = analyse("The cat and the dog", language="und")
    assert not any(word.is_stop for word in sentence)


@pytest.mark.parametrize("code", DETECTED)
def test_a_language_that_is_not_given_is_detected(code: str) -> None:
    assert detect_language(DETECTED[code]) == code
    assert Analyser(PROFILES["plain"]).analyse([DETECTED[code]]).languages == [code]


@pytest.mark.parametrize("text", ["", "   ", "123 456", "\x00\x01", "🙂🙂", "\ud800"])
def test_nothing_tells_no_language(text: str) -> None:
    assert detect_language(text) == "und"


@pytest.mark.parametrize(
    ("given_code", "code"),
    [("en", "en"), ("en-GB", "en"), ("zh_Hant", "zh"), ("NB", "no"), ("tlh", "und"), ("", "und")],
)
def test_a_language_that_is_given_is_taken(given_code: str, code: str) -> None:
    analysed = Analyser(PROFILES["plain"]).analyse([DETECTED["de"]], languages=[given_code])
    assert analysed.languages == [code]


def test_the_same_word_of_two_languages_is_two_words() -> None:
    analysed = Analyser(PROFILES["plain"]).analyse(
        ["TITANIK"] * 2, languages=["en", "tr"], spans=True
    )
    assert [kept(analysed, n) for n in range(2)] == ["titanik", "tıtanık"]


@given(st.lists(any_text, max_size=8), languages, st.integers(1, 3))
def test_batches_threads_and_what_was_analysed_before_do_not_matter(
    texts: list[str], language: str | None, threads: int
) -> None:
    used = Analyser(PROFILES["default"])
    used.analyse(texts[::-1], languages=["en"] * len(texts))
    codes = [language] * len(texts)
    together = used.analyse(texts, languages=codes, spans=True, threads=threads)
    for n, text in enumerate(texts):
        alone = Analyser(PROFILES["default"]).analyse([text], languages=codes[:1], spans=True)
        assert rows(alone) == [part[n : n + 1] for part in rows(together)]


def test_texts_of_more_than_one_chunk_are_analysed_alike() -> None:
    rng = random.Random(5)
    long = " ".join(f"word{rng.randrange(9_000)}" for _ in range(90_000)) + "."
    texts = [long, "Short one.", long[::-1], "", "Short one."]
    codes = ["en"] * len(texts)
    found = [
        rows(Analyser(PROFILES["default"]).analyse(texts, languages=codes, spans=True, threads=n))
        for n in (1, 2, 5)
    ]
    assert found[0] == found[1] == found[2]


def test_equal_texts_have_equal_hashes_and_others_have_not() -> None:
    texts = ["a b", "a b", "a  b", "A b", "a b.", "", "", "a b "]
    hashes = Analyser(PROFILES["plain"]).analyse(texts).text_hashes
    assert [hashes.index(number) for number in hashes] == [0, 0, 2, 3, 4, 5, 5, 7]


@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (lambda: "x" * 5_000_000, "one word of 5 MB"),
        (lambda: "é" * 2_000_000, "one word of two bytes a letter"),
        (lambda: "word " * 300_000, "one line of many pieces"),
        (lambda: "長江" * 300_000, "one line without spaces"),
        (lambda: "“(\"'a. " * 30_000, "quotation marks that never close"),
        (lambda: "a" + "\u0301" * 1_000_000, "one letter with a million accents"),
        (lambda: "\n" * 1_000_000 + "end", "a million lines"),
        (lambda: "A. " * 200_000, "nothing but initials"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_endless_text_is_analysed_in_bounded_time(make: Callable[[], str], shape: str) -> None:
    text = make()
    analysed = Analyser(PROFILES["default"]).analyse([text], languages=["en"], spans=True)
    (sentences,) = rows(analysed)[0]
    assert fuzz.fault(text, sentences) is None


def test_spans_cost_memory_and_are_kept_only_where_asked_for() -> None:
    analysed = Analyser(PROFILES["plain"]).analyse(["One two."])
    assert not analysed.has_spans
    assert (analysed.n_documents, analysed.n_sentences, analysed.n_words) == (1, 1, 2)
    with pytest.raises(ParameterError, match="needs spans and a document below 1, got 0"):
        analysed.sentences(0)


def test_a_document_that_is_not_there_is_told() -> None:
    analysed = Analyser(PROFILES["plain"]).analyse(["One two."], spans=True)
    with pytest.raises(ParameterError, match="needs spans and a document below 1, got 1"):
        analysed.sentences(1)


def test_texts_and_languages_must_be_as_many() -> None:
    with pytest.raises(ParameterError, match="2 texts but 1 languages"):
        Analyser(PROFILES["plain"]).analyse(["a", "b"], languages=["en"])


def test_threads_may_share_an_analyser_and_statistics() -> None:
    # A thread that waits for the others of its pool takes up other work, which must not want a
    # lock that it holds itself.
    from twicetold.detectors.codet import CoDet

    profile = PROFILES["plain"]
    analyser, statistics = Analyser(profile), Statistics(profile)
    rng = random.Random(1)
    texts = [
        "\n\n".join(" ".join(f"w{rng.randrange(3_000)}" for _ in range(8)) for _ in range(10))
        for _ in range(1_500)
    ]
    codes = ["en"] * len(texts)
    first = analyser.analyse(texts, languages=codes)
    statistics.add(first)
    expected = CoDet().features(first, statistics).columns()
    failures: list[int] = []

    def work(seed: int) -> None:
        for _ in range(6):
            fresh = [f"{text}\n\nnew{seed}" for text in texts[:300]]
            analyser.analyse(fresh, languages=codes[:300])
            if CoDet().features(first, statistics).columns() != expected:
                failures.append(seed)

    threads = [threading.Thread(target=work, args=(n,), daemon=True) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    assert not failures

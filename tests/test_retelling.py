"""Retelling finds what comparing every two sentences finds, and tells where it stands."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.reference import Frequencies, Told
from tests.reference_retelling import Oracle
from tests.running import document, rows, run
from twicetold import Document, Statistics
from twicetold import build_statistics as build_any_statistics
from twicetold import explain as explain_any
from twicetold import scan as scan_any
from twicetold.batches import batches
from twicetold.comparing import compare
from twicetold.detectors.retelling import Retelling
from twicetold.index import Index
from twicetold.records import Passage, Span

#: What sentences match and how much that is: the method's own decision, by shares.
scan = partial(scan_any, decision="own")
explain = partial(explain_any, decision="own")
build_statistics = partial(build_any_statistics, decision="own")

SENTENCES = [
    "The old dam above the town of Lund broke early on Monday morning after days of rain.",
    "Ten villages along the river were flooded within hours and hundreds of people fled.",
    "The governor asked the army for boats and promised money for those who lost homes.",
    "Engineers had warned for years that the walls of the reservoir were no longer safe.",
]
#: The same told with other words here and there.
EDITED = [
    "The old dam above the city of Lund broke late on Monday morning after weeks of rain.",
    "Ten villages along the river were flooded within hours, and thousands of people fled.",
]
OTHER = [
    "A bakery in the harbour sells bread with seeds that sailors brought from the south.",
    "Its owner learned the trade from an uncle who never wrote a recipe down for anybody.",
    "Tourists wait in line before sunrise, and on Sundays the ovens do not rest at all.",
]


@given(
    told=strategies.told(),
    rarest=st.integers(0, 5),
    size=st.integers(1, 4),
    min_dice=st.sampled_from([0.25, 0.5, 0.7, 1.0]),
    min_overlap=st.sampled_from([0.25, 0.5, 0.95]),
    min_terms=st.integers(1, 8),
    align_from=st.sampled_from([0.0, 0.3, 0.6, 1.0]),
)
def test_pairs_are_those_of_the_double_loop(
    told: list[Told],
    rarest: int,
    size: int,
    min_dice: float,
    min_overlap: float,
    min_terms: int,
    align_from: float,
) -> None:
    choices: dict[str, Any] = {
        "rarest": rarest,
        "gram": size,
        "min_dice": min_dice,
        "min_overlap": min_overlap,
        "min_terms": min_terms,
        "align_from": align_from,
    }
    oracle = Oracle(Frequencies.count(d.sentences for d in told), **choices)
    detector = Retelling(winnow=1, boilerplate_documents=0, **choices)
    pairs = run(strategies.as_documents(told), detector, floor=0.0, all_pairs=True)
    found = {(p.left, p.right): (p.left_in_right, p.right_in_left, p.resemblance) for p in pairs}
    expected = oracle.pairs(told)
    assert found.keys() == expected.keys()
    for ids, shares in found.items():
        assert shares == pytest.approx(expected[ids], abs=1e-9)


def test_edited_sentences_are_found_with_their_passages() -> None:
    left = document("a", *SENTENCES)
    right = document("b", OTHER[0], *EDITED, OTHER[1])
    (pair,) = scan([left, right], method="retelling")
    assert pair.relation in ("near-duplicate", "overlap", "contains", "contained")
    (passage,) = pair.passages
    assert (passage.type, left.text[slice(*passage.left)]) == ("edited", "\n\n".join(SENTENCES[:2]))
    assert right.text[slice(*passage.right)] == "\n\n".join(EDITED)


def test_one_quoted_sentence_is_an_overlap() -> None:
    left = document("a", *SENTENCES)
    right = document("b", *OTHER, SENTENCES[1])
    (pair,) = scan([left, right], method="retelling")
    assert pair.relation == "overlap"
    assert pair.score < 0.5
    span = Span(left.text.index(SENTENCES[1]), left.text.index(SENTENCES[2]) - 2)
    there = Span(right.text.index(SENTENCES[1]), len(right.text))
    assert pair.passages == (Passage(span, there, 1.0, "verbatim"),)
    (plain,) = scan([left, right], method="retelling", passages=False)
    assert plain.passages == ()
    assert not list(scan([left, right], method="retelling", proof_words=16))


def test_a_sentence_too_common_proves_nothing_but_counts() -> None:
    own = [" ".join(f"w{n}x{k}" for k in range(12)) for n in range(5)]
    texts = [document(f"d{n}", SENTENCES[0], words) for n, words in enumerate(own)]
    found = scan(texts, method="retelling", max_key_sentences=4)
    assert len(found) == 0
    assert found.manifest.counts["common sentences"] == 1
    below = scan(texts, method="retelling", max_key_sentences=4, floor=0.1)
    assert {pair.relation for pair in below} == {"overlap"}
    assert len(below) == 10
    assert len(scan(texts, method="retelling", max_key_sentences=5)) == 10


def test_passages_that_changed_places_are_reordered() -> None:
    left = document("a", *SENTENCES)
    right = document("b", *SENTENCES[2:], OTHER[0], *SENTENCES[:2])
    (pair,) = scan([left, right], method="retelling")
    assert [passage.type for passage in pair.passages] == ["verbatim", "reordered"]
    assert pair.left_in_right == 1.0


def test_endless_sentences_are_cut_and_still_found() -> None:
    words = " ".join(f"word{n}" for n in range(600))
    part = " ".join(f"word{n}" for n in range(100, 500))
    own = " ".join(f"other{n}" for n in range(60))
    documents = [Document(id="whole", text=words), Document(id="part", text=f"{own} {part}")]
    (pair,) = scan(documents, method="retelling", language="en")
    # 60 words of weight 1.69 are its own, and a piece that is cut in two may be lost.
    assert 0.7 < pair.left_in_right < 0.8


@pytest.mark.parametrize(
    ("language", "told", "retold"),
    [
        ("zh", "星期一早上城镇上方的旧水坝在连日降雨之后突然决堤洪水淹没了十个村庄", "据报道"),
        ("ja", "月曜日の朝に町の上にある古いダムが数日間の雨の後に決壊し村が浸水した", "報道では"),
        ("th", "เขื่อนเก่าเหนือเมืองพังทลายเมื่อเช้าวันจันทร์หลังฝนตกหลายวัน", "ข่าว"),
    ],
)
def test_scripts_without_spaces_are_found(language: str, told: str, retold: str) -> None:
    documents = [
        Document(id="told", text=f"{told}。", language=language),
        Document(id="retold", text=f"{retold}{told}。", language=language),
    ]
    (pair,) = scan(documents, method="retelling")
    assert (pair.right_in_left if pair.right == "told" else pair.left_in_right) > 0.8


def test_threads_and_batches_are_irrelevant() -> None:
    texts = [
        document(f"d{n}", *SENTENCES[n % 3 :], OTHER[n % 3], *EDITED[: n % 2]) for n in range(12)
    ]
    expected = rows(scan(texts, method="retelling"))
    assert expected
    for threads in (1, 2, 3):
        assert rows(scan(texts, method="retelling", threads=threads)) == expected
    assert rows(scan(reversed(texts), method="retelling")) == expected
    assert len(list(batches(texts))) == 1


def test_explain_tells_what_a_scan_found() -> None:
    left, right = document("a", *SENTENCES), document("b", *EDITED, *OTHER)
    (pair,) = scan([left, right], method="retelling", floor=0.0)
    why = explain(left, right, sources=[left, right], method="retelling")
    assert (why.left.share, why.right.share) == (pair.left_in_right, pair.right_in_left)
    assert why.relation == pair.relation
    assert [sentence.partner for sentence in why.left.sentences] == [0, 1, None, None]


def test_one_sentence_in_quotation_marks_is_quoted() -> None:
    left = document("a", *SENTENCES)
    quoted = document("b", OTHER[0], f'"{SENTENCES[3]}"', OTHER[1])
    (pair,) = scan([left, quoted])
    assert [passage.type for passage in pair.passages] == ["quoted"]
    said = document("c", OTHER[0], f"{SENTENCES[3][:-1]}, the mayor said.", OTHER[1])
    (pair,) = scan([left, said])
    assert [passage.type for passage in pair.passages] == ["quoted"]


def boilerplate(source: str | None, n: int) -> list[Document]:
    """Return stories that share nothing but a line under each, with another date in it."""
    stories = []
    for at in range(n):
        own = [" ".join(f"w{at}x{k}y{word}" for word in range(12)) for k in range(4)]
        line = f"Subscribe to the morning letter of the Lund Courier, issue {at} of this year."
        stories.append(document(f"{source}-{at}", *own, line, SENTENCES[3], source=source))
    return stories


@pytest.mark.parametrize("source", ["courier", None])
def test_what_a_source_has_everywhere_counts_nowhere(source: str | None) -> None:
    stories = boilerplate(source, 10)
    found = scan(stories)
    assert len(found) == 0
    assert found.manifest.counts["boilerplate sentences"] == 20
    assert len(scan(stories, boilerplate_documents=0)) == 45
    assert len(scan(stories[:5])) == 10
    told = scan(stories, floor=0.0, threshold=0.0)
    kinds = {passage.type for pair in told for passage in pair.passages}
    assert kinds <= {"boilerplate"}
    why = explain(stories[0].id, stories[1].id, sources=stories)
    assert [s.is_boilerplate for s in why.left.sentences] == [False] * 4 + [True] * 2
    assert why.left.share == 0


def test_boilerplate_is_pinned_with_the_statistics(tmp_path: Path) -> None:
    stories = boilerplate("courier", 12)
    build_statistics(stories).save(tmp_path / "s")
    pinned = Statistics.load(tmp_path / "s")
    assert len(scan(stories[:3], statistics=pinned)) == 0
    assert len(scan(stories[:3])) == 3
    elsewhere = [document(f"x{n}", SENTENCES[3], OTHER[n], source="other") for n in range(2)]
    assert len(scan(elsewhere, statistics=pinned)) == 1


def test_compare_discounts_boilerplate_of_a_collection() -> None:
    stories = boilerplate("courier", 12)
    left, right = stories[0].id, stories[1].id
    found = compare(left, right, sources=stories, decision="own")
    assert {passage.type for passage in found.pair.passages} <= {"boilerplate"}
    assert found.pair.left_in_right == 0
    kept = compare(left, right, sources=stories, keep_boilerplate=True, decision="own")
    assert kept.pair.left_in_right > 0
    assert "boilerplate" not in {passage.type for passage in kept.pair.passages}


def test_pinned_statistics_say_what_those_of_the_collection_say() -> None:
    # One sentence is boilerplate of one source, and told in two others.
    told = [document(f"x{n}", SENTENCES[3], OTHER[n], source=f"s{n}") for n in range(2)]
    stories = [*boilerplate("courier", 12), *told]
    pinned = build_statistics(stories)
    assert rows(scan(stories, statistics=pinned)) == rows(scan(stories))
    found = {(pair.left, pair.right) for pair in scan(stories)}
    assert found == {("x0", "x1"), *((s.id, x.id) for s in stories[:12] for x in told)}


def test_what_one_source_has_everywhere_is_a_quote_elsewhere() -> None:
    stories = boilerplate("courier", 12)
    quoting = document("quoting", *OTHER, SENTENCES[3], source="other")
    found = {pair.left: pair for pair in scan([*stories, quoting])}
    assert found.keys() == {story.id for story in stories}
    pair = found["courier-3"]
    assert (pair.right, pair.relation) == ("quoting", "overlap")
    # It is no part of what the courier tells, and one of the four sentences that quote it.
    assert pair.left_in_right == 0
    assert 0 < pair.right_in_left < 0.25
    assert [passage.type for passage in pair.passages] == ["verbatim"]
    why = explain("courier-3", "quoting", sources=[*stories, quoting])
    assert why.left.share == 0
    assert why.right.share == pytest.approx(pair.right_in_left)
    assert why.left.sentences[5].is_boilerplate


def test_another_form_of_what_a_source_has_everywhere_is_no_quote() -> None:
    stories = boilerplate("courier", 12)
    # Half of it is gone, and with that most of its keys; the rest is the courier's all the same.
    words = SENTENCES[3].split()
    own = " ".join([*words[:8], *(f"own{n}" for n in range(8))])
    forms = [document("form", *OTHER, own, source=source) for source in ("courier", "other")]
    asked: dict[str, Any] = {"min_terms": 1, "proof_order": 0.0, "proof_words": 7}
    same, another = (scan([*stories, form], proof_score=0.0, **asked) for form in forms)
    assert same.manifest.counts["boilerplate sentences"] == 24
    assert (len(same), len(another)) == (0, 12)


def test_a_sentence_that_too_many_documents_have_is_no_quote() -> None:
    stories = boilerplate("courier", 12)
    quoting = document("quoting", *OTHER, SENTENCES[3], source="other")
    assert len(scan([*stories, quoting], max_key_sentences=12)) == 0


@pytest.mark.parametrize("batch", [1, 100])
def test_an_index_finds_such_quotes_whoever_comes_first(tmp_path: Path, batch: int) -> None:
    stories = boilerplate("courier", 12)
    quoting = document("quoting", *OTHER, SENTENCES[3], source="other")
    pinned = build_statistics([*stories, quoting])
    expected = {story.id for story in stories}
    for name, order in (("a", [*stories, quoting]), ("b", [quoting, *stories])):
        with Index.create(
            tmp_path / name, method="retelling", statistics=pinned, decision="own"
        ) as index:
            told = list(index.add_all(order, batch=batch))
            pairs = [pair for added in told for pair in added.pairs]
            assert {pair.left for pair in pairs} | {pair.right for pair in pairs} == {
                *expected,
                "quoting",
            }
            assert len(pairs) == 12


def test_a_sentence_that_was_cut_counts_where_enough_is_matched() -> None:
    left = document("a", *SENTENCES)
    cut = SENTENCES[2].split(" and ")
    right = document("b", *SENTENCES[:2], f"{cut[0]}.", f"Officials {cut[1]}", OTHER[0])
    (pair,) = scan([left, right])
    (without,) = scan([left, right], align_from=1.0)
    assert pair.left_in_right >= without.left_in_right
    why = explain(left, right, sources=[left, right])
    assert why.left.share == pytest.approx(pair.left_in_right)
    assert why.right.share == pytest.approx(pair.right_in_left)


def test_the_same_words_in_another_order_prove_nothing() -> None:
    words = [f"w{n}" for n in range(14)]
    one, other = " ".join(words), " ".join(words[::2] + words[1::2])
    texts = [document("a", one, *SENTENCES), document("b", other, *OTHER)]
    common = [document(f"c{n}", *words[n : n + 3], OTHER[n % 3]) for n in range(12)]
    found = scan([*texts, *common])
    assert ("a", "b") not in {(pair.left, pair.right) for pair in found}
    loose = scan([*texts, *common], proof_order=0, proof_words=1)
    assert ("a", "b") not in {(pair.left, pair.right) for pair in loose}
    (same,) = scan([document("a", one, *SENTENCES), document("b", one, *OTHER)])
    assert same.relation == "overlap"


def test_facts_in_other_sentences_are_no_overlap_and_an_edited_quote_is() -> None:
    told = "Senator Mary Jones said the county of Lund will receive ten million crowns for its dam."
    facts = "Ten million crowns for the dam will go to Lund county, said Mary Jones, the senator."
    quote = "Senator Mary Jones said the city of Lund will receive ten million crowns for its dam."
    left = document("a", told, *SENTENCES)
    assert not list(scan([left, document("b", facts, *OTHER)]))
    (pair,) = scan([left, document("b", quote, *OTHER)])
    assert pair.relation == "overlap"


def test_versions_of_a_text_are_no_boilerplate() -> None:
    versions = [
        document(f"v{n:02}", *SENTENCES, f"Update number {n} of the day.", source="wire")
        for n in range(14)
    ]
    found = scan(versions)
    assert found.manifest.counts["boilerplate sentences"] == 0
    assert {pair.relation for pair in found} == {"near-duplicate"}


def test_content_is_told_beside_what_is_retold() -> None:
    shuffled = " ".join(sorted(" ".join(SENTENCES).replace(".", "").split()))
    left, right = document("a", *SENTENCES), document("b", shuffled, SENTENCES[0])
    (pair,) = scan([left, right])
    assert pair.left_in_right < 0.9
    assert pair.left_content_in_right == pytest.approx(1.0)
    assert set(pair.to_json()) >= {"left_content_in_right", "right_content_in_left"}
    assert scan([left, right]).table.column("left_content_in_right").to_pylist() == [
        pair.left_content_in_right
    ]


TURKISH = "Eski baraj pazartesi sabahı günlerce süren yağmurdan sonra çöktü ve on köyü su bastı."
CHINESE = "星期一早上城镇上方的旧水坝在连日降雨之后突然决堤，洪水淹没了十个村庄。"

ROBUST = {
    "words changed": " ".join(SENTENCES).replace("Monday", "Tuesday").replace("town", "city"),
    "words dropped": " ".join(SENTENCES).replace("early ", "").replace("hundreds of ", ""),
    "words added": " ".join(SENTENCES).replace("old dam", "very old earth dam"),
    "reordered": " ".join(reversed(SENTENCES)),
    "merged": " and ".join(s.rstrip(".") for s in SENTENCES) + ".",
    "split": " ".join(SENTENCES).replace(" and ", ". And ").replace(" after ", ". After "),
    "punctuation": " ".join(SENTENCES).replace(" of ", " - of - ").replace(",", ";"),
    "quotes": " ".join(f"\u201c{sentence}\u201d" for sentence in SENTENCES),
    "repeated": " ".join([*SENTENCES, *SENTENCES, SENTENCES[0]]),
    "in a long text": " ".join([*(OTHER * 12), *SENTENCES, *(OTHER * 12)]),
}


@pytest.mark.parametrize("text", ROBUST.values(), ids=ROBUST)
def test_a_text_is_found_whatever_was_done_to_it(text: str) -> None:
    told = document("told", " ".join(SENTENCES))
    others = [document(f"other{n}", sentence) for n, sentence in enumerate(OTHER)]
    retold = Document(id="retold", text=text, language="en")
    found = {pair.left: pair for pair in scan([told, retold, *others]) if pair.right == "told"}
    assert found["retold"].right_in_left > 0.6
    assert found["retold"].relation in ("near-duplicate", "contains")


@pytest.mark.parametrize(
    ("language", "told", "retold"),
    [
        ("tr", TURKISH, TURKISH.replace("pazartesi", "salı").replace(" ve on", ", on")),
        ("zh", CHINESE, CHINESE.replace("星期一", "星期二")),
    ],
)
def test_edits_are_found_in_every_language(language: str, told: str, retold: str) -> None:
    documents = [
        Document(id=name, text=text, language=language)
        for name, text in (("a", told), ("b", retold))
    ]
    (pair,) = scan(documents)
    assert pair.relation == "near-duplicate"

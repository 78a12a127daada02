"""Alignment: laws of passages and shares, and the shares of a slow oracle."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import reference_align
from twicetold.alignment import Alignment, AlignmentParameters, align, align_all
from twicetold.analysis import PROFILES, analyse
from twicetold.errors import ParameterError
from twicetold.records import Span

#: A press release of a town that does not exist: eight sentences.
RELEASE = (
    "The council of Brindle will repair the old stone dam above the mill. ",
    "Engineers found cracks in its northern wall during an inspection last spring. ",
    "Work begins in October and should take about fourteen months. ",
    "The glass works, which draws its water from the lake, will pay a third of the cost. ",
    "Fishermen fear that the trout will not survive a winter without deep water. ",
    "A footbridge near the chapel replaces the path along the crest until summer. ",
    "Mayor Ines Halloran called the repair the largest in the history of the valley. ",
    "Tenders can be handed in at the town hall until the ninth of September.",
)
OTHER = (
    "Shares of sugar traders rose sharply after frost reached southern plantations. "
    "Analysts expect another poor harvest, although storage remains almost full. "
    "Bakers announced higher prices for cakes, biscuits, puddings."
)
TEXT = "".join(RELEASE)

texts = st.lists(
    st.sampled_from(
        [*RELEASE, "Ten died. ", "Ün 🦊 naïve. ", "The dam above the mill. ", "***\n\n"]
    ),
    max_size=9,
).map("".join)


@given(texts.filter(lambda text: any(c.isalpha() for c in text)))
def test_a_text_is_all_in_itself(text: str) -> None:
    found = align(text, text, language="en")
    assert (found.left_in_right, found.right_content_in_left, found.resemblance) == (1, 1, 1)
    (passage,) = found.passages
    assert (passage.type, passage.score, passage.left) == ("verbatim", 1, passage.right)
    inside = text[slice(*passage.left)]
    assert [c for c in inside if c.isalnum()] == [c for c in text if c.isalnum()]


@given(texts, texts)
def test_spans_lie_in_the_texts_and_figures_from_0_to_1(left: str, right: str) -> None:
    found = align(left, right, language="en")
    for passage in found.passages:
        assert 0 <= passage.left.start < passage.left.end <= len(left)
        assert 0 <= passage.right.start < passage.right.end <= len(right)
        assert 0 < passage.score <= 1
    for share in shares(found):
        assert 0 <= share <= 1


def shares(found: Alignment) -> tuple[float, ...]:
    return (
        found.left_in_right,
        found.right_in_left,
        found.left_content_in_right,
        found.right_content_in_left,
        found.resemblance,
    )


@given(texts, texts)
def test_swapping_the_sides_swaps_the_shares(left: str, right: str) -> None:
    one, other = align(left, right, language="en"), align(right, left, language="en")
    a, b, c, d, e = shares(other)
    assert shares(one) == (b, a, d, c, e)
    assert one.odds == other.odds


@given(texts, texts)
def test_shares_are_those_of_the_oracle(left: str, right: str) -> None:
    def stems(text: str) -> list[list[str]]:
        found = analyse(text, profile=PROFILES["retelling"], language="en")
        return reference_align.cut([[word.term for word in sentence] for sentence in found])

    found = align(left, right, language="en")
    ours, theirs = stems(left), stems(right)
    assert found.left_in_right == pytest.approx(reference_align.retold(ours, theirs))
    assert found.right_in_left == pytest.approx(reference_align.retold(theirs, ours))
    assert found.left_content_in_right == pytest.approx(reference_align.content(ours, theirs))
    assert found.right_content_in_left == pytest.approx(reference_align.content(theirs, ours))


def test_texts_without_a_word_in_common_have_nothing() -> None:
    found = align("Alpha beta gamma. Delta epsilon zeta.", "Uno dos tres. Cuatro cinco.")
    assert found.passages == ()
    assert shares(found) == (0, 0, 0, 0, 0)
    assert found.odds == found.score == 0


def test_the_same_topic_is_not_retold() -> None:
    other = (
        "Dams have been built of stone since antiquity. Water of the lake drives a mill, "
        "and the town below it lives from glass. In winter trout need deep water. "
        "The council pays for repairs, and the mayor opens a footbridge in summer."
    )
    found = align(TEXT, other, language="en")
    assert found.passages == ()
    assert found.left_in_right < 0.1


def test_a_contained_text_is_found_with_its_place() -> None:
    whole = f"{OTHER}\n\n{TEXT}\n\n{OTHER}"
    found = align(TEXT, whole, language="en")
    (passage,) = found.passages
    assert passage.left == Span(0, len(TEXT))
    assert whole[slice(*passage.right)] == TEXT
    assert found.left_in_right == found.left_content_in_right == 1
    assert found.right_in_left < 0.8


def test_shuffled_sentences_are_reordered() -> None:
    order = [*RELEASE]
    random.Random(3).shuffle(order)
    found = align(TEXT, " ".join(order), language="en")
    assert [passage.type for passage in found.passages] == ["reordered"]
    assert found.left_in_right > 0.95


def test_changed_words_are_an_edit() -> None:
    words = TEXT.split(" ")
    chance = random.Random(5)
    for n in chance.sample(range(len(words)), len(words) // 8):
        words[n] = chance.choice(OTHER.split())
    found = align(TEXT, " ".join(words), language="en")
    assert {passage.type for passage in found.passages} == {"edited"}
    assert found.left_in_right > 0.5
    covered = sum(passage.left.end - passage.left.start for passage in found.passages)
    assert covered > 0.9 * len(TEXT)


def test_a_summary_is_found_with_all_that_it_sums_up() -> None:
    chance = random.Random(11)
    words = [
        f"{a}{b}{c}o" for a in "bdfglm" for b in "aeiu" for c in ("rn", "st", "lt", "mp", "nd")
    ]
    sentences = [f"{' '.join(chance.sample(words, 12)).capitalize()}." for _ in range(60)]
    summary = [" ".join(sentence.split()[:9]) + "." for sentence in sentences[3:60:9]]
    left, right = f"{OTHER} {' '.join(summary)} {OTHER}", " ".join(sentences)
    found = align(left, right, language="en")
    (passage,) = found.passages
    assert left[slice(*passage.left)] == " ".join(summary)
    assert passage.right.end - passage.right.start > 0.9 * len(right)


def test_what_stands_in_quotation_marks_is_quoted() -> None:
    report = f"{OTHER} The town said: “{''.join(RELEASE[:5]).strip()}” {OTHER}"
    found = align(TEXT, report, language="en")
    assert [passage.type for passage in found.passages] == ["quoted"]


def test_a_single_quoted_sentence_is_found_where_asked_for() -> None:
    left = f"{OTHER} {RELEASE[1]}"
    whole = f"{TEXT} Nothing else happened. {'The weather was fine all day long. ' * 9}"
    assert align(left, whole, language="en").passages == ()
    parameters = AlignmentParameters(quote=10)
    (passage,) = align(left, whole, language="en", parameters=parameters).passages
    assert left[slice(*passage.left)] == RELEASE[1].strip()
    assert (passage.type, passage.score) == ("verbatim", 1)


def test_boilerplate_is_known_by_its_flags() -> None:
    notice = "".join(RELEASE[:4])
    left, right = f"{notice}\n\n{OTHER}", f"{notice}\n\nSomething else happened in the harbour."
    flags = [
        [place < 4 for place, _ in enumerate(analyse(text, language="en"))]
        for text in (left, right)
    ]
    codes = ["en", "en"]
    (plain,) = align_all([left, right], [(0, 1)], languages=codes)
    (known,) = align_all([left, right], [(0, 1)], languages=codes, boilerplate=flags)
    assert [passage.type for passage in plain.passages] == ["verbatim"]
    assert [passage.type for passage in known.passages] == ["boilerplate"]
    assert plain.left_in_right > 0.4
    assert known.left_in_right == 0
    # What only one of them has everywhere was taken.
    once = [flags[0], [False] * len(flags[1])]
    (taken,) = align_all([left, right], [(0, 1)], languages=codes, boilerplate=once)
    assert [passage.type for passage in taken.passages] == ["verbatim"]
    assert (taken.left_in_right, taken.right_in_left) == (0, plain.right_in_left)


def test_several_documents_are_taken_together() -> None:
    parts = ["".join(RELEASE[:4]), OTHER, "".join(RELEASE[4:])]
    found = align(TEXT, parts, language="en")
    assert found.left_in_right == found.left_content_in_right == 1
    assert [len(passages) for passages in found.by_document] == [1, 0, 1]
    assert [passage.left.start for passage in found.passages] == [0, len(parts[0])]
    assert all(align(TEXT, part, language="en").left_in_right < 0.7 for part in parts)


@pytest.mark.parametrize(
    ("code", "sentences"),
    [
        (
            "tr",
            ["Belediye eski barajı onaracak.", "Çatlaklar ilkbaharda bulundu.", "İşler ekimde."],
        ),
        ("zh", ["市政府将修复老水坝。", "工程师在检查中发现裂缝。", "工程将于十月开始。"]),
        ("ja", ["市は古いダムを修理する。", "技術者は亀裂を見つけた。", "工事は十月に始まる。"]),
        ("th", ["เทศบาลจะซ่อมแซมเขื่อนเก่าเหนือโรงสี", "วิศวกรพบรอยร้าวที่กำแพงด้านเหนือ"]),
    ],
)
def test_other_languages(code: str, sentences: list[str]) -> None:
    text = " ".join(sentences)
    found = align(text, f"{text} {' '.join(reversed(sentences))}", language=code)
    assert found.left_in_right == 1
    assert found.passages[0].left == Span(0, len(text))
    assert align(text, OTHER, language=code).left_in_right == 0


def test_a_batch_is_what_its_pairs_are_alone_whatever_the_threads() -> None:
    chance = random.Random(7)
    made = [" ".join(chance.choices([*RELEASE, *OTHER.split(". ")], k=9)) for _ in range(12)]
    pairs = [(left, right) for left in range(12) for right in range(12)]
    languages = ["en"] * 12
    together = align_all(made, pairs, languages=languages)
    assert together == align_all(made, pairs, languages=languages, threads=1)
    for (left, right), found in list(zip(pairs, together, strict=True))[::7]:
        assert found == align(made[left], made[right], language="en")


def test_long_and_repetitive_texts_stay_feasible() -> None:
    refrain = "The dam above the mill is old and will be repaired soon. " * 2000
    found = align(refrain, f"{OTHER} {refrain}", language="en")
    assert found.left_in_right == 1
    assert found.passages[0].left == Span(0, len(refrain) - 1)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"^seed must be a number from 0.05 to 1, got 2$"):
        AlignmentParameters(seed=2)
    with pytest.raises(ParameterError, match="at least one document on the right, got none"):
        align("A dam.", [])
    with pytest.raises(ParameterError, match="a document must be below 1, got 3"):
        align_all(["A dam."], [(0, 3)])
    with pytest.raises(ParameterError, match="boilerplate wants a flag for each of 1 sentences"):
        align_all(["A dam."], [(0, 0)], boilerplate=[[]])

"""Sentences that another document has are cut, whole, and only where the other one keeps them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.running import document
from twicetold.analysis import analyse
from twicetold.deduplicating import Deduplicated, Skipped, dedupe
from twicetold.deduplicating.cutting import Found, Piece, cut_pieces, without
from twicetold.records import Document, Span

MINE = "The mine near Osmarrow will close in May after eighty years of work under ground."
FERRY = "The ferry to the outer islands stays in its harbour until the storm has passed by."
OWN = [
    "A lighthouse keeper counts the ships that pass his window every single night.",
    "Bakers of the old town complain about flour that is dearer than ever before.",
    "Nobody has seen the brown bear that took eleven sheep from the upper pasture.",
    "The choir of the cathedral sings in the open because its roof is being mended.",
]
CUTTING = ("word-overlap", "qsign", "retelling")


def texts_of(found: Deduplicated) -> dict[str, str]:
    return {record["id"]: record["text"] for record in found.records()}


def words_of(text: str) -> set[str]:
    return {
        word.term for sentence in analyse(text, profile="plain", language="en") for word in sentence
    }


@pytest.mark.parametrize("method", CUTTING)
def test_a_sentence_that_came_before_is_cut(method: str) -> None:
    first = document("first", OWN[0], MINE, OWN[1])
    second = document("second", OWN[2], MINE, OWN[3])
    found = dedupe([first, second], method=method, passages=True, keep="first")
    assert texts_of(found) == {"first": first.text, "second": f"{OWN[2]}\n\n{OWN[3]}"}
    (short,) = found.shortened
    (cut,) = short.cuts
    assert (cut.witness, cut.share) == ("first", 1.0)
    assert first.text[cut.witness_span.start : cut.witness_span.end] == MINE
    assert MINE in second.text[cut.span.start : cut.span.end]


@pytest.mark.parametrize("method", CUTTING)
def test_a_document_of_which_nothing_is_left_goes(method: str) -> None:
    documents = [
        document("a", OWN[0], MINE, OWN[1]),
        document("b", OWN[2], FERRY, OWN[3]),
        document("both", MINE, FERRY),
    ]
    found = dedupe(documents, method=method, passages=True, keep="first", share=0.9)
    assert found.kept == ["a", "b"]
    (gone,) = found.dropped
    assert (gone.reason, gone.witness) == ("retold in parts", None)
    assert [cut.witness for cut in gone.cuts] == ["a", "b"]


def test_a_witness_is_never_shortened() -> None:
    documents = [
        document("first", OWN[0], MINE, OWN[1]),
        document("witness", OWN[2], MINE, OWN[3]),
        document("copy", OWN[2], MINE, OWN[3]),
    ]
    found = dedupe(documents, method="retelling", passages=True, keep="first")
    assert found.kept == ["first", "witness"]
    assert found.shortened == []


def test_short_rows_and_sentences_that_say_more_stay() -> None:
    first = document("first", OWN[0], MINE, OWN[1])
    longer = document("longer", OWN[2], MINE[:-1] + ", as its owner said to our paper by letter.")
    options: dict[str, Any] = {"method": "retelling", "keep": "first", "passages": True}
    assert dedupe([first, longer], **options).shortened == []
    assert len(dedupe([first, longer], passage_share=0.5, **options).shortened) == 1
    again = document("again", OWN[2], MINE, OWN[3])
    assert dedupe([first, again], passage_words=40, **options).shortened == []


def test_only_the_other_collection_is_a_witness_where_there_is_one() -> None:
    own = [document("x", OWN[0], MINE), document("y", OWN[1], MINE), document("z", OWN[2], FERRY)]
    other = [document("x", OWN[3], FERRY)]
    options: dict[str, Any] = {"method": "retelling", "passages": True, "keep": "first"}
    found = dedupe(own, against=other, **options)
    assert [short.id for short in found.shortened] == ["z"]
    both = dedupe(own, against=other, within=True, **options)
    assert [short.id for short in both.shortened] == ["y", "z"]


pool = st.sampled_from([MINE, FERRY, *OWN])
collections = st.lists(st.lists(pool, min_size=1, max_size=4, unique=True), min_size=2, max_size=6)


@given(collections, st.sampled_from(CUTTING), st.sampled_from(["first", "longest"]))
def test_what_is_cut_stands_in_a_document_that_is_written(
    given: list[list[str]], method: str, keep: Any
) -> None:
    documents = [document(f"d{n}", *sentences) for n, sentences in enumerate(given)]
    found = dedupe(documents, method=method, passages=True, keep=keep)
    written = texts_of(found)
    assert list(written) == found.kept
    texts = {one.id: one.text for one in documents}
    changed = [one for one in found.removals if not isinstance(one, Skipped)]
    for gone in changed:
        for cut in gone.cuts:
            own = words_of(texts[gone.id][cut.span.start : cut.span.end])
            assert len(own & words_of(written[cut.witness])) >= 0.9 * len(own)
    for one in found.dropped:
        if one.witness is not None and not one.cuts:
            assert written[one.witness] == texts[one.witness]
    # No sentence of a text is torn: what is left are sentences that were there.
    for name, text in written.items():
        assert set(text.split("\n\n")) <= set(texts[name].split("\n\n"))


def found_in(text: str) -> list[Found]:
    sentences = analyse(text, profile="plain", language="en")
    return [Found(one.span, tuple(word.term for word in one)) for one in sentences]


@pytest.mark.parametrize(
    ("text", "numbers", "left"),
    [
        ("One is. Two is. Three is.", [1], "One is. Three is."),
        ("One is. Two is. Three is.", [0], "Two is. Three is."),
        ("One is. Two is. Three is.", [2], "One is. Two is."),
        ("One is. Two is.\n\nThree is.", [1], "One is.\n\nThree is."),
        ("One is.\n\nTwo is. Three is.", [1], "One is.\n\nThree is."),
        ("One is.\n\nTwo is.\n\nThree is.", [1], "One is.\n\nThree is."),
        ("One is.\n\nTwo is. Three is.\n\nFour is.", [1, 2], "One is.\n\nFour is."),
        ("  One is.\nTwo is.\n", [0, 1], "  "),
    ],
)
def test_paragraphs_stay_paragraphs(text: str, numbers: list[int], left: str) -> None:
    own = found_in(text)
    # Each sentence with a witness of its own, as a mosaic has them.
    pieces = [Piece(n, n, n, Span(0, 1), 1.0) for n in numbers]
    assert without(text, cut_pieces(text, own, pieces)) == left


def test_text_of_scripts_without_spaces_is_cut_too() -> None:
    told = "市政府宣布,旧桥将于五月关闭,维修工程预计持续八个月。"
    first = Document(id="a", text=f"{told}\n\n今天天气很好,孩子们在公园里放风筝。", language="zh")
    second = Document(id="b", text=f"渔民们说今年的鱼比往年少得多。\n\n{told}", language="zh")
    found = dedupe(
        [first, second], method="retelling", passages=True, keep="first", passage_words=5
    )
    assert texts_of(found)["b"] == "渔民们说今年的鱼比往年少得多。"

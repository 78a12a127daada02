"""`compare`: documents side by side, by every method that has passages."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import hostile
from tests.cli.calling import NEWS
from tests.running import DAY, NOON, document
from twicetold.comparing import Comparison, compare, comparing_methods
from twicetold.comparing.sentences import analyse_sentences
from twicetold.documents.dates import parse_date
from twicetold.errors import ParameterError
from twicetold.explaining import explain
from twicetold.pipeline import DETECTORS, detector_class
from twicetold.records import Document
from twicetold.reports.comparison_words import summary
from twicetold.scanning import scan

METHODS = list(comparing_methods())

DAM = (
    "The old dam above the mill broke on Monday night after a week of rain.",
    "Ten people of the lower village are still missing, the mayor said.",
    "Engineers had warned of cracks in its northern wall for several years.",
    "The council wants to build a new one further up the valley by May.",
)
FAIR = (
    "Visitors of the autumn fair may park on the meadow behind the station.",
    "Trams run every six minutes until midnight, and tickets cost two crowns.",
    "A brass band from the coast opens the programme on Saturday at noon.",
)
ROADS = (
    "Drivers on the northern ring road must expect delays until the end of June.",
    "Workers renew the surface between the harbour tunnel and the glass factory.",
    "Cyclists are sent through the park, where new lamps were put up in March.",
)

every_method = pytest.mark.parametrize("method", METHODS)


def check(found: Comparison) -> None:
    """Whatever was compared, this holds."""
    sides = [found.left, *(part.right for part in found.parts)]
    for side in sides:
        text = side.document.text
        assert all(0 <= start < end <= len(text) for start, end in side.sentences)
        assert all(0 <= start < end <= len(text) for start, end in side.emphasised)
        assert list(side.emphasised) == sorted(side.emphasised)
        assert set(side.matched) <= set(range(len(side.sentences)))
    for part in found.parts:
        passages = part.pair.passages
        for passage in passages:
            assert 0 <= passage.left.start < passage.left.end <= len(found.left.document.text)
            assert 0 <= passage.right.start < passage.right.end <= len(part.right.document.text)
        for dot in part.dots:
            assert 0 <= dot.left < len(found.left.sentences)
            assert 0 <= dot.right < len(part.right.sentences)
            assert 0 < dot.score <= 1
            # Every dot is in a passage: it leads somewhere.
            left, right = found.left.sentences[dot.left], part.right.sentences[dot.right]
            assert any(p.left.start < left.end and left.start < p.left.end for p in passages)
            assert any(p.right.start < right.end and right.start < p.right.end for p in passages)
    for share in (found.pair.left_in_right, found.pair.right_in_left, found.pair.resemblance):
        assert 0 <= share <= 1
    json.dumps(found.to_json())


@every_method
def test_a_text_inside_another_is_contained(method: str) -> None:
    found = compare(document("a", *DAM), document("b", *FAIR, *DAM, *ROADS), method=method)
    check(found)
    assert found.pair.relation == "contained"
    assert found.pair.left_in_right == 1.0
    assert [(dot.left, dot.right) for dot in found.parts[0].dots] == [(n, n + 3) for n in range(4)]
    assert found.left.matched == (0, 1, 2, 3)
    (passage,) = found.pair.passages
    assert (passage.type, passage.score) == ("verbatim", 1.0)
    text = found.parts[0].right.document.text
    assert text[slice(*passage.right)] == found.left.document.text


@every_method
def test_identical_documents_are_one_passage(method: str) -> None:
    found = compare(document("a", *DAM), document("b", *DAM), method=method)
    check(found)
    assert found.pair.relation == "identical"
    assert len(found.pair.passages) == 1
    assert found.pair.odds == 100


@every_method
def test_nothing_in_common_is_nothing(method: str) -> None:
    found = compare(document("a", *DAM), document("b", *FAIR), method=method)
    check(found)
    assert (found.pair.relation, found.has_evidence) == ("overlap", False)
    assert found.pair.passages == ()
    assert found.left.emphasised == ()


@every_method
@pytest.mark.parametrize("texts", [("", ""), ("", DAM[0]), (DAM[0], ""), ("\0", " \n ")])
def test_empty_documents_are_compared(method: str, texts: tuple[str, str]) -> None:
    found = compare(
        *(Document(id=str(n), text=text) for n, text in enumerate(texts)), method=method
    )
    check(found)
    assert found.parts[0].dots == ()


@every_method
def test_several_on_the_right_are_taken_together(method: str) -> None:
    left = document("a", *DAM)
    parts = [document("b", *DAM[2:], *FAIR), document("c", *DAM[:2])]
    found = compare(left, parts, method=method)
    check(found)
    assert found.pair.left_in_right == 1.0
    assert found.pair.right == "b + c"
    assert [part.credited for part in found.parts] == [(2, 3), (0, 1)]
    assert [part.pair.left_in_right < 0.8 for part in found.parts] == [True, True]
    row = found.to_json()
    assert row["right"] == ["b", "c"]
    assert [passage["document"] for passage in row["passages"]] == ["c", "b"]
    assert [part["right"] for part in row["documents"]] == ["b", "c"]


def test_an_edited_sentence_has_its_common_words_emphasised() -> None:
    changed = DAM[0].replace("broke", "burst")
    found = compare(document("a", DAM[0]), document("b", changed))
    assert found.pair.passages
    text = found.left.document.text
    assert [text[slice(*run)] for run in found.left.emphasised] == [
        "The old dam above the mill",
        "on Monday night after a week of rain.",
    ]


def test_a_single_quoted_sentence_in_long_documents_is_shown() -> None:
    rng = random.Random(3)
    others = [
        [" ".join(f"{side}{rng.randrange(500)}" for _ in range(12)) + "." for _ in range(60)]
        for side in "lr"
    ]
    found = compare(
        document("a", *others[0], DAM[0], *others[0][:20]), document("b", *others[1], DAM[0])
    )
    check(found)
    assert [(p.left, p.type) for p in found.pair.passages] == [
        (found.left.sentences[60], "verbatim")
    ]
    assert [tuple(dot) for dot in found.parts[0].dots] == [(60, 60, 1.0)]


def test_a_passage_ends_where_the_match_ends() -> None:
    # What left says in a few sentences stands here and there in all of right.
    chance = random.Random(11)
    words = [
        f"{a}{b}{c}o" for a in "bdfglm" for b in "aeiu" for c in ("rn", "st", "lt", "mp", "nd")
    ]
    sentences = [f"{' '.join(chance.sample(words, 12)).capitalize()}." for _ in range(60)]
    summary = [" ".join(sentence.split()[:9]) + "." for sentence in sentences[3:60:9]]
    left, right = document("a", *FAIR, *summary, *ROADS), document("b", *sentences)
    found = compare(left, right, language="en")
    check(found)
    # Each sentence has a passage with the one that tells it, or with a few.
    assert len(found.pair.passages) >= len(summary)
    for passage in found.pair.passages:
        assert passage.right.end - passage.right.start < 0.1 * len(right.text)
        assert passage.score > 0.4
    (whole,) = compare(left, right, language="en", summary_words=50).pair.passages
    assert whole.right.end - whole.right.start > 0.9 * len(right.text)


@every_method
def test_a_sentence_repeated_without_end_costs_little(method: str) -> None:
    left, right = document("a", *[DAM[0]] * 3000), document("b", *[DAM[1], DAM[0]] * 1500)
    found = compare(left, right, method=method)
    assert len(found.left.sentences) == 3000
    assert len(found.left.matched) == 3000
    assert len(found.parts[0].dots) <= 32 * 32
    assert found.pair.left_in_right == 1.0


def test_the_lines_of_a_table_do_not_all_match_all() -> None:
    lines = [f"Item {n} costs the same four crowns on every market day." for n in range(300)]
    left, right = document("a", *lines), document("b", *lines[::-1], FAIR[0])
    found = compare(left, right, method="word-overlap", measure="plain")
    check(found)
    assert len(found.parts[0].dots) == 64 * 300
    assert len(found.left.matched) == len(found.parts[0].right.matched) == 300
    assert found.pair.left_in_right == 1.0
    # The best ones are among them.
    assert {(n, 299 - n) for n in range(300)} <= {dot[:2] for dot in found.parts[0].dots}


# Here `retelling` aligns the two, which a scan of many does not do.
@pytest.mark.parametrize("method", [n for n in METHODS if n in DETECTORS and n != "retelling"])
@pytest.mark.parametrize(
    "ids", [("wire-140", "gazette/tram-extension.html"), ("haber-06", "haber-08")]
)
def test_a_detector_says_what_a_scan_and_an_explanation_say(
    method: str, ids: tuple[str, str]
) -> None:
    found = compare(*ids, sources=NEWS, method=method)
    why = explain(*ids, sources=NEWS, method=method)
    assert (found.pair.relation, found.pair.left_in_right) == (why.relation, why.left.share)
    assert found.pair.right_in_left == why.right.share
    pairs = {(p.left, p.right): p for p in scan(NEWS, method=method, floor=0.0)}
    same = pairs[ids]
    assert found.pair.odds == same.odds
    assert found.pair.resemblance == same.resemblance


@pytest.mark.parametrize("method", DETECTORS)
def test_methods_that_compare_whole_documents_are_refused(method: str) -> None:
    if method in METHODS:
        assert method == "retelling" or detector_class(method).unit == "sentence"
        return
    with pytest.raises(
        ParameterError, match=f"{method} compares whole documents .* take retelling"
    ):
        compare(document("a", *DAM), document("b", *DAM), method=method)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "nobody"}, "no method 'nobody' to compare with; there are retelling, "),
        ({"method": "retelling", "depth": 3}, "retelling has no parameter 'depth'; it has "),
        ({"threshold": 2}, "threshold must be a number from 0 to 1, got 2"),
        ({"method": "qsign", "gap": 2}, "qsign has no parameter 'gap'"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        compare(document("a", *DAM), document("b", *DAM), **options)  # type: ignore[arg-type]


def test_a_right_side_without_documents_and_unknown_ids_are_refused() -> None:
    with pytest.raises(ParameterError, match="at least one document on the right"):
        compare(document("a", *DAM), [])
    with pytest.raises(ParameterError, match="no document with the id 'b'; give its sources"):
        compare(document("a", *DAM), "b")
    with pytest.raises(ParameterError, match="no document with the id 'b' in the sources"):
        compare(document("a", *DAM), "b", sources=NEWS)


@pytest.mark.parametrize(
    ("days", "earlier"),
    [
        ((0, [1, 2]), "left"),
        ((3, [1, 2]), "right"),
        ((1, [0, 2]), None),
        ((1, [1]), None),
        ((None, [1]), None),
        ((0, [1, None]), None),
    ],
)
def test_time_tells_which_side_is_earlier(
    days: tuple[int | None, list[int | None]], earlier: str | None
) -> None:
    dates = [None if day is None else NOON + day * DAY for day in (days[0], *days[1])]
    left, *right = (document(str(n), *DAM, published=date) for n, date in enumerate(dates))
    assert compare(left, right).earlier == earlier


@pytest.mark.parametrize(
    ("times", "earlier"),
    [
        (("2026-03-01", "2026-03-01T09:00Z"), None),
        (("2026-03-01T09:00Z", "2026-03-01"), None),
        (("2026-03-01", "2026-03-02T09:00Z"), "left"),
        (("2026-03-02T09:00Z", "2026-03-01", "2026-03-01T09:00Z"), "right"),
    ],
)
def test_a_day_and_an_hour_of_it_do_not_tell_24(
    times: tuple[str, ...], earlier: str | None
) -> None:
    left, *right = (
        document(str(n), *DAM, published=parse_date(time)) for n, time in enumerate(times)
    )
    found = compare(left, right, decision="own")
    assert (found.earlier, found.to_json()["earlier"]) == (earlier, earlier)
    said = {None: "", "left": "; 0 is earlier", "right": "; the 2 others together are earlier"}
    assert summary(found)[0].partition("sentences")[2] == said[earlier]


def test_threads_and_order_of_the_right_change_nothing() -> None:
    left, parts = document("a", *DAM), [document("b", *DAM[2:]), document("c", *DAM[:3], *FAIR)]
    found = compare(left, parts, threads=1)
    assert found == compare(left, parts, threads=3)
    turned = compare(left, parts[::-1])
    assert turned.pair.left_in_right == found.pair.left_in_right
    assert turned.parts[0].dots == found.parts[1].dots


@every_method
@given(st.integers(0, 2**32))
def test_hostile_texts_are_compared(method: str, seed: int) -> None:
    rng = random.Random(seed)
    one, two = hostile.text(rng), hostile.text(rng)
    texts = [one, one + two, two.swapcase(), two + " " + one][: rng.randrange(2, 5)]
    texts = [text.encode(errors="replace").decode()[:3000] for text in texts]
    left, *right = (Document(id=str(n), text=text) for n, text in enumerate(texts))
    check(compare(left, right, method=method))


def test_sentences_are_the_same_for_every_profile() -> None:
    # Numbers of sentences are compared across analyses.
    sentences = analyse_sentences(list(hostile.SEEDS), [None] * len(hostile.SEEDS))
    for n, text in enumerate(hostile.SEEDS):
        for span, plain in zip(sentences.spans[n], sentences.plain[n], strict=True):
            assert " ".join(text[slice(*span)].split()) == plain


def test_the_same_short_text_matches_sentence_by_sentence() -> None:
    """A sentence of one word is looked for nowhere else, but here it is the whole text."""
    found = compare(document("a", "Hello. Goodbye."), document("b", "Hello. Goodbye."))
    assert found.pair.relation == "identical"
    assert [(dot.left, dot.right) for dot in found.parts[0].dots] == [(0, 0), (1, 1)]
    assert (found.left.matched, len(found.left.sentences)) == ((0, 1), 2)


def test_a_text_without_full_stops_quotes_nothing() -> None:
    """It is one sentence, and has half the words of any other somewhere."""
    chance = random.Random(5)
    words = " ".join(DAM + FAIR + ROADS).replace(".", "").replace(",", "").split()
    stream = " ".join(chance.choices(words, k=4000))
    pages = " ".join(f"Page {n} of the album shows nothing but the sea." for n in range(40))
    found = compare(document("quote", DAM[0]), document("long", f"{pages}\n\n{stream}"))
    assert found.pair.passages == ()
    assert found.parts[0].dots == ()

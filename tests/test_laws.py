"""What holds for every detector, and what holds for those with a property.

A row in ``DETECTORS`` is enough for a new detector to be checked. A law that only makes sense for
some names the property it needs, and runs on all detectors that have it.
"""

from __future__ import annotations

import copy
import dataclasses
import itertools
import pickle
import random
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import strategies as st

from tests import strategies
from tests.reference import Told
from tests.running import PLAIN, by_ids, rows, run, share, text_of
from tests.subjects import SUBJECTS, TALLY, Subject, Tally, law
from twicetold.correlations import Correlations
from twicetold.detectors.fuzzy_set import FuzzySet
from twicetold.pairs import Pairs
from twicetold.records import RELATIONS, Document, Pair
from twicetold.statistics import Statistics

FREQUENCIES = {"ant": 1, "bee": 7, "cat": 7, "dog": 40, "elk": 99, "a": 3, "the": 99, "was": 80}
#: Fixed weights, so that adding a document changes nothing for the others.
STATISTICS = Statistics.from_terms(
    PLAIN,
    100,
    {
        "ant": 1,
        "bee": 7,
        "cat": 7,
        "dog": 40,
        "elk": 99,
        "fox": 3,
        "hen": 20,
        "the": 100,
        "was": 80,
    },
    grams={"antb": 2, "beec": 30, "catd": 30, "dogb": 1, "kant": 99},
)
for each in SUBJECTS:
    if isinstance(detector := each.detector(), FuzzySet):
        pairs = [("ant", "bee", 0.3), ("bee", "cat", 0.9), ("cat", "dog", 0.6)]
        STATISTICS.pin_correlations(detector.correlation_form, Correlations.from_pairs(pairs))


def scan(subject: Subject, documents: Iterable[Document], **more: Any) -> Pairs:
    """Return all pairs that share anything; with ``floor=None`` those that the detector takes."""
    parameters = more.pop("parameters", {})
    pairs = run(documents, subject.detector(**parameters), **{"floor": 0.0, **more})
    TALLY.note(pairs)
    return pairs


def as_document(name: str, sentences: Iterable[tuple[str, ...]]) -> Document:
    return Document(id=name, text=text_of(sentences), language="en")


def contained(subject: Subject, part: strategies.Sentences, whole: strategies.Sentences) -> float:
    """Return how much of a part is in a whole, with weights that stay."""
    # The stars are no sentence: they only make two texts of what may be the same sentences.
    other = Document(id="whole", text=f"{text_of(whole)}\n\n***", language="en")
    pairs = scan(subject, [as_document("part", part), other], statistics=STATISTICS)
    return share(pairs, "part", "whole")


def symmetric(pairs: Iterable[Pair]) -> dict[frozenset[str], tuple[Any, ...]]:
    """Return what a pair says, whichever of its documents is on the left."""
    found = {}
    for pair in pairs:
        shares = {pair.left: pair.left_in_right, pair.right: pair.right_in_left}
        found[frozenset(shares)] = (shares, pair.resemblance, pair.odds, pair.score)
    return found


# What holds for every detector.


@law(needs_parts=False, document=strategies.sources | strategies.documents.filter(bool))
def test_a_document_contains_itself(subject: Subject, document: strategies.Sentences) -> None:
    (pair,) = scan(subject, [as_document("a", document), as_document("b", document)])
    assert (pair.left_in_right, pair.right_in_left, pair.resemblance) == (1.0, 1.0, 1.0)
    assert (pair.relation, pair.odds) == ("identical", 100.0)


@law(lambda subject: subject.keeps_some_of_every_text)
def test_a_copy_with_other_punctuation_is_a_near_duplicate(subject: Subject) -> None:
    one = Document(id="a", text="Ant bee cat dog! Elk ant bee cat?", language="en")
    other = Document(id="b", text="ant, bee cat -- dog.\n\nelk; ANT bee cat", language="en")
    (pair,) = scan(subject, [one, other])
    assert (pair.relation, pair.left_in_right, pair.right_in_left) == ("near-duplicate", 1.0, 1.0)


@law(
    needs_parts=False,
    empty=st.sampled_from(["", " \n\n ", "...", "*** --- ***", "\x00\ufeff\u200b"]),
)
def test_an_empty_text_is_in_nothing_and_holds_nothing(subject: Subject, empty: str) -> None:
    documents = [
        Document(id="empty", text=empty),
        Document(id="full", text="ant bee cat", language="en"),
        Document(id="same", text=empty),
    ]
    (pair,) = scan(subject, documents)
    assert (pair.left, pair.right, pair.relation) == ("empty", "same", "identical")
    assert list(scan(subject, documents[:2])) == []


@law()
def test_no_documents_have_no_pairs(subject: Subject) -> None:
    assert len(scan(subject, [])) == 0
    assert len(scan(subject, [as_document("a", [("ant",)])])) == 0


@law(told=strategies.edited(), shuffle=st.randoms(use_true_random=False))
def test_the_order_of_documents_is_irrelevant(
    subject: Subject, told: list[Told], shuffle: random.Random
) -> None:
    documents = strategies.as_documents(told)
    expected = rows(scan(subject, documents))
    shuffle.shuffle(documents)
    assert rows(scan(subject, documents)) == expected


@law(told=strategies.edited(), shuffle=st.randoms(use_true_random=False))
def test_the_names_of_documents_are_irrelevant(
    subject: Subject, told: list[Told], shuffle: random.Random
) -> None:
    documents = strategies.as_documents(told)
    names = [document.id for document in documents]
    shuffle.shuffle(names)
    new = dict(zip([document.id for document in documents], names, strict=True))
    renamed = [dataclasses.replace(document, id=new[document.id]) for document in documents]
    expected = {
        frozenset(new[name] for name in ids): (
            {new[name]: value for name, value in shares.items()},
            *rest,
        )
        for ids, (shares, *rest) in symmetric(scan(subject, documents, all_pairs=True)).items()
    }
    assert symmetric(scan(subject, renamed, all_pairs=True)) == expected


@law(told=strategies.edited(), copies=st.sampled_from([copy.copy, copy.deepcopy, None]))
def test_a_pickled_detector_finds_the_same(
    subject: Subject, told: list[Told], copies: Callable[[Any], Any] | None
) -> None:
    detector = subject.detector()
    again = pickle.loads(pickle.dumps(detector)) if copies is None else copies(detector)
    assert again == detector
    assert hash(again) == hash(detector)
    documents = strategies.as_documents(told)
    expected = rows(scan(subject, documents))
    assert rows(run(documents, again, floor=0.0)) == expected
    assert rows(run(documents, detector, floor=0.0)) == expected


@law(told=strategies.edited())
def test_scores_are_in_their_ranges_and_agree(subject: Subject, told: list[Told]) -> None:
    for pair in scan(subject, strategies.as_documents(told), all_pairs=True):
        assert pair.left_in_right >= 0 <= pair.right_in_left
        assert 0 <= pair.resemblance <= 1
        assert 0 <= pair.odds <= 100
        assert pair.score == max(pair.left_in_right, pair.right_in_left)
        assert pair.relation in RELATIONS


@law(
    lambda subject: subject.finds_less_with_a_threshold,
    told=strategies.edited(),
    thresholds=st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted),
)
def test_a_higher_threshold_only_takes_away(
    subject: Subject, told: list[Told], thresholds: list[float]
) -> None:
    documents = strategies.as_documents(told)
    low, high = (
        by_ids(scan(subject, documents, floor=None, parameters={"threshold": threshold}))
        for threshold in thresholds
    )
    assert set(high) <= set(low)
    for ids, pair in high.items():
        shares = (pair.left_in_right, pair.right_in_left, pair.resemblance)
        assert shares == (low[ids].left_in_right, low[ids].right_in_left, low[ids].resemblance)
        directions: dict[str, set[str]] = {
            "overlap": set(RELATIONS),
            "contained": {"contained", "near-duplicate"},
            "contains": {"contains", "near-duplicate"},
        }
        assert low[ids].relation in directions.get(pair.relation, {pair.relation})


@law(told=strategies.edited(), floors=st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted))
def test_a_lower_floor_only_adds_overlaps(
    subject: Subject, told: list[Told], floors: list[float]
) -> None:
    documents = strategies.as_documents(told)
    low, high = (by_ids(scan(subject, documents, floor=floor)) for floor in floors)
    without = by_ids(scan(subject, documents, floor=None))
    assert without.items() <= high.items() <= low.items()
    added = {ids: pair for ids, pair in low.items() if ids not in without}
    assert all(pair.relation == "overlap" for pair in added.values())
    assert all(pair.score >= floors[0] for pair in added.values())


@law(told=strategies.edited(), all_pairs=st.booleans())
def test_every_pair_comes_once_and_never_a_document_with_itself(
    subject: Subject, told: list[Told], all_pairs: bool
) -> None:
    found = by_ids(scan(subject, strategies.as_documents(told), all_pairs=all_pairs))
    assert all(left != right for left, right in found)


@law(told=strategies.edited())
def test_left_is_earlier_or_has_the_smaller_id(subject: Subject, told: list[Told]) -> None:
    times = {document.id: document.published for document in told}
    for pair in scan(subject, strategies.as_documents(told), all_pairs=True):
        left, right = times[pair.left], times[pair.right]
        if left is not None and right is not None:
            assert (left, pair.left) < (right, pair.right)
        else:
            assert pair.left < pair.right


@law(told=strategies.edited(), days=st.integers(0, 21), all_pairs=st.booleans())
def test_no_pair_is_outside_the_window(
    subject: Subject, told: list[Told], days: int, all_pairs: bool
) -> None:
    times = {document.id: document.published for document in told}
    window = timedelta(days=days)
    documents = strategies.as_documents(told)
    for pair in scan(subject, documents, window=window, all_pairs=all_pairs):
        left, right = times[pair.left], times[pair.right]
        assert left is None or right is None or right - left <= window


@law(told=strategies.edited(), days=st.integers(0, 21))
def test_the_window_takes_away_what_is_outside_and_nothing_else(
    subject: Subject, told: list[Told], days: int
) -> None:
    times = {document.id: document.published for document in told}
    documents = strategies.as_documents(told)

    def is_near(row: dict[str, Any]) -> bool:
        left, right = times[row["left"]], times[row["right"]]
        return left is None or right is None or right - left <= timedelta(days=days)

    everything = rows(scan(subject, documents, all_pairs=True))
    found = rows(scan(subject, documents, all_pairs=True, window=timedelta(days=days)))
    assert found == [row for row in everything if is_near(row)]


@law(told=strategies.edited(), all_pairs=st.booleans())
def test_a_window_of_all_time_is_no_window(
    subject: Subject, told: list[Told], all_pairs: bool
) -> None:
    documents = strategies.as_documents(told)
    expected = rows(scan(subject, documents, all_pairs=all_pairs))
    for window in (timedelta.max, timedelta(days=20)):
        assert rows(scan(subject, documents, all_pairs=all_pairs, window=window)) == expected


@law(told=strategies.edited())
def test_each_with_the_earliest_is_among_all_pairs_and_reaches_as_many_documents(
    subject: Subject, told: list[Told]
) -> None:
    documents = strategies.as_documents(told)
    few, all_of_them = (
        rows(scan(subject, documents, all_pairs=all_pairs)) for all_pairs in (False, True)
    )
    assert all(row in all_of_them for row in few)

    def told_of(found: list[dict[str, Any]]) -> set[str]:
        return {row[side] for row in found for side in ("left", "right")}

    assert told_of(few) == told_of(all_of_them)


@law(told=strategies.edited(), keep=st.sets(st.sampled_from("abcdefgh"), min_size=2))
def test_with_fixed_statistics_other_documents_are_irrelevant(
    subject: Subject, told: list[Told], keep: set[str]
) -> None:
    documents = strategies.as_documents(told)
    some = [document for document in documents if document.id in keep]
    everything = rows(scan(subject, documents, statistics=STATISTICS, all_pairs=True))
    found = rows(scan(subject, some, statistics=STATISTICS, all_pairs=True))
    assert found == [row for row in everything if {row["left"], row["right"]} <= keep]


# What holds for detectors with a property.


@law(lambda subject: subject.shares_at_most_all, told=strategies.edited())
def test_nothing_shares_more_than_all_of_itself(subject: Subject, told: list[Told]) -> None:
    for pair in scan(subject, strategies.as_documents(told), all_pairs=True):
        assert pair.score <= 1
        # Of all sentences of both, those that match cannot be a larger share than in either.
        shares = (pair.left_in_right, pair.right_in_left)
        assert pair.resemblance <= (max if subject.compares_sentences else min)(shares) + 1e-12


@law(lambda subject: subject.asks_for_more_than_the_threshold)
def test_the_threshold_must_be_exceeded(subject: Subject) -> None:
    documents = [
        as_document("a", [("ant", "bee")]),
        as_document("b", [("ant", "bee"), ("cat", "elk")]),
    ]
    relations = [
        [pair.relation for pair in run(documents, subject.detector(threshold=threshold))]
        for threshold in (0.999, 1.0)
    ]
    assert relations == [["contained"], []]


@law(
    lambda subject: subject.is_made_of_sentences,
    part=strategies.sources,
    more=strategies.more_sentences,
    shuffle=st.randoms(use_true_random=False),
)
def test_a_document_is_in_every_document_with_all_its_sentences(
    subject: Subject,
    part: strategies.Sentences,
    more: strategies.Sentences,
    shuffle: random.Random,
) -> None:
    whole = [*part, *more]
    shuffle.shuffle(whole)
    weighs = contained(subject, part, part) > 0
    assert contained(subject, part, tuple(whole)) == (1.0 if weighs else 0.0)


@law(
    lambda subject: subject.is_made_of_sentences,
    two=strategies.two_versions(),
    more=strategies.more_sentences | strategies.documents,
)
def test_more_sentences_in_the_container_never_lower_the_share(
    subject: Subject,
    two: tuple[strategies.Sentences, strategies.Sentences],
    more: strategies.Sentences,
) -> None:
    part, whole = two
    assert contained(subject, part, whole) <= contained(subject, part, (*whole, *more))


@law(
    lambda subject: subject.ignores_sentence_order,
    two=strategies.two_versions(),
    shuffle=st.randoms(use_true_random=False),
)
def test_the_order_and_repetition_of_sentences_are_irrelevant(
    subject: Subject,
    two: tuple[strategies.Sentences, strategies.Sentences],
    shuffle: random.Random,
) -> None:
    document, other = two
    changed = [*document, shuffle.choice(document)]
    shuffle.shuffle(changed)
    assert contained(subject, tuple(changed), document) == contained(subject, document, document)
    for here, there in ((document, other), (other, document)):
        new = [tuple(changed) if found is document else found for found in (here, there)]
        assert contained(subject, new[0], new[1]) == contained(subject, here, there)


@law(
    lambda subject: subject.words_of_a_run is not None,
    before=strategies.more_sentences | strategies.documents,
    part=strategies.sources,
    after=strategies.more_sentences,
)
def test_a_run_of_words_is_found_within_every_document(
    subject: Subject,
    before: strategies.Sentences,
    part: strategies.Sentences,
    after: strategies.Sentences,
) -> None:
    """A gram that two documents share is kept in both."""
    assert sum(map(len, part)) >= (subject.words_of_a_run or 0)
    weighs = contained(subject, part, part) > 0
    assert contained(subject, part, (*before, *part, *after)) == (1.0 if weighs else 0.0)


@law(
    lambda subject: subject.ignores_word_order,
    two=strategies.two_versions(),
    shuffle=st.randoms(use_true_random=False),
)
def test_the_order_of_words_is_irrelevant(
    subject: Subject,
    two: tuple[strategies.Sentences, strategies.Sentences],
    shuffle: random.Random,
) -> None:
    document, other = two
    changed = tuple(tuple(shuffle.sample(words, len(words))) for words in document)
    assert contained(subject, changed, document) == contained(subject, document, document)
    assert contained(subject, changed, other) == contained(subject, document, other)
    assert contained(subject, other, changed) == contained(subject, other, document)


@law(
    lambda subject: subject.sees_first_words_only,
    two=strategies.two_versions(),
    word=strategies.words,
)
def test_only_the_first_words_matter(
    subject: Subject, two: tuple[strategies.Sentences, strategies.Sentences], word: str
) -> None:
    document, other = two
    changed = tuple((words[0], word, *words[2:]) for words in document)
    assert contained(subject, changed, other) == contained(subject, document, other)


@law(lambda subject: subject.shares_the_same_both_ways, told=strategies.edited())
def test_what_is_shared_is_the_same_seen_from_both_sides(
    subject: Subject, told: list[Told]
) -> None:
    """CS is symmetric: a direction comes from the denominator only."""
    distinct = {document.sentences: document for document in told}
    documents = strategies.as_documents(list(distinct.values()))
    pairs = list(scan(subject, documents, all_pairs=True))
    for one, other in itertools.combinations(pairs, 2):
        shares = [{p.left: p.left_in_right, p.right: p.right_in_left} for p in (one, other)]
        common = shares[0].keys() & shares[1].keys()
        if len(common) != 1:
            continue
        # Shared weights through the common document: CS(x, z) / CS(y, z) twice.
        (z,) = common
        x, y = ((set(s) - common).pop() for s in shares)
        third = next((p for p in pairs if {p.left, p.right} == {x, y}), None)
        if third is None:
            continue
        last = {third.left: third.left_in_right, third.right: third.right_in_left}
        left = shares[0][x] * last[y] * shares[1][z]
        right = shares[0][z] * last[x] * shares[1][y]
        assert left == pytest.approx(right, rel=1e-9)


def test_a_law_that_has_nothing_to_check_fails() -> None:
    tally = Tally()
    same = Pair("a", "b", "identical", 1.0, 1.0, 1.0, 100.0)
    for n in range(10):
        tally.begin()
        tally.note([same] if n else [dataclasses.replace(same, left_in_right=0.5)])
        tally.end()
    codet, imatch = (Subject(name, {}) for name in ("codet", "imatch"))
    tally.check(imatch)  # one fingerprint of a document: it is the same or another
    with pytest.raises(AssertionError, match="too few runs had anything to check"):
        tally.check(codet)

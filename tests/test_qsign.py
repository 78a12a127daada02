"""qSign: what is near by signatures, and that the exact modes miss nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.reference import Frequencies, Told
from tests.reference_sentences import expected_shares, overlap
from tests.running import PLAIN, analysed, document, rows, run
from twicetold import Statistics, _kernel, explain, scan, signatures
from twicetold.detectors.qsign import QSign
from twicetold.detectors.word_overlap import WordOverlap
from twicetold.errors import ParameterError

MEASURES = st.sampled_from(["plain", "selfnorm"])


def signature_of(*words: str, bits: int, bits_per_word: int) -> int:
    """Return the signature of a sentence of these words."""
    found = analysed([" ".join(words)])
    made = _kernel.sentence_features(
        found, Statistics(PLAIN).native, min_words=1, bits=bits, bits_per_word=bits_per_word
    )
    return int.from_bytes(made.unit_columns()[2], "little")


@given(
    told=strategies.told(),
    measure=MEASURES,
    min_overlap=st.sampled_from([0.25, 1 / 3, 0.5, 0.7, 1.0]),
    exact=st.sampled_from(
        [
            {"match": "words"},
            {"match": "words", "bits": 8, "bits_per_word": 2, "block_words": 2},
            {"match": "and", "bits": 32, "bits_per_word": 2},
            {"match": "hamming", "radius": "fixed", "distance": 64, "bits": 64},
        ]
    ),
)
def test_what_is_guaranteed_is_all_of_the_word_overlap(
    told: list[Told], measure: Any, min_overlap: float, exact: dict[str, Any]
) -> None:
    documents = strategies.as_documents(told)
    common: dict[str, Any] = {"measure": measure, "min_overlap": min_overlap, "min_words": 2}
    asked: dict[str, Any] = {"floor": 0.0, "all_pairs": True}
    expected = rows(run(documents, WordOverlap(**common), **asked))
    assert rows(run(documents, QSign(**common, **exact), **asked)) == expected


@given(
    told=strategies.told(),
    distance=st.integers(0, 8),
    bits=st.sampled_from([8, 16]),
    match=st.sampled_from(["hamming", "and"]),
)
def test_pairs_are_those_of_signatures_compared_one_by_one(
    told: list[Told], distance: int, bits: int, match: Any
) -> None:
    frequencies = Frequencies.count(d.sentences for d in told)
    known: dict[frozenset[str], int] = {}

    def signed(words: frozenset[str]) -> int:
        if words not in known:
            known[words] = signature_of(*words, bits=bits, bits_per_word=2)
        return known[words]

    def matches(query: frozenset[str], stored: frozenset[str]) -> bool:
        q, r = signed(query), signed(stored)
        apart = (q ^ r if match == "hamming" else q & ~r).bit_count()
        return apart <= distance and overlap(query, stored, "plain", frequencies) >= 0.5 - 1e-9

    detectors = [
        QSign(
            match=match,
            radius="fixed",
            distance=distance,
            bits=bits,
            bits_per_word=2,
            search=search,
            measure="plain",
            min_words=1,
        )
        for search in (("multi-index", "scan", "table") if match == "hamming" else ("multi-index",))
    ]
    documents = strategies.as_documents(told)
    expected = expected_shares(told, matches, min_words=1)
    for detector in detectors:
        found = run(documents, detector, floor=0.0, all_pairs=True)
        shares = {
            (p.left, p.right): (p.left_in_right, p.right_in_left, p.resemblance) for p in found
        }
        assert shares == expected


@given(st.lists(strategies.words, min_size=1), st.lists(strategies.words))
def test_a_signature_has_the_bits_of_all_its_words(words: list[str], more: list[str]) -> None:
    part = signature_of(*words, bits=64, bits_per_word=3)
    whole = signature_of(*words, *more, bits=64, bits_per_word=3)
    assert part & whole == part
    changed = len(set(words) ^ set(words + more))
    assert (part ^ whole).bit_count() <= signatures.guaranteed_radius(64, 3, changed)


def test_a_longer_sentence_that_holds_the_query_is_outside_the_ball() -> None:
    """Found by the bitwise and, which the paper sets aside; not within any sensible distance."""
    short = document("short", "ant bee cat dog elk fox")
    long = document("long", "ant bee cat dog elk fox " + " ".join(f"w{n}" for n in range(30)))
    near: dict[str, Any] = {"bits": 64, "bits_per_word": 2, "measure": "plain"}
    hamming = QSign(match="hamming", radius="fixed", distance=5, **near)
    assert list(run([short, long], hamming)) == []
    for detector in (QSign(match="and", radius="fixed", distance=0, **near), QSign(**near)):
        (pair,) = run([short, long], detector)
        assert (pair.relation, pair.right_in_left) == ("contains", 1.0)


def test_candidates_grow_with_the_distance() -> None:
    texts = [f"ant bee cat w{n} w{n % 7} w{n % 3}" for n in range(60)]
    documents = [document(f"{n:02}", text) for n, text in enumerate(texts)]
    compared = [
        run(
            documents, QSign(match="hamming", radius="fixed", distance=d, bits=32), floor=0.0
        ).manifest.counts["similarities computed"]
        for d in range(0, 33, 4)
    ]
    assert compared == sorted(compared)
    distinct = len({frozenset(text.split()) for text in texts})
    assert compared[-1] == distinct * (distinct - 1)


@pytest.mark.parametrize("changed", [0, 1, 2, 3])
def test_the_guarantee_misses_no_sentence_with_so_many_words_changed(changed: int) -> None:
    words = [f"w{n}" for n in range(9)]
    sources = [document(f"a{n}", " ".join(f"{w}x{n}" for w in words)) for n in range(40)]
    copies = [
        document(f"b{n}", " ".join([f"{w}x{n}" for w in words[changed:]]))
        for n in range(len(sources))
    ]
    detector = QSign(
        match="hamming", bits=32, bits_per_word=2, changed_words=changed, measure="plain"
    )
    found = {(p.left, p.right) for p in run([*sources, *copies], detector)}
    assert {(f"a{n}", f"b{n}") for n in range(len(sources))} <= found


def test_the_binomial_law_is_off_where_the_exact_one_is_not() -> None:
    """Three words more than seven: simulated .002 .030 .164 .460 .790 .967."""
    laws: dict[signatures.Law, list[float]] = {
        "binomial": [0.023, 0.115, 0.294, 0.517, 0.720, 0.862],
        "exact": [0.002, 0.031, 0.165, 0.461, 0.790, 0.965],
    }
    for law, expected in laws.items():
        found = [signatures.within_probability(32, 2, 7, 3, d, law=law) for d in range(6)]
        assert found == pytest.approx(expected, abs=5.01e-4)


def test_fewer_bits_for_a_word_do_not_make_misses_rarer() -> None:
    """What the paper says of small l holds only where there are bits without end."""
    known = {1: 0.366, 2: 0.194, 3: 0.175, 4: 0.209, 5: 0.279, 10: 0.802}
    found = {bits: signatures.within_probability(32, bits, 10, 3, 1) for bits in known}
    assert found == pytest.approx(known, abs=5.01e-4)


def test_bits_per_word_follow_from_the_vocabulary() -> None:
    detector = QSign(bits=32, bits_per_word=None, match="hamming")
    for n_words, expected in ((496, 2), (497, 3), (4_961, 4)):
        statistics = Statistics.from_terms(PLAIN, 10, {f"w{n}": 1 for n in range(n_words)})
        assert detector.with_statistics(statistics).bits_per_word == expected
        made = detector.features(analysed(["ant bee cat"]), statistics)
        signature = int.from_bytes(made.unit_columns()[2], "little")
        assert expected <= signature.bit_count() <= 3 * expected
    assert QSign().with_statistics(statistics) == QSign()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"bits": 257}, "bits must be a whole number from 1 to 256, got 257"),
        ({"bits": 2}, "bits_per_word must not exceed bits (2), got 4"),
        ({"search": "scan"}, "search='scan' is for match='hamming', got match='words'"),
        (
            {"search": "table", "match": "hamming"},
            "search='table' is for at most 16 bits, got bits=256",
        ),
        ({"match": "or"}, "match must be words or and or hamming, got 'or'"),
        ({"false_hits": 2}, "false_hits must be a number from 0 to 1, got 2"),
    ],
)
def test_what_makes_no_sense_is_refused(values: dict[str, Any], expected: str) -> None:
    with pytest.raises(ParameterError) as error:
        QSign(**values)
    assert str(error.value) == expected


def test_the_kernel_refuses_what_it_does_not_know() -> None:
    common: dict[str, Any] = {"measure": "plain", "threshold": 0.5, "bits": 64, "bits_per_word": 2}
    for wrong in (
        {"index": "tree", "radius": "fixed"},
        {"index": "table", "radius": "fixed"},
        {"index": "scan", "radius": "poisson"},
        {"index": "scan", "radius": "fixed", "measure": "cosine"},
        {"index": "scan", "radius": "fixed", "bits_per_word": 65},
    ):
        with pytest.raises(ParameterError):
            _kernel.Verification.signature(**{**common, **wrong})


def test_an_explanation_has_the_shares_of_the_scan() -> None:
    documents = [
        document("a", "ant bee cat dog", "elk fox gnu hen"),
        document("b", "ant bee cat hen", "one two three"),
    ]
    (pair,) = scan(documents, method="qsign", measure="plain", profile="plain", floor=0.0)
    found = explain("a", "b", sources=documents, method="qsign", measure="plain", profile="plain")
    assert (found.left.share, found.right.share) == (pair.left_in_right, pair.right_in_left)
    assert json.dumps(found.to_json())
    assert [t.label for t in QSign().trace(analysed(["b a c"]), 0, Statistics(PLAIN))] == [*"abc"]

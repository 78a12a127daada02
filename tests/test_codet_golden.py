"""The numbers of CoDet's figure 1 and of the examples in its text, recomputed by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.running import (
    PLAIN,
    analysed,
    counted,
    documents_of,
    run,
    share,
    similarities,
)
from twicetold import _kernel
from twicetold.detectors.codet import CoDet
from twicetold.statistics import Statistics, idf_weight

A = "NASDAQ starts day with an increase. Shares gain 2%."
B = "NASDAQ starts day with a decrease. Shares lose 2%."
C = "Shares lose 2%."
FIGURE = (A, B, C)
CAPTION = (A, "NASDAQ starts the day with a decrease. Shares lose 2%.", C)

LITERAL: dict[str, Any] = {"word_sorting": False, "depth": None}
BASES = {"ln": math.e, "log10": 10.0, "log2": 2.0}

STARTS = {"ln": 2.810930, "log10": 2.352183, "log2": 3.169925}

# base: CS(A,B), CS(A,C), CS(B,C), SCS(A), SCS(B), SCS(C)
FIGURE_BY_BASE = {
    "ln": (15.054651, 1.000000, 6.810930, 45.336611, 43.950316, 6.810930),
    "log10": (12.760913, 1.000000, 6.352183, 34.963489, 34.361429, 6.352183),
    "log2": (16.849625, 1.000000, 7.169925, 53.454138, 51.454138, 7.169925),
}

# parameters, nodes after A, B and C, then the same six quantities
FIGURE_BY_SETTING: list[tuple[dict[str, Any], tuple[int, ...], tuple[float, ...]]] = [
    (
        {"word_sorting": False, "depth": None},
        (9, 13, 13),
        (15.054651, 1, 6.810930, 45.336611, 43.950316, 6.810930),
    ),
    (
        {"word_sorting": True, "depth": None},
        (9, 18, 18),
        (0, 0, 6.405465, 38.692821, 37.999674, 6.405465),
    ),
    (
        {"word_sorting": True, "depth": 5},
        (8, 16, 16),
        (0, 0, 6.405465, 30.260030, 29.566883, 6.405465),
    ),
    (
        {"word_sorting": True, "depth": 3},
        (6, 12, 12),
        (0, 0, 6.405465, 17.610844, 16.917697, 6.405465),
    ),
    (
        {"word_sorting": False, "depth": 3},
        (6, 8, 8),
        (9.432791, 1, 6.810930, 16.630015, 15.243721, 6.810930),
    ),
    (
        {"word_sorting": False, "depth": None, "suffixes": 3},
        (21, 31, 31),
        (28.703837, 2, 11.216395, 96.662206, 94.582764, 11.216395),
    ),
    (
        {"word_sorting": True, "depth": 5, "suffixes": 2},
        (15, 28, 28),
        (3, 3, 9.405465, 55.035154, 54.342007, 9.405465),
    ),
]

SHARES = {
    ("A", "B"): 0.332064,
    ("B", "A"): 0.342538,
    ("A", "C"): 0.022057,
    ("C", "A"): 0.146823,
    ("B", "C"): 0.154969,
    ("C", "B"): 1.000000,
}


def quantities(texts: tuple[str, ...], **parameters: Any) -> tuple[float, ...]:
    found = similarities(texts, **parameters)
    shared = (found.cs.get(pair, 0.0) for pair in ((0, 1), (0, 2), (1, 2)))
    alone = similarities([*texts, "\n\n".join(texts)], counted(analysed(texts)), **parameters)
    return (*shared, *(alone.scs[n] for n in range(3)))


def paths(text: str, **parameters: Any) -> list[list[str]]:
    """Return the whole sequences that a text puts into the tree of the figure."""
    found = _kernel.path_trace(
        analysed([text]), 0, counted(analysed(FIGURE)).native, CoDet(**parameters).options()
    )
    terms = [terms for _, terms, _, _ in found]
    return [
        path for path, longer in zip(terms, [*terms[1:], []], strict=True) if path != longer[:-1]
    ]


@pytest.mark.parametrize("base", BASES)
def test_the_weight_of_starts_is_the_one_printed(base: str) -> None:
    assert 2 * idf_weight(3, 2, base=BASES[base]) == pytest.approx(STARTS[base], abs=5e-7)
    parameters = {**LITERAL, "log_base": BASES[base]}
    traced = _kernel.path_trace(
        analysed(FIGURE), 0, counted(analysed(FIGURE)).native, CoDet(**parameters).options()
    )
    (weight,) = (weight for _, terms, _, weight in traced if terms == ["nasdaq", "starts"])
    assert weight == pytest.approx(STARTS[base], abs=5e-7)


@pytest.mark.parametrize("mode", ["set", "bag"])
@pytest.mark.parametrize("base", BASES)
def test_figure_1_in_every_base(base: str, mode: str) -> None:
    found = quantities(FIGURE, **LITERAL, log_base=BASES[base], mode=mode)
    assert found == pytest.approx(FIGURE_BY_BASE[base], abs=5e-7)


@pytest.mark.parametrize("mode", ["set", "bag"])
@pytest.mark.parametrize(("parameters", "nodes", "expected"), FIGURE_BY_SETTING, ids=str)
def test_figure_1_in_every_setting(
    parameters: dict[str, Any], nodes: tuple[int, ...], expected: tuple[float, ...], mode: str
) -> None:
    found = similarities(FIGURE, counted(analysed(FIGURE)), **parameters, mode=mode)
    assert tuple(found.n_nodes) == nodes
    assert quantities(FIGURE, **parameters, mode=mode) == pytest.approx(expected, abs=5e-7)


def test_the_shares_of_figure_1_come_out_of_a_scan() -> None:
    documents = documents_of({"A": A, "B": B, "C": C})
    pairs = run(documents, CoDet(**LITERAL), floor=0.0)
    found = {ids: share(pairs, *ids) for ids in SHARES}
    assert found == pytest.approx(SHARES, abs=5e-7)
    assert share(pairs, "C", "B") == 1.0
    relations = {(pair.left, pair.right): pair.relation for pair in pairs}
    assert relations == {("A", "B"): "overlap", ("A", "C"): "overlap", ("B", "C"): "contains"}


#: Every node of the tree of figure 1, and whose documents are in its list.
LISTS = {
    "nasdaq": "AB",
    "nasdaq starts": "AB",
    "nasdaq starts day": "AB",
    "nasdaq starts day with": "AB",
    "nasdaq starts day with an": "A",
    "nasdaq starts day with an increase": "A",
    "nasdaq starts day with a": "B",
    "nasdaq starts day with a decrease": "B",
    "shares": "ABC",
    "shares gain": "A",
    "shares gain 2": "A",
    "shares lose": "BC",
    "shares lose 2": "BC",
}


def test_the_lists_of_the_nodes_of_figure_1() -> None:
    found: dict[str, str] = {}
    texts, options = analysed(FIGURE), CoDet(**LITERAL).options()
    for n, name in enumerate("ABC"):
        traced = _kernel.path_trace(texts, n, counted(texts).native, options)
        for path in {" ".join(terms) for _, terms, _, _ in traced}:
            found[path] = found.get(path, "") + name
    assert found == LISTS


def test_each_document_of_figure_1_meets_those_before_it() -> None:
    documents = documents_of({"A": A, "B": B, "C": C})
    met = [len(run(documents[:n], CoDet(**LITERAL), floor=0.0)) for n in range(1, 4)]
    assert met == [0, 0 + 1, 0 + 1 + 2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (A, ["an increase day nasdaq starts with", "gain 2 shares"]),
        (B, ["a decrease day nasdaq starts with", "lose 2 shares"]),
        (C, ["lose 2 shares"]),
    ],
)
def test_word_sorting_puts_rare_words_first_and_equally_rare_ones_by_name(
    text: str, expected: list[str]
) -> None:
    assert paths(text, depth=None) == [line.split() for line in expected]


def test_three_suffixes_of_the_first_sentence() -> None:
    first = "NASDAQ starts day with an increase."
    assert paths(first, **LITERAL, suffixes=3) == [
        ["nasdaq", "starts", "day", "with", "an", "increase"],
        ["starts", "day", "with", "an", "increase"],
        ["day", "with", "an", "increase"],
    ]


def test_three_words_of_the_first_sentence() -> None:
    first = "NASDAQ starts day with an increase."
    assert paths(first, word_sorting=False, depth=3) == [["nasdaq", "starts", "day"]]


def test_suffixes_are_taken_after_sorting_and_before_cutting() -> None:
    sentence = "NASDAQ starts day with an increase."
    assert paths(sentence, depth=3, suffixes=2) == [
        ["an", "increase", "day"],
        ["increase", "day", "nasdaq"],
    ]


def test_the_caption_of_figure_1_shares_fewer_nodes() -> None:
    statistics = counted(analysed(CAPTION))
    assert similarities(CAPTION, statistics, **LITERAL).n_nodes == [9, 16, 16]
    assert quantities(CAPTION, **LITERAL)[0] == pytest.approx(5.216395, abs=5e-7)


@pytest.mark.parametrize(
    ("mode", "cs", "scs_q", "scs_r", "q_in_r", "r_in_q"),
    [("set", 5, 5, 9, 1.0, 5 / 9), ("bag", 11, 5, 29, 2.2, 11 / 29)],
)
def test_multiplicity_counts_in_bag_mode_only(
    mode: str, cs: float, scs_q: float, scs_r: float, q_in_r: float, r_in_q: float
) -> None:
    # Base 2 and two documents: df 2 weighs log2(2/2) + 1 = 1, df 1 weighs 2.
    statistics = Statistics.from_terms(PLAIN, 2, {"x": 2, "y": 1, "z": 1})
    texts = {"q": "x y", "r": "x y\n\nx y\n\nx z"}
    parameters: dict[str, Any] = {"word_sorting": False, "log_base": 2.0, "mode": mode}
    found = similarities(list(texts.values()), statistics, **parameters)
    assert (found.cs[0, 1], found.scs[0], found.scs[1]) == (cs, scs_q, scs_r)
    pairs = run(documents_of(texts), CoDet(**parameters), statistics=statistics)
    assert share(pairs, "q", "r") == pytest.approx(q_in_r, abs=1e-12)
    assert share(pairs, "r", "q") == pytest.approx(r_in_q, abs=1e-12)


def test_the_share_must_exceed_the_threshold_unless_reaching_it_is_enough() -> None:
    # Half of the weight of "a" is shared: 1 + 2 of 1 + 2 + 3, all words equally rare.
    documents = documents_of({"a": "one two three", "b": "one two four five six seven"})
    statistics = Statistics.from_terms(PLAIN, 3, {})
    for comparison, found in (("above", []), ("at-least", ["contained"])):
        detector = CoDet(word_sorting=False, comparison=comparison, threshold=0.5)  # type: ignore[arg-type]
        pairs = run(documents, detector, statistics=statistics)
        assert [pair.relation for pair in pairs] == found


# What the paper leaves open, as resolved.


def test_a_word_that_comes_again_counts_once_in_a_sorted_sentence_and_again_in_a_literal_one() -> (
    None
):
    assert paths("lose shares lose shares lose") == [["lose", "shares"]]
    assert paths("lose shares lose shares lose", **LITERAL) == [
        ["lose", "shares", "lose", "shares", "lose"]
    ]


def test_short_paths_can_be_left_out() -> None:
    found = similarities(FIGURE, counted(analysed(FIGURE)), **LITERAL, min_depth=2)
    assert found.n_nodes == [9 - 2, 13 - 2, 13 - 2]
    assert (0, 2) not in found.cs
    assert found.cs[1, 2] == pytest.approx(6.810930 - 1, abs=5e-7)
    assert found.scs[2] == pytest.approx(6.810930 - 1, abs=5e-7)


def test_short_sentences_can_be_left_out() -> None:
    found = similarities(FIGURE, counted(analysed(FIGURE)), **LITERAL, min_words=4)
    assert found.n_nodes == [6, 8, 8]
    assert found.cs[0, 1] == pytest.approx(15.054651 - 1, abs=5e-7)
    assert (1, 2) not in found.cs


def test_suffixes_count_on_both_sides_of_the_quotient() -> None:
    documents = documents_of({"A": A, "B": B, "C": C})
    for suffixes in (1, 2, 3, 9):
        pairs = run(documents, CoDet(**LITERAL, suffixes=suffixes), floor=0.0)
        assert share(pairs, "C", "B") == 1.0
        assert all(0 < pair.score <= 1 for pair in pairs)


def test_a_word_nobody_has_seen_is_as_rare_as_one_seen_once() -> None:
    statistics = Statistics.from_terms(PLAIN, 3, {"shares": 3, "lose": 1})
    found = similarities(["shares lose", "shares gain"], statistics, word_sorting=False)
    assert found.scs[0] == found.scs[1] == pytest.approx(1 + 2 * idf_weight(3, 1), abs=1e-8)

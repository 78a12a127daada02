"""The texts of long pairs are as long as was asked, and the same for a seed."""

from random import Random

import pytest
from benchmarks.long_pairs import ROWS, Row, Texts, edited
from benchmarks.runner import Measured

from twicetold.analysis import PROFILES, Analyser


@pytest.mark.parametrize("texts", dict.fromkeys(row[0] for row in ROWS))
def test_a_pair_has_as_many_sentences_as_was_asked(texts: Texts) -> None:
    left, right = texts(40, Random(1))
    assert (left, right) == texts(40, Random(1))
    analysed = Analyser(PROFILES["retelling-scan"]).analyse([left, right], spans=True)
    for n in (0, 1):
        assert 37 <= len(analysed.sentence_spans(n)) <= 44 or texts.__name__ == "thai"


def test_most_words_of_an_edited_text_are_the_same() -> None:
    left, right = (text.split(" ") for text in edited(200, Random(1)))
    same = sum(a == b for a, b in zip(left, right, strict=True))
    assert 0.85 < same / len(left) < 0.95


def test_the_power_is_that_of_processor_time() -> None:
    def row(*codes: int) -> Row:
        runs = [
            Measured(seconds=9, cpu=2.0**n, peak=1, code=code, stopped=False, errors="")
            for n, code in enumerate(codes)
        ]
        return Row(
            texts="edited", command="scan", sizes=[5, 10, 20, 40], megabytes=[1.0] * 4, runs=runs
        )

    power = row(0, 0, 0, 0).exponent
    assert power is not None
    assert abs(power - 1) < 1e-9
    assert row(0, 0, 0, 1).exponent is None

"""The experiments of the qSign paper: what must come out whatever the collection is like."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.experiments import making
from twicetold import _kernel
from twicetold.detectors.qsign import QSign
from twicetold.detectors.word_overlap import Measure, WordOverlap
from twicetold.errors import ParameterError
from twicetold.experiments import Setting, run
from twicetold.experiments.qsign_paper import BANDS, CANDIDATES, RECALL, TOTAL
from twicetold.experiments.qsign_radius import bound_conclusion, guarantee_conclusion
from twicetold.experiments.qsign_recall import prediction_conclusion, table_conclusion
from twicetold.experiments.qsign_speed import (
    full_conclusion,
    speed_conclusion,
)
from twicetold.experiments.qsign_stream import stream_conclusion
from twicetold.experiments.sentences import (
    Sentences,
    extended,
    hamming,
    search,
    sentences_of,
    stream_of,
)


@pytest.fixture(scope="module")
def news(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return documents, each of which comes twice, the second time with its first half only."""
    path = tmp_path_factory.mktemp("sentences") / "news.jsonl"
    made = making.documents(20)
    halves = [replace(doc, id=f"half of {doc.id}", text=doc.text[:600]) for doc in made]
    lines = ({"id": doc.id, "text": doc.text, "language": "en"} for doc in (*made, *halves))
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path


@pytest.fixture(scope="module")
def sentences(news: Path) -> Sentences:
    taken = sentences_of(Setting(data=(str(news),), documents=41))
    return extended(taken, 3_000, seed=1)


def test_stored_sentences_are_as_many_as_asked(news: Path, sentences: Sentences) -> None:
    taken = sentences_of(Setting(data=(str(news),), documents=41))
    assert taken.n_stored < 3_000
    assert abs(sentences.n_stored - 3_000) < 10
    assert extended(taken, 10, seed=1) is taken
    assert min(sentences.lengths) >= 6
    columns = sentences.stored.columns()
    assert extended(taken, 3_000, seed=1).stored.columns() == columns
    assert extended(taken, 3_000, seed=2).stored.columns() != columns


@pytest.mark.parametrize("measure", ["plain", "idf", "selfnorm"])
def test_words_find_what_the_naive_scan_finds(sentences: Sentences, measure: Measure) -> None:
    index = WordOverlap(measure=measure, min_words=6, min_overlap=0.3)
    naive = search(index, sentences, naive=True)
    assert naive.n_matches > 0
    assert naive.candidates > len(naive.matches) * 2_500
    words = search(QSign(measure=measure, min_words=6, min_overlap=0.3), sentences)
    assert words.matches == search(index, sentences).matches == naive.matches
    assert words.recall(naive) == 1
    assert words.candidates < naive.candidates / 10


@pytest.mark.parametrize(
    "of_measure",
    [
        lambda measure: QSign(measure=measure, min_words=6),
        lambda measure: hamming(32, 2, 5, measure),
        lambda measure: WordOverlap(measure=measure, min_words=6),
    ],
    ids=["words", "hamming", "inverted"],
)
def test_what_is_stored_serves_every_measure(
    sentences: Sentences, of_measure: Callable[[Measure], QSign | WordOverlap]
) -> None:
    kept = stream_of(of_measure("idf"), sentences.stored)
    measures: tuple[Measure, ...] = ("plain", "selfnorm")
    for measure in measures:
        detector = of_measure(measure)
        kept.ask_by(detector.verify())
        found = search(detector, sentences, stream=kept)
        assert found.matches == search(detector, sentences).matches
        assert found.n_matches > 0
    others = [QSign(bits=64).verify(), _kernel.Verification.hamming(distance=3)]
    for other in others:
        with pytest.raises(ParameterError, match="begin a new stream for this one"):
            kept.ask_by(other)


def test_a_search_tells_its_candidates_and_its_time(sentences: Sentences) -> None:
    detector = hamming(32, 2, 5)
    stream = stream_of(detector, sentences.stored)
    once, again = (search(detector, sentences, stream=stream) for _ in range(2))
    assert (once.matches, once.candidates) == (again.matches, again.candidates)
    assert once.n_matches <= once.candidates
    assert once.milliseconds > 0
    assert search(detector, sentences, stream=stream, most=3).matches == once.matches[:3]


def test_the_table_of_recall(news: Path) -> None:
    outcome = run("Q-tab2", news, documents=41)
    rows: dict[Any, Any] = {row[:4]: row for row in outcome.rows}
    assert len(rows) == 20
    assert rows["words", 256, 4, None][9] == rows["and", 256, 1, None][9] == 1
    for bits, per in ((16, 1), (32, 2), (64, 2)):
        recalls = [rows["hamming", bits, per, d][9] for d in range(6)]
        assert recalls == sorted(recalls)
    assert rows["hamming", 32, 2, 5][14:] == (0.926, 21.9)
    again = run("Q-tab2", news, documents=41, threads=1)
    assert again == outcome


def test_the_guarantee_holds(news: Path) -> None:
    outcome = run("Q-guar", news, documents=41)
    rows: list[Any] = list(outcome.rows)
    assert [row[5] for row in rows] == [1] * 12
    assert min(row[6] for row in rows) < 1


def test_a_stream_finds_what_the_inverted_index_finds(news: Path) -> None:
    rows: list[Any] = list(run("Q-incr", news, documents=40).rows)
    qsign, index = ([row for row in rows if row[0] == name] for name in ("qsign", "inverted index"))
    assert [row[1] for row in qsign] == sorted({row[1] for row in qsign})
    assert len(qsign) == 6
    # The index has an eighth of the stream.
    shared = {row[1]: row[2:4] for row in index}
    assert len(shared.keys() & {row[1] for row in qsign}) == 3
    assert all(shared.get(row[1], row[2:4]) == row[2:4] for row in qsign)
    assert qsign[-1][3] > 100
    assert qsign[-1][10] == pytest.approx(qsign[-1][5] + sum(qsign[-1][6:9]))


def test_an_index_on_disk_finds_by_words_what_the_inverted_index_finds(news: Path) -> None:
    rows: list[Any] = list(run("Q-disk", news, documents=40).rows)
    qsign, index = ([row for row in rows if row[0] == name] for name in ("qsign", "inverted index"))
    assert [row[1:4] for row in qsign] == [row[1:4] for row in index]
    assert [row[1] for row in qsign] == sorted({row[1] for row in qsign})
    assert qsign[-1][1] == 40
    assert qsign[-1][3] > 10
    assert qsign[-1][7] > 0


def test_bands_meet_and_do_not_overlap() -> None:
    for overlap in (0.5, 0.55, 0.6, 2 / 3, 0.7, 0.7 + 1e-12, 0.8, 0.9, 0.95, 1.0):
        assert sum(band.holds(overlap) for band in BANDS) == 1
    assert not any(band.holds(0.49) for band in BANDS)


def test_the_law_of_pairs_is_symmetric_and_adds_up() -> None:
    one, other, same = _kernel.pair_law(32, 2, [(6, 3, 9), (6, 9, 3), (8, 0, 0)])
    assert one == pytest.approx(other)
    assert sum(one) == pytest.approx(1)
    assert same[0] == pytest.approx(1)


def test_conclusions_follow_from_the_numbers() -> None:
    def row(recall: float, beyond: float, law: float = 1.0) -> tuple[object, ...]:
        return ("words", 256, 4, None, *[1.0] * 5, recall, law, 50.0, beyond, 0.9, None, None)

    assert "256 bits, 4 a word: recall 0.995 with 3.0" in table_conclusion([row(0.995, 3.0)])
    assert "within 0.200" in table_conclusion([row(1.0, 3.0, 0.8)])
    assert table_conclusion([row(0.995, 11.0)]).startswith("nothing finds 0.99")
    seen = (32, 2, 1, "(.8,.9]", 9, 0.5, 0.4, 0.6, 0.6, 0.7, 0.53, 0.8)
    assert "brackets 1 of 1 recalls" in prediction_conclusion([seen])
    assert "the exact one 0; the law of pairs is at most 0.030" in prediction_conclusion([seen])
    assert "nothing to predict" in prediction_conclusion([(*seen[:5], None, *seen[6:])])
    kept = [("binomial", 1, 0.1, 1.0, 0.0, 0.05, 0.0), ("exact", 1, 0.1, 1.0, 0.0, 0.15, 0.0)]
    assert bound_conclusion(kept) == (
        "binomial: 1 of 1 bounds kept, at most 0.000 above; "
        "exact: 0 of 1 bounds kept, at most 0.050 above"
    )
    assert guarantee_conclusion([(32, 2, 1, 2, 9, 1.0, 0.4)]).startswith("nothing is missed")
    assert "finds only 0.900" in guarantee_conclusion([(32, 2, 1, 2, 9, 0.9, 0.4)])


def test_conclusions_about_time() -> None:
    fast = ("plain", "qsign, words", 9, 0.95, 9.0, 0.1, 0.1, 0.2, 1500.0, 2.0, "100 to 1000")
    told = speed_conclusion([fast])
    assert "finds 0.95, 1,500 times faster than the naive scan, 2.0 times the inverted" in told
    assert speed_conclusion([(*fast[:3], 0.5, *fast[4:])]) == "plain: no qsign finds 0.9"
    steps = [("a", n, n, n**3, n, 1.0, 1.0, 1.0, 1.0, n**2, 3.0 * n) for n in (1, 2, 4)]
    assert "grows as a n^1.00 (2.00, 3.00); the paper: n^2" in stream_conclusion({"a": steps})
    gains = [(32, 5, 1, 1.0, 6.0, 6.0, 6.0, 3.27), (32, 6, 1, 1.0, 7.0, 7.0, 7.0, 3.77)]
    assert full_conclusion(gains).startswith("32 bits: 6.0 to 7.0 times faster")


def test_the_paper_s_table_is_told_as_printed() -> None:
    """Totals are those of its bands, and precision is what follows from 1,020 sentences."""
    matches = dict(zip((band.name for band in BANDS), (2286, 993, 281, 189, 164), strict=True))
    every = sum(matches.values())
    precision = {
        16: (0.577, 0.086, 0.013, 0.003, 0.001, 0.0003),
        32: (1.0, 1.0, 0.999, 0.853, 0.478, 0.162),
    }
    for bits, expected in precision.items():
        for d, most in enumerate(expected):
            found = sum(n * RECALL[bits][name][d] for name, n in matches.items()) / every
            assert found == pytest.approx(TOTAL[bits][d], abs=0.004)
            implied = TOTAL[bits][d] * every / (CANDIDATES[bits][d] * 1_020)
            assert min(implied, 1.0) == pytest.approx(most, rel=0.01, abs=5.01e-4)

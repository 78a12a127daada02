"""Q-speed and Q-full: what a search among signatures costs."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from twicetold.detectors.qsign import QSign
from twicetold.detectors.word_overlap import Measure, WordOverlap
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.sentences import (
    MIN_WORDS,
    Found,
    Sentences,
    extended,
    hamming,
    search,
    sentences_of,
    stream_of,
    with_signatures,
)
from twicetold.pipeline import Features

__all__ = ["full", "full_conclusion", "speed", "speed_conclusion"]

#: Stored sentences for each document of the setting, and the most there are.
SPEED = (500, 5_000_000)
FULL = (90, 900_000)
#: How many sentences ask; fewer where each takes long.
_ASKING, _FEW, _NAIVE = 200, 40, 5
#: By which sentences match.
MEASURES: tuple[Measure, ...] = ("selfnorm", "plain")
#: What All-Pairs has to find.
_RECALL = 0.9


def speed(setting: Setting) -> Outcome:
    """One sentence against all that are stored: naive scan, inverted index, All-Pairs, qSign."""
    sentences = sentences_of(setting, most=_ASKING)
    real = sentences.n_stored
    sentences = extended(sentences, _number(SPEED, setting), setting.seed)
    steps = setting.steps(range(len(MEASURES) + 4))
    next(steps)
    truths, naives = _compared(sentences)
    timed: list[tuple[Measure, str, Found]] = []
    for measure in MEASURES:
        next(steps)
        truth = truths[measure]
        timed += [(measure, "naive scan", naives[measure]), (measure, "inverted index", truth)]
        name, rival = _all_pairs(measure, _cosine_of(sentences.cosines(truth), _RECALL))
        timed.append((measure, name, search(rival, sentences, most=_FEW)))
    for name, of_measure, most in _qsigns():
        next(steps)
        # What is stored serves every measure.
        kept = stream_of(of_measure(MEASURES[0]), sentences.stored)
        for measure in MEASURES:
            detector = of_measure(measure)
            kept.ask_by(detector.verify())
            timed.append((measure, name, search(detector, sentences, stream=kept, most=most)))
        del kept
    for _ in steps:
        pass
    rows = [
        _speed_row(measure, name, found, truths[measure], naives[measure])
        for wanted in MEASURES
        for measure, name, found in timed
        if measure == wanted
    ]
    ours = [row for row in rows if row[0] == "selfnorm"]
    names = tuple(row[1] for row in ours)
    return Outcome(
        name="Q-speed",
        title="one sentence against all stored ones: milliseconds, and how much faster than naive",
        columns=(
            "measure", "method", "asked", "recall", "candidates", "ms selecting", "ms comparing",
            "ms", "times naive", "times inverted", "paper times naive",
        ),
        rows=tuple(rows),
        figures=(
            Figure("milliseconds for a sentence (selfnorm)", "", "milliseconds",
                   (Series("selecting", names, tuple(row[5] for row in ours)),
                    Series("comparing", names, tuple(row[6] for row in ours))),
                   log_y=True, kind="bar"),
            Figure("recall (selfnorm, from 0.5 on)", "", "recall",
                   (Series("recall", names, tuple(row[3] for row in ours)),), kind="bar"),
        ),
        conclusion=speed_conclusion(rows),
        notes=(
            sentences.about(),
            f"{real:,} are of the documents, the rest are made of these (words exchanged)",
            "asked: how many sentences did, fewer where each takes long",
            "seconds of the processor, in memory",
            f"all-pairs: the largest cosine that {_RECALL:.0%} of the true matches have",
            "the paper: 100 to 1000 times naive up to recall 0.7, on disk",
        ),
    )  # fmt: skip


def _cosine_of(cosines: Sequence[float], recall: float) -> float:
    """Return the largest cosine, in thousandths, that so many of the matches have."""
    best = sorted(cosines, reverse=True)
    return math.floor(1000 * best[math.ceil(recall * len(best)) - 1]) / 1000 if best else 1.0


def _all_pairs(measure: Measure, cosine: float) -> tuple[str, WordOverlap]:
    """Return the paper's competitor, as it finds as much as is asked for."""
    detector = WordOverlap(
        measure=measure, min_words=MIN_WORDS, search="all-pairs", min_cosine=cosine
    )
    return f"all-pairs, cosine {cosine}", detector


def _compared(sentences: Sentences) -> tuple[dict[Measure, Found], dict[Measure, Found]]:
    """Return what the inverted index finds, which is all there is, and what the naive scan does."""
    detectors = {measure: WordOverlap(measure=measure, min_words=MIN_WORDS) for measure in MEASURES}
    kept = stream_of(detectors[MEASURES[0]], sentences.stored)
    truths, naives = {}, {}
    for measure, detector in detectors.items():
        kept.ask_by(detector.verify())
        truths[measure] = search(detector, sentences, stream=kept)
        naives[measure] = search(detector, sentences, stream=kept, naive=True, most=_NAIVE)
    return truths, naives


def _qsigns() -> list[tuple[str, Callable[[Measure], QSign], int]]:
    """Return the searches of qSign, by measure, and how many sentences ask them."""

    def words(measure: Measure) -> QSign:
        return QSign(measure=measure, min_words=MIN_WORDS)

    return [
        ("qsign, words, 256 bits", words, _ASKING),
        ("qsign, 32 bits, d = 2", partial(hamming, 32, 2, 2), _FEW),
        ("qsign, 256 bits, d = 2", partial(hamming, 256, 2, 2), _ASKING),
    ]


def _speed_row(
    measure: str, name: str, found: Found, truth: Found, naive: Found
) -> tuple[Any, ...]:
    n = max(len(found.matches), 1)
    ms = found.milliseconds
    return (
        measure,
        name,
        len(found.matches),
        found.recall(truth),
        found.candidates / n,
        1000 * found.seconds[0] / n,
        1000 * found.seconds[1] / n,
        ms,
        naive.milliseconds / ms if ms else None,
        truth.milliseconds / ms if ms else None,
        "100 to 1000" if name.startswith("qsign") else None,
    )


def speed_conclusion(rows: Sequence[Sequence[Any]]) -> str:
    """Name what is fastest at recall 0.9, by each measure."""
    told = []
    for measure in dict.fromkeys(row[0] for row in rows):
        good = [r for r in rows if r[0] == measure and r[3] >= 0.9 and r[1].startswith("qsign")]  # noqa: PLR2004
        if not good:
            told.append(f"{measure}: no qsign finds 0.9")
            continue
        best = min(good, key=lambda row: row[7])
        told.append(
            f"{measure}: {best[1]} finds {best[3]:.2f}, {best[8] or 0:,.0f} times faster than "
            f"the naive scan, {best[9] or 0:.1f} times the inverted index"
        )
    return "; ".join(told)


#: Stored and new sentences in parts of a tenth; the gain that a linear and a quadratic cost give.
_MODELS = {5: (6.0, 3.27), 6: (7.0, 3.77), 7: (8.0, 4.27), 8: (9.0, 4.76)}


def full(setting: Setting) -> Outcome:
    """Add new sentences to stored ones, or compute everything anew."""
    sentences = sentences_of(setting, most=1)
    parts = _mixed(sentences, _number(FULL, setting), setting.seed, max(_MODELS) + 1)
    rows: list[tuple[Any, ...]] = []
    # 32 bits meet more candidates the more there are: a tenth is enough.
    of_bits = {32: [part.part(0, part.n_documents, 10) for part in parts], 256: parts}
    for bits, own in setting.steps(list(of_bits.items())):
        streamed = _streamed(hamming(bits, 2, 1), own)
        for stored, (linear, quadratic) in _MODELS.items():
            (before, start, *_), (after, end, *_) = streamed[stored - 1 : stored + 1]
            gain = end / (end - start) if end > start else None
            rows.append((bits, before, after - before, end - start, end, gain, linear, quadratic))
    x = tuple(f"{stored} to 1" for stored in _MODELS)
    series = [
        Series(f"{bits} bits", x, tuple(row[5] for row in rows if row[0] == bits))
        for bits in of_bits
    ]
    series += [
        Series(name, x, tuple(row[at] for row in rows[: len(_MODELS)]), from_paper=True)
        for at, name in ((6, "if cost is linear"), (7, "if cost is quadratic"))
    ]
    return Outcome(
        name="Q-full",
        title="adding new sentences instead of computing everything anew, d = 1",
        columns=(
            "bits", "stored", "new", "s adding", "s anew", "times faster", "linear", "quadratic",
        ),
        rows=tuple(rows),
        figures=(
            Figure("gain of adding", "stored and new sentences", "times faster", tuple(series)),
        ),
        conclusion=full_conclusion(rows),
        notes=("the paper: up to 5 times with 16 bits, up to 7 with 32, growing with the store",),
    )  # fmt: skip


def full_conclusion(rows: Sequence[Sequence[Any]]) -> str:
    """Say how much faster adding is, and whether that grows."""
    told = []
    for bits in dict.fromkeys(row[0] for row in rows):
        gains = [row[5] or 0.0 for row in rows if row[0] == bits]
        told.append(f"{bits} bits: {gains[0]:.1f} to {gains[-1]:.1f} times faster")
    return f"{'; '.join(told)}, as the store grows (the paper: up to 7)"


def _number(size: tuple[int, int], setting: Setting) -> int:
    a_document, most = size
    return min(a_document * setting.documents, most)


def _streamed(
    detector: QSign | WordOverlap, parts: Sequence[Features]
) -> list[tuple[int, float, float, float, float]]:
    """Add parts one after the other; how many sentences came by then, and the seconds so far."""
    kept = stream_of(detector)
    rows, n = [], 0
    for part in parts:
        kept.add(with_signatures(detector, part))
        ends = array("Q", part.columns()[0])
        n += sum(end > start for start, end in zip([0, *ends[:-1]], ends, strict=True))
        rows.append((n, sum(kept.seconds), *kept.seconds))
    return rows


def _mixed(sentences: Sentences, number: int, seed: int, n: int) -> list[Features]:
    """Return as many sentences in n parts, each of which has its share of real and made ones."""
    real = sentences.stored
    whole = extended(sentences, number, seed).stored
    made = whole.part(real.n_documents, whole.n_documents)
    parts = []
    for own, other in zip(_split(real, n), _split(made, n, shuffled=True), strict=True):
        own.append(other)
        parts.append(own)
    return parts


def _split(features: Features, n: int, *, shuffled: bool = False) -> list[Features]:
    """Cut features into n parts of equally many documents; ``shuffled``: every n-th each."""
    total = features.n_documents
    if shuffled:
        return [features.part(first, total, n) for first in range(n)]
    return [features.part(total * k // n, total * (k + 1) // n) for k in range(n)]

"""Q-tab2 and Q-pred: how much qSign finds, and how much the laws say it finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from twicetold import _kernel
from twicetold.detectors.qsign import QSign
from twicetold.detectors.word_overlap import WordOverlap
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.qsign_paper import BANDS, CANDIDATES, RECALL, TOTAL, Band
from twicetold.experiments.sentences import (
    MIN_WORDS,
    Found,
    Sentences,
    hamming,
    search,
    sentences_of,
)
from twicetold.reports.words import count_of
from twicetold.signatures import Law, predicted_recall

__all__ = ["prediction", "prediction_conclusion", "table_2", "table_conclusion"]

#: How many sentences ask.
ASKING = 500
_DISTANCES = range(6)
_SIGNATURES = ((16, 1), (32, 2), (64, 2))

#: Words that both sentences have, that the one that asks has alone, that the stored one has alone.
_Shape = tuple[int, int, int]


def table_2(setting: Setting) -> Outcome:
    """Recall by band of overlap, and candidates for a sentence (table 2 of the paper)."""
    sentences = sentences_of(setting, most=ASKING)
    truth = search(WordOverlap(measure="plain", min_words=MIN_WORDS), sentences)
    shapes = _shapes(sentences, truth)
    tried = [hamming(m, per, d) for m, per in _SIGNATURES for d in _DISTANCES] + [
        QSign(measure="plain", min_words=MIN_WORDS, bits=256, bits_per_word=1, match="and"),
        QSign(measure="plain", min_words=MIN_WORDS, bits=256, bits_per_word=4),
    ]
    laws: dict[tuple[int, int], Mapping[_Shape, Sequence[float]]] = {}
    rows = []
    for detector in setting.steps(tried):
        found = search(detector, sentences)
        predicted = 1.0  # nothing that matches can be missed
        if detector.match == "hamming":
            key = detector.bits, detector.bits_per_word or 1
            law = laws.setdefault(key, _law(key, shapes))
            predicted = _expected(law, shapes, detector.distance)
        rows.append(_table_row(detector, found, truth, predicted))
    by_bits = {m: [row for row in rows if row[:2] == ("hamming", m)] for m, _ in _SIGNATURES}
    x = tuple(float(d) for d in _DISTANCES)
    recall, candidates = [], []
    for m, of in by_bits.items():
        recall.append(Series(f"{m} bits", x, tuple(row[9] for row in of)))
        candidates.append(Series(f"{m} bits", x, tuple(row[11] for row in of)))
    for m in TOTAL:
        recall.append(Series(f"{m} bits, paper", x, TOTAL[m], from_paper=True))
        candidates.append(Series(f"{m} bits, paper", x, CANDIDATES[m], from_paper=True))
    recall.append(Series("256 bits, words", x, (rows[-1][9],) * len(x)))
    candidates.append(Series("256 bits, words", x, (rows[-1][11],) * len(x)))
    return Outcome(
        name="Q-tab2",
        title="recall of qSign by overlap (plain), and candidates for a sentence",
        columns=(
            "near", "bits", "per word", "d", *(band.name for band in BANDS), "all", "law",
            "candidates", "beyond true", "precision", "paper all", "paper candidates",
        ),
        rows=tuple(rows),
        figures=(
            Figure("recall from overlap 0.5 on", "bits that may differ (d)", "recall",
                   tuple(recall)),
            Figure("candidates for a sentence", "bits that may differ (d)", "candidates",
                   tuple(candidates), log_y=True),
        ),
        conclusion=table_conclusion(rows),
        notes=(sentences.about(), *_why(truth, shapes)),
    )  # fmt: skip


def _table_row(detector: QSign, found: Found, truth: Found, predicted: float) -> tuple[Any, ...]:
    n = max(len(found.matches), 1)
    d = detector.distance if detector.match == "hamming" else None
    from_paper = d is not None and detector.bits in TOTAL
    return (
        detector.match,
        detector.bits,
        detector.bits_per_word,
        d,
        *(_recall(found, truth, band) for band in BANDS),
        found.recall(truth),
        predicted,
        found.candidates / n,
        (found.candidates - found.n_matches) / n,
        found.n_matches / max(found.candidates, 1),
        TOTAL[detector.bits][d] if from_paper and d is not None else None,
        CANDIDATES[detector.bits][d] if from_paper and d is not None else None,
    )


def table_conclusion(rows: Sequence[Sequence[Any]]) -> str:
    """Say what finds 0.99 of the matches with few candidates beyond, and how far the law is off."""
    off = max(abs(row[9] - row[10]) for row in rows)
    good = [row for row in rows if row[9] >= 0.99 and row[12] <= 10]  # noqa: PLR2004
    law = f"the law of pairs is within {off:.3f} of every recall"
    if not good:
        return f"nothing finds 0.99 with at most 10 candidates beyond the true ones; {law}"
    best = min(good, key=lambda row: row[12])
    return (
        f"{best[0]}, {best[1]} bits, {best[2]} a word: recall {best[9]:.3f} with {best[12]:.1f} "
        f"candidates beyond the true ones (the paper: 0.926 with 21.9 candidates); {law}"
    )


def prediction(setting: Setting) -> Outcome:
    """Recall as predicted from the overlap, and as observed (figure 7 of the paper)."""
    sentences = sentences_of(setting, most=ASKING)
    truth = search(WordOverlap(measure="plain", min_words=MIN_WORDS, min_overlap=0.7), sentences)
    shapes = _shapes(sentences, truth)
    words = sum(sentences.lengths) / len(sentences.lengths)
    rows: list[tuple[Any, ...]] = []
    tried = [(m, per, d) for m, per in _SIGNATURES[:2] for d in _DISTANCES[1:]]
    laws = {(m, per): _law((m, per), shapes) for m, per in _SIGNATURES[:2]}
    for m, per, d in setting.steps(tried):
        found = search(hamming(m, per, d, theta=0.7), sentences)
        for band in BANDS[:3]:
            of_band = Counter({k: n for k, n in shapes.items() if band.holds(_overlap(k))})
            ends: list[float] = []
            for law in _LAWS:
                ends += (
                    predicted_recall(m, per, words, theta, d, law=law)
                    for theta in (band.low, band.high)
                )
            pairs = sum(of_band.values())
            expected = _expected(laws[m, per], of_band, d) if pairs else None
            observed = _recall(found, truth, band)
            paper = RECALL[m][band.name][d]
            rows.append((m, per, d, band.name, pairs, observed, *ends, expected, paper))
    shown = BANDS[1].name
    ours = [row for row in rows if row[0] == 32 and row[3] == shown]  # noqa: PLR2004
    x = tuple(float(row[2]) for row in ours)
    named = ((5, "observed"), (10, "law of pairs"), (6, "binomial, .8"), (8, "exact, .8"))
    series = [Series(name, x, tuple(row[n] for row in ours)) for n, name in named]
    series.append(Series("observed, paper", x, tuple(row[11] for row in ours), from_paper=True))
    return Outcome(
        name="Q-pred",
        title="recall predicted from the overlap, and observed",
        columns=(
            "bits", "per word", "d", "overlap", "pairs", "observed", "binomial from",
            "binomial to", "exact from", "exact to", "law of pairs", "paper observed",
        ),
        rows=tuple(rows),
        figures=(
            Figure("32 bits, overlap (.8,.9]", "bits that may differ (d)", "recall", tuple(series)),
        ),
        conclusion=prediction_conclusion(rows),
        notes=(
            sentences.about(),
            "binomial and exact: a stored sentence has a share of the words and no others,",
            f"at both ends of the band, for {words:.1f} words; law of pairs: what each pair shares",
        ),
    )  # fmt: skip


_LAWS: tuple[Law, ...] = ("binomial", "exact")


def prediction_conclusion(rows: Sequence[Sequence[Any]]) -> str:
    """Count the observations that a law brackets, and say how far the law of pairs is off."""
    known = [row for row in rows if row[5] is not None]
    if not known:
        return "no sentences overlap from 0.7 on: nothing to predict"
    inside = [sum(row[at] - 1e-9 <= row[5] <= row[at + 1] + 1e-9 for row in known) for at in (6, 8)]
    off = max(abs(row[5] - row[10]) for row in known)
    return (
        f"the binomial law brackets {inside[0]} of {len(known)} recalls (the paper's own: 20 of "
        f"30), the exact one {inside[1]}; the law of pairs is at most {off:.3f} off"
    )


def _overlap(shape: _Shape) -> float:
    both, left, _ = shape
    return both / (both + left)


def _shapes(sentences: Sentences, truth: Found) -> Counter[_Shape]:
    """Return how many true matches share how many words."""
    found: Counter[_Shape] = Counter()
    for words, matches in zip(sentences.lengths, truth.matches, strict=True):
        for place, overlap in matches.items():
            both = round(overlap * words)
            found[both, words - both, sentences.length(place) - both] += 1
    return found


def _law(signatures: tuple[int, int], shapes: Counter[_Shape]) -> Mapping[_Shape, Sequence[float]]:
    """Return for each shape how likely the signatures differ in 0, 1, … bits."""
    every = list(shapes)
    return dict(zip(every, _kernel.pair_law(*signatures, every), strict=True))


def _expected(
    law: Mapping[_Shape, Sequence[float]], shapes: Counter[_Shape], distance: int
) -> float:
    within = sum(n * sum(law[shape][: distance + 1]) for shape, n in shapes.items())
    return within / sum(shapes.values()) if shapes else 1.0


def _recall(found: Found, truth: Found, band: Band) -> float | None:
    true = hits = 0
    for ours, wanted in zip(found.matches, truth.matches, strict=True):
        places = [place for place, overlap in wanted.items() if band.holds(overlap)]
        true += len(places)
        hits += sum(place in ours for place in places)
    return hits / true if true else None


def _why(truth: Found, shapes: Counter[_Shape]) -> list[str]:
    """Say for each band how many words the stored sentence has beyond."""
    told = [f"{truth.n_matches:,} true matches; words of the stored sentence alone, in the mean:"]
    parts = []
    for band in BANDS:
        of_band = {shape: n for shape, n in shapes.items() if band.holds(_overlap(shape))}
        pairs = sum(of_band.values())
        beyond = sum(shape[2] * n for shape, n in of_band.items()) / max(pairs, 1)
        parts.append(f"{band.name} {beyond:.1f} ({count_of(pairs, 'pair')})")
    told.append("; ".join(parts))
    told.append("a ball of d bits holds about d / l of these: no small ball reaches such a band")
    return told

"""Q-incr: how the time of a stream of sentences grows."""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from twicetold import _kernel
from twicetold.analysis import Analysed, Analyser, profile_of
from twicetold.batches import batches
from twicetold.detectors.qsign import QSign
from twicetold.detectors.word_overlap import WordOverlap
from twicetold.experiments.collection import take
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.growth import doublings, exponent
from twicetold.experiments.sentences import hamming, stream_of
from twicetold.pipeline import Features
from twicetold.records import Document
from twicetold.statistics import Statistics

__all__ = ["statistics_of", "stream", "stream_conclusion"]

_STEPS = 6
#: Each stream is run so often, and each step taken from the run in which it took the middle time:
#: the first ones take so little that other work on the machine decides how time seems to grow.
_RUNS = 3
#: The others are seen well enough on a part of the stream: some meet ever more candidates.
_SHORT = 8

_COLUMNS = (
    "method", "sentences", "different", "matches", "candidates", "analysing", "selecting",
    "comparing", "keeping", "matching", "seconds",
)  # fmt: skip


def stream(setting: Setting) -> Outcome:
    """Documents that come one after the other, each sentence asked for and then stored."""
    documents = take(setting)
    # In whatever order they are stored: the first of a stream must be like the last.
    Random(f"stream/{setting.seed}").shuffle(documents)  # noqa: S311 - nothing secret
    statistics = statistics_of(documents, setting.threads)
    short = documents[: max(len(documents) // _SHORT, 1)]
    tried: list[tuple[str, QSign | WordOverlap, list[Document]]] = [
        ("qsign", QSign(), documents),
        ("256 bits, d = 1", hamming(256, 2, 1, "selfnorm"), short),
        ("256 bits, d = 2", hamming(256, 2, 2, "selfnorm"), short),
        ("32 bits, d = 1", hamming(32, 2, 1, "selfnorm"), short),
        ("32 bits, d = 2", hamming(32, 2, 2, "selfnorm"), short),
        ("inverted index", WordOverlap(), short),
    ]
    rows: list[tuple[Any, ...]] = []
    runs = [(*each, n) for each in tried for n in range(_RUNS)]
    times: dict[str, list[list[tuple[Any, ...]]]] = {name: [] for name, _, _ in tried}
    for name, detector, of, _ in setting.steps(runs):
        times[name].append(list(_streamed(detector, of, statistics, setting.threads)))
    for name, of_runs in times.items():
        rows += [(name, *_middle(step)) for step in zip(*of_runs, strict=True)]
    series = {name: [row for row in rows if row[0] == name] for name, _, _ in tried}
    return Outcome(
        name="Q-incr",
        title="a stream of sentences: seconds of the processor in all, as the store grows",
        columns=_COLUMNS,
        rows=tuple(rows),
        figures=(
            Figure("seconds in all, from texts on", "sentences", "seconds",
                   tuple(Series(name, tuple(float(row[1]) for row in of),
                                tuple(row[-1] for row in of)) for name, of in series.items()),
                   log_x=True, log_y=True),
        ),
        conclusion=stream_conclusion(series),
        notes=(
            f"{len(documents):,} documents in random order, with statistics of all of them",
            "seconds: analysing texts, and matching (selecting candidates, comparing, keeping)",
            f"each step is that of {_RUNS} runs in which it took the middle time",
            "each run begins without memory, as a process of its own does",
            "the paper: quadratic, up to 1,000,000 sentences, d = 1 and 2",
        ),
    )  # fmt: skip


def stream_conclusion(series: Mapping[str, Sequence[Sequence[Any]]]) -> str:
    """Give the exponents of the time of each method, and of how much it finds."""

    def grows(rows: Sequence[Sequence[Any]], column: str) -> float:
        at = _COLUMNS.index(column)
        return exponent([row[1] for row in rows], [row[at] for row in rows]) or 0.0

    told = [
        f"{name} n^{grows(rows, 'seconds'):.2f} ({grows(rows, 'matching'):.2f}, "
        f"{grows(rows, 'matches'):.2f})"
        for name, rows in series.items()
    ]
    return (
        f"time from texts on (without analysis, and the matches) grows as {', '.join(told)}; "
        "the paper: n^2"
    )


def _middle(runs: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return the same step of the run in which it took the middle time."""
    return sorted(runs, key=lambda row: row[-1])[len(runs) // 2]


def statistics_of(documents: Sequence[Document], threads: int) -> Statistics:
    """Return the statistics of all documents, as qSign wants them."""
    analyser = Analyser(profile_of(QSign.profile))
    statistics = Statistics(analyser.profile)
    for batch in batches(documents):
        statistics.add(analyser.analyse_batch(batch, threads=threads), threads=threads)
    return statistics


def _streamed(
    detector: QSign | WordOverlap,
    documents: Sequence[Document],
    statistics: Statistics,
    threads: int,
) -> Iterator[tuple[Any, ...]]:
    """Add documents from their texts on; what came of it each time their number has doubled."""
    # Every stream pays for its memory, as in a process of its own.
    _kernel.give_back_memory()
    analyser = Analyser(statistics.profile)
    kept = stream_of(detector)
    sentences = matches = done = 0
    analysing = matching = 0.0
    for end in doublings(len(documents), _STEPS):
        for batch in batches(documents[done:end]):
            start = time.process_time()
            analysed: Analysed = analyser.analyse_batch(batch, threads=threads)
            features = detector.features(analysed, statistics, threads=threads)
            middle = time.process_time()
            found = kept.add(features)
            matching += time.process_time() - middle
            analysing += middle - start
            sentences += _number(features)
            matches += len(found[0]) // 4
        done = end
        # The kernel has a clock for each part, but none of the processor's time.
        scale = matching / (sum(kept.seconds) or 1.0)
        parts = (scale * part for part in kept.seconds)
        yield (
            sentences, kept.n_sentences, matches, kept.checked, analysing, *parts, matching,
            analysing + matching,
        )  # fmt: skip


def _number(features: Features) -> int:
    """How many sentences are looked at."""
    ends = array("Q", features.columns()[0])
    return sum(end > start for start, end in zip([0, *ends[:-1]], ends, strict=True))

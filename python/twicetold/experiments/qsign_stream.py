"""Q-incr: how the time of a stream of sentences grows."""

from __future__ import annotations

import tempfile
import time
from array import array
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from twicetold.analysis import Analysed, Analyser, profile_of
from twicetold.batches import batches
from twicetold.detectors.qsign import QSign
from twicetold.detectors.word_overlap import WordOverlap
from twicetold.experiments.collection import take
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.growth import doublings, exponent
from twicetold.experiments.sentences import hamming, stream_of
from twicetold.pipeline import Features, ignore
from twicetold.records import Document
from twicetold.statistics import Statistics

__all__ = ["shuffled", "statistics_of", "stream", "stream_conclusion"]

_STEPS = 6
#: The whole stream is run so often, and each step is that of the run in which it took the middle
#: time: the first ones take so little that other work decides how time seems to grow.
_RUNS = 3
#: The others are seen well enough on a part of the stream: some meet ever more candidates.
_SHORT = 8

_COLUMNS = (
    "method", "sentences", "different", "matches", "candidates", "analysing", "selecting",
    "comparing", "keeping", "matching", "seconds",
)  # fmt: skip


def stream(setting: Setting) -> Outcome:
    """Documents that come one after the other, each sentence asked for and then stored."""
    documents = shuffled(setting)
    statistics = statistics_of(documents, setting.threads)
    short = documents[: max(len(documents) // _SHORT, 1)]
    # Nothing stands for the whole stream.
    tried: list[tuple[str, QSign | WordOverlap | None]] = [
        *[("qsign", None)] * _RUNS,
        ("256 bits, d = 1", hamming(256, 2, 1, "selfnorm")),
        ("256 bits, d = 2", hamming(256, 2, 2, "selfnorm")),
        ("32 bits, d = 1", hamming(32, 2, 1, "selfnorm")),
        ("32 bits, d = 2", hamming(32, 2, 2, "selfnorm")),
        ("inverted index", WordOverlap()),
    ]
    runs: dict[str, list[list[tuple[Any, ...]]]] = {}
    for name, detector in setting.steps(tried):
        if detector is None:
            run = _alone(setting, statistics)
        else:
            run = list(_streamed(detector, short, statistics, setting.threads))
        runs.setdefault(name, []).append(run)
    series = {
        name: [(name, *_middle(step)) for step in zip(*of, strict=True)]
        for name, of in runs.items()
    }
    return Outcome(
        name="Q-incr",
        title="a stream of sentences: seconds of the processor in all, as the store grows",
        columns=_COLUMNS,
        rows=tuple(row for of in series.values() for row in of),
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
            f"qsign: {_RUNS} runs, each in a process of its own; each step is the middle one",
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


def _alone(setting: Setting, statistics: Statistics) -> list[tuple[Any, ...]]:
    """Run the whole stream in a process of its own.

    Another one in the same process finds memory that is there already, for its first steps.
    """
    with tempfile.TemporaryDirectory(prefix="twicetold-") as folder:
        file = Path(folder) / "stream.stats"
        statistics.save(file)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            quiet = replace(setting, progress=ignore)
            return process.submit(_stream_alone, quiet, str(file)).result()


def _stream_alone(setting: Setting, statistics: str) -> list[tuple[Any, ...]]:
    """Run the whole stream; what came of it each time the number of documents has doubled."""
    known = Statistics.load(statistics)
    return list(_streamed(QSign(), shuffled(setting), known, setting.threads))


def shuffled(setting: Setting) -> list[Document]:
    """Return the documents in random order: the first of a stream must be like the last."""
    documents = take(setting)
    Random(f"stream/{setting.seed}").shuffle(documents)  # noqa: S311 - nothing secret
    return documents


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

"""Q-disk: Q-incr and Q-speed on an index on disk, as in the paper, whose index is on disk."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from twicetold.analysis import analyse
from twicetold.detectors.qsign import QSign
from twicetold.detectors.word_overlap import WordOverlap
from twicetold.experiments.collection import features_of
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.growth import doublings, exponent
from twicetold.experiments.qsign_stream import shuffled, statistics_of
from twicetold.experiments.sentences import MIN_WORDS, Sentences, hamming, search
from twicetold.index import Index
from twicetold.pipeline import Detector
from twicetold.records import Document
from twicetold.statistics import Statistics

__all__ = ["disk", "disk_conclusion"]

_STEPS = 6
_ASKING, _NAIVE = 100, 10

_COLUMNS = (
    "method", "documents", "sentences", "pairs", "seconds adding", "MB on disk",
    "ms a sentence", "times naive",
)  # fmt: skip


def disk(setting: Setting) -> Outcome:
    """Documents that come one after the other into an index on disk, then sentences that ask."""
    documents = shuffled(setting)
    statistics = statistics_of(documents, setting.threads)
    tried: list[tuple[str, Detector]] = [
        ("qsign", QSign()),
        ("256 bits, d = 1", hamming(256, 2, 1, "selfnorm")),
        ("inverted index", WordOverlap()),
    ]
    rows: list[tuple[Any, ...]] = []
    for name, detector in setting.steps(tried):
        rows += [(name, *row) for row in _kept(detector, documents, statistics, setting)]
    series = {name: [row for row in rows if row[0] == name] for name, _ in tried}
    return Outcome(
        name="Q-disk",
        title="a stream into an index on disk, and one sentence against all that are stored there",
        columns=_COLUMNS,
        rows=tuple(rows),
        figures=tuple(
            Figure(title, "sentences", title.partition(" ")[0],
                   tuple(Series(name, tuple(float(row[2]) for row in of),
                                tuple(row[at] for row in of)) for name, of in series.items()),
                   log_x=True, log_y=True)
            for title, at in (("seconds of adding, in all", 4), ("milliseconds a sentence", 6))
        ),
        conclusion=disk_conclusion(series),
        notes=(
            f"{len(documents):,} documents in random order, with statistics of all of them",
            "seconds of the processor, from texts on, every commit synced to disk",
            f"{_ASKING} sentences ask, each as a document of its own; naive compares all words",
        ),
    )  # fmt: skip


def disk_conclusion(series: dict[str, list[tuple[Any, ...]]]) -> str:
    """Say how the time of each method grows, and how much faster it is than a naive scan."""
    told = []
    for name, rows in series.items():
        grows = exponent([row[2] for row in rows], [row[4] for row in rows]) or 0.0
        told.append(f"{name} n^{grows:.2f}, {rows[-1][7] or 0:,.0f} times faster than naive")
    return f"time of adding grows as {'; '.join(told)} (the paper: n^2, 100 to 1000 times)"


def _kept(
    detector: Detector, documents: Sequence[Document], statistics: Statistics, setting: Setting
) -> Iterator[tuple[Any, ...]]:
    """Add documents; what came of it each time their number has doubled."""
    asking = _asking(documents)
    done = pairs = sentences = 0
    adding = 0.0
    with tempfile.TemporaryDirectory(prefix="twicetold-") as folder:
        path = Path(folder) / "index"
        index = Index.create(path, method=detector, statistics=statistics, threads=setting.threads)
        with index:
            for end in doublings(len(documents), _STEPS):
                start = time.process_time()
                for added in index.iter_add(documents[done:end]):
                    pairs += len(added.pairs)
                adding += time.process_time() - start
                sentences += sum(_number(document) for document in documents[done:end])
                done = end
                size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
                ms = _search(index, asking)
                is_last = done == len(documents)
                naive = _naive(asking, documents, setting.threads) if is_last and ms else None
                times = None if naive is None else naive / ms
                yield (done, sentences, pairs, adding, size / 1e6, ms, times)


def _number(document: Document) -> int:
    return len(analyse(document.text, language=document.language))


def _asking(documents: Sequence[Document]) -> list[Document]:
    """Return sentences of documents, as documents."""
    found: list[Document] = []
    for document in documents:
        for n, sentence in enumerate(analyse(document.text, language=document.language)):
            if len(sentence.words) >= MIN_WORDS:
                text = document.text[sentence.span.start : sentence.span.end]
                name = f"{document.id}/{n}"
                found.append(Document(id=name, text=text, language=document.language))
                break
        if len(found) == _ASKING:
            break
    return found


def _search(index: Index, asking: Sequence[Document]) -> float:
    start = time.process_time()
    for document in asking:
        index.search(document)
    return 1e3 * (time.process_time() - start) / max(len(asking), 1)


def _naive(asking: Sequence[Document], documents: Sequence[Document], threads: int) -> float:
    """Return the milliseconds a sentence takes that is compared with every stored one."""
    overlap = WordOverlap(min_words=MIN_WORDS)
    stored, own = (features_of(of, overlap, threads) for of in (documents, asking))
    return search(overlap, Sentences(stored, own), naive=True, most=_NAIVE).milliseconds

"""How fast fuzzy sets are: correlations of a collection, a million pairs, two documents.

``python -m benchmarks.fuzzy SOURCE…`` prints one line for each, with seconds of the clock and of
the processors, and the peak of memory.
"""

import resource
import sys
import time
from collections.abc import Callable
from random import Random
from typing import TypeVar

from twicetold import Document, _kernel
from twicetold.analysis import PROFILES, Analysed, Analyser
from twicetold.batches import batch_of, batches
from twicetold.correlations import Correlating
from twicetold.detectors.fuzzy_set import FuzzySet
from twicetold.documents import Report, read
from twicetold.experiments.text.spans import sentences
from twicetold.matching import verified_join
from twicetold.statistics import Statistics

__all__ = ["main"]

_PAIRS, _LEFT, _RIGHT, _SEED = 1_000_000, 400, 50, 1
T = TypeVar("T")


def _timed(what: str, work: Callable[[], T]) -> T:
    wall, cpu = time.perf_counter(), time.process_time()
    found = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what}: {wall:.3f} s, {cpu:.3f} s of processors, peak {peak:,.0f} MB")
    return found


def main(sources: list[str]) -> None:
    """Measure on the documents of some sources."""
    profile = PROFILES["fuzzy-set"]
    analyser, statistics = Analyser(profile), Statistics(profile)
    documents = list(read(*sources, report=Report()))
    found = _timed(
        f"analyse {len(documents):,} documents",
        lambda: [analyser.analyse_batch(batch) for batch in batches(documents)],
    )
    n_sentences = sum(batch.n_sentences for batch in found)
    for batch in found:
        statistics.add(batch)
    for unit in ("sentence", "document"):
        correlating = Correlating(unit=unit)
        matrix = _timed(
            f"correlations within each {unit} of {n_sentences:,} sentences",
            lambda counting=correlating: counting.count(found),  # type: ignore[misc]
        )
        statistics.pin_correlations(correlating.form, matrix)
        print(f"  {matrix.n_words:,} words, {matrix.n_pairs:,} pairs")
    texts = [d.text[s.start : s.end] for d in documents[:2000] for s in sentences(d.text)]
    rng, detector = Random(_SEED), FuzzySet()
    left, right = ([rng.randrange(len(texts)) for _ in range(_PAIRS)] for _ in range(2))
    analysed = analyser.analyse(texts)
    _timed(
        f"score {_PAIRS:,} pairs of sentences, both ways",
        lambda: detector.compare(analysed, left, right, statistics),
    )
    pair = [Document(id=str(n), text="\n\n".join(texts[1000 : 1000 + n])) for n in (_LEFT, _RIGHT)]
    both = analyser.analyse([document.text for document in pair])
    for what in ("first", "again"):
        _timed(
            f"match two documents of {_LEFT} and {_RIGHT} sentences, {what}",
            lambda: _matches(pair, both, detector, statistics),
        )


def _matches(
    documents: list[Document], analysed: Analysed, detector: FuzzySet, statistics: Statistics
) -> int:
    detector = detector.with_statistics(statistics)
    collection = _kernel.Collection()
    collection.add(batch_of(documents), analysed)
    join = verified_join(detector, collection, detector.features(analysed, statistics))
    join.run(detector.verify(), floor=0.0)
    return join.n_matches


if __name__ == "__main__":
    main(sys.argv[1:])

"""Which sentences of documents are boilerplate of their sources, for a comparison by alignment."""

from __future__ import annotations

from collections.abc import Sequence

from twicetold import _kernel
from twicetold.analysis import PROFILES, Analyser
from twicetold.batches import Batch
from twicetold.comparing.sentences import Sentences
from twicetold.detectors.retelling import Retelling
from twicetold.matching import mark_boilerplate, verified_join
from twicetold.records import Document, Span
from twicetold.statistics import Statistics

__all__ = ["boilerplate_of"]


def boilerplate_of(
    documents: Sequence[Document],
    sentences: Sentences,
    statistics: Statistics | None,
    *,
    threads: int = 0,
) -> list[list[bool]] | None:
    """Return a flag for each sentence, as a scan with these statistics decides.

    None if they know of no boilerplate, or were made for another analysis. A scan cuts long
    sentences: one counts as boilerplate if more than half of it does.
    """
    detector = Retelling()
    if statistics is None or statistics.profile != PROFILES[detector.profile]:
        return None
    nothing = [None] * len(documents)
    ids = [str(n) for n in range(len(documents))]
    sources = [document.source for document in documents]
    batch = Batch.from_columns(ids, sentences.texts, nothing, nothing, sources)
    analysed = Analyser(PROFILES[detector.profile]).analyse(
        sentences.texts, languages=sentences.languages, spans=True, threads=threads
    )
    collection = _kernel.Collection()
    collection.add(batch, analysed)
    features = detector.features(analysed, statistics, threads=threads)
    mark_boilerplate(detector, features, collection, statistics, threads=threads)
    join = verified_join(detector, collection, features, threads=threads)
    found = []
    for number, own in enumerate(sentences.spans):
        pieces = [Span(*span) for span, _ in analysed.sentences(number)]
        flags = zip(pieces, join.is_boilerplate(number), strict=True)
        marked = [piece for piece, is_boilerplate in flags if is_boilerplate]
        found.append([2 * _common(span, marked) > span.end - span.start for span in own])
    return found if any(map(any, found)) else None


def _common(span: Span, others: Sequence[Span]) -> int:
    """Return how many characters of a span are in one of others, which do not overlap."""
    ends = (min(span.end, other.end) - max(span.start, other.start) for other in others)
    return sum(max(length, 0) for length in ends)

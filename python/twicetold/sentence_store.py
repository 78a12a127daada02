"""Sentences that come one document after the other, each matched against all before it.

In memory; statistics are pinned, so that what was found never changes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from twicetold import _kernel
from twicetold.analysis import Analysed, Analyser
from twicetold.batches import batch_of
from twicetold.errors import ParameterError
from twicetold.pipeline import Detector
from twicetold.records import Document, Span
from twicetold.statistics import Statistics

__all__ = ["Reuse", "SentenceStore"]


class Reuse(NamedTuple):
    """A sentence of a new document, and an earlier one that matches it.

    ``number`` and ``earlier_number`` count the sentences of the two documents from 0; ``times`` is
    how often the earlier sentence came before, in the same words. ``score`` is the overlap
    of the new sentence, which asks.
    """

    document: str
    number: int
    span: Span
    earlier: str
    earlier_number: int
    earlier_span: Span
    times: int
    score: float


class SentenceStore:
    """The sentences of all documents added so far, by a detector that compares sentences.

    Adding documents in the order of time gives, for the same statistics, the matches of a scan in
    which the later sentence asks. ``all_occurrences`` tells each place of an earlier sentence,
    instead of the first.

    >>> from twicetold import PROFILES, Document, Statistics
    >>> from twicetold.detectors.word_overlap import WordOverlap
    >>> store = SentenceStore(WordOverlap(measure="plain"), Statistics(PROFILES["qsign"]))
    >>> store.add(Document(id="a", text="It rained. The old dam broke on Monday.", language="en"))
    []
    >>> for found in store.add(Document(id="b", text="A dam, old, broke.", language="en")):
    ...     print(found.document, found.span, found.earlier, found.earlier_span, found.score)
    b Span(start=0, end=18) a Span(start=11, end=39) 1.0
    """

    def __init__(
        self,
        detector: Detector,
        statistics: Statistics,
        *,
        language: str | None = None,
        all_occurrences: bool = False,
        threads: int = 0,
    ) -> None:
        self.detector = detector.with_statistics(statistics)
        verification = self.detector.verify()
        if detector.unit != "sentence" or verification is None:
            msg = f"{detector.name} compares whole documents; take a method that compares sentences"
            raise ParameterError(msg)
        self.statistics = statistics
        self._language = language
        self._all = all_occurrences
        self._threads = threads
        self._analyser = Analyser(statistics.profile)
        frequent = statistics.frequent_keys(detector.keys_form)
        try:
            self._stream = _kernel.SentenceStream(verification, frequent)
        except ParameterError:
            msg = (
                f"{detector.name} does not match sentences as they come with these parameters; "
                "take word-overlap, qsign, or rare-grams with min_overlap=0"
            )
            raise ParameterError(msg) from None
        self._kept = _kernel.Collection()

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def n_sentences(self) -> int:
        """How many different sentences are kept."""
        return self._stream.n_sentences

    @property
    def candidates(self) -> int:
        """How many earlier sentences were compared word by word, in all."""
        return self._stream.checked

    def add(self, document: Document) -> list[Reuse]:
        """Match a document against all before it, then keep it."""
        return self.add_all([document])

    def add_all(self, documents: Iterable[Document]) -> list[Reuse]:
        """Add one document after the other; a batch is analysed at once, which is faster."""
        batch = list(documents)
        analysed = self._analyse(batch)
        features = self.detector.features(analysed, self.statistics, threads=self._threads)
        found = self._stream.add(features, all=self._all)
        self._kept.add(batch_of(batch), analysed)
        return list(self._reuses(found, self._place))

    def search(self, document: Document) -> list[Reuse]:
        """Match a document against all that are kept, without keeping it."""
        analysed = self._analyse([document])
        spans = [Span(*span) for span, _ in analysed.sentences(0)]
        features = self.detector.features(analysed, self.statistics, threads=self._threads)
        found = self._stream.search(features, 0, all=self._all)
        return list(self._reuses(found, lambda _, number: (document.id, spans[number])))

    def _analyse(self, batch: list[Document]) -> Analysed:
        return self._analyser.analyse(
            [document.text for document in batch],
            languages=[self._language or document.language for document in batch],
            spans=True,
            threads=self._threads,
        )

    def _place(self, document: int, number: int) -> tuple[str, Span]:
        """Return the id of a document that is kept, and the span of one of its sentences."""
        place = self._kept.sentence(document, number)
        assert place is not None
        return self._kept.id(document), Span(*place[0])

    def _reuses(
        self, columns: tuple[bytes, ...], asking: Callable[[int, int], tuple[str, Span]]
    ) -> Iterator[Reuse]:
        n = len(columns[0]) // 4
        rows = zip(
            *(
                struct.unpack(f"<{n}{kind}", column)
                for kind, column in zip("IIIIId", columns, strict=True)
            ),
            strict=True,
        )
        for document, number, earlier, earlier_number, times, score in rows:
            name, span = asking(document, number)
            earlier_name, earlier_span = self._place(earlier, earlier_number)
            yield Reuse(
                name, number, span, earlier_name, earlier_number, earlier_span, times, score
            )

"""Documents that come: answered with what they are related to, while they are written."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from twicetold import _kernel
from twicetold.index.apart import answered
from twicetold.index.arrivals import Arrival
from twicetold.index.behind import Worker
from twicetold.index.database import SegmentRow
from twicetold.index.decision_texts import DecisionTexts
from twicetold.index.document_rows import rows_of
from twicetold.index.joining import FoundPairs, Told, join
from twicetold.index.keeping import Keeping
from twicetold.index.parts import EVER
from twicetold.index.placing import Known, going, place
from twicetold.index.preparing import Prepared, Ready
from twicetold.index.writing import BEHIND_THREADS, Writer
from twicetold.records import Document, Pair

__all__ = ["Answerer"]


class Answerer(Writer):
    """A writer that answers documents."""

    #: What was done with the documents at hand before they are added.
    ready: Ready = Ready()
    #: What was answered last, as long as somebody may ask for it.
    _told: Callable[[], Told | None] = staticmethod(lambda: None)

    def _worker_for(self, documents: Sequence[Document]) -> Worker | None:
        """Return who writes what is kept while others are looked for; None: that is too little."""
        if self.core.threads_for(documents) == 1:
            return None
        self._aside = self._aside or Worker("twicetold-segment")
        return self._aside

    def _answered(
        self,
        made: Prepared,
        coming: Sequence[Arrival],
        keep: Callable[[Prepared], Keeping],
        *,
        all_pairs: bool,
        answers: bool,
    ) -> tuple[list[SegmentRow], list[Sequence[Pair]]]:
        """Keep documents, inside a transaction, and answer each; returns their segments, too.

        What they are made of is gone then.
        """
        bundle, keys = made
        keeping = keep(made)
        pages: list[tuple[str, str]] = []
        try:
            keeping.begin()
            related = self._related(bundle, keys, coming) if answers else None
            rows = keeping.segments.result()
            expiring = _before(related, coming[-1].horizon)
            found = self._answers(related, bundle, coming, pages, all_pairs=all_pairs)
            keeping.rest.result()
            pages += going(self.database, expiring)
        except BaseException:
            # Nobody writes any more where all is undone.
            self._drop(keeping.end())
            raise
        return rows, found

    def _keeping(
        self,
        made: Prepared,
        *,
        numbers: Sequence[int],
        coming: Sequence[Arrival],
        worker: Worker | None,
    ) -> Keeping:
        """Write what is kept of documents, inside a transaction: many while others are looked for.

        Nobody else uses the database meanwhile. The segments that are written are not named yet.
        """
        kept = [n for n, one in enumerate(coming) if one.time >= coming[-1].horizon]
        name, texts, boilerplate = self._next_name(), self.ready.texts, self.core.boilerplate
        threads = self.core.threads if worker is None else BEHIND_THREADS

        def rest(segments: Sequence[SegmentRow]) -> None:
            rows = [(numbers[n], coming[n].time, coming[n].document) for n in kept]
            self.database.add_documents(rows_of(rows, boilerplate, texts))
            self._sync(segments)

        make = partial(self._segments, *made, kept, name, threads=threads)
        return Keeping(make, rest, worker)

    def _related(
        self, bundle: _kernel.Bundle, keys: _kernel.Postings, coming: Sequence[Arrival]
    ) -> _kernel.Bundle:
        threads = self.core.threads_for([arrival.document for arrival in coming])
        return self.core.related(bundle, keys, horizon=coming[0].horizon, threads=threads)

    def _answers(
        self,
        related: _kernel.Bundle | None,
        bundle: _kernel.Bundle,
        coming: Sequence[Arrival],
        pages: Known,
        *,
        all_pairs: bool,
    ) -> list[Sequence[Pair]]:
        """Return the pairs of each document with those that were there before it.

        The bundle is empty then. Where nobody looked for related ones there are none. What is to
        be known of ``pages`` when pairs are told may come until then.
        """
        if related is None:
            return [()] * len(coming)
        core = self.core
        threads = core.threads_for([arrival.document for arrival in coming])
        job = replace(core.job, all_pairs=all_pairs, threads=threads)
        gone = [one.document for one in coming if one.time < coming[-1].horizon]
        placing = partial(place, self.database, beside=gone, known=pages, is_committed=False)
        texts = DecisionTexts(core, (arrival.document for arrival in coming))
        scored, told = join(job, core.detector, related, bundle, placing, texts)
        self._told = weakref.ref(told)
        found = answered(related, scored, coming, all_pairs=all_pairs)
        return [FoundPairs(told, numbers) if numbers else () for numbers in found]

    def tell_in_full(self) -> None:
        """Make the last answers complete, before what they speak of may be gone."""
        if (told := self._told()) is not None:
            told.pairs()


def _before(related: _kernel.Bundle | None, horizon: int) -> list[str]:
    """Return the ids of documents that count as told before."""
    if related is None or horizon == EVER:
        return []
    entries = zip(related.ids, related.times, strict=True)
    return [name for name, time in entries if time < horizon]

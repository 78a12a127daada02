"""The texts that a learned decision reads: of documents that are stored, and of new ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from twicetold import _kernel
from twicetold.batches import batch_of
from twicetold.index.core import Core
from twicetold.records import Document

__all__ = ["DecisionTexts"]


class DecisionTexts:
    """The texts of the documents of a bundle, of which only those in pairs are read."""

    def __init__(self, core: Core, new: Iterable[Document] = ()) -> None:
        self._core = core
        self._new: Mapping[str, Document] = {document.id: document for document in new}

    def of(
        self, numbers: Sequence[int], ids: Sequence[str], *, threads: int = 0
    ) -> _kernel.DecisionTexts:
        """Return the texts of documents by their numbers in the database and their ids.

        A document that is new is not looked up.
        """
        stored = [
            number for number, name in zip(numbers, ids, strict=True) if name not in self._new
        ]
        rows = self._core.database.documents(stored, blanks=True)
        known = {document.id: document for _, _, document in rows}
        boilerplate = self._core.boilerplate
        documents = [
            boilerplate.without(self._new[name]) if name in self._new else known[name]
            for name in ids
        ]
        batch = batch_of(documents)
        analysed = self._core.beside().analyse_batch(
            batch, language=self._core.settings.language, spans=True, threads=threads
        )
        texts = _kernel.DecisionTexts()
        texts.add(batch, analysed)
        return texts

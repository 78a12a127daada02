"""What is done with documents before they are added, while those before them are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from twicetold import _kernel
from twicetold.index.core import Core
from twicetold.records import Document

__all__ = ["Packed", "Prepared", "Ready", "prepared"]

#: Documents, and their texts compressed, by the `id` of each.
Packed = tuple[list[Document], Mapping[int, bytes]]

#: Documents with their features, and the keys by which they are found.
Prepared = tuple[_kernel.Bundle, _kernel.Postings]

_NOTHING: Mapping[int, bytes] = MappingProxyType({})


class Ready:
    """Documents that come, with what is known of them already."""

    def __init__(
        self,
        documents: Sequence[Document] = (),
        texts: Mapping[int, bytes] = _NOTHING,
        made: Prepared | None = None,
    ) -> None:
        self.documents = documents
        #: Their texts compressed.
        self.texts = texts
        self._made = made

    def take(self, documents: Sequence[Document]) -> Prepared | None:
        """Return what was made of these documents; None if they are not all that came."""
        made, self._made = self._made, None
        if made is None or len(documents) != len(self.documents):
            return None
        are_same = all(a is b for a, b in zip(documents, self.documents, strict=True))
        return made if are_same else None


def prepared(core: Core, documents: Sequence[Document]) -> Prepared:
    """Return what is made of documents before they are added."""
    bundle = core.bundle(documents)
    return bundle, core.postings(bundle)

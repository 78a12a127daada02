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
        made_by: object = None,
    ) -> None:
        self.documents = documents
        #: Their texts compressed.
        self.texts = texts
        self._made, self._made_by = made, made_by

    def take(self, documents: Sequence[Document], made_by: object) -> Prepared | None:
        """Return what was made of these documents; None if they are not all that came.

        Nor if they are to be made by something else by now, such as other statistics.
        """
        made, self._made = self._made, None
        if made is None or made_by != self._made_by or len(documents) != len(self.documents):
            return None
        are_same = all(a is b for a, b in zip(documents, self.documents, strict=True))
        return made if are_same else None


def prepared(core: Core, documents: Sequence[Document]) -> Prepared:
    """Return what is made of documents before they are added."""
    bundle = core.bundle(documents)
    return bundle, core.postings(bundle)

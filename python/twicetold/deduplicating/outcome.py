"""What came of a deduplication: what is kept, what was removed, and how much that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from twicetold.deduplicating.contents import record_of, with_text
from twicetold.deduplicating.cutting import without
from twicetold.deduplicating.gathering import Gathered
from twicetold.deduplicating.records import Dropped, Removal, Shortened, Skipped
from twicetold.deduplicating.spool import Kept
from twicetold.documents import Fields
from twicetold.documents.whole import Content
from twicetold.pairs import Manifest

__all__ = ["Deduplicated"]


class Deduplicated:
    """What is kept, and what was removed.

    ``removals`` are in the order of the rows. Rows are set aside on disk as long as this lives.
    ``missing`` are preferred sources that no document has.
    """

    def __init__(
        self,
        gathered: Gathered,
        removals: list[Removal],
        manifest: Manifest,
        fields: Fields,
        missing: list[str],
    ) -> None:
        self.removals = removals
        self.manifest = manifest
        self.missing = missing
        self._gathered = gathered
        self._fields = fields
        self._by_place = {removal.at: removal for removal in removals}
        manifest.counts |= self.counts

    def __repr__(self) -> str:
        counts = self.counts
        return f"<Deduplicated: {counts['kept']} of {counts['read']} documents are kept>"

    def __len__(self) -> int:
        """Return how many rows were read, with those that make no document."""
        return len(self._gathered.own)

    @property
    def dropped(self) -> list[Dropped]:
        """The documents that were dropped."""
        return [one for one in self.removals if isinstance(one, Dropped)]

    @property
    def shortened(self) -> list[Shortened]:
        """The documents that are kept without some of their sentences."""
        return [one for one in self.removals if isinstance(one, Shortened)]

    @property
    def kept(self) -> list[str]:
        """The ids of the documents that are kept, in the order of the sources."""
        return [str(kept.id) for kept, removal in self.walk() if not _is_gone(removal)]

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many documents were read, kept, dropped for each reason and shortened."""
        dropped = Counter(one.reason for one in self.dropped)
        lengths = sum(self._gathered.lengths)
        skipped = len(self._gathered.reasons)
        others = len(self._gathered.others)
        against = {
            "against": others,
            "against, found": self._gathered.n_found,
            "against, found in": self._gathered.n_found_in,
        }
        return {
            "read": len(self) - skipped,
            "kept": len(self) - skipped - dropped.total(),
            "dropped": dropped.total(),
            **{f"dropped, {reason}": n for reason, n in dropped.most_common()},
            "shortened": len(self.shortened),
            "cuts": sum(len(one.cuts) for one in self.shortened),
            "skipped": skipped,
            "characters read": lengths,
            "characters dropped": sum(one.characters for one in self.dropped),
            "characters cut": sum(one.characters for one in self.shortened),
            **(against if others else {}),
        }

    def walk(self) -> Iterator[tuple[Kept, Removal | None]]:
        """Yield every row as it was read, with what was removed of it."""
        for at, kept in enumerate(self._gathered.own):
            yield kept, self._by_place.get(at)

    def row(self, at: int) -> Kept:
        """Return a row as it was read, by its place."""
        return self._gathered.own[at]

    def documents(self, wanted: set[tuple[str, bool]]) -> dict[tuple[str, bool], Kept]:
        """Return documents by id, and whether they belong to the other collection."""
        found = {}
        for spool, against in ((self._gathered.own, False), (self._gathered.others, True)):
            names = {name for name, is_other in wanted if is_other == against}
            for n in range(len(spool) if names else 0):
                if (name := spool.id_of(n)) in names:
                    found[name, against] = spool[n]
        return found

    def contents(self) -> Iterator[Content]:
        """Yield the rows that are kept, as they are to be written."""
        for kept, removal in self.walk():
            if not _is_gone(removal):
                yield self.content(kept, removal)

    def content(self, kept: Kept, removal: Removal | None) -> Content:
        """Return a row as it is to be written."""
        assert kept.content is not None
        if not isinstance(removal, Shortened):
            return kept.content
        text = without(kept.text, (cut.span for cut in removal.cuts))
        return with_text(kept.content, text, Fields() if kept.is_whole else self._fields)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield what is kept as records, with all the fields of the sources."""
        return map(record_of, self.contents())


def _is_gone(removal: Removal | None) -> bool:
    return isinstance(removal, Dropped | Skipped)

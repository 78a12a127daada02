"""How many documents came, and what became of them, in one line."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from twicetold.cli.exits import tell
from twicetold.index import Added
from twicetold.reports.words import count_of

__all__ = ["Outcomes"]


class Outcomes:
    """Counts what became of documents, and their pairs."""

    def __init__(self, *, quiet: bool, answers: bool = True) -> None:
        self._quiet = quiet
        self._answers = answers
        self._changed = 0
        self._counts: Counter[str] = Counter()
        self._pairs = 0
        self.documents = 0

    def __bool__(self) -> bool:
        return self.documents > 0

    def count(self, added: Added) -> None:
        """Take note of a document."""
        self.documents += 1
        self._counts["told again" if added.is_again else added.status] += 1
        self._pairs += len(added.pairs)
        if added.is_changed:
            self._changed += 1
            if self._changed == 1 and not self._quiet:
                tell(
                    f"{added.id}: is there with another text, which stays; "
                    "give it another id, or --on-duplicate replace"
                )

    def summary(self, horizon: datetime | None) -> str:
        """Say how many there were, and before which time documents are not kept."""
        why = {}
        if horizon is not None:
            why["expired"] = f" (told before {horizon:%Y-%m-%d %H:%M}, not kept)"
        if self._changed:
            why["skipped"] = f" ({self._changed:,} with another text than is kept)"
        counts = sorted(self._counts.items())
        words = [f"{n:,} {what}{why.get(what, '')}" for what, n in counts]
        answer = count_of(self._pairs, "pair") if self._answers else "not compared"
        return f"{', '.join(words) or 'nothing added'}; {answer}"

"""How many documents came, and what became of them, in one line."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from twicetold.index import Added
from twicetold.reports.words import count_of

__all__ = ["Outcomes"]


class Outcomes:
    """Counts what became of documents, and their pairs."""

    def __init__(self, *, answers: bool = True) -> None:
        self._answers = answers
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

    def summary(self, horizon: datetime | None) -> str:
        """Say how many there were, and before which time documents are not kept."""
        words = [f"{n:,} {what}" for what, n in sorted(self._counts.items())]
        if horizon is not None and self._counts["expired"]:
            n = words.index(f"{self._counts['expired']:,} expired")
            words[n] += f" (told before {horizon:%Y-%m-%d %H:%M}, not kept)"
        answer = count_of(self._pairs, "pair") if self._answers else "not compared"
        return f"{', '.join(words) or 'nothing added'}; {answer}"

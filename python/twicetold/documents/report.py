"""What went wrong while reading, counted by reason, and how far the reading has come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from twicetold.records import Problem

__all__ = ["NOTED", "SKIPPED", "Report"]

SKIPPED = {
    "bad csv": "a row that cannot be taken apart: a quote never closed, more cells than columns",
    "bad encoding": "a line or row with bytes that are not text in the encoding of its file",
    "bad json": "a line that is not one JSON object",
    "bad parquet": "a file, or the rest of it, that is not Parquet",
    "bad text": "the text is a number, a list or an object",
    "bad warc": "a record whose header, length or content coding does not hold",
    "duplicate id": "an earlier document of the file has this id; the earlier one is kept",
    "empty text": "the text is empty or only white space",
    "missing text": "no field or column with the text",
    "too long": "a line, record or document over the limit of 512 MB",
    "truncated": "the file ends or breaks in the middle; what came before is kept",
    "unreadable file": "the file cannot be opened or read, or is not a file",
}
"""Reasons for which a document (or a whole file) is left out, with their meaning."""

NOTED = {
    "bad date": "the date is in no known form; the document is kept without it",
    "bad id": "the id is no text and no exact number; file and line take its place",
    "shared id": "an earlier file has this id; the name of the file and `#` come before it",
    "replaced bytes": "bytes that are not text in any likely encoding became U+FFFD",
}
"""Reasons that are counted while the document is kept, with their meaning."""


@dataclass(slots=True, kw_only=True)
class Report:
    """A running account of one or more calls of `read`, in bounded memory.

    Pass one in, look at it at any time. ``problems`` keeps only the first ``keep``; all are
    counted, and ``on_problem`` sees each as it happens. ``others`` counts what was left out on
    purpose: files of no known format in a folder, records of a WARC that are no pages.

    ``bytes_read`` and ``bytes_total`` are measured on the files as they lie on disk, compressed or
    not, so that their ratio is the share of the work done; ``bytes_total`` is ``None`` before
    reading starts, and when a source is a pipe.

    >>> report = Report()
    >>> report.add(Problem("a.jsonl", 17, "bad json", "not JSON: unexpected end of data"))
    >>> report.add(Problem("a.jsonl", 30, "bad date", "no date: 'soon'"))
    >>> print(report.summary())
    1 skipped: 1 bad json; 1 noted: 1 bad date; first: a.jsonl:17: not JSON: unexpected end of data
    """

    on_problem: Callable[[Problem], None] | None = None
    keep: int = 100
    documents: int = 0
    bytes_read: int = 0
    bytes_total: int | None = None
    count: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)

    def add(self, problem: Problem) -> None:
        """Count a problem, and pass it on."""
        self.count[problem.reason] += 1
        if len(self.problems) < self.keep:
            self.problems.append(problem)
        if self.on_problem is not None:
            self.on_problem(problem)

    @property
    def skipped(self) -> int:
        """How many documents, lines or files were left out because something is wrong with them."""
        return sum(n for reason, n in self.count.items() if reason not in NOTED)

    @property
    def noted(self) -> int:
        """How many documents were kept although something is wrong with them."""
        return sum(n for reason, n in self.count.items() if reason in NOTED)

    def summary(self) -> str:
        """Say in one line how many were skipped and why, and quote the first problem."""
        parts = []
        for word, total, wanted in (("skipped", self.skipped, False), ("noted", self.noted, True)):
            if total:
                ranked = [(r, n) for r, n in self.count.most_common() if (r in NOTED) is wanted]
                parts.append(f"{total:,} {word}: " + ", ".join(f"{n:,} {r}" for r, n in ranked))
        parts += [
            f"{n:,} {name}{'s' * (n > 1)} left out" for name, n in sorted(self.others.items())
        ]
        if self.problems:
            parts.append(f"first: {self.problems[0]}")
        return "; ".join(parts) or "nothing skipped"

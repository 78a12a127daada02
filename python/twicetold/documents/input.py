"""What a reader is given: one opened file, and where to report what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, Literal, NamedTuple, TypedDict

from twicetold.batches import BATCH
from twicetold.errors import DocumentError
from twicetold.records import Problem, quoted

from .account import Account
from .compression import Stream
from .content import Content
from .fields import Fields
from .report import NOTED, Report

__all__ = [
    "LIMIT",
    "Among",
    "BeforeRead",
    "Format",
    "Input",
    "Options",
    "Reading",
    "printable",
    "quoted",
]

LIMIT = 512 << 20
"""The largest line, record or document in bytes; more is reported and passed over, never held."""


Format = Literal["txt", "md", "html", "jsonl", "csv", "parquet", "warc"]

BeforeRead = Callable[[IO[bytes]], None]
"""What is to be done before a block of a file is read."""

Among = Callable[[int], Sequence[int]]
"""Tells which of so many documents that come next are wanted, ascending from 0."""


Told = tuple[str, int | None, str, str]
"""A problem as it is told: path, line, reason, detail."""


class Reading(TypedDict, total=False):
    """How sources are read: the keywords that all readers of them share, as `read` tells them."""

    fields: Fields
    format: Format | None
    encoding: str | None
    content: Content
    strict: bool
    leave_out: Iterable[str | Path]
    report: Report | None


class Options(NamedTuple):
    """What the caller of `read` asked for, the same for every file."""

    sources: list[str]
    fields: Fields
    format: Format | None
    encoding: str | None
    strict: bool
    report: Report
    limit: int = LIMIT
    #: The keys of files that are not read.
    left_out: frozenset[str | None] = frozenset()
    content: Content = "full"
    before_read: BeforeRead | None = None
    #: Whether documents may be lines whose texts stay in the kernel.
    as_lines: bool = False
    #: What came of all files; None: nobody asks.
    account: Account | None = None
    #: Whether documents are kept whose id came before in their file.
    keeps_repeated: bool = False
    #: Problems that are reported later, when it is their turn; None: they are reported at once.
    held: list[Told] | None = None

    @property
    def by_kernel(self) -> bool:
        """Whether the kernel can make documents of JSON Lines, with all that these say of them."""
        return self.limit >= BATCH and self.fields.are_plain(about=True)

    def problem(self, path: str, line: int | None, reason: str, detail: str) -> None:
        """Report a problem; stop at it if ``strict`` was asked for and something would be lost."""
        if self.held is not None:
            self.held.append((path, line, reason, detail))
            return
        problem = Problem(printable(path), line, reason, detail)
        self.report.add(problem)
        if self.account is not None:
            self.account.add(reason, str(problem))
        if self.strict and reason not in NOTED:
            raise DocumentError(str(problem))


class Input:
    """One opened file.

    ``name`` is the file in problems and in the ids of documents that are whole files, ``label`` in
    the ids of records without one. ``line`` is the line, row or record where the reader is, and
    ``reason`` that of the last problem.
    """

    __slots__ = ("label", "line", "name", "options", "raw", "reason", "stream", "suffix")

    def __init__(
        self,
        *,
        name: str,
        label: str,
        suffix: str,
        stream: Stream,
        options: Options,
        raw: IO[bytes] | None,
    ) -> None:
        """Hold what belongs to the file; ``raw`` is the file itself, ``None`` if it is a pipe."""
        self.name = name
        self.label = label
        self.suffix = suffix
        self.stream = stream
        self.options = options
        self.raw = raw
        self.line: int | None = None
        self.reason: str | None = None

    @property
    def limit(self) -> int:
        """The largest line, record or document in bytes that may come at this place."""
        return self.stream.longest(self.options.limit)

    def problem(self, reason: str, detail: str) -> None:
        """Report a problem at the line where the reader is."""
        self.reason = reason
        self.options.problem(self.name, self.line, reason, detail)

    def named(self, line: int | None, before: str, after: str, n: int = 1) -> None:
        """Report that documents got other ids, because earlier files have theirs: once for all."""
        account = self.options.account
        if account is not None and account.is_first_shared():
            detail = (
                f"an earlier file has the id {quoted(before)}, too: here it is {quoted(after)}; "
                "others like it are changed likewise"
            )
            self.options.problem(self.name, line, "shared id", detail)
            n -= 1
        self.options.report.count["shared id"] += n


def printable(name: str) -> str:
    r"""Return a name so that it fits on one line of a terminal.

    >>> printable("çok/a\nb.txt")
    'çok/a\\nb.txt'
    """
    return name if name.isprintable() else repr(name)[1:-1]

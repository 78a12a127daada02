"""Web pages that lie in files, read together on all cores.

Files are opened and decoded one after the other; then a group of pages is read by the kernel at
once. What is wrong with a page is told when it is its turn, so that the order of problems, and
where ``strict`` stops, are those of pages read one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

from twicetold.records import Document

from .input import Input, Options, Told
from .sources import Found
from .text import whole

if TYPE_CHECKING:
    from twicetold.html.reading import Page

__all__ = ["Ahead", "in_groups"]

#: A group has so many pages or characters of markup. A larger file is no part of one.
_PAGES, _CHARACTERS = 256, 8_000_000

Open = Callable[[Found, Options], AbstractContextManager[Input | None]]


class Ahead(NamedTuple):
    """A file that was opened and decoded ahead of its turn; None where that failed.

    ``opening`` and ``closing`` are the problems that came until it was decoded, and after that.
    """

    options: Options
    given: Input | None
    markup: str | None
    opening: list[Told]
    closing: list[Told]

    def documents(self) -> Iterator[Document]:
        """Yield the page as a document; tell what is wrong with it before and after."""
        from .webpage import document_of

        for problem in self.opening:
            self.options.problem(*problem)
        if self.given is not None and self.markup is not None:
            self.given.options = self.options
            document = document_of(self.given, self.markup, id=self.given.name)
            if document is not None:
                yield document
        for problem in self.closing:
            self.options.problem(*problem)


def in_groups(
    files: Iterable[Found], options: Options, opened: Open
) -> Iterator[Found | list[Ahead]]:
    """Yield files as they are, but web pages in groups that have been read.

    While a group is worked on, the kernel reads the next one.
    """
    reading: _Reading | None = None
    for item in _gathered(files, options, opened):
        begun = None if isinstance(item, Found) else _Reading(item)
        if reading is not None:
            yield from reading.group()
        reading = begun
        if isinstance(item, Found):
            yield item
    if reading is not None:
        yield from reading.group()


def _gathered(
    files: Iterable[Found], options: Options, opened: Open
) -> Iterator[Found | list[Ahead]]:
    """Yield web pages in groups, opened and decoded, and other files as they are."""
    group: list[Ahead] = []
    size = 0
    for found in files:
        is_page = found.format == "html" and not found.is_pipe and found.size <= _CHARACTERS
        if is_page:
            group.append(_ahead(found, options, opened))
            size += len(group[-1].markup or "")
        if group and (not is_page or size > _CHARACTERS or len(group) == _PAGES):
            yield group
            group, size = [], 0
        if not is_page:
            yield found
    if group:
        yield group


def _ahead(found: Found, options: Options, opened: Open) -> Ahead:
    from .webpage import markup_of

    problems: list[Told] = []
    markup = None
    with opened(found, options._replace(held=problems)) as given:
        data = None if given is None else whole(given)
        if given is not None and data is not None:
            markup = markup_of(given, data)
        n = len(problems)
    return Ahead(options, given, markup, problems[:n], problems[n:])


class _Reading:
    """A group of pages that a thread has the kernel read."""

    def __init__(self, group: list[Ahead]) -> None:
        self._group = group
        self._error: BaseException | None = None
        self._pages: dict[str, Page] = {}
        self._thread = Thread(target=self._read, name="twicetold-pages", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        from twicetold.html.reading import read_together

        markups = [page.markup for page in self._group if page.markup is not None]
        try:
            self._pages = read_together(markups)
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            self._error = error

    def group(self) -> Iterator[list[Ahead]]:
        """Yield the group when it has been read."""
        from twicetold.html.reading import known

        self._thread.join()
        if self._error is not None:
            raise self._error
        with known(self._pages):
            yield self._group

"""Web pages that lie in files, read together on all cores.

Files are opened and decoded one after the other; then a group of pages is read by the kernel at
once. What is wrong with a page is told when it is its turn, so that the order of problems, and
where ``strict`` stops, are those of pages read one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import NamedTuple

from twicetold.records import Document

from .input import Input, Options, Told
from .sources import Found
from .text import whole

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
    """Yield files as they are, but web pages in groups, each read when it is handed out."""
    group: list[Ahead] = []
    size = 0
    for found in files:
        if found.format != "html" or found.is_pipe or found.size > _CHARACTERS:
            yield from _read(group)
            group, size = [], 0
            yield found
            continue
        page = _ahead(found, options, opened)
        group.append(page)
        size += len(page.markup or "")
        if size > _CHARACTERS or len(group) == _PAGES:
            yield from _read(group)
            group, size = [], 0
    yield from _read(group)


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


def _read(group: list[Ahead]) -> Iterator[list[Ahead]]:
    """Yield a group whose pages have been read, if it has any."""
    from twicetold.html.reading import forget_pages, read_together

    if not group:
        return
    try:
        read_together([page.markup for page in group if page.markup is not None])
        yield group
    finally:
        forget_pages()

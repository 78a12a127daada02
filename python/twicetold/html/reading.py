"""Pages read by the kernel: the one place where markup becomes text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

from twicetold import _kernel

__all__ = ["Page", "known", "page_of", "read_together"]

Page = _kernel.Page

#: The pages that were read together last, which are asked for soon. Never changed, only replaced.
_together: list[dict[str, Page]] = [{}]


def page_of(markup: str) -> Page:
    """Return a page: its visible text, what it says of itself, its nodes."""
    return _together[0].get(markup) or _page_of(markup)


@lru_cache(maxsize=4)  # a page is asked for its text, and soon after for its hierarchy
def _page_of(markup: str) -> Page:
    [page] = _kernel.read_pages([markup], threads=1)
    return page


def read_together(markups: Sequence[str]) -> dict[str, Page]:
    """Read pages on all cores."""
    return dict(zip(markups, _kernel.read_pages(markups, ready=True), strict=True))


@contextmanager
def known(pages: dict[str, Page]) -> Iterator[None]:
    """Let `page_of` know pages that were read together, until others are known or all is done."""
    _together[0] = pages
    try:
        yield
    finally:
        if _together[0] is pages:
            _together[0] = {}

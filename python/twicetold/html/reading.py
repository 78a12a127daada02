"""Pages read by the kernel: the one place where markup becomes text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from twicetold import _kernel

__all__ = ["Page", "forget_pages", "page_of", "read_together"]

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


def read_together(markups: Sequence[str]) -> None:
    """Read pages on all cores; `page_of` knows them until the next are read."""
    _together[0] = dict(zip(markups, _kernel.read_pages(markups, ready=True), strict=True))


def forget_pages() -> None:
    """Forget the pages that were read together."""
    _together[0] = {}

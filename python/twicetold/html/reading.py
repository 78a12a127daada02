"""A page read by the kernel: the one place where markup becomes text."""

from __future__ import annotations

from functools import lru_cache

from twicetold import _kernel

__all__ = ["Page", "page_of"]

Page = _kernel.Page


@lru_cache(maxsize=4)  # a page is asked for its text, and soon after for its hierarchy
def page_of(markup: str) -> Page:
    """Return a page: its visible text, what it says of itself, its nodes."""
    [page] = _kernel.read_pages([markup], threads=1)
    return page

"""Cells of CSV that a spreadsheet shows and does not run."""

from __future__ import annotations

import re

__all__ = ["from_cell", "to_cell"]

#: What a spreadsheet takes for a formula, also in full width, after any apostrophes that are put
#: before it: so what is written can be told from what was there.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


def to_cell(text: str) -> str:
    """Return a text as it is written: an apostrophe before what a spreadsheet would run.

    >>> to_cell("=1+1"), to_cell("-1.5"), to_cell("a=1")
    ("'=1+1", '-1.5', 'a=1')
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def from_cell(cell: str) -> str:
    """Return the text that `to_cell` wrote.

    >>> from_cell("'=1+1"), from_cell("'tis"), from_cell(to_cell("'=1"))
    ('=1+1', "'tis", "'=1")
    """
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell

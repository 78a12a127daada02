"""Text from anywhere, made safe to show on a terminal."""

from __future__ import annotations

__all__ = ["beginning", "cells_of", "printable", "shorten"]


def printable(text: str) -> str:
    r"""Write what cannot be seen, or would move the cursor, as an escape.

    >>> print(printable("news\x1b[2J/\u202etxt.a"))
    news\x1b[2J/\u202etxt.a
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def cells_of(text: str) -> int:
    """Return how many cells of a terminal a text takes.

    >>> cells_of("bridge"), cells_of("大桥")
    (6, 4)
    """
    if text.isascii() or all(map(_takes_one_cell, text)):
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _takes_one_cell(char: str) -> bool:
    """Whether a character is a letter of Latin, or one of the arrows and signs of our tables."""
    return char < "\u0300" or "\u2190" <= char <= "\u22ff"


def shorten(text: str, width: int, *, gap: str = "…") -> str:
    """Cut the middle out of a text that is wider than ``width`` cells of a terminal.

    >>> shorten("gazette/quarry-fire-update.html", 15)
    'gazette…te.html'
    """
    if cells_of(text) <= width:
        return text
    room = max(width - len(gap), 0)
    return _fitting(text, room - room // 2) + gap + _fitting(text[::-1], room // 2)[::-1]


def beginning(text: str, width: int) -> str:
    """Cut the end off a text that is wider than ``width`` cells of a terminal.

    >>> beginning("gazette/quarry-fire-update.html", 15)
    'gazette/quarry…'
    """
    return text if cells_of(text) <= width else _fitting(text, width - 1) + "…"


def _fitting(text: str, width: int) -> str:
    """Return as much of the beginning of a text as fits."""
    used = 0
    for n, char in enumerate(text):
        used += cells_of(char)
        if used > width:
            return text[:n]
    return text

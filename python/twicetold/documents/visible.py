"""The visible text of a page: what a reader sees, block by block, without the tags.

Two walkers fill it: one over the parsed tree, one over the bare tags of a page that is too wild to
be parsed (`markup`). The rules are here, once.
"""

from __future__ import annotations

import re

__all__ = ["BLOCKS", "CELLS", "PIECES", "UNSEEN", "VisibleText", "is_hidden"]

BLOCKS = frozenset(
    """address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
    figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu
    nav ol p pre search section summary table tbody tfoot thead tr ul""".split()
)
"""Elements that stand on lines of their own."""

CELLS = frozenset({"td", "th"})
"""Elements that stand beside each other in a row."""

UNSEEN = frozenset(
    """applet audio canvas datalist embed head iframe noembed noframes noscript object
    rp script select style svg template textarea title video""".split()
)
"""Elements whose content is not text on the page: code, form fields, what is shown in their stead."""

PIECES = frozenset(
    "applet audio button canvas embed iframe img input object select svg textarea video".split()
)
"""Elements that stand in a line like a word of their own, and so part the words beside them."""

_WHITE = " \t\n\r\f"
_RUN = re.compile(r"[ \t\n\r\f]{2,}|[\t\n\r\f]")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_GAPS = ("", " ", "\t", "\n", "\n\n")
_NOTHING, _SPACE, _TAB, _LINE, _BLOCK = range(5)


def is_hidden(style: str | None) -> bool:
    """Tell whether a ``style`` attribute hides its element.

    >>> is_hidden("color: red; display : none")
    True
    """
    return style is not None and _HIDING.search(style) is not None


class VisibleText:
    r"""Text being put together from pieces, with the widest gap asked for between two of them.

    A block is parted from its neighbours by a blank line, which ends a sentence for every splitter;
    cells of a row by a tab; ``<br>`` is a line end. White space is as the page shows it.

    >>> text = VisibleText()
    >>> text.add("  Shares \n fell"), text.block(), text.add("Oil rose ."), text.block()
    (None, None, None, None)
    >>> str(text)
    'Shares fell\n\nOil rose .'
    """

    __slots__ = ("_gap", "_pieces")

    def __init__(self) -> None:
        """Start with nothing."""
        self._pieces: list[str] = []
        self._gap = _NOTHING

    def __str__(self) -> str:
        return "".join(self._pieces)

    def add(self, data: str) -> None:
        """Add running text: white space counts as one space."""
        core = data.strip(_WHITE)
        if not core or core.isspace():
            self.space()
            return
        if data[0] in _WHITE:
            self.space()
        self._append(_RUN.sub(" ", core))
        if data[-1] in _WHITE:
            self._gap = _SPACE

    def add_preformatted(self, data: str) -> None:
        """Add text whose line ends and indents count; blank lines around it do not."""
        core = data.strip("\r\n")
        if not core or core.isspace():
            self._gap = max(self._gap, _LINE if "\n" in data else _SPACE)
            return
        if data[0] in "\r\n":
            self._gap = max(self._gap, _LINE)
        self._append(core)
        if data[-1] in "\r\n":
            self._gap = _LINE

    def block(self) -> None:
        """Start or end a block."""
        self._gap = _BLOCK

    def line_break(self) -> None:
        """Break the line; twice makes a blank line."""
        self._gap = _BLOCK if self._gap >= _LINE else _LINE

    def cell(self) -> None:
        """Start or end a cell."""
        self._gap = max(self._gap, _TAB)

    def space(self) -> None:
        """Part two words."""
        self._gap = max(self._gap, _SPACE)

    def _append(self, piece: str) -> None:
        if self._gap and self._pieces:
            self._pieces.append(_GAPS[self._gap])
        self._gap = _NOTHING
        self._pieces.append(piece)

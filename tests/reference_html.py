"""The visible text of a page, slowly: a walk over the tree that another parser builds."""
# ruff: noqa: SIM905 - lists of names are easier to read as one text

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from resiliparse.parse.html import HTMLTree, traverse_dom

_NOSCRIPT = re.compile(r"(</?)noscript\b", re.IGNORECASE)
_ELEMENT, _TEXT = 1, 3  # node types of the DOM
_NOWHERE = 1 << 60  # a depth that is never reached

BLOCKS = frozenset(
    """address article aside blockquote body caption center dd details dialog dir div dl dt
    fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend
    li main menu nav ol p pre search section summary table tbody tfoot thead tr ul xmp""".split()
)
"""Elements that stand on lines of their own."""

CELLS = frozenset({"td", "th"})
"""Elements that stand beside each other in a row."""

PIECES = frozenset(
    "applet audio button canvas embed iframe img input object select svg textarea video".split()
)
"""Elements that stand in a line like a word of their own, and so part the words beside them."""

UNSEEN = frozenset(
    """applet audio canvas datalist embed head iframe noembed noframes noscript object rp script
    select style svg template textarea title video""".split()
)
"""Elements whose content is no text of the page: code, form fields, a substitute for a picture."""

_WHITE = " \t\n\r\f"
_RUN = re.compile(r"[ \t\n\r\f]{2,}|[\t\n\r\f]")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_GAPS = ("", " ", "\t", "\n", "\n\n")
_NOTHING, _SPACE, _TAB, _LINE, _BLANK_LINE = range(5)
_GAP_OF = (
    dict.fromkeys(PIECES, _SPACE) | dict.fromkeys(CELLS, _TAB) | dict.fromkeys(BLOCKS, _BLANK_LINE)
)


def is_unseen(name: str, attribute: Callable[[str], str | None]) -> bool:
    """Tell whether an element and all inside it is not shown.

    >>> is_unseen("p", {"style": "color: red; display : none"}.get)
    True
    """
    if name in UNSEEN or attribute("hidden") is not None:
        return True
    style = attribute("style")
    return style is not None and _HIDING.search(style) is not None


class VisibleText:
    r"""Text being put together from pieces, with the widest gap asked for between two of them.

    A block is parted from its neighbours by a blank line, which ends a sentence for every splitter;
    cells of a row by a tab; ``<br>`` is a line end. White space is as the page shows it.

    >>> text = VisibleText()
    >>> text.add("  Shares \n fell")
    >>> text.boundary("p")
    >>> text.add("Oil rose.")
    >>> str(text)
    'Shares fell\n\nOil rose.'
    """

    __slots__ = ("_after_link", "_gap", "_pieces")

    def __init__(self) -> None:
        """Start with nothing."""
        self._pieces: list[str] = []
        self._gap = _NOTHING
        self._after_link = False

    def __str__(self) -> str:
        return "".join(self._pieces)

    def add(self, data: str, *, preformatted: bool = False) -> None:
        """Add the text between two tags; a run of white space shows as one space."""
        if preformatted:
            self._add_preformatted(data)
            return
        core = data.strip(_WHITE)
        if not core or core.isspace():
            self._gap = self._gap or _SPACE
            return
        if data[0] in _WHITE:
            self._gap = self._gap or _SPACE
        self._append(_RUN.sub(" ", core))
        if data[-1] in _WHITE:
            self._gap = _SPACE

    def boundary(self, name: str, *, end: bool = False) -> None:
        """Leave the gap that the start or the end of an element makes."""
        if name == "br":  # the second one leaves a blank line
            self._gap = _BLANK_LINE if self._gap >= _LINE else _LINE
        elif name == "a":  # links side by side are a list, even if only its style parts them
            if self._after_link and not end:
                self._gap = self._gap or _SPACE
            self._after_link = end
        elif name in _GAP_OF and _GAP_OF[name] > self._gap:
            self._gap = _GAP_OF[name]

    def _add_preformatted(self, data: str) -> None:
        """Keep line ends and indents; blank lines around the text do not count."""
        core = data.strip("\r\n")
        if not core or core.isspace():
            self._gap = max(self._gap, _LINE if "\n" in data else _SPACE)
            return
        if data[0] in "\r\n":
            self._gap = max(self._gap, _LINE)
        self._append(core)
        if data[-1] in "\r\n":
            self._gap = _LINE

    def _append(self, piece: str) -> None:
        if self._gap and self._pieces:
            self._pieces.append(_GAPS[self._gap])
        self._gap = _NOTHING
        self._after_link = False
        self._pieces.append(piece)


def visible_text(page: str) -> str:
    """Return the visible text of a page."""
    # An open <p> keeps </noscript> from closing, and the rest of the page would not be seen.
    tree = HTMLTree.parse(_NOSCRIPT.sub(r"\1template", page))
    walker = _Walker()
    assert tree.document is not None
    traverse_dom(tree.document, walker.start, walker.end)
    return str(walker.text)


class _Walker:
    """Called at each node of a tree, and at the end of each element that has children.

    ``_unseen`` and ``_pre`` are the depths of the outermost element that is not seen, or
    preformatted; since childless elements have no end, `start` notices that one was left.
    """

    __slots__ = ("_pre", "_unseen", "text")

    def __init__(self) -> None:
        self.text = VisibleText()
        self._unseen = self._pre = _NOWHERE

    def start(self, context: Any) -> None:
        node, depth = context.node, context.depth
        if depth <= self._unseen:
            self._unseen = _NOWHERE
        if depth <= self._pre:
            self._pre = _NOWHERE
        kind = node.type
        if kind == _TEXT:
            if self._unseen == _NOWHERE:
                self.text.add(node.value, preformatted=self._pre != _NOWHERE)
        elif kind == _ELEMENT:
            name = node.tag
            if self._unseen == _NOWHERE:
                self.text.boundary(name)
                if is_unseen(name, node.getattr):
                    self._unseen = depth
                elif name == "pre":
                    self._pre = min(self._pre, depth)

    def end(self, context: Any) -> None:
        if context.depth <= self._unseen:
            self.text.boundary(context.node.tag, end=True)

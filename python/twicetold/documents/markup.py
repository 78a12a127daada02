"""Pages too wild for a parser: recognise them, and still get their text.

A parser that follows the HTML standard takes quadratic time on deep nesting (200,000 open ``<div>``:
a minute) and on a tag with very many attributes, and can be made to build a million elements of a
few kilobytes of never closed ``<font>``. Tags are cheap to look at, so we look first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape

from .visible import BLOCKS, CELLS, PIECES, UNSEEN, VisibleText, is_hidden

__all__ = ["is_wild", "scan"]

DEPTH = 512  # as deep as browsers nest
NODES = 1_000_000
ATTRIBUTES = 2_000

_SMALL = 500  # tags: too few to do harm
_SHORT = 40_000  # characters: too few for harmful attributes

_RAW = "script style textarea title xmp iframe noembed noframes".split()
_ATTRIBUTES = r"""(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+"""
_TOKEN = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    + "".join(
        rf"|<({name})(?=[\s/>])({_ATTRIBUTES})>[^<]*+(?:<(?!/{name}[\s/>])[^<]*+)*+" for name in _RAW
    )
    + rf"|<(/?)([a-z][^\s/>]*+)({_ATTRIBUTES})>|<[!?/][^>]*+>?",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?""")
_VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()
)
_REPEATED = frozenset("dd dt li option p rp rt tbody td tfoot th thead tr".split())
_FORMATTING = frozenset("b big code em font i s small strike strong tt u".split())
_WALLS = frozenset("applet caption html marquee object table td template th".split())
_TABLE = frozenset("caption table tbody td tfoot th thead tr".split())

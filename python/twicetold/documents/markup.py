"""Pages too wild for a parser: recognise them, and still get their text.

A parser that follows the HTML standard takes quadratic time on deep nesting (a minute for 200,000
open ``<div>``) and on a tag with very many attributes, and can be made to build a million elements
of a few kilobytes of never closed ``<font>``. Tags are cheap to look at, so we look first.
"""
# ruff: noqa: SIM905 - lists of names are easier to read as one text

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

from .about import About
from .visible import VisibleText, is_unseen

__all__ = ["is_wild", "scan"]

DEPTH = 512  # as deep as browsers nest
NODES = 1_000_000
ATTRIBUTES = 2_000

_FEW_TAGS = 2_000  # too few to do harm: at most a million elements, in a quarter of a second
_SHORT_PAGE = 200_000  # characters; no room for attributes that take more than two seconds

_ATTRIBUTES = r"""(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+"""
_RAW = "script|style|textarea|title|xmp|iframe|noembed|noframes"  # their content is no markup
_TOKEN = re.compile(
    r"<!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z))"
    rf"|<(?P<raw>{_RAW})(?=[\s/>])(?P<raw_attributes>{_ATTRIBUTES})(?:>|\Z)"
    r"(?P<content>(?:[^<]++|<(?!/(?P=raw)[\s/>]))*+)"
    rf"|<(?P<end>/?)(?P<name>[a-z][^\s/>]*+)(?P<attributes>{_ATTRIBUTES})(?:>|\Z)"
    r"|<[!?/][^>]*+>?",  # a declaration, or rubbish that counts as a comment
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?""")

_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_FORMATTING = frozenset("b big code em font i s small strike strong tt u".split())
_REPEATED = frozenset("dd dt li option p td th tr".split())  # a start tag ends one of its kind
_PICTURE = frozenset(
    """circle clippath defs ellipse filter g image line lineargradient mask path pattern polygon
    polyline radialgradient rect stop svg symbol text tspan use""".split()
)
_FOREIGN = frozenset({"math", "svg", "?"})  # pictures, formulas, and pictures with HTML inside
_ROOTS = frozenset({"body", "html"})
_NONE: dict[str, str] = {}


def is_wild(page: str) -> bool:
    """Tell whether a parser could need far more time or memory than the page is worth.

    The count errs on the side of wildness, for `scan` reads an ordinary page just as well: only an
    end tag right where it belongs ends an element, all others are taken to end nothing.
    """
    if page.count("<") <= _FEW_TAGS and len(page) <= _SHORT_PAGE:
        return False
    nodes = unclosed = concealed = 0
    stack: list[str] = []
    for token in _TOKEN.finditer(page):
        if token.end() - token.start() > ATTRIBUTES and _attributes(token) > ATTRIBUTES:
            return True
        name = token["name"]
        if name is None:
            concealed += _concealed(stack, token)
        elif token["end"]:
            name = name.lower()
            if stack and stack[-1] == name and name not in _ROOTS:
                stack.pop()
                unclosed -= name in _FORMATTING
        else:
            # A new element takes along a copy of each formatting element left open before it.
            nodes += 1 + unclosed
            unclosed += (name := name.lower()) in _FORMATTING
            _open(stack, name, token["attributes"])
        if len(stack) > DEPTH or nodes > NODES or concealed > DEPTH:
            return True
    return False


def _attributes(tag: re.Match[str]) -> int:
    text = tag["attributes"] or tag["raw_attributes"] or ""
    return sum(1 for _ in _ATTRIBUTE.finditer(text))


def _concealed(stack: list[str], token: re.Match[str]) -> int:
    """Count what may be tags in content that a parser takes for markup in certain places."""
    raw = (token["raw"] or "script").lower()
    if raw in ("script", "style") and "select" not in stack and _FOREIGN.isdisjoint(stack):
        return 0
    return (token["content"] or "").count("<")


def _open(stack: list[str], name: str, attributes: str) -> None:
    if name in _VOID and _FOREIGN.isdisjoint(stack):
        return
    if stack and stack[-1] in _PICTURE:
        if name not in _PICTURE:
            stack[-1] = "?"  # HTML in a picture may end it, and then a slash ends nothing
        elif attributes.endswith("/"):
            return
    if not (name in _REPEATED and stack and stack[-1] == name):
        stack.append(name)


def scan(page: str, text: VisibleText, about: About) -> None:
    """Add the visible text of a page, tag by tag, and what its start tags tell about it.

    No tree is built: an element that is not seen ends at the end tag that balances its start tag.
    """
    scanner = _Scanner(text, about)
    position = 0
    for token in _TOKEN.finditer(page):
        start, end = token.span()
        if position < start:
            scanner.data(page[position:start])
        position = end
        raw, raw_attributes, content, slash, name, attributes = token.groups()
        if raw:
            scanner.raw(raw.lower(), raw_attributes, content)
        elif slash:
            scanner.end(name.lower())
        elif name:
            scanner.start(name.lower(), attributes)
    scanner.data(page[position:])


class _Scanner:
    """Called at each tag and at the text between two tags."""

    def __init__(self, text: VisibleText, about: About) -> None:
        self._text = text
        self._about = about
        self._unseen: str | None = None  # the outermost element we are in that is not seen
        self._inside = 0  # how many elements of that name we are in
        self._pre = 0

    def data(self, data: str) -> None:
        if self._unseen is None and data:
            self._text.add(unescape(data), preformatted=self._pre > 0)

    def raw(self, name: str, attributes: str, content: str) -> None:
        """Take an element whose content is no markup; its end tag comes as one without a start."""
        if name == "title":
            self._about.titled(unescape(content))
        if self._unseen is None:
            self._text.boundary(name)
            if not is_unseen(name, _getter(attributes)):
                self._text.add(content, preformatted=True)

    def start(self, name: str, attributes: str) -> None:
        attribute = _getter(attributes)
        self._about.element(name, attribute)
        if self._unseen is not None:
            self._inside += name == self._unseen and name not in _REPEATED
            if name != self._unseen or name not in _REPEATED:
                return
            self._unseen = None  # the next <li> ends the one that was hidden
        self._text.boundary(name)
        self._pre += name == "pre"
        if name not in _VOID and is_unseen(name, attribute):
            self._unseen, self._inside = name, 1

    def end(self, name: str) -> None:
        if self._unseen is not None:
            self._inside -= name == self._unseen
            if self._inside:
                return
            self._unseen = None
        self._text.boundary(name, end=True)
        self._pre = max(0, self._pre - (name == "pre"))


def _getter(attributes: str) -> Callable[[str], str | None]:
    """Return a function that finds the value of an attribute, ``None`` where there is none."""
    if not attributes:
        return _NONE.get
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(attributes[:10_000]):
        found.setdefault(name.lower(), unescape(double or single or bare))
    return found.get

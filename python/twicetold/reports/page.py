"""Pages that need nothing but themselves: a template with its style and its script inside.

What documents say is escaped by the template; data for the script is JSON in which no tag can end.
Beyond that, the page forbids the browser everything but the style and the script it came with, by
their hashes: nothing from a document would run even if it slipped through.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["render", "shown"]

#: Characters that a browser would change, drop or obey, each with one that is seen.
_SHOWN = {
    **{code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"},
    0x0D: 0x20,
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
    **dict.fromkeys(range(0xD800, 0xE000), 0xFFFD),
    **dict.fromkeys((0xFFFE, 0xFFFF), 0xFFFD),
}

_UNSEEN = re.compile(f"[{re.escape(''.join(map(chr, _SHOWN)))}]")

#: What could end a script element or a line of a script.
_ESCAPED = tuple((char, f"\\u{ord(char):04x}") for char in "<>&\u2028\u2029")


def shown(text: str) -> str:
    r"""Return a text as a page shows it; each character stays in its place.

    >>> shown("a\x00b\r\nc")
    'a␀b \nc'
    """
    return text.translate(_SHOWN) if _UNSEEN.search(text) else text


def render(
    template: str,
    data: dict[str, Any],
    *,
    scripts: Sequence[str] = (),
    also: Sequence[str] = (),
    more: Mapping[str, dict[str, Any]] = MappingProxyType({}),
    **values: Any,
) -> bytes:
    """Return a page: ``NAME.html`` with ``NAME.css`` and ``NAME.js``, which gets ``data``.

    All pages share ``shared.css`` and ``shared.js``; ``scripts`` are further ones that come
    before the page's own, ``also`` parts whose style and script come behind. ``more`` is data by
    name that is not parsed when the page opens.
    """
    style = "".join(_part(f"{name}.css") for name in ("shared", template, *also))
    code = "".join(_part(f"{name}.js") for name in ("shared", *scripts, template, *also))
    script = f'"use strict";\n(() => {{\n{code}}})();\n'
    page = _environment().get_template(f"{template}.html")
    text = page.render(
        style=style,
        script=script,
        policy=(
            f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
            "base-uri 'none'; form-action 'none'"
        ),
        data=_json(data),
        more={name: _json(own) for name, own in more.items()},
        **values,
    )
    return text.encode()


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    # Markup is only what the templates say is: everything else is escaped.
    return Environment(
        loader=FunctionLoader(_part),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _part(name: str) -> str:
    return (files("twicetold.reports") / "templates" / name).read_text("utf-8")


def _hash(content: str) -> str:
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _json(data: dict[str, Any]) -> str:
    """Return JSON that can stand inside a script element, whatever texts it holds.

    Texts must have gone through `shown`: half a character cannot be written.
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for char, escape in _ESCAPED:
        text = text.replace(char, escape)
    return text

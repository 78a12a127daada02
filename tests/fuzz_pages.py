"""Throw mutated pages at the reader of HTML: nothing breaks, no offset is wrong, every tree is one.

::

    python -m tests.fuzz_pages --inputs 1000000 [--seed N] [--seconds S]

The same seed makes the same pages. They are read on threads with a stack of 128 kB.
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path
from typing import Any

from tests import hostile
from tests.fuzz import SPACES, Wrong, run
from twicetold import _kernel
from twicetold.errors import TwicetoldError
from twicetold.html import ROLES

BATCH = 1_000
#: The stack of the kernel's threads in bytes; the usual one has two million.
STACK = 128 << 10
SEEDS = [path.read_text() for path in sorted((Path(__file__).parent / "pages/news").glob("*.html"))]
TAGS = """html head title body h1 h2 h6 p div section article nav footer ul ol li dl dt dd table
    thead tbody tr td th caption figure figcaption details summary blockquote pre address b i a
    font span br hr img svg math foreignObject template select option script style textarea
    noscript iframe object button ruby rp rt form fieldset legend frameset plaintext x-y""".split()  # noqa: SIM905
ENDS = ["", ">", "/>", " hidden>", " colspan=3>", " rowspan=0>", " rowspan=999999999>", " style='"]
PIECES = [
    *(f"<{slash}{tag}{end}" for tag in TAGS for slash in ("", "/") for end in ENDS),
    *("<!--", "-->", "<![CDATA[", "]]>", "<?xml ", "&amp;", "&#0;", "&notin", "\0", "<", ">", "'"),
]
#: What is repeated in a page, ten thousand times.
REPEATED = [
    *(" a='b'", '"a="b', ' a="b"', " a=b", " a", "/", "=", "&amp;", "&a", "&#9", "9", "a", "\0"),
    *("-", "<!--", "--!>", "-->", "]", "]]>", "</", "<", "</>", "\r", "<!doctype html>", "' \""),
    *(f"<{slash}{tag}>{text}" for tag in TAGS for slash in ("", "/") for text in ("", "x")),
    *("<table><tr><td>", "<ul><li>", "<svg><desc>", "<script><!--", "<td colspan=1000>", "<tr>"),
]


def long_page(rng: random.Random) -> str:
    """Return a page that holds something very often."""
    before = "".join(rng.choice(PIECES) for _ in range(rng.randrange(4)))
    part = rng.choice(REPEATED)
    return before + part * rng.randrange(10_000) + "".join(rng.choices(PIECES, k=2))


def page(rng: random.Random) -> str:
    """Return a page that something has happened to."""
    if rng.randrange(200) == 0:
        return long_page(rng)
    kind = rng.randrange(4)
    if kind == 0:
        return hostile.text(rng)
    if kind == 1:
        return "".join(
            rng.choice(PIECES) + rng.choice(("", "x", " oil. Gas", "\n", "長江", "\x85"))
            for _ in range(rng.randrange(60))
        )
    given = rng.choice(SEEDS)
    for _ in range(rng.randrange(1, 12)):
        start = rng.randrange(len(given) + 1)
        end = min(start + rng.randrange(80), len(given))
        part = rng.choice(
            (rng.choice(PIECES), "", given[start:end] * 3, hostile.mutated(rng, given[start:end]))
        )
        given = given[:start] + part + given[end:]
    return given[: rng.randrange(len(given))] if kind == 2 else given


WHITE = "".join(SPACES)


def fault(read: _kernel.Page) -> str | None:
    """Return what is wrong with the tree of a page."""
    text, end = read.text, 0
    stack: list[int] = []
    for number, (parent, role, (start, stop), path, headers) in enumerate(read.nodes()):
        if number:
            while stack and stack[-1] != parent:
                stack.pop()
            if not stack:
                return f"node {number} is not in pre-order"
        stack.append(number)
        if role not in ROLES or not path.startswith("html") or any(n >= number for n in headers):
            return f"node {number}: {role}, {path}, {headers}"
        if start < stop:
            if start < end or text[end:start].strip(WHITE) or not text[start:stop].strip(WHITE):
                return f"node {number} is {start}..{stop} after {end}"
            end = stop
    return "text behind the last node" if text[end:].strip(WHITE) or end > len(text) else None


def fuzz(inputs: int, seed: int, seconds: float = float("inf")) -> dict[str, Any]:
    """Try so many pages, or for so long; return what came of it. `Wrong` is raised if it must."""
    rng = random.Random(seed)
    started = time.perf_counter()
    done = nodes = 0
    while done < inputs and time.perf_counter() < started + seconds:
        pages = [page(rng) for _ in range(min(BATCH, inputs - done))]
        try:
            found = _kernel.read_pages(pages, threads=2)
        except TwicetoldError as error:
            raise Wrong(error, pages) from error
        for given, read in zip(pages, found, strict=True):
            what = fault(read)
            if what is not None:
                raise Wrong(what, given)
            nodes += read.n_nodes
        done += len(pages)
    seconds = round(time.perf_counter() - started, 1)
    return {"pages": done, "nodes": nodes, "seconds": seconds, "seed": seed}


if __name__ == "__main__":
    os.environ["RUST_MIN_STACK"] = str(STACK)  # read when the first thread starts
    sys.exit(run("tests.fuzz_pages", __doc__, fuzz))

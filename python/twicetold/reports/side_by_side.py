"""Pairs of texts for people to read: beside each other on a page, or as Markdown.

Texts are whole. On a page the rest of a long one is folded away, and words that both have in a row
are marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from twicetold.errors import ParameterError
from twicetold.records import Document
from twicetold.reports.files import replacing
from twicetold.reports.page import render, shown
from twicetold.reports.words import count_of

__all__ = ["SUFFIXES", "Entry", "Side", "check_readable", "side_of", "write_side_by_side"]

#: What can be written, by suffix.
SUFFIXES = (".html", ".md", ".txt")

#: So many characters of a text are seen before it is folded.
_UNFOLDED = 2500
#: So many words in a row that both texts have are marked.
_RUN = 5
#: A word, or one character of a script that has no spaces.
_WORD = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u9fff]+")


class Side(NamedTuple):
    """One of the texts: what it is called here, its id, what is known of it, all of its text."""

    heading: str
    id: str
    about: str
    text: str


class Entry(NamedTuple):
    """Texts that belong together, a title, and lines that say what there is to see."""

    title: str
    lines: Sequence[str]
    sides: Sequence[Side]


def side_of(heading: str, id: str, document: Document | None) -> Side:  # noqa: A002
    """Return the side of a document; one that nobody found has no text."""
    if document is None:
        return Side(heading, id, "not among the documents", "")
    published = document.published
    when = published and (published if document.has_time else published.date()).isoformat()
    size = count_of(len(document.text), "character")
    known = (document.title, document.source, when, size)
    return Side(heading, id, " · ".join(part for part in known if part), document.text)


def check_readable(path: str | Path) -> None:
    """Raise `ParameterError` unless the suffix is one that can be written."""
    if Path(path).suffix.lower() not in SUFFIXES:
        msg = f"{path}: texts are written for reading as {', '.join(SUFFIXES)}; name the file so"
        raise ParameterError(msg)


def write_side_by_side(
    path: str | Path, title: str, summary: Sequence[str], entries: Sequence[Entry]
) -> None:
    """Write a page or Markdown, by the suffix of the path; the file appears when complete."""
    check_readable(path)
    is_page = Path(path).suffix.lower() == ".html"
    with replacing(path) as file:
        if is_page:
            file.write(_page(title, summary, entries))
        else:
            for line in _markdown(title, summary, entries):
                file.write(f"{line}\n".encode("utf-8", "replace"))


def _page(title: str, summary: Sequence[str], entries: Sequence[Entry]) -> bytes:
    rows = []
    for entry in entries:
        marks = _common([side.text for side in entry.sides])
        sides = [
            {
                "heading": side.heading,
                "id": shown(side.id),
                "about": shown(side.about),
                **_folded(side.text, own),
            }
            for side, own in zip(entry.sides, marks, strict=True)
        ]
        lines = [shown(line) for line in entry.lines]
        rows.append({"title": shown(entry.title), "lines": lines, "sides": sides})
    summary = [shown(line) for line in summary]
    return render("texts", {}, title=shown(title), summary=summary, entries=rows)


def _common(texts: Sequence[str]) -> list[list[tuple[int, int]]]:
    """Return for each text the stretches of words that another one has in the same order."""
    words = [[(m.start(), m.end()) for m in _WORD.finditer(text)] for text in texts]
    runs = []
    for text, spans in zip(texts, words, strict=True):
        folded = [text[start:end].casefold() for start, end in spans]
        runs.append([tuple(folded[n : n + _RUN]) for n in range(len(folded) - _RUN + 1)])
    found = []
    for n, spans in enumerate(words):
        others = {run for m, own in enumerate(runs) if m != n for run in own}
        marked = [False] * len(spans)
        for place, run in enumerate(runs[n]):
            if run in others:
                marked[place : place + _RUN] = [True] * _RUN
        found.append(list(_stretches(spans, marked)))
    return found


def _stretches(
    spans: Sequence[tuple[int, int]], marked: Sequence[bool]
) -> Iterator[tuple[int, int]]:
    start = None
    for n, is_marked in enumerate(marked):
        if is_marked and start is None:
            start = spans[n][0]
        if start is not None and (not is_marked or n + 1 == len(marked)):
            yield start, spans[n if is_marked else n - 1][1]
            start = None


def _folded(text: str, marks: Sequence[tuple[int, int]]) -> dict[str, object]:
    """Return the pieces of a text that are seen, and those that are folded away."""
    cut = len(text)
    if len(text) > _UNFOLDED * 1.2:
        # Not within a word, where there is a space to be found.
        space = text.rfind(" ", _UNFOLDED // 2, _UNFOLDED)
        cut = space if space > 0 else _UNFOLDED
    return {
        "pieces": _pieces(text, marks, 0, cut),
        "folded": _pieces(text, marks, cut, len(text)),
        "rest": len(text) - cut,
    }


def _pieces(
    text: str, marks: Iterable[tuple[int, int]], start: int, end: int
) -> list[tuple[bool, str]]:
    """Return a stretch of a text in pieces, and whether each is marked."""
    found, at = [], start
    for begin, stop in marks:
        first, last = max(begin, at), min(stop, end)
        if first < last:
            found += [(False, shown(text[at:first])), (True, shown(text[first:last]))]
            at = last
    return [piece for piece in [*found, (False, shown(text[at:end]))] if piece[1]]


def _markdown(title: str, summary: Sequence[str], entries: Sequence[Entry]) -> Iterator[str]:
    yield f"# {_line(title)}"
    yield ""
    yield from (f"- {_line(line)}" for line in summary)
    for entry in entries:
        yield ""
        yield f"## {_line(entry.title)}"
        yield ""
        yield from (f"- {_line(line)}" for line in entry.lines)
        for side in entry.sides:
            yield ""
            yield f"### {_line(side.heading)}: {_line(side.id)}"
            yield ""
            yield _line(side.about)
            yield ""
            longest = max((len(run) for run in re.findall(r"`+", side.text)), default=0)
            fence = "`" * max(longest + 1, 3)
            yield f"{fence}text\n{side.text}\n{fence}"


def _line(text: str) -> str:
    return " ".join(text.split())

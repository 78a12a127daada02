"""Words, sentences and paragraphs of any text, by rules that are plain on purpose.

The benchmark must not cut text with the splitter of the program it measures.
"""

import re
from typing import NamedTuple

# Scripts without spaces: each character counts as a word.
_CHARACTERS = "\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_LETTERS = rf"[^\W_{_CHARACTERS}]+"
_WORD = re.compile(rf"([{_CHARACTERS}]|{_LETTERS}(?:['\u2019]{_LETTERS})?)")

_OPENING, _CLOSING = r"[\"'(\[\u201c\u2018]?", r"[\"')\]\u201d\u2019]*"
_SPACED_END = re.compile(rf"[.!?\u2026]{_CLOSING}\s+(?={_OPENING}[^\W_a-z])|\n")
_UNSPACED_END = re.compile(r"[\u3002\uff01\uff1f][\u201d\u2019\u300d\u300f\uff09]*")
_TITLES = "Mr|Mrs|Ms|Dr|Prof|St|Sen|Rep|Gov|Gen|Inc|Co|Corp|Ltd|No|Jr|vs|[A-Z][a-z]{2}"
_ABBREVIATION = re.compile(rf"\b(?:[^\W\d_]|{_TITLES})\.$")
_BLANK_LINE = re.compile(r"\n\s*\n")
_MOST_WORDS, _RUN = 150, 4


class Span(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int


def word_spans(text: str) -> list[Span]:
    """Return where the words are; Chinese, Japanese and Thai characters are words."""
    return [Span(*match.span()) for match in _WORD.finditer(text)]


def pieces(text: str) -> list[str]:
    """Return words and what stands between them, in turn: joined, they are the text again."""
    return _WORD.split(text)


def sentences(text: str) -> list[Span]:
    """Return the sentences: they end at a stop before a capital letter, and at every line end."""
    ends = [match.end() for match in _SPACED_END.finditer(text) if not _is_abbreviation(match)]
    ends += [match.end() for match in _UNSPACED_END.finditer(text)]
    spans = []
    start = 0
    for end in [*sorted(ends), len(text)]:
        sentence = text[start:end]
        left = start + len(sentence) - len(sentence.lstrip())
        right = start + len(sentence.rstrip())
        if right > left:
            spans.append(Span(left, right))
        start = end
    return spans


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs; where no blank line ends them, runs of four sentences."""
    found = []
    for block in _BLANK_LINE.split(text):
        if len(block.split()) <= _MOST_WORDS and len(block) <= 10 * _MOST_WORDS:
            found.append(block.strip())
            continue
        spans = sentences(block)
        for first in range(0, len(spans), _RUN):
            run = spans[first : first + _RUN]
            found.append(block[run[0].start : run[-1].end])
    return [paragraph for paragraph in found if paragraph]


def _is_abbreviation(match: re.Match[str]) -> bool:
    """Tell whether the stop ends "J." or "Sen." rather than a sentence."""
    if match.group()[0] != ".":
        return False
    before = match.string[max(0, match.start() - 8) : match.start() + 1]
    return _ABBREVIATION.search(before) is not None

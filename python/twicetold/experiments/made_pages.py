"""Web pages for experiments: what a page tells itself, and pages made of sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from random import Random
from typing import NamedTuple

from twicetold.comparing.sentences import analyse_sentences
from twicetold.errors import ParameterError
from twicetold.experiments.collection import take
from twicetold.experiments.frame import Setting
from twicetold.experiments.text.edits import WordStock, change_words
from twicetold.experiments.text.spans import word_spans
from twicetold.html import Boilerplate, outline
from twicetold.html.boilerplate import blanked
from twicetold.html.reading import page_of
from twicetold.records import Document

__all__ = ["Told", "edited", "made_page", "take_pages", "told_by"]

#: Sentences of so many words are taken.
_WORDS = (8, 45)
#: They end so.
_ENDS = (".", "!", "?")
#: Nodes of these roles tell something.
_ROLES = ("body", "list", "quote")


class Told(NamedTuple):
    """A page, and its own sentences of usual length: not those that its site repeats."""

    page: Document
    sentences: tuple[str, ...]


def take_pages(setting: Setting, *, least: int) -> list[Document]:
    """Return the pages among the documents of the data; there must be some."""
    documents = take(setting)
    pages = [document for document in documents if document.html is not None]
    if len(pages) < least:
        msg = f"this experiment needs at least {least} web pages, got {len(pages)}"
        raise ParameterError(msg)
    return pages


def told_by(pages: Iterable[Document], boilerplate: Boilerplate) -> list[Told]:
    """Return pages with what each tells itself, nothing that an earlier one has told."""
    seen: set[str] = set()
    found = []
    for page in pages:
        own = [text for text in _sentences(page, boilerplate) if text not in seen]
        seen.update(own)
        found.append(Told(page, tuple(dict.fromkeys(own))))
    return found


def _sentences(page: Document, boilerplate: Boilerplate) -> Iterator[str]:
    text = blanked(page.text, boilerplate.spans(page))
    [spans] = analyse_sentences([text], [page.language], threads=1).spans
    tree = outline(page, sentences=spans)
    numbers = [n for node in tree.nodes[1:] if node.role in _ROLES for n in node.sentences]
    told = [" ".join(text[spans[n].start : spans[n].end].split()) for n in numbers]
    twice = [f"{sentence} {sentence}" for sentence in told]
    cut = analyse_sentences(twice, [page.language] * len(told), threads=1).spans
    for sentence, pieces in zip(told, cut, strict=True):
        # One that is cut elsewhere between others is of no use.
        ends = [piece.end for piece in pieces]
        is_whole = ends == [len(sentence), 2 * len(sentence) + 1] and sentence.endswith(_ENDS)
        if is_whole and _WORDS[0] <= len(word_spans(sentence)) <= _WORDS[1]:
            yield sentence


def edited(sentence: str, share: float, stock: WordStock, rng: Random) -> str:
    """Return a sentence with a share of its words changed, which begins as sentences do."""
    changed = " ".join(change_words(sentence, share, stock, rng).split())
    return changed[:1].upper() + changed[1:]


def made_page(
    name: str, sentences: Sequence[str], rng: Random, *, source: str, language: str | None
) -> Document:
    """Return a page of headings, paragraphs, lists and quotations with some sentences."""
    parts = [f"<title>{escape(name)}</title>"]
    waiting = list(sentences)
    while waiting:
        n = rng.randint(1, 4)
        told, waiting = [escape(text) for text in waiting[:n]], waiting[n:]
        kind = rng.random()
        if kind < 0.6:  # noqa: PLR2004 - most are paragraphs
            parts.append(f"<p>{' '.join(told)}</p>")
        elif kind < 0.75:  # noqa: PLR2004
            parts.append(f"<ul>{''.join(f'<li>{text}</li>' for text in told)}</ul>")
        elif kind < 0.85:  # noqa: PLR2004
            parts.append(f"<blockquote><p>{' '.join(told)}</p></blockquote>")
        else:
            parts.append(f"<div><h2>{told[0]}</h2><p>{' '.join(told[1:])}</p></div>")
    html = "\n".join(parts)
    page = page_of(html)
    return Document(
        id=name, text=page.text, title=page.title, html=html, source=source, language=language
    )

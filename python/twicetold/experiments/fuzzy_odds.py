"""Y-odds: the odds of ten documents, three pairs of which are alike.

Of web pages the trees are matched, as in the thesis: pages are made of what those of the data tell
themselves, and a copy puts the same into other elements. Yerra, thesis, 2005, section 4.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

from twicetold.comparing import compare
from twicetold.counting import build_statistics
from twicetold.detectors.fuzzy_set import FuzzySet
from twicetold.errors import ParameterError
from twicetold.experiments.collection import take
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.made_pages import edited, made_page, told_by
from twicetold.experiments.text.edits import WordStock, change_words
from twicetold.experiments.text.spans import sentences
from twicetold.records import Document
from twicetold.scanning import scan
from twicetold.statistics import Statistics

__all__ = ["odds"]

_DOCUMENTS, _ALIKE, _SENTENCES = 10, 3, 20
#: A page that is copied tells so much.
_LEAST = 3
#: The thesis' table 4.1: similar pairs, and the most of all others.
_THESIS = (9.21, 8.242, 12.4)
_THESIS_OTHERS = 0.1


def odds(setting: Setting) -> Outcome:
    """Plant three edited copies among ten documents and look at the odds of all pairs."""
    documents = take(setting, least=_DOCUMENTS)
    pages = [document for document in documents if document.html is not None]
    are_pages = len(pages) == len(documents)
    steps = iter(setting.steps(("correlations", "odds"), "steps"))
    next(steps)
    detector = FuzzySet()
    statistics = build_statistics(documents, method=detector, threads=setting.threads)
    next(steps)
    if are_pages:
        planted, alike = _pages_with_copies(pages, statistics, setting.seed)
        values = _tree_odds(planted, detector, statistics)
    else:
        planted, alike = _with_copies(_chosen(documents), setting.seed)
        found = scan(planted, method=detector, statistics=statistics, floor=0.0, all_pairs=True)
        values = {frozenset((p.left, p.right)): p.odds for p in found}
    list(steps)
    similar = sorted((values.get(pair, 0.0) for pair in alike), reverse=True)
    n_others = _DOCUMENTS * (_DOCUMENTS - 1) // 2 - _ALIKE
    other = max((v for pair, v in values.items() if pair not in alike), default=0.0)
    rows: list[tuple[Any, ...]] = [
        (f"alike {n + 1}", value, thesis)
        for n, (value, thesis) in enumerate(
            zip(similar, sorted(_THESIS, reverse=True), strict=True)
        )
    ]
    rows.append((f"the most of {n_others} others", other, _THESIS_OTHERS))
    x = tuple(str(row[0]) for row in rows)
    noun = "web pages" if are_pages else "documents"
    return Outcome(
        name="Y-odds",
        title=f"odds of ten {noun}, three pairs of which are alike",
        columns=("pair", "odds", "thesis"),
        rows=tuple(rows),
        figures=(
            Figure(f"odds of pairs of {noun}", "pair", "odds",
                   (Series("ours", x, tuple(row[1] for row in rows)),
                    Series("thesis", x, tuple(row[2] for row in rows), from_paper=True)),
                   kind="bar"),
        ),
        conclusion=f"alike: odds of {min(similar):.2f} and more; others: at most {other:.3f}",
        notes=(
            f"correlations of {len(documents):,} {noun}; copies have 1 sentence of 20 rewritten",
            "trees are matched; a copy is told in other elements" if are_pages
            else "the thesis takes documents from the web",
        ),
    )  # fmt: skip


def _chosen(documents: list[Document]) -> list[Document]:
    """Return the documents with most sentences, cut to twenty where they have more."""
    spans = {document.id: list(sentences(document.text)) for document in documents}
    ranked = sorted(documents, key=lambda d: (-min(len(spans[d.id]), _SENTENCES), d.id))
    return [
        replace(d, text=d.text[: spans[d.id][:_SENTENCES][-1].end] if spans[d.id] else d.text)
        for d in ranked[: _DOCUMENTS - _ALIKE]
    ]


def _pages_with_copies(
    pages: Sequence[Document], statistics: Statistics, seed: int
) -> tuple[list[Document], set[frozenset[str]]]:
    """Return pages of what those of the data tell, and copies in other elements."""
    rng, stock = Random(seed), WordStock()  # noqa: S311 - not for secrets
    told = told_by(pages, statistics.boilerplate)
    told.sort(key=lambda own: (-min(len(own.sentences), _SENTENCES), own.page.id))
    if len(told[_ALIKE - 1].sentences) < _LEAST:
        msg = f"Y-odds needs {_ALIKE} pages that tell {_LEAST} sentences of 8 to 45 words"
        raise ParameterError(msg)
    made, alike = [], set()
    for n, own in enumerate(told[: _DOCUMENTS - _ALIKE]):
        sentences = list(own.sentences[:_SENTENCES])
        for text in sentences:
            stock.learn(text)
        language = own.page.language
        page = made_page(own.page.id, sentences, rng, source="first.example", language=language)
        made.append(page)
        if n < _ALIKE:
            middle = len(sentences) // 2
            sentences[middle] = edited(sentences[middle], 0.9, stock, rng)
            name = f"{own.page.id} again"
            made.append(made_page(name, sentences, rng, source="else.example", language=language))
            alike.add(frozenset((page.id, name)))
    return made, alike


def _tree_odds(
    pages: Sequence[Document], detector: FuzzySet, statistics: Statistics
) -> dict[frozenset[str], float]:
    """Return the odds of all pairs of pages whose trees have something in common."""
    values = {}
    for left, right in combinations(pages, 2):
        found = compare(left, right, method=detector, statistics=statistics)
        trees = found.parts[0].trees(found.left)
        if trees is not None and trees.links:
            values[frozenset((left.id, right.id))] = trees.odds
    return values


def _with_copies(
    documents: list[Document], seed: int
) -> tuple[list[Document], set[frozenset[str]]]:
    """Return the documents with copies of some, in which one sentence is another."""
    rng, stock = Random(seed), WordStock()  # noqa: S311 - not for secrets
    for document in documents:
        stock.learn(document.text)
    made, alike = list(documents), set()
    for document in documents[:_ALIKE]:
        spans = list(sentences(document.text))
        span = spans[len(spans) // 2]
        changed = change_words(document.text[span.start : span.end], 0.9, stock, rng)
        text = document.text[: span.start] + changed + document.text[span.end :]
        copy = replace(document, id=f"{document.id} again", text=text)
        made.append(copy)
        alike.add(frozenset((document.id, copy.id)))
    return made, alike

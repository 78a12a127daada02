"""Y-odds: the odds of ten documents, three pairs of which are alike."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from twicetold.counting import build_statistics
from twicetold.detectors.fuzzy_set import FuzzySet
from twicetold.experiments.collection import take
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.text.edits import WordStock, change_words
from twicetold.experiments.text.spans import sentences
from twicetold.records import Document
from twicetold.scanning import scan

__all__ = ["odds"]

_DOCUMENTS, _ALIKE, _SENTENCES = 10, 3, 20
#: The thesis' table 4.1: similar pairs, and the most of all others.
_THESIS = (9.21, 8.242, 12.4)
_THESIS_OTHERS = 0.1


def odds(setting: Setting) -> Outcome:
    """Plant three edited copies among ten documents and look at the odds of all pairs."""
    documents = take(setting, least=_DOCUMENTS)
    chosen = _chosen(documents)
    steps = iter(setting.steps(("correlations", "odds"), "steps"))
    next(steps)
    detector = FuzzySet()
    statistics = build_statistics(documents, method=detector, threads=setting.threads)
    next(steps)
    planted, alike = _with_copies(chosen, setting.seed)
    found = scan(planted, method=detector, statistics=statistics, floor=0.0, all_pairs=True)
    list(steps)
    values = {frozenset((p.left, p.right)): p.odds for p in found}
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
    return Outcome(
        name="Y-odds",
        title="odds of ten documents, three pairs of which are alike",
        columns=("pair", "odds", "thesis"),
        rows=tuple(rows),
        figures=(
            Figure("odds of pairs of documents", "pair", "odds",
                   (Series("ours", x, tuple(row[1] for row in rows)),
                    Series("thesis", x, tuple(row[2] for row in rows), from_paper=True)),
                   kind="bar"),
        ),
        conclusion=f"alike: odds of {min(similar):.2f} and more; others: at most {other:.3f}",
        notes=(
            f"correlations of {len(documents):,} documents; copies have 1 sentence of 20 rewritten",
            "the thesis takes documents from the web",
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

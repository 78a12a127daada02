"""Statistics for people: what was counted, and how much a word weighs."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import Any

from twicetold.analysis import analyse
from twicetold.reports.printable import printable
from twicetold.reports.words import count_of
from twicetold.statistics import Statistics, idf_weight

__all__ = ["describe", "statistics_lines"]


def describe(
    statistics: Statistics,
    /,
    *,
    top: int = 20,
    words: Sequence[str] = (),
    language: str | None = None,
) -> dict[str, Any]:
    """Return what is in statistics, the most frequent terms, and what some words weigh.

    ``words`` are analysed in ``language``; without one, a word that is a term stays as it is. A
    stop word that the profile drops has no term.
    """
    terms, frequencies = statistics.native.terms()
    ranked = heapq.nsmallest(
        top, zip(terms, frequencies, strict=True), key=lambda row: (-row[1], row[0])
    )
    return {
        "documents": statistics.documents,
        "terms": statistics.n_terms,
        "version": statistics.version,
        "origin": statistics.origin,
        "profile": str(statistics.profile),
        "grams": statistics.grams.n_grams if statistics.has_grams else None,
        "frequent_keys": {
            form: len(statistics.frequent_keys(form) or b"") // 8 for form in statistics.pinned
        },
        "correlations": {form: _correlated(statistics, form) for form in statistics.correlated},
        "boilerplate": len(statistics.boilerplate),
        "top": [_row(statistics, term) for term, _ in ranked],
        "words": [
            {"word": word, **row} for word in words for row in _rows_of(statistics, word, language)
        ],
    }


def _correlated(statistics: Statistics, form: str) -> dict[str, int]:
    found = statistics.correlations(form)
    assert found is not None
    return {"words": found.n_words, "pairs": found.n_pairs}


def _row(statistics: Statistics, term: str) -> dict[str, Any]:
    frequency = statistics.frequency(term)
    return {
        "term": term,
        "documents": frequency,
        "idf": idf_weight(statistics.documents, frequency),
    }


def _rows_of(statistics: Statistics, word: str, language: str | None) -> Iterable[dict[str, Any]]:
    if language is None and statistics.frequency(word):
        yield _row(statistics, word)
        return
    drop = statistics.profile.stop_words == "drop"
    found = [
        found.term
        for sentence in analyse(word, profile=statistics.profile, language=language)
        for found in sentence
        if not (drop and found.is_stop)
    ]
    if not found:
        yield {"term": None, "documents": None, "idf": None}
    for term in found:
        yield _row(statistics, term)


def statistics_lines(described: dict[str, Any], /) -> Iterable[str]:
    """Yield the lines that show what `describe` returned."""
    yield f"documents  {described['documents']:,}"
    yield f"terms      {described['terms']:,}"
    if described["grams"] is not None:
        yield f"4-grams    {described['grams']:,}"
    yield f"version    {described['version']}"
    yield f"origin     {printable(described['origin'])}"
    yield f"profile    {described['profile']}"
    for form, n in described["frequent_keys"].items():
        yield f"pinned     {count_of(n, 'frequent key')} of {printable(form)}"
    for form, found in described["correlations"].items():
        words, pairs = count_of(found["words"], "word"), count_of(found["pairs"], "pair")
        yield f"correlated {words} in {pairs}: {printable(form)}"
    if described["top"]:
        yield ""
        yield from _table(("frequent term",), described["top"])
    if described["words"]:
        yield ""
        yield from _table(("word", "term"), described["words"])


def _table(headings: tuple[str, ...], rows: list[dict[str, Any]]) -> Iterable[str]:
    from rich.cells import cell_len

    keys = ("word", "term")[-len(headings) :]
    texts = [
        [printable(row[key]) if row[key] is not None else "(stop word)" for key in keys]
        for row in rows
    ]
    widths = [max(map(cell_len, column)) for column in zip(headings, *texts, strict=True)]

    def line(names: Iterable[str], documents: str, idf: str) -> str:
        padded = (
            name + " " * (width - cell_len(name)) for name, width in zip(names, widths, strict=True)
        )
        return f"{'  '.join(padded)}  {documents:>9}  {idf:>6}".rstrip()

    yield line(headings, "documents", "idf")
    for names, row in zip(texts, rows, strict=True):
        if row["idf"] is None:
            yield line(names, "", "")
        else:
            yield line(names, f"{row['documents']:,}", f"{row['idf']:.2f}")

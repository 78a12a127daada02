"""Labelled pairs of sentences, scored by a detector that can compare any two of them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from twicetold import scoring
from twicetold.analysis import Analysed, Analyser, profile_of
from twicetold.evaluation.labels import LabelledSet
from twicetold.pipeline import Compared, Detector
from twicetold.records import Document
from twicetold.scanning import Documents
from twicetold.statistics import Statistics

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["compare_pairs", "compared_table"]


def compared_table(
    labelled: LabelledSet, detector: Detector, options: Mapping[str, Any]
) -> tuple[pa.Table, int, float]:
    """Return the scores of the labelled pairs, the number of documents, and the seconds it took.

    ``resemblance`` is the smaller of the two directions. Pairs whose documents are missing are left
    out.
    """
    import pyarrow as pa

    start = time.perf_counter()
    documents = list(Documents(labelled.sources, options["report"], strict=False))
    found = compare_pairs(labelled, documents, detector, **_options(options))
    texts = {document.id: document.text for document in documents}
    rows = [_row(*ids, compared, same=texts[ids[0]] == texts[ids[1]]) for ids, compared in found]
    names = (
        *("left", "right", "left_in_right", "right_in_left", "resemblance", "odds", "score"),
        "relation",
    )
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    types = [pa.string()] * 2 + [pa.float64()] * 5 + [pa.string()]
    arrays = [pa.array(c, kind) for c, kind in zip(columns, types, strict=True)]
    table = pa.table(dict(zip(names, arrays, strict=True)))
    return table, len(documents), time.perf_counter() - start


def _options(options: Mapping[str, Any]) -> dict[str, Any]:
    names = ("profile", "statistics", "language", "threads")
    return {name: options[name] for name in names if name in options}


def compare_pairs(
    labelled: LabelledSet,
    documents: list[Document],
    detector: Detector,
    *,
    profile: Any = None,
    statistics: Statistics | str | None = None,
    language: str | None = None,
    threads: int = 0,
) -> list[tuple[tuple[str, str], Compared]]:
    """Return the ids of each labelled pair, and how the two compare."""
    if statistics is not None and not isinstance(statistics, Statistics):
        statistics = Statistics.load(statistics)
    if profile is None:
        profile = detector.profile if statistics is None else statistics.profile
    profile = profile_of(profile)
    analysed = _analysed(documents, Analyser(profile), language, threads)
    if statistics is None:
        statistics = detector.count([analysed], profile, threads=threads)
    statistics.require(profile)
    numbers = {document.id: n for n, document in enumerate(documents)}
    pairs = [(p.left, p.right) for p in labelled.pairs if p.left in numbers and p.right in numbers]
    left, right = ([numbers[pair[side]] for pair in pairs] for side in (0, 1))
    found = detector.compare(analysed, left, right, statistics, threads=threads)
    return list(zip(pairs, found, strict=True))


def _analysed(
    documents: list[Document], analyser: Analyser, language: str | None, threads: int
) -> Analysed:
    return analyser.analyse(
        [document.text for document in documents],
        languages=[language or document.language for document in documents],
        threads=threads,
    )


def _row(left: str, right: str, compared: Compared, *, same: bool) -> tuple[Any, ...]:
    there, back = (1.0, 1.0) if same else compared[:2]
    relation = "identical" if same else "near-duplicate" if compared.equal else "overlap"
    odds = scoring.odds(there, back)
    return (left, right, there, back, min(there, back), odds, max(there, back), relation)

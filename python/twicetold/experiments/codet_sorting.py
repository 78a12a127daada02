"""C-WS: how many documents a new one has to be compared with, words sorted or not.

In the tree, a new document meets every earlier one that is listed at a node it visits. Whoever
shares a node shares the first node of its path, so depth does not matter. Varol and others,
"CoDet", CIKM 2011: 341 similarity values per document without sorting, 3.53 with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from twicetold.detectors.codet import CoDet
from twicetold.experiments.collection import features_of, keys_by_document, take
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.records import Document
from twicetold.scanning import scan

__all__ = ["met_by", "sorting"]

PAPER = {True: 3.53, False: 341.0}
#: The number of documents the paper judged its methods on.
_PAPER_SIZE = 5000


def sorting(setting: Setting) -> Outcome:
    """Count the documents met, for growing collections."""
    documents = take(setting)
    sizes = _sizes(len(documents))
    rows = []
    for n in setting.steps(sizes, "sizes"):
        part = documents[:n]
        off, on = (met_by(part, CoDet(word_sorting=on), setting.threads) for on in (False, True))
        joined = [_joined(part, CoDet(word_sorting=on), setting) for on in (False, True)]
        ratio = off / on if on else None
        papers = (PAPER[False], PAPER[True]) if n == sizes[-1] else (None, None)
        rows.append((n, off, on, ratio, *joined, *papers))
    x = tuple(map(float, sizes))
    return Outcome(
        name="C-WS",
        title="similarity values per document, words of sentences sorted by idf or not (WS)",
        columns=(
            "documents",
            "met, unsorted",
            "met, sorted",
            "ratio",
            "joined, unsorted",
            "joined, sorted",
            "paper, unsorted",
            "paper, sorted",
        ),
        rows=tuple(rows),
        figures=(
            Figure(
                "Documents met by a new one",
                "documents",
                "mean number met",
                (
                    Series("ours, unsorted", x, tuple(row[1] for row in rows)),
                    Series("ours, sorted", x, tuple(row[2] for row in rows)),
                    Series("our join, sorted", x, tuple(row[5] for row in rows)),
                    Series("paper, unsorted", x, (PAPER[False],) * len(x), from_paper=True),
                    Series("paper, sorted", x, (PAPER[True],) * len(x), from_paper=True),
                ),
                log_x=True,
                log_y=True,
            ),
        ),
        conclusion=sorting_conclusion(rows[-1][1], rows[-1][2]),
        notes=(
            "met: earlier documents that share a node of the tree with a new one, in the mean",
            "joined: pairs our join adds up at the threshold 0.5, per document",
            "(it joins equal documents once, and never meets what cannot reach the threshold)",
        ),
    )


def sorting_conclusion(off: float, on: float) -> str:
    """Say how much sorting saves, beside the paper."""
    paper = PAPER[False] / PAPER[True]
    if not on:
        return f"{off:,.1f} documents met unsorted, none sorted; the paper: 341 and 3.53"
    verdict = "of the order of the paper" if off / on >= paper / 2 else "less than in the paper"
    return (
        f"sorting lowers the documents met from {off:,.1f} to {on:,.2f}, by {off / on:,.1f} times: "
        f"{verdict} (341 to 3.53, {paper:.0f} times)"
    )


def _sizes(n: int) -> list[int]:
    sizes = [n]
    while sizes[0] // 2 >= max(2, _PAPER_SIZE // 10) and len(sizes) < 5:  # noqa: PLR2004
        sizes.insert(0, sizes[0] // 2)
    return sizes


def met_by(documents: Sequence[Document], detector: CoDet, threads: int = 0) -> float:
    """Return how many earlier documents share a node with a new one, in the mean.

    Sets of documents are the bits of whole numbers: a document's set is the union of the lists of
    its nodes.
    """
    first = CoDet(word_sorting=detector.word_sorting, depth=1)
    lists: dict[int, int] = {}
    total = 0
    for number, keys in enumerate(keys_by_document(features_of(documents, first, threads))):
        met = 0
        for key in keys:
            met |= lists.get(key, 0)
            lists[key] = lists.get(key, 0) | 1 << number
        total += met.bit_count()
    return total / len(documents)


def _joined(documents: Sequence[Document], detector: CoDet, setting: Setting) -> float:
    found = scan(list(documents), method=detector, threads=setting.threads)
    return found.manifest.counts["similarities computed"] / len(documents)

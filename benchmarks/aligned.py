"""Labelled pairs scored by alignment, as a file that ``twicetold evaluate --pairs`` judges.

::

    python -m benchmarks.aligned SET -o pairs.jsonl [--by retold|content|mean]
    twicetold evaluate SET --pairs pairs.jsonl

Of a set of clusters those pairs are aligned that share at least five runs of three words, of runs
that 2 to 40 documents have; the rest counts as not found.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from twicetold.alignment import align_all
from twicetold.evaluation import LabelledSet, read_labels
from twicetold.records import Document
from twicetold.scoring import odds

MIN_SHARED, MIN_DOCUMENTS, MAX_DOCUMENTS = 5, 2, 40

#: What is written as the share of a document, from what is retold and from its content.
SHARES: dict[str, Callable[[float, float], float]] = {
    "retold": lambda retold, _: retold,
    "content": lambda _, content: content,
    "mean": lambda retold, content: (retold + content) / 2,
}


def candidates(documents: list[Document]) -> Iterator[tuple[str, str]]:
    """Yield the pairs that share enough runs of three words."""
    holders = defaultdict(list)
    for document in documents:
        words = re.findall(r"[^\W_]+", document.text.lower())
        for run in sorted(set(zip(words, words[1:], words[2:], strict=False))):
            holders[run].append(document.id)
    shared = Counter(
        pair
        for ids in holders.values()
        if MIN_DOCUMENTS <= len(ids) <= MAX_DOCUMENTS
        for pair in combinations(ids, 2)
    )
    return (pair for pair, n in shared.items() if n >= MIN_SHARED)


def rows(labelled: LabelledSet, by: str) -> Iterator[dict[str, Any]]:
    """Yield the pairs of a set with their scores."""
    documents = [source for source in labelled.sources if isinstance(source, Document)]
    pairs = (
        list(candidates(documents))
        if labelled.clusters
        else [(pair.left, pair.right) for pair in labelled.pairs]
    )
    places = {document.id: n for n, document in enumerate(documents)}
    found = align_all(
        [document.text for document in documents],
        [(places[left], places[right]) for left, right in pairs],
        languages=[document.language for document in documents],
    )
    share = SHARES[by]
    for (left, right), alignment in zip(pairs, found, strict=True):
        there = share(alignment.left_in_right, alignment.left_content_in_right)
        back = share(alignment.right_in_left, alignment.right_content_in_left)
        yield {
            "left": left,
            "right": right,
            "relation": "overlap",
            "left_in_right": there,
            "right_in_left": back,
            "resemblance": alignment.resemblance,
            "odds": odds(there, back),
            "passages": [passage.to_json() for passage in alignment.passages],
        }


def main() -> None:
    parser = argparse.ArgumentParser(description="score labelled pairs by alignment")
    parser.add_argument("set", help="a labelled set, as `twicetold evaluate` reads it")
    parser.add_argument("-o", "--output", required=True, help="where to write pairs")
    parser.add_argument("--by", choices=SHARES, default="retold", help="which share is judged")
    given = parser.parse_args()
    found = rows(read_labels(given.set), given.by)
    with Path(given.output).open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in found)


if __name__ == "__main__":
    main()

"""The documents an experiment takes from its data, and what else many experiments ask of them."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from twicetold.analysis import Analyser, profile_of
from twicetold.batches import batches
from twicetold.documents import Report, read
from twicetold.errors import ParameterError
from twicetold.experiments.frame import Setting
from twicetold.pipeline import Detector, Features
from twicetold.records import Document
from twicetold.reports.words import count_of

__all__ = [
    "Tree",
    "as_record",
    "features_of",
    "keys_by_document",
    "list_lengths",
    "take",
    "tree_of",
    "write_jsonl",
]


def take(setting: Setting, *, least: int = 2) -> list[Document]:
    """Return the first documents of the data, as many as the setting says."""
    if not setting.data:
        msg = "this experiment needs documents; name them with --data"
        raise ParameterError(msg)
    found = list(islice(read(*setting.data, report=Report()), setting.documents))
    if len(found) < least:
        msg = f"this experiment needs at least {count_of(least, 'document')}, got {len(found)}"
        raise ParameterError(msg)
    return found


def as_record(document: Document) -> dict[str, Any]:
    """Return a document as a line of JSON Lines holds it."""
    found: dict[str, Any] = {"id": document.id, "text": document.text}
    published = document.published
    known = {
        "published": None if published is None else published.isoformat(),
        "source": document.source,
        "language": document.language,
    }
    return found | {name: value for name, value in known.items() if value is not None}


def write_jsonl(path: Path, records: Iterable[dict[str, Any]]) -> int:
    """Write records, one a line; return how many there were."""
    import orjson

    count = 0
    with path.open("wb", buffering=1 << 20) as out:
        for record in records:
            out.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
            count += 1
    return count


def features_of(
    documents: Sequence[Document],
    detector: Detector,
    threads: int = 0,
    *,
    profile: str | None = None,
) -> Features:
    """Return the features of documents, with statistics of these.

    ``profile`` None: that of the detector.
    """
    analyser = Analyser(profile_of(profile or detector.profile))
    analysed = [analyser.analyse_batch(batch, threads=threads) for batch in batches(documents)]
    statistics = detector.count(analysed, analyser.profile, threads=threads)
    features = Features()
    for batch in analysed:
        features.append(detector.features(batch, statistics, threads=threads))
    return features


class Tree(NamedTuple):
    """The corpus tree of CoDet as numbers: its nodes, and how many documents each lists."""

    nodes: int
    entries: int
    megabytes: float

    @property
    def mean_list(self) -> float:
        """How many documents a node lists in the mean."""
        return self.entries / self.nodes if self.nodes else 0.0


def tree_of(features: Features) -> Tree:
    """Return the size of the tree that features stand for: a key is a node."""
    size = sum(map(len, features.columns()))
    return Tree(features.n_distinct_keys(), features.n_features, size / 1e6)


def keys_by_document(features: Features) -> Iterator[list[int]]:
    """Yield the keys of each document."""
    ends, keys, _, _ = features.columns()
    numbers = struct.unpack(f"<{len(keys) // 8}Q", keys)
    start = 0
    for end in struct.unpack(f"<{len(ends) // 8}Q", ends):
        yield list(numbers[start:end])
        start = end


def list_lengths(features: Features) -> list[int]:
    """Return how many documents each node lists."""
    return list(Counter(chain.from_iterable(keys_by_document(features))).values())

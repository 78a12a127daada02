"""Units that match, as detectors and the kernel see them: what engines and `explain` share."""

from __future__ import annotations

import struct
import sys
from collections.abc import Sequence
from typing import NamedTuple

from twicetold import _kernel
from twicetold.passage_rows import PassageRows
from twicetold.pipeline import Detector, Features
from twicetold.statistics import Statistics

__all__ = [
    "SentenceMatch",
    "content_of",
    "learn_boilerplate",
    "mark_boilerplate",
    "passages_of",
    "sentence_matches",
    "verified_join",
]


class SentenceMatch(NamedTuple):
    """A sentence of left and one of right that match, by their numbers in their documents.

    ``left_score`` is that of left's sentence asking for right's, ``right_score`` the reverse; 0
    where that is no match.
    """

    pair: int
    left: int
    right: int
    left_score: float
    right_score: float


def verified_join(
    detector: Detector,
    collection: _kernel.Collection,
    features: Features,
    *,
    window: int | None = None,
    threads: int = 0,
) -> _kernel.VerifiedJoin:
    """Return the join of a detector that verifies, with its keys; takes the features out."""
    join = _kernel.VerifiedJoin(collection, features, window=window, threads=threads)
    verification = detector.verify()
    if verification is not None and verification.is_symmetric:
        join.meet_on(detector.keys(join.features, "store"), threads=threads)
    elif verification is not None and verification.meets_by_keys:
        join.join_on(detector.keys(join.features, "store"), detector.keys(join.features, "probe"))
    return join


def mark_boilerplate(
    detector: Detector,
    features: Features,
    collection: _kernel.Collection,
    statistics: Statistics,
    *,
    first: int = 0,
    threads: int = 0,
) -> None:
    """Mark which sentences are boilerplate according to pinned statistics.

    The documents are those of the collection from ``first`` on.
    """
    known = statistics.frequent_keys(_boilerplate_form(detector))
    if detector.boilerplate_documents and known and features.n_documents:
        features.mark_boilerplate(collection, known, first=first, threads=threads)


def learn_boilerplate(
    detector: Detector,
    join: _kernel.VerifiedJoin,
    collection: _kernel.Collection,
    statistics: Statistics,
    *,
    threads: int = 0,
) -> None:
    """Learn which sentences are boilerplate from the documents of a join, and mark them."""
    if detector.boilerplate_documents:
        least = min(detector.boilerplate_documents, sys.maxsize)
        learned = join.learn_boilerplate(collection, least, threads=threads)
        statistics.pin_frequent_keys(_boilerplate_form(detector), learned)


def _boilerplate_form(detector: Detector) -> str:
    return f"boilerplate {detector.boilerplate_documents} {detector.keys_form}"


def content_of(
    join: _kernel.VerifiedJoin, pairs: _kernel.ScoredPairs, *, threads: int = 0
) -> tuple[Sequence[float], Sequence[float]]:
    """Return how much of left's content right has, and the reverse, of pairs of documents."""
    if not len(pairs):
        return (), ()
    there, back = join.content(*pairs.document_columns(), threads=threads)
    return memoryview(there).cast("d"), memoryview(back).cast("d")


def passages_of(
    join: _kernel.VerifiedJoin,
    collection: _kernel.Collection,
    pairs: _kernel.ScoredPairs,
    *,
    threads: int = 0,
) -> PassageRows:
    """Return the passages of pairs of documents: matches in a row are one."""
    if not len(pairs):
        return PassageRows(b"", b"", b"", b"")
    left, right = pairs.document_columns()
    return PassageRows(*join.passages(collection, left, right, threads=threads))


def sentence_matches(
    join: _kernel.VerifiedJoin, left: Sequence[int], right: Sequence[int]
) -> list[SentenceMatch]:
    """Return the matches between the sentences of pairs of documents, pair by pair."""
    n = len(left)
    if n == 0:
        return []
    columns = join.matches(struct.pack(f"<{n}I", *left), struct.pack(f"<{n}I", *right))
    rows = len(columns[0]) // 4
    found = (
        struct.unpack(f"<{rows}{kind}", column)
        for kind, column in zip("IIIdd", columns, strict=True)
    )
    return [SentenceMatch(*row) for row in zip(*found, strict=True)]

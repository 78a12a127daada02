"""Short ways to run the library in tests."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from twicetold import _kernel
from twicetold.analysis import PROFILES, Analysed, Analyser, profile_of
from twicetold.batches import batch_of
from twicetold.detectors.codet import CoDet
from twicetold.engines.local import LocalEngine
from twicetold.errors import FormatError
from twicetold.pairs import Pairs
from twicetold.pipeline import Detector, Features, Job
from twicetold.records import Document, Pair
from twicetold.statistics import Statistics

T = TypeVar("T")

PLAIN = PROFILES["plain"]
DAY = timedelta(days=1)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def taken(items: Iterable[T]) -> tuple[list[T], str | None]:
    """Return all items, and what is said where they end because sources hold too few documents."""
    found: list[T] = []
    try:
        for item in items:
            found.append(item)  # noqa: PERF402 - those before an error stay
    except FormatError as error:
        if "no text" not in str(error) and "no document" not in str(error):
            raise
        return found, str(error)
    return found, None


def text_of(sentences: Iterable[Sequence[str]]) -> str:
    """Return a text with exactly these sentences: a blank line ends one in every language."""
    return "\n\n".join(" ".join(words) for words in sentences)


def document(name: str, *sentences: str, **about: Any) -> Document:
    """Return an English document with these sentences."""
    return Document(id=name, text="\n\n".join(sentences), language="en", **about)


def documents_of(texts: Mapping[str, str]) -> list[Document]:
    return [Document(id=name, text=text, language="en") for name, text in texts.items()]


def run(
    documents: Iterable[Document],
    detector: Detector | None = None,
    *,
    profile: str = "plain",
    **job: Any,
) -> Pairs:
    """Scan documents; by default with all words as they are."""
    detector = CoDet() if detector is None else detector
    return LocalEngine().run(documents, Job(detector=detector, profile=profile_of(profile), **job))


def rows(pairs: Pairs) -> list[dict[str, Any]]:
    """Return pairs as comparable rows, to the last bit."""
    found: list[dict[str, Any]] = pairs.table.to_pylist()
    return found


def by_ids(pairs: Iterable[Pair]) -> dict[tuple[str, str], Pair]:
    """Return the pairs by their ids; a pair that comes twice is an error."""
    found = [((pair.left, pair.right), pair) for pair in pairs]
    assert len({frozenset(ids) for ids, _ in found}) == len(found)
    return dict(found)


def share(pairs: Iterable[Pair], contained: str, container: str) -> float:
    """Return how much of one document is in another; nothing if they are no pair."""
    for pair in pairs:
        if (pair.left, pair.right) == (contained, container):
            return pair.left_in_right
        if (pair.right, pair.left) == (contained, container):
            return pair.right_in_left
    return 0.0


def analysed(texts: Sequence[str], *, language: str = "en", spans: bool = False) -> Analysed:
    """Return texts analysed with all words as they are."""
    return Analyser(PLAIN).analyse(texts, languages=[language] * len(texts), spans=spans)


def counted(found: Analysed) -> Statistics:
    """Return the statistics of analysed documents."""
    statistics = Statistics(PLAIN)
    statistics.add(found)
    return statistics


class Similarities:
    """CS and SCS of a list of texts: what the public library only hands out as shares."""

    def __init__(
        self, texts: Sequence[str], detector: CoDet, statistics: Statistics | None
    ) -> None:
        found = analysed(texts)
        statistics = counted(found) if statistics is None else statistics
        self.n_nodes = [
            detector.features(analysed(texts[:n]), statistics).n_distinct_keys()
            for n in range(1, len(texts) + 1)
        ]
        collection = _kernel.Collection()
        documents = [Document(id=str(n), text=text) for n, text in enumerate(texts)]
        collection.add(batch_of(documents), found)
        features = Features()
        features.append(detector.features(found, statistics))
        self.joined = _kernel.Join(collection, features).run(floor=0.0, all_pairs=True)
        scores = _kernel.Scores.containment(self.joined)
        names = ("shared", "left_total", "right_total")
        self.cs: dict[tuple[int, int], float] = {}
        self.scs: dict[int, float] = {}
        for a, b, cs, scs_a, scs_b in zip(
            *(array("I", column) for column in self.joined.documents()),
            *(array("d", scores.column(name)) for name in names),
            strict=True,
        ):
            self.cs[a, b] = self.cs[b, a] = cs
            self.scs[a], self.scs[b] = scs_a, scs_b


def similarities(
    texts: Sequence[str], statistics: Statistics | None = None, **parameters: Any
) -> Similarities:
    """Return CS, SCS and the number of nodes after each document."""
    return Similarities(texts, CoDet(**parameters), statistics)


def sharing_documents(n: int, seed: int = 0) -> list[Document]:
    """Return documents that share sentences: some rare, some in nearly all."""
    rng = random.Random(seed)
    words = [f"w{k}" for k in range(400)]
    pool = [" ".join(rng.choices(words, k=rng.randrange(1, 9))) for _ in range(60)]
    found = []
    for number in range(n):
        sentences = rng.sample(pool, rng.randrange(1, 6))
        if rng.random() < 0.5:
            sentences.append(" ".join(rng.choices(words, k=6)))
        if rng.random() < 0.9:
            sentences.append("all rights reserved")
        dated = NOON + rng.randrange(30) * DAY if rng.random() < 0.7 else None
        found.append(document(f"d{number:03}", *sentences, published=dated))
    return found


def pinned_by(detector: CoDet, documents: Iterable[Document], **job: Any) -> Statistics:
    """Return the statistics of documents, with the keys too frequent in them pinned."""
    return LocalEngine().count(documents, Job(detector=detector, profile=PLAIN, **job))

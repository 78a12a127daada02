"""The similarity vectors of all pairs that detectors meet among documents.

A vector has the similarities of each detector, one after the other. A pair that one detector met
and another did not has zeros in the columns of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from twicetold.batches import Batched, Kept
from twicetold.learning.wrapping import Wrapper
from twicetold.pairs import Manifest
from twicetold.pipeline import Detector, Engine, Job
from twicetold.records import RELATIONS, Document, PairSide
from twicetold.scoring import EPSILON, Relations, Scores
from twicetold.statistics import Statistics

__all__ = [
    "FLOOR",
    "Met",
    "meet",
    "mirrored",
    "names_of",
    "same_text",
    "symmetric",
    "symmetric_names",
]

#: Pairs that score less are not met: in a large collection nearly all pairs share a little.
FLOOR = 0.02


@dataclass(frozen=True, slots=True)
class Met:
    """Pairs that were met: their ids, which side is earlier, and their similarities.

    ``same`` says whose texts are the same.
    """

    names: tuple[str, ...]
    left: list[str]
    right: list[str]
    earlier: list[PairSide | None]
    same: Any
    vectors: Any
    manifest: Manifest


def names_of(members: Sequence[Detector]) -> tuple[str, ...]:
    """Return the names of the similarities of detectors, each once.

    >>> from twicetold.detectors.codet import CoDet
    >>> names_of([CoDet()])
    ('left_in_right', 'right_in_left', 'resemblance')
    >>> names_of([CoDet(), CoDet(depth=3)])[2:4]
    ('codet.resemblance', 'codet-2.left_in_right')
    """
    if len(members) == 1:
        return members[0].similarities
    found: list[str] = []
    seen: dict[str, int] = {}
    for member in members:
        seen[member.name] = seen.get(member.name, 0) + 1
        number = seen[member.name]
        prefix = member.name if number == 1 else f"{member.name}-{number}"
        found += (f"{prefix}.{name}" for name in member.similarities)
    return tuple(found)


def _partners(names: Sequence[str]) -> list[int]:
    """Return for each similarity the place of the one that it is from the other side."""
    places = {name: n for n, name in enumerate(names)}
    found = []
    for name in names:
        head, dot, last = name.rpartition(".")
        swapped = "_".join(_OTHER.get(word, word) for word in last.split("_"))
        found.append(places.get(f"{head}{dot}{swapped}", places[name]))
    return found


_OTHER = {"left": "right", "right": "left"}


def mirrored(vectors: Any, names: Sequence[str]) -> Any:
    """Return the vectors as seen from the other document of each pair."""
    return vectors[:, _partners(names)]


def symmetric(vectors: Any, names: Sequence[str]) -> Any:
    """Return the vectors without direction: of two that mirror each other, larger and smaller."""
    import numpy as np

    found = vectors.copy()
    for n, partner in enumerate(_partners(names)):
        if n < partner:
            found[:, n] = np.maximum(vectors[:, n], vectors[:, partner])
            found[:, partner] = np.minimum(vectors[:, n], vectors[:, partner])
    return found


def symmetric_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the same.

    >>> symmetric_names(["left_in_right", "right_in_left", "resemblance"])
    ('larger_share', 'smaller_share', 'resemblance')
    """
    found = list(names)
    for n, partner in enumerate(_partners(names)):
        if n < partner:
            head, dot, last = names[n].rpartition(".")
            what = last.replace("left_", "").replace("_in_right", "").replace("in_right", "share")
            found[n], found[partner] = (f"{head}{dot}{size}_{what}" for size in _SIZES)
    return tuple(found)


_SIZES = ("larger", "smaller")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Recorder(Wrapper):
    """Takes everything from the floor on, and writes down its similarities."""

    floor: float
    seen: list[tuple[Any, Any]] = field(default_factory=list)

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.base.name

    @property
    def threshold(self) -> float:
        return self.floor

    def with_statistics(self, statistics: Statistics) -> Detector:
        return replace(self, base=self.base.with_statistics(statistics))

    def decide(self, scores: Scores) -> Relations:
        import numpy as np

        same = same_text(scores)
        met = same | (np.frombuffer(scores.column("score"), "<f8") >= self.floor - EPSILON)
        self.seen.append((np.asarray(self.base.vectors(scores), float)[met], same[met]))
        numbers = [RELATIONS.index("overlap"), RELATIONS.index("near-duplicate")]
        return bytes(np.array(numbers, np.uint8)[met.astype(int)])


def same_text(scores: Scores) -> Any:
    """Return which pairs have the same text, as NumPy."""
    import numpy as np

    return np.frombuffer(scores.same_text(), np.uint8).astype(bool)


def meet(
    members: Sequence[Detector],
    documents: Iterable[Document] | Batched,
    *,
    floor: float,
    engine: Engine,
    job: Job,
) -> Met:
    """Return every pair that one of the detectors meets from the floor on.

    The detector of the job is not asked. Pairs come in the order of their ids.
    """
    import numpy as np

    if len(members) > 1:
        documents = Kept(documents)
    rows: dict[tuple[str, str], int] = {}
    earlier: list[PairSide | None] = []
    blocks: list[tuple[Any, Any]] = []
    sames, manifest = [], Manifest()
    for member in members:
        recorder = _Recorder(base=member, floor=floor)
        asked = replace(job, detector=recorder, floor=None, all_pairs=True, passages=False)
        found = engine.run(documents, asked)
        manifest = manifest if blocks else found.manifest
        vectors, same = (np.concatenate(parts) for parts in zip(*recorder.seen, strict=True))
        # A pair below the floor may be told as well, where something proves it.
        places = []
        for pair in found:
            if pair.relation != "overlap":
                places.append(rows.setdefault((pair.left, pair.right), len(rows)))
                if len(earlier) < len(rows):
                    earlier.append(pair.earlier)
        blocks.append((np.array(places, int), vectors))
        sames.append(same)
    whole = np.zeros((len(rows), sum(vectors.shape[1] for _, vectors in blocks)))
    same_text = np.zeros(len(rows), bool)
    start = 0
    for (own, vectors), same in zip(blocks, sames, strict=True):
        whole[own, start : start + vectors.shape[1]] = vectors
        same_text[own] |= same
        start += vectors.shape[1]
    pairs = list(rows)
    order = sorted(range(len(pairs)), key=pairs.__getitem__)
    return Met(
        names_of(members),
        [pairs[n][0] for n in order],
        [pairs[n][1] for n in order],
        [earlier[n] for n in order],
        same_text[order],
        whole[order],
        manifest,
    )

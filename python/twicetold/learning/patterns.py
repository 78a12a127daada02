"""Labelled pairs as a learner takes them: vectors, what is true, and where they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from twicetold.errors import ParameterError
from twicetold.evaluation.labels import LabelledSet, unordered
from twicetold.evaluation.scored import source_clusters
from twicetold.learning.vectors import Met, mirrored, symmetric, symmetric_names

if TYPE_CHECKING:
    from numpy.random import Generator

__all__ = ["RATIO", "Patterns", "folds_of", "patterns_of"]

#: So many unrelated pairs for each related one.
RATIO = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Patterns:
    """Labelled pairs, a row each.

    ``left`` and ``right`` are the sources that the two documents of a pair come from, by number:
    what a model is judged by never comes from a source it was learned from. ``weight`` is how many
    pairs a row stands for, where not all unrelated pairs are taken. Pairs that were not ``met``
    have zeros: they are found by nobody, so nothing is learned from a related one.
    """

    names: tuple[str, ...]
    vectors: Any
    positive: Any
    left: Any
    right: Any
    weight: Any
    met: Any
    n_sources: int
    directed: bool

    def __len__(self) -> int:
        return len(self.positive)

    @property
    def usable(self) -> Any:
        """The rows that something can be learned from."""
        return self.met | ~self.positive

    def rows(self, chosen: Any) -> Patterns:
        """Return some of the rows."""
        return self._with(chosen, self.names, self.vectors[chosen])

    def only(self, places: Sequence[int]) -> Patterns:
        """Return the same with some of the similarities."""
        names = tuple(self.names[n] for n in places)
        return self._with(slice(None), names, self.vectors[:, list(places)])

    def _with(self, chosen: Any, names: tuple[str, ...], vectors: Any) -> Patterns:
        return Patterns(
            names=names,
            vectors=vectors,
            positive=self.positive[chosen],
            left=self.left[chosen],
            right=self.right[chosen],
            weight=self.weight[chosen],
            met=self.met[chosen],
            n_sources=self.n_sources,
            directed=self.directed,
        )


def folds_of(patterns: Patterns, n_folds: int, seed: int) -> list[tuple[Any, Any]]:
    """Divide the sources into folds; return the rows to learn from and to judge by, for each.

    A row is judged where both its documents are held out, and learned from where neither is.
    """
    import numpy as np

    sizes = np.bincount(patterns.left[patterns.positive], minlength=patterns.n_sources) * 1000
    sizes += np.bincount(patterns.left, minlength=patterns.n_sources)
    present = np.flatnonzero(sizes)
    if len(present) < 2:  # noqa: PLR2004 - one to learn from, one to judge by
        msg = f"learning needs labelled pairs of at least 2 sources, got {len(present)}"
        raise ParameterError(msg)
    order = np.random.default_rng(seed).permutation(present)
    fold = np.full(patterns.n_sources, -1)
    filled = np.zeros(min(n_folds, len(present)))
    # The largest first: what comes last is small enough to level the folds.
    for source in order[np.argsort(-sizes[order], kind="stable")]:
        fold[source] = int(np.argmin(filled))
        filled[fold[source]] += sizes[source]
    left, right = fold[patterns.left], fold[patterns.right]
    return [
        (np.flatnonzero((left != n) & (right != n)), np.flatnonzero((left == n) & (right == n)))
        for n in range(len(filled))
    ]


def patterns_of(
    labelled: LabelledSet, met: Met, *, ratio: float = RATIO, seed: int = 0
) -> Patterns:
    """Return the labelled pairs with the similarities they were met with.

    Of a set of clusters, at most ``ratio`` unrelated pairs are taken for each related one: two in
    three of them pairs that were met, as those are the hard ones, the others pairs that were not.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    found = (
        _of_clusters(labelled, met, ratio, rng) if labelled.clusters else _of_pairs(labelled, met)
    )
    vectors = found.vectors if labelled.directed else symmetric(found.vectors, met.names)
    n_positive = int(np.sum(found.positive & found.met))
    if not n_positive or np.all(found.positive):
        kind = "unrelated" if n_positive else "related"
        msg = f"{labelled.name}: learning needs pairs of both kinds, got no {kind} one that was met"
        raise ParameterError(msg)
    return Patterns(
        names=met.names if labelled.directed else symmetric_names(met.names),
        vectors=vectors,
        positive=found.positive,
        left=found.left,
        right=found.right,
        weight=found.weight,
        met=found.met,
        n_sources=int(max(found.left.max(), found.right.max())) + 1,
        directed=labelled.directed,
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    vectors: Any
    positive: Any
    left: Any
    right: Any
    weight: Any
    met: Any


def _of_pairs(labelled: LabelledSet, met: Met) -> _Rows:
    import numpy as np

    places = {pair: n for n, pair in enumerate(zip(met.left, met.right, strict=True))}
    turned = mirrored(met.vectors, met.names)
    vectors = np.zeros((len(labelled.pairs), met.vectors.shape[1]))
    is_met = np.zeros(len(labelled.pairs), bool)
    for n, pair in enumerate(labelled.pairs):
        if (place := places.get((pair.left, pair.right))) is not None:
            vectors[n] = met.vectors[place]
        elif (place := places.get((pair.right, pair.left))) is not None:
            vectors[n] = turned[place]
        is_met[n] = place is not None
    positive = np.array([labelled.is_positive(pair.label) for pair in labelled.pairs], bool)
    sources = np.array(source_clusters(labelled.pairs)[0], int)
    return _Rows(vectors, positive, sources, sources, np.ones(len(positive)), is_met)


def _of_clusters(labelled: LabelledSet, met: Met, ratio: float, rng: Generator) -> _Rows:
    """Take all related pairs that were met, a sample of the unrelated ones, and some not met."""
    import numpy as np

    numbers = {name: n for n, name in enumerate(dict.fromkeys(labelled.clusters.values()))}
    source = {document: numbers[name] for document, name in labelled.clusters.items()}
    known = [
        n
        for n, pair in enumerate(zip(met.left, met.right, strict=True))
        if pair[0] in source and pair[1] in source
    ]
    left, right = (
        np.array([source[side[n]] for n in known], int) for side in (met.left, met.right)
    )
    related, hard = np.flatnonzero(left == right), np.flatnonzero(left != right)
    wanted = round(ratio * len(related))
    n_random = wanted // 3
    chosen = rng.permutation(hard)[: wanted - n_random]
    chosen.sort()
    taken = np.concatenate([related, chosen])
    sizes = Counter(source.values())
    missed = _missed(sizes, left[related])
    pairs = {unordered(met.left[n], met.right[n]) for n in known}
    drawn = _random_pairs(labelled, source, pairs, n_random, rng)
    n_documents = len(source)
    unrelated = (n_documents**2 - sum(n * n for n in sizes.values())) / 2 - len(hard)
    zeros = np.zeros((len(missed) + len(drawn), met.vectors.shape[1]))
    return _Rows(
        vectors=np.concatenate([met.vectors[np.array(known, int)[taken]], zeros]),
        positive=np.array(
            [True] * len(related)
            + [False] * len(chosen)
            + [True] * len(missed)
            + [False] * len(drawn)
        ),
        left=np.array([*left[taken], *missed, *(pair[0] for pair in drawn)], int),
        right=np.array([*right[taken], *missed, *(pair[1] for pair in drawn)], int),
        weight=np.array(
            [1.0] * len(related)
            + [len(hard) / max(len(chosen), 1)] * len(chosen)
            + list(missed.values())
            + [unrelated / max(len(drawn), 1)] * len(drawn)
        ),
        met=np.array([True] * len(taken) + [False] * len(zeros)),
    )


def _missed(sizes: Counter[int], related: Any) -> dict[int, float]:
    """Return how many related pairs of each source were not met."""
    found = Counter(related.tolist())
    missed = {n: size * (size - 1) / 2 - found[n] for n, size in sorted(sizes.items())}
    return {n: count for n, count in missed.items() if count > 0}


def _random_pairs(
    labelled: LabelledSet,
    source: dict[str, int],
    met: set[tuple[str, str]],
    wanted: int,
    rng: Generator,
) -> list[tuple[int, int]]:
    """Draw unrelated pairs that were not met; fewer where there are hardly any."""
    documents = list(labelled.clusters)
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for _ in range(4 * wanted):
        if len(found) == wanted:
            break
        one, other = (documents[n] for n in rng.integers(len(documents), size=2))
        key = unordered(one, other)
        if source[one] != source[other] and key not in met:
            found[key] = source[one], source[other]
    return list(found.values())

"""Labelled pairs as a learner takes them: vectors, what is true, and where they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
#: Of unrelated pairs, one in so many is drawn at random; the others were met, and are hard.
_RANDOM = 3


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

    def part(self, rows: Any) -> Patterns:
        """Return the rows of some sources, with pairs across sources as frequent as in all.

        Of n folds of sources, one has a n-th of the pairs within sources, but only a n-th of a
        n-th of those across: these weigh more, or a threshold would be tuned for other odds.
        """
        import numpy as np

        across = self.left != self.right
        found = self.rows(rows)
        own = found.left != found.right
        sums = [
            float(np.sum(weight))
            for weight in (
                self.weight[across],
                self.weight[~across],
                found.weight[own],
                found.weight[~own],
            )
        ]
        if not all(sums):
            return found
        factor = (sums[0] / sums[1]) / (sums[2] / sums[3])
        return replace(found, weight=np.where(own, factor * found.weight, found.weight))

    def only(self, places: Sequence[int]) -> Patterns:
        """Return the same with some of the similarities."""
        names = tuple(self.names[n] for n in places)
        return self._with(slice(None), names, self.vectors[:, list(places)])

    def sample(self, ratio: float, seed: int) -> Patterns:
        """Return at most so many unrelated pairs that were met for each related one.

        Those that are left weigh more, so that all rows together weigh the same.
        """
        import numpy as np

        hard = np.flatnonzero(self.met & ~self.positive)
        most = round(ratio * float(np.sum(self.met & self.positive)))
        if len(hard) <= most:
            return self
        chosen = np.random.default_rng(seed).permutation(hard)[:most]
        weight = self.weight.copy()
        weight[chosen] *= np.sum(weight[hard]) / np.sum(weight[chosen])
        keep = ~np.isin(np.arange(len(self)), hard)
        keep[chosen] = True
        return replace(self, weight=weight).rows(keep)

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


def folds_of(
    patterns: Patterns, n_folds: int, seed: int, *, across: bool = False
) -> list[tuple[Any, Any]]:
    """Divide the sources into folds; return the rows to learn from and to judge by, for each.

    A row is judged where both its documents are held out, and learned from where neither is. With
    ``across``, also two folds at a time are held out, for the pairs between them: every row is
    judged once.
    """
    import numpy as np

    sizes = np.bincount(patterns.left[patterns.positive], minlength=patterns.n_sources) * 1000
    sizes += np.bincount(patterns.left, minlength=patterns.n_sources)
    present = np.flatnonzero(sizes)
    order = np.random.default_rng(seed).permutation(present)
    fold = np.full(patterns.n_sources, -1)
    filled = np.zeros(min(n_folds, len(present)))
    # The largest first: what comes last is small enough to level the folds.
    for source in order[np.argsort(-sizes[order], kind="stable")]:
        fold[source] = int(np.argmin(filled))
        filled[fold[source]] += sizes[source]
    left, right = np.sort([fold[patterns.left], fold[patterns.right]], axis=0)
    found = []
    for one in range(len(filled)):
        for other in range(one, len(filled) if across else one + 1):
            judged = np.flatnonzero((left == one) & (right == other))
            away = ~np.isin(left, (one, other)) & ~np.isin(right, (one, other))
            if len(judged):
                found.append((np.flatnonzero(away), judged))
    return found


def patterns_of(
    labelled: LabelledSet, met: Met, *, ratio: float = RATIO, seed: int = 0
) -> Patterns:
    """Return the labelled pairs with the similarities they were met with.

    Of a set of clusters, these are all pairs that were met, and for each related one a third of
    ``ratio`` unrelated pairs that were not, drawn at random.
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
    """Take all pairs that were met, and some that were not."""
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
    related = left == right
    sizes = Counter(source.values())
    missed = _missed(sizes, left[related])
    pairs = {unordered(met.left[n], met.right[n]) for n in known}
    wanted = round(ratio * float(np.sum(related)) / _RANDOM)
    drawn = _random_pairs(labelled, source, pairs, wanted, rng)
    unrelated = (len(source) ** 2 - sum(n * n for n in sizes.values())) / 2 - np.sum(~related)
    zeros = np.zeros((len(missed) + len(drawn), met.vectors.shape[1]))
    return _Rows(
        vectors=np.concatenate([met.vectors[np.array(known, int)], zeros]),
        positive=np.concatenate([related, [True] * len(missed), [False] * len(drawn)]).astype(bool),
        left=np.array([*left, *missed, *(pair[0] for pair in drawn)], int),
        right=np.array([*right, *missed, *(pair[1] for pair in drawn)], int),
        weight=np.concatenate(
            [
                np.ones(len(known)),
                list(missed.values()),
                [unrelated / max(len(drawn), 1)] * len(drawn),
            ]
        ),
        met=np.concatenate([np.ones(len(known)), np.zeros(len(zeros))]).astype(bool),
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

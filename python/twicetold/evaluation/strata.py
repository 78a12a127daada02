"""A sample of nominated pairs: strata, how many pairs are drawn of each, and what these stand for.

Most of what permissive methods nominate is unrelated, and what is doubtful is rare. So pairs are
divided into strata, about as many are drawn of each, and a pair drawn stands for the size of its
stratum over the pairs drawn there: figures that weigh pairs so are those of the whole pool.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from twicetold.errors import ParameterError
from twicetold.evaluation.pool import Nominated

__all__ = ["RELATION_CODES", "allotted", "draw_sample", "stratum_of"]

#: What the first method says of a pair, in a stratum's name. Whatever it does not report: N.
RELATION_CODES: Mapping[str, str] = {
    "identical": "ND",
    "near-duplicate": "ND",
    "contained": "C",
    "contains": "C",
    "version": "V",
    "overlap": "O",
    "same-form": "F",
}
_NOT_REPORTED = "N"
#: From so many other methods on, so many is as good as more.
_SOME, _MANY = 1, 4
#: The highest score of any method, in bands.
_BANDS = ((0.3, "a"), (0.6, "b"), (0.9, "c"))
_LAST_BAND = "d"


def stratum_of(relation: str | None, others: int, score: float) -> str:
    """Return the stratum of a pair.

    ``relation`` is what the first method says, ``others`` how many others nominated it, ``score``
    the highest of any method. The name has these three: 0 for no other method, 1 for one to three,
    2 for more; a to d for a score below .3, .6, .9 and above.

    >>> stratum_of("contained", 2, 0.85), stratum_of(None, 5, 0.1), stratum_of("overlap", 0, 1.0)
    ('C1c', 'N2a', 'O0d')
    """
    code = RELATION_CODES.get(relation or "", _NOT_REPORTED)
    number = 0 if others < _SOME else 1 if others < _MANY else 2
    band = next((name for end, name in _BANDS if score < end), _LAST_BAND)
    return f"{code}{number}{band}"


def allotted(sizes: Mapping[str, int], sample: int) -> dict[str, int]:
    """Return how many pairs are drawn of each stratum: as many of each, or all it has.

    >>> allotted({"a": 2, "b": 100, "c": 50}, 20)
    {'a': 2, 'b': 9, 'c': 9}
    """
    if sample < len(sizes):
        msg = (
            f"a sample must have a pair of each of the {len(sizes):,} strata, got {sample!r}; "
            f"ask for at least {len(sizes):,}"
        )
        raise ParameterError(msg)
    left = min(sample, sum(sizes.values()))
    found = {}
    # The smallest first: what one cannot give the others do.
    order = sorted(sizes, key=lambda name: (sizes[name], name))
    for n, name in enumerate(order):
        found[name] = min(sizes[name], left // (len(order) - n))
        left -= found[name]
    return {name: found[name] for name in sizes}


def draw_sample(
    pairs: Iterable[Nominated], sample: int, *, seed: str
) -> tuple[list[Nominated], dict[str, dict[str, int]]]:
    """Draw pairs at random of each stratum; return them, and how many each stratum has and gave."""
    by_stratum: dict[str, list[Nominated]] = {}
    for pair in pairs:
        by_stratum.setdefault(pair.stratum, []).append(pair)
    sizes = {name: len(by_stratum[name]) for name in sorted(by_stratum)}
    counts = allotted(sizes, sample)
    drawn: list[Nominated] = []
    for name, count in counts.items():
        known: Sequence[Nominated] = sorted(by_stratum[name], key=lambda pair: pair.id)
        drawn += Random(f"{seed} {name}").sample(known, count)  # noqa: S311 - nothing secret
    return drawn, {name: {"pairs": sizes[name], "drawn": counts[name]} for name in sizes}

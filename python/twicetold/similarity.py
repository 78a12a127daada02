"""Similarity functions of two documents as vectors of features.

A document is a set of features, or says how often it has each. Everything but Jaccard follows from
three sums, which a join gives, and its scores have all of them as columns: the dot product a·b and
the squared lengths a·a and b·b::

    jaccard           |A & B| / |A | B|                   of the sets of features
    cosine            a·b / sqrt(a·a * b·b)
    extended_jaccard  a·b / (a·a + b·b - a·b)
    dice              2 a·b / (a·a + b·b)
    euclid            1 - Ec**2 / (a·a + b·b)             Ec = |a - b|, the Euclidean distance

Lin, Liao, Lee, "Detecting near-duplicate documents using sentence-level features and supervised
learning", Expert Systems with Applications 40, 2013, section 2. There the distance itself is
called a similarity; ``euclid`` turns it round and scales it to 0..1. As
``Ec**2 = a·a + b·b - 2 a·b``, that is ``dice`` again. On sets extended Jaccard is Jaccard, and Dice
is ``2 J / (1 + J)``. Where nothing is in either document, nothing is similar: 0.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping

__all__ = [
    "SIMILARITIES",
    "Vector",
    "cosine",
    "dice",
    "distance",
    "euclid",
    "extended_jaccard",
    "jaccard",
    "similarity_vector",
]

#: Features, or how often each is there.
Vector = Iterable[Hashable] | Mapping[Hashable, float]

#: The parts of a similarity vector, in order.
SIMILARITIES = ("jaccard", "cosine", "extended_jaccard", "dice", "euclid")


def jaccard(a: Vector, b: Vector, /) -> float:
    """Return the share of the features of either that both have.

    >>> jaccard({"ab", "cd", "ef"}, {"ab", "cd", "xy", "zz"})
    0.4
    """
    one, other = _counts(a).keys(), _counts(b).keys()
    return len(one & other) / len(one | other) if one or other else 0.0


def cosine(a: Vector, b: Vector, /) -> float:
    """Return the cosine of the angle between both.

    >>> round(cosine({"ab", "cd", "ef"}, {"ab", "cd", "xy", "zz"}), 4)
    0.5774
    """
    both, one, other = _sums(a, b)
    return both / math.sqrt(one * other) if one and other else 0.0


def distance(a: Vector, b: Vector, /) -> float:
    """Return the Euclidean distance: 0 for equals, and without an upper end.

    >>> distance({"ab": 2, "cd": 1, "ef": 1}, {"ab", "cd", "xy", "zz"})
    2.0
    """
    return math.sqrt(_squared_distance(a, b))


def extended_jaccard(a: Vector, b: Vector, /) -> float:
    """Return ``a·b / (a·a + b·b - a·b)``.

    >>> round(extended_jaccard({"ab": 2, "cd": 1, "ef": 1}, {"ab", "cd", "xy", "zz"}), 4)
    0.4286
    """
    both, one, other = _sums(a, b)
    return both / (one + other - both) if one or other else 0.0


def dice(a: Vector, b: Vector, /) -> float:
    """Return ``2 a·b / (a·a + b·b)``.

    >>> round(dice({"ab", "cd", "ef"}, {"ab", "cd", "xy", "zz"}), 4)
    0.5714
    """
    both, one, other = _sums(a, b)
    return 2 * both / (one + other) if one or other else 0.0


def euclid(a: Vector, b: Vector, /) -> float:
    """Return the Euclidean distance as a similarity from 0 to 1: ``1 - Ec**2 / (a·a + b·b)``.

    >>> euclid({"ab", "cd"}, {"ab", "xy"}), euclid({"ab"}, {"ab"}), euclid({"ab"}, {"cd"})
    (0.5, 1.0, 0.0)
    """
    _, one, other = _sums(a, b)
    return 1 - _squared_distance(a, b) / (one + other) if one or other else 0.0


def similarity_vector(a: Vector, b: Vector, /) -> tuple[float, ...]:
    """Return all of `SIMILARITIES`.

    >>> [round(x, 4) for x in similarity_vector({"ab", "cd", "ef"}, {"ab", "cd", "xy", "zz"})]
    [0.4, 0.5774, 0.4, 0.5714, 0.5714]
    """
    functions = (jaccard, cosine, extended_jaccard, dice, euclid)
    one, other = _counts(a), _counts(b)
    return tuple(function(one, other) for function in functions)


def _counts(features: Vector) -> Mapping[Hashable, float]:
    return features if isinstance(features, Mapping) else dict.fromkeys(features, 1)


def _squared_distance(a: Vector, b: Vector) -> float:
    one, other = _counts(a), _counts(b)
    return sum((one.get(key, 0) - other.get(key, 0)) ** 2 for key in one.keys() | other.keys())


def _sums(a: Vector, b: Vector) -> tuple[float, float, float]:
    """Return ``a·b``, ``a·a`` and ``b·b``."""
    one, other = _counts(a), _counts(b)
    both = sum(count * other[key] for key, count in one.items() if key in other)
    return both, sum(n * n for n in one.values()), sum(n * n for n in other.values())

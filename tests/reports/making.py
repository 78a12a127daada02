"""Pairs made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from twicetold.pairs import Manifest, Pairs
from twicetold.records import RELATIONS, Pair
from twicetold.scoring import odds

#: Ids that have broken somebody's file or screen before.
HOSTILE = [
    'quo"te',
    "com,ma",
    "line\nfeed",
    "return\r",
    "tab\t",
    "",
    " ",
    "=1+1",
    "çöktü",
    "大桥",
    "👩‍👩‍👧",
    "\x1b[2J",
    "\u202e",
    "[red]",
    "x" * 500,
    "\\",
    "\x00",
]


def make(pairs: Sequence[Pair]) -> Pairs:
    """Return pairs as a run gives them."""
    counts = {"documents": 7, "sentences": 20, "pairs": len(pairs)}
    parameters = {"threshold": 0.5, "statistics": "collection", "max_key_documents": 1000}
    manifest = Manifest(parameters=parameters, counts=counts, seconds={"analyse": 0.25})
    return Pairs.of(pairs, manifest)


def pair(left: str, right: str, there: float = 1.0, back: float = 1 / 3, relation: int = 2) -> Pair:
    """Return a pair; its score decides nothing about its relation here."""
    return Pair(left, right, RELATIONS[relation], there, back, 0.1, odds(there, back))


#: One pair of every relation, with ids of every kind.
SAMPLE = [
    replace(
        pair(left, right, 1 / (n + 1), n / 17, n % len(RELATIONS)),
        earlier=(None, "left", "right")[n % 3],
    )
    for n, (left, right) in enumerate(zip(HOSTILE, reversed(HOSTILE), strict=True))
]

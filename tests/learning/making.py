"""Small collections to learn from: invented news and edited versions of it."""

from __future__ import annotations

from dataclasses import replace

from tests.experiments.making import documents
from twicetold.evaluation import LabelledPair, LabelledSet
from twicetold.experiments.edited import edited_set, edited_versions

SHARES = (0.1, 0.3)


def clusters(n: int = 12) -> LabelledSet:
    """Return documents and their versions as clusters."""
    return edited_set(documents(n), shares=SHARES)


def pairs(n: int = 12) -> LabelledSet:
    """Return directed pairs: an edited half is in its whole, not the reverse, nor in another."""
    base = documents(n)
    halves = [replace(each, text=each.text[: len(each.text) // 2]) for each in base]
    parts = edited_versions(halves, shares=(0.1,))
    names = [document.id for document in base]
    following = dict(zip(names, [*names[1:], names[0]], strict=True))
    labelled = []
    for source, version in parts:
        labelled.append(LabelledPair(version.id, source, 1))
        labelled.append(LabelledPair(source, version.id, 0))
        labelled.append(LabelledPair(version.id, following[source], 0))
    return LabelledSet(
        name="parts",
        sources=(*base, *(version for _, version in parts)),
        pairs=tuple(labelled),
        directed=True,
    )

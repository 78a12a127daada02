"""Labelled data: what people decided about pairs or groups of documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from twicetold.errors import ParameterError
from twicetold.records import Document
from twicetold.scanning import Source

__all__ = ["LabelledPair", "LabelledSet", "Unit", "unordered"]

Unit = Literal["document", "sentence"]


def unordered(left: str, right: str) -> tuple[str, str]:
    """Return a pair, the same whichever document is named first."""
    return (left, right) if left <= right else (right, left)


class LabelledPair(NamedTuple):
    """Two documents and what people say about them.

    ``label`` is a grade: 1 and 0 where people said yes and no. In a directed set it says how much
    of ``left`` is in ``right``. ``part`` names the portion of the set the pair belongs to.
    """

    left: str
    right: str
    label: float
    part: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSet:
    """Documents with labels, to judge a detector by.

    ``sources``        what is scanned: documents, or files of them
    ``pairs``          the labelled pairs; all others are not judged
    ``clusters``       or the group of each document: then every pair of them is labelled, related
                       if both are in one group
    ``unit``           what stands in a document: a whole one, or a single sentence
    ``directed``       a label says how much of left is in right, nothing about the reverse
    ``graded``         labels are grades, not only yes and no
    ``positive_from``  the label from which on a pair counts as related; None: no pair does
    ``control``        a part whose pairs are compared with each other part, such as one that holds
                       all the unrelated pairs
    ``test_part``      a part that thresholds are never tuned on; None: halves are
    """

    name: str
    sources: tuple[Source | Document, ...]
    pairs: tuple[LabelledPair, ...] = ()
    clusters: Mapping[str, str] = field(default_factory=dict)
    unit: Unit = "document"
    directed: bool = False
    graded: bool = False
    positive_from: float | None = 1.0
    control: str | None = None
    test_part: str | None = None

    def __post_init__(self) -> None:
        if bool(self.pairs) == bool(self.clusters):
            what = "both" if self.pairs else "neither"
            msg = f"{self.name}: a labelled set has pairs or clusters, got {what}"
            raise ParameterError(msg)
        if self.directed and self.clusters:
            msg = f"{self.name}: labels are clusters, which have no direction, got directed ones"
            raise ParameterError(msg)
        if self.test_part is not None and self.test_part not in self.parts:
            known = f"there are {', '.join(self.parts)}" if self.parts else "there is but one"
            msg = f"{self.name}: no part {self.test_part!r}; {known}"
            raise ParameterError(msg)

    @property
    def parts(self) -> list[str]:
        """The names of the parts, in order; empty where there is but one."""
        return sorted({pair.part for pair in self.pairs} - {""})

    @property
    def ids(self) -> set[str]:
        """The ids of all documents with a label."""
        if self.clusters:
            return set(self.clusters)
        return {side for pair in self.pairs for side in (pair.left, pair.right)}

    @property
    def keys(self) -> set[tuple[str, str]]:
        """The labelled pairs, whichever document is named first."""
        return {unordered(pair.left, pair.right) for pair in self.pairs}

    def is_positive(self, label: float) -> bool:
        """Return whether a pair with that label counts as related."""
        return self.positive_from is not None and label >= self.positive_from

    def unordered(self) -> LabelledSet:
        """Return the same pairs without direction: related if either direction is.

        The paper's pairs are judged so: a pair is right if one document contains the other.
        """
        found: dict[tuple[str, str], LabelledPair] = {}
        for pair in self.pairs:
            key = unordered(pair.left, pair.right)
            known = found.get(key)
            if known is None or known.label < pair.label:
                found[key] = pair._replace(left=key[0], right=key[1])
        return replace(self, pairs=tuple(found.values()), directed=False)

    def only(self, part: str) -> LabelledSet:
        """Return one part of the set, scanned without the documents of the others."""
        if part not in self.parts:
            known = f"it has {', '.join(self.parts)}" if self.parts else "it has but one"
            msg = f"{self.name} has no part {part!r}; {known}"
            raise ParameterError(msg)
        pairs = tuple(pair for pair in self.pairs if pair.part in (part, self.control))
        wanted = {side for pair in pairs for side in (pair.left, pair.right)}
        sources = tuple(
            source
            for source in self.sources
            if not isinstance(source, Document) or source.id in wanted
        )
        return replace(self, pairs=pairs, sources=sources, test_part=None)

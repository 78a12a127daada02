"""`evaluate_alignment`: how well passages are found, on a set that says where they are."""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from twicetold.alignment import AlignmentParameters, align_all
from twicetold.evaluation.plagdet import Plagdet, Stretch, judge_passages
from twicetold.evaluation.sets.passages import CasePair, PassageSet, read_passages

__all__ = ["HALVES", "AlignmentEvaluation", "evaluate_alignment", "half_of"]

#: Parameters are tuned on the pairs of one half and reported on those of the other.
HALVES = ("tune", "report")


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentEvaluation:
    """What came of it. ``parts`` and ``halves`` are by name; a half has its parts, too.

    ``""`` is the name of all parts together.
    """

    name: str
    parameters: AlignmentParameters
    parts: Mapping[str, Plagdet]
    halves: Mapping[str, Mapping[str, Plagdet]]
    documents: int
    seconds: float

    @property
    def entire(self) -> Plagdet:
        """The figures of all pairs."""
        return self.parts[""]

    def to_json(self) -> dict[str, Any]:
        """Return one object of named figures, with the counts behind them."""
        return {
            "task": "alignment",
            "set": self.name,
            "parameters": asdict(self.parameters),
            "documents": self.documents,
            "seconds": self.seconds,
            **_to_json(self.parts),
            "halves": {name: _to_json(parts) for name, parts in self.halves.items()},
        }


def _to_json(parts: Mapping[str, Plagdet]) -> dict[str, Any]:
    named = {name: figures.to_json() for name, figures in parts.items() if name}
    return {**parts[""].to_json(), "parts": named}


def evaluate_alignment(
    data: PassageSet | str | Path,
    *,
    parameters: AlignmentParameters | None = None,
    language: str | None = None,
    threads: int = 0,
) -> AlignmentEvaluation:
    """Align the pairs of a set and compare what is found with what it says.

    ``data`` is a set or the folder of one, in the format of the PAN competitions. Time is that of
    the alignment, with the analysis of all documents and without reading files.
    """
    known = data if isinstance(data, PassageSet) else read_passages(data)
    parameters = parameters or AlignmentParameters()
    places = {document.id: n for n, document in enumerate(known.documents)}
    began = time.perf_counter()
    alignments = align_all(
        [document.text for document in known.documents],
        [(places[pair.left], places[pair.right]) for pair in known.pairs],
        languages=[language or document.language for document in known.documents],
        parameters=parameters,
        threads=threads,
    )
    seconds = time.perf_counter() - began
    found = [
        tuple(Stretch(passage.left, passage.right) for passage in alignment.passages)
        for alignment in alignments
    ]
    judged = list(zip(known.pairs, found, strict=True))
    return AlignmentEvaluation(
        name=known.name,
        parameters=parameters,
        parts=_by_part(judged),
        halves={
            half: _by_part([row for row in judged if half_of(row[0]) == half]) for half in HALVES
        },
        documents=len(known.documents),
        seconds=round(seconds, 3),
    )


def half_of(pair: CasePair) -> str:
    """Return the half a pair belongs to: the same on every machine, whatever else is there."""
    return HALVES[zlib.crc32(f"{pair.left} {pair.right}".encode()) >> 7 & 1]


def _by_part(judged: list[tuple[CasePair, tuple[Stretch, ...]]]) -> dict[str, Plagdet]:
    """Return the figures of each part, and under the empty name those of all."""
    names = sorted({pair.part for pair, _ in judged})
    return {
        name: judge_passages(
            (pair.cases, found) for pair, found in judged if name in ("", pair.part)
        )
        for name in (*names, "")
    }

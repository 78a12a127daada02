"""A learned decision beside a comparison: what a model says of left and each document on the right.

Passages and shares come from the alignment; a model says how likely the documents are related.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from twicetold.analysis import Analyser, Profile, profile_of
from twicetold.asking import ask, scanned_pair
from twicetold.comparing.records import Comparison, Verdict
from twicetold.counting import build_statistics
from twicetold.decision import Decision
from twicetold.documents import DocumentsLike
from twicetold.pipeline import Detector
from twicetold.records import Document, Pair
from twicetold.statistics import Statistics

__all__ = ["decided", "has_model", "verdicts"]


def has_model(method: str | Detector) -> bool:
    """Return whether a detector decides by a model about what other detectors find."""
    return isinstance(method, Detector) and method.members != (method,)


def verdicts(
    documents: Sequence[Document],
    detector: Detector,
    *,
    sources: DocumentsLike | None,
    statistics: Statistics | None,
    profile: Profile | str | None,
    reading: dict[str, Any],
    decision: Decision | None = None,
) -> list[Verdict]:
    """Return what a model says of the first document with each of the others.

    Weights come from statistics, else from the sources: then the probability is the one a scan of
    them gives. Without either they are counted in the documents alone.
    """
    if profile is None:
        profile = detector.profile if statistics is None else statistics.profile
    known = profile_of(profile)
    if statistics is None:
        statistics = _counted(documents, detector, known, sources, reading)
    statistics.require(known)
    detector.with_statistics(statistics)  # what is missing is told before the work
    found = []
    for right in documents[1:]:
        both = [documents[0], right]
        pair = None
        if decision is None:
            shares, relation = ask(both, detector, known, statistics)
        else:
            pair = scanned_pair(both, detector, known, statistics, decision=decision)
            relation = "overlap" if pair is None else pair.relation
            there = None if pair is None else pair.left_in_right_probability
            back = None if pair is None else pair.right_in_left_probability
            shares = [there or 0.0, back or 0.0]
        found.append(
            Verdict(
                method=detector.name,
                settings=detector.settings(),
                relation=relation,
                left_in_right=shares[0],
                right_in_left=shares[1],
                threshold=detector.threshold,
                taken=None if pair is None else pair.taken,
                pair=pair,
            )
        )
    return found


def _decided(pair: Pair, verdict: Verdict) -> Pair:
    """Return a pair with the relation that was decided, and with the shares of a scan, if any."""
    if (found := verdict.pair) is None:
        return replace(pair, relation=verdict.relation)
    return replace(
        found, left=pair.left, right=pair.right, passages=pair.passages, earlier=pair.earlier
    )


def _counted(
    documents: Sequence[Document],
    detector: Detector,
    profile: Profile,
    sources: DocumentsLike | None,
    reading: dict[str, Any],
) -> Statistics:
    if sources is not None:
        # What is wrong with the sources was told when the documents were picked out of them.
        return build_statistics(
            sources, method=detector, profile=profile, **(reading | {"report": None})
        )
    analysed = Analyser(profile).analyse(
        [document.text for document in documents],
        languages=[document.language for document in documents],
    )
    return detector.count([analysed], profile, origin="these documents alone")


def decided(found: Comparison, judged: Sequence[Verdict]) -> Comparison:
    """Return a comparison whose relations are what a model says.

    A model judges two documents: of several on the right together the alignment decides as ever.
    """
    parts = tuple(
        replace(part, pair=_decided(part.pair, verdict), verdict=verdict)
        for part, verdict in zip(found.parts, judged, strict=True)
    )
    if len(parts) > 1:
        return replace(found, parts=parts)
    [verdict] = judged
    return replace(
        found,
        parts=parts,
        pair=parts[0].pair,
        method=verdict.method,
        threshold=verdict.threshold,
    )

"""`explain`: why a pair has its score, and what it would have needed for another one."""

from __future__ import annotations

import struct
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from twicetold.analysis import Analyser, Profile, profile_of, sentences_of
from twicetold.asking import ask, scanned_pair
from twicetold.decision import Decision, decision_of
from twicetold.documents import DocumentsLike
from twicetold.evidence import Evidence, Explanation, SentenceEvidence, Side
from twicetold.explaining_sentences import explain_sentences
from twicetold.picking import OPTIONS, pick
from twicetold.pipeline import Detector, Trace
from twicetold.records import RELATIONS, Document, Pair, Relation, Span
from twicetold.scanning import make_detector
from twicetold.scoring import Joined
from twicetold.statistics import Statistics

__all__ = ["explain"]


def explain(
    left: Document | str,
    right: Document | str,
    *,
    sources: DocumentsLike | None = None,
    method: str | Detector = "retelling",
    statistics: Statistics | None = None,
    profile: Profile | str | None = None,
    language: str | None = None,
    decision: Decision | str | Path | None = None,
    **options: Any,
) -> Explanation:
    """Show the sentences and features, with their weights, that make up the score of a pair.

    ``left`` and ``right`` are documents, or ids of documents in ``sources``. Weights come from
    ``statistics``, else from the sources: then the score is the one a scan of them gives. Without
    either they are counted in the two documents alone. ``decision`` says who decides, as in `scan`;
    of methods that compare whole documents the method itself does. Further keywords are parameters
    of the detector and, with sources, options of `build_statistics`.

    >>> a = Document(id="a", text="Shares lose 2%. The mine will close in May.")
    >>> b = Document(id="b", text="The mine will close in May.")
    >>> found = explain(a, b, method="codet", language="en")
    >>> found.relation, [e.label for e in found.evidence][:2]
    ('contains', ['close > may > mine', 'close > may'])
    >>> [s.text for s in found.left.missing]
    ['Shares lose 2%.']
    """
    reading = {name: options.pop(name) for name in OPTIONS if name in options}
    detector = make_detector(method, options)
    if profile is None:
        profile = detector.profile if statistics is None else statistics.profile
    documents, statistics, boilerplate = pick(
        [left, right],
        sources,
        detector=detector,
        profile=profile,
        statistics=statistics,
        language=language,
        reading=reading,
    )
    left_out = [tuple(boilerplate.spans(document)) for document in documents]
    texts = [
        tuple(document.text[span.start : span.end] for span in spans)
        for document, spans in zip(documents, left_out, strict=True)
    ]
    documents = [boilerplate.without(document) for document in documents]
    known = profile_of(profile)
    learned = decision_of(decision, learned=detector.learned_decision)
    found = _explain(documents, detector, known, statistics, language, learned)
    return replace(
        found,
        learned=detector.members != (detector,),
        left=replace(found.left, boilerplate=left_out[0], left_out=texts[0]),
        right=replace(found.right, boilerplate=left_out[1], left_out=texts[1]),
    )


def _explain(
    documents: Sequence[Document],
    detector: Detector,
    profile: Profile,
    statistics: Statistics | None,
    language: str | None,
    decision: Decision | None,
) -> Explanation:
    analyser = Analyser(profile)
    analysed = analyser.analyse(
        [d.text for d in documents],
        languages=[language or d.language for d in documents],
        spans=True,
    )
    if statistics is None:
        statistics = detector.count([analysed], profile, origin="these two documents alone")
    statistics.require(profile)
    detector.with_statistics(statistics)  # what is missing is told before the work
    spans = [[s.span for s in sentences_of(analysed, n, documents[n].text)] for n in (0, 1)]
    asked = [replace(d, language=language or d.language) for d in documents]
    if detector.unit == "sentence":
        # Of several detectors the first one shows its evidence; all of them decide.
        found = explain_sentences(documents, spans, detector.members[0], analysed, statistics)
        if decision is not None:
            pair = scanned_pair(asked, detector, profile, statistics, decision=decision)
            return found if pair is None else _decided(found, pair)
        if not detector.estimates:
            return found
        shares, relation = ask(asked, detector, profile, statistics)
        return replace(
            found,
            left=replace(found.left, share=shares[0]),
            right=replace(found.right, share=shares[1]),
            relation=relation,
            threshold=detector.threshold,
            estimated=True,
        )
    frequent = _unpack(statistics.frequent_keys(detector.keys_form) or b"")
    traces = [detector.trace(analysed, n, statistics) for n in (0, 1)]
    kept = [[t for t in trace if t.key not in frequent] for trace in traces]
    return _explanation(
        documents,
        kept,
        spans,
        detector,
        judge=partial(_judge, asked, detector, profile, statistics),
        left_out=sum(map(len, traces)) - sum(map(len, kept)),
        origin=statistics.described,
    )


def _decided(found: Explanation, pair: Pair) -> Explanation:
    """Return an explanation with what a scan decides."""
    there, back = pair.left_in_right_probability, pair.right_in_left_probability
    probabilities = None
    if there is not None and back is not None and pair.taken is not None:
        probabilities = (there, back, pair.taken)
    return replace(
        found,
        left=replace(found.left, share=pair.left_in_right),
        right=replace(found.right, share=pair.right_in_left),
        relation=pair.relation,
        probabilities=probabilities,
    )


def _unpack(keys: bytes) -> frozenset[int]:
    return frozenset(struct.unpack(f"<{len(keys) // 8}Q", keys))


def _explanation(
    documents: Sequence[Document],
    traces: Sequence[list[Trace]],
    spans: Sequence[list[Span]],
    detector: Detector,
    *,
    judge: Callable[[float, list[float]], tuple[list[float], Relation]],
    left_out: int,
    origin: str,
) -> Explanation:
    counts = [Counter(t.key for t in trace) for trace in traces]
    if not detector.counts_features:
        counts = [Counter(dict.fromkeys(count, 1)) for count in counts]
    first = {t.key: t for trace in reversed(traces) for t in reversed(trace)}
    places = [_places(trace) for trace in traces]
    common = [key for key in counts[0] if key in counts[1]]
    evidence = tuple(
        Evidence(
            first[key].label,
            first[key].weight * counts[0][key] * counts[1][key],
            places[0][key],
            places[1][key],
        )
        for key in common
    )
    shared = sum(e.weight for e in evidence)
    totals = [sum(first[k].weight * n * n for k, n in count.items()) for count in counts]
    shares, relation = judge(shared, totals)
    sides = [
        Side(
            documents[n].id,
            totals[n],
            shared,
            shares[n],
            tuple(
                _sentences(
                    documents[n].text,
                    spans[n],
                    traces[n],
                    (counts[n], counts[1 - n]),
                    places[1 - n],
                )
            ),
        )
        for n in (0, 1)
    ]
    return Explanation(
        left=sides[0],
        right=sides[1],
        relation=relation,
        threshold=detector.threshold,
        estimated=detector.estimates,
        evidence=tuple(sorted(evidence, key=lambda e: (-e.weight, e.label))),
        left_out=left_out,
        statistics=origin,
    )


def _places(trace: Iterable[Trace]) -> dict[int, tuple[int, ...]]:
    places: defaultdict[int, list[int]] = defaultdict(list)
    for t in trace:
        if t.sentence not in places[t.key]:
            places[t.key].append(t.sentence)
    return {key: tuple(numbers) for key, numbers in places.items()}


def _sentences(
    text: str,
    spans: list[Span],
    trace: list[Trace],
    counts: tuple[Counter[int], Counter[int]],
    other: dict[int, tuple[int, ...]],
) -> Iterable[SentenceEvidence]:
    weight: Counter[int] = Counter()
    shared: Counter[int] = Counter()
    partners: defaultdict[int, Counter[int]] = defaultdict(Counter)
    own, theirs = counts
    left = own.copy()
    for t in trace:
        for number in other.get(t.key, ()):
            partners[t.sentence][number] += t.weight  # type: ignore[assignment]
        # As often as it counts: once, or each time.
        if not left[t.key]:
            continue
        left[t.key] -= 1
        weight[t.sentence] += t.weight * own[t.key]  # type: ignore[assignment]
        shared[t.sentence] += t.weight * theirs[t.key]  # type: ignore[assignment]
    for number, span in enumerate(spans):
        best = min(partners[number].items(), key=lambda item: (-item[1], item[0]), default=None)
        yield SentenceEvidence(
            number,
            span,
            text[span.start : span.end],
            float(weight[number]),
            float(shared[number]),
            None if best is None else best[0],
        )


def _judge(
    documents: Sequence[Document],
    detector: Detector,
    profile: Profile,
    statistics: Statistics,
    shared: float,
    totals: Sequence[float],
) -> tuple[list[float], Relation]:
    """Return how much of each document is in the other, and the relation."""
    if detector.estimates:
        return ask(documents, detector, profile, statistics)
    same = documents[0].text == documents[1].text
    if shared == 0 and not same:  # a threshold of 0 asks for something, however little
        return [0.0, 0.0], "overlap"
    scores = detector.score(Joined.of([(shared, shared, totals[0], totals[1], same)]))
    shares = [array("d", scores.column(name))[0] for name in ("left_in_right", "right_in_left")]
    return shares, RELATIONS[detector.decide(scores)[0]]

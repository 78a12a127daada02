"""Why a pair has its score, and what it would have needed for another one."""

from __future__ import annotations

import struct
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from twicetold import scoring
from twicetold.analysis import Analyser, Profile, profile_of, sentences_of
from twicetold.pipeline import Detector, Trace
from twicetold.records import Document, Relation, Span
from twicetold.scanning import make_detector
from twicetold.statistics import Statistics

__all__ = ["Evidence", "Explanation", "SentenceEvidence", "Side", "explain"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One feature both documents have: what it is, what it adds to the score."""

    label: str
    weight: float
    left_sentences: tuple[int, ...]
    right_sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SentenceEvidence:
    """A sentence: its weight in its own document, and how much of it the other document has.

    ``partner`` is the sentence of the other document that shares most with it; None if none does.
    A feature that several sentences have counts for the first of them.
    """

    number: int
    span: Span
    text: str
    weight: float
    shared: float
    partner: int | None


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two documents: its total weight, its share in the other, its sentences."""

    id: str
    total: float
    share: float
    sentences: tuple[SentenceEvidence, ...]

    @property
    def missing(self) -> tuple[SentenceEvidence, ...]:
        """The sentences the other document lacks at least in part, the weightiest first."""
        lacking = [s for s in self.sentences if s.weight - s.shared > scoring.EPSILON]
        return tuple(sorted(lacking, key=lambda s: (s.shared - s.weight, s.number)))


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that makes up the score of a pair."""

    left: Side
    right: Side
    relation: Relation
    shared: float
    threshold: float
    evidence: tuple[Evidence, ...]
    #: Features left out because too many documents have them.
    left_out: int
    #: Where idf comes from, for people.
    statistics: str

    def needed(self, side: Side) -> float:
        """Return the weight that was missing for this side to reach the threshold; 0 if none."""
        return max(self.threshold * side.total - self.shared, 0.0)

    def to_json(self) -> dict[str, Any]:
        """Return the explanation as `explain --json` prints it."""
        return {
            "left": _side_json(self.left, self.needed(self.left)),
            "right": _side_json(self.right, self.needed(self.right)),
            "relation": self.relation,
            "shared": self.shared,
            "threshold": self.threshold,
            "evidence": [
                {
                    "label": e.label,
                    "weight": e.weight,
                    "left_sentences": list(e.left_sentences),
                    "right_sentences": list(e.right_sentences),
                }
                for e in self.evidence
            ],
            "left_out": self.left_out,
            "statistics": self.statistics,
        }


def _side_json(side: Side, needed: float) -> dict[str, Any]:
    return {
        "id": side.id,
        "total": side.total,
        "share": side.share,
        "needed": needed,
        "sentences": [
            {
                "span": list(s.span),
                "text": s.text,
                "weight": s.weight,
                "shared": s.shared,
                "partner": s.partner,
            }
            for s in side.sentences
        ],
    }


def explain(
    left: Document,
    right: Document,
    *,
    method: str | Detector = "codet",
    statistics: Statistics | None = None,
    profile: Profile | str | None = None,
    language: str | None = None,
    **parameters: Any,
) -> Explanation:
    """Show the sentences and features, with their weights, that make up the score of a pair.

    Weights come from ``statistics``: give those of the collection to see the score of a scan of
    it. Without, they are counted in the two documents alone.

    >>> a = Document(id="a", text="Shares lose 2%. The mine will close in May.")
    >>> b = Document(id="b", text="The mine will close in May.")
    >>> found = explain(a, b, language="en")
    >>> found.relation, [e.label for e in found.evidence][:2]
    ('contains', ['close > may > mine', 'close > may'])
    >>> [s.text for s in found.left.missing]
    ['Shares lose 2%.']
    """
    detector = make_detector(method, parameters)
    if profile is None:
        profile = detector.profile if statistics is None else statistics.profile
    analyser = Analyser(profile_of(profile))
    documents = (left, right)
    analysed = analyser.analyse(
        [d.text for d in documents],
        languages=[language or d.language for d in documents],
        spans=True,
    )
    if statistics is None:
        statistics = Statistics(analyser.profile, origin="these two documents alone")
        statistics.add(analysed)
    statistics.require(analyser.profile)
    frequent = _unpack(statistics.frequent_keys(detector.keys_form) or b"")
    traces = [detector.trace(analysed, n, statistics) for n in (0, 1)]
    kept = [[t for t in trace if t.key not in frequent] for trace in traces]
    spans = [[s.span for s in sentences_of(analysed, n, documents[n].text)] for n in (0, 1)]
    return _explanation(
        documents,
        kept,
        spans,
        detector,
        left_out=sum(map(len, traces)) - sum(map(len, kept)),
        origin=f"{statistics.origin} ({statistics.documents:,} documents)",
    )


def _unpack(keys: bytes) -> frozenset[int]:
    return frozenset(struct.unpack(f"<{len(keys) // 8}Q", keys))


def _explanation(
    documents: Sequence[Document],
    traces: Sequence[list[Trace]],
    spans: Sequence[list[Span]],
    detector: Detector,
    *,
    left_out: int,
    origin: str,
) -> Explanation:
    counted = getattr(detector, "mode", "set") == "bag"
    counts = [Counter(t.key for t in trace) for trace in traces]
    if not counted:
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
    same = documents[0].text == documents[1].text
    shares = [1.0 if same else shared / total if total else 0.0 for total in totals]
    sides = [
        Side(
            documents[n].id,
            totals[n],
            shares[n],
            tuple(_sentences(documents[n].text, spans[n], traces[n], places[1 - n])),
        )
        for n in (0, 1)
    ]
    return Explanation(
        left=sides[0],
        right=sides[1],
        relation=_relation(shares, detector, same=same),
        shared=shared,
        threshold=detector.threshold,
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
    text: str, spans: list[Span], trace: list[Trace], other: dict[int, tuple[int, ...]]
) -> Iterable[SentenceEvidence]:
    weight: Counter[int] = Counter()
    shared: Counter[int] = Counter()
    partners: defaultdict[int, Counter[int]] = defaultdict(Counter)
    seen: set[int] = set()
    for t in trace:
        for number in other.get(t.key, ()):
            partners[t.sentence][number] += t.weight  # type: ignore[assignment]
        if t.key in seen:
            continue
        seen.add(t.key)
        weight[t.sentence] += t.weight  # type: ignore[assignment]
        if t.key in other:
            shared[t.sentence] += t.weight  # type: ignore[assignment]
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


def _relation(shares: Sequence[float], detector: Detector, *, same: bool) -> Relation:
    import pyarrow as pa

    row = {"left_in_right": [shares[0]], "right_in_left": [shares[1]], "same_text": [same]}
    relation: Relation = detector.decide(pa.table(row)).column("relation")[0].as_py()
    return relation

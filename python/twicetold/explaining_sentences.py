"""Why a pair has its score, for methods that compare sentences."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.batches import Batch
from twicetold.evidence import Evidence, Explanation, SentenceEvidence, Side
from twicetold.matching import (
    SentenceMatch,
    mark_boilerplate,
    sentence_matches,
    verified_join,
)
from twicetold.pipeline import Detector
from twicetold.records import RELATIONS, Document, Relation, Span, WordLink
from twicetold.scoring import Joined
from twicetold.statistics import Statistics

__all__ = ["explain_sentences"]


def explain_sentences(
    documents: Sequence[Document],
    spans: Sequence[Sequence[Span]],
    detector: Detector,
    analysed: Analysed,
    statistics: Statistics,
) -> Explanation:
    """Return the matches between the sentences of two documents, and what they add up to."""
    join, counted = _joined(documents, detector, analysed, statistics)
    matches = sentence_matches(join, [0], [1])
    numbers = [join.sentences(n) for n in (0, 1)]
    weights = [join.weighed(n, 1 - n) for n in (0, 1)]
    same = documents[0].text == documents[1].text
    sides = [
        _side(
            documents[n],
            spans[n],
            numbers[n],
            weights[n],
            join.is_boilerplate(n),
            _partners(matches, n),
            counted[n],
            same=same,
        )
        for n in (0, 1)
    ]
    terms = [_terms(analysed, n) for n in (0, 1)]

    def links(match: SentenceMatch) -> Sequence[WordLink]:
        found = detector.links(terms[0][match.left], terms[1][match.right], statistics)
        return sorted(found, key=lambda link: (-link.correlation, link.left, link.right))

    return Explanation(
        left=sides[0],
        right=sides[1],
        relation=_relation(sides, detector, same=same),
        threshold=detector.threshold,
        evidence=tuple(_evidence(matches, documents[0].text, spans[0], links)),
        left_out=join.features_left_out,
        statistics=statistics.described,
        noun="sentences",
    )


def _joined(
    documents: Sequence[Document], detector: Detector, analysed: Analysed, statistics: Statistics
) -> tuple[_kernel.VerifiedJoin, tuple[float, float]]:
    """Return the join of the two, and how many sentences of each count as matched."""
    form = detector.keys_form
    detector = detector.with_statistics(statistics)
    verification = detector.verify()
    assert verification is not None
    collection = _kernel.Collection()
    # Only two documents: their ids may be the same, their order is that of the arguments.
    texts = [document.text for document in documents]
    nothing = [None] * len(texts)
    sources = [document.source for document in documents]
    batch = Batch.from_columns(["0", "1"], texts, nothing, nothing, sources)
    collection.add(batch, analysed)
    features = detector.features(analysed, statistics)
    mark_boilerplate(detector, features, collection, statistics)
    join = verified_join(detector, collection, features)
    join.leave_out(statistics.left_out(form))
    found = join.run(verification, floor=0.0)
    scores = detector.roll_up(found)
    left, right = (sum(array("d", scores.column(name))) for name in ("shared", "right_shared"))
    return join, (left, right)


def _terms(analysed: Analysed, document: int) -> list[list[str]]:
    """Return the terms of each sentence, without those that are dropped."""
    return [
        [term for _, term, _, is_dropped in words if not is_dropped]
        for _, words in analysed.sentences(document)
    ]


def _partners(matches: Iterable[SentenceMatch], side: int) -> dict[int, tuple[float, int]]:
    """Return the best match of each sentence that asks: the score, and the other's number."""
    best: dict[int, tuple[float, int]] = {}
    for found in matches:
        own, other = (found.left, found.right)[:: 1 if side == 0 else -1]
        score = found.left_score if side == 0 else found.right_score
        if score > best.get(own, (0.0, 0))[0]:
            best[own] = (score, other)
    return best


def _side(
    document: Document,
    spans: Sequence[Span],
    numbers: Sequence[int | None],
    weights: Sequence[tuple[float, float, int | None]],
    boilerplate: Sequence[bool],
    partners: dict[int, tuple[float, int]],
    counted: float,
    *,
    same: bool,
) -> Side:
    seen: set[int] = set()
    sentences = []
    rows = zip(spans, numbers, weights, strict=True)
    for number, (span, distinct, (weight, shared, link)) in enumerate(rows):
        # A sentence that comes again counts once, as everywhere.
        is_new = distinct is not None and distinct not in seen
        if distinct is not None:
            seen.add(distinct)
        # What no sentence matches may still be in some of them in a row.
        partner = partners.get(number, None if link is None else (0.0, link))
        sentences.append(
            SentenceEvidence(
                number,
                span,
                document.text[span.start : span.end],
                weight * is_new,
                shared * is_new if partner is not None else 0.0,
                None if partner is None else partner[1],
                boilerplate[number],
            )
        )
    total = sum(s.weight for s in sentences)
    share = 1.0 if same else counted / total if total else 0.0
    return Side(document.id, total, total if same else counted, share, tuple(sentences))


def _evidence(
    matches: Iterable[SentenceMatch],
    text: str,
    spans: Sequence[Span],
    links: Callable[[SentenceMatch], Sequence[WordLink]],
) -> Iterable[Evidence]:
    found = sorted(matches, key=lambda m: (-max(m.left_score, m.right_score), m.left, m.right))
    for match in found:
        span = spans[match.left]
        label = " ".join(text[span.start : span.end].split())
        score = max(match.left_score, match.right_score)
        words = tuple(links(match))
        yield Evidence(label, score, (match.left,), (match.right,), words)


def _relation(sides: Sequence[Side], detector: Detector, *, same: bool) -> Relation:
    """Return what a detector decides; where nothing matches there is nothing to decide."""
    left, right = sides
    if not (left.shared or right.shared or same):
        return "overlap"
    row = (left.shared, right.shared, left.total, right.total, same)
    return RELATIONS[detector.decide(detector.roll_up(Joined.of([row])))[0]]

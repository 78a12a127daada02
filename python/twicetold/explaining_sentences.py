"""Why a pair has its score, for methods that compare sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.batches import Batch
from twicetold.evidence import Evidence, Explanation, SentenceEvidence, Side
from twicetold.matching import SentenceMatch, sentence_matches, verified_join
from twicetold.pipeline import Detector, Features
from twicetold.records import Document, Relation, Span
from twicetold.statistics import Statistics

__all__ = ["explain_sentences", "relation_of"]


def explain_sentences(
    documents: Sequence[Document],
    spans: Sequence[Sequence[Span]],
    detector: Detector,
    analysed: Analysed,
    statistics: Statistics,
) -> Explanation:
    """Return the matches between the sentences of two documents, and what they add up to."""
    join = _joined(documents, detector, analysed, statistics)
    matches = sentence_matches(join, [0], [1])
    numbers = [join.sentences(n) for n in (0, 1)]
    same = documents[0].text == documents[1].text
    sides = [
        _side(documents[n], spans[n], numbers[n], _partners(matches, n), same=same) for n in (0, 1)
    ]
    return Explanation(
        left=sides[0],
        right=sides[1],
        relation=relation_of(sides, detector, same=same),
        threshold=detector.threshold,
        evidence=tuple(_evidence(matches, documents[0].text, spans[0])),
        left_out=join.features_left_out,
        statistics=statistics.described,
        noun="sentences",
    )


def _joined(
    documents: Sequence[Document], detector: Detector, analysed: Analysed, statistics: Statistics
) -> _kernel.VerifiedJoin:
    form = detector.keys_form
    detector = detector.with_statistics(statistics)
    verification = detector.verify()
    assert verification is not None
    collection = _kernel.Collection()
    # Only two documents: their ids may be the same, their order is that of the arguments.
    texts = [document.text for document in documents]
    batch = Batch.from_columns(["0", "1"], texts, [None] * len(texts), [None] * len(texts))
    collection.add(batch, analysed)
    features = Features()
    features.append(detector.features(analysed, statistics))
    join = verified_join(detector, collection, features)
    join.leave_out(statistics.frequent_keys(form) or b"")
    join.run(verification, floor=0.0)
    return join


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
    partners: dict[int, tuple[float, int]],
    *,
    same: bool,
) -> Side:
    seen: set[int] = set()
    sentences = []
    for number, (span, distinct) in enumerate(zip(spans, numbers, strict=True)):
        # A sentence that comes again counts once, as everywhere.
        is_new = distinct is not None and distinct not in seen
        if distinct is not None:
            seen.add(distinct)
        partner = partners.get(number)
        sentences.append(
            SentenceEvidence(
                number,
                span,
                document.text[span.start : span.end],
                float(is_new),
                float(is_new and partner is not None),
                None if partner is None else partner[1],
            )
        )
    total, shared = (sum(s.weight for s in sentences), sum(s.shared for s in sentences))
    share = 1.0 if same else shared / total if total else 0.0
    return Side(document.id, total, shared, share, tuple(sentences))


def _evidence(
    matches: Iterable[SentenceMatch], text: str, spans: Sequence[Span]
) -> Iterable[Evidence]:
    found = sorted(matches, key=lambda m: (-max(m.left_score, m.right_score), m.left, m.right))
    for match in found:
        span = spans[match.left]
        label = " ".join(text[span.start : span.end].split())
        score = max(match.left_score, match.right_score)
        yield Evidence(label, score, (match.left,), (match.right,))


def relation_of(sides: Sequence[Side], detector: Detector, *, same: bool) -> Relation:
    """Return what a detector decides for two sides; with no match there is nothing to decide."""
    if not any(side.shared for side in sides) and not same:
        return "overlap"
    import pyarrow as pa

    matched: dict[str, list[float | bool]] = {"same_text": [same]}
    for name, side in zip(("left", "right"), sides, strict=True):
        matched |= {f"{name}_matched": [side.shared], f"{name}_sentences": [side.total]}
    decided = detector.decide(detector.roll_up(pa.table(matched)))
    relation: Relation = decided.column("relation")[0].as_py()
    return relation

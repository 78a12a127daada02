"""Scores and relations of joined pairs, column by column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["MAX_ODDS", "containment", "matched_share", "odds", "relate", "relate_alike"]

#: What stands for certainty: p / (1 - p) has no upper end.
MAX_ODDS = 100.0

#: Shares closer than this are equal: sums are exact, their quotients are not.
EPSILON = 1e-12


def odds(left_in_right: float, right_in_left: float) -> float:
    """Return ``p / (1 - p)`` for ``p = left_in_right * right_in_left``, at most `MAX_ODDS`.

    >>> round(odds(0.9, 0.9), 5), round(odds(0.1, 0.9), 5), odds(1.0, 1.0)
    (4.26316, 0.0989, 100.0)
    """
    p = min(left_in_right, 1.0) * min(right_in_left, 1.0)
    return MAX_ODDS if p >= MAX_ODDS / (MAX_ODDS + 1) else p / (1 - p)


def containment(joined: pa.Table, *, most: float | None = None) -> pa.Table:
    """Add ``left_in_right``, ``right_in_left``, ``resemblance``, ``odds`` and ``score``.

    The share of a document is the weight it shares over its own; resemblance is the weight shared
    over that of both together. Documents with the same text hold each other, whatever they weigh.
    Where features are counted a share can be above 1; ``most`` keeps it below.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    shared, left, right, same = (
        joined.column(name) for name in ("shared", "left_total", "right_total", "same_text")
    )
    both = pc.subtract(pc.add(left, right), shared)
    # The literal formula can share more than both have: the part is never more than the whole.
    resemblance = pc.if_else(
        pc.less_equal(both, shared),
        pc.cast(pc.or_(same, pc.greater(shared, 0.0)), pa.float64()),
        _ratio(shared, both, same),
    )
    left_in_right, right_in_left = (_ratio(shared, total, same) for total in (left, right))
    if most is not None:
        left_in_right = pc.min_element_wise(left_in_right, most)
        right_in_left = pc.min_element_wise(right_in_left, most)
    return _with_scores(joined, left_in_right, right_in_left, resemblance)


def matched_share(matched: pa.Table) -> pa.Table:
    """Add the same to pairs of documents whose sentences match.

    The share of a document is that of its sentences with a match in the other one; resemblance is
    the share among the sentences of both.
    """
    import pyarrow.compute as pc

    left, right, left_all, right_all, same = (
        matched.column(name)
        for name in (
            "left_matched",
            "right_matched",
            "left_sentences",
            "right_sentences",
            "same_text",
        )
    )
    resemblance = _ratio(pc.add(left, right), pc.add(left_all, right_all), same)
    return _with_scores(
        matched, _ratio(left, left_all, same), _ratio(right, right_all, same), resemblance
    )


def _ratio(part: pa.ChunkedArray, whole: pa.ChunkedArray, same: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow.compute as pc

    known = pc.greater(whole, 0.0)
    quotient = pc.divide(part, pc.if_else(known, whole, 1.0))
    return pc.if_else(same, 1.0, pc.if_else(known, quotient, 0.0))


def _with_scores(
    pairs: pa.Table,
    left_in_right: pa.ChunkedArray,
    right_in_left: pa.ChunkedArray,
    resemblance: pa.ChunkedArray,
) -> pa.Table:
    import pyarrow.compute as pc

    p = pc.multiply(
        pc.min_element_wise(left_in_right, 1.0), pc.min_element_wise(right_in_left, 1.0)
    )
    certain = pc.greater_equal(p, MAX_ODDS / (MAX_ODDS + 1))
    rest = pc.if_else(certain, 1.0, pc.subtract(1.0, p))
    columns = {
        "left_in_right": left_in_right,
        "right_in_left": right_in_left,
        "resemblance": resemblance,
        "odds": pc.if_else(certain, MAX_ODDS, pc.divide(p, rest)),
        "score": pc.max_element_wise(left_in_right, right_in_left),
    }
    for name, column in columns.items():
        pairs = pairs.append_column(name, column)
    return pairs


def relate(scores: pa.Table, threshold: float, *, strict: bool) -> pa.Table:
    """Add ``relation``; ``strict`` asks for more than the threshold."""
    import pyarrow.compute as pc

    def holds(name: str) -> pa.ChunkedArray:
        if strict:
            return pc.greater(scores.column(name), threshold + EPSILON)
        return pc.greater_equal(scores.column(name), threshold - EPSILON)

    contained, contains = holds("left_in_right"), holds("right_in_left")
    relation = pc.case_when(
        pc.make_struct(
            scores.column("same_text"), pc.and_(contained, contains), contained, contains
        ),
        "identical",
        "near-duplicate",
        "contained",
        "contains",
        "overlap",
    )
    return scores.append_column("relation", relation)


def relate_alike(
    scores: pa.Table,
    threshold: float,
    *,
    by: Literal["score", "resemblance", "similarity"] = "score",
) -> pa.Table:
    """Add ``relation`` for a method that tells likeness, not containment.

    Documents are near-duplicates if what they are judged ``by`` reaches the threshold.
    """
    import pyarrow.compute as pc

    alike = pc.greater_equal(scores.column(by), threshold - EPSILON)
    relation = pc.case_when(
        pc.make_struct(scores.column("same_text"), alike),
        "identical",
        "near-duplicate",
        "overlap",
    )
    return scores.append_column("relation", relation)

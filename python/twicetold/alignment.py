"""Two documents aligned: which passages they have in common, and how much of each is in the other.

`align` compares one document with another, or with several taken together; `align_all` does so for
many pairs of one collection, each document analysed once.

Passages are for showing, and say for sure that something was taken; shares come from all words, so
that what was retold sentence by sentence counts although no passage stands out. The steps, in the
kernel's folder ``align``: common runs of words; sentences that are alike, by the cosine of stems
weighted within the two documents; blocks of them; the ends of a block moved to where the evidence
begins, word by word; a floor for the evidence; summaries of long stretches.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from twicetold import _kernel
from twicetold.analysis import PROFILES, Analyser
from twicetold.errors import ParameterError
from twicetold.parameters import check_parameters, parameter
from twicetold.records import Passage, Span
from twicetold.scoring import odds

__all__ = ["Alignment", "AlignmentParameters", "align", "align_all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentParameters:
    """The numbers of an alignment; lengths are in words and sentences."""

    min_sentence: int = parameter(1, "merge a sentence of fewer words with the next", minimum=1)
    max_sentence: int = parameter(30, "cut a sentence of more words into equal parts", minimum=1)
    run: int = parameter(42, "a common run of so many words is a passage", minimum=1)
    quote: int = parameter(
        0,
        "outside of passages, a run of so many words (8 or more) is one, too; 0: never",
        minimum=0,
    )
    seed: float = parameter(
        0.25, "sentences with a higher cosine are alike", minimum=0.05, maximum=1
    )
    gap: int = parameter(4, "sentences of left without a likeness in a passage", minimum=0)
    gap_right: int = parameter(3, "sentences of right without a likeness in a passage", minimum=0)
    around: int = parameter(1, "sentences of left around a passage that may join it", minimum=0)
    penalty: float = parameter(
        0.35, "what a word costs that the other side does not have", minimum=0
    )
    snap: int = parameter(4, "words between an end and the border of a sentence", minimum=0)
    mass: float = parameter(
        13.0, "shared weight a passage needs, times ln(sentences of both)", minimum=0
    )
    min_words: int = parameter(17, "words a passage has on both sides", minimum=1)
    summary_seed: float = parameter(
        0.27, "cosine of a sentence of a summary", minimum=0.05, maximum=1
    )
    summary_words: int = parameter(
        50, "words of a summary, which is a passage with all it sums up; 0: never", minimum=0
    )
    summary_density: float = parameter(
        0.6, "share of a summary's sentences that must be alike", minimum=0, maximum=1
    )
    summary_ratio: float = parameter(3.0, "how many times as long is what is summed up", minimum=1)
    summary_cosine: float = parameter(
        0.3, "cosine of a summary and what it sums up", minimum=0, maximum=1
    )
    summary_gain: float = parameter(
        1.2, "weight a summary shares, over that of a passage in its place", minimum=0
    )
    window: int = parameter(3, "sentences in which a sentence is looked for", minimum=1)

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """One document beside another, or beside several taken together.

    ``left_in_right``          the share of left that is retold in right, sentence by sentence
    ``left_content_in_right``  the share of left's vocabulary that right has, wherever it stands
    ``resemblance``            the share of both that is retold in the other
    ``odds``                   p / (1 - p) with p the product of both shares, at most 100
    ``by_document``            the passages with each document of right
    """

    left_in_right: float
    right_in_left: float
    left_content_in_right: float
    right_content_in_left: float
    resemblance: float
    by_document: tuple[tuple[Passage, ...], ...]

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The passages with all documents of right, in the order of left."""
        found = (passage for passages in self.by_document for passage in passages)
        return tuple(sorted(found, key=lambda passage: (passage.left, passage.right)))

    @property
    def odds(self) -> float:
        """How much rather than not the two are one story."""
        return odds(self.left_in_right, self.right_in_left)

    @property
    def score(self) -> float:
        """The larger of the two directions."""
        return max(self.left_in_right, self.right_in_left)


def align(
    left: str,
    right: str | Sequence[str],
    *,
    language: str | None = None,
    parameters: AlignmentParameters | None = None,
    threads: int = 0,
) -> Alignment:
    """Align a text with another, or with several whose union it may be taken from.

    ``language`` None: that of each text is detected. Spans are code points, half-open.

    >>> told = "The dam above the town broke on Monday night. Ten people are missing."
    >>> found = align(told, "Ten people are missing. The dam above the town broke Monday.")
    >>> found.left_content_in_right > 0.8
    True
    >>> first, second = "The dam broke on Monday night.", "Ten people were missing by noon."
    >>> union = align(f"{first} {second}", [second, first], language="en")
    >>> union.left_in_right, [passage.left for passage in union.passages]
    (1.0, [Span(start=0, end=30), Span(start=31, end=63)])
    """
    texts = [left, right] if isinstance(right, str) else [left, *right]
    request = (0, list(range(1, len(texts))))
    languages = [language] * len(texts)
    (found,) = align_all(
        texts, [request], languages=languages, parameters=parameters, threads=threads
    )
    return found


def align_all(
    texts: Sequence[str],
    pairs: Iterable[tuple[int, int | Sequence[int]]],
    *,
    languages: Sequence[str | None] | None = None,
    boilerplate: Sequence[Sequence[bool]] | None = None,
    parameters: AlignmentParameters | None = None,
    threads: int = 0,
) -> list[Alignment]:
    """Align many pairs of texts, given by their places, on all cores.

    The second of a pair may be several places: their union. ``boilerplate`` tells of each sentence
    of each text, as `twicetold.analyse` finds them, whether its source has it everywhere: such
    sentences do not count in shares, and passages of them are of the type ``boilerplate``.

    >>> texts = ["The dam broke on Monday night.", "The dam broke on Monday night. Ten died."]
    >>> [round(found.right_in_left, 1) for found in align_all(texts, [(0, 1), (1, 0)])]
    [0.6, 1.0]
    """
    requests = [(left, [right] if isinstance(right, int) else list(right)) for left, right in pairs]
    if any(not right for _, right in requests):
        msg = "a pair must have at least one document on the right, got none"
        raise ParameterError(msg)
    chosen = dataclasses.asdict(parameters or AlignmentParameters())
    analyser = Analyser(PROFILES["retelling"])
    analysed = analyser.analyse(texts, languages=languages, spans=True, threads=threads)
    flags = None if boilerplate is None else [flag for known in boilerplate for flag in known]
    aligner = _kernel.Aligner(analysed, list(texts), chosen, boilerplate=flags, threads=threads)
    found = aligner.align(requests, threads=threads)
    return [
        Alignment(
            left_in_right=left[0],
            right_in_left=right[0],
            left_content_in_right=left[1],
            right_content_in_left=right[1],
            resemblance=resemblance,
            by_document=tuple(
                tuple(
                    Passage(Span(*left_span), Span(*right_span), score, kind)
                    for place, left_span, right_span, score, kind in passages
                    if place == document
                )
                for document in range(len(rights))
            ),
        )
        for (passages, left, right, resemblance), (_, rights) in zip(found, requests, strict=True)
    ]

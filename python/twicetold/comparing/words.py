"""Which words of a passage the other side has, too: what a report emphasises."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from twicetold.analysis import PROFILES, Analyser, sentences_of
from twicetold.comparing.by_sentences import Found
from twicetold.comparing.sentences import Sentences
from twicetold.deadlines import checked
from twicetold.records import Sentence, Span

__all__ = ["emphasised"]

#: So many partners of a sentence, the best ones, are looked at.
_PARTNERS = 8


def emphasised(sentences: Sentences, found: Found) -> list[tuple[Span, ...]]:
    """Return of each document the runs of words that the partners of their sentence have."""
    analyser = Analyser(PROFILES["retelling"])
    analysed = analyser.analyse(sentences.texts, languages=sentences.languages, spans=True)
    read = [sentences_of(analysed, n, text) for n, text in enumerate(sentences.texts)]
    terms = [[frozenset(word.term for word in s) for s in checked(own)] for own in read]
    common: list[defaultdict[int, set[str]]] = [defaultdict(set) for _ in read]
    for number, dots in enumerate(found.dots, start=1):
        seen: list[defaultdict[int, int]] = [defaultdict(int), defaultdict(int)]
        for dot in checked(sorted(dots, key=lambda dot: (-dot.score, dot.left, dot.right))):
            shared = terms[0][dot.left] & terms[number][dot.right]
            for side, document, place in ((0, 0, dot.left), (1, number, dot.right)):
                seen[side][place] += 1
                if seen[side][place] <= _PARTNERS:
                    common[document][place] |= shared
    return [
        tuple(
            run
            for place in checked(sorted(common[document]))
            for run in _runs(read[document][place], common[document][place])
        )
        for document in range(len(read))
    ]


def _runs(sentence: Sentence, shared: set[str]) -> Sequence[Span]:
    """Return the runs of words with a shared term."""
    runs: list[Span] = []
    joins = False
    for word in sentence:
        if word.term not in shared:
            joins = False
            continue
        if joins:
            runs[-1] = Span(runs[-1].start, word.span.end)
        else:
            runs.append(word.span)
        joins = True
    if runs and runs[-1].end == sentence.words[-1].span.end:
        runs[-1] = Span(runs[-1].start, sentence.span.end)  # with the full stop
    if runs and runs[0].start == sentence.words[0].span.start:
        runs[0] = Span(sentence.span.start, runs[0].end)
    return runs

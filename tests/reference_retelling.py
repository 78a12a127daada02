"""A slow, obvious oracle of `retelling`: every sentence of a document with every one of another.

Nothing is hashed, so runs of terms are not sampled: the oracle is for ``winnow=1``, where every run
is a key.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tests.reference import Frequencies, Told, orient

Sentence = tuple[str, ...]


@dataclass(frozen=True)
class Oracle:
    """The parameters, and in how many documents each word is."""

    frequencies: Frequencies
    rarest: int
    gram: int
    min_dice: float
    min_overlap: float
    min_terms: int
    align_from: float = 0.3

    def weight(self, words: Iterable[str]) -> float:
        n = self.frequencies.documents
        return sum(max(math.log(n / max(self._df(w), 1)) + 1, 0.0) for w in set(words))

    def _df(self, word: str) -> int:
        return self.frequencies.of.get(word, 0)

    def keys(self, sentence: Sentence) -> set[object]:
        """Return what a sentence meets others by."""
        repeated = sorted({w for w in sentence if self._df(w) > 1}, key=lambda w: (self._df(w), w))
        pairs: set[object] = {frozenset(two) for two in combinations(repeated[: self.rarest], 2)}
        size = min(self.gram, len(sentence))
        runs = {tuple(sentence[at : at + size]) for at in range(len(sentence) - size + 1)}
        whole = {("all", frozenset(sentence))} if len(repeated[: self.rarest]) < 2 else set()
        return pairs | runs | whole

    def shared(self, one: Sentence, other: Sentence) -> float:
        """Return the weight of what two sentences that match have in common; 0 if they do not."""
        if one == other:
            return self.weight(one)
        if not self.keys(one) & self.keys(other):
            return 0.0
        common = self.weight(set(one) & set(other))
        weights = self.weight(one), self.weight(other)
        dice, overlap = 2 * common / sum(weights), common / min(weights)
        lacking = max(self.min_terms - min(len(set(one)), len(set(other))), 0) / self.min_terms * 2
        least = self.min_overlap + max(0.9 - self.min_overlap, 0) * lacking
        is_part = lacking <= 1 and overlap >= least - 1e-9
        return common if is_part or dice >= self.min_dice - 1e-9 else 0.0

    def windowed(self, sentence: Sentence, other: Sequence[Sentence]) -> float:
        """Return what the best three sentences in a row have of one, if they have much of it."""
        ends = range(1, len(other) + 1)
        windows = ({w for s in other[max(end - 3, 0) : end] for w in s} for end in ends)
        most = max((self.weight(set(sentence) & window) for window in windows), default=0.0)
        return most if most >= 0.7 * self.weight(sentence) - 1e-9 else 0.0

    def shares(
        self, left: Sequence[Sentence], right: Sequence[Sentence]
    ) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return what of each document is in the other, and what it weighs."""
        both = (left, right), (right, left)
        best = [{s: max((self.shared(s, t) for t in b), default=0.0) for s in a} for a, b in both]
        wholes = [sum(map(self.weight, of)) for of in best]
        pairs = list(zip(best, wholes, strict=True))
        is_met = any(any(of.values()) for of in best)
        floor = self.align_from - 1e-9
        if is_met and any(sum(of.values()) >= floor * whole for of, whole in pairs if whole):
            for of, (_, other) in zip(best, both, strict=True):
                for sentence in of:
                    # What one sentence there has most of is not looked for any further.
                    if of[sentence] < 0.7 * self.weight(sentence) - 1e-9:
                        of[sentence] = max(of[sentence], self.windowed(sentence, other))
        there, back = ((sum(of.values()), whole) for of, whole in pairs)
        return there, back

    def pairs(self, documents: Sequence[Told]) -> dict[tuple[str, str], tuple[float, float, float]]:
        """Return the shares both ways and the resemblance of every pair that has anything."""
        found = {}
        sentences = {d.id: [tuple(s) for s in d.sentences if s] for d in documents}
        for a, b in combinations(documents, 2):
            left, right = orient(a, b)
            (there, total), (back, other) = self.shares(sentences[left.id], sentences[right.id])
            if left.text == right.text:
                found[left.id, right.id] = (1.0, 1.0, 1.0)
            elif there or back:
                both = (there + back) / (total + other)
                found[left.id, right.id] = (there / total, back / other, both)
        return found

"""The words of a sample, and ways to rename them that keep its statistics."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random

from twicetold.experiments.text.words import invented

_KEPT = 150  # the commonest words, mostly function words, keep their names
_RENEWED = 0.5
_FRESH_RANK = 1_000_000


class Vocabulary:
    """Numbers for pieces of text; a table of names turns the numbers into text again."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._counts: Counter[int] = Counter()

    def encode(self, parts: Sequence[str]) -> list[int]:
        """Return a number for each piece; an unknown piece gets the next one."""
        ids = [self._ids.setdefault(part, len(self._ids)) for part in parts]
        self._counts.update(ids)
        return ids

    def renamed(self, seed: int, generation: int) -> list[str]:
        """Return the table of names of a generation; generation 0 has the names as they are.

        Content words trade names with words of like frequency and kind, and half of those that
        occur once get a name never used before. So word frequencies, sentence lengths and bursts
        stay, the vocabulary grows, and a sentence has little in common with the same sentence of
        another generation but its function words.
        """
        if generation == 0:
            return list(self._ids)
        rng = Random(f"{seed}/{generation}")  # noqa: S311 - nothing secret
        new_names: dict[str, str] = {}
        fresh = _FRESH_RANK * generation
        for words in self._kinds():
            for band in _bands(words):
                shuffled = band.copy()
                rng.shuffle(shuffled)
                new_names.update(zip(band, shuffled, strict=True))
        for word in self._singles():
            if rng.random() < _RENEWED:
                fresh += 1
                new_names[word] = invented(fresh)
        return [_like(name, new_names.get(name.lower(), name)) for name in self._ids]

    def _kinds(self) -> list[list[str]]:
        """Return the content words, commonest first: numbers, alphabetic words, single signs."""
        by_kind: dict[str, list[str]] = defaultdict(list)
        for word, _ in self._folded().most_common()[_KEPT:]:
            by_kind[_kind(word)].append(word)
        return list(by_kind.values())

    def _singles(self) -> list[str]:
        folded = self._folded()
        return [word for word, n in folded.items() if n == 1 and _kind(word) == "word"]

    def _folded(self) -> Counter[str]:
        folded: Counter[str] = Counter()
        for name, number in self._ids.items():
            if name[:1].isalnum():
                folded[name.lower()] += self._counts[number]
        return folded


def _bands(words: list[str]) -> list[list[str]]:
    """Cut a list sorted by frequency into bands that widen with rank."""
    bands = []
    start = 0
    while start < len(words):
        end = start + max(32, start // 2)
        bands.append(words[start:end])
        start = end
    return bands


def _kind(word: str) -> str:
    if word.isdecimal():
        return f"number of {len(word)} digits"
    return "word" if len(word) > 1 and word.isalpha() else f"{len(word)} signs"


def _like(name: str, other: str) -> str:
    """Write one word with the capitals of another."""
    if name[:1].islower() or not name[:1].isupper():
        return other
    return other.upper() if len(name) > 1 and name.isupper() else other[:1].upper() + other[1:]

"""Slow, obvious oracles of what stands for sentences.

A document is a list of sentences, a sentence is a list of words. Nothing is hashed or shared with
the package: a feature is the tuple of its words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tests.reference import Frequencies, Sentence

Feature = tuple[str, ...]


def grams_of(words: Sequence[str]) -> list[str]:
    """Return the 4-grams of characters of words written without spaces."""
    text = "".join(words)
    return [text[n : n + 4] for n in range(len(text) - 3)]


def gram_frequencies(documents: Iterable[Iterable[Sentence]]) -> Counter[str]:
    """Return how often each 4-gram occurs."""
    return Counter(g for document in documents for words in document for g in grams_of(words))


def rare_key(words: Sequence[str], frequencies: Mapping[str, int], rarest: int = 3) -> str:
    """Return the rarest 4-grams in the order of their places; a short sentence as it is."""
    text = "".join(words)
    if len(text) < 4:
        return text
    distinct = list(dict.fromkeys(grams_of(words)))
    kept = sorted(distinct, key=lambda gram: frequencies.get(gram, 0))[:rarest]
    return "".join(sorted(kept, key=distinct.index))


def idf(word: str, frequencies: Frequencies) -> int:
    """Return log(N / df) as a multiple of 2**-32."""
    n, df = max(frequencies.documents, 1), max(frequencies.of.get(word, 0), 1)
    return round(max(math.log(n / df), 0.0) * 2**32)


def top_terms(
    document: Sequence[Sentence],
    frequencies: Frequencies,
    *,
    k: int,
    min_words: int,
    composite: bool,
    term_frequency: bool,
) -> Counter[Feature]:
    """Return the k heaviest words of each sentence, together or one by one."""
    tf = Counter(word for words in document for word in words)
    found: Counter[Feature] = Counter()
    for words in document:
        if len(set(words)) < min_words:
            continue
        weights = {w: (tf[w] if term_frequency else 1) * idf(w, frequencies) for w in set(words)}
        top = sorted(sorted(weights, key=lambda w: (weights[w], w), reverse=True)[:k])
        found.update([tuple(top)] if composite else [(word,) for word in top])
    return found


def word_grams(document: Sequence[Sentence], size: int, *, within: bool) -> Counter[Feature]:
    """Return the runs of neighbouring words, of the document or of its sentences."""
    runs = [list(words) for words in document] if within else [[w for s in document for w in s]]
    found: Counter[Feature] = Counter()
    for words in filter(None, runs):
        n = min(size, len(words))
        found.update(tuple(words[at : at + n]) for at in range(len(words) - n + 1))
    return found


def dot(one: Mapping[Feature, int], other: Mapping[Feature, int]) -> int:
    """Return the product of two documents as vectors of counts."""
    return sum(count * other[key] for key, count in one.items() if key in other)

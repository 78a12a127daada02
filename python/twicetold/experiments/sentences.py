"""Sentences to ask with and sentences to be found, and searches among them."""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import NamedTuple

from twicetold import _kernel
from twicetold.detectors.qsign import QSign
from twicetold.detectors.word_overlap import Measure, WordOverlap
from twicetold.errors import ParameterError
from twicetold.experiments.collection import features_of, take
from twicetold.experiments.frame import Setting
from twicetold.pipeline import Features

__all__ = [
    "MIN_WORDS",
    "Found",
    "Sentences",
    "extended",
    "hamming",
    "search",
    "sentences_of",
    "stream_of",
    "with_signatures",
]

#: Shorter sentences are left out.
MIN_WORDS = 6
_MOST_ASKING = 1_000
_DOCUMENTS_THAT_ASK = 20

#: Where a stored sentence stands, and its overlap with the one that asked.
Matches = dict[tuple[int, int], float]


@dataclass(frozen=True)
class Sentences:
    """Stored sentences, and others that ask, each as a document of its own."""

    stored: Features
    asking: Features

    @cached_property
    def lengths(self) -> list[int]:
        """The number of words of each sentence that asks."""
        return _lengths(self.asking)

    @cached_property
    def _stored(self) -> tuple[list[int], array[int]]:
        return _lengths(self.stored), _numbers(self.stored.unit_columns()[0])

    def length(self, place: tuple[int, int]) -> int:
        """Return the number of words of a stored sentence."""
        lengths, ends = self._stored
        document, number = place
        return lengths[(ends[document - 1] if document else 0) + number]

    def cosines(self, found: Found) -> list[float]:
        """Return the cosine of each match, of words weighted by idf."""
        asking, stored = _vectors(self.asking), _vectors(self.stored)
        ends = self._stored[1]
        return [
            _cosine(asking(n), stored((ends[document - 1] if document else 0) + number))
            for n, matches in enumerate(found.matches)
            for document, number in matches
        ]

    @property
    def n_stored(self) -> int:
        """How many sentences are stored, equal ones counted each time."""
        return sum(length > 0 for length in self._stored[0])

    def about(self) -> str:
        """Say how many there are, in a line."""
        lengths = [length for length in self._stored[0] if length]
        mean = sum(lengths) / max(len(lengths), 1)
        return (
            f"{len(lengths):,} stored sentences of at least {MIN_WORDS} words, {mean:.1f} on "
            f"average; {len(self.lengths):,} of other documents ask"
        )


class Found(NamedTuple):
    """What a search found for each sentence that asked, and what it cost."""

    matches: tuple[Matches, ...]
    candidates: int
    seconds: tuple[float, float, float]

    @property
    def n_matches(self) -> int:
        """How many matches there are."""
        return sum(map(len, self.matches))

    @property
    def milliseconds(self) -> float:
        """How long a sentence took in the mean: its candidates, and comparing them."""
        return 1000 * sum(self.seconds[:2]) / max(len(self.matches), 1)

    def recall(self, truth: Found) -> float:
        """Return the share of true matches found for those that asked; 1 if there are none."""
        pairs = list(zip(self.matches, truth.matches, strict=False))
        true = sum(len(wanted) for _, wanted in pairs)
        hits = sum(len(found.keys() & wanted.keys()) for found, wanted in pairs)
        return hits / true if true else 1.0


def sentences_of(setting: Setting, *, most: int = _MOST_ASKING) -> Sentences:
    """Take documents; sentences of one in twenty ask, those of the others are stored."""
    documents = take(setting)
    Random(f"asking/{setting.seed}").shuffle(documents)  # noqa: S311 - nothing secret
    features = features_of(documents, WordOverlap(min_words=MIN_WORDS), setting.threads)
    n = max(len(documents) // _DOCUMENTS_THAT_ASK, 1)
    asking, stored = features.part(0, n), features.part(n, len(documents))
    ends, keys, weights = map(_numbers, asking.columns()[:3])
    starts = [0, *ends[:-1]] if ends else []
    places = [(start, end) for start, end in zip(starts, ends, strict=True) if end > start]
    if not places or not any(_lengths(stored)):
        msg = f"this experiment needs sentences of {MIN_WORDS} words in more than one document"
        raise ParameterError(msg)
    chosen = Random(f"sentences/{setting.seed}").sample(places, min(most, len(places)))  # noqa: S311
    return Sentences(stored, _selected(chosen, keys, weights))


def extended(sentences: Sentences, number: int, seed: int) -> Sentences:
    """Store more sentences, made of those that are stored, until there are so many.

    Three of four have about 70% of their words exchanged by others, the fourth 20%.
    """
    more = number - sentences.n_stored
    if more <= 0:
        return sentences
    stored = sentences.stored.part(0, sentences.stored.n_documents)
    far = more * 3 // 4
    for n, changed in ((far, 0.7), (more - far, 0.2)):
        made = _kernel.sentence_variants(sentences.stored, number=n, changed=changed, seed=seed)
        stored.append(made)
    return Sentences(stored, sentences.asking)


def stream_of(
    detector: QSign | WordOverlap, stored: Features | None = None
) -> _kernel.SentenceStream:
    """Return a stream of a method, which keeps sentences already."""
    stream = _kernel.SentenceStream(detector.verify())
    if stored is not None:
        stream.keep(with_signatures(detector, stored))
    return stream


def search(
    detector: QSign | WordOverlap,
    sentences: Sentences,
    *,
    stream: _kernel.SentenceStream | None = None,
    naive: bool = False,
    most: int | None = None,
    all_places: bool = False,
) -> Found:
    """Ask with sentences, at most so many.

    ``naive``: compare every stored one. ``all_places``: tell every place of equal sentences, and
    not only the first.
    """
    stream = stream_of(detector, sentences.stored) if stream is None else stream
    asking = with_signatures(detector, sentences.asking)
    candidates = stream.checked
    found, spent = [], [0.0, 0.0, 0.0]
    for n in range(min(asking.n_documents, most or asking.n_documents)):
        before, start = stream.seconds, time.process_time()
        columns = stream.search(asking, n, naive=naive, all=all_places)
        busy = time.process_time() - start
        parts = [now - then for now, then in zip(stream.seconds, before, strict=True)]
        # The kernel's clock runs on while others have the processor.
        scale = min(1.0, busy / (sum(parts) or 1.0))
        spent = [one + scale * part for one, part in zip(spent, parts, strict=True)]
        places = zip(*(array("I", column) for column in columns[2:4]), strict=True)
        found.append(dict(zip(places, array("d", columns[5]), strict=True)))
    return Found(tuple(found), stream.checked - candidates, (spent[0], spent[1], spent[2]))


def hamming(
    bits: int, bits_per_word: int, distance: int, measure: Measure = "plain", theta: float = 0.5
) -> QSign:
    """Return qSign as the paper has it."""
    return QSign(
        measure=measure,
        min_overlap=theta,
        min_words=MIN_WORDS,
        bits=bits,
        bits_per_word=bits_per_word,
        match="hamming",
        radius="fixed",
        distance=distance,
    )


def with_signatures(detector: QSign | WordOverlap, features: Features) -> Features:
    """Return the features with the signatures that a method asks for."""
    if isinstance(detector, WordOverlap) or detector.match == "words":
        return features
    per_word = detector.bits_per_word or 1
    return _kernel.signed(features, bits=detector.bits, bits_per_word=per_word)


def _vectors(features: Features) -> Callable[[int], dict[int, int]]:
    ends, keys, weights = (memoryview(column).cast("Q") for column in features.columns()[:3])

    def vector(unit: int) -> dict[int, int]:
        own = slice(ends[unit - 1] if unit else 0, ends[unit])
        return dict(zip(keys[own], weights[own], strict=True))

    return vector


def _cosine(a: Mapping[int, int], b: Mapping[int, int]) -> float:
    shared = sum(weight * b[key] for key, weight in a.items() if key in b)
    return shared / (math.hypot(*a.values()) * math.hypot(*b.values()) or 1.0)


def _numbers(column: bytes) -> array[int]:
    return array("Q", column)


def _lengths(features: Features) -> list[int]:
    ends = _numbers(features.columns()[0])
    return [end - start for start, end in zip([0, *ends[:-1]], ends, strict=True)]


def _selected(places: Sequence[tuple[int, int]], keys: array[int], weights: array[int]) -> Features:
    ends, own_keys, own_weights = array("Q"), array("Q"), array("Q")
    for start, end in places:
        own_keys.extend(keys[start:end])
        own_weights.extend(weights[start:end])
        ends.append(len(own_keys))
    of_documents = array("Q", range(1, len(ends) + 1))
    return Features.from_columns(
        ends.tobytes(),
        own_keys.tobytes(),
        own_weights.tobytes(),
        b"",
        document_ends=of_documents.tobytes(),
    )

"""Invented news: an endless, seeded stream of documents with the statistics of news.

Word frequencies follow Zipf's law with English function words at the head; every document has
words of its own, drawn from an endless tail (so the vocabulary grows by Heaps' law) and repeated
in it (so they come in bursts, as names do). Lengths are log-normal, 700 words in the mean. No
passage occurs twice but by chance.
"""

import math
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

from benchmarks.jsonl import Record
from twicetold.experiments.text.words import FUNCTION_WORDS, invented, zipf_slots

_SLOTS = 1 << 16
_FUNCTION_SHARE = 0.46
_HEAD_WORDS = 12_000
_OWN_WORDS = 32
_OWN_EVERY = 7  # one word in seven is one of the document's own
_TAIL_START, _TAIL_EXPONENT = 1_000, 0.65
_MEDIAN_WORDS, _SIGMA = 540, 0.7
_FEWEST_WORDS, _MOST_WORDS = 40, 8_000
_SOURCES = tuple(f"The {invented(rank).title()} {kind}" for rank, kind in enumerate(
    ("Post", "Times", "Herald", "Courier", "Wire", "Tribune", "Star", "Gazette") * 5
))  # fmt: skip
_COMMA_SHARE = 0.05
# Out of 256: a sentence is a quotation, a question, the last of its paragraph.
_QUOTATION, _QUESTION, _LAST = 16, 5, 80
_FIRST_DAY = datetime(2020, 1, 1, tzinfo=UTC)
_MINUTES = 6 * 365 * 24 * 60

# Both indexed by a random byte: words in a sentence, and which own word (the first ones often).
_SENTENCE_WORDS = tuple(4 + int(36 * (byte / 255) ** 1.1) for byte in range(256))
_OWN_INDEX = tuple(int(_OWN_WORDS * (byte / 256) ** 2) for byte in range(256))


def documents(seed: int) -> Iterator[Record]:
    """Yield documents for ever; the same seed gives the same stream, so sizes are prefixes."""
    rng = Random(seed)
    table = _word_table(rng)
    number = 0
    while True:
        number += 1
        yield {
            "id": f"news-{number:07d}",
            "text": _text(rng, table),
            "published": _time(rng),
            "source": _SOURCES[int(rng.random() * len(_SOURCES))],
            "language": "en",
        }


def _word_table(rng: Random) -> list[str]:
    """Return 65,536 words such that a uniform draw follows Zipf's law; some end in a comma."""
    n_function = int(_SLOTS * _FUNCTION_SHARE)
    table = [FUNCTION_WORDS[rank] for rank in zipf_slots(len(FUNCTION_WORDS), n_function, 1.7)]
    for rank in zipf_slots(_HEAD_WORDS, _SLOTS - n_function, 12.0):
        ending = ("s", "ed", "ing", "")[min(3, int(rng.random() * 20))]
        table.append(invented(rank) + ending)
    return [word + "," if rng.random() < _COMMA_SHARE else word for word in table]


def _text(rng: Random, table: list[str]) -> str:
    length = int(_MEDIAN_WORDS * math.exp(rng.gauss(0.0, _SIGMA)))
    n_words = min(_MOST_WORDS, max(_FEWEST_WORDS, length))
    words = list(map(table.__getitem__, struct.unpack(f"<{n_words}H", rng.randbytes(2 * n_words))))
    own = _own_words(rng)
    n_own = n_words // _OWN_EVERY
    for draw in struct.unpack(f"<{n_own}I", rng.randbytes(4 * n_own)):
        words[(draw >> 8) % n_words] = own[_OWN_INDEX[draw & 255]]
    return _punctuate(rng, words, own)


def _own_words(rng: Random) -> list[str]:
    """Return what one document is about: rare words, a third of them names, and a few numbers."""
    own = []
    for place in range(_OWN_WORDS):
        rank = int(_TAIL_START * (1.0 - rng.random()) ** (-1 / _TAIL_EXPONENT))
        word = invented(rank)
        own.append(word.capitalize() if place % 3 == 0 else word)
    own[-1] = f"{int(rng.random() * 1000) / 10}"
    own[-2] = str(1 + int(rng.random() ** 3 * 5000))
    return own


def _punctuate(rng: Random, words: list[str], own: list[str]) -> str:
    """Cut words into sentences and paragraphs, with capitals, full stops and some quotations."""
    draws = iter(rng.randbytes(3 * (len(words) // 4 + 1)))
    paragraphs: list[str] = []
    sentences: list[str] = []
    start = 0
    while start < len(words):
        end = start + _SENTENCE_WORDS[next(draws)]
        if len(words) - end < _SENTENCE_WORDS[0]:
            end = len(words)
        sentence = " ".join(words[start:end]).removesuffix(",")
        sentence = sentence[0].upper() + sentence[1:]
        kind = next(draws)
        if kind < _QUOTATION:
            sentence = f'"{sentence}," said {own[0]} {own[3]}.'
        else:
            sentence += "?" if kind < _QUOTATION + _QUESTION else "."
        sentences.append(sentence)
        if next(draws) < _LAST:
            paragraphs.append(" ".join(sentences))
            sentences = []
        start = end
    if sentences:
        paragraphs.append(" ".join(sentences))
    return "\n\n".join(paragraphs)


def _time(rng: Random) -> str:
    return (_FIRST_DAY + timedelta(minutes=int(rng.random() * _MINUTES))).isoformat()

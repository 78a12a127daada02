"""A collection of any size from the paragraphs of another.

Paragraphs (at most 100,000, a random sample of more) are a deck of cards. A document draws cards
until it is as long as some document of the collection. No card is drawn twice before the deck is
used up; then it is shuffled, and its content words are renamed (``Vocabulary.renamed``).
So each paragraph occurs once as it was written, and once more per generation in other words:
documents do not become duplicates of each other, however large the collection grows.
Documents can be made shorter or longer than those of the collection are, all in proportion.
Meant for one language: a document takes its language from its first paragraph.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import count
from random import Random
from typing import Any, NamedTuple, TypeVar

from twicetold.errors import ParameterError
from twicetold.experiments.text.spans import paragraphs, pieces
from twicetold.experiments.text.vocabulary import Vocabulary

__all__ = ["Record", "documents"]

#: A document as in JSON Lines: id, text, and perhaps published, source and language.
Record = dict[str, Any]

T = TypeVar("T")

_MOST_CARDS = 100_000
_MOST_DOCUMENTS = 50_000


class Card(NamedTuple):
    """A paragraph as numbers of its pieces, its length in characters, and its language."""

    pieces: array[int]
    length: int
    language: str | None


class About(NamedTuple):
    """What a new document takes from an old one: its length, its date, its source."""

    length: int
    published: str | None
    source: str | None


def documents(
    records: Iterable[Record], seed: int, *, mean_length: float | None = None
) -> Iterator[Record]:
    """Yield documents for ever; the same records and seed give the same stream.

    ``mean_length``: about the characters of a document in the mean; None: those of the records.
    """
    rng = Random(seed)  # noqa: S311 - nothing secret
    cards, abouts, vocabulary = _deck(records, rng)
    half = sum(card.length for card in cards) / len(cards) / 2
    mean = sum(about.length for about in abouts) / len(abouts)
    scale = 1.0 if mean_length is None else mean_length / mean
    number = 0
    for generation in count():
        names = vocabulary.renamed(seed, generation)
        rng.shuffle(cards)
        deck = iter(cards)
        for card in deck:
            about = abouts[int(rng.random() * len(abouts))]
            drawn = [card]
            missing = scale * about.length - card.length
            while missing > half and (following := next(deck, None)) is not None:
                drawn.append(following)
                missing -= following.length
            number += 1
            yield _document(f"resampled-{number:07d}", drawn, names, about)


def _document(name: str, drawn: list[Card], names: list[str], about: About) -> Record:
    texts = ("".join([names[piece] for piece in card.pieces]) for card in drawn)
    record: Record = {"id": name, "text": "\n\n".join(texts)}
    known = (("published", about.published), ("source", about.source))
    record.update((key, value) for key, value in (*known, ("language", drawn[0].language)) if value)
    return record


def _deck(records: Iterable[Record], rng: Random) -> tuple[list[Card], list[About], Vocabulary]:
    """Read records once; keep a random sample of its different paragraphs and of its documents."""
    paragraph_sample: list[tuple[str, str | None]] = []
    about_sample: list[About] = []
    seen: set[bytes] = set()
    for place, record in enumerate(records):
        about = About(len(record["text"]), record.get("published"), record.get("source"))
        _keep(about_sample, about, place, _MOST_DOCUMENTS, rng)
        for paragraph in paragraphs(record["text"]):
            # Standing text ("About the company") would come back in every generation.
            key = blake2b(paragraph.encode(errors="replace"), digest_size=8).digest()
            if key not in seen:
                _keep(paragraph_sample, (paragraph, _language(record)), len(seen), _MOST_CARDS, rng)
                seen.add(key)
    if not paragraph_sample:
        msg = "there is no text to resample; give documents that have some"
        raise ParameterError(msg)
    vocabulary = Vocabulary()
    cards = [
        Card(array("I", vocabulary.encode(pieces(paragraph))), len(paragraph), code)
        for paragraph, code in paragraph_sample
    ]
    return cards, about_sample, vocabulary


def _keep(sample: list[T], item: T, place: int, most: int, rng: Random) -> None:
    """Keep an item of a stream with equal chance for all (Vitter's algorithm R)."""
    if place < most:
        sample.append(item)
    elif (slot := int(rng.random() * (place + 1))) < most:
        sample[slot] = item


def _language(record: Record) -> str | None:
    return record.get("language") or record.get("lang")

"""A collection with reuse planted in it, and the list of what was planted.

Of each kind 200 pairs, fewer in a small collection. A source is a document as it was; what is
taken from it goes, as it is or with 10 % of its words changed, into a later document:

``near``       the whole text, under another id, source and date
``contained``  six sentences in a row (half of a document with fewer than twelve) inside a text
               of its own
``quote``      one sentence of 12 to 60 words inside a text of its own

No document is in two planted pairs.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple, get_args

from benchmarks import jsonl
from benchmarks.jsonl import Record
from twicetold.experiments.text.edits import WordStock, change_words, insert
from twicetold.experiments.text.spans import sentences, word_spans

Kind = Literal["near", "near10", "contained", "contained10", "quote", "quote10"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_PAIRS, _SMALLEST_SHARE = 200, 25
_CHANGED = 0.1
_SOON = 0.5  # chance that a chosen place receives rather than gives
_EXCERPT, _FEWEST_SENTENCES = 6, 4
_QUOTE_WORDS = range(12, 61)


class Taken(NamedTuple):
    """A passage waiting for the document it will be planted in."""

    source: str
    kind: Kind
    passage: str


def plant(
    base: Iterable[Record], n_documents: int, out: Path, truth: Path, *, seed: int
) -> dict[Kind, int]:
    """Write the collection and its truth, in one pass; return the pairs of each kind."""
    made: dict[Kind, int] = dict.fromkeys(KINDS, 0)
    truth.parent.mkdir(parents=True, exist_ok=True)

    with truth.open("wb") as list_of_pairs:

        def documents() -> Iterator[Record]:
            for record, taken in _walk(base, n_documents, Random(f"planted/{seed}")):
                if taken is not None:
                    made[taken.kind] += 1
                    pair = {"left": taken.source, "right": str(record["id"]), "kind": taken.kind}
                    list_of_pairs.write(jsonl.line(pair))
                yield record

        jsonl.write(out, documents())
    return made


def _walk(
    base: Iterable[Record], n_documents: int, rng: Random
) -> Iterator[tuple[Record, Taken | None]]:
    """Yield the documents in order; some give a passage, some later ones receive it."""
    n_pairs = min(_PAIRS, n_documents // _SMALLEST_SHARE)
    kinds = [kind for kind in KINDS for _ in range(n_pairs)]
    rng.shuffle(kinds)
    places = set(rng.sample(range(n_documents), min(n_documents, 2 * len(kinds))))
    stock, waiting, due = WordStock(), list[Taken](), 0
    for place, record in zip(range(n_documents), base, strict=False):
        stock.learn(record["text"])
        due += place in places
        if due and waiting and (not kinds or rng.random() < _SOON):
            taken = waiting.pop(int(rng.random() * len(waiting)))
            due -= 1
            yield _receive(record, taken, stock, rng), taken
            continue
        if due and kinds and (passage := _passage(record["text"], kinds[-1], rng)):
            waiting.append(Taken(str(record["id"]), kinds.pop(), passage))
            due -= 1
        yield record, None


def _passage(text: str, kind: Kind, rng: Random) -> str | None:
    """Return what is taken from a text; ``None`` if it is too short for this kind."""
    spans = sentences(text)
    if kind.startswith("quote"):
        spans = [span for span in spans if len(word_spans(text[slice(*span)])) in _QUOTE_WORDS]
        return text[slice(*rng.choice(spans))] if spans else None
    if len(spans) < _FEWEST_SENTENCES:
        return None
    if kind.startswith("near"):
        return text
    length = min(_EXCERPT, len(spans) // 2)
    first = rng.randrange(len(spans) - length + 1)
    return text[spans[first].start : spans[first + length - 1].end]


def _receive(record: Record, taken: Taken, stock: WordStock, rng: Random) -> Record:
    """Return the document with the passage in it; a copy of a whole text replaces its own."""
    passage = taken.passage
    if taken.kind.endswith("10"):
        passage = change_words(passage, _CHANGED, stock, rng)
    if taken.kind.startswith("near"):
        return {**record, "text": passage}
    gap = " " if taken.kind.startswith("quote") else "\n\n"
    return {**record, "text": insert(passage, record["text"], gap, rng)}

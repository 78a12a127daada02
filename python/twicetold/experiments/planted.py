"""Truth for documents without labels: reuse is planted into them, and the list of it kept.

Documents that share a run of twelve words with an earlier one are left out first, so that what is
reused is what was planted. Then as many pairs of every kind are made, each of two
documents of its own::

    copied         the whole text under another id
    edited         the same with 10% of its words changed
    revised        a quarter of its sentences replaced by others
    part           a third of its sentences in a row, and nothing else
    inside         the whole text inside a longer one
    inside-edited  the same with 10% of its words changed
    quote          one sentence of 12 to 60 words inside another text: no containment
    quote-edited   the same with 10% of its words changed: no containment

All other pairs are unrelated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, NamedTuple, get_args
from zlib import crc32

from twicetold.documents import Report
from twicetold.errors import ParameterError
from twicetold.evaluation import LabelledPair, LabelledSet, read_labels
from twicetold.experiments.collection import take
from twicetold.experiments.frame import Setting
from twicetold.experiments.text.edits import WordStock, change_words, insert
from twicetold.experiments.text.spans import sentences, word_spans
from twicetold.records import Document
from twicetold.scanning import Documents

__all__ = [
    "KINDS",
    "Kind",
    "Planted",
    "PlantedPair",
    "Truth",
    "plant",
    "truth_of",
    "without_reuse",
]

Kind = Literal[
    "copied", "edited", "revised", "part", "inside", "inside-edited", "quote", "quote-edited"
]
KINDS: tuple[Kind, ...] = get_args(Kind)

#: Whether the source is in what was made of it, and the reverse.
_CONTAINED: dict[Kind, tuple[bool, bool]] = {
    "copied": (True, True),
    "edited": (True, True),
    "revised": (True, True),
    "part": (False, True),
    "inside": (True, False),
    "inside-edited": (True, False),
    "quote": (False, False),
    "quote-edited": (False, False),
}

#: A pair of each kind for so many documents.
_DOCUMENTS_A_KIND = 40
_CHANGED = 0.1
#: So many words in a row are no accident; of the runs, one in so many is looked at.
_RUN, _ONE_IN = 12, 4
_FEWEST_SENTENCES = 6
_QUOTE_WORDS = range(12, 61)


class PlantedPair(NamedTuple):
    """A document, the one it was planted into, and how."""

    source: str
    receiver: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Planted:
    """Documents with planted reuse. ``left_out``: how many were not taken, as they reuse others."""

    documents: tuple[Document, ...]
    pairs: tuple[PlantedPair, ...]
    left_out: int

    def clusters(self, name: str = "planted") -> LabelledSet:
        """Return all pairs as labelled: those of one cluster are related."""
        found = {document.id: document.id for document in self.documents}
        related = (pair for pair in self.pairs if any(_CONTAINED[pair.kind]))
        found |= {receiver: source for source, receiver, _ in related}
        return LabelledSet(name=name, sources=self.documents, clusters=found)

    def directed(self, name: str = "planted") -> LabelledSet:
        """Return the planted pairs as labelled in both directions; others are not judged."""
        pairs = []
        for source, receiver, kind in self.pairs:
            there, back = _CONTAINED[kind]
            pairs.append(LabelledPair(source, receiver, float(there), kind))
            pairs.append(LabelledPair(receiver, source, float(back), kind))
        return LabelledSet(name=name, sources=self.documents, pairs=tuple(pairs), directed=True)


def plant(documents: Sequence[Document], *, seed: int = 0) -> Planted:
    """Plant reuse into documents; the same documents and seed give the same result."""
    rng = Random(f"planted/{seed}")  # noqa: S311 - nothing secret
    base = without_reuse(documents)
    stock = WordStock()
    for document in base:
        stock.learn(document.text)
    usable = [n for n, document in enumerate(base) if _is_usable(document.text)]
    n_pairs = min(max(len(base) // _DOCUMENTS_A_KIND, 1), len(usable) // (2 * len(KINDS)))
    if not n_pairs:
        msg = (
            f"planting needs at least {2 * len(KINDS)} documents of {_FEWEST_SENTENCES} sentences "
            f"that reuse no other, got {len(usable)}"
        )
        raise ParameterError(msg)
    chosen = iter(rng.sample(usable, 2 * len(KINDS) * n_pairs))
    pairs = []
    for kind in KINDS:
        for _ in range(n_pairs):
            # What goes inside another text is the shorter of the two.
            one, other = sorted((next(chosen), next(chosen)), key=lambda n: len(base[n].text))
            text = _made(base[one].text, base[other].text, kind, stock, rng)
            pairs.append(PlantedPair(base[one].id, base[other].id, kind))
            base[other] = replace(base[other], text=text)
    return Planted(tuple(base), tuple(pairs), len(documents) - len(base))


class Truth(NamedTuple):
    """What is known to be related: without direction, and with it where that is known, too.

    ``about`` says in a line where it comes from.
    """

    labelled: LabelledSet
    directed: LabelledSet | None
    about: str

    def documents(self) -> list[Document]:
        """Return what is scanned."""
        return list(Documents(self.labelled.sources, Report(), strict=False))


def truth_of(setting: Setting) -> Truth:
    """Return the truth of the labelled set of a setting, or plant it into the documents."""
    if setting.labels is None:
        planted = plant(take(setting), seed=setting.seed)
        return Truth(planted.clusters(), planted.directed(), about(planted))
    labelled = read_labels(setting.labels)
    what = "clusters" if labelled.clusters else "pairs"
    told = f"truth: {labelled.name}, labelled {what}"
    if labelled.directed:
        return Truth(labelled.unordered(), labelled, told)
    return Truth(labelled, None, told)


def about(planted: Planted) -> str:
    """Say what was planted, in a line."""
    each = len(planted.pairs) // len(KINDS)
    return (
        f"truth: planted, {each:,} pairs of each of {len(KINDS)} kinds into "
        f"{len(planted.documents):,} documents; {planted.left_out:,} that reuse others left out"
    )


def without_reuse(documents: Sequence[Document]) -> list[Document]:
    """Return the documents that share no run of twelve words with an earlier one."""
    seen: set[int] = set()
    found = []
    for document in documents:
        own = _runs(document.text)
        if not own & seen:
            found.append(document)
        seen |= own
    return found


def _runs(text: str) -> set[int]:
    """Return a sample of the runs of words, by hash: the same run is in every sample or in none."""
    words = [crc32(text[a:b].lower().encode(errors="replace")) for a, b in word_spans(text)]
    runs = (hash(tuple(words[n : n + _RUN])) for n in range(len(words) - _RUN + 1))
    return {run for run in runs if run % _ONE_IN == 0}


def _quotable(text: str) -> list[str]:
    spans = (text[start:end] for start, end in sentences(text))
    return [sentence for sentence in spans if len(word_spans(sentence)) in _QUOTE_WORDS]


def _is_usable(text: str) -> bool:
    return len(sentences(text)) >= _FEWEST_SENTENCES and bool(_quotable(text))


def _made(source: str, host: str, kind: Kind, stock: WordStock, rng: Random) -> str:
    """Return the text of the receiving document."""
    if kind.startswith("quote"):
        passage, gap = rng.choice(_quotable(source)), " "
    elif kind == "part":
        passage, gap = _part(source, rng), ""
    elif kind == "revised":
        return _revised(source, host, rng)
    else:
        passage, gap = source, "\n\n"
    if kind.endswith("edited"):
        passage = change_words(passage, _CHANGED, stock, rng)
    whole = kind in {"copied", "edited", "part"}
    return passage if whole else insert(passage, host, gap, rng)


def _part(text: str, rng: Random) -> str:
    spans = sentences(text)
    length = len(spans) // 3
    first = rng.randrange(len(spans) - length + 1)
    return text[spans[first].start : spans[first + length - 1].end]


def _revised(text: str, other: str, rng: Random) -> str:
    """Replace a quarter of the sentences by those of another text."""
    spans, foreign = sentences(text), sentences(other)
    places = set(rng.sample(range(len(spans)), len(spans) // 4))
    parts = []
    for n, (start, end) in enumerate(spans):
        a, b = rng.choice(foreign) if n in places else (0, 0)
        parts.append(other[a:b] if n in places else text[start:end])
    return "\n".join(parts)

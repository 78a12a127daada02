"""Pairs with known answers, planted into a collection: what judged pairs lack.

Readers see few quotations of one sentence, few stories with a dozen copies, few tables
whose figures were all exchanged. Each kind is made of documents of the collection itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import NamedTuple

from twicetold.evaluation.answers import Answer
from twicetold.experiments.text.edits import WordStock, change_words
from twicetold.experiments.text.spans import sentences, word_spans
from twicetold.records import Document

__all__ = ["Planted", "PlantedPair", "plant"]

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
#: A capitalised word inside a sentence.
_NAME = re.compile(r"(?<=[a-z,] )[^\W\d_a-z][^\W\d_]{2,}")
#: Texts shorter than this hold no story.
_SHORTEST = 600
#: Quotations have so many words.
_QUOTED = range(12, 80)
#: Copies of a story, and texts with as many slots filled.
_COPIES = 12
_STORIES, _PAIRS_EACH = 5, 8
_SINGLES = 60
#: A table has at least one number for so many words.
_DENSE = 8


class RunningWords(WordStock):
    """Words as often as they come: who edits a text takes common words."""

    def learn(self, text: str) -> None:
        """Remember the words of a text that are no names and no numbers."""
        words = (text[start:end] for start, end in word_spans(text))
        self._words += [word for word in words if word.isalpha() and not word[0].isupper()]


class PlantedPair(NamedTuple):
    """Two documents, what they are to each other, and how they were made."""

    left: str
    right: str
    answer: Answer
    kind: str


class Planted(NamedTuple):
    """A collection with what was planted into it."""

    documents: list[Document]
    pairs: list[PlantedPair]


def plant(documents: Sequence[Document], *, seed: int = 0) -> Planted:
    """Plant pairs of each kind into a collection."""
    planter = _Planter(documents, Random(seed))  # noqa: S311 - no secret
    planter.run()
    return Planted([*documents, *planter.new], planter.pairs)


class _Planter:
    def __init__(self, documents: Sequence[Document], rng: Random) -> None:
        self.rng, self.new, self.pairs = rng, list[Document](), list[PlantedPair]()
        self.stock, names = RunningWords(), list[str]()
        for document in rng.sample(list(documents), min(300, len(documents))):
            self.stock.learn(document.text)
            names += _NAME.findall(document.text)
        self.names = names or ["Ortsund"]
        whole = [document for document in documents if len(document.text) >= _SHORTEST]
        rng.shuffle(whole)
        self.whole, self.unused = whole, list(whole)
        self.documents = documents

    def run(self) -> None:
        for kind, share in (("quotation", 0.0), ("edited quotation", 0.1)):
            self._each(_SINGLES, partial(self._quote, kind, share))
        self._each(_STORIES, lambda: self._family("copies", self._edited, "near-duplicate"))
        self._each(_STORIES, lambda: self._family("added words", self._longer, "near-duplicate"))
        self._each(_STORIES, self._form_of_many)
        self._each(_STORIES, self._versions)
        self._each(_SINGLES, self._form)
        self._each(_SINGLES, self._corrected)
        tables = [one for one in self.documents if _is_dense(one.text)]
        for document in self.rng.sample(tables, min(_SINGLES, len(tables))):
            share = self.rng.uniform(0.34, 1)
            text = self._renumbered(document.text, share)
            self._pair("table", document, self._add(document, text), "stock")

    def _each(self, times: int, make: Callable[[], None]) -> None:
        for _ in range(times):
            if len(self.unused) < 2:  # noqa: PLR2004 - a pair
                return
            make()

    def _add(self, like: Document, text: str, title: str | None = None) -> Document:
        made = replace(
            like,
            id=f"planted/{len(self.new)}",
            text=text,
            title=like.title if title is None else title,
            published=None,
        )
        self.new.append(made)
        return made

    def _pair(self, kind: str, left: Document, right: Document, answer: Answer) -> None:
        self.pairs.append(PlantedPair(left.id, right.id, answer, kind))

    def _quote(self, kind: str, share: float) -> None:
        donor, host = self.unused.pop(), self.rng.choice(self.whole)
        fit = [
            donor.text[start:end]
            for start, end in sentences(donor.text)
            if len(word_spans(donor.text[start:end])) in _QUOTED
        ]
        if donor is host or not fit:
            return
        quoted = self.rng.choice(fit)
        if share:
            quoted = change_words(quoted, share, self.stock, self.rng)
        starts = [start for start, _ in sentences(host.text)]
        at = self.rng.choice(starts)
        text = f"{host.text[:at]}{quoted} {host.text[at:]}"
        self._pair(kind, donor, self._add(host, text), "overlap")

    def _family(
        self, kind: str, change: Callable[[Document], tuple[str, str | None]], answer: Answer
    ) -> None:
        first = self.unused.pop()
        family = [first, *(self._add(first, *change(first)) for _ in range(_COPIES))]
        for _ in range(_PAIRS_EACH):
            left, right = self.rng.sample(family, 2)
            self._pair(kind, left, right, answer)

    def _form_of_many(self) -> None:
        while self.unused and not _is_form(self.unused[-1].text, self._filled(self.unused[-1])[0]):
            self.unused.pop()
        if self.unused:
            self._family("forms", self._filled, "stock")

    def _form(self) -> None:
        first = self.unused.pop()
        text, title = self._filled(first)
        if _is_form(first.text, text):
            self._pair("form", first, self._add(first, text, title), "stock")

    def _edited(self, document: Document) -> tuple[str, str | None]:
        return change_words(document.text, 0.05, self.stock, self.rng), None

    def _longer(self, document: Document) -> tuple[str, str | None]:
        words = " ".join(self.stock.draw(self.rng, "") for _ in range(2))
        return f"{document.text}\n{words}", None

    def _filled(self, document: Document) -> tuple[str, str | None]:
        """Exchange all numbers and names, the same ones alike."""
        made: dict[str, str] = {}

        def name(match: re.Match[str]) -> str:
            return made.setdefault(match[0], self.rng.choice(self.names))

        def number(match: re.Match[str]) -> str:
            return made.setdefault(match[0], self._other(match[0]))

        def fill(text: str) -> str:
            return _NAME.sub(name, _NUMBER.sub(number, text))

        return fill(document.text), fill(document.title) if document.title else None

    def _versions(self) -> None:
        first = self.unused.pop()
        states, text = [first], first.text
        for _ in range(_PAIRS_EACH):
            text = self._revised(text)
            states.append(self._add(first, text))
        for n in range(len(states) - 2):
            later = states[n + 1 + self.rng.randrange(2)]
            self._pair("versions", states[n], later, "near-duplicate")

    def _revised(self, text: str) -> str:
        """Edit, drop and add sentences, and bring some numbers up to date."""
        return " ".join(self._revisions(text)) or text

    def _revisions(self, text: str) -> Iterator[str]:
        other = self.rng.choice(self.whole).text
        foreign = sentences(other)
        for start, end in sentences(text):
            if self.rng.random() < 0.08:  # noqa: PLR2004 - one in twelve is dropped
                continue
            sentence = text[start:end]
            if len(word_spans(sentence)) > 1:
                sentence = change_words(sentence, 0.04, self.stock, self.rng)
            yield sentence
            if self.rng.random() < 0.1:  # noqa: PLR2004 - one in ten is followed by a new one
                a, b = self.rng.choice(foreign)
                yield other[a:b]

    def _corrected(self) -> None:
        first = self.unused.pop()
        count = len(_NUMBER.findall(first.text))
        if count < 7:  # noqa: PLR2004 - one number of seven is a correction
            return
        text = self._renumbered(first.text, 1 / count)
        self._pair("corrected", first, self._add(first, text), "near-duplicate")

    def _renumbered(self, text: str, share: float) -> str:
        count = len(_NUMBER.findall(text))
        chosen = set(self.rng.sample(range(count), max(1, round(share * count))))
        places = iter(range(count))
        return _NUMBER.sub(
            lambda match: self._other(match[0]) if next(places) in chosen else match[0], text
        )

    def _other(self, number: str) -> str:
        """Return another number of the same length."""
        while True:
            made = "".join(self.rng.choice("123456789") if c.isdigit() else c for c in number)
            if made != number:
                return made


def _is_form(text: str, filled: str) -> bool:
    """Whether enough words were exchanged for nobody to take one text for the other."""
    one, other = text.split(), filled.split()
    exchanged = sum(a != b for a, b in zip(one, other, strict=False))
    return exchanged >= max(8, 0.06 * len(one))


def _is_dense(text: str) -> bool:
    numbers = len(_NUMBER.findall(text))
    return numbers >= max(4, len(word_spans(text)) / _DENSE)

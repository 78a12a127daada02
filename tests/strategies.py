"""Small random collections: with so few words that prefixes collide, or edits of one text."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from tests.reference import Settings, Told
from tests.running import text_of
from twicetold.records import Document

WORDS = ("ant", "bee", "cat", "dog", "elk")
#: Words that all texts share: some are in the statistics of tests, and spot signatures begin with
#: the stop words.
COMMON = (*WORDS, *("the", "a", "is", "was") * 3)
DAY_ONE = datetime(2026, 3, 1, tzinfo=UTC)

Sentences = tuple[tuple[str, ...], ...]

words = st.sampled_from(WORDS)
sentences = st.lists(words, min_size=1, max_size=6).map(tuple)
# A few sentences that come again and again: collections have copies, subsets and repetitions.
documents: st.SearchStrategy[Sentences] = st.lists(sentences, max_size=4).map(tuple)
collections: st.SearchStrategy[list[Sentences]] = st.lists(documents, max_size=7)
times = st.none() | st.integers(0, 20).map(lambda days: DAY_ONE + timedelta(days=days))


@st.composite
def settings(draw: st.DrawFn) -> Settings:
    """Every parameter of CoDet."""
    depth = draw(st.none() | st.integers(1, 6))
    return Settings(
        word_sorting=draw(st.booleans()),
        depth=depth,
        suffixes=draw(st.integers(1, 4)),
        mode=draw(st.sampled_from(["set", "bag"])),
        min_depth=draw(st.integers(1, 3 if depth is None else min(depth, 3))),
        min_words=draw(st.integers(1, 3)),
        idf=draw(st.sampled_from(["plus-one", "plain", "smooth"])),
        log_base=draw(st.sampled_from([2.718281828459045, 2.0, 10.0])),
    )


@st.composite
def told(draw: st.DrawFn, max_size: int = 8) -> list[Told]:
    """Documents with ids in no order, some of them dated, some of them copies of others."""
    known = draw(st.lists(documents, min_size=1, max_size=5))
    chosen = draw(st.lists(st.sampled_from(known), max_size=max_size))
    ids = draw(st.permutations([chr(ord("a") + n) for n in range(len(chosen))]))
    return [
        Told(name, text_of(found), found, draw(times))
        for name, found in zip(ids, chosen, strict=True)
    ]


def _word(rng: random.Random, common: float) -> str:
    if rng.random() < common:
        return rng.choice(COMMON)
    return "".join(rng.choice(letters) for letters in ("bdfgklmnprst", "aeiou") * 3)


def _written(seed: int, least: int, most: int, common: float) -> Sentences:
    """Return sentences with words of their own; content is not worth shrinking word by word."""
    rng = random.Random(seed)
    words = [_word(rng, common) for _ in range(50)]
    return tuple(
        tuple(rng.choices(words, k=rng.randint(6, 14))) for _ in range(rng.randint(least, most))
    )


seeds = st.integers(0, 2**32 - 1)
#: A text to edit: sentences long enough to have evidence for every detector.
sources = seeds.map(lambda seed: _written(seed, 3, 6, common=0.3))
#: Sentences that have nothing to do with it.
more_sentences = seeds.map(lambda seed: _written(seed, 1, 3, common=0.0))

Draw = Callable[[st.SearchStrategy[Any]], Any]
Edit = Callable[[Draw, Sentences], Sentences]


def _cut(draw: Draw, given: Sentences) -> Sentences:
    at = draw(st.integers(0, len(given) - 1))
    return given[:at] + given[at + 1 :] or given


def _grown(draw: Draw, given: Sentences) -> Sentences:
    at = draw(st.integers(0, len(given)))
    return (*given[:at], *draw(more_sentences), *given[at:])


def _reworded(draw: Draw, given: Sentences) -> Sentences:
    """Replace, add or delete a word of one sentence; the first counts for more than others."""
    at = max(draw(st.integers(-3, len(given) - 1)), 0)
    words = given[at]
    place = draw(st.integers(0, len(words) - 1))
    change = draw(st.integers(0, 2))
    new = () if change == 2 and len(words) > 1 else (_word(random.Random(draw(seeds)), 0.25),)
    edited = words[:place] + new + (words[place + 1 :] if change else words[place:])
    return (*given[:at], edited, *given[at + 1 :])


def _traded(draw: Draw, given: Sentences) -> Sentences:
    """Lose sentences, gain others, and have another word in the first that is left."""
    kept = _cut(draw, given)
    return _reworded(draw, kept[:1]) + _grown(draw, kept[1:])


def _shuffled(draw: Draw, given: Sentences) -> Sentences:
    return tuple(random.Random(draw(seeds)).sample(given, len(given)))


def _repeated(draw: Draw, given: Sentences) -> Sentences:
    return (*given, given[draw(st.integers(0, len(given) - 1))])


def _copied(_: Draw, given: Sentences) -> Sentences:
    return given


#: What happens to a text that somebody takes over: what loses or adds a part comes first.
PARTING = (_traded, _traded, _traded, _cut, _grown)
KEEPING = (_copied, _shuffled)
EDITS = (_cut, _grown, _reworded, _reworded, _repeated, *KEEPING)


@st.composite
def edits(draw: st.DrawFn, of: Sentences, first: Sequence[Edit] = EDITS) -> Sentences:
    """One text after a few edits."""
    of = draw(st.sampled_from(first))(draw, of)
    for edit in draw(st.lists(st.sampled_from(EDITS), max_size=2)):
        of = edit(draw, of)
    return of


@st.composite
def two_versions(draw: st.DrawFn) -> tuple[Sentences, Sentences]:
    """A text, and what is left of it after edits: most share a part."""
    source = draw(sources)
    return source, draw(edits(source, PARTING))


@st.composite
def edited(draw: st.DrawFn) -> list[Told]:
    """Versions of one text and what is unrelated, with ids in no order, some of them dated.

    There is always a version that lost or added a part, and one that kept all or nearly so.
    """
    source = draw(sources)
    versions = [source, draw(edits(source, PARTING))]
    versions.append(draw(st.sampled_from(KEEPING))(draw, draw(st.sampled_from(versions))))
    for _ in range(draw(st.integers(0, 3))):
        versions.append(draw(edits(draw(st.sampled_from(versions)))))
    others = draw(st.lists(documents, max_size=2))
    ids = draw(st.permutations([chr(ord("a") + n) for n in range(len(versions) + len(others))]))
    return [
        Told(name, text_of(found), found, draw(times))
        for name, found in zip(ids, [*versions, *others], strict=True)
    ]


def as_documents(told: Sequence[Told]) -> list[Document]:
    return [
        Document(id=name, text=text, language="en", published=published)
        for name, text, _, published in told
    ]


def parameters(settings: Settings) -> dict[str, Any]:
    """Return settings as CoDet takes them."""
    return dict(vars(settings))

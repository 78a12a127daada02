"""Small random collections, with so few words that prefixes collide all the time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from tests.reference import Settings, Told
from tests.running import text_of
from twicetold.records import Document

WORDS = ("ant", "bee", "cat", "dog", "elk")
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


def as_documents(told: Sequence[Told]) -> list[Document]:
    return [
        Document(id=name, text=text, language="en", published=published)
        for name, text, _, published in told
    ]


def parameters(settings: Settings) -> dict[str, Any]:
    """Return settings as CoDet takes them."""
    return dict(vars(settings))

"""Small indexes for tests, and how to look at everything that is in one."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from string import ascii_lowercase

import pytest

from twicetold import Document
from twicetold.index import Index

#: How long tests go on that can go on for ever; `make torture` says 200.
KILLS = int(os.environ.get("TWICETOLD_KILLS", "6"))
NEWS = datetime(2024, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
TABLES = ("meta", "documents", "segments", "removed", "statistics", "sqlite_sequence")


def _word(number: int, end: str = "") -> str:
    """Return a word that its first five letters tell from others: some methods look at no more."""
    word = f"w{number}{end}"
    if len(word) <= 5:
        return word
    letters = "".join(ascii_lowercase[number // 26**n % 26] for n in range(4))
    return ("u" if end else "v") + letters


def story(number: int, day: float | None = None) -> Document:
    """Return a document; every third is retold by the two behind it."""
    own = number - number % 3
    words = [_word(own * 7 + n) for n in range(30)]
    text = ". ".join(" ".join(words[n : n + 6]) for n in range(0, 30, 6)) + "."
    one = Document(id=f"d{number}", text=text + f" And {_word(number, 'x')}.", language="en")
    return one if day is None else replace(one, published=NEWS + day * DAY)


def stories(n: int = 60) -> Iterator[Document]:
    """Yield so many documents, ten a day."""
    return (story(number, number / 10) for number in range(n))


@contextmanager
def small_files(size: int = 2000) -> Iterator[None]:
    """Make segments files from so many bytes on, so that there are some."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("twicetold.index.writing.FILE", size)
        yield


def make(path: Path, n: int = 18, method: str = "codet") -> Path:
    """Make an index in which something was removed, replaced, merged and expired."""
    with (
        small_files(),
        Index.create(path, method=method, window=20 * DAY, language="en") as index,
    ):
        list(index.add_all(story(number, number / 3) for number in range(n)))
        for number in range(n, n + 6):
            index.add(story(number, number / 3))
        index.remove("d7", f"d{n + 4}")
        index.add(replace(story(8, 3), text="Another text."), on_duplicate="replace")
        index.expire(NEWS + DAY / 2)
    return path


def content(path: Path) -> list[list[str]]:
    """Return every row of every table."""
    with closing(sqlite3.connect(path / "index.sqlite")) as database:
        database.text_factory = bytes
        return [sorted(map(repr, database.execute(f"SELECT * FROM {table}"))) for table in TABLES]


def pairs(path: Path) -> list[tuple[str, str, float | None]]:
    """Return the pairs among all documents of an index."""
    with Index.open(path) as index:
        return sorted((p.left, p.right, p.left_in_right) for p in index.pairs(all_pairs=True))

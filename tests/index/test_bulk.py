"""Many documents at a time: made ready while those before them are added, found all the same."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from twicetold import Document, Pair, scan
from twicetold.index import Index, OnDuplicate

_WORDS = [f"{a}{b}{c}" for a in "bdfgklmn" for b in "aeiou" for c in ("rst", "lder", "nk", "pson")]
#: From so many keys on the kernel goes through segments as a whole.
_MANY_KEYS = 1 << 15


def articles(n: int, sentences: int = 24) -> list[Document]:
    """Return articles of which each takes some sentences from others, a few with other words."""
    choose = random.Random(5)
    told: list[list[str]] = []
    found = []
    for number in range(n):
        own = []
        share = 0.9 if number % 4 == 3 else 0.3
        recent = told[-sentences:] if number % 4 == 3 else told[-400:]
        for _ in range(sentences):
            words = choose.choices(_WORDS, k=11)
            if told and choose.random() < share:
                words = list(choose.choice(recent))
                if choose.random() < 0.5:
                    words[choose.randrange(11)] = choose.choice(_WORDS)
            own.append(words)
        told += own
        text = " ".join(" ".join(words).capitalize() + "." for words in own)
        found.append(Document(id=f"a{number}", text=text, language="en"))
    return found


def _rows(pairs: Iterable[Pair]) -> list[tuple[object, ...]]:
    known = ((p.left, p.right, p.relation, p.left_in_right, p.right_in_left) for p in pairs)
    return sorted(known)


@pytest.mark.parametrize("method", ["retelling", "codet"])
def test_large_commits_tell_what_a_scan_finds(method: str, tmp_path: Path) -> None:
    documents = articles(720)
    size = sum(len(document.text) for document in documents)
    with Index.create(tmp_path / "index", method=method, sample=documents[:200]) as index:
        told = list(index.add_all(iter(documents), all_pairs=True, batch=size // 3))
        assert [added.id for added in told] == [document.id for document in documents]
        expected = scan(documents, method=method, statistics=index.statistics, all_pairs=True)
        found = [pair for added in told for pair in added.pairs]
        assert _rows(found) == _rows(expected)
        assert len(found) > 100
        assert sorted(map(repr, index.pairs(all_pairs=True))) == sorted(map(repr, found))
        if method == "retelling":
            assert index.info().postings > 3 * _MANY_KEYS
        assert index.check() == []


@pytest.mark.parametrize("on_duplicate", ["skip", "replace"])
def test_what_is_made_ready_is_not_used_for_others(
    on_duplicate: OnDuplicate, tmp_path: Path
) -> None:
    some = articles(40, sentences=6)

    def coming() -> Iterator[Document]:
        # New ones, then some that are there, some twice, and new ones again.
        yield from some[:20]
        yield from some[10:30]
        yield some[30]
        yield from some[29:]

    told = []
    for name, documents in [("ahead", coming()), ("at once", list(coming()))]:
        sample = some[:10]
        with Index.create(tmp_path / name, method="retelling", sample=sample) as index:
            added = list(index.add_all(documents, on_duplicate=on_duplicate, batch=1500))
            told.append([repr(one) for one in added])
            assert {one.id for one in index.documents()} == {one.id for one in some}
            assert index.check() == []
    assert told[0] == told[1]

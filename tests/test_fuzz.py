"""A short run of the fuzzer, and proof that it would notice."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import fuzz, hostile
from tests.fuzz import Sentences, Wrong

Change = Callable[[Sentences], Sentences]


def test_hostile_inputs_break_nothing_and_move_no_offset() -> None:
    done = fuzz.fuzz(8_000, seed=1, seconds=5)
    assert done["texts"] >= 1_000
    assert done["files"] >= 50
    assert done["words"] > done["texts"]


def test_the_same_seed_makes_the_same_inputs() -> None:
    one, other = random.Random(7), random.Random(7)
    assert [hostile.text(one) for _ in range(200)] == [hostile.text(other) for _ in range(200)]
    assert [hostile.file(one) for _ in range(40)] == [hostile.file(other) for _ in range(40)]


TEXT = "Höhe: ein 長江 Wort. Noch eins!"
FOUND: Sentences = [
    (
        (0, 18),
        [
            ((0, 4), "höhe", False, False),
            ((6, 9), "ein", True, True),
            ((10, 12), "長江", False, False),
            ((13, 17), "wort", False, False),
        ],
    ),
    ((19, 29), [((19, 23), "noch", True, True), ((24, 28), "eins", False, False)]),
]


def moved(sentences: Sentences, by: int) -> Sentences:
    return [
        ((a + by, b + by), [((c + by, d + by), *rest) for (c, d), *rest in words])  # type: ignore[misc]
        for (a, b), words in sentences
    ]


CHANGES: dict[str, Change] = {
    "later by one": lambda found: moved(found, 1),
    "a sentence less": lambda found: found[1:],
    "a word less": lambda found: [(found[0][0], found[0][1][1:]), found[1]],
    "out of order": lambda found: found[::-1],
    "twice": lambda found: [found[0], found[0], found[1]],
    "words out of order": lambda found: [(found[0][0], found[0][1][::-1]), found[1]],
    "no words": lambda found: [*found, ((28, 29), [])],
    "too long": lambda found: [found[0], ((19, 99), found[1][1])],
    "white space at its end": lambda found: [((0, 19), found[0][1]), found[1]],
}


def test_the_fuzzer_takes_a_right_analysis() -> None:
    assert fuzz.fault(TEXT, FOUND) is None


@pytest.mark.parametrize("change", CHANGES)
def test_the_fuzzer_notices_a_wrong_analysis(change: str) -> None:
    assert fuzz.fault(TEXT, CHANGES[change](FOUND)) is not None


def test_the_fuzzer_notices_a_word_that_means_something_else_alone() -> None:
    tool = fuzz.analyser(fuzz.PROFILES[0])
    fuzz.check_words(tool, {("Cats", "en"): ("cat", False, False)})
    with pytest.raises(Wrong, match="a word means something else alone"):
        fuzz.check_words(tool, {("Cats", "en"): ("cats", False, False)})


def test_the_fuzzer_notices_a_reader_that_breaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Some text.")
    assert fuzz.check_file(path)["documents"] == 1

    def broken(*_: object, **__: object) -> None:
        raise IndexError

    monkeypatch.setattr(fuzz, "read", broken)
    with pytest.raises(Wrong, match="IndexError"):
        fuzz.check_file(path)

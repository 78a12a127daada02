"""Throw hostile inputs at the analysis and the readers: nothing breaks, no offset is wrong.

::

    python -m tests.fuzz --inputs 1000000 [--seed N] [--seconds S]

Nineteen of twenty inputs are texts for the analysis, the rest are files for the readers. Every
span of every text is checked. The same seed makes the same inputs.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from tests import hostile
from tests.running import taken
from twicetold import _kernel
from twicetold.batches import microseconds
from twicetold.documents import Report, read, read_batches, read_every
from twicetold.errors import TwicetoldError
from twicetold.records import Document

BATCH = 2_000
FILES_IN_BATCH = BATCH // 20

#: Drop stop words, drop numbers, stem, joiner, shortest term: all ways to make terms of words.
PROFILES: tuple[tuple[bool, bool, str, str, int], ...] = (
    (True, False, "snowball", "keep", 1),
    (False, False, "none", "keep", 1),
    (True, True, "first5", "split", 1),
    (True, False, "snowball", "delete", 3),
)

#: White space as Rust has it, which is Unicode's.
SPACES = frozenset("\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | frozenset(
    map(chr, range(0x2000, 0x200B))
)
NOT_LETTERS = re.compile(r"[\W_]+")

Sentences = list[tuple[tuple[int, int], list[tuple[tuple[int, int], str, bool, bool]]]]


class Wrong(Exception):  # noqa: N818 - it is a finding, not an error of this program
    """Something that must never be, and the input that shows it."""

    def __init__(self, what: object, *given: object) -> None:
        super().__init__(": ".join([str(what), *map(repr, given)]))


def analyser(profile: tuple[bool, bool, str, str, int]) -> _kernel.Analyser:
    drop_stop_words, drop_numbers, stem, joiner, min_length = profile
    return _kernel.Analyser(
        drop_stop_words=drop_stop_words,
        drop_numbers=drop_numbers,
        stem=stem,
        joiner=joiner,
        min_length=min_length,
    )


def fault(text: str, sentences: Sentences) -> str | None:
    """Return what is wrong with the sentences of a text."""
    last = 0
    words = []
    for (start, end), found in sentences:
        if not (last <= start < end <= len(text)):
            return f"sentence {start}..{end} after {last} in a text of {len(text)}"
        if text[start] in SPACES or text[end - 1] in SPACES:
            return f"sentence {start}..{end} has white space at its ends"
        at = start
        for (first, stop), term, _, is_dropped in found:
            if not (at <= first < stop <= end) or not (term or is_dropped):
                return f"word {first}..{stop}, {term!r}, after {at} in {start}..{end}"
            words.append(text[first:stop])
            at = stop
        if at == start:
            return f"sentence {start}..{end} has no word"
        last = end
    letters, covered = NOT_LETTERS.sub("", text), NOT_LETTERS.sub("", "".join(words))
    return None if letters == covered else f"letters {letters!r}, in words {covered!r}"


def check_texts(
    tool: _kernel.Analyser, texts: Sequence[str], languages: Sequence[str | None]
) -> int:
    """Check the analysis of texts; return the number of words."""
    try:
        analysed = tool.analyse(texts, languages, spans=True, threads=1)
    except TwicetoldError as error:
        raise Wrong(error, culprit(tool, texts, languages)) from error
    words: dict[tuple[str, str], tuple[str, bool, bool]] = {}
    for n, (text, language) in enumerate(zip(texts, analysed.languages, strict=True)):
        sentences = analysed.sentences(n)
        found = fault(text, sentences)
        if found is not None:
            raise Wrong(found, text, language)
        for _, inside in sentences:
            for (start, end), term, is_stop, is_dropped in inside:
                words[text[start:end], language] = (term, is_stop, is_dropped)
    check_words(tool, words)
    return analysed.n_words


def check_words(
    tool: _kernel.Analyser, words: dict[tuple[str, str], tuple[str, bool, bool]]
) -> None:
    """Check that each word, alone, means what it means in its sentence."""
    surfaces, languages = [word for word, _ in words], [language for _, language in words]
    alone = tool.analyse(surfaces, languages, spans=True, threads=1)
    for n, (word, meaning) in enumerate(words.items()):
        found = [inner for _, inside in alone.sentences(n) for inner in inside]
        if found != [((0, len(word[0])), *meaning)]:
            msg = "a word means something else alone"
            raise Wrong(msg, word, meaning, found)


def culprit(
    tool: _kernel.Analyser, texts: Sequence[str], languages: Sequence[str | None]
) -> tuple[str, str | None] | None:
    """Return the first text that alone makes the analysis fail."""
    for text, language in zip(texts, languages, strict=True):
        try:
            tool.analyse([text], [language], spans=True, threads=1)
        except TwicetoldError:
            return text, language
    return None


def check_batches(path: Path, documents: list[Document], report: Report) -> None:
    """Check that the same documents and problems come in batches, whoever reads them."""
    again = Report()
    try:
        found, refused = taken(read_batches(path, report=again))
    except Exception as error:
        raise Wrong(repr(error), path.name, path.read_bytes()) from error
    rows = [row for batch in found for row in zip(*batch.columns(), strict=True)]
    expected = [
        (d.id, d.text, d.language, microseconds(d.published), d.source, d.title) for d in documents
    ]
    # Those that are no lines wait until they are a batch, which is too late then.
    if (rows != expected and not refused) or again.count != report.count:
        msg = "read in batches it is something else"
        raise Wrong(msg, path.name, path.read_bytes())
    every, lines = (
        told(taken(read_every(path, as_lines=as_lines))[0]) for as_lines in (False, True)
    )
    if every != lines:
        msg = "read as lines it is something else"
        raise Wrong(msg, path.name, path.read_bytes())


def told(documents: Iterable[Document]) -> list[tuple[object, ...]]:
    return [tuple(getattr(one, field.name) for field in fields(Document)) for one in documents]


def check_file(path: Path) -> Counter[str]:
    """Check what a reader makes of a file; return what came of it."""
    report = Report()
    try:
        documents, _ = taken(read(path, report=report))
    except TwicetoldError as error:
        return Counter({f"refused: {type(error).__name__}": 1})
    except Exception as error:
        raise Wrong(repr(error), path.name, path.read_bytes()) from error
    for document in documents:
        try:
            (document.id + document.text).encode()
        except UnicodeEncodeError as error:
            raise Wrong(error, path.name, path.read_bytes()) from error
        if not document.id or not document.text.strip():
            msg = "nothing in a document"
            raise Wrong(msg, document, path.name, path.read_bytes())
    check_batches(path, documents, report)
    return Counter({"documents": len(documents), "problems": report.count.total()})


def fuzz(inputs: int, seed: int, seconds: float = float("inf")) -> dict[str, Any]:
    """Try so many inputs, or for so long; return what came of it. `Wrong` is raised if it must."""
    rng = random.Random(seed)
    started = time.perf_counter()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        while (
            counts["texts"] + counts["files"] < inputs and time.perf_counter() < started + seconds
        ):
            size = min(BATCH, inputs - counts["texts"] - counts["files"])
            n_files = min(FILES_IN_BATCH, size // 2)
            texts = [hostile.text(rng) for _ in range(size - n_files)]
            languages = rng.choices(hostile.LANGUAGES, k=len(texts))
            counts["words"] += check_texts(analyser(rng.choice(PROFILES)), texts, languages)
            counts["characters"] += sum(map(len, texts))
            for _ in range(n_files):
                name, data = hostile.file(rng)
                path = Path(folder, name)
                path.write_bytes(data)
                counts += check_file(path)
            counts["texts"] += len(texts)
            counts["files"] += n_files
    return {**counts, "seconds": round(time.perf_counter() - started, 1), "seed": seed}


def run(name: str, about: str | None, fuzz: Callable[[int, int, float], dict[str, Any]]) -> int:
    """Let a fuzzer run as the command line says; returns the exit code."""
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=about)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 2**32)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    given = parser.parse_args()
    try:
        done = fuzz(given.inputs, given.seed, given.seconds)
    except Wrong as wrong:
        sys.stdout.write(f"seed {given.seed}: {wrong}\n")
        return 1
    sys.stdout.write("".join(f"{name}: {n}\n" for name, n in done.items()))
    return 0


if __name__ == "__main__":
    sys.exit(run("tests.fuzz", __doc__, fuzz))

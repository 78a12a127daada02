"""Y-err: how often the key of three rare 4-grams is wrong, by the number of sentences."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from twicetold import _kernel
from twicetold.analysis import Analyser, profile_of
from twicetold.detectors.rare_grams import RareGrams
from twicetold.errors import ParameterError
from twicetold.experiments.collection import take
from twicetold.experiments.frame import Figure, Outcome, Series, Setting

__all__ = ["SIZES", "Counts", "count_errors", "edited", "errors", "errors_conclusion"]

#: How many documents are analysed at a time.
_BATCH = 1_000
#: How many sentences are compared.
SIZES = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)

#: Shorter sentences are left out, as the detector does.
MIN_WORDS = 3

#: Every so many sentences one is there again, with one of these edits. Where few are compared it
#: is done again with others, until so many were drawn.
_EVERY = 10
_DRAWN = 5_000
KINDS = ("verbatim", "added", "removed", "replaced", "swapped")

#: Figure 3.1(a) of the thesis, as far as its text says: false positives and false negatives.
_PAPER_SMALL, _PAPER_LARGE = (0.02, 0.02), (0.16, 0.12)
_SMALL, _LARGE = 500, 5_000

Words = tuple[str, ...]


class Planted(NamedTuple):
    """Sentences as their terms; ``copies`` says which is an edit of which, and how."""

    sentences: list[Words]
    copies: dict[tuple[int, int], str]


class Counts(NamedTuple):
    """Pairs of sentences: with the same key, wrongly so, and with hardly a word in common.

    ``missed`` are the copies with another key, by kind of edit.
    """

    declared: int
    wrong: int
    unlike: int
    missed: Counter[str]


def errors(setting: Setting) -> Outcome:
    """Count wrong and missing matches among more and more sentences."""
    sentences, pinned = _sentences(setting)
    sizes = [n for n in SIZES if n <= len(sentences)] or [len(sentences)]
    rows = []
    for n in setting.steps(sizes):
        drawn = [sentences[at : at + n] for at in range(0, _enough(n, len(sentences)), n)]
        planted = [edited(part, setting.seed + at) for at, part in enumerate(drawn)]
        rows.append(_row(n, "all", planted, [count_errors(p, pinned) for p in planted]))
        own = [count_errors(p, _frequencies(p.sentences)) for p in planted]
        rows.append(_row(n, "these", planted, own))
    return Outcome(
        name="Y-err",
        title="errors of the three rarest 4-grams, by the number of sentences",
        columns=(
            "sentences", "counted in", "copies", "same key", "false positives",
            "with other words", "false negatives", *(f"{kind} missed" for kind in KINDS),
            "paper FP", "paper FN",
        ),
        rows=tuple(rows),
        figures=tuple(_figure(rows, *of) for of in (("positives", 4), ("negatives", 6))),
        conclusion=errors_conclusion(rows),
        notes=(
            f"{len(sentences):,} different sentences of at least {MIN_WORDS} terms; each tenth is",
            f"there again, in turn {', '.join(KINDS)} (one word, or two neighbours);",
            f"few sentences are drawn again until there were {_DRAWN:,}, and the errors added up",
            "false positives: of pairs with the same key, those that are no copies;",
            "with other words: those that share less than half of the shorter one's words",
            "counted in all: 4-gram frequencies of all documents; in these: of the sentences alone",
            "paper: judged by hand, below 2% up to 500 sentences, steady after 5,000",
        ),
    )  # fmt: skip


def _sentences(setting: Setting) -> tuple[list[Words], _kernel.GramFrequencies]:
    """Return the different sentences of the documents, shuffled, and how often 4-grams occur."""
    analyser = Analyser(profile_of(RareGrams.profile))
    frequencies = _kernel.GramFrequencies()
    found: dict[Words, None] = {}
    documents = take(setting)
    for start in range(0, len(documents), _BATCH):
        batch = documents[start : start + _BATCH]
        analysed = analyser.analyse(
            [document.text for document in batch],
            languages=[document.language for document in batch],
            spans=True,
            threads=setting.threads,
        )
        frequencies.add(analysed, threads=setting.threads)
        for document in range(analysed.n_documents):
            for _, words in analysed.sentences(document):
                terms = tuple(term for _, term, _, is_dropped in words if not is_dropped)
                if len(set(terms)) >= MIN_WORDS:
                    found.setdefault(terms)
    if len(found) < _EVERY:
        msg = f"this experiment needs at least {_EVERY} different sentences, got {len(found)}"
        raise ParameterError(msg)
    shuffled = list(found)
    Random(f"errors/{setting.seed}").shuffle(shuffled)  # noqa: S311 - nothing secret
    return shuffled, frequencies


def edited(sentences: Sequence[Words], seed: int) -> Planted:
    """Return the sentences, and behind them each tenth again with an edit."""
    rng = Random(f"edits/{seed}")  # noqa: S311 - nothing secret
    known = list(sentences)
    places = {sentence: n for n, sentence in enumerate(known)}
    copies = {}
    for turn, n in enumerate(range(0, len(sentences), _EVERY)):
        kind = KINDS[turn % len(KINDS)]
        other = sentences[rng.randrange(len(sentences))]
        copy = _edit(sentences[n], kind, rng.choice(other), rng)
        # An edit may give a sentence that is there anyway: that one is no copy, but the same.
        if kind == "verbatim" or copy not in places:
            copies[n, len(known)] = kind
            known.append(copy)
    return Planted(known, copies)


def _edit(words: Words, kind: str, word: str, rng: Random) -> Words:
    at = rng.randrange(len(words))
    if kind == "added":
        return (*words[:at], word, *words[at:])
    if kind == "removed":
        return (*words[:at], *words[at + 1 :])
    if kind == "replaced":
        return (*words[:at], word, *words[at + 1 :])
    if kind == "swapped":
        at = rng.randrange(len(words) - 1)
        return (*words[:at], words[at + 1], words[at], *words[at + 2 :])
    return words


def _frequencies(sentences: Iterable[Words]) -> _kernel.GramFrequencies:
    counts: Counter[str] = Counter()
    for words in sentences:
        text = "".join(words)
        counts.update(text[n : n + 4] for n in range(len(text) - 3))
    return _kernel.GramFrequencies.from_text("".join(counts), list(counts.values()))


def count_errors(planted: Planted, frequencies: _kernel.GramFrequencies, rarest: int = 3) -> Counts:
    """Return how often sentences that are no copies have the same key, and copies another one."""
    keys = [
        _kernel.rarest_grams("".join(words), frequencies, rarest) for words in planted.sentences
    ]
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for n, key in enumerate(keys):
        holders[key].append(n)
    pairs = [pair for numbers in holders.values() for pair in combinations(numbers, 2)]
    wrong = [pair for pair in pairs if pair not in planted.copies]
    unlike = sum(_common(planted.sentences[a], planted.sentences[b]) < 0.5 for a, b in wrong)  # noqa: PLR2004
    missed = Counter(kind for (a, b), kind in planted.copies.items() if keys[a] != keys[b])
    return Counts(len(pairs), len(wrong), unlike, missed)


def _common(one: Words, other: Words) -> float:
    """Return the share of the shorter sentence's words that both have."""
    a, b = set(one), set(other)
    return len(a & b) / min(len(a), len(b))


def _enough(n: int, available: int) -> int:
    """Return how many sentences are taken to draw n of them, whole times, often enough."""
    return max(min(_DRAWN, available) // n, 1) * n


def _row(
    n: int, table: str, planted: Sequence[Planted], found: Sequence[Counts]
) -> tuple[Any, ...]:
    kinds = Counter(kind for part in planted for kind in part.copies.values())
    declared = sum(counts.declared for counts in found)
    wrong, unlike = (sum(counts.wrong for counts in found), sum(counts.unlike for counts in found))
    missed = sum((counts.missed for counts in found), Counter[str]())
    paper: tuple[float | None, float | None] = (None, None)
    if n <= _SMALL:
        paper = _PAPER_SMALL
    elif n >= _LARGE:
        paper = _PAPER_LARGE
    return (
        n,
        table,
        kinds.total(),
        declared,
        wrong / max(declared, 1),
        unlike / max(declared, 1),
        missed.total() / max(kinds.total(), 1),
        *(missed[kind] / max(kinds[kind], 1) for kind in KINDS),
        *paper,
    )


def _figure(rows: Sequence[Sequence[Any]], what: str, at: int) -> Figure:
    series = []
    for table in ("all", "these"):
        chosen = [row for row in rows if row[1] == table]
        x = tuple(float(row[0]) for row in chosen)
        series.append(Series(f"counted in {table}", x, tuple(row[at] for row in chosen)))
    known = [row for row in rows if row[1] == "all" and row[-1] is not None]
    x = tuple(float(row[0]) for row in known)
    column = -2 if what == "positives" else -1
    series.append(Series("paper", x, tuple(row[column] for row in known), from_paper=True))
    return Figure(f"false {what}", "sentences", "share", tuple(series), log_x=True)


def errors_conclusion(rows: Sequence[Sequence[Any]]) -> str:
    """Say how both errors go from few sentences to many, with the table of the collection."""
    known = [row for row in rows if row[1] == "all"]
    first, last = known[0], known[-1]
    told = [
        f"{name} {first[at]:.3f} at {first[0]:,} sentences and {last[at]:.3f} at {last[0]:,}"
        for name, at in (("false positives", 4), ("false negatives", 6))
    ]
    grows = "grow" if last[4] > first[4] else "do not grow"
    return f"{'; '.join(told)}: wrong matches {grows} with the number of sentences"

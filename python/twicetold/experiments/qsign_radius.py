"""Q-rho and Q-guar: what a radius lets in, and what it never misses."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from twicetold import _kernel
from twicetold.detectors.qsign import QSign
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.sentences import MIN_WORDS, Sentences, search, sentences_of
from twicetold.pipeline import Features
from twicetold.signatures import Law, guaranteed_radius, radius

__all__ = ["bound", "bound_conclusion", "guarantee", "guarantee_conclusion"]

_ASKING = 500
_BOUNDS = (0.01, 0.05, 0.1, 0.2, 0.3)
_LAWS: tuple[Law, ...] = ("binomial", "exact")
_BITS, _PER_WORD = 32, 2
#: How often words are added to each sentence.
_TIMES = 20


def bound(setting: Setting) -> Outcome:
    """Choose radii by a bound on false hits, and count how often they happen."""
    sentences = sentences_of(setting, most=_ASKING)
    rows: list[tuple[Any, ...]] = []
    tried = [(law, k, rho) for law in _LAWS for k in (1, 3, 5) for rho in _BOUNDS]
    apart = {k: _distances(sentences, k + 1, setting.seed) for k in (1, 3, 5)}
    for law, k, rho in setting.steps(tried):
        chosen = [radius(_BITS, _PER_WORD, n, k, rho, law=law) for n in sentences.lengths]
        known = [d for d in chosen if d is not None]
        within = [
            other <= d
            for d, others in zip(chosen, apart[k], strict=True)
            if d is not None
            for other in others
        ]
        detector = QSign(
            measure="plain", min_words=MIN_WORDS, bits=_BITS, bits_per_word=_PER_WORD,
            match="hamming", radius=law, changed_words=k, false_hits=rho, no_radius="skip",
        )  # fmt: skip
        found = search(detector, sentences)
        false = (found.candidates - found.n_matches) / len(chosen)
        mean = sum(known) / len(known) if known else None
        rate = sum(within) / len(within) if within else None
        rows.append((law, k, rho, len(known) / len(chosen), mean, rate, false))
    series = tuple(
        Series(f"{law}, k = {k}", _BOUNDS, tuple(r[5] for r in rows if r[:2] == (law, k)))
        for law in _LAWS
        for k in (1, 3, 5)
    )
    allowed = Series("the bound", _BOUNDS, _BOUNDS, from_paper=True)
    return Outcome(
        name="Q-rho",
        title="false hits where the radius is chosen by a bound on them",
        columns=("law", "k", "rho", "have a radius", "mean d", "false hits", "false candidates"),
        rows=tuple(rows),
        figures=(
            Figure("k + 1 words more, within the radius", "bound (rho)", "share",
                   (*series, allowed)),
        ),
        conclusion=bound_conclusion(rows),
        notes=(
            sentences.about(),
            f"false hits: of sentences with k + 1 words more, {_TIMES} made of each that asks;",
            "false candidates: stored sentences within the radius that do not match, for each",
            f"{_BITS} bits, {_PER_WORD} a word; the paper gives no such figures",
        ),
    )  # fmt: skip


def bound_conclusion(rows: Sequence[Sequence[Any]]) -> str:
    """Say under which law false hits stay below the bound."""
    told = []
    for law in _LAWS:
        known = [row for row in rows if row[0] == law and row[5] is not None]
        kept = sum(row[5] <= row[2] for row in known)
        over = max((row[5] - row[2] for row in known), default=0.0)
        told.append(f"{law}: {kept} of {len(known)} bounds kept, at most {max(over, 0):.3f} above")
    return "; ".join(told)


def guarantee(setting: Setting) -> Outcome:
    """Search with the radius k·l for sentences with at most k changed words."""
    sentences = sentences_of(setting, most=_ASKING)
    planted = [_edited(sentences, k, setting.seed) for k in range(4)]
    tried = [(m, per, k) for m, per in ((32, 2), (64, 3), (256, 4)) for k in range(4)]
    rows: list[tuple[Any, ...]] = []
    for m, per, k in setting.steps(tried):
        stored = Features()
        for features in planted[: k + 1]:
            stored.append(features.part(0, features.n_documents))
        n_own = len(sentences.lengths)
        among = Sentences(stored, sentences.asking)
        recalls = []
        for how in ("guarantee", "binomial"):
            detector = QSign(
                measure="plain", min_overlap=0.4, min_words=1, bits=m, bits_per_word=per,
                match="hamming", radius=how, changed_words=k,
            )  # fmt: skip
            found = search(detector, among, all_places=True)
            hits = sum(
                (changed * n_own + n, 0) in matches
                for n, matches in enumerate(found.matches)
                for changed in range(k + 1)
            )
            recalls.append(hits / (n_own * (k + 1)))
        rows.append((m, per, k, guaranteed_radius(m, per, k), n_own * (k + 1), *recalls))
    x = tuple(float(k) for k in range(4))
    series = [Series("d = k·l", x, tuple(row[5] for row in rows[:4]))]
    series += [
        Series(f"{m} bits, binomial", x, tuple(row[6] for row in rows if row[0] == m))
        for m in (32, 64, 256)
    ]
    return Outcome(
        name="Q-guar",
        title="sentences with at most k words added or removed, found with the radius k·l",
        columns=("bits", "per word", "k", "d", "pairs", "recall, d = k·l", "recall, rho = 0.1"),
        rows=tuple(rows),
        figures=(
            Figure("recall of at most k changed words", "k", "recall", tuple(series)),
        ),
        conclusion=guarantee_conclusion(rows),
        notes=(
            f"{len(sentences.lengths):,} sentences ask for copies of theirs with 0 to k words",
            "added or removed; the paper does not use the guarantee, but the bound rho",
        ),
    )  # fmt: skip


def guarantee_conclusion(rows: Sequence[Sequence[Any]]) -> str:
    """Say whether the guarantee held, and what the paper's choice finds."""
    least, worst = (min(row[at] for row in rows) for at in (5, 6))
    held = "nothing is missed with d = k·l" if least == 1 else f"d = k·l finds only {least:.3f}"
    return f"{held}; the radius chosen by rho = 0.1 finds as little as {worst:.3f}"


class _Words(NamedTuple):
    """The words of sentences, each with its weight, and those of all stored ones to draw from."""

    sentences: list[list[tuple[int, int]]]
    pool: list[tuple[int, int]]


def _words(sentences: Sentences) -> _Words:
    ends, keys, weights = (array("Q", column) for column in sentences.asking.columns()[:3])
    pairs = list(zip(keys, weights, strict=True))
    starts = [0, *ends[:-1]]
    own = [pairs[start:end] for start, end in zip(starts, ends, strict=True)]
    stored = (array("Q", column) for column in sentences.stored.columns()[1:3])
    return _Words(own, list(zip(*stored, strict=True)))


def _changed(
    words: list[tuple[int, int]], pool: list[tuple[int, int]], added: int, lost: int, rng: Random
) -> list[tuple[int, int]]:
    """Add words that are not there, and take others away; never more than there are to add."""
    kept = dict(rng.sample(words, len(words) - lost))
    before = {key for key, _ in words}
    for _ in range(100 * added):
        if added == 0:
            break
        key, weight = rng.choice(pool)
        if key not in kept and key not in before:
            kept[key] = weight
            added -= 1
    return sorted(kept.items())


def _features(sentences: Sequence[Sequence[tuple[int, int]]]) -> Features:
    """Return sentences as features, each as a document of its own."""
    ends, keys, weights = array("Q"), array("Q"), array("Q")
    for words in sentences:
        keys.extend(key for key, _ in words)
        weights.extend(weight for _, weight in words)
        ends.append(len(keys))
    documents = array("Q", range(1, len(ends) + 1)).tobytes()
    return Features.from_columns(
        ends.tobytes(), keys.tobytes(), weights.tobytes(), b"", document_ends=documents
    )


def _edited(sentences: Sentences, k: int, seed: int) -> Features:
    """Return each sentence that asks with exactly k words added or removed."""
    rng = Random(f"edited/{k}/{seed}")  # noqa: S311 - nothing secret
    own, pool = _words(sentences)
    made = []
    for words in own:
        lost = rng.randint(0, k)
        made.append(_changed(words, pool, k - lost, lost, rng))
    return _features(made)


def _distances(sentences: Sentences, more: int, seed: int) -> list[list[int]]:
    """Return how far each sentence is from itself with more words, drawn several times."""
    rng = Random(f"more/{more}/{seed}")  # noqa: S311 - nothing secret
    own, pool = _words(sentences)
    made = [_changed(words, pool, more, 0, rng) for words in own for _ in range(_TIMES)]
    before, after = (
        array("Q", _kernel.signed(features, bits=_BITS, bits_per_word=_PER_WORD).unit_columns()[2])
        for features in (sentences.asking, _features(made))
    )
    return [
        [(one ^ after[n * _TIMES + time]).bit_count() for time in range(_TIMES)]
        for n, one in enumerate(before)
    ]

"""Y-cases: the pairs of documents of the thesis, made of sentences whose origin is known.

Yerra, thesis, 2005, section 3.5, tables 3.6 to 3.8 and figures 3.3 to 3.8.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import NamedTuple

from twicetold.analysis import Analyser, profile_of
from twicetold.comparing import compare
from twicetold.comparing.dotplots import dotplot
from twicetold.comparing.records import Comparison
from twicetold.counting import build_statistics
from twicetold.detectors.fuzzy_set import FuzzySet
from twicetold.detectors.rare_grams import RareGrams
from twicetold.errors import ParameterError
from twicetold.experiments.collection import take
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.text.edits import WordStock, change_words
from twicetold.experiments.text.spans import sentences, word_spans
from twicetold.records import Document
from twicetold.statistics import Statistics

__all__ = ["cases"]

#: Sentences of so many words are taken, and this share of the words of edited ones is changed.
_WORDS, _CHANGED = (8, 40), 0.1
#: What compares; the last is ours.
_MATCHERS = ("4-gram", "fuzzy set", "retelling")
_LEAST = 3


class Thesis(NamedTuple):
    """What the thesis reports: matched sentences, and the percents of both documents that are."""

    matched: int
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class _Plan:
    """A pair of documents: how long, how much the second takes from the first, and the thesis."""

    name: str
    first: int
    second: int
    taken: int
    edited: int
    thesis: tuple[Thesis, Thesis]


#: Tables 3.6 and 3.7. Edited are as many as only fuzzy sets found there.
_PLANS = (
    _Plan("subset", 35, 21, 21, 0, (Thesis(21, 60, 100), Thesis(21, 60, 100))),
    _Plan("subset and 10 others", 35, 31, 21, 0, (Thesis(21, 60, 67), Thesis(21, 60, 67))),
    _Plan("unrelated", 149, 133, 0, 0, (Thesis(4, 3, 3), Thesis(4, 3, 3))),
    _Plan("related", 87, 79, 27, 9, (Thesis(47, 54, 60), Thesis(27, 31, 34))),
    _Plan("8 times longer", 425, 50, 20, 5, (Thesis(15, 4, 30), Thesis(20, 5, 40))),
)
#: Table 3.8: the lengths of six revisions, and what each takes from the one before.
_REVISIONS = (99, 83, 90, 101, 104, 101)
_KEPT = (
    _Plan("revision 1-2", 99, 83, 49, 7, (Thesis(42, 42, 51), Thesis(49, 50, 59))),
    _Plan("revision 2-3", 83, 90, 37, 1, (Thesis(36, 43, 40), Thesis(37, 45, 41))),
    _Plan("revision 3-4", 90, 101, 43, 4, (Thesis(39, 43, 39), Thesis(43, 48, 43))),
    _Plan("revision 4-5", 101, 104, 77, 0, (Thesis(77, 76, 74), Thesis(77, 76, 74))),
    _Plan("revision 5-6", 104, 101, 96, 0, (Thesis(96, 92, 95), Thesis(96, 92, 95))),
)
_FIRST_AND_LAST = ("revision 1-6", (Thesis(42, 42, 42), Thesis(46, 47, 46)))


class _Told(NamedTuple):
    """A sentence, and its number among all that were ever told, the same if it is edited."""

    origin: int
    text: str


Told = list[_Told]


class _Case(NamedTuple):
    name: str
    first: Told
    second: Told
    thesis: tuple[Thesis, Thesis]

    @property
    def truth(self) -> set[tuple[int, int]]:
        """The places of sentences that are the same."""
        places = {told.origin: n for n, told in enumerate(self.first)}
        return {
            (places[told.origin], n) for n, told in enumerate(self.second) if told.origin in places
        }


def cases(setting: Setting) -> Outcome:
    """Match the sentences of pairs of documents by both methods of the thesis, and by ours."""
    documents = take(setting)
    made, scale = _made(documents, setting.seed)
    detectors = {"4-gram": RareGrams(), "fuzzy set": FuzzySet()}
    statistics: dict[str, Statistics] = {
        name: build_statistics(documents, method=detector, threads=setting.threads)
        for name, detector in detectors.items()
    }
    rows: list[tuple[object, ...]] = []
    figures = []
    for case in setting.steps(made, "cases"):
        texts = ["\n\n".join(told.text for told in side) for side in (case.first, case.second)]
        first, second = (
            Document(id=name, text=text, language="en")
            for name, text in zip(("1st", "2nd"), texts, strict=True)
        )
        found = {}
        for name in _MATCHERS:
            method = detectors.get(name, "retelling")
            found[name] = compare(
                first,
                second,
                method=method,
                statistics=statistics.get(name),
                threads=setting.threads,
            )
        rows += _rows(case, found)
        figures.append(_figure(case, found))
    shown = f"; lengths are {scale:.0%} of the thesis'" if scale < 1 else ""
    return Outcome(
        name="Y-cases",
        title="sentences matched in pairs of documents like those of the thesis",
        columns=(
            "case",
            "matcher",
            "1st",
            "2nd",
            "told again",
            "matched",
            "of 1st",
            "of 2nd",
            "wrong",
            "missed",
            "thesis, matched",
            "thesis, of 1st",
            "thesis, of 2nd",
            "shape",
        ),
        rows=tuple(rows),
        figures=tuple(figures),
        conclusion=_conclusion(rows),
        notes=(
            f"sentences of {len(documents):,} documents, in pairs like those of the thesis{shown}",
            "told again: sentences of the 1st in the 2nd, as many edited as only fuzzy sets found",
            "matched: sentences of the 1st with a match; wrong: only with others than planted",
            "missed: told again, but not matched; the thesis judged pairs of web pages",
        ),
    )


def _rows(case: _Case, found: dict[str, Comparison]) -> Iterator[tuple[object, ...]]:
    truth = case.truth
    for name, comparison in found.items():
        dots = {(dot.left, dot.right) for dot in comparison.parts[0].dots}
        matched = {left for left, _ in dots}
        right = {left for left, _ in dots & truth}
        n = len(comparison.left.sentences), len(comparison.parts[0].right.sentences)
        thesis: tuple[int | None, ...] = (None, None, None)
        if name in _MATCHERS[:2]:
            thesis = case.thesis[_MATCHERS.index(name)]
        plot = dotplot(comparison.parts[0].dots, *n)
        yield (
            case.name,
            name,
            *n,
            len(truth),
            len(matched),
            len(matched) / n[0],
            len({second for _, second in dots}) / n[1],
            len(matched - right),
            len({left for left, _ in truth} - right),
            thesis[0],
            *(None if share is None else share / 100 for share in thesis[1:]),
            plot.shape,
        )


def _figure(case: _Case, found: dict[str, Comparison]) -> Figure:
    series = []
    for name, comparison in found.items():
        dots = comparison.parts[0].dots
        places = tuple(float(dot.left + 1) for dot in dots)
        series.append(Series(name, places, tuple(float(dot.right + 1) for dot in dots)))
    return Figure(
        case.name,
        "sentence of the 1st",
        "of the 2nd",
        tuple(series),
        kind="dots",
        size=(len(case.first), len(case.second)),
    )


def _conclusion(rows: Sequence[tuple[object, ...]]) -> str:
    """Say how much each matcher found and how much of it was wrong."""
    parts = []
    for name in _MATCHERS:
        own = [row for row in rows if row[1] == name]
        told, matched, wrong, missed = (sum(int(str(row[n])) for row in own) for n in (4, 5, 8, 9))
        parts.append(f"{name} finds {told - missed} of {told}, {wrong} of {matched} wrong")
    return "; ".join(parts)


def _made(documents: Sequence[Document], seed: int) -> tuple[list[_Case], float]:
    """Return the cases, and how long documents are beside those of the thesis."""
    rng = Random(seed)  # noqa: S311 - not for secrets
    pool, stock = _sentences(documents), WordStock()
    for text in pool:
        stock.learn(text)
    wanted = sum(plan.first + plan.second - plan.taken for plan in _PLANS)
    wanted += _REVISIONS[0] + sum(plan.second - plan.taken for plan in _KEPT)
    scale = min(1.0, len(pool) / wanted)
    if scale * min(plan.second for plan in _PLANS) < _LEAST:
        msg = (
            f"Y-cases needs {wanted * _LEAST // 21:,} sentences of 8 to 40 words, got {len(pool):,}"
        )
        raise ParameterError(msg)
    rng.shuffle(pool)
    maker = _Maker(pool, stock, rng, scale)
    made = []
    for plan in _PLANS:
        first = maker.fresh(plan.first)
        made.append(_Case(plan.name, first, maker.second(first, plan), plan.thesis))
    start = last = maker.fresh(_REVISIONS[0])
    rng.shuffle(start)
    for plan in _KEPT:
        revised = maker.second(last, plan)
        made.append(_Case(plan.name, last, revised, plan.thesis))
        last = revised
    return [*made, _Case(_FIRST_AND_LAST[0], start, last, _FIRST_AND_LAST[1])], scale


class _Maker:
    """Makes documents of sentences, each used once."""

    def __init__(self, pool: list[str], stock: WordStock, rng: Random, scale: float) -> None:
        self._pool = map(_Told, count(), pool)
        self._stock, self._rng, self._scale = stock, rng, scale

    def fresh(self, n: int) -> Told:
        """Return as many new sentences as the scale makes of n."""
        return [told for _, told in zip(range(int(n * self._scale)), self._pool, strict=False)]

    def second(self, first: Told, plan: _Plan) -> Told:
        """Return a document that takes some sentences of another one, in their order.

        A report that is revised keeps its oldest sentences.
        """
        rng = self._rng
        n = min(int(plan.taken * self._scale), len(first))
        taken = sorted(rng.sample(range(len(first)), n))
        if plan.name.startswith("revision"):
            taken = sorted(sorted(range(len(first)), key=lambda at: first[at].origin)[:n])
        edited = set(rng.sample(taken, min(int(plan.edited * self._scale), n)))
        found = [self._edited(first[at]) if at in edited else first[at] for at in taken]
        for told in self.fresh(plan.second - plan.taken):
            found.insert(rng.randrange(len(found) + 1), told)
        return found

    def _edited(self, told: _Told) -> _Told:
        changed = change_words(told.text, _CHANGED, self._stock, self._rng)
        return told._replace(text=changed)


def _sentences(documents: Sequence[Document]) -> list[str]:
    """Return different sentences of usual length that every splitter sees as one."""
    texts: dict[str, None] = {}
    for document in documents:
        for start, end in sentences(document.text):
            text = " ".join(document.text[start:end].split())
            if _WORDS[0] <= len(word_spans(text)) <= _WORDS[1]:
                texts[text] = None
    known = list(texts)
    analysed = Analyser(profile_of("plain")).analyse(
        known, languages=["en"] * len(known), spans=True
    )
    return [text for n, text in enumerate(known) if len(analysed.sentences(n)) == 1]

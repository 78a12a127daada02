"""Y-html: two versions of a web page matched node by node, as in the thesis' example 5.

Yerra, thesis, 2005, section 4.3, figure 4.4: thirteen similar sentences, three of them edited; one
of the three sentences of a node matches (33 %), three of the four of another (75 %).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from twicetold.comparing import compare
from twicetold.comparing.records import Comparison
from twicetold.counting import build_statistics
from twicetold.detectors.fuzzy_set import FuzzySet
from twicetold.errors import ParameterError
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.made_pages import Told, edited, made_page, take_pages, told_by
from twicetold.experiments.text.edits import WordStock
from twicetold.records import Document
from twicetold.scanning import scan
from twicetold.statistics import Statistics

__all__ = ["versions"]

#: Of the thesis' example: similar sentences, and those of them with other words.
_SIMILAR, _EDITED = 13, 3
#: Sentences of the second page that the first does not have, and the share of words in an edit.
_OTHERS, _CHANGED = 10, 0.12
_LEAST = 3
#: A page that tells about so many sentences is taken.
_USUAL = 30
_MATCHERS = ("fuzzy set", "retelling")


class _Case(NamedTuple):
    """Two pages, and which sentences of the first stand in the second; None if nobody knows."""

    name: str
    first: Document
    second: Document
    told: dict[str, str] | None


def versions(setting: Setting) -> Outcome:
    """Match a page of the data with a version made of it, and the two pages most alike."""
    pages = take_pages(setting, least=2)
    steps = iter(setting.steps(("correlations", "pages", "matching"), "steps"))
    next(steps)
    detector = FuzzySet()
    statistics = build_statistics(pages, method=detector, threads=setting.threads)
    next(steps)
    cases = [_made(told_by(pages, statistics.boilerplate), setting.seed)]
    cases += _most_alike(pages, detector, statistics, setting)
    next(steps)
    rows, figures = [], []
    for case in cases:
        found = {
            name: compare(
                case.first,
                case.second,
                method=detector if name == _MATCHERS[0] else "retelling",
                statistics=statistics,
                threads=setting.threads,
            )
            for name in _MATCHERS
        }
        rows += [_row(case, name, comparison) for name, comparison in found.items()]
        figures.append(_figure(case, found))
    list(steps)
    return Outcome(
        name="Y-html",
        title="two web pages matched node by node",
        columns=(
            "pages",
            "matcher",
            "nodes",
            "sentences",
            "told again",
            "matched",
            "wrong",
            "missed",
            "links",
            "shades of 2nd",
            "RS(1st, 2nd)",
            "RS(2nd, 1st)",
            "odds",
            "thesis, matched",
        ),
        rows=tuple(rows),
        figures=tuple(figures),
        conclusion=_conclusion(rows),
        notes=(
            f"correlations and boilerplate of {len(pages):,} pages; sites' boilerplate is left out",
            f"made: {len(cases[0].told or ())} sentences of a page, some edited, among others",
            "matched: sentences of the 2nd; shades: of how many of its nodes which share matches",
            "the thesis' example 5: 13 matched, nodes shaded 33 % and 75 %; pages of its own",
        ),
    )


def _made(pages: Sequence[Told], seed: int) -> _Case:
    """Return a page of usual length, and a version: some of its sentences among others."""
    rng = Random(seed)  # noqa: S311 - not for secrets
    told = min(pages, key=lambda page: (abs(len(page.sentences) - _USUAL), page.page.id))
    others = [text for page in pages if page is not told for text in page.sentences]
    n = min(_SIMILAR, len(told.sentences))
    if n < _LEAST or len(others) < _LEAST:
        msg = f"Y-html needs pages that tell at least {_LEAST} sentences of 8 to 45 words each"
        raise ParameterError(msg)
    stock = WordStock()
    for text in (*told.sentences, *others):
        stock.learn(text)
    taken = [told.sentences[at] for at in sorted(rng.sample(range(len(told.sentences)), n))]
    changed = set(rng.sample(range(n), n * _EDITED // _SIMILAR))
    again = {
        edited(text, _CHANGED, stock, rng) if at in changed else text: text
        for at, text in enumerate(taken)
    }
    sentences = list(again)
    for text in rng.sample(others, min(_OTHERS, len(others))):
        sentences.insert(rng.randrange(len(sentences) + 1), text)
    language = told.page.language
    second = made_page("A version", sentences, rng, source="version.example", language=language)
    return _Case("made", told.page, second, again)


def _most_alike(
    pages: Sequence[Document], detector: FuzzySet, statistics: Statistics, setting: Setting
) -> list[_Case]:
    """Return the two pages of the data that are most alike, without being the same."""
    found = scan(pages, method=detector, statistics=statistics, floor=0.1, threads=setting.threads)
    by_id = {page.id: page for page in pages}
    pairs = [pair for pair in found if pair.odds < 100 and pair.relation != "identical"]  # noqa: PLR2004
    best = max(pairs, key=lambda pair: (pair.odds, pair.left, pair.right), default=None)
    return [] if best is None else [_Case("most alike", by_id[best.left], by_id[best.right], None)]


def _row(case: _Case, matcher: str, comparison: Comparison) -> tuple[object, ...]:
    [part] = comparison.parts
    trees = part.trees(comparison.left)
    assert trees is not None
    assert comparison.left.hierarchy is not None
    assert part.right.hierarchy is not None
    sizes = (comparison.left, part.right)
    hierarchies = (comparison.left.hierarchy, part.right.hierarchy)
    shades = Counter(f"{shade:.0%}" for shade in trees.right_shades if shade)
    wrong, missed = _errors(case, comparison)
    return (
        case.name,
        matcher,
        " + ".join(f"{len(tree.nodes):,}" for tree in hierarchies),
        " + ".join(f"{len(side.sentences):,}" for side in sizes),
        None if case.told is None else len(case.told),
        len({right for _, right in trees.dots}),
        wrong,
        missed,
        len(trees.links),
        ", ".join(f"{n} at {shade}" for shade, n in sorted(shades.items(), key=_by_shade)) or "-",
        trees.left_resemblance,
        trees.right_resemblance,
        trees.odds,
        _SIMILAR if case.told is not None and matcher == _MATCHERS[0] else None,
    )


def _by_shade(item: tuple[str, int]) -> float:
    return -float(item[0].rstrip("%"))


def _errors(case: _Case, comparison: Comparison) -> tuple[int | None, int | None]:
    """Return how many sentences of the 2nd match another than planted, and how many are missed."""
    if case.told is None:
        return None, None
    [part] = comparison.parts
    wrong, found = set(), set()
    for dot in part.dots:
        left, right = (
            " ".join(side.text(n).split())
            for side, n in ((comparison.left, dot.left), (part.right, dot.right))
        )
        # A sentence may be cut in two, or two be taken for one.
        own = {told for told, text in case.told.items() if _same(told, right) and _same(text, left)}
        found |= own
        if not own:
            wrong.add(dot.right)
    return len(wrong), len(case.told.keys() - found)


def _same(one: str, two: str) -> bool:
    return one in two or two in one


def _figure(case: _Case, found: dict[str, Comparison]) -> Figure:
    comparison = found[_MATCHERS[0]]
    series = []
    for name, own in found.items():
        trees = own.parts[0].trees(own.left)
        dots = () if trees is None else trees.dots
        series.append(
            Series(
                name,
                tuple(float(left + 1) for left, _ in dots),
                tuple(float(right + 1) for _, right in dots),
            )
        )
    return Figure(
        f"{case.name}, in document order",
        "sentence of the 1st",
        "of the 2nd",
        tuple(series),
        kind="dots",
        size=(len(comparison.left.sentences), len(comparison.parts[0].right.sentences)),
    )


def _conclusion(rows: Sequence[tuple[object, ...]]) -> str:
    """Say how many of the sentences that were told again each matcher finds."""
    parts = [
        f"{row[1]} finds {int(str(row[4])) - int(str(row[7]))} of {row[4]}, {row[6]} wrong"
        for row in rows
        if row[4] is not None
    ]
    return "; ".join(parts)

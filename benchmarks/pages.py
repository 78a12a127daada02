"""Web pages: their main content, how fast they are read and matched, and what sites repeat.

``python -m benchmarks pages --articles html_scrapinghub --sites html_cleanportal`` makes the
figures of docs/results/html.md.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks.everything import Part
from benchmarks.main_content import main_content, runs
from benchmarks.table import figure, table
from twicetold import _kernel
from twicetold.analysis import Analyser, Profile
from twicetold.documents import read
from twicetold.errors import ParameterError
from twicetold.html import Hierarchy, match_trees, outline
from twicetold.pipeline import DETECTORS
from twicetold.records import Document
from twicetold.scanning import scan

_ROUNDS = 3
#: Two pages of so many sentences are matched, in sections of so many.
_SENTENCES, _SECTION = 500, 25
#: Pages whose articles have so much in common are the same article.
_SAME = 0.9


@dataclass(frozen=True, slots=True)
class Timed:
    """Steps with processor time and wall-clock time in milliseconds, the best of three."""

    title: str
    steps: dict[str, tuple[float, float, float]]

    def __str__(self) -> str:
        rows = [[name, *map(figure, own)] for name, own in self.steps.items()]
        return f"{self.title}\n\n{table(['', 'cpu ms', 'ms', 'a second'], rows)}"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Called:
    """Of each method the pairs it calls near-duplicate or contained."""

    pages: int
    pairs: int
    same: int
    methods: dict[str, tuple[int, int, int]]

    def __str__(self) -> str:
        among = f"{self.pairs:,} of {self.pages:,} pages, {self.same} of them one article"
        title = f"Pairs called, of {among}"
        columns = ["method", "boilerplate kept", "left out: different articles", "the same article"]
        rows = [[name, *map(str, own)] for name, own in self.methods.items()]
        return f"{title}\n\n{table(columns, rows)}"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def pages(articles: Path | None, sites: Path | None, names: list[str] | None) -> list[Part]:
    """Measure all that the folders given allow."""
    if articles is None and sites is None:
        msg = "there must be pages; give --articles, --sites or both"
        raise ParameterError(msg)
    folders = [articles and articles / "html", sites and _input(sites)]
    documents = [page for folder in folders if folder for page in read(folder)]
    found: list[Part] = [main_content(articles)] if articles else []
    found += [speed(documents), trees(documents)]
    return [*found, called(sites, names or list(DETECTORS))] if sites else found


def speed(documents: list[Document]) -> Timed:
    """Time hierarchy and analysis of pages on all cores."""
    markups = [document.html or "" for document in documents]
    languages = [document.language for document in documents]
    analyser = Analyser(Profile())
    texts: list[str] = []

    def hierarchies() -> None:
        texts[:] = [page.text for page in _kernel.read_pages(markups)]

    def analysis() -> None:
        analyser.analyse(texts, languages=languages, spans=True)

    def both() -> None:
        hierarchies()
        analysis()

    n = len(documents)
    cores = len(os.sched_getaffinity(0))
    steps = {
        name: _best(step, n)
        for name, step in (("hierarchy", hierarchies), ("analysis", analysis), ("both", both))
    }
    size = sum(map(len, markups)) / n / 1000
    return Timed(
        f"One of {n:,} pages on {cores} cores, {size:,.0f} kB of markup in the mean", steps
    )


def trees(documents: list[Document]) -> Timed:
    """Time the hierarchies and the matching of two pages whose sentences are partly the same."""
    told = list(dict.fromkeys(sentence for page in documents for sentence in _sentences(page)))
    n_headings = _SENTENCES // _SECTION
    shared, own, other = (told[n::3][: (_SENTENCES - n_headings) // 2] for n in range(3))
    markups = [_page([*own, *shared]), _page([*shared, *other])]
    left, right = map(outline, markups)
    places = {text: n for n, text in enumerate(_texts(right))}
    matches = [(n, places[text]) for n, text in enumerate(_texts(left)) if text in places]

    def hierarchies() -> None:
        for n, markup in enumerate(markups):
            outline(f"{markup}<!-- {time.perf_counter_ns()} {n} -->")  # no page is known already

    steps = {
        "both hierarchies": _best(hierarchies, 1),
        "trees matched": _best(lambda: match_trees(left, right, matches), 1),
    }
    sizes = f"{len(left.sentences)} and {len(right.sentences)} sentences"
    return Timed(f"Two pages of {sizes}, {len(matches)} matches", steps)


def _texts(page: Hierarchy) -> list[str]:
    return [page.text[span.start : span.end] for span in page.sentences]


def _sentences(page: Document) -> Iterator[str]:
    hierarchy = outline(page)
    for node in hierarchy.nodes[1:]:
        if node.role == "body" and len(node.sentences) == 1:
            yield " ".join(hierarchy.text_of(node).split())


def _page(sentences: list[str]) -> str:
    """Return a page of sections with paragraphs of a sentence each."""
    paragraphs = [f"<p>{sentence}</p>" for sentence in sentences]
    parts = ["".join(paragraphs[n : n + _SECTION]) for n in range(0, len(paragraphs), _SECTION)]
    return "<title>A page</title>" + "".join(f"<h2>A section</h2>{part}" for part in parts)


def _best(step: Callable[[], object], n: int) -> tuple[float, float, float]:
    """Return processor time and wall-clock time a piece in milliseconds, and pieces a second."""
    taken = []
    for _ in range(_ROUNDS):
        wall, cpu = time.perf_counter(), time.process_time()
        step()
        taken.append((time.process_time() - cpu, time.perf_counter() - wall))
    cpu, wall = (min(column) for column in zip(*taken, strict=True))
    return 1000 * cpu / n, 1000 * wall / n, n / wall


def called(folder: Path, names: Iterable[str]) -> Called:
    """Count the pairs that methods call near-duplicate or contained."""
    ids = [page.id for page in read(_input(folder))]
    same = same_articles(folder, ids)
    methods = {}
    for name in names:
        kept, left = (_pairs(folder, name, keep=keep) for keep in (True, False))
        methods[name] = (len(kept), len(left - same), len(left & same))
    return Called(len(ids), len(ids) * (len(ids) - 1) // 2, len(same), methods)


def _pairs(folder: Path, method: str, *, keep: bool) -> set[frozenset[str]]:
    found = scan(_input(folder), method=method, keep_boilerplate=keep, all_pairs=True)
    return {frozenset((p.left, p.right)) for p in found if p.relation != "overlap"}


def same_articles(folder: Path, ids: list[str]) -> set[frozenset[str]]:
    """Return the pages with the same article, by the gold texts where the set has them."""
    texts = {}
    for name in ids:
        gold = folder / "GoldStandard" / f"{name.partition('.html')[0]}.txt"
        if gold.exists():
            told = gold.read_text("utf-8", "replace").split("\n", 2)[-1]  # without the address
            texts[name] = runs(told)
    return {
        frozenset(pair)
        for pair in combinations(texts, 2)
        if _alike(*(set(texts[name]) for name in pair)) >= _SAME
    }


def _alike(one: set[Any], two: set[Any]) -> float:
    return len(one & two) / max(len(one | two), 1)


def _input(folder: Path) -> Path:
    """Return where the pages of a set are: in ``input``, or in the folder itself."""
    return folder / "input" if (folder / "input").is_dir() else folder

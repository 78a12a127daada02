"""A slow, obvious CoDet and a slow, obvious engine: the oracles of the kernel.

Nothing here is hashed, rounded, sorted for speed or shared with the package. A document is a list
of sentences, a sentence is a list of words.

`CorpusTree`       the tree of the paper, node by node (section 3.2)
`double_sum`       formulas (1) and (2) as printed (section 3.1)
`expected_pairs`   what an engine has to hand out for a list of documents
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

Sentence = Sequence[str]
Sentences = Sequence[Sentence]
Path = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """CoDet's parameters under the names of `twicetold.detectors.codet.CoDet`."""

    word_sorting: bool = True
    depth: int | None = 5
    suffixes: int = 1
    mode: str = "set"
    min_depth: int = 1
    min_words: int = 1
    idf: str = "plus-one"
    log_base: float = math.e


class Frequencies:
    """In how many documents of a collection each word occurs."""

    def __init__(self, documents: int, of: Mapping[str, int]) -> None:
        self.documents = documents
        self.of = of

    @classmethod
    def count(cls, documents: Iterable[Sentences]) -> Frequencies:
        documents = list(documents)
        words = [{word for sentence in document for word in sentence} for document in documents]
        return cls(len(documents), Counter(word for found in words for word in found))

    def idf(self, word: str, settings: Settings) -> float:
        n, df = self.documents, max(self.of.get(word, 0), 1)
        if settings.idf == "smooth":
            return max(math.log((n + 1) / (df + 0.5)) / math.log(settings.log_base), 0.0)
        weight = math.log(n / df) / math.log(settings.log_base)
        return weight + 1 if settings.idf == "plus-one" else weight


def inserted(sentence: Sentence, frequencies: Frequencies, settings: Settings) -> list[list[str]]:
    """Return the word sequences that a sentence puts into the tree: its cut suffixes."""
    words = list(sentence)
    if len(words) < settings.min_words:
        return []
    if settings.word_sorting:
        words = sorted(set(words), key=lambda word: (frequencies.of.get(word, 0) or 1, word))
    return [words[n:][: settings.depth] for n in range(min(settings.suffixes, len(words)))]


@dataclass
class Node:
    """A node of the corpus tree; ``documents`` are those that visited it, and how often."""

    label: str
    children: dict[str, Node] = field(default_factory=dict)
    documents: Counter[str] = field(default_factory=Counter)


class CorpusTree:
    """The tree of the paper. Documents are inserted in the order of time."""

    def __init__(
        self, frequencies: Frequencies, settings: Settings, window: float | None = None
    ) -> None:
        self.frequencies = frequencies
        self.settings = settings
        self.window = window
        self.root = Node("")
        self.n_nodes = 0
        #: SCS of each document.
        self.self_similarity: dict[str, float] = {}
        self.times: dict[str, float] = {}

    def insert(self, name: str, document: Sentences, time: float = 0) -> dict[str, float]:
        """Insert a document; return its similarity with each document that shares a node."""
        visited = self._visit(document)
        similarity: dict[str, float] = {}
        own = 0.0
        for node, depth, count in visited:
            if depth < self.settings.min_depth:
                continue
            impact = depth * self.frequencies.idf(node.label, self.settings)
            own += impact * self._times(count, count)
            for other, other_count in node.documents.items():
                if self.window is None or self.times[other] >= time - self.window:
                    added = impact * self._times(count, other_count)
                    similarity[other] = similarity.get(other, 0.0) + added
        for node, _, count in visited:
            node.documents[name] = count
        self.self_similarity[name] = own
        self.times[name] = time
        return similarity

    def _times(self, count: int, other: int) -> int:
        return count * other if self.settings.mode == "bag" else 1

    def _visit(self, document: Sentences) -> list[tuple[Node, int, int]]:
        """Walk all sentences; return the nodes they came to, with depths and numbers of visits."""
        visits: Counter[int] = Counter()
        found: dict[int, tuple[Node, int]] = {}
        for sentence in document:
            for words in inserted(sentence, self.frequencies, self.settings):
                node = self.root
                for depth, word in enumerate(words, start=1):
                    if word not in node.children:
                        node.children[word] = Node(word)
                        self.n_nodes += 1
                    node = node.children[word]
                    visits[id(node)] += 1
                    found[id(node)] = (node, depth)
        return [(node, depth, visits[key]) for key, (node, depth) in found.items()]


def double_sum(
    left: Sentences, right: Sentences, frequencies: Frequencies, settings: Settings
) -> float:
    """Return CS of formula (1): the sum of cs over all pairs of sentences, suffixes included."""
    return sum(
        sentence_similarity(si, sj, frequencies, settings)
        for one in left
        for si in inserted(one, frequencies, settings)
        for other in right
        for sj in inserted(other, frequencies, settings)
    )


def sentence_similarity(
    si: Sentence, sj: Sentence, frequencies: Frequencies, settings: Settings
) -> float:
    """Return cs of formula (2): the sum of ``k * idf`` over the longest common prefix."""
    total = 0.0
    for k, (word, other) in enumerate(zip(si, sj, strict=False), start=1):
        if word != other:
            break
        if k >= settings.min_depth:
            total += k * frequencies.idf(word, settings)
    return total


class Told(NamedTuple):
    """A document as an engine sees it."""

    id: str
    text: str
    sentences: Sentences
    published: datetime | None = None


class Row(NamedTuple):
    """A pair as an engine hands it out."""

    left: str
    right: str
    relation: str
    left_in_right: float
    right_in_left: float
    resemblance: float
    odds: float

    @property
    def score(self) -> float:
        return max(self.left_in_right, self.right_in_left)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What an engine is asked for, under the names of `twicetold.pipeline.Job`."""

    threshold: float = 0.5
    comparison: str = "above"
    window: timedelta | None = None
    floor: float | None = None
    all_pairs: bool = False
    max_key_documents: int = 1000


def paths_of(document: Sentences, frequencies: Frequencies, settings: Settings) -> Counter[Path]:
    """Return the root paths of a document, and how often it comes along each."""
    found: Counter[Path] = Counter()
    for sentence in document:
        for words in inserted(sentence, frequencies, settings):
            found.update(
                tuple(words[:depth]) for depth in range(settings.min_depth, len(words) + 1)
            )
    return found if settings.mode == "bag" else Counter(set(found))


def expected_pairs(
    documents: Sequence[Told],
    frequencies: Frequencies,
    settings: Settings,
    asked: Asked,
    frequent: set[Path] | None = None,
) -> list[Row]:
    """Return the pairs of a run, in the order in which they are handed out."""
    return _Engine(documents, frequencies, settings, asked, frequent).rows()


def frequent_paths(
    documents: Sequence[Told], frequencies: Frequencies, settings: Settings, limit: int
) -> set[Path]:
    """Return the paths that more than ``limit`` different documents hold."""
    different = {frozenset(paths_of(d.sentences, frequencies, settings).items()) for d in documents}
    holders = Counter(path for items in different for path, _ in items)
    return {path for path, n in holders.items() if n > limit}


class _Engine:
    def __init__(
        self,
        documents: Sequence[Told],
        frequencies: Frequencies,
        settings: Settings,
        asked: Asked,
        frequent: set[Path] | None,
    ) -> None:
        self.frequencies, self.settings, self.asked = frequencies, settings, asked
        self.documents = sorted(documents, key=place)
        if frequent is None:
            frequent = frequent_paths(documents, frequencies, settings, asked.max_key_documents)
        paths = {d.id: paths_of(d.sentences, frequencies, settings) for d in documents}
        self.equal_to = {d.id: frozenset(paths[d.id].items()) or d.text for d in documents}
        self.joined = {
            name: {path: n for path, n in found.items() if path not in frequent}
            for name, found in paths.items()
        }

    def rows(self) -> list[Row]:
        told = [
            self.row(earlier, later)
            for n, later in enumerate(self.documents)
            for earlier in self.partners(later, self.documents[:n])
        ]
        kept = [row for row in told if self.is_wanted(row)]
        order = {d.id: n for n, d in enumerate(self.documents)}
        return sorted(kept, key=lambda row: (order[row.left], order[row.right]))

    def partners(self, later: Told, before: Sequence[Told]) -> list[Told]:
        """Return the documents before this one that it comes with."""
        near = [d for d in before if self.is_near(d, later)]
        equals = [d for d in near if self.are_equal(d, later)]
        others = [d for d in near if not self.are_equal(d, later) and self.shared(d, later) > 0]
        if self.asked.all_pairs:
            return equals + others
        # A document that repeats an earlier one is told by that row, and by no other.
        return equals[:1] if equals else self.first_of_each_kind(others)

    def first_of_each_kind(self, documents: Sequence[Told]) -> list[Told]:
        first: dict[object, Told] = {}
        for document in documents:
            first.setdefault(self.equal_to[document.id], document)
        return list(first.values())

    def are_equal(self, one: Told, other: Told) -> bool:
        return self.equal_to[one.id] == self.equal_to[other.id]

    def is_near(self, one: Told, other: Told) -> bool:
        if self.asked.window is None or one.published is None or other.published is None:
            return True
        return abs(one.published - other.published) <= self.asked.window

    def shared(self, one: Told, other: Told) -> float:
        mine, theirs = self.joined[one.id], self.joined[other.id]
        return sum(
            len(path) * self.frequencies.idf(path[-1], self.settings) * count * theirs[path]
            for path, count in mine.items()
            if path in theirs
        )

    def row(self, one: Told, other: Told) -> Row:
        left, right = orient(one, other)
        shared, same = self.shared(left, right), left.text == right.text
        totals = self.shared(left, left), self.shared(right, right)
        left_in_right, right_in_left = (
            1.0 if same else shared / total if total > 0 else 0.0 for total in totals
        )
        together = sum(totals) - shared
        resemblance = (
            1.0 if same else min(shared / together, 1.0) if together > 0 else float(shared > 0)
        )
        p = min(left_in_right, 1.0) * min(right_in_left, 1.0)
        return Row(
            left.id,
            right.id,
            self.relation(left_in_right, right_in_left, same=same),
            left_in_right,
            right_in_left,
            resemblance,
            100.0 if p > 100 / 101 - 1e-12 else p / (1 - p),
        )

    def relation(self, left_in_right: float, right_in_left: float, *, same: bool) -> str:
        contained, contains = self.holds(left_in_right), self.holds(right_in_left)
        if same:
            return "identical"
        if contained and contains:
            return "near-duplicate"
        return "contained" if contained else "contains" if contains else "overlap"

    def holds(self, share: float) -> bool:
        if self.asked.comparison == "above":
            return share > self.asked.threshold + 1e-12
        return share >= self.asked.threshold - 1e-12

    def is_wanted(self, row: Row) -> bool:
        floor = self.asked.floor
        return row.relation != "overlap" or (floor is not None and row.score >= floor)


def place(document: Told) -> tuple[bool, float, bytes]:
    """Return what documents are ordered by: dated ones by time, then id; undated ones last."""
    dated = document.published is not None
    time = document.published.timestamp() if document.published is not None else 0.0
    return (not dated, time, document.id.encode())


def orient(one: Told, other: Told) -> tuple[Told, Told]:
    """Return the earlier document first if both times are known, else the smaller id."""
    both = one.published is not None and other.published is not None

    def rank(document: Told) -> tuple[bool, float, bytes]:
        return place(document) if both else (False, 0.0, document.id.encode())

    return (one, other) if rank(one) < rank(other) else (other, one)

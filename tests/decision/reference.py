"""The quantities of a pair, as slow and obvious as can be: an oracle for the kernel."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from twicetold.analysis import PROFILES, Analyser, sentences_of

FEW, REACH, GAP, OVERLAP, SEED, LONGEST = 10, 6, 12, 3, 3, 40


class Text:
    """The words of a document with what is known of each."""

    def __init__(self, text: str, title: str, language: str) -> None:
        analysed = Analyser(PROFILES["retelling-scan"]).analyse(
            [text, title], languages=[language, language], spans=True
        )
        self.words: list[str] = []
        self.stems: list[str] = []
        self.numbers: list[bool] = []
        self.names: list[bool] = []
        self.stops: list[bool] = []
        self.sentences: list[range] = []
        self.has_capitals = False
        for sentence in sentences_of(analysed, 0, text):
            start = len(self.words)
            for n, word in enumerate(sentence.words):
                capital = word.surface[0].isupper() and len(word.surface) > 1
                self.has_capitals |= capital
                self.words.append(word.surface.lower())
                self.stems.append(word.term)
                self.numbers.append(word.surface[0].isdigit())
                self.names.append(capital and n > 0)
                self.stops.append(word.is_stop)
            size = len(self.words) - start
            parts = max(1, math.ceil(size / LONGEST))
            cuts = [start + size * part // parts for part in range(parts + 1)]
            self.sentences += [range(a, b) for a, b in pairwise(cuts)]
        self.title = {w.term for s in sentences_of(analysed, 1, title) for w in s.words}

    def grams(self, size: int) -> list[tuple[str, ...]]:
        """Return the runs of so many words in their order."""
        words = self.words
        if 0 < len(words) < size:
            return [tuple(words)]
        return [tuple(words[i : i + size]) for i in range(len(words) - size + 1)]


class Collection:
    """Documents, and how many of them have each stem, content pair and run."""

    def __init__(self, texts: Sequence[Text], distinct: Sequence[Text]) -> None:
        self.n = max(len(texts), 50)
        self.stop_list = len(texts) < 100
        self.rare_facts = len(texts) >= 50
        self.stems = Counter(stem for text in texts for stem in set(text.stems))
        self.pairs = Counter(pair for text in distinct for pair in {p for _, p in self.of(text)})
        self.runs = Counter(run for text in distinct for run in set(text.grams(4)))
        repeated = [n for n in self.runs.values() if n > 1]
        self.few_share = sum(n for n in repeated if n <= FEW) / sum(repeated) if repeated else 1.0

    def is_content(self, text: Text, at: int) -> bool:
        common = self.stems[text.stems[at]] > max(0.2 * self.n, FEW)
        return text.numbers[at] or not (common or (self.stop_list and text.stops[at]))

    def is_rare(self, text: Text, at: int) -> bool:
        few = self.stems[text.stems[at]] <= max(0.02 * self.n, FEW)
        return few and (self.is_content(text, at) or not text.stops[at])

    def is_fact(self, text: Text, at: int) -> bool:
        rare = self.rare_facts and self.is_rare(text, at)
        return text.numbers[at] or text.names[at] or rare

    def idf(self, stem: str) -> float:
        return max(math.log((self.n + 1) / max(self.stems[stem], 1)), 0.1)

    def of(self, text: Text) -> list[tuple[int, tuple[str, str]]]:
        """Return content pairs with the places of their first words."""
        content = [at for at in range(len(text.words)) if self.is_content(text, at)]
        found = []
        for n, i in enumerate(content):
            for j in content[n + 1 : n + 3]:
                if j - i <= REACH:
                    a, b = sorted((text.stems[i], text.stems[j]))
                    found.append((i, (a, b)))
        return found

    def weight(self, pair: tuple[str, str]) -> float:
        return 1 / max(1, self.pairs[pair] - 1) ** 2

    def forgiving(self, pair: tuple[str, str]) -> float:
        return 1 / max(1, self.pairs[pair] / FEW) ** 2


class Run(NamedTuple):
    """Words matched in a row."""

    x: int
    y: int
    length: int


def matched_runs(x: Text, y: Text) -> list[Run]:
    """Return matched runs along the shorter text."""
    there: dict[tuple[str, ...], list[int]] = {}
    for j in range(len(y.words) - SEED + 1):
        there.setdefault(tuple(y.words[j : j + SEED]), []).append(j)
    runs: list[Run] = []
    is_open = False
    for i in range(len(x.words) - SEED + 1):
        at = there.get(tuple(x.words[i : i + SEED]))
        if not at:
            is_open = False
            continue
        if is_open and runs[-1].y + i - runs[-1].x in at:
            runs[-1] = runs[-1]._replace(length=i - runs[-1].x + SEED)
            continue
        end = runs[-1].y + runs[-1].length if runs else 0
        later = [j for j in at if j >= end - SEED + 1]
        runs.append(Run(i, later[0] if later else min(at, key=lambda j: abs(j - i)), SEED))
        is_open = True
    return runs


def ending(covered: Sequence[bool]) -> int:
    """Return where the longest suffix begins that is matched for three quarters."""
    n, best = len(covered), len(covered)
    for size in range(1, n // 2 + 1):
        if covered[n - size] and sum(covered[n - size :]) >= 0.75 * size:
            best = n - size
    return best


def direction(x: Text, y: Text, all_: Collection, gaps: dict[str, float]) -> list[float]:
    """Return the nine quantities of `x is told in y`."""
    mine, theirs = ({pair for _, pair in all_.of(text)} for text in (x, y))
    both = mine & theirs
    rare = sum(map(all_.weight, both)) / (sum(map(all_.weight, mine)) + 2)
    forgiving = (sum(map(all_.forgiving, both)) + 1) / (sum(map(all_.forgiving, mine)) + 4)
    content = [{t.stems[i] for i in range(len(t.words)) if all_.is_content(t, i)} for t in (x, y)]
    scarce = {
        x.stems[i] for i in range(len(x.words)) if all_.is_content(x, i) and all_.is_rare(x, i)
    }
    terms = (sum(map(all_.idf, scarce & content[1])) + 3) / (sum(map(all_.idf, scarce)) + 6)
    numbers = [{w for w, is_one in zip(t.words, t.numbers, strict=True) if is_one} for t in (x, y)]
    names = {w for w, is_one in zip(x.words, x.names, strict=True) if is_one}
    title = 0.25
    if x.title and y.title:
        title = max(title, (len(x.title & y.title) + 0.5) / (len(x.title | y.title) + 1))
    new = min(len(numbers[0] - numbers[1]), len(numbers[1] - numbers[0]))
    exchanged = max(gaps["exchanged"], new)
    density = min(sum(t.numbers) / (len(t.words) + 10) for t in (x, y))
    figures = exchanged / (len(numbers[0] & numbers[1]) + exchanged + 2) * min(1, density / 0.08)
    slotted = forgiving / (1 + gaps["slot_rate"])
    return [
        max(rare, slotted * terms**2),
        title**2 * slotted,
        terms,
        gaps["edits"],
        gaps["deletions"],
        figures,
        math.log1p(len(numbers[1] - numbers[0])),
        math.log1p(len(names - set(y.words))) if x.has_capitals and y.has_capitals else math.nan,
        math.log((len(y.words) + 5) / (len(x.words) + 5)),
    ]


def best_sentence(x: Text, y: Text, all_: Collection) -> float:
    """Return what the sentence of x weighs that y has, facts and all."""
    there = [{y.stems[i] for i in sentence if all_.is_content(y, i)} for sentence in y.sentences]
    shared = {pair for _, pair in all_.of(x)} & {pair for _, pair in all_.of(y)}
    best = 0.0
    for sentence in x.sentences:
        rare = sum(map(all_.weight, {p for i, p in all_.of(x) if i in sentence and p in shared}))
        stems = {x.stems[i] for i in sentence if all_.is_content(x, i)}
        facts = {x.stems[i] for i in sentence if all_.is_fact(x, i)} & stems
        votes = [
            sum(all_.idf(stem) for stem in sorted(stems & own) if _within(stem, n, there))
            for n, own in enumerate(there)
        ]
        if rare <= best or not any(votes):
            continue
        place = max(range(len(votes)), key=lambda n: (round(votes[n], 4), -n))
        near = set().union(*there[max(0, place - 1) : place + 2])
        told = sum(all_.idf(s) ** 2 for s in stems & near) / sum(all_.idf(s) ** 2 for s in stems)
        right = (sum(map(all_.idf, facts & near)) + 2) / (sum(map(all_.idf, facts)) + 2)
        best = max(best, rare * told * right)
    return best


def _within(stem: str, n: int, there: Sequence[set[str]]) -> bool:
    """Whether a sentence is one of the first twenty that have a stem."""
    return sum(stem in own for own in there[:n]) < 20


def quantities(
    left: Text, right: Text, all_: Collection
) -> tuple[list[float], list[float], list[float]]:
    """Return what is measured of left in right, of right in left, and of the pair."""
    if len(left.words) > len(right.words):
        backward, forward, pair = quantities(right, left, all_)
        return forward, backward, pair
    x, y = left, right
    runs = matched_runs(x, y)
    covered = [[False] * len(t.words) for t in (x, y)]
    for run in runs:
        covered[0][run.x : run.x + run.length] = [True] * run.length
        covered[1][run.y : run.y + run.length] = [True] * run.length
    slots = edits = only_x = only_y = exchanged = 0
    for one, after in pairwise(runs):
        a, b, c, e = one.x + one.length, after.x, one.y + one.length, after.y
        only_x += a < b <= a + GAP and c - OVERLAP <= e <= c
        only_y += c < e <= c + GAP and a - OVERLAP <= b <= a
        if b <= a or e <= c or b - a > GAP or e - c > GAP:
            continue
        new = [
            [k for k in range(a, b) if x.stems[k] not in y.stems[c:e]],
            [k for k in range(c, e) if y.stems[k] not in x.stems[a:b]],
        ]
        facts = [any(all_.is_fact(t, k) for k in own) for t, own in zip((x, y), new, strict=True)]
        slots, edits = (slots + 1, edits) if all(facts) else (slots, edits + 1)
        exchanged += min(sum(t.numbers[k] for k in own) for t, own in zip((x, y), new, strict=True))
    matched = sum(covered[0])
    gaps = {
        "slot_rate": 100 * slots / (matched + 30),
        "edits": min(4, 100 * edits / (matched + 30)),
        "exchanged": exchanged,
    }
    forward = direction(x, y, all_, gaps | {"deletions": min(0.3, only_x / (len(runs) + 1))})
    backward = direction(y, x, all_, gaps | {"deletions": min(0.3, only_y / (len(runs) + 1))})

    pairs = all_.of(x), all_.of(y)
    both = {pair for _, pair in pairs[0]} & {pair for _, pair in pairs[1]}
    ends = ending(covered[0]), ending(covered[1])
    first = [{pair: min(i for i, p in own if p == pair) for pair in both} for own in pairs]
    body = sum(
        all_.weight(pair) for pair in both if first[0][pair] < ends[0] or first[1][pair] < ends[1]
    )
    mass = sum(map(all_.weight, both))

    passages: list[list[int]] = []
    for run in runs:
        last = passages[-1] if passages else None
        if last and 0 <= run.x - last[1] <= GAP and -OVERLAP <= run.y - last[3] <= GAP:
            last[1], last[3] = max(last[1], run.x + run.length), max(last[3], run.y + run.length)
        else:
            passages.append([run.x, run.x + run.length, run.y, run.y + run.length])
    a, b, c, e = max(
        passages,
        key=lambda p: sum(map(all_.weight, {q for i, q in pairs[0] if p[0] <= i < p[1]} & both)),
        default=[0, 0, 0, 0],
    )
    grams = x.grams(4), y.grams(4)
    outside = {g for i, g in enumerate(grams[0]) if i + 4 <= a or i >= b} & {
        g for j, g in enumerate(grams[1]) if j + 4 <= c or j >= e
    }
    inside = (set(grams[0]) & set(grams[1])) - outside
    elsewhere = {p for i, p in pairs[0] if not a <= i < b} & {
        p for j, p in pairs[1] if not c <= j < e
    }
    longest = run_length = 0
    for gram in grams[0]:
        run_length = run_length + 1 if gram in grams[1] and all_.runs[gram] <= 2 else 0
        longest = max(longest, run_length)
    repeated = [[n for g in set(own) if (n := all_.runs[g]) > 1] for own in grams]
    prior = max((sum(n <= FEW for n in own) + 5) / (len(own) + 10) for own in repeated)
    prior *= max(0.6, all_.few_share)
    alone = min(1, longest / 8) / (1 + sum(map(all_.weight, elsewhere)))
    numbers = [{w for w, is_one in zip(t.words, t.numbers, strict=True) if is_one} for t in (x, y)]
    density = min(sum(t.numbers) / (len(t.words) + 10) for t in (x, y))
    found = [
        math.log1p(max(best_sentence(x, y, all_), best_sentence(y, x, all_))),
        (body + 1) / (mass + 2),
        gaps["slot_rate"],
        (slots + 0.5) / (slots + edits + 1.5),
        (len(numbers[0] & numbers[1]) + 0.5) / (len(numbers[0] | numbers[1]) + 1),
        min(1, density / 0.1),
        0.0,
        max(len(own) / (len(set(g)) + 20) for own, g in zip(repeated, grams, strict=True)),
        (sum(all_.runs[g] <= 2 for g in inside) + 1) / (len(inside) + 3),
        (1 - prior) * (1 - alone),
    ]
    return forward, backward, found

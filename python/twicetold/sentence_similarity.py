"""How alike two sentences are, by many small measures and weights learned from labelled pairs.

No network and no table of meanings: overlaps of words, stems and characters, by idf and in order,
numbers, names, denial, lengths, and fuzzy sets (`twicetold.correlations`). The measures are there
for any learner; `SentenceSimilarity` learns a weight for each, in the kernel.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from twicetold import _kernel
from twicetold.analysis import Analyser, Profile, profile_of
from twicetold.correlations import Correlating, Correlations
from twicetold.errors import FormatError, ParameterError, SourceError
from twicetold.statistics import Statistics

__all__ = ["MEASURES", "Background", "SentenceSimilarity", "learn_similarity", "rows_of"]

#: The names of the measures, in their order.
MEASURES: tuple[str, ...] = tuple(_kernel.pair_measures())

Kind = Literal["ridge", "logistic"]

#: The version of the file format.
FORMAT_VERSION = 1


class Background:
    """What words weigh and which go together, counted in texts that need no labels.

    >>> background = Background(["The dam broke.", "The river rose.", "The dam holds the river."])
    >>> measures = background.measure([("The dam broke.", "A dam broke today.")], language="en")
    >>> measures.shape == (1, len(MEASURES))
    True
    >>> round(measures[0, MEASURES.index("content terms, larger")], 3)
    1.0
    """

    def __init__(
        self,
        texts: Iterable[str] = (),
        *,
        profile: Profile | str = "default",
        correlating: Correlating | None = None,
        language: str | None = None,
        threads: int = 0,
    ) -> None:
        self.profile = profile_of(profile)
        self.statistics = Statistics(self.profile)
        self._analyser = Analyser(self.profile)
        counts = Correlating() if correlating is None else correlating
        batch = list(texts)
        analysed = self._analyser.analyse(batch, languages=[language] * len(batch), threads=threads)
        self.statistics.add(analysed, threads=threads)
        self.correlations: Correlations = counts.count([analysed], threads=threads)

    def measure(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        language: str | None = None,
        threads: int = 0,
    ) -> memoryview[float]:
        """Return a row of measures for each pair of sentences; numpy takes it as an array."""
        if not pairs:
            msg = "there must be at least one pair of sentences to measure"
            raise ParameterError(msg)
        numbers: dict[str, int] = {}
        left, right = (
            [numbers.setdefault(pair[side], len(numbers)) for pair in pairs] for side in (0, 1)
        )
        n = len(pairs)
        found = _kernel.measure_pairs(
            list(numbers),
            struct.pack(f"<{n}I", *left),
            struct.pack(f"<{n}I", *right),
            analyser=self._analyser.native,
            statistics=self.statistics.native,
            correlations=self.correlations,
            language=language,
            threads=threads,
        )
        return memoryview(found).cast("d", shape=[n, len(MEASURES)])


@dataclass(frozen=True, slots=True)
class SentenceSimilarity:
    """Learned weights of the measures.

    ``ridge``     the value is a grade, as in the labels
    ``logistic``  the value is the chance of yes, from 0 to 1
    """

    kind: Kind
    weights: tuple[float, ...]
    bias: float

    def values(self, measures: memoryview[float]) -> list[float]:
        """Return the value of each row of measures."""
        sums = [
            self.bias + sum(w * x for w, x in zip(self.weights, row, strict=True))
            for row in rows_of(measures)
        ]
        return sums if self.kind == "ridge" else [_chance(value) for value in sums]

    def save(self, path: str | Path) -> None:
        """Write the model as JSON."""
        content = {
            "format": "twicetold sentence similarity",
            "format_version": FORMAT_VERSION,
            "kind": self.kind,
            "bias": self.bias,
            "weights": dict(zip(MEASURES, self.weights, strict=True)),
        }
        try:
            Path(path).write_text(json.dumps(content, indent=1) + "\n", "utf-8")
        except OSError as error:
            msg = f"{path}: cannot write the model: {error.strerror or error}"
            raise SourceError(msg) from error

    @classmethod
    def load(cls, path: str | Path) -> SentenceSimilarity:
        """Read a model that `save` wrote; one of other measures is refused."""
        try:
            content = json.loads(Path(path).read_text("utf-8"))
            version, weights = content["format_version"], content["weights"]
            model = cls(content["kind"], tuple(map(float, weights.values())), content["bias"])
        except OSError as error:
            msg = f"{path}: cannot read the model: {error.strerror or error}"
            raise SourceError(msg) from error
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            msg = f"{path}: not a model of sentence similarity; make one with `learn_similarity`"
            raise FormatError(msg) from error
        if version != FORMAT_VERSION or tuple(weights) != MEASURES:
            msg = f"{path}: the model has other measures than this program; learn it anew"
            raise FormatError(msg)
        return model


def rows_of(measures: memoryview[float]) -> list[list[float]]:
    """Return the rows of measures as lists."""
    rows: Any = measures.tolist()
    return cast("list[list[float]]", rows)


def _chance(value: float) -> float:
    return 1 / (1 + math.exp(-value)) if value > 0 else 1 - 1 / (1 + math.exp(value))


def learn_similarity(
    measures: memoryview[float],
    labels: Sequence[float],
    *,
    kind: Kind = "logistic",
    penalty: float = 10.0,
    threads: int = 0,
) -> SentenceSimilarity:
    """Learn what each measure is worth from labelled pairs.

    ``penalty`` times the squared weights (of measures with variance 1) is added to what is made
    small: the more, the less a single measure may be worth.
    """
    if len(measures) != len(labels):
        msg = f"{len(measures)} pairs but {len(labels)} labels; give one for each"
        raise ParameterError(msg)
    column = struct.pack(f"<{len(labels)}d", *labels)
    weights, bias = _kernel.learn_linear(
        measures.tobytes(), column, kind=kind, penalty=penalty, threads=threads
    )
    return SentenceSimilarity(kind, tuple(weights), bias)

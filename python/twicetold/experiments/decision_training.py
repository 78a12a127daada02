"""`train_decision`: the coefficients of the decision, learned from judged collections.

Each judged folder gives two sets of rows: its judged pairs, and pairs planted into its documents. A
logistic regression with fixed signs is fitted to the quantities that the kernel measures; a family
of collections is judged by what was learned from the others.
"""

from __future__ import annotations

import json
import math
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twicetold import _kernel
from twicetold.analysis import PROFILES, Analyser
from twicetold.batches import batch_of, batches
from twicetold.decision import Decision, Regression
from twicetold.evaluation.answers import Answer, is_true, turned
from twicetold.evaluation.judged import read_judged
from twicetold.experiments.decision_planting import plant
from twicetold.records import Document
from twicetold.scanning import Documents
from twicetold.statistics import Statistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

__all__ = ["Row", "fit", "held_out", "main", "rows_of", "train_decision"]

_PROFILE = PROFILES["retelling-scan"]
#: The sign that a coefficient may have; 0: any.
RELATED = (1, 1, 1, 1, 1, -1, -1, -1, 0)
TAKEN = (1, 1, -1, -1, 1, -1, 1, 1, 1, -1)
#: What planted pairs count, by kind; of kinds that are not here nothing is learned.
_RELATED_WEIGHTS: Mapping[str, float] = {
    "copies": 0.2,
    "added words": 0.05,
    "versions": 0.05,
    "corrected": 0.1,
    "table": 0.5,
}
_TAKEN_WEIGHTS: Mapping[str, float] = {
    "quotation": 0.5,
    "edited quotation": 0.5,
    "form": 0.2,
    "forms": 0.2,
    "table": 0.5,
}
_PENALTY = 10.0


@dataclass(frozen=True, slots=True)
class Row:
    """A pair with its answer and what is measured of it."""

    family: str
    answer: Answer
    weight: float
    kind: str | None
    forward: tuple[float, ...]
    backward: tuple[float, ...]
    pair: tuple[float, ...]
    is_equal: bool

    def counts(self, question: str) -> float:
        """Return what the pair counts where this question is learned."""
        if self.is_equal:
            return 0.0
        if self.kind is None:
            return math.log1p(self.weight)
        weights = _RELATED_WEIGHTS if question == "related" else _TAKEN_WEIGHTS
        return math.log1p(weights[self.kind]) if self.kind in weights else 0.0


def rows_of(folder: str | Path, *, alone: bool = False, seed: int = 0) -> Iterator[Row]:
    """Yield the rows of a judged folder and of what is planted into its documents.

    With ``alone`` every pair is measured as if nothing else were known.
    """
    judged = read_judged(folder)
    documents = list(Documents(judged.sources))
    family = Path(folder).name.removeprefix("judged_").partition("_")[0]
    answers = [(p.left, p.right, p.answer, p.weight, p.sure, None) for p in judged.pairs]
    yield from _measured(family, documents, answers, alone=alone)
    planted = plant(documents, seed=seed)
    made = [(p.left, p.right, p.answer, 1.0, True, p.kind) for p in planted.pairs]
    yield from _measured(family, planted.documents, made, alone=alone)


_Answered = tuple[str, str, Answer, float, bool, str | None]


def _measured(
    family: str, documents: Sequence[Document], answers: Sequence[_Answered], *, alone: bool
) -> Iterator[Row]:
    measure = _alone if alone else _together
    pairs = [(left, right) for left, right, *_ in answers]
    found = measure(documents, pairs)
    for (_, _, answer, weight, sure, kind), (own, is_equal) in zip(answers, found, strict=True):
        there, back, both = (tuple(values) for values in own)
        counted = weight if sure else math.sqrt(1 + weight) - 1
        yield Row(family, answer, counted, kind, there, back, both, is_equal)


_Found = tuple[tuple[Sequence[float], Sequence[float], Sequence[float]], bool]


def _together(documents: Sequence[Document], pairs: Sequence[tuple[str, str]]) -> list[_Found]:
    analyser = Analyser(_PROFILE)
    texts, statistics = _kernel.DecisionTexts(), Statistics(_PROFILE)
    places: dict[str, int] = {}
    for batch in batches(documents):
        analysed = analyser.analyse_batch(batch, language=None, spans=True, threads=0)
        texts.add(batch, analysed)
        statistics.add(analysed)
    for document in documents:
        places[document.id] = len(places)
    sides = [array("I", [places[pair[n]] for pair in pairs]).tobytes() for n in (0, 1)]
    return _quantities(texts, sides[0], sides[1], statistics)


def _alone(documents: Sequence[Document], pairs: Sequence[tuple[str, str]]) -> list[_Found]:
    known = {document.id: document for document in documents}
    analyser = Analyser(_PROFILE)
    found = []
    for left, right in pairs:
        batch = batch_of([known[left], known[right]])
        analysed = analyser.analyse_batch(batch, language=None, spans=True, threads=1)
        texts, statistics = _kernel.DecisionTexts(), Statistics(_PROFILE)
        texts.add(batch, analysed)
        statistics.add(analysed, threads=1)
        first, second = (array("I", [n]).tobytes() for n in (0, 1))
        found += _quantities(texts, first, second, statistics)
    return found


def _quantities(
    texts: _kernel.DecisionTexts, left: bytes, right: bytes, statistics: Statistics
) -> list[_Found]:
    forms = texts.count(statistics.native)
    nothing = [dict.fromkeys(names, 0.0) for names in _kernel.DecisionModel.names()]
    model = _kernel.DecisionModel(*((0.0, names, names) for names in nothing))
    judged = texts.judge(left, right, statistics.native, forms, model)
    is_equal = [stage == 0 for stage, *_ in judged.details()]
    return list(zip(judged.quantities(), is_equal, strict=True))


def fit(
    x: Matrix, y: NDArray[np.bool_], weight: Matrix, signs: Sequence[int]
) -> tuple[float, Matrix, Matrix]:
    """Return bias, coefficients and the means that stand for what is not known.

    Logistic regression on standardised quantities, with a penalty on the squares of the
    coefficients; a coefficient of the wrong sign is 0.
    """
    import numpy as np
    from scipy.optimize import minimize

    mean, deviation = np.nanmean(x, 0), np.nanstd(x, 0) + 1e-9
    z = (np.where(np.isnan(x), mean, x) - mean) / deviation
    sign = np.where(y, 1.0, -1.0)
    weight = weight / weight.mean()

    def loss(b: Matrix) -> tuple[float, Matrix]:
        margin = np.clip(sign * (z @ b[1:] + b[0]), -50, 50)
        gradient = -weight * sign / (1 + np.exp(margin))
        value = float(
            (weight * np.logaddexp(0, -margin)).sum() + 0.5 * _PENALTY * (b[1:] ** 2).sum()
        )
        return value, np.concatenate([[gradient.sum()], z.T @ gradient + _PENALTY * b[1:]])

    limits = {1: (0.0, None), -1: (None, 0.0), 0: (None, None)}
    bounds = [(None, None), *(limits[sign] for sign in signs)]
    start = np.zeros(x.shape[1] + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    return float(found[0] - (found[1:] * mean / deviation).sum()), found[1:] / deviation, mean


def _learned(rows: Sequence[Row]) -> tuple[Regression, Regression]:
    import numpy as np

    related_names, taken_names = _kernel.DecisionModel.names()
    sizes = Counter(row.family for row in rows)

    def weights(question: str, own: Sequence[Row]) -> Matrix:
        return np.array([row.counts(question) / math.sqrt(sizes[row.family]) for row in own])

    own = [row for row in rows if row.counts("related")]
    x = np.array([row.forward for row in own] + [row.backward for row in own])
    both = [row.answer for row in own], [turned(row.answer) for row in own]
    y = np.array([answer in ("near-duplicate", "contained") for side in both for answer in side])
    weight = weights("related", own)
    related = fit(x, y, np.concatenate([weight, weight]), RELATED)
    own = [row for row in rows if row.counts("taken")]
    x = np.array([row.pair for row in own])
    y = np.array([is_true("taken", row.answer) for row in own])
    taken = fit(x, y, weights("taken", own), TAKEN)
    return _regression(related_names, *related), _regression(taken_names, *taken)


def _regression(names: Sequence[str], bias: float, weights: Matrix, mean: Matrix) -> Regression:
    def rounded(values: Matrix) -> dict[str, float]:
        return {name: round(float(value), 4) for name, value in zip(names, values, strict=True)}

    return Regression(round(bias, 4), rounded(weights), rounded(mean))


def _probabilities(
    rows: Sequence[Row], learned: tuple[Regression, Regression]
) -> list[tuple[float, float]]:
    """Return the probabilities of related and of taken."""
    related, taken = learned
    found = []
    for row in rows:
        if row.is_equal:
            found.append((1.0, 1.0))
            continue
        sure = max(_sure(related, side) for side in (row.forward, row.backward))
        found.append((sure, max(sure, _sure(taken, row.pair))))
    return found


def _sure(regression: Regression, values: Iterable[float]) -> float:
    total = regression.bias
    for value, (name, weight) in zip(values, regression.weights.items(), strict=True):
        total += weight * (regression.unknown[name] if math.isnan(value) else value)
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, total))))


def held_out(rows: Sequence[Row]) -> dict[str, dict[str, dict[str, float]]]:
    """Return precision, recall and F1 of each family by what was learned from the others."""
    found = {}
    for family in sorted({row.family for row in rows}):
        learned = _learned([row for row in rows if row.family != family])
        own = [row for row in rows if row.family == family and row.kind is None]
        sure = _probabilities(own, learned)
        found[family] = {
            question: _figures(own, [pair[n] for pair in sure], question)
            for n, question in enumerate(("related", "taken"))
        }
    return found


def planted_figures(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Return for each planted kind how many are called related and taken, each family held out."""
    counts: dict[str, list[float]] = {}
    for family in sorted({row.family for row in rows}):
        learned = _learned([row for row in rows if row.family != family])
        own = [row for row in rows if row.family == family and row.kind is not None]
        for row, (related, taken) in zip(own, _probabilities(own, learned), strict=True):
            known = counts.setdefault(str(row.kind), [0.0, 0.0, 0.0])
            known[0] += 1
            known[1] += related >= 0.5  # noqa: PLR2004 - the threshold
            known[2] += taken >= 0.5  # noqa: PLR2004 - the threshold
    return {
        kind: {"pairs": n, "related": round(a / n, 3), "taken": round(b / n, 3)}
        for kind, (n, a, b) in sorted(counts.items())
    }


def _figures(rows: Sequence[Row], sure: Sequence[float], question: str) -> dict[str, float]:
    hits = called = there = 0.0
    for row, probability in zip(rows, sure, strict=True):
        is_one = is_true(question, row.answer)  # type: ignore[arg-type]
        is_called = probability >= 0.5  # noqa: PLR2004 - the threshold
        hits += row.weight * (is_one and is_called)
        called += row.weight * is_called
        there += row.weight * is_one
    precision, recall = (hits / total if total else 0.0 for total in (called, there))
    f1 = 2 * hits / (called + there) if called + there else 0.0
    return {"precision": round(precision, 3), "recall": round(recall, 3), "f1": round(f1, 3)}


def train_decision(
    folders: Sequence[str | Path], *, tell: Callable[[str], None] = lambda _: None
) -> Decision:
    """Return the decision learned from judged folders, with its figures by collection."""
    found, about = {}, {"learned_from": sorted(Path(folder).name for folder in folders)}
    for name in ("collection", "alone"):
        rows: list[Row] = []
        for folder in folders:
            rows += rows_of(folder, alone=name == "alone")
            tell(f"{name}: {folder}: {len(rows):,} pairs so far")
        found[name] = _learned(rows)
        about[name] = {  # type: ignore[assignment]
            "judged": sum(row.kind is None for row in rows),
            "planted": planted_figures(rows),
            "held_out": held_out(rows),
        }
    return Decision(found["collection"], found["alone"], about)


def main(arguments: Sequence[str]) -> None:
    """Learn from the folders that are given, and write the file named last."""
    *folders, path = arguments

    def tell(line: str) -> None:
        sys.stderr.write(f"{line}\n")

    made: dict[str, Any] = train_decision(folders, tell=tell).to_json()
    Path(path).write_text(json.dumps(made, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

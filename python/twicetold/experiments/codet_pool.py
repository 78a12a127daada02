"""C-pool: methods with permissive parameters nominate pairs, judges that err decide about them.

The paper's pool (Varol and others, "CoDet", CIKM 2011, section 4.1): five methods on 5,000
documents nominate 4,727 pairs, of which people find 60.8% to be containments, with a kappa of 0.73.
Here the truth is known, and judges are wrong with a given chance, each on its own; where two of
them differ a third decides, who errs as often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from twicetold.evaluation.agreement import kappa
from twicetold.evaluation.confusion import Decision
from twicetold.evaluation.labels import LabelledSet, unordered
from twicetold.evaluation.permissive import permissive
from twicetold.evaluation.pool import Pool
from twicetold.evaluation.pooling import nominations
from twicetold.experiments.codet_comparison import PAPER
from twicetold.experiments.collection import as_record, write_jsonl
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.planted import truth_of

__all__ = ["Judged", "judge", "pooling"]

PAPER_KAPPA, PAPER_PAIRS, PAPER_SHARE = 0.73, 4727, 0.608
_ERRORS = (0.0, 0.02, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3)


class Judged(NamedTuple):
    """What two judges and an arbiter make of pairs: how far they agree, how often all are wrong."""

    kappa: float | None
    conflicts: int
    wrong: int
    labels: tuple[bool, ...]


def judge(truth: Sequence[bool], error: float, seed: int) -> Judged:
    """Let two judges and an arbiter who each err with that chance decide about pairs."""
    rng = Random(f"judges/{seed}")  # noqa: S311 - nothing secret
    answers = [tuple(is_so ^ (rng.random() < error) for _ in range(3)) for is_so in truth]
    both = [(one, other) for one, other, _ in answers]
    final = tuple(one if one == other else third for one, other, third in answers)
    return Judged(
        kappa(both),
        sum(one != other for one, other in both),
        sum(a != b for a, b in zip(final, truth, strict=True)),
        final,
    )


def pooling(setting: Setting) -> Outcome:
    """Pool the methods of the paper, and judge the pool with more and more error."""
    truth = truth_of(setting)
    pool: Mapping[tuple[str, str], set[str]] = {}
    for _ in setting.steps([0]):
        pool = _nominated([as_record(document) for document in truth.documents()], setting)
    related = related_of(truth.labelled)
    judged = [pair for pair in pool if related(*pair) is not None]
    right = [bool(related(*pair)) for pair in judged]
    rows, kappas = [], []
    for error in _ERRORS:
        found = judge(right, error, setting.seed)
        kappas.append(found.kappa)
        share = sum(found.labels) / len(judged) if judged else None
        measured = [_f1(judged, found.labels, pool, method) for method in PAPER]
        wrong = found.wrong / len(judged) if judged else None
        rows.append((error, found.kappa, found.conflicts, wrong, share, *measured))
    share = sum(right) / len(right) if right else 0.0
    x = tuple(_ERRORS)
    return Outcome(
        name="C-pool",
        title="a pool of five permissive methods, judged by two judges and an arbiter who err",
        columns=(
            "error of a judge",
            "kappa",
            "conflicts",
            "wrong labels",
            "share related",
            *(f"F1 {method}" for method in PAPER),
        ),
        rows=tuple(rows),
        figures=(
            Figure(
                "Agreement of two judges",
                "chance that a judge errs",
                "Cohen's kappa",
                (
                    Series("ours", x, tuple(kappas)),
                    Series("paper", x, (PAPER_KAPPA,) * len(x), from_paper=True),
                ),
            ),
            Figure(
                "F1 of nominations, as the judges see it",
                "chance that a judge errs",
                "F1",
                tuple(
                    Series(method, x, tuple(row[5 + n] for row in rows))
                    for n, method in enumerate(PAPER)
                ),
            ),
        ),
        conclusion=pool_conclusion(len(judged), share, list(zip(_ERRORS, kappas, strict=True))),
        notes=(
            truth.about,
            f"pool: {len(pool):,} pairs, {len(judged):,} with a label, {share:.1%} of them related",
            f"paper: {PAPER_PAIRS:,} pairs, {PAPER_SHARE:.1%} related, kappa {PAPER_KAPPA}",
            "nominated by " + ", ".join(f"{m} {_count(pool, m):,}" for m in PAPER),
        ),
    )


def pool_conclusion(n: int, share: float, found: Sequence[tuple[float, float | None]]) -> str:
    """Say which error of a judge the paper's kappa stands for here."""
    known = [(error, value) for error, value in found if value is not None]
    told = f"{n:,} pairs judged, {share:.1%} related (paper: 60.8%); "
    if not known:
        return f"{told}all alike, so that kappa is not defined"
    error = _where(known, PAPER_KAPPA)
    if error is None:
        return f"{told}no error tried gives the paper's kappa of {PAPER_KAPPA}"
    return (
        f"{told}the paper's kappa of {PAPER_KAPPA} is that of judges who err in {error:.1%} of them"
    )


def _where(points: Sequence[tuple[float, float]], value: float) -> float | None:
    """Return where a falling line through points has a value; None if nowhere."""
    for (x, y), (next_x, next_y) in pairwise(points):
        if y >= value >= next_y and y > next_y:
            return x + (next_x - x) * (y - value) / (y - next_y)
    return None


def _nominated(
    records: Sequence[dict[str, object]], setting: Setting
) -> dict[tuple[str, str], set[str]]:
    """Return the pool: every pair, and the methods that nominated it."""
    with TemporaryDirectory() as folder:
        source = Path(folder) / "documents.jsonl"
        write_jsonl(source, records)
        pool = Pool(
            folder=Path(folder) / "pool",
            sources=[str(source)],
            reading={},
            groups=1,
            seed=0,
            assessors=["first", "second"],
        )
        pairs, _ = nominations(pool, [*map(permissive, PAPER)], threads=setting.threads)
    return {unordered(pair.left, pair.right): set(pair.nominations) for pair in pairs.values()}


class related_of:  # noqa: N801 - used like a function
    """Whether two documents are related by the labels; None where nobody says."""

    def __init__(self, labelled: LabelledSet) -> None:
        self._clusters = labelled.clusters
        self._pairs = {
            unordered(pair.left, pair.right): labelled.is_positive(pair.label)
            for pair in labelled.pairs
        }

    def __call__(self, left: str, right: str) -> bool | None:
        """Look the pair up."""
        if not self._clusters:
            return self._pairs.get(unordered(left, right))
        both = self._clusters.get(left), self._clusters.get(right)
        return None if None in both else both[0] == both[1]


def _f1(
    pairs: Sequence[tuple[str, str]],
    labels: Sequence[bool],
    pool: Mapping[tuple[str, str], set[str]],
    method: str,
) -> float | None:
    """Return the F1 of what a method nominated, within the pool."""
    counts = [0, 0, 0, 0]
    for pair, label in zip(pairs, labels, strict=True):
        counts[(0 if label else 1) if method in pool[pair] else (2 if label else 3)] += 1
    return Decision(0.0, *counts).f1


def _count(pool: Mapping[tuple[str, str], set[str]], method: str) -> int:
    return sum(method in methods for methods in pool.values())

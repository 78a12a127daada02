"""C-time and C-scen: how cost grows with the number of documents.

Varol, Can, Aykanat, Kaya, "CoDet", CIKM 2011: on up to 209,305 documents full fingerprinting grows
faster than the collection, and I-Match and SimHash are faster than CoDet, which comes third. With n
equal documents the tree keeps its c nodes and takes O(n²) time, with n disjoint ones it has n·c
nodes and takes O(n).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from twicetold.detectors.codet import CoDet
from twicetold.experiments.codet_comparison import METHODS, PAPER
from twicetold.experiments.collection import (
    as_record,
    features_of,
    list_lengths,
    take,
    write_jsonl,
)
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.experiments.growth import doublings, exponent
from twicetold.experiments.measured import Measured, measure
from twicetold.experiments.text import resample
from twicetold.experiments.text.spans import pieces, sentences
from twicetold.records import Document
from twicetold.scanning import scan

__all__ = ["scenarios", "times"]

#: A method is stopped, and not tried on more documents, after so many seconds for each document of
#: the largest collection, and not before so many in all.
_PATIENCE, _LEAST = 0.003, 30.0
#: Exponents of a growth that nobody would call faster than the collection.
_LINEAR = 1.15
SIZES = 4
#: Characters of the text that the extremes are made of.
_LENGTH = 2000


def times(setting: Setting) -> Outcome:
    """Measure every method on collections that double in size."""
    base = (as_record(document) for document in take(setting))
    sizes = doublings(setting.documents, SIZES)
    runs = [(method, n) for method in METHODS for n in sizes]
    found: dict[tuple[str, int], Measured] = {}
    stopped: dict[str, int] = {}
    limit = max(_PATIENCE * setting.documents, _LEAST)
    with TemporaryDirectory() as folder:
        files = {n: Path(folder) / f"{n}.jsonl" for n in sizes}
        write_jsonl(files[sizes[-1]], islice(resample.documents(base, setting.seed), sizes[-1]))
        for n in sizes[:-1]:
            _head(files[sizes[-1]], files[n], n)
        for method, n in setting.steps(runs):
            if method not in stopped:
                one = measure(files[n], method, threads=setting.threads, limit=limit)
                if one is None:
                    stopped[method] = n
                else:
                    found[method, n] = one
    growth = {method: _growth(found, method, sizes) for method in METHODS}
    rows = [
        (
            m,
            n,
            one.seconds,
            one.cpu,
            one.peak / 1e6,
            one.touched / n,
            one.pairs,
            growth[m],
            _SHAPES.get(m),
        )
        for (m, n), one in found.items()
    ]
    late = (f"{m} was stopped after {limit:.0f} s at {n:,} documents" for m, n in stopped.items())
    return Outcome(
        name="C-time",
        title="time and memory by the number of documents, resampled from the data",
        columns=(
            "method",
            "documents",
            "seconds",
            "CPU seconds",
            "peak MB",
            "pairs touched per document",
            "pairs found",
            "exponent",
            "paper",
        ),
        rows=tuple(rows),
        figures=(
            _over_sizes("Time", "CPU seconds", sizes, found, lambda one: one.cpu),
            _over_sizes("Peak memory", "MB", sizes, found, lambda one: one.peak / 1e6),
        ),
        conclusion=time_conclusion(
            growth, {m: one.cpu for (m, n), one in found.items() if n == sizes[-1]}
        ),
        notes=(
            "exponent b: CPU seconds grow like documents to the power b, over the sizes measured",
            *late,
        ),
    )


#: What the paper says of its figure 3, which has no numbers in its text.
_SHAPES: Mapping[str, str] = {
    "full-fingerprint": "slowest, faster than linear",
    "codet": "third",
    "imatch": "faster than codet",
    "simhash": "faster than codet",
}


def _growth(
    found: Mapping[tuple[str, int], Measured], method: str, sizes: Sequence[int]
) -> float | None:
    known = [n for n in sizes if (method, n) in found]
    return exponent(known, [found[method, n].cpu for n in known])


def _head(source: Path, target: Path, count: int) -> None:
    with source.open("rb") as lines, target.open("wb") as out:
        out.writelines(islice(lines, count))


def _over_sizes(
    title: str,
    unit: str,
    sizes: Sequence[int],
    found: Mapping[tuple[str, int], Measured],
    value: Any,
) -> Figure:
    series = []
    for method in METHODS:
        known = [n for n in sizes if (method, n) in found]
        y = tuple(value(found[method, n]) for n in known)
        series.append(Series(method, tuple(map(float, known)), y))
    return Figure(
        f"{title} by collection size", "documents", unit, tuple(series), log_x=True, log_y=True
    )


def time_conclusion(growth: Mapping[str, float | None], seconds: Mapping[str, float]) -> str:
    """Say who grows faster than the collection, and hold the order against the paper's."""
    fast = [f"{m} ({b:.2f})" for m, b in growth.items() if b is not None and b > _LINEAR]
    shape = f"faster than linear: {', '.join(fast)}" if fast else "none grows faster than linear"
    order = [method for method in sorted(seconds, key=lambda m: seconds[m]) if method in PAPER]
    ahead = [m for m in ("imatch", "simhash") if _before(order, m, "codet")]
    last = order[-1] if order else None
    return (
        f"{shape} (exponents above {_LINEAR}); of the paper's methods, fastest first: "
        f"{', '.join(order)}; before codet as in the paper: {', '.join(ahead) or 'none'}; "
        f"last as in the paper: {'yes' if last == 'full-fingerprint' else 'no'}"
    )


def _before(order: Sequence[str], one: str, other: str) -> bool:
    return one in order and other in order and order.index(one) < order.index(other)


def scenarios(setting: Setting) -> Outcome:
    """Measure the two extremes: n equal documents, n that share nothing."""
    text = _sample(take(replace(setting, documents=min(setting.documents, 100)), least=1))
    sizes = doublings(setting.documents, SIZES + 1)
    rows = []
    # What is loaded with the first scan is not to count.
    scan(list(_equal(text, 2)), threads=setting.threads)
    for kind, n in setting.steps([(kind, n) for kind in _MADE for n in sizes]):
        documents = list(_MADE[kind](text, n))
        features = features_of(documents, CoDet(), setting.threads, profile="plain")
        lengths = list_lengths(features)
        start = process_time()
        found = scan(documents, profile="plain", threads=setting.threads)
        cpu = process_time() - start
        rows.append(
            (
                kind,
                n,
                cpu,
                len(lengths),
                sum(lengths) / len(lengths),
                sum(k * (k - 1) // 2 for k in lengths),
                found.manifest.counts["similarities computed"],
                len(found),
                _PAPER_COST[kind],
            )
        )
    x = tuple(map(float, sizes))
    series = {kind: [row for row in rows if row[0] == kind] for kind in _MADE}
    return Outcome(
        name="C-scen",
        title="the extremes: n equal documents, and n documents without a common word",
        columns=(
            "documents are",
            "documents",
            "CPU seconds",
            "nodes",
            "mean list",
            "additions in the paper's tree",
            "pairs our join adds up",
            "pairs found",
            "paper: time, nodes",
        ),
        rows=tuple(rows),
        figures=(
            Figure(
                "Time",
                "documents",
                "CPU seconds",
                tuple(Series(k, x, tuple(r[2] for r in rs)) for k, rs in series.items()),
                log_x=True,
                log_y=True,
            ),
            Figure(
                "n equal documents",
                "documents",
                "number",
                (
                    Series("pairs we report", x, tuple(float(r[7]) for r in series["equal"])),
                    Series(
                        "additions in the paper's tree",
                        x,
                        tuple(float(r[5]) for r in series["equal"]),
                        from_paper=True,
                    ),
                ),
                log_x=True,
                log_y=True,
            ),
        ),
        conclusion=scenario_conclusion(series),
        notes=(
            "equal documents are joined once as a group, and each is reported with the earliest",
        ),
    )


_PAPER_COST = {"equal": "O(n²), c", "disjoint": "O(n), n·c"}


def scenario_conclusion(series: Mapping[str, Sequence[Sequence[Any]]]) -> str:
    """Give the exponents of time and nodes in both cases."""
    told = []
    for kind, rows in series.items():
        sizes = [row[1] for row in rows]
        time = exponent(sizes, [row[2] for row in rows]) or 0.0
        nodes = exponent(sizes, [row[3] for row in rows]) or 0.0
        told.append(f"{kind}: time n^{time:.2f}, nodes n^{nodes:.2f}")
    tree = exponent([r[1] for r in series["equal"]], [r[5] for r in series["equal"]])
    return (
        f"{'; '.join(told)}; for equal documents the paper's tree would take n^{tree or 0.0:.2f} "
        "additions, which collapsing them avoids"
    )


def _sample(documents: Sequence[Document]) -> str:
    """Return the beginning of a text with more sentences than most."""
    ordered = sorted(documents, key=lambda document: len(sentences(document.text)))
    return ordered[len(ordered) * 9 // 10].text[:_LENGTH]


def _equal(text: str, n: int) -> Iterator[Document]:
    for number in range(n):
        yield Document(id=f"equal-{number:07}", text=text, language="en")


def _disjoint(text: str, n: int) -> Iterator[Document]:
    """Yield the text with every word made another in each document."""
    parts = pieces(text)
    for number in range(n):
        mark = "".join(chr(ord("a") + int(digit)) for digit in f"{number:07}")
        own = (f"{part}{mark}" if place % 2 else part for place, part in enumerate(parts))
        yield Document(id=f"disjoint-{number:07}", text="".join(own), language="en")


_MADE = {"equal": _equal, "disjoint": _disjoint}

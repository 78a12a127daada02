"""Judged collections: documents, and pairs of them that readers gave one of six answers.

A judged pair stands for ``weight`` pairs of the pool it was drawn from: the size of its stratum
over the number of pairs drawn there. Figures are sums of weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from twicetold.errors import FormatError, ParameterError
from twicetold.evaluation.agreement import kappa
from twicetold.evaluation.answers import ANSWERS, QUESTIONS, RELATED, Answer, is_true, turned
from twicetold.evaluation.labels import LabelledPair, LabelledSet, unordered
from twicetold.evaluation.sets.files import documents_beside, json_lines
from twicetold.records import Document
from twicetold.scanning import Source

__all__ = ["FILE", "JudgedPair", "JudgedSet", "is_judged", "read_judged", "read_labelled"]

#: The file with the judgements of a folder.
FILE = "judgements.jsonl"


class JudgedPair(NamedTuple):
    """Two documents, a reader's answer, and how many pairs of the pool this one stands for.

    ``first`` is what the first reader said where the answer came from an adjudicator, else the
    answer; ``second`` is what a second reader said, None where there was none.
    """

    id: str
    left: str
    right: str
    answer: Answer
    first: Answer
    second: Answer | None = None
    sure: bool = True
    note: str = ""
    stratum: str = ""
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """A judged collection. ``unanswered``: how many pairs of the file have no answer yet."""

    name: str
    sources: tuple[Source | Document, ...]
    pairs: tuple[JudgedPair, ...]
    unanswered: int = 0

    @property
    def ids(self) -> set[str]:
        """The ids of all documents that were judged."""
        return {side for pair in self.pairs for side in (pair.left, pair.right)}

    @property
    def keys(self) -> set[tuple[str, str]]:
        """The judged pairs, in the order of their ids."""
        return {unordered(pair.left, pair.right) for pair in self.pairs}

    def sure(self) -> JudgedSet:
        """Return only the pairs whose readers were sure."""
        pairs = tuple(pair for pair in self.pairs if pair.sure)
        if not pairs:
            msg = f"{self.name}: no reader was sure of any pair; leave out --only-sure"
            raise ParameterError(msg)
        return replace(self, pairs=pairs)

    def answers(self) -> dict[str, tuple[int, float]]:
        """Return how many pairs have each answer, and how many of the pool they stand for."""
        found: dict[str, tuple[int, float]] = {}
        for answer in ANSWERS:
            weights = [pair.weight for pair in self.pairs if pair.answer == answer]
            found[answer] = len(weights), math.fsum(weights)
        return found

    def agreement(self) -> dict[str, Any] | None:
        """Return Cohen's kappa of the two readers; None where there was no second one."""
        both = [(pair.first, pair.second) for pair in self.pairs if pair.second is not None]
        if not both:
            return None
        found: dict[str, Any] = {
            "pairs": len(both),
            "same": sum(one == other for one, other in both),
            "answers": kappa(both),
        }
        for question in QUESTIONS:
            found[question] = kappa(
                (is_true(question, one), is_true(question, other)) for one, other in both
            )
        return found

    def labelled(self) -> LabelledSet:
        """Return the same as labels with directions: whether left is in right, and the reverse.

        Weights do not come with it.
        """
        pairs = []
        for pair in self.pairs:
            for left, right, answer in (
                (pair.left, pair.right, pair.answer),
                (pair.right, pair.left, turned(pair.answer)),
            ):
                is_in = answer in RELATED and answer != "contains"
                pairs.append(LabelledPair(left, right, float(is_in)))
        return LabelledSet(name=self.name, sources=self.sources, pairs=tuple(pairs), directed=True)


def is_judged(path: Path) -> bool:
    """Return whether a folder or file holds judged pairs."""
    if path.is_dir():
        return (path / FILE).is_file()
    if path.suffix != ".jsonl" or not path.is_file():
        return False
    try:
        _, first = next(iter(json_lines(path)), (0, {}))
    except FormatError:
        return False
    return "answer" in first and "left" in first


def read_judged(path: str | Path, *, documents: tuple[Source, ...] = ()) -> JudgedSet:
    """Read a judged collection: a folder with ``judgements.jsonl``, or such a file.

    ``documents`` come instead of those beside the file.

    A line is an object with ``left``, ``right`` and ``answer``; ``weight`` (1), ``sure`` (true),
    ``note``, ``stratum``, ``second`` and ``pair`` can be left out. A pair without an answer is not
    judged yet. It may stand there in either order, but once.
    """
    path = Path(path)
    file = path / FILE if path.is_dir() else path
    pairs: dict[tuple[str, str], JudgedPair] = {}
    lines: dict[tuple[str, str], int] = {}
    unanswered = 0
    for number, line in json_lines(file):
        place = f"{file}:{number}"
        if line.get("answer") in (None, ""):
            unanswered += 1
            continue
        pair = _pair(line, str(number), place)
        key = unordered(pair.left, pair.right)
        if key in pairs:
            what = f"{pair.left!r} and {pair.right!r} were judged in line {lines[key]}; keep one"
            _wrong(place, what)
        pairs[key], lines[key] = pair, number
    if not pairs:
        open_ = f"; {unanswered:,} wait for an answer" if unanswered else ""
        msg = f"{file}: holds no judged pair{open_}"
        raise FormatError(msg)
    sources = documents or documents_beside(file)
    full = file.resolve()
    name = full.parent.name if full.name == FILE else full.stem
    return JudgedSet(name, tuple(sources), tuple(pairs.values()), unanswered)


def read_labelled(path: Path) -> LabelledSet:
    """Read a judged collection as labels: for what learns or sweeps thresholds."""
    return read_judged(path).labelled()


def _pair(line: dict[str, Any], number: str, place: str) -> JudgedPair:
    left, right = (_text(line, side, place) for side in ("left", "right"))
    if left == right:
        _wrong(place, f"left and right are the same document {left!r}")
    answer = _answer(line["answer"], "answer", place)
    weight = line.get("weight", 1.0)
    is_number = isinstance(weight, int | float) and not isinstance(weight, bool)
    if not is_number or not 0 < weight < math.inf:
        _wrong(place, f"weight must be a number above 0, got {weight!r}")
    sure = line.get("sure", True)
    if sure is not None and not isinstance(sure, bool):
        _wrong(place, f"sure must be true or false, got {sure!r}")
    first, second = line.get("first"), line.get("second")
    return JudgedPair(
        id=str(line.get("pair", number)),
        left=left,
        right=right,
        answer=answer,
        first=answer if first is None else _answer(first, "first", place),
        second=None if second is None else _answer(second, "second", place),
        sure=sure is not False,
        note=str(line.get("note") or ""),
        stratum=str(line.get("stratum") or ""),
        weight=float(weight),
    )


def _answer(given: Any, name: str, place: str) -> Answer:
    word = given.strip().lower() if isinstance(given, str) else given
    if word not in ANSWERS:
        _wrong(place, f"{name} must be {', '.join(ANSWERS)} or null, got {given!r}")
    found: Answer = word
    return found


def _text(line: dict[str, Any], name: str, place: str) -> str:
    value = line.get(name)
    if isinstance(value, dict):
        _wrong(place, "is a line of a pool; make a collection of it with `twicetold pool collect`")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        _wrong(place, f"{name} must be the id of a document, got {value!r}")
    return value


def _wrong(place: str, what: str) -> NoReturn:
    msg = f"{place}: {what}"
    raise FormatError(msg)

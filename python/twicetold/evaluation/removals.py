"""Removals that readers judged: what is lost when a collection is deduplicated.

A line of such a file says which document was removed, which one stays for it (``witness``), and
what a reader found: ``safe`` (all particular information stays), ``loses`` (some of it is gone) or
``worse`` (the worse of two texts was kept). `twicetold dedupe --sample` draws them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from twicetold.errors import FormatError
from twicetold.evaluation.agreement import kappa
from twicetold.evaluation.resampling import wilson
from twicetold.evaluation.sets.files import json_lines

__all__ = [
    "REMOVAL_ANSWERS",
    "JudgedRemovals",
    "RemovalAnswer",
    "Share",
    "evaluate_removals",
    "is_removals",
    "removal_lines",
]

RemovalAnswer = Literal["loses", "worse", "safe"]
REMOVAL_ANSWERS: tuple[RemovalAnswer, ...] = get_args(RemovalAnswer)


class Share(NamedTuple):
    """How many removals have an answer, their share of all that were judged, its 95% interval."""

    removals: int
    share: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRemovals:
    """What readers found: the shares of all removals, and of those of each set and reason."""

    name: str
    judged: int
    unanswered: int
    shares: Mapping[RemovalAnswer, Share]
    sets: Mapping[str, Mapping[RemovalAnswer, Share]] = field(default_factory=dict)
    reasons: Mapping[str, Mapping[RemovalAnswer, Share]] = field(default_factory=dict)
    kappa: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return one object of named figures."""
        return {
            "set": self.name,
            "labels": "removals",
            "judged": self.judged,
            "unanswered": self.unanswered,
            "shares": _json(self.shares),
            "sets": {name: _json(shares) for name, shares in self.sets.items()},
            "reasons": {name: _json(shares) for name, shares in self.reasons.items()},
            "kappa": self.kappa,
        }


def _json(shares: Mapping[RemovalAnswer, Share]) -> dict[str, Any]:
    return {
        answer: {"count": own.removals, "share": own.share, "interval": list(own.interval)}
        for answer, own in shares.items()
    }


def is_removals(path: Path) -> bool:
    """Return whether a file holds removals for judging."""
    if path.suffix != ".jsonl" or not path.is_file():
        return False
    try:
        _, first = next(iter(json_lines(path)), (0, {}))
    except FormatError:
        return False
    return "removed" in first and "answer" in first


def evaluate_removals(path: str | Path) -> JudgedRemovals:
    """Return what share of judged removals loses something, with 95% intervals (Wilson's).

    A line without an answer is not judged yet.
    """
    path = Path(path)
    rows: list[dict[str, Any]] = []
    unanswered = 0
    for number, line in json_lines(path):
        if line.get("answer") in (None, ""):
            unanswered += 1
            continue
        for name in ("answer", "second"):
            if line.get(name) is not None:
                line[name] = _answer(line[name], f"{path}:{number}", name)
        rows.append(line)
    if not rows:
        msg = f"{path}: holds no judged removal; answer {', '.join(REMOVAL_ANSWERS)} in its lines"
        raise FormatError(msg)
    both = [(row["answer"], row["second"]) for row in rows if row.get("second") is not None]
    return JudgedRemovals(
        name=path.stem,
        judged=len(rows),
        unanswered=unanswered,
        shares=_shares(rows),
        sets=_by(rows, "set"),
        reasons=_by(rows, "reason"),
        kappa=kappa(both) if both else None,
    )


def _answer(given: Any, place: str, name: str) -> RemovalAnswer:
    word = given.strip().lower() if isinstance(given, str) else given
    if word not in REMOVAL_ANSWERS:
        msg = f"{place}: {name} must be {', '.join(REMOVAL_ANSWERS)} or null, got {given!r}"
        raise FormatError(msg)
    found: RemovalAnswer = word
    return found


def _by(rows: Sequence[Mapping[str, Any]], name: str) -> dict[str, Mapping[RemovalAnswer, Share]]:
    """Return the shares by a field, where it has several values."""
    values = sorted({str(row[name]) for row in rows if row.get(name)})
    if len(values) < 2:  # noqa: PLR2004 - one is the whole
        return {}
    return {value: _shares([r for r in rows if str(r.get(name)) == value]) for value in values}


def _shares(rows: Sequence[Mapping[str, Any]]) -> dict[RemovalAnswer, Share]:
    counts = Counter(row["answer"] for row in rows)
    return {
        answer: Share(
            counts[answer],
            counts[answer] / len(rows),
            wilson(counts[answer] / len(rows), len(rows)),
        )
        for answer in REMOVAL_ANSWERS
    }


def removal_lines(found: JudgedRemovals) -> Iterator[str]:
    """Yield the shares for people."""
    waiting = f", {found.unanswered:,} without an answer" if found.unanswered else ""
    yield f"{found.name}: {found.judged:,} removals judged{waiting}"
    yield ""
    every = {"all": found.shares, **found.sets, **found.reasons}
    width = max(map(len, every))
    for name, shares in every.items():
        cells = (
            f"{answer} {own.removals:>3,} {own.share:4.0%} [{own.interval[0]:.0%} "
            f"{own.interval[1]:.0%}]".ljust(26)
            for answer, own in shares.items()
        )
        yield f"{name:<{width}}  {'  '.join(cells)}".rstrip()
    yield ""
    if found.kappa is not None:
        yield f"kappa of the second reader: {found.kappa:.3f}"
    yield "[ ] 95% interval"

"""Judgement files: a line a pair with a place for the answer, and what the answers say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from twicetold.errors import FormatError
from twicetold.evaluation.agreement import kappa
from twicetold.evaluation.answers import ANSWERS, Answer, is_true
from twicetold.evaluation.pool import ADJUDICATOR, Nominated, Pool, write_lines
from twicetold.records import Document, Problem

__all__ = [
    "Judgements",
    "add_lines",
    "listed",
    "question",
    "read_judgements",
]


@dataclass(slots=True)
class Judgements:
    """The answers of everybody, by pair, and what is wrong with the files."""

    pool: Pool
    answers: dict[str, dict[str, Answer]] = field(default_factory=dict)
    #: The lines with an answer, by assessor and pair.
    rows: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def both(self, pair: str) -> tuple[Answer, Answer] | None:
        """Return the answers of the two assessors; None unless both have answered."""
        first, second = (self.answers[name].get(pair) for name in self.pool.assessors)
        return (first, second) if first is not None and second is not None else None

    def conflicts(self, pairs: Iterable[str]) -> list[str]:
        """Return those of some pairs that the two assessors judge differently."""
        return [pair for pair in pairs if (both := self.both(pair)) and both[0] != both[1]]

    def final(self, pair: str) -> Answer | None:
        """Return what holds: what both say, else what the adjudicator says; None if open."""
        both = self.both(pair)
        if both is None:
            return None
        return both[0] if both[0] == both[1] else self.answers[ADJUDICATOR].get(pair)

    def conflict(self, pair: str) -> dict[str, Any]:
        """Return the line in which the adjudicator is asked about a pair, with both answers."""
        names = self.pool.assessors
        lines = {name: self.rows[name][pair] for name in names}
        return {
            **lines[names[0]],
            "assessor": ADJUDICATOR,
            "answer": None,
            "sure": True,
            "note": "",
            "answers": {name: self.answers[name][pair] for name in names},
            "notes": {name: line.get("note", "") for name, line in lines.items()},
        }

    def status(self) -> dict[str, Any]:
        """Return how far the judging is and how far the assessors agree, in all and by group.

        ``kappa`` is of "related or not", as the paper judges, ``kappa_taken`` of "taken or not";
        ``kappa_of_answers`` of all six.
        """
        by_group: dict[int, list[str]] = {n: [] for n in range(1, self.pool.groups + 1)}
        for pair in self.pool.pairs.values():
            by_group[pair.group].append(pair.id)
        groups = [{"group": n, **self._status(pairs)} for n, pairs in by_group.items() if pairs]
        known = [group["kappa"] for group in groups if group["kappa"] is not None]
        nominated = {
            method: sum(method in pair.nominations for pair in self.pool.pairs.values())
            for method in self.pool.methods
        }
        return {
            "documents": self.pool.documents,
            **self._status(list(self.pool.pairs)),
            "mean_kappa_of_groups": sum(known) / len(known) if known else None,
            "nominated": nominated,
            "groups": groups,
            "problems": [str(problem) for problem in self.problems],
        }

    def _status(self, pairs: list[str]) -> dict[str, Any]:
        both = [answers for pair in pairs if (answers := self.both(pair))]
        final = [answer for pair in pairs if (answer := self.final(pair))]
        judged = {name: sum(p in self.answers[name] for p in pairs) for name in self.answers}
        differ = [pair for pair in self.conflicts(pairs) if self.final(pair) is None]
        return {
            "pairs": len(pairs),
            "judged": judged,
            "judged_by_both": len(both),
            "agreed": sum(one == other for one, other in both),
            "conflicts": sum(one != other for one, other in both),
            "open_conflicts": len(differ),
            "decided": len(final),
            "related": sum(is_true("related", answer) for answer in final),
            "taken": sum(is_true("taken", answer) for answer in final),
            "kappa": kappa((is_true("related", a), is_true("related", b)) for a, b in both),
            "kappa_taken": kappa((is_true("taken", a), is_true("taken", b)) for a, b in both),
            "kappa_of_answers": kappa(both),
        }


def read_judgements(pool: Pool) -> Judgements:
    """Read every judgement file; what cannot be understood is a problem, with its line."""
    found = Judgements(pool)
    for assessor in (*pool.assessors, ADJUDICATOR):
        found.answers[assessor], found.rows[assessor] = {}, {}
        for group in range(1, pool.groups + 1):
            file = pool.judgement_file(assessor, group)
            if file.is_file():
                _read_file(file, found, assessor)
    return found


def _read_file(file: Path, found: Judgements, assessor: str) -> None:
    answers, twice = found.answers[assessor], set()
    for number, line in enumerate(file.read_bytes().split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            row, answer = _judgement(line, found.pool.pairs)
        except ValueError as error:
            found.problems.append(Problem(str(file), number, "bad judgement", str(error)))
            continue
        pair = row["pair"]
        if answer is None:
            continue
        found.rows[assessor][pair] = row
        if answers.setdefault(pair, answer) != answer:
            twice.add(pair)
            detail = f"pair {pair} is answered twice, {answers[pair]} and {answer}; keep one"
            found.problems.append(Problem(str(file), number, "bad judgement", detail))
    # Who answers twice and differently has not decided.
    for pair in twice:
        del answers[pair]


def _judgement(line: bytes, pairs: Mapping[str, Nominated]) -> tuple[dict[str, Any], Answer | None]:
    """Return a line and its answer; None if there is none yet."""
    import orjson

    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        msg = f"not JSON: {error.msg}"
        raise ValueError(msg) from error
    if not isinstance(row, dict) or row.get("pair") not in pairs:
        msg = f"no such pair in the pool: {row.get('pair') if isinstance(row, dict) else row!r}"
        raise ValueError(msg)
    answer = row.get("answer")
    if answer is None or answer == "":
        return row, None
    word = answer.strip().lower() if isinstance(answer, str) else answer
    if word not in ANSWERS:
        msg = f"an answer must be {', '.join(ANSWERS)} or null, got {answer!r}"
        raise ValueError(msg)
    return row, word


def listed(file: Path, content: bytes | None = None) -> set[str]:
    """Return the pairs that have a line in a judgement file.

    A line that cannot be read is an error: the pair it is about might get a second line.
    """
    import orjson

    if content is None:
        content = file.read_bytes() if file.is_file() else b""
    known = set()
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            try:
                known.add(orjson.loads(line)["pair"])
            except (orjson.JSONDecodeError, KeyError, TypeError) as error:
                msg = f"{file}:{number}: not a judgement: {error!r}; mend the line first"
                raise FormatError(msg) from error
    return known


def add_lines(file: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Add a line for each pair that has none in the file yet; what stands there is not touched.

    Returns how many were added.
    """
    content = file.read_bytes() if file.is_file() else b""
    known = listed(file, content)
    new = [row for row in rows if row["pair"] not in known]
    if new:
        write_lines(file, new, after=content)
    return len(new)


def question(pair: Nominated, assessor: str, shown: Mapping[str, Document]) -> dict[str, Any]:
    """Return the line in which an assessor is asked about a pair.

    Who nominated the pair is not said: it would sway the answer.
    """
    return {
        "pair": pair.id,
        "group": pair.group,
        "assessor": assessor,
        "left": _asked(shown[pair.left]),
        "right": _asked(shown[pair.right]),
        "answer": None,
        "sure": True,
        "note": "",
    }


def _asked(document: Document) -> dict[str, Any]:
    """Return what an assessor is given of a document: what is known of it, and all its text."""
    known = {
        "id": document.id,
        "title": document.title,
        "url": document.url,
        "source": document.source,
        "published": document.published and document.published.isoformat(),
        "language": document.language,
    }
    found = {name: value for name, value in known.items() if value is not None}
    return {**found, "text": document.text, "characters": len(document.text)}

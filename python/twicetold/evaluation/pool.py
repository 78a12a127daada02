"""A pool on disk: what was asked for, and every nominated pair with who nominated it.

::

    pool.json                      sources, methods and parameters, groups, assessors, strata
    pairs.jsonl                    a line a pair: its id, group, documents and nominations
    RUBRIC.md                      how to answer
    reading/07.html                the texts of group 7, beside each other
    judgements/ASSESSOR/07.jsonl   a line a pair of group 7, with a place for the answer
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from twicetold.errors import FormatError, ParameterError, SourceError
from twicetold.evaluation.sets.files import json_lines
from twicetold.reports.files import replacing

__all__ = ["ADJUDICATOR", "Nominated", "Pool", "pair_id", "write_lines"]

_FORMAT = 1
#: Who decides where the assessors differ.
ADJUDICATOR = "adjudicator"


def pair_id(left: str, right: str) -> str:
    """Return the id of a pair: the same in every pool, and whichever document is named first.

    >>> pair_id("wire-101", "wire-102") == pair_id("wire-102", "wire-101")
    True
    """
    names = "\0".join(sorted((left, right)))
    return hashlib.blake2b(names.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


@dataclass(slots=True)
class Nominated:
    """A pair, the group it is judged in, and the scores of those who nominated it."""

    id: str
    group: int
    left: str
    right: str
    nominations: dict[str, dict[str, float]] = field(default_factory=dict)
    #: What the pair was drawn from, where not all pairs are judged.
    stratum: str = ""
    #: What those who nominated it say. Not written: it is needed for strata only.
    relations: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the pair as it is written."""
        return {
            "pair": self.id,
            "group": self.group,
            "left": self.left,
            "right": self.right,
            "nominations": self.nominations,
            **({"stratum": self.stratum} if self.stratum else {}),
        }


@dataclass(slots=True, kw_only=True)
class Pool:
    """What a pool is made of. ``save`` writes it; judgements are files of their own."""

    folder: Path
    sources: list[str]
    reading: dict[str, Any]
    groups: int
    seed: int
    assessors: list[str]
    #: What the documents were, so that nobody judges others by mistake.
    fingerprint: str = ""
    documents: int = 0
    #: The parameters each method nominated with, one time after the other.
    methods: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    #: Where only a sample is judged: how many pairs each stratum has, and how many were drawn.
    strata: dict[str, dict[str, int]] = field(default_factory=dict)
    pairs: dict[str, Nominated] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.groups < 1:
            msg = f"groups must be at least 1, got {self.groups}"
            raise ParameterError(msg)
        names = [*self.assessors, ADJUDICATOR]
        if len(self.assessors) != 2 or len(set(names)) != len(names):  # noqa: PLR2004
            msg = f"it takes two assessors beside the {ADJUDICATOR}, got {self.assessors}"
            raise ParameterError(msg)
        for name in self.assessors:
            if not name or Path(name).name != name:
                msg = f"the name of an assessor must be one of a folder, got {name!r}"
                raise ParameterError(msg)

    @classmethod
    def exists(cls, folder: Path) -> bool:
        """Return whether there is a pool in a folder."""
        return (folder / "pool.json").is_file()

    @classmethod
    def load(cls, folder: str | Path) -> Pool:
        """Read a pool."""
        folder = Path(folder)
        file = folder / "pool.json"
        if not file.is_file():
            msg = (
                f"{folder}: holds no pool; make one with `twicetold pool nominate {folder} SOURCES`"
            )
            raise SourceError(msg)
        try:
            known = json.loads(file.read_text("utf-8"))
            version = known.pop("format")
            pool = cls(folder=folder, **known)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            msg = f"{file}: is not the file of a pool, or damaged; take it from a copy"
            raise FormatError(msg) from error
        if version != _FORMAT:
            msg = f"{file}: has the format {version!r}, and this program knows {_FORMAT}"
            raise FormatError(msg)
        pool.pairs = dict(_read_pairs(folder / "pairs.jsonl"))
        return pool

    def save(self) -> None:
        """Write what was asked for, and the pairs; each file takes its name when it is complete."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_lines(self.folder / "pairs.jsonl", (pair.to_json() for pair in self.pairs.values()))
        about = {
            "format": _FORMAT,
            "sources": self.sources,
            "reading": self.reading,
            "groups": self.groups,
            "seed": self.seed,
            "assessors": self.assessors,
            "fingerprint": self.fingerprint,
            "documents": self.documents,
            "methods": self.methods,
            **({"strata": self.strata} if self.strata else {}),
        }
        with _written(self.folder / "pool.json") as out:
            out.write(json.dumps(about, ensure_ascii=False, indent=2).encode() + b"\n")

    def judgement_file(self, assessor: str, group: int) -> Path:
        """Return the file with the judgements of an assessor about a group."""
        return self.folder / "judgements" / assessor / f"{self._number(group)}.jsonl"

    def reading_file(self, group: int) -> Path:
        """Return the page with the texts of a group."""
        return self.folder / "reading" / f"{self._number(group)}.html"

    @property
    def rubric_file(self) -> Path:
        """The page that says how to answer."""
        return self.folder / "RUBRIC.md"

    def _number(self, group: int) -> str:
        width = max(len(str(self.groups)), 2)
        return f"{group:0{width}}"


def _read_pairs(file: Path) -> Iterator[tuple[str, Nominated]]:
    if not file.is_file():
        return
    for number, line in json_lines(file):
        try:
            pair = Nominated(
                line["pair"],
                line["group"],
                line["left"],
                line["right"],
                line["nominations"],
                line.get("stratum", ""),
            )
        except KeyError as error:
            msg = f"{file}:{number}: a nominated pair must have {error}"
            raise FormatError(msg) from error
        yield pair.id, pair


@contextmanager
def _written(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that is complete or as it was; say of a disk that fails just that."""
    try:
        with replacing(path) as out:
            yield out
    except SourceError as error:
        if isinstance(cause := error.__cause__, OSError):
            raise OSError(cause.errno, cause.strerror, str(path)) from error
        raise


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]], *, after: bytes = b"") -> None:
    """Write JSON Lines after what stands there already; the file is complete or as it was."""
    import orjson

    path.parent.mkdir(parents=True, exist_ok=True)
    with _written(path) as out:
        out.write(after if not after or after.endswith(b"\n") else after + b"\n")
        for row in rows:
            out.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))

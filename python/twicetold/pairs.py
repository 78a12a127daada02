"""The result of a scan: scored pairs, with the manifest of how they came about."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import eq
from typing import TYPE_CHECKING, Any, overload

from twicetold import _kernel
from twicetold.passage_rows import PassageRows
from twicetold.records import RELATIONS, Pair, Passage, Problem, Relation

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "COLUMNS",
    "CONTENT_COLUMNS",
    "PROBABILITY_COLUMNS",
    "Manifest",
    "Pairs",
    "pairs_schema",
    "passages_type",
]

#: The columns of a table of pairs.
COLUMNS = (
    "left",
    "right",
    "relation",
    "left_in_right",
    "right_in_left",
    "resemblance",
    "odds",
    "score",
    "earlier",
)

#: Further columns, where a detector tells how much of the content of each document the other has.
CONTENT_COLUMNS = ("left_content_in_right", "right_content_in_left")

#: Further columns, where a decision gives probabilities; ``probability`` is the larger direction.
PROBABILITY_COLUMNS = (
    "probability",
    "left_in_right_probability",
    "right_in_left_probability",
    "taken",
)

#: How many pairs become Python objects at a time, and how many a batch of Arrow.
_STEP, _PART = 10_000, 1_000_000
#: How many pairs become lines at a time: while some are written, the next are made.
_LINES = 4_000
#: What stands for no pair in particular.
_ANY = object()


def passages_type(*, placed: bool = False) -> pa.DataType:
    """Return the Arrow type of the column ``passages``, which a table of pairs may have beside.

    ``placed``: with where in pages the passages are.
    """
    import pyarrow as pa

    span = pa.list_(pa.uint32(), 2)
    fields = {"left": span, "right": span, "score": pa.float64(), "type": pa.string()}
    if placed:
        place = pa.struct({"node": pa.uint32(), "role": pa.string(), "path": pa.string()})
        fields |= {"left_place": place, "right_place": place}
    return pa.list_(pa.struct(fields))


def pairs_schema() -> pa.Schema:
    """Return the Arrow schema of pairs, the same at every border."""
    import pyarrow as pa

    texts = ("left", "right", "relation", "earlier")
    return pa.schema(
        [
            pa.field(
                name,
                pa.string() if name in texts else pa.float64(),
                nullable=name == "earlier",
            )
            for name in COLUMNS
        ]
    )


@dataclass(slots=True)
class Manifest:
    """What was run on what, and what came of it: enough to repeat a run and to trust it."""

    versions: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    #: How often each kind of problem with the input came up, skipped or not.
    problems: dict[str, int] = field(default_factory=dict)
    #: The first problems in full.
    examples: list[Problem] = field(default_factory=list)
    #: Seconds each stage took.
    seconds: dict[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the manifest as it is written."""
        return {
            "versions": self.versions,
            "parameters": self.parameters,
            "counts": self.counts,
            "problems": self.problems,
            "examples": [str(problem) for problem in self.examples],
            "seconds": {stage: round(seconds, 3) for stage, seconds in self.seconds.items()},
        }


class Pairs(Sequence[Pair]):
    """Scored pairs, in the order of their left and right documents.

    A sequence of `Pair` records, made when they are asked for: a slice is `Pairs` again, equal ones
    have the same records, whatever their manifests say, and all can be pickled. ``table`` is the
    same as Arrow, with columns of content and of passages where they are known.

    >>> pairs = Pairs.of(
    ...     [
    ...         Pair("a", "b", "identical", 1, 1, 1, 100),
    ...         Pair("a", "c", "contained", 1, 0.5, 0.5, 1),
    ...     ],
    ...     Manifest(),
    ... )
    >>> pairs[1:], pairs[-1].right, pairs[:1] == pairs, pairs[:] == pairs
    (<Pairs: 1 (1 contained)>, 'c', False, True)
    """

    def __init__(
        self,
        rows: _kernel.ScoredPairs,
        manifest: Manifest,
        passages: Sequence[tuple[Passage, ...]] | None = None,
        content: tuple[Sequence[float], Sequence[float]] | None = None,
        forms: Pairs | None = None,
    ) -> None:
        self._rows = rows
        self._forms = forms
        self._passages = passages
        self._content = content
        self._place: Callable[[Pair], tuple[Passage, ...]] | None = None
        self.manifest = manifest

    @classmethod
    def of(cls, pairs: Iterable[Pair], manifest: Manifest) -> Pairs:
        """Return pairs made by hand."""
        names = [name for name in COLUMNS if name != "score"]
        pairs = list(pairs)
        rows = [(*(getattr(pair, name) for name in names), _probabilities(pair)) for pair in pairs]
        passages = [pair.passages for pair in pairs]
        columns = [[getattr(pair, name) for pair in pairs] for name in CONTENT_COLUMNS]
        is_known = bool(pairs) and all(share is not None for column in columns for share in column)
        return cls(
            _kernel.ScoredPairs.of(rows),
            manifest,
            passages if any(passages) else None,
            (columns[0], columns[1]) if is_known else None,
        )

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Pair]:
        for start in range(0, len(self), _STEP):
            yield from self._some(start, start + _STEP)

    @overload
    def __getitem__(self, at: int) -> Pair: ...
    @overload
    def __getitem__(self, at: slice) -> Pairs: ...

    def __getitem__(self, at: int | slice) -> Pair | Pairs:
        """Return one pair by its place, or some as `Pairs` with the same manifest and forms."""
        rows = range(len(self))[at]
        if isinstance(rows, int):
            return next(self._some(rows, rows + 1))
        return self._taken(rows)

    def _taken(self, rows: range) -> Pairs:
        """Return the pairs in these places."""
        some = None if self._passages is None else [self._passages[at] for at in rows]
        shares = self._content
        mine, theirs = shares if shares is not None else ((), ())
        content = None if shares is None else ([mine[n] for n in rows], [theirs[n] for n in rows])
        picked = self._rows.picked(list(rows))
        found = Pairs(picked, self.manifest, some, content, self._forms)
        found._place = self._place
        return found

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        made = self._passages
        if self._place is not None:
            made = [pair.passages for pair in self]
        elif made is not None and not isinstance(made, PassageRows):
            made = list(made)
        shares = self._content
        content = None if shares is None else (list(shares[0]), list(shares[1]))
        rows = self._rows.rows(0, len(self)), self._rows.masses()
        known = (self.manifest, made, content, self._forms)
        return _restored, (*rows, known, self._place is not None)

    def json_lines(self) -> Iterator[bytes]:
        """Yield the pairs as lines of JSON, as every command prints them, many at a time."""
        made = self._passages
        if self._place is not None or not (made is None or isinstance(made, PassageRows)):
            import orjson

            for pair in self:
                yield orjson.dumps(pair.to_json(), option=orjson.OPT_APPEND_NEWLINE)
            return
        shares = self._content
        content = None if shares is None else [array("d", column).tobytes() for column in shares]
        passages = None if made is None else made.columns()
        lines = _kernel.JsonLines(self._rows, content=content, passages=passages)
        for start in range(0, len(self), _LINES):
            yield lines.some(start, start + _LINES)

    def plain(self) -> Iterator[Pair]:
        """Yield the pairs without their passages, which take time to make."""
        return iter(self if self._passages is None else Pairs(self._rows, self.manifest))

    @property
    def forms(self) -> Pairs:
        """The pairs that are the same form with other facts, which are not among these."""
        if self._forms is None:
            self._forms = Pairs(_kernel.ScoredPairs.of([]), self.manifest)
        return self._forms

    @property
    def has_probabilities(self) -> bool:
        """Whether pairs come with probabilities."""
        return self._rows.has_probabilities

    @property
    def has_passages(self) -> bool:
        """Whether pairs come with their passages."""
        return self._passages is not None

    def _some(self, start: int, end: int) -> Iterator[Pair]:
        rows = self._rows.rows(start, end)
        for number, row in enumerate(rows):
            left, right, relation, there, back, resemblance, odds, earlier, probabilities = row
            at = start + number
            passages = () if self._passages is None else self._passages[at]
            mine, theirs = (None, None) if self._content is None else (c[at] for c in self._content)
            shares = (there, back, resemblance, odds, mine, theirs)
            sure_there, sure_back, taken = probabilities or (None, None, None)
            sure = (sure_there, sure_back, taken)
            pair = Pair(left, right, relation, *shares, passages, *sure, earlier)
            yield pair if self._place is None else replace(pair, passages=self._place(pair))

    @cached_property
    def table(self) -> pa.Table:
        """The pairs as an Arrow table."""
        import pyarrow as pa

        schema = pairs_schema()
        steps = range(0, len(self), _PART)
        parts = [_batch(self._rows.columns(start, start + _PART), schema) for start in steps]
        table = pa.Table.from_batches(parts, schema=schema)
        for name, shares in zip(CONTENT_COLUMNS, self._content or (), strict=False):
            table = table.append_column(name, pa.array(shares, pa.float64()))
        if (column := self._rows.probabilities()) is not None:
            there, back, taken = _columns(column, 3)
            both = (_larger(there, back), there, back, taken)
            for name, values in zip(PROBABILITY_COLUMNS, both, strict=True):
                table = table.append_column(name, values)
        if self._passages is None:
            return table
        rows = [[passage.to_json() for passage in pair.passages] for pair in self]
        kind = passages_type(placed=self._place is not None)
        return table.append_column("passages", pa.array(rows, kind))

    def placed(self, place: Callable[[Pair], tuple[Passage, ...]]) -> None:
        """Let the passages of each pair say where in web pages they are; ``place`` knows."""
        self._place = place

    def __repr__(self) -> str:
        relations = ", ".join(f"{n} {relation}" for relation, n in self.count().items())
        return f"<Pairs: {len(self)} ({relations or 'none'})>"

    @overload
    def count(self) -> dict[Relation, int]: ...
    @overload
    def count(self, value: Any) -> int: ...

    def count(self, value: Any = _ANY) -> dict[Relation, int] | int:
        """Return how many pairs have each relation, the most frequent first.

        With a pair: how often that comes, as of every sequence.
        """
        if value is not _ANY:
            return super().count(value)
        return dict(sorted(self._rows.count(), key=lambda row: (-row[1], row[0])))

    def best(self, n: int) -> list[Pair]:
        """Return the n best pairs; equally good ones in the order of the ids.

        Where there are probabilities, the best ones are those from which most was taken; else those
        with the highest scores.
        """
        return [self[at] for at in self._rows.best(n)]


def _probabilities(pair: Pair) -> tuple[float, float, float] | None:
    there, back = pair.left_in_right_probability, pair.right_in_left_probability
    return (
        None if there is None or back is None or pair.taken is None else (there, back, pair.taken)
    )


def _columns(content: bytes, n: int) -> list[pa.Array]:
    """Return rows of n numbers as n columns."""
    import pyarrow as pa

    numbers = memoryview(content).cast("d")
    return [pa.array(numbers[at::n].tolist(), pa.float64()) for at in range(n)]


def _larger(left: pa.Array, right: pa.Array) -> pa.Array:
    """Return the larger of two numbers, row by row."""
    import pyarrow.compute as pc

    return pc.max_element_wise(left, right)


def _restored(rows: list[Any], masses: bytes, known: tuple[Any, ...], is_placed: bool) -> Pairs:
    """Return pairs that were pickled."""
    pairs = Pairs(_kernel.ScoredPairs.of(rows, masses=masses), *known)
    if is_placed:
        pairs.placed(_passages_of)
    return pairs


def _passages_of(pair: Pair) -> tuple[Passage, ...]:
    """Return the passages of a pair, which say already where they are."""
    return pair.passages


def _batch(
    columns: tuple[list[bytes], bytes, list[bytes], bytes], schema: pa.Schema
) -> pa.RecordBatch:
    """Return some pairs, whose columns are laid out as Arrow has them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts, relations, numbers, earlier = columns
    n = len(relations)

    def of(kind: pa.DataType, *contents: bytes) -> pa.Array:
        return pa.Array.from_buffers(kind, n, [None, *map(pa.py_buffer, contents)])

    ids = [of(pa.string(), *texts[at : at + 2]) for at in (0, 2)]
    named = pa.array(RELATIONS, pa.string()).take(of(pa.uint8(), relations))
    scores = [of(pa.float64(), column) for column in numbers]
    score = pc.max_element_wise(*scores[:2])
    sides = pa.array(["left", "right", None], pa.string()).take(of(pa.uint8(), earlier))
    return pa.RecordBatch.from_arrays([*ids, named, *scores, score, sides], schema=schema)

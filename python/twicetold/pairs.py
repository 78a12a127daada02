"""The result of a scan: scored pairs, with the manifest of how they came about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from twicetold.records import Pair, Passage, Problem, Relation, Span

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Manifest", "Pairs", "pairs_schema", "passages_type"]


def passages_type() -> pa.DataType:
    """Return the Arrow type of the column ``passages``, which a table of pairs may have beside."""
    import pyarrow as pa

    span = pa.list_(pa.uint32(), 2)
    fields = {"left": span, "right": span, "score": pa.float64(), "type": pa.string()}
    return pa.list_(pa.struct(fields))


def pairs_schema() -> pa.Schema:
    """Return the Arrow schema of pairs, the same at every border."""
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("left", pa.string(), nullable=False),
            pa.field("right", pa.string(), nullable=False),
            pa.field("relation", pa.string(), nullable=False),
            pa.field("left_in_right", pa.float64(), nullable=False),
            pa.field("right_in_left", pa.float64(), nullable=False),
            pa.field("resemblance", pa.float64(), nullable=False),
            pa.field("odds", pa.float64(), nullable=False),
            pa.field("score", pa.float64(), nullable=False),
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


class Pairs:
    """Scored pairs, in the order of their left and right documents.

    Iterating gives `Pair` records; ``table`` is the same as Arrow, with a column ``passages`` where
    they were asked for.
    """

    def __init__(self, table: pa.Table, manifest: Manifest) -> None:
        self.table = table
        self.manifest = manifest

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def __iter__(self) -> Iterator[Pair]:
        for batch in self.table.to_batches(max_chunksize=10_000):
            for row in batch.to_pylist():
                yield Pair(
                    left=row["left"],
                    right=row["right"],
                    relation=row["relation"],
                    left_in_right=row["left_in_right"],
                    right_in_left=row["right_in_left"],
                    resemblance=row["resemblance"],
                    odds=row["odds"],
                    passages=tuple(map(_passage, row.get("passages", ()))),
                )

    def __repr__(self) -> str:
        relations = ", ".join(f"{n} {relation}" for relation, n in self.count().items())
        return f"<Pairs: {len(self)} ({relations or 'none'})>"

    def count(self) -> dict[Relation, int]:
        """Return how many pairs have each relation, the most frequent first."""
        counts = self.table.column("relation").value_counts().to_pylist()
        ordered = sorted(counts, key=lambda row: (-row["counts"], row["values"]))
        return {row["values"]: row["counts"] for row in ordered}

    def best(self, n: int) -> list[Pair]:
        """Return the n pairs with the highest scores; equal scores in the order of the ids."""
        import pyarrow.compute as pc

        keys = [("score", "descending"), ("left", "ascending"), ("right", "ascending")]
        order = pc.sort_indices(self.table, sort_keys=keys)[:n]
        return list(Pairs(self.table.take(order), self.manifest))


def _passage(row: dict[str, Any]) -> Passage:
    return Passage(Span(*row["left"]), Span(*row["right"]), row["score"], row["type"])

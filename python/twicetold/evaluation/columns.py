"""Columns of numbers, made so that a thousand resamples are quick.

Arrow looks for NumPy whenever it is handed numbers of Python; bytes and its own scalars it takes as
they are.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["constant", "floats", "steps", "total"]


def floats(values: Iterable[float]) -> pa.Array:
    """Return numbers as a column."""
    import pyarrow as pa

    content = array("d", values)
    return pa.Array.from_buffers(pa.float64(), len(content), [None, pa.py_buffer(content)])


@cache
def constant(value: float) -> Any:
    """Return a number as Arrow takes it."""
    import pyarrow as pa

    return pa.scalar(value, pa.float64())


def total(values: Any) -> float:
    """Return the sum of a column; that of nothing is 0."""
    import pyarrow.compute as pc

    return pc.sum(values).as_py() or 0.0


def steps(sums: pa.Array) -> tuple[Any, Any]:
    """Return running sums before and after each step."""
    import pyarrow as pa

    before = pa.concat_arrays([floats([0.0]), sums])
    return before.slice(0, len(sums)), sums

"""What a stored model must be before it decides, wherever it was kept."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from twicetold import _kernel
from twicetold.learning.model import FORMAT_VERSION
from twicetold.learning.svm import Boundary

__all__ = ["checked", "finite", "other_version", "share"]


def other_version(whole: Mapping[str, Any]) -> tuple[str, Any, int] | None:
    """Return the version of a model that is not ours, by name, and what ours is; None: all are."""
    known = {"format_version": FORMAT_VERSION, "hash_version": _kernel.HASH_VERSION}
    for name, version in known.items():
        if whole.get(name) != version:
            return name.replace("_", " "), whole.get(name), version
    return None


def checked(found: Boundary, size: int) -> Boundary:
    """Return the boundary; `ValueError` for one that is not between vectors of so many numbers."""
    rows = found.support or (found.weights,)
    if any(len(row) != size for row in (found.mean, found.scale, *rows)):
        msg = f"its vectors do not have {size} similarities"
        raise ValueError(msg)
    if found.support and len(found.support) != len(found.weights):
        msg = "it lacks weights of support vectors"
        raise ValueError(msg)
    for row in (*rows, found.mean, found.scale, found.weights, (found.intercept,)):
        for value in row:
            finite(value)
    return found


def finite(value: Any) -> float:
    """Return a number; `ValueError` for what is none to compute with."""
    if not math.isfinite(value):
        msg = f"{value!r} is not a number to compute with"
        raise ValueError(msg)
    return float(value)


def share(value: Any) -> float:
    """Return a number from 0 to 1; `ValueError` for another one."""
    if not 0 <= value <= 1:
        msg = f"{value!r} is not from 0 to 1"
        raise ValueError(msg)
    return float(value)

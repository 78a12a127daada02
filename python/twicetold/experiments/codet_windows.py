"""C-win: a stream with a window of time: what has to be kept, and which pairs are lost.

The paper drops documents older than a window from the tree and gives no figures.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from twicetold.detectors.codet import CoDet
from twicetold.errors import ParameterError
from twicetold.experiments.collection import features_of, keys_by_document, take
from twicetold.experiments.frame import Figure, Outcome, Series, Setting
from twicetold.scanning import scan

__all__ = ["Kept", "largest_tree", "windows"]

_WINDOWS: dict[str, timedelta | None] = {
    "1 hour": timedelta(hours=1),
    "6 hours": timedelta(hours=6),
    "1 day": timedelta(days=1),
    "3 days": timedelta(days=3),
    "7 days": timedelta(days=7),
    "30 days": timedelta(days=30),
    "90 days": timedelta(days=90),
    "all": None,
}


class Kept(NamedTuple):
    """The most that a stream holds at a time."""

    documents: int
    nodes: int
    entries: int


def largest_tree(
    times: Sequence[datetime], keys: Sequence[Sequence[int]], window: timedelta | None
) -> Kept:
    """Return the most documents, nodes and list entries of a tree that forgets the old.

    ``times`` must be in order.
    """
    alive: deque[int] = deque()
    nodes: Counter[int] = Counter()
    entries = 0
    most = Kept(0, 0, 0)
    for number, time in enumerate(times):
        while window is not None and alive and time - times[alive[0]] > window:
            old = alive.popleft()
            entries -= len(keys[old])
            for key in keys[old]:
                nodes[key] -= 1
                if not nodes[key]:
                    del nodes[key]
        alive.append(number)
        nodes.update(keys[number])
        entries += len(keys[number])
        now = Kept(len(alive), len(nodes), entries)
        most = Kept(*map(max, zip(most, now, strict=True)))
    return most


def windows(setting: Setting) -> Outcome:
    """Scan with wider and wider windows."""
    dated = [(d.published, d) for d in take(setting) if d.published is not None]
    if len(dated) < 2:  # noqa: PLR2004 - a pair
        msg = "C-win needs documents with times; this collection has none"
        raise ParameterError(msg)
    dated.sort(key=lambda each: (each[0], each[1].id))
    documents, times = [d for _, d in dated], [time for time, _ in dated]
    keys = list(keys_by_document(features_of(documents, CoDet(), setting.threads)))
    whole = len(scan(documents, all_pairs=True, threads=setting.threads))
    rows: list[tuple[str, int, int, int, int, float | None]] = []
    for name, window in setting.steps(list(_WINDOWS.items()), "windows"):
        kept = largest_tree(times, keys, window)
        found = len(scan(documents, window=window, all_pairs=True, threads=setting.threads))
        rows.append((name, *kept, found, found / whole if whole else None))
    x = tuple(_WINDOWS)
    return Outcome(
        name="C-win",
        title="CoDet over a stream with a window: largest tree, and pairs found",
        columns=("window", "most documents", "most nodes", "most entries", "pairs", "of all pairs"),
        rows=tuple(rows),
        figures=(
            Figure(
                "Largest tree by window",
                "window",
                "nodes",
                (Series("nodes", x, tuple(float(row[2]) for row in rows)),),
            ),
            Figure(
                "Pairs found by window",
                "window",
                "share of the pairs without a window",
                (Series("pairs", x, tuple(row[5] for row in rows)),),
            ),
        ),
        conclusion=window_conclusion(rows),
        notes=(
            f"{len(documents):,} dated documents from {times[0]:%Y-%m-%d} to {times[-1]:%Y-%m-%d}",
            f"{whole:,} pairs without a window, at the threshold 0.5",
            "the paper mentions the window and gives no figures",
        ),
    )


def window_conclusion(rows: Sequence[tuple[str, int, int, int, int, float | None]]) -> str:
    """Name the smallest window that keeps nine pairs of ten, and what it saves."""
    whole = rows[-1]
    if whole[5] is None:
        return "no pairs even without a window"
    name, _, nodes, _, _, share = next(row for row in rows if (row[5] or 0.0) >= 0.9)  # noqa: PLR2004
    if name == whole[0]:
        return "no window keeps 90% of the pairs: reuse is as far apart as the collection is long"
    return (
        f"a window of {name} keeps {share:.0%} of the pairs with a tree of at most "
        f"{nodes / whole[2]:.0%} of all nodes: its size is bounded by the window, not by the stream"
    )

"""Which documents stay: each of the others is held by one that does.

A document x is *held* by y if enough of x is in y. What is kept is a kernel of that relation:

* nothing is dropped that no kept document holds;
* nothing is kept that another kept document holds.

Documents are decided one after the other. One that is held by others, but does not hold them, waits
until these are decided; of those that need not wait the one that ranks best comes first. It is kept
unless one that is kept holds it. Only where documents hold each other in a ring, each the next but
none the one before, may one too many be kept: some rings have no kernel.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from heapq import heapify, heappop, heappush

__all__ = ["survivors"]

Holders = Mapping[int, Collection[int]]


def survivors(
    ranks: Sequence[int], holders: Holders, *, fixed: Sequence[bool] | None = None
) -> list[bool]:
    """Return for each document whether it is kept.

    ``ranks`` has the place of each in the order of preference, ``holders`` those that hold a
    document. What is ``fixed`` is kept whoever holds it.

    >>> survivors([0, 1, 2], {0: [1], 1: [2]})
    [True, False, True]
    """
    kept: list[bool | None] = [True if is_fixed else None for is_fixed in fixed or ()]
    kept = kept or [None] * len(ranks)
    waits, releases = _one_way(holders, kept)
    by_rank = sorted((n for n in range(len(ranks)) if kept[n] is None), key=ranks.__getitem__)
    ready = [(ranks[n], n) for n in by_rank if not waits.get(n)]
    heapify(ready)
    first = 0
    while True:
        while ready:
            _, n = heappop(ready)
            if kept[n] is not None:
                continue
            kept[n] = not any(kept[holder] for holder in holders.get(n, ()))
            for waiting in releases.get(n, ()):
                waits[waiting].discard(n)
                if not waits[waiting]:
                    heappush(ready, (ranks[waiting], waiting))
        while first < len(by_rank) and kept[by_rank[first]] is not None:
            first += 1
        if first == len(by_rank):
            return [bool(is_kept) for is_kept in kept]
        n = _of_a_ring(by_rank[first], waits, ranks)
        heappush(ready, (ranks[n], n))


def _one_way(
    holders: Holders, kept: Sequence[bool | None]
) -> tuple[dict[int, set[int]], dict[int, list[int]]]:
    """Return for whom each document waits, and whom each lets go on."""
    waits: dict[int, set[int]] = {}
    releases: dict[int, list[int]] = {}
    for n, found in holders.items():
        for holder in found:
            if kept[n] is None and kept[holder] is None and n not in holders.get(holder, ()):
                waits.setdefault(n, set()).add(holder)
                releases.setdefault(holder, []).append(n)
    return waits, releases


def _of_a_ring(start: int, waits: Mapping[int, set[int]], ranks: Sequence[int]) -> int:
    """Return the best of a ring of documents that wait for each other."""
    path: dict[int, None] = {}
    while start not in path:
        path[start] = None
        start = min(waits[start], key=ranks.__getitem__)
    steps = list(path)
    return min(steps[steps.index(start) :], key=ranks.__getitem__)

"""What a page of pairs is given: documents, pairs, clusters and mosaics as columns of numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from twicetold.clusters import Cluster
from twicetold.mosaics import Mosaic
from twicetold.records import RELATIONS, Document, Pair, is_before
from twicetold.reports.page import shown
from twicetold.reports.printable import shorten

__all__ = [
    "BRIDGES",
    "MEMBERS",
    "PARTS",
    "About",
    "Origin",
    "about",
    "cluster_row",
    "document_columns",
    "mosaic_row",
    "pair_columns",
    "source_columns",
    "source_of",
]

#: Of a cluster so many documents and bridges are on the page; of a mosaic so many parts and tiles.
MEMBERS, BRIDGES, PARTS, _TILES = 200, 20, 12, 200
#: Pairs are counted between so many sources, those with most pairs.
_SOURCES = 40
_LONGEST_TITLE = 160
#: Shares that are added up may miss the whole by so much.
_ROUNDING = 1e-6


class About(NamedTuple):
    """What is known of a document beside its text."""

    title: str = ""
    source: str = ""
    published: datetime | None = None


class Origin(NamedTuple):
    """Which source a document is from, and when it was published."""

    source: str = ""
    published: datetime | None = None


def source_of(document: Document) -> str:
    """Return where a document comes from: its source, the host of its address, its folder, or ''.

    >>> source_of(Document(id="gazette/fire.html", text=""))
    'gazette'
    """
    if document.source:
        return document.source
    try:
        host = urlsplit(document.url or "").hostname
    except ValueError:
        host = None
    folder, slash, _ = document.id.partition("/")
    return host or (folder if slash else "")


def about(document: Document) -> About:
    """Return what is shown of a document beside its text."""
    title = shorten(" ".join((document.title or "").split()), _LONGEST_TITLE)
    return About(title, source_of(document), document.published)


def document_columns(
    numbers: dict[str, int],
    known: dict[str, About],
    clusters: Sequence[Cluster],
    sources: dict[str, int],
) -> dict[str, list[Any]]:
    """Return columns: a source is its number in ``sources``, a time is in seconds."""
    of = {name: n for n, one in enumerate(clusters) for name in one.documents}
    rows = [known.get(name, About()) for name in numbers]
    return {
        "id": [shown(name) for name in numbers],
        "title": [shown(row.title) for row in rows],
        "source": [_number(row.source, sources) for row in rows],
        "time": [None if row.published is None else _seconds(row.published) for row in rows],
        "cluster": [of.get(name, -1) for name in numbers],
    }


def _number(source: str, sources: dict[str, int]) -> int:
    return sources.setdefault(shown(source), len(sources))


def _seconds(time: datetime) -> float:
    return time.timestamp() if time.microsecond else int(time.timestamp())


def source_columns(
    pairs: Iterable[Pair], origins: Mapping[str, Origin], sources: dict[str, int]
) -> dict[str, Any]:
    """Return how many pairs there are between sources, and how many sources are left out.

    ``cells`` has five numbers for each: the sources of left and right, the relation, whether left
    is known to be earlier, and how many pairs there are. ``outside`` has the last three for
    pairs of a source that is left out.
    """
    cells: Counter[tuple[str, str, int, bool]] = Counter()
    sizes: Counter[str] = Counter()
    nothing = Origin()
    for pair in pairs:
        left, right = origins.get(pair.left, nothing), origins.get(pair.right, nothing)
        is_directed = is_before(left.published, right.published)
        cells[left.source, right.source, RELATIONS.index(pair.relation), is_directed] += 1
        sizes.update({left.source, right.source})
    ranked = sorted(sizes, key=lambda source: (-sizes[source], source))
    kept = set(ranked[:_SOURCES])
    outside: Counter[tuple[int, bool]] = Counter()
    flat: list[int] = []
    for (left_source, right_source, relation, is_directed), n in cells.items():
        if left_source in kept and right_source in kept:
            ends = (_number(left_source, sources), _number(right_source, sources))
            flat += [*ends, relation, int(is_directed), n]
        else:
            outside[relation, is_directed] += n
    return {
        "cells": flat,
        "outside": [number for key, n in outside.items() for number in (*map(int, key), n)],
        "more": len(ranked) - len(kept),
        "pairs": sum(cells.values()),
    }


def pair_columns(
    chosen: Sequence[Pair], numbers: dict[str, int], known: Mapping[str, About]
) -> dict[str, list[int]]:
    """Return columns: documents and relations by number, shares in thousandths.

    ``directed`` says whether left is known to be earlier. Shares of content are there where a
    method has them.
    """
    times = {name: row.published for name, row in known.items()}
    columns = {
        "left": [numbers[pair.left] for pair in chosen],
        "right": [numbers[pair.right] for pair in chosen],
        "relation": [RELATIONS.index(pair.relation) for pair in chosen],
        "there": [_thousandths(pair.left_in_right) for pair in chosen],
        "back": [_thousandths(pair.right_in_left) for pair in chosen],
        "passages": [len(pair.passages) for pair in chosen],
        "directed": [
            int(is_before(times.get(pair.left), times.get(pair.right))) for pair in chosen
        ],
    }
    if any(pair.left_content_in_right is not None for pair in chosen):
        columns["content"] = [_thousandths(pair.left_content_in_right or 0.0) for pair in chosen]
        columns["contentBack"] = [
            _thousandths(pair.right_content_in_left or 0.0) for pair in chosen
        ]
    return columns


def _thousandths(share: float) -> int:
    """Return a share in thousandths; only what is everything is all, only nothing is nothing."""
    if share in {0.0, 1.0}:
        return round(share * 1000)
    return min(max(round(share * 1000), 1), 999)


def cluster_row(
    cluster: Cluster, chosen: Sequence[Pair], numbers: dict[str, int]
) -> dict[str, Any]:
    """Return a cluster by the numbers of its documents and pairs, as far as they are shown."""

    def place(pair: Pair) -> int:
        return bisect_left(
            chosen, (-pair.score, pair.left, pair.right), key=lambda p: (-p.score, p.left, p.right)
        )

    return {
        "documents": [numbers[name] for name in cluster.documents[:MEMBERS]],
        "size": len(cluster.documents),
        "pairs": cluster.pairs,
        "apart": cluster.apart,
        "worst": place(cluster.worst),
        "bridges": [
            [place(bridge.pair), bridge.left_side, bridge.right_side]
            for bridge in cluster.bridges[:BRIDGES]
        ],
        "more": max(len(cluster.bridges) - BRIDGES, 0),
    }


def mosaic_row(mosaic: Mosaic, numbers: dict[str, int]) -> dict[str, Any]:
    """Return parts of four numbers (document, thousandths, stretches, kind) and tiles of two.

    A tile is the part it belongs to, and its length in thousandths of the text.
    """
    parts = [part for part in mosaic.parts[:PARTS] if part.document is not None]
    places = {(part.document, part.is_boilerplate): n for n, part in enumerate(parts)}
    whole = mosaic.tiles[-1].span.end - mosaic.tiles[0].span.start
    tiles = [
        number
        for tile in mosaic.tiles[:_TILES]
        for number in (
            places.get((tile.document, tile.is_boilerplate), -1 if tile.document is None else -2),
            round((tile.span.end - tile.span.start) / whole * 1000),
        )
    ]
    others = 1 - sum(part.share for part in parts) - mosaic.new
    return {
        "document": numbers[mosaic.document],
        "parts": [
            [
                numbers[part.document or ""],
                _thousandths(min(part.share, 1.0)),
                part.stretches,
                int(part.is_boilerplate) + 2 * int(not part.is_earlier),
            ]
            for part in parts
        ],
        "new": _thousandths(min(mosaic.new, 1.0)),
        "others": _thousandths(others) if others > _ROUNDING else 0,
        "tiles": tiles,
    }

"""The pairs of a scan as one page: clusters, pairs, graph, sources and mosaics, with filters."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from twicetold.clusters import Cluster, find_clusters
from twicetold.mosaics import Mosaic, Mosaics
from twicetold.pairs import Pairs
from twicetold.records import RELATIONS, Document, Pair
from twicetold.reports.files import check_page, replacing
from twicetold.reports.page import render, shown
from twicetold.reports.printable import shorten
from twicetold.reports.scan_columns import (
    BRIDGES,
    MEMBERS,
    PARTS,
    About,
    Origin,
    about,
    cluster_row,
    document_columns,
    mosaic_row,
    pair_columns,
    source_columns,
    source_of,
)
from twicetold.reports.scan_texts import Texts
from twicetold.reports.words import count_of

__all__ = ["MOST_CHARACTERS", "MOST_PAIRS", "scan_page", "write_scan_page"]

#: A page lists so many pairs, the best ones and those that clusters hang on.
MOST_PAIRS = 20_000
#: A page holds so much text of documents, to read what pairs have in common.
MOST_CHARACTERS = 8_000_000
#: So many clusters and mosaics, the largest and the most mixed ones.
_CLUSTERS, _MOSAICS = 2_000, 3_000


def write_scan_page(
    pairs: Pairs,
    documents: Iterable[Document],
    path: str | Path,
    /,
    *,
    clusters: Sequence[Cluster] | None = None,
    most_pairs: int = MOST_PAIRS,
    most_characters: int = MOST_CHARACTERS,
) -> None:
    """Write the page to a file, which appears when it is complete."""
    check_page(path)
    page = scan_page(
        pairs,
        documents,
        clusters=clusters,
        most_pairs=most_pairs,
        most_characters=most_characters,
    )
    with replacing(path) as file:
        file.write(page)


def scan_page(
    pairs: Pairs,
    documents: Iterable[Document],
    *,
    clusters: Sequence[Cluster] | None = None,
    most_pairs: int = MOST_PAIRS,
    most_characters: int = MOST_CHARACTERS,
) -> bytes:
    """Return the page, as bytes in UTF-8.

    ``documents`` are those that were scanned; they are read once, and what is not shown is not
    kept. ``clusters`` None: they are found here. ``most_pairs`` and ``most_characters`` bound the
    page, which says what it leaves out.
    """
    clusters = find_clusters(pairs) if clusters is None else clusters
    chosen = _chosen(pairs, clusters, most_pairs)
    texts = Texts(
        chosen,
        _text_order(chosen, clusters),
        characters=most_characters,
        expected=None if pairs.has_passages else _mean_size(pairs),
    )
    numbers = _numbers(chosen, clusters)
    mosaics = Mosaics(pairs, only=numbers)
    known: dict[str, About] = {}
    origins: dict[str, Origin | None] = dict.fromkeys(
        name for pair in pairs.plain() for name in (pair.left, pair.right)
    )
    for document in documents:
        if document.id in origins:
            origins[document.id] = Origin(source_of(document), document.published)
        if document.id in numbers or document.id in mosaics.givers:
            known[document.id] = about(document)
            texts.see(document)
            mosaics.see(document)
    found = sorted(mosaics, key=_interest)
    for mosaic in found[:_MOSAICS]:
        for part in mosaic.parts[:PARTS]:
            if part.document is not None:
                numbers.setdefault(part.document, len(numbers))
    sources = {"": 0}
    origin_of = {name: origin for name, origin in origins.items() if origin is not None}
    data = {
        "documents": document_columns(numbers, known, clusters[:_CLUSTERS], sources),
        "counted": source_columns(
            chosen if len(chosen) == len(pairs) else pairs.plain(), origin_of, sources
        ),
        "sources": list(sources),
        "pairs": pair_columns(chosen, numbers, known),
        "clusters": [cluster_row(cluster, chosen, numbers) for cluster in clusters[:_CLUSTERS]],
        "mosaics": [mosaic_row(mosaic, numbers) for mosaic in found[:_MOSAICS]],
        "relations": RELATIONS,
        "compare": _compare(pairs),
        "likely": "model" in pairs.manifest.parameters,
    }
    told = texts.to_json(numbers)
    return render(
        "scan",
        data,
        scripts=("board", "scan_data", "scan_lists", "scan_reading", "scan_graph", "scan_sources"),
        more={"texts": told},
        title=_title(pairs),
        heading=_heading(pairs),
        figures=_figures(pairs, clusters),
        method=_method(pairs),
        shares=_SHARES["model" in pairs.manifest.parameters],
        notes=list(_notes(pairs, chosen, clusters, found, told)),
        has_passages=pairs.has_passages,
    )


def _mean_size(pairs: Pairs) -> int:
    """Return how long a document is on average, where that is known."""
    counts = pairs.manifest.counts
    return counts.get("characters", 4_000) // max(counts.get("documents", 1), 1)


def _chosen(pairs: Pairs, clusters: Sequence[Cluster], most: int) -> list[Pair]:
    """Return the pairs of the page in their order: the best, and what clusters hang on."""
    best = pairs.best(most)
    have = {(pair.left, pair.right) for pair in best}
    for cluster in clusters[:_CLUSTERS]:
        for pair in (cluster.worst, *(bridge.pair for bridge in cluster.bridges[:BRIDGES])):
            if (pair.left, pair.right) not in have:
                have.add((pair.left, pair.right))
                best.append(pair)
    return sorted(best, key=lambda pair: (-pair.score, pair.left, pair.right))


def _text_order(chosen: Sequence[Pair], clusters: Sequence[Cluster]) -> Iterator[int]:
    """Yield the pairs in the order in which they get text.

    What clusters hang on comes first, then pairs of each relation in turn, the best first, so that
    all kinds can be looked at.
    """
    places = {(pair.left, pair.right): n for n, pair in enumerate(chosen)}
    done = set()
    for cluster in clusters[:_CLUSTERS]:
        for pair in (cluster.worst, *(bridge.pair for bridge in cluster.bridges[:BRIDGES])):
            done.add(places[pair.left, pair.right])
    yield from sorted(done)
    turns: Counter[str] = Counter()
    ranked = []
    for number, pair in enumerate(chosen):
        turns[pair.relation] += 1
        ranked.append((turns[pair.relation], number))
    yield from (number for _, number in sorted(ranked) if number not in done)


def _numbers(chosen: Sequence[Pair], clusters: Sequence[Cluster]) -> dict[str, int]:
    """Return a number for each document of the page."""
    numbers: dict[str, int] = {}
    for pair in chosen:
        for name in (pair.left, pair.right):
            numbers.setdefault(name, len(numbers))
    for cluster in clusters[:_CLUSTERS]:
        for name in cluster.documents[:MEMBERS]:
            numbers.setdefault(name, len(numbers))
    return numbers


def _interest(mosaic: Mosaic) -> tuple[float, float, str]:
    """Sort first what was put together from several documents, then what is least new."""
    taken = [part.share for part in mosaic.parts if part.document and not part.is_boilerplate]
    mixed = sum(share >= 0.05 for share in taken)  # noqa: PLR2004 - what is worth telling
    return -min(mixed, 3), mosaic.new, mosaic.document


def _compare(pairs: Pairs) -> str:
    """Return the end of a command that shows a pair in full; '' where nobody can know it."""
    sources = pairs.manifest.parameters.get("sources")
    # Two collections that are read as one may have other ids.
    if not sources or "-" in sources or "against" in pairs.manifest.parameters:
        return ""
    return shown(f"--in {' --in '.join(shlex.quote(source) for source in sources)}")


def _title(pairs: Pairs) -> str:
    parameters = pairs.manifest.parameters
    names = [shorten(source, 48) for source in (parameters.get("sources") or [])[:3]]
    names += [f"against {shorten(other, 48)}" for other in (parameters.get("against") or [])[:3]]
    return shown(", ".join(["Scan", *names]))


def _heading(pairs: Pairs) -> str:
    documents = pairs.manifest.counts.get("documents", 0)
    among = f" among {count_of(documents, 'document')}" if documents else ""
    return f"{count_of(len(pairs), 'pair') if len(pairs) else 'No pairs'}{among}"


def _figures(pairs: Pairs, clusters: Sequence[Cluster]) -> list[dict[str, str]]:
    bridges = sum(len(cluster.bridges) for cluster in clusters)
    counts = pairs.count()
    rows = [(f"{counts[name]:,}", str(name)) for name in RELATIONS if name in counts]
    rows.append((f"{len(clusters):,}", "clusters"))
    if clusters:
        rows.append((f"{len(clusters[0].documents):,}", "documents in the largest"))
        rows.append((f"{bridges:,}", "bridges"))
    return [{"value": value, "name": name} for value, name in rows]


#: What percents say, without a model and with one.
_SHARES = (
    "Shares say how much of a document is in the other",
    "Percents say how likely it is that a document is in the other",
)


def _method(pairs: Pairs) -> str:
    parameters = pairs.manifest.parameters
    method = parameters.get("method", "hand")
    threshold = parameters.get("threshold")
    what = "related from a probability of" if "model" in parameters else "contained from"
    contained = "" if threshold is None else f"; {what} {threshold:.3g} on"
    window = parameters.get("window")
    return f"by {method}{contained}{f'; within {window}' if window else ''}."


def _notes(
    pairs: Pairs,
    chosen: Sequence[Pair],
    clusters: Sequence[Cluster],
    found: Sequence[Mosaic],
    told: dict[str, Any],
) -> Iterator[str]:
    """Say what the page leaves out, and where to find it."""
    if len(chosen) < len(pairs):
        yield (
            f"{len(pairs) - len(chosen):,} weaker pairs are not on this page; all are in the file "
            "written with -o."
        )
    if len(clusters) > _CLUSTERS:
        yield f"{len(clusters) - _CLUSTERS:,} smaller clusters are not on this page."
    if len(found) > _MOSAICS:
        yield f"{len(found) - _MOSAICS:,} mosaics are not on this page."
    without = len(chosen) - len(told["passages"])
    if without:
        yield (
            f"The texts of {count_of(without, 'pair')} are not on this page, which would be too "
            "large; each names the command that shows them."
        )
    if len(pairs) and not pairs.has_passages:
        yield (
            "The method compares whole documents and gives no passages: those shown were aligned "
            "for this page, in the beginnings of both texts, and there are no mosaics."
        )

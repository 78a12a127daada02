"""Documents that are named by their ids, picked out of a collection while it is counted."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from twicetold.analysis import Profile
from twicetold.counting import build_statistics
from twicetold.documents import DocumentsLike, one_document
from twicetold.errors import ParameterError
from twicetold.html.boilerplate import Blocks, Boilerplate, BoilerplateCounts
from twicetold.pipeline import Detector
from twicetold.records import Document, quoted
from twicetold.scanning import READING, Documents
from twicetold.statistics import Statistics

__all__ = ["OPTIONS", "Picked", "pick"]

#: The options of `build_statistics` that are handed on.
OPTIONS = (
    *READING,
    "keep_boilerplate",
    "report",
    "progress",
    "threads",
    "max_key_documents",
    "origin",
)


class Picked(NamedTuple):
    """Documents, the statistics to take, and what their sites repeat, which is left out."""

    documents: list[Document]
    statistics: Statistics | None
    boilerplate: Boilerplate


def pick(
    given: Sequence[Document | str],
    sources: DocumentsLike | None,
    *,
    detector: Detector | None,
    profile: Profile | str | None,
    statistics: Statistics | None,
    language: str | None,
    reading: dict[str, Any],
) -> Picked:
    """Return the documents, those named by id from the sources, and the statistics to take.

    Statistics that are not given are those of the sources, if there are any and a detector wants
    some; what sites repeat on their pages is learned from the sources either way. ``reading`` are
    options of `OPTIONS`.
    """
    kept: dict[str, Document] = {}
    boilerplate = Boilerplate()
    if sources is not None:
        every = _keep(sources, {side for side in given if isinstance(side, str)}, kept, reading)
        if statistics is None and detector is not None:
            statistics = build_statistics(
                every, method=detector, profile=profile, language=language, **reading
            )
        else:
            boilerplate = _learned(every)
    if statistics is not None:
        boilerplate = statistics.boilerplate
    if reading.get("keep_boilerplate"):
        boilerplate = Boilerplate()
    documents = []
    for side in given:
        if not isinstance(side, str):
            documents.append(one_document(side, "a comparison"))
            continue
        document = kept.get(side)
        if document is None:
            where = " in the sources"
            if sources is None:
                where = "; give its sources, or a Document for a text"
            msg = f"no document with the id {quoted(side)}{where}"
            raise ParameterError(msg)
        documents.append(document)
    return Picked(documents, statistics, boilerplate)


def _learned(documents: Iterable[Document]) -> Boilerplate:
    """Return what the sites of documents repeat on their pages."""
    counts = BoilerplateCounts()
    for document in documents:
        if document.html is not None and document.source:
            counts.add(document.source, Blocks.of(document.html))
    return counts.learned()


def _keep(
    sources: DocumentsLike,
    wanted: Container[str],
    kept: dict[str, Document],
    reading: dict[str, Any],
) -> Iterator[Document]:
    """Yield all documents, and keep those that are wanted."""
    options = {name: reading[name] for name in READING if name in reading}
    for document in Documents(sources, reading.get("report"), **options):
        if document.id in wanted:
            kept[document.id] = document
        yield document

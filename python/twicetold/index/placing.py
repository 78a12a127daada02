"""Where in web pages the passages of pairs are, of pages that are not kept themselves."""

from __future__ import annotations

import contextlib
import json
import zlib
from collections.abc import Iterable, Sequence
from itertools import chain

from twicetold.html.places import Places
from twicetold.index.database import Database
from twicetold.pairs import Pairs
from twicetold.records import Document

__all__ = ["Known", "going", "place"]

#: Ids of documents that were pages, and what is written of each beside its text.
Known = Sequence[tuple[str, str]]


def going(database: Database, ids: Sequence[str]) -> Known:
    """Return what is known of pages that are about to be let go of, of documents with these ids."""
    return list(database.pages_of(ids)) if ids and database.get("pages") else []


def place(
    database: Database,
    pairs: Pairs,
    *,
    beside: Iterable[Document] = (),
    known: Known = (),
    is_committed: bool = True,
) -> None:
    """Let passages say where in pages they are.

    ``beside`` are documents that are not kept, ``known`` is of those let go of. Where all others
    are committed, a damaged row is an error; what is being added is not lost because of one.
    """
    pages = [document for document in beside if document.html is not None]
    if not len(pairs) or not pairs.has_passages or not (pages or database.get("pages")):
        return
    ids = {name for pair in pairs.plain() for name in (pair.left, pair.right)}
    ids -= {document.id for document in beside}
    places = Places()
    pages_of = database.sound_pages_of if is_committed else database.pages_of
    for name, about in chain(known, pages_of(sorted(ids))):
        # `check` tells of a row that is damaged.
        with contextlib.suppress(ValueError, LookupError, TypeError, zlib.error):
            places.add_packed(name, json.loads(about)["places"])
    for document in pages:
        places.add(document)
    if len(places):
        pairs.placed(places.placed)

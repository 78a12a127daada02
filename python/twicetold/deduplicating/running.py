"""`dedupe`: from sources to what adds something, and why the rest was removed."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from twicetold.analysis import Profile
from twicetold.deduplicating.deciding import Rules, decide
from twicetold.deduplicating.gathering import Gathered
from twicetold.deduplicating.order import Preference
from twicetold.deduplicating.outcome import Deduplicated
from twicetold.deduplicating.records import Keep
from twicetold.documents import Fields, Report, read_rows
from twicetold.documents.whole import Row
from twicetold.errors import DocumentError, ParameterError
from twicetold.pipeline import Detector, Engine, Progress, ignore
from twicetold.records import Document, Problem
from twicetold.scanning import Source, make_detector, scan
from twicetold.statistics import Statistics

__all__ = ["dedupe"]

Given = Source | Iterable[Source | Document]


def dedupe(  # noqa: PLR0913 - every choice of a run, by name
    sources: Given,
    *,
    against: Given | None = None,
    within: bool | None = None,
    keep: Keep = "earliest",
    prefer: Sequence[str] = (),
    share: float = Rules.share,
    passages: bool = False,
    passage_share: float = Rules.passage_share,
    passage_words: int = Rules.passage_words,
    texts: bool = False,
    method: str | Detector | None = None,
    engine: str | Engine = "local",
    profile: Profile | str | None = None,
    statistics: Statistics | str | Path | None = None,
    language: str | None = None,
    window: timedelta | None = None,
    max_key_documents: int = 1000,
    threads: int = 0,
    fields: Fields | None = None,
    format: Any = None,  # noqa: A002 - the name of the option
    encoding: str | None = None,
    content: Any = "full",
    strict: bool = False,
    leave_out: Iterable[Source] = (),
    report: Report | None = None,
    progress: Callable[[Progress], None] = ignore,
    **parameters: Any,
) -> Deduplicated:
    """Keep the documents that add something; say of each other one why it was removed.

    A document is dropped if a document that is kept, its witness, holds it: the method says so, and
    at least ``share`` of it is there. Of documents that hold each other ``keep`` decides which is
    kept: the ``earliest``, the ``longest`` or the one that was read ``first``; documents of the
    sources named in ``prefer`` go before all others.

    ``against`` are other documents that are only witnesses. Then ``within`` says whether documents
    of the sources are witnesses, too; None: only if there is nothing to compare against.

    ``passages`` also cuts sentences out of the documents that are kept, where a better one has at
    least ``passage_share`` of the words of each, three in a row at a time; sentences in a row must
    have ``passage_words`` words together. It takes a method that compares sentences. A document
    that is a witness is never shortened.

    ``texts`` sets the texts aside as well, for `write_sample`.

    ``method`` None is that of `scan`; what else is given is as there.

    >>> found = dedupe([
    ...     Document(id="a", text="The mine will close in May. Shares lose 2%. Nobody knew of it."),
    ...     Document(id="b", text="The mine will close in May. Shares lose 2%."),
    ...     Document(id="c", text="It rained on Monday."),
    ... ])
    >>> found.kept
    ['a', 'c']
    >>> [(gone.id, gone.reason, gone.witness) for gone in found.dropped]
    [('b', 'contained', 'a')]
    """
    rules = Rules(
        within=against is None if within is None else within,
        share=share,
        passages=passages,
        passage_share=passage_share,
        passage_words=passage_words,
    )
    preference = Preference.of(keep, prefer)
    detector = make_detector(_default() if method is None else method, parameters)
    if passages and detector.unit != "sentence":
        msg = f"{detector.name} compares whole documents: it knows no sentences to cut out"
        raise ParameterError(msg)
    report = Report() if report is None else report
    reading = {"fields": fields or Fields(), "format": format, "encoding": encoding}
    reading |= {"content": content, "strict": strict, "leave_out": leave_out, "report": report}
    gathered = Gathered(preference, merge=window is None, texts=texts or passages)
    others = () if against is None else _rows(against, **reading)
    pairs = scan(
        gathered.documents(_rows(sources, **reading), others),
        method=detector,
        engine=engine,
        profile=profile,
        statistics=statistics,
        language=language,
        window=window,
        # A sentence may be taken from a document that shares nothing else.
        floor=0.0 if passages and not detector.tells_passages else None,
        all_pairs=True,
        max_key_documents=max_key_documents,
        passages=passages,
        threads=threads,
        progress=progress,
    )
    manifest = pairs.manifest
    start = time.perf_counter()
    removals = decide(gathered, pairs, rules, progress=progress)
    manifest.seconds["choose"] = time.perf_counter() - start
    manifest.problems = dict(report.count)
    manifest.examples = list(report.problems)
    manifest.parameters |= {
        "sources": _names(sources),
        "against": None if against is None else _names(against),
        "keep": keep,
        "prefer": list(prefer),
        **rules.to_json(),
    }
    missing = [name for name in prefer if name not in gathered.sources]
    return Deduplicated(gathered, removals, manifest, reading["fields"], missing)


def _default() -> str | Detector:
    """Return the method that a scan takes."""
    method: str | Detector = inspect.signature(scan).parameters["method"].default
    return method


def _rows(given: Given, **reading: Any) -> Iterator[Row]:
    """Yield the rows of sources, and documents as rows, each id once."""
    items = [given] if isinstance(given, (str, Path)) else given
    ids: set[str] = set()
    paths: list[Source] = []
    for n, item in enumerate(items, start=1):
        if not isinstance(item, Document):
            paths.append(item)
        elif item.id in ids:
            yield _repeated(item, n, **reading)
        else:
            ids.add(item.id)
            yield Row(item, None)
    if paths:
        for row in read_rows(*paths, **reading):
            known = row.document is not None and row.document.id in ids
            yield _repeated(row.document, None, **reading) if known and row.document else row


def _repeated(document: Document, n: int | None, **reading: Any) -> Row:
    problem = Problem("documents", n, "duplicate id", f"id {document.id!r} came before")
    reading["report"].add(problem)
    if reading["strict"]:
        raise DocumentError(str(problem))
    return Row(None, None, "duplicate id")


def _names(given: Given) -> list[str] | None:
    """Return sources by name; None if they are documents."""
    items = [given] if isinstance(given, (str, Path)) else given
    if not isinstance(items, (list, tuple)) or any(isinstance(item, Document) for item in items):
        return None
    return [str(item) for item in items]

"""`dedupe`: from sources to what adds something, and why the rest was removed."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from twicetold.analysis import Profile
from twicetold.decision import Decision, decision_of
from twicetold.deduplicating.contents import plain
from twicetold.deduplicating.deciding import Rules, decide
from twicetold.deduplicating.gathering import Gathered
from twicetold.deduplicating.order import Preference
from twicetold.deduplicating.outcome import Deduplicated
from twicetold.deduplicating.records import Direction, Keep
from twicetold.documents import DocumentsLike, Fields, Given, Report, read_rows
from twicetold.documents.whole import Row
from twicetold.errors import DocumentError, ParameterError
from twicetold.pipeline import Detector, Engine, Progress, engine_of, ignore
from twicetold.records import Document, Problem
from twicetold.scanning import Source, make_detector, make_job, scan
from twicetold.statistics import Statistics

__all__ = ["dedupe"]


def dedupe(  # noqa: PLR0913 - every choice of a run, by name
    sources: DocumentsLike,
    *,
    against: DocumentsLike | None = None,
    direction: Direction = "either",
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
    decision: Decision | str | Path | None = None,
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

    ``against`` are other documents that are only witnesses, such as a test set. ``direction`` says
    which documents of the sources go for one of them: those it holds (``contained``), those that
    hold it (``contains``), so that training data has no test document in it, or ``either``.
    ``within`` says whether documents of the sources are witnesses, too; None: only if there is
    nothing to compare against.

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
        direction=direction,
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
    learned = decision_of(decision, learned=detector.learned_decision)
    report = Report() if report is None else report
    reading: dict[str, Any] = {
        "fields": fields or Fields(),
        "format": format,
        "encoding": encoding,
        "content": content,
        "strict": strict,
        "leave_out": leave_out,
        "report": report,
    }
    gathered = Gathered(preference, merge=window is None, texts=texts or passages)
    own, others = _Rows(sources, reading), None if against is None else _Rows(against, reading)
    job = make_job(
        detector,
        profile=profile,
        statistics=statistics,
        language=language,
        window=window,
        decision=learned or "own",
        # A sentence may be taken from a document that shares nothing else.
        floor=0.0 if passages and (learned is not None or not detector.tells_passages) else None,
        all_pairs=True,
        max_key_documents=max_key_documents,
        passages=passages,
        threads=threads,
        progress=progress,
        # Where documents of the sources are no witnesses, they need not meet each other.
        across=None if rules.within else gathered.are_fixed,
    )
    documents = gathered.documents(own, () if others is None else others)
    pairs = detector.run(engine_of(engine), documents, job)
    manifest = pairs.manifest
    start = time.perf_counter()
    removals = decide(gathered, pairs, rules, progress=progress)
    manifest.seconds["choose"] = time.perf_counter() - start
    manifest.problems = dict(report.count)
    manifest.examples = list(report.problems)
    manifest.parameters |= {
        "sources": own.names,
        "against": None if others is None else others.names,
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


class _Rows:
    """The rows of sources, and what is in memory as rows, each id once."""

    def __init__(self, sources: DocumentsLike, reading: dict[str, Any]) -> None:
        known = {name: reading[name] for name in ("fields", "report", "strict")}
        self._given = Given(sources, **known)
        self._reading = reading
        #: What is read, by name; None: it is in memory.
        self.names = self._given.paths_only

    def __iter__(self) -> Iterator[Row]:
        ids: set[str] = set()
        for n, row in enumerate(self._given.rows(whole=True), start=1):
            document, content = row.document, row.content
            if document is None:
                yield Row(None, plain(content), row.reason)
            elif document.id in ids:
                yield self._repeated(document, n)
            else:
                ids.add(document.id)
                yield Row(document, plain(content))
        if not self._given.paths:
            return
        for row in read_rows(*self._given.paths, **self._reading):
            known = row.document is not None and row.document.id in ids
            yield self._repeated(row.document, None) if known and row.document else row

    def _repeated(self, document: Document, n: int | None) -> Row:
        problem = Problem("documents", n, "duplicate id", f"id {document.id!r} came before")
        self._reading["report"].add(problem)
        if self._reading["strict"]:
            raise DocumentError(str(problem))
        return Row(None, None, "duplicate id")

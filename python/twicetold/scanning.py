"""`scan`: from sources to pairs in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from twicetold import _kernel
from twicetold.analysis import Profile, profile_of
from twicetold.batches import Batch, batches
from twicetold.decision import Decision, decision_of
from twicetold.documents import Fields, Prepare, Report, read, read_batches
from twicetold.errors import DocumentError, ParameterError
from twicetold.html.boilerplate import Boilerplate, HeldPages, KnownPages
from twicetold.html.places import Places
from twicetold.pairs import Manifest, Pairs
from twicetold.parameters import parameters_of
from twicetold.pipeline import Detector, Engine, Job, Progress, detector_class, engine_of, ignore
from twicetold.records import Document, Problem
from twicetold.statistics import Statistics

__all__ = [
    "READING",
    "Documents",
    "Preparing",
    "Source",
    "make_detector",
    "make_detectors",
    "scan",
]

Source = str | Path

#: The keywords that say how to read, the same for every call that is given sources.
READING = ("fields", "format", "encoding", "content", "strict", "leave_out")


def scan(  # noqa: PLR0913 - every choice of a run, by name
    sources: Source | Iterable[Source | Document],
    *,
    method: str | Detector = "retelling",
    engine: str | Engine = "local",
    profile: Profile | str | None = None,
    statistics: Statistics | str | Path | None = None,
    language: str | None = None,
    window: timedelta | None = None,
    floor: float | None = None,
    all_pairs: bool = False,
    max_key_documents: int = 1000,
    passages: bool | None = None,
    decision: Decision | str | Path | None = None,
    same_form: bool = False,
    threads: int = 0,
    fields: Fields | None = None,
    format: Any = None,  # noqa: A002 - the name of the option
    encoding: str | None = None,
    content: Any = "full",
    keep_boilerplate: bool = False,
    strict: bool = False,
    leave_out: Iterable[Source] = (),
    report: Report | None = None,
    progress: Callable[[Progress], None] = ignore,
    **parameters: Any,
) -> Pairs:
    """Find which documents are contained in which others.

    ``sources`` are files, folders, globs or ``-``, or documents themselves. ``method`` is a
    detector or its name; further keywords are its parameters. What cannot be used is skipped and
    counted in the manifest; with ``strict`` the first such document raises `DocumentError`.
    ``leave_out`` are files that are not read, though a folder or glob holds them.
    ``passages`` also gives, for methods that compare sentences, those that match; `Retelling` gives
    them unless it is False. ``decision`` gives pairs probabilities and relations: ``learned``, the
    default of `Retelling`, ``own``, by the method's own threshold, or a file of coefficients. Pairs
    that are the same form with other facts are in ``.forms`` of the result, with ``same_form``
    among the others. ``content`` is what is taken of web pages, ``full``, ``main`` or
    ``main-quality``; what a site repeats on its pages is left out unless
    ``keep_boilerplate`` is True.

    >>> from twicetold import Document
    >>> documents = [
    ...     Document(id="a", text="Shares lose 2%. The mine will close in May."),
    ...     Document(id="b", text="The mine will close in May."),
    ... ]
    >>> for pair in scan(documents):
    ...     print(pair.left, pair.relation, pair.right, round(pair.left_in_right, 2))
    a contains b 0.37
    """
    detector = make_detector(method, parameters)
    if isinstance(statistics, (str, Path)):
        statistics = Statistics.load(statistics)
    chosen = statistics.profile if profile is None and statistics is not None else profile
    report = Report() if report is None else report
    job = Job(
        detector=detector,
        profile=profile_of(chosen if chosen is not None else detector.profile),
        statistics=statistics,
        language=language,
        window=window,
        floor=floor,
        all_pairs=all_pairs,
        max_key_documents=max_key_documents,
        passages=passages,
        decision=decision_of(decision, learned=detector.learned_decision),
        same_form=same_form,
        threads=threads,
        progress=progress,
    )
    preparing = Preparing(statistics, keep=keep_boilerplate, places=job.has_passages)
    documents = Documents(
        sources,
        report,
        fields=fields,
        format=format,
        encoding=encoding,
        content=content,
        strict=strict,
        leave_out=leave_out,
        prepare=preparing,
    )
    pairs = detector.run(engine_of(engine), documents, job)
    if len(preparing.places):
        pairs.placed(preparing.places.placed)
    preparing.tell(pairs.manifest)
    pairs.manifest.parameters["sources"] = _names(sources)
    pairs.manifest.problems = dict(report.count)
    pairs.manifest.examples = list(report.problems)
    return pairs


def _names(sources: Source | Iterable[Source | Document]) -> list[str] | None:
    """Return the sources by name; None if they were documents."""
    if isinstance(sources, (str, Path)):
        return [str(sources)]
    if isinstance(sources, (list, tuple)) and all(isinstance(s, (str, Path)) for s in sources):
        return [str(source) for source in sources]
    return None


def make_detector(method: str | Detector, parameters: dict[str, Any]) -> Detector:
    """Return a detector with these parameters; a name nobody knows is told with those there are."""
    if isinstance(method, Detector):
        if parameters:
            msg = f"parameters go into the detector itself, got {', '.join(parameters)} beside it"
            raise ParameterError(msg)
        return method
    cls = detector_class(method)
    known = [parameter.name for parameter in parameters_of(cls)]
    for name in parameters:
        if name not in known:
            msg = f"{method} has no parameter {name!r}; it has {', '.join(known)}"
            raise ParameterError(msg)
    return cls(**parameters)


def make_detectors(
    methods: str | Detector | Sequence[str | Detector], parameters: Mapping[str, Any]
) -> tuple[Detector, ...]:
    """Return the detectors; of several, each takes those parameters that it has."""
    if isinstance(methods, (str, Detector)):
        return (make_detector(methods, dict(parameters)),)
    if not methods:
        msg = "there must be a method, got none"
        raise ParameterError(msg)
    found, used = [], set()
    for each in methods:
        own = set()
        if isinstance(each, str):
            own = {known.name for known in parameters_of(detector_class(each))} & set(parameters)
        used |= own
        found.append(make_detector(each, {name: parameters[name] for name in sorted(own)}))
    for name in parameters:
        if name not in used:
            msg = f"no parameter {name!r} in {', '.join(member.name for member in found)}"
            raise ParameterError(msg)
    return tuple(found)


class Preparing:
    """Takes what sites repeat out of their pages, and keeps where in pages passages would be."""

    def __init__(
        self, statistics: Statistics | None = None, *, keep: bool, places: bool = False
    ) -> None:
        self.places = Places()
        self._keeps_places = places
        self._pages: HeldPages | KnownPages
        if keep:
            self._pages = KnownPages(Boilerplate())
        elif statistics is None:
            self._pages = HeldPages()
        else:
            self._pages = KnownPages(statistics.boilerplate)

    @property
    def boilerplate(self) -> Boilerplate:
        """What was left out, known once all documents have come."""
        return self._pages.boilerplate

    def take(self, document: Document) -> Document | None:
        """Return the document as it is to be analysed, or None if it has to wait."""
        if self._keeps_places:
            self.places.add(document)
        return self._pages.take(document)

    def rest(self) -> Iterator[Document]:
        """Yield the documents that waited."""
        return self._pages.rest()

    def tell(self, manifest: Manifest) -> None:
        """Write down how much was left out."""
        if self.boilerplate:
            manifest.counts["boilerplate blocks"] = len(self.boilerplate)


class Documents:
    """The documents of sources, or given documents without those whose id came before.

    They can be had one by one, or in batches as an engine takes them; either way once.
    """

    def __init__(  # noqa: PLR0913 - every choice of reading, by name
        self,
        sources: Source | Iterable[Source | Document],
        report: Report | None = None,
        *,
        fields: Fields | None = None,
        format: Any = None,  # noqa: A002 - the name of the option
        encoding: str | None = None,
        content: Any = "full",
        strict: bool = False,
        leave_out: Iterable[Source] = (),
        prepare: Prepare | None = None,
    ) -> None:
        self._sources = [sources] if isinstance(sources, (str, Path)) else sources
        self._report = Report() if report is None else report
        self._prepare = prepare
        self._options = {
            "fields": fields or Fields(),
            "format": format,
            "encoding": encoding,
            "content": content,
            "strict": strict,
            "leave_out": leave_out,
            "report": self._report,
        }

    def __iter__(self) -> Iterator[Document]:
        if self._prepare is None:
            yield from self._every()
            return
        for document in self._every():
            ready = self._prepare.take(document)
            if ready is not None:
                yield ready
        yield from self._prepare.rest()

    def _every(self) -> Iterator[Document]:
        ids = _kernel.IdSet()
        paths: list[Source] = []
        yield from self._given(ids, paths)
        if paths:
            found = read(*paths, **self._options)
            # What is read has each id once: only documents given beside it can have one of them.
            new = (document for document in found if self._is_new(ids, document, None))
            yield from found if len(ids) == 0 else new

    def batches(self) -> Iterator[Batch]:
        """Yield the documents in batches; what lies in files becomes no Python object."""
        sources = self._sources
        if (
            isinstance(sources, (list, tuple))
            and sources  # nothing at all is no documents, not a source that was forgotten
            and all(isinstance(source, (str, Path)) for source in sources)
        ):
            return read_batches(*sources, prepare=self._prepare, **self._options)
        return batches(iter(self))

    def _given(self, ids: _kernel.IdSet, paths: list[Source]) -> Iterator[Document]:
        """Yield the documents among the sources, and collect the others."""
        for n, item in enumerate(self._sources, start=1):
            if not isinstance(item, Document):
                paths.append(item)
            elif self._is_new(ids, item, n):
                yield item

    def _is_new(self, ids: _kernel.IdSet, document: Document, n: int | None) -> bool:
        if ids.add(document.id):
            return True
        problem = Problem("documents", n, "duplicate id", f"id {document.id!r} came before")
        self._report.add(problem)
        if self._options["strict"]:
            raise DocumentError(str(problem))
        return False

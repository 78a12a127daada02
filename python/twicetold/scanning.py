"""`scan`: from sources to pairs in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

from twicetold import _kernel
from twicetold.analysis import Profile, profile_of
from twicetold.batches import Batch, batches
from twicetold.decision import Decision, decision_of
from twicetold.documents import DocumentsLike, Fields, Given, Report, read, read_batches
from twicetold.errors import DocumentError, ParameterError
from twicetold.html.boilerplate import Boilerplate, HeldPages, KnownPages
from twicetold.html.places import Places
from twicetold.pairs import Manifest, Pairs
from twicetold.parameters import parameters_of
from twicetold.pipeline import Detector, Engine, Job, Progress, detector_class, engine_of, ignore
from twicetold.records import Document, Problem, quoted
from twicetold.statistics import Statistics

__all__ = [
    "READING",
    "Documents",
    "Preparing",
    "Source",
    "make_detector",
    "make_detectors",
    "make_job",
    "scan",
]

Source = str | Path

#: What comes before ids of the second collection that the first one has, too.
_PREFIX = "against#"

#: The keywords that say how to read, the same for every call that is given sources.
READING = ("fields", "format", "encoding", "content", "strict", "leave_out")


def scan(  # noqa: PLR0913 - every choice of a run, by name
    sources: DocumentsLike,
    *,
    against: DocumentsLike | None = None,
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

    ``sources`` are files, folders, globs or ``-``, or what is in memory: documents, a list of texts
    or of dicts, or a table of Arrow, pandas or Polars, whose columns are found as those of files. A
    single string is a path; of a list, those that name nothing are texts, and some of each is
    refused. Texts and records without an id are called by their numbers from 0. With ``against``,
    other sources, only pairs of a document of the one and one of the other are looked for; of equal
    documents each is told with the earliest of the other collection. Statistics are of both. An id
    of ``against`` that is one of the sources gets ``against#`` before it.

    ``method`` is a detector or its name; further keywords are its parameters. What cannot be used
    is skipped and counted in the manifest; with ``strict`` the first such document raises
    `DocumentError`.
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
    report = Report() if report is None else report
    job = make_job(
        detector,
        profile=profile,
        statistics=statistics,
        language=language,
        window=window,
        floor=floor,
        all_pairs=all_pairs,
        max_key_documents=max_key_documents,
        passages=passages,
        decision=decision,
        same_form=same_form,
        threads=threads,
        progress=progress,
    )
    preparing = Preparing(job.statistics, keep=keep_boilerplate, places=job.has_passages)
    if against is not None:
        job = replace(job, across=preparing.sides)
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
        against=against,
    )
    pairs = detector.run(engine_of(engine), documents, job)
    if len(preparing.places):
        pairs.placed(preparing.places.placed)
    preparing.tell(pairs.manifest)
    pairs.manifest.parameters["sources"] = documents.names
    if against is not None:
        pairs.manifest.parameters["against"] = documents.names_against
        pairs.manifest.counts["documents against"] = preparing.n_against
    pairs.manifest.problems = dict(report.count)
    pairs.manifest.examples = list(report.problems)
    return pairs


def make_job(
    detector: Detector,
    *,
    profile: Profile | str | None = None,
    statistics: Statistics | str | Path | None = None,
    decision: Decision | str | Path | None = None,
    **choices: Any,
) -> Job:
    """Return the job of a detector, by a profile, else that of the statistics, else its own.

    So is what decides about pairs: what is given, else what the detector does.
    """
    if isinstance(statistics, (str, Path)):
        statistics = Statistics.load(statistics)
    chosen = statistics.profile if profile is None and statistics is not None else profile
    analysis = profile_of(chosen if chosen is not None else detector.profile)
    return Job(
        detector=detector,
        profile=analysis,
        statistics=statistics,
        decision=decision_of(decision, learned=detector.learned_decision),
        **choices,
    )


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
    """Takes what sites repeat out of their pages, and keeps where in pages passages would be.

    Of two collections it also knows which documents belong to the second one, `against`, and gives
    these ids that the first one does not have.
    """

    def __init__(
        self, statistics: Statistics | None = None, *, keep: bool, places: bool = False
    ) -> None:
        self.places = Places()
        self._keeps_places = places
        self._own, self._others = _kernel.IdSet(), _kernel.IdSet()
        #: What is read: of two collections the first one, or the second one, or the only one.
        self._turn: Literal["first", "second", "only"] = "only"
        self._report = Report()
        #: Whether it was told that ids are changed.
        self._tells = False
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

    def begin(self, turn: Literal["first", "second"], report: Report) -> None:
        """Take documents of the first or the second of two collections from now on."""
        self._turn, self._report = turn, report

    def take(self, document: Document) -> Document | None:
        """Return the document as it is to be analysed, or None if it has to wait."""
        if self._turn != "only":
            document = self._told_apart(document)
        if self._keeps_places:
            self.places.add(document)
        return self._pages.take(document)

    def take_batch(self, batch: Batch) -> None:
        """Take note of rows, which have nothing to be prepared but their ids."""
        if self._turn == "first":
            batch.register(self._own)
        elif self._turn == "second":
            for name in batch.tell_apart(self._own, self._others, _PREFIX):
                self._tell(name)

    def rest(self) -> Iterator[Document]:
        """Yield the documents that waited: of two collections, when both have come."""
        return iter(()) if self._turn == "first" else self._pages.rest()

    def _told_apart(self, document: Document) -> Document:
        """Return a document of two collections with an id that no other one has."""
        if self._turn == "first":
            self._own.add(document.id)
            return document
        name = document.id
        while name in self._own or name in self._others:
            name = _PREFIX + name
        self._others.add(name)
        if name == document.id:
            return document
        self._tell(document.id)
        return replace(document, id=name)

    def _tell(self, name: str) -> None:
        detail = (
            f"id {quoted(name)} is one of the sources, too; here it is {quoted(_PREFIX + name)}"
        )
        if self._tells:
            self._report.count["shared id"] += 1
            return
        self._tells = True
        detail += "; others like it are changed likewise"
        self._report.add(Problem("against", None, "shared id", detail))

    def sides(self, ids: Iterable[str]) -> bytes:
        """Return for each document whether it belongs to the second collection."""
        return bytes(name in self._others for name in ids)

    @property
    def n_against(self) -> int:
        """How many documents the second collection has."""
        return len(self._others)

    def tell(self, manifest: Manifest) -> None:
        """Write down how much was left out."""
        if self.boilerplate:
            manifest.counts["boilerplate blocks"] = len(self.boilerplate)


class Documents:
    """The documents of sources, each id once.

    They can be had one by one, or in batches as an engine takes them; either way once. Those of
    ``against``, a second collection, come behind them, with ids that the first one does not have.
    """

    def __init__(  # noqa: PLR0913 - every choice of reading, by name
        self,
        sources: DocumentsLike,
        report: Report | None = None,
        *,
        fields: Fields | None = None,
        format: Any = None,  # noqa: A002 - the name of the option
        encoding: str | None = None,
        content: Any = "full",
        strict: bool = False,
        leave_out: Iterable[Source] = (),
        prepare: Preparing | None = None,
        against: DocumentsLike | None = None,
    ) -> None:
        self._report = Report() if report is None else report
        self._prepare = prepare
        self._options: dict[str, Any] = {
            "fields": fields or Fields(),
            "format": format,
            "encoding": encoding,
            "content": content,
            "strict": strict,
            "leave_out": leave_out,
            "report": self._report,
        }
        self._own = self._given(sources)
        self._against = None if against is None else self._given(against)
        if against is not None and prepare is None:
            self._prepare = Preparing(keep=True)
        #: What is read, by name; None: it is in memory.
        self.names = self._own.paths_only
        self.names_against = None if self._against is None else self._against.paths_only

    def _given(self, sources: DocumentsLike) -> Given:
        known = {name: self._options[name] for name in ("fields", "report", "strict")}
        return Given(sources, **known)

    def __iter__(self) -> Iterator[Document]:
        for given in self._turns():
            yield from self._prepared(given)

    def _prepared(self, given: Given) -> Iterator[Document]:
        if self._prepare is None:
            yield from self._every(given)
            return
        for document in self._every(given):
            ready = self._prepare.take(document)
            if ready is not None:
                yield ready
        yield from self._prepare.rest()

    def _turns(self) -> Iterator[Given]:
        """Yield what was given, while what prepares documents knows whose turn it is."""
        if self._against is None or self._prepare is None:
            yield self._own
            return
        self._prepare.begin("first", self._report)
        yield self._own
        self._prepare.begin("second", self._report)
        yield self._against

    def _every(self, given: Given) -> Iterator[Document]:
        ids = _kernel.IdSet()
        for n, row in enumerate(given.rows(), start=1):
            if row.document is not None and self._is_new(ids, row.document, n):
                yield row.document
        if given.paths:
            found = read(*given.paths, **self._options)
            # What is read has each id once: only documents given beside it can have one of them.
            new = (document for document in found if self._is_new(ids, document, None))
            yield from found if len(ids) == 0 else new

    def batches(self) -> Iterator[Batch]:
        """Yield the documents in batches; what lies in files becomes no Python object."""
        for given in self._turns():
            paths = given.paths_only
            if paths is not None:
                yield from read_batches(*paths, prepare=self._prepare, **self._options)
            else:
                yield from batches(self._prepared(given))

    def _is_new(self, ids: _kernel.IdSet, document: Document, n: int | None) -> bool:
        if ids.add(document.id):
            return True
        problem = Problem("documents", n, "duplicate id", f"id {document.id!r} came before")
        self._report.add(problem)
        if self._options["strict"]:
            raise DocumentError(str(problem))
        return False

"""What a method found among the documents of a set: by a scan, by comparing, or in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from twicetold.errors import ParameterError
from twicetold.evaluation.answers import RELATED_RELATIONS
from twicetold.evaluation.found import larger_score, read_found
from twicetold.evaluation.labels import LabelledSet
from twicetold.evaluation.sentence_pairs import compared_table
from twicetold.pairs import Pairs
from twicetold.parameters import parameters_of
from twicetold.pipeline import Detector, detector_class
from twicetold.records import Document
from twicetold.scanning import Documents, Source, scan

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Run", "from_comparing", "from_file", "from_scan", "parameters_by_method"]


class Labels(Protocol):
    """What a scan has to know of a set."""

    @property
    def name(self) -> str: ...

    @property
    def sources(self) -> tuple[Source | Document, ...]: ...

    @property
    def ids(self) -> set[str]: ...


def parameters_by_method(
    methods: Sequence[str], parameters: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return those parameters that each of several methods has; each must be one of some method."""
    own = {name: {known.name for known in parameters_of(detector_class(name))} for name in methods}
    for name in parameters:
        if not any(name in known for known in own.values()):
            msg = f"no parameter {name!r} in {', '.join(methods)}"
            raise ParameterError(msg)
    return {
        method: {name: value for name, value in parameters.items() if name in known}
        for method, known in own.items()
    }


class Run(NamedTuple):
    """What a detector found, and how. ``given``: a threshold to decide by, not the detector."""

    method: str
    parameters: Mapping[str, Any]
    threshold: float
    given: bool
    table: pa.Table
    counts: Mapping[str, int]
    seconds: float | None


def from_scan(labelled: Labels, detector: Detector, options: dict[str, Any]) -> Run:
    """Scan the documents of a set, and see to it that those with a label are among them."""
    missing = labelled.ids

    def noted(documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            missing.discard(document.id)
            yield document

    n_labelled = len(missing)
    documents = Documents(labelled.sources, options["report"], strict=False)
    found = scan(noted(documents), method=detector, all_pairs=True, **options)
    if len(missing) == n_labelled:
        raise _no_label(labelled)
    counts = found.manifest.counts
    return Run(
        method=detector.name,
        parameters=detector.settings(),
        threshold=detector.threshold,
        given=False,
        table=_with_forms(found),
        counts={"documents": counts["documents"], "missing_documents": len(missing)},
        seconds=round(sum(found.manifest.seconds.values()), 3),
    )


def _with_forms(found: Pairs) -> pa.Table:
    """Return the pairs of a scan, and those that it says are the same form with other facts."""
    import pyarrow as pa

    if not len(found.forms):
        return found.table
    return pa.concat_tables([found.table, found.forms.table], promote_options="default")


def from_comparing(labelled: LabelledSet, detector: Detector, options: dict[str, Any]) -> Run:
    """Compare the labelled pairs of sentences, and no others."""
    table, n_documents, seconds = compared_table(labelled, detector, options)
    if table.num_rows == 0:
        raise _no_label(labelled)
    known = set(table.column("left").to_pylist()) | set(table.column("right").to_pylist())
    return Run(
        method=detector.name,
        parameters={p.name: getattr(detector, p.name) for p in parameters_of(type(detector))},
        threshold=detector.threshold,
        given=False,
        table=table,
        counts={"documents": n_documents, "missing_documents": len(labelled.ids - known)},
        seconds=round(seconds, 3),
    )


def _no_label(labelled: Labels) -> ParameterError:
    some = min(labelled.ids)
    msg = f"{labelled.name}: no document has a label; labels are of ids such as {some!r}"
    return ParameterError(msg)


def from_file(path: str | Path, floor: float | None, parameters: Mapping[str, Any]) -> Run:
    """Take the pairs of a file; a threshold is the one parameter that still can be given."""
    import pyarrow as pa
    import pyarrow.compute as pc

    others = set(parameters) - {"threshold"}
    if others:
        msg = f"pairs from a file have no parameter {min(others)!r}; only a threshold can be given"
        raise ParameterError(msg)
    threshold = parameters.get("threshold")
    table = read_found(path)
    if floor:
        score = larger_score(table)
        decided = pc.is_in(table.column("relation"), value_set=pa.array(sorted(RELATED_RELATIONS)))
        table = table.filter(pc.or_(decided, pc.greater_equal(score, floor)))
    return Run(
        method=Path(path).name,
        parameters={} if threshold is None else {"threshold": threshold},
        threshold=0.5 if threshold is None else threshold,
        given=threshold is not None,
        table=table,
        counts={},
        seconds=None,
    )

"""Readers of labelled sets: our own format, and those in which public ones are given out.

A reader is a function from a path to a `LabelledSet`; `SETS` says by which file each is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, cast

from twicetold.documents import SourcePath
from twicetold.errors import FormatError, ParameterError, SourceError
from twicetold.evaluation.labels import LabelledSet
from twicetold.evaluation.sets.files import has_columns
from twicetold.scanning import Source

__all__ = ["JUDGED", "SETS", "SetReader", "format_of", "read_labels"]


class SetReader(NamedTuple):
    """Where a reader is, as ``module:name``, what it reads, and how that is known.

    ``glob`` matches a file of the set; ``columns`` must be in the first line of that file.
    """

    where: str
    help: str
    glob: str
    columns: tuple[str, ...] = ()


_HERE = "twicetold.evaluation.sets"
JUDGED = "judgements"

#: Every format of labelled data, by name.
SETS: Mapping[str, SetReader] = MappingProxyType(
    {
        JUDGED: SetReader(
            "twicetold.evaluation.judged:read_labelled",
            "pairs that readers gave one of six answers: judgements.jsonl",
            "judgements.jsonl",
        ),
        "labels": SetReader(f"{_HERE}.own:read", "our own: labels.jsonl", "labels.jsonl"),
        "pan": SetReader(
            f"{_HERE}.plagiarism:read_pan",
            "PAN text alignment: pairs, src, susp, and a folder of XML for each kind",
            "susp/*.txt",
        ),
        "clough-stevenson": SetReader(
            f"{_HERE}.plagiarism:read_clough_stevenson",
            "short answers and their sources: all-plagiarised-files.txt",
            "all-plagiarised-files.txt",
        ),
        "p4p": SetReader(
            f"{_HERE}.plagiarism:read_p4p",
            "paraphrased fragments: p4p_source.txt, p4p_reference.txt",
            "p4p_source.txt",
        ),
        "tap-dlnd": SetReader(
            f"{_HERE}.news:read_tap_dlnd",
            "novelty of news against the union of its sources: a CSV",
            "*.csv",
            ("event_id", "news_id", "is_source", "DLA"),
        ),
        "semeval-2022-8": SetReader(
            f"{_HERE}.news:read_semeval",
            "news of the same story, not copied: a CSV",
            "*.csv",
            ("pair_id", "text1", "text2", "Overall"),
        ),
        "bills": SetReader(
            f"{_HERE}.news:read_bills",
            "sections of bills: a CSV",
            "*.csv",
            ("sec_a_id", "sec_b_id", "label"),
        ),
        "versions": SetReader(
            f"{_HERE}.versions:read",
            "versions of articles: version_documents/ARTICLE/N.txt",
            "version_documents/*/*.txt",
        ),
        "mrpc": SetReader(
            f"{_HERE}.sentences:read_mrpc", "paraphrases: msr-para-*.tsv", "msr-para-*.tsv"
        ),
        "sts": SetReader(
            f"{_HERE}.sentences:read_sts", "graded sentence pairs: YEAR/NAME.tsv", "20??/*.tsv"
        ),
        "stsb": SetReader(
            f"{_HERE}.sentences:read_stsb",
            "graded sentence pairs of many languages: stsb-CODE-SPLIT.csv",
            "stsb[-_]*.[ct]sv",
        ),
    }
)


def read_labels(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the name of the option
    documents: tuple[Source, ...] = (),
    directed: bool | None = None,
    positive_from: float | None = None,
    part: str | None = None,
    test_part: str | None = None,
) -> LabelledSet:
    """Read a labelled set: a folder, or a file of labels.

    ``format`` None: known by what is there. ``documents``: what to scan, where the labels do not
    bring it. ``directed``, ``positive_from`` and ``test_part`` say otherwise than the set does;
    ``part`` takes only one part of it.
    """
    path = Path(path)
    if not path.exists():
        msg = f"{path}: there is no such file or folder"
        raise SourceError(msg)
    if format is not None and format not in SETS:
        msg = f"no format {format!r} of labelled data; there are {', '.join(SETS)}"
        raise ParameterError(msg)
    format = format or format_of(path)  # noqa: A001 - the name of the option
    module, _, name = SETS[format].where.partition(":")
    reader = cast("Callable[..., LabelledSet]", getattr(import_module(module), name))
    # Whether the two directions of a pair are two labels or one decides what can be read at all.
    found = reader(path, directed=directed or False) if format == "labels" else reader(path)
    if documents:
        found = replace(found, sources=tuple(map(SourcePath, documents)))
    if not found.sources:
        msg = f"{path}: the labels name no documents; say where they are with --documents"
        raise ParameterError(msg)
    if directed is not None:
        found = replace(found, directed=True) if directed else found.unordered()
    if positive_from is not None:
        found = replace(found, positive_from=positive_from)
    if part is not None:
        found = found.only(part)
    return replace(found, test_part=test_part) if test_part is not None else found


def format_of(path: Path) -> str:
    """Return the format that a folder or file shows by its content."""
    from twicetold.evaluation.judged import is_judged

    if is_judged(path):
        return JUDGED
    if path.is_file():
        if path.suffix == ".jsonl":
            return "labels"
        named = (name for name, known in SETS.items() if has_columns(path, known.columns))
        if (found := next(named, None)) is not None:
            return found
    for name, known in SETS.items():
        file = next(path.glob(known.glob), None) if path.is_dir() else None
        if file is not None and (not known.columns or has_columns(file, known.columns)):
            return name
    ours = f"write {path / 'labels.jsonl'}" if path.is_dir() else "give the folder of a public set"
    msg = (
        f"{path}: holds no labelled data that is known; {ours}, "
        f"or say --format with one of {', '.join(SETS)}"
    )
    raise FormatError(msg)

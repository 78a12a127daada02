"""News and laws in tables: a row is a pair, or a document with its label."""

from __future__ import annotations

from pathlib import Path

from twicetold.errors import FormatError
from twicetold.evaluation.labels import LabelledPair, LabelledSet
from twicetold.evaluation.sets.files import file_in, grade, rows_of
from twicetold.records import Document

__all__ = ["read_bills", "read_semeval", "read_tap_dlnd"]

#: The grade of news with nothing in common.
_DISSIMILAR = 4.0


def read_tap_dlnd(path: Path) -> LabelledSet:
    """Read TAP-DLND: what a report says is contained in the sources of its event, or not.

    The sources of an event are put together into one document, ``EVENT`` itself, as a report may
    take from each of them. A pair is related if the report is not novel.
    """
    columns = ("event_id", "news_id", "content", "is_source", "DLA")
    file = file_in(path, "*.csv", columns)
    sources: dict[str, list[str]] = {}
    reports, pairs = [], []
    for line, row in rows_of(file, columns):
        if row["is_source"] == "True":
            sources.setdefault(row["event_id"], []).append(row["content"])
            continue
        if row["DLA"] not in ("Novel", "Non-Novel"):
            msg = f"{file}:{line}: DLA must be Novel or Non-Novel, got {row['DLA']!r}"
            raise FormatError(msg)
        reports.append(Document(id=row["news_id"], text=row["content"]))
        label = float(row["DLA"] == "Non-Novel")
        pairs.append(LabelledPair(row["news_id"], row["event_id"], label))
    unions = [Document(id=event, text="\n\n".join(texts)) for event, texts in sources.items()]
    return LabelledSet(
        name=path.resolve().name,
        sources=(*unions, *reports),
        pairs=tuple(pairs),
        directed=True,
    )


def read_semeval(path: Path) -> LabelledSet:
    """Read SemEval-2022 task 8: the same story, told by others. No pair counts as reuse.

    The label is 4 minus ``Overall``, so that more is more similar. Each pair of languages is a
    part.
    """
    columns = ("pair_id", "lang1", "lang2", "text1", "text2", "Overall")
    file = file_in(path, "*.csv", columns)
    documents: dict[str, Document] = {}
    pairs = []
    for line, row in rows_of(file, columns):
        left, _, right = row["pair_id"].partition("_")
        for name, side in ((left, "1"), (right, "2")):
            text, language = row[f"text{side}"], row[f"lang{side}"]
            documents.setdefault(name, Document(id=name, text=text, language=language))
        label = _DISSIMILAR - grade(row["Overall"], file, line)
        part = "-".join(sorted((row["lang1"], row["lang2"])))
        if left != right:
            pairs.append(LabelledPair(left, right, label, part))
    return LabelledSet(
        name=path.resolve().name,
        sources=tuple(documents.values()),
        pairs=tuple(pairs),
        graded=True,
        positive_from=None,
    )


def read_bills(path: Path) -> LabelledSet:
    """Read pairs of sections of bills: 0 unrelated to 4 identical; a pair counts from 1 on."""
    columns = ("sec_a_id", "sec_b_id", "sec_a_text", "sec_b_text", "label")
    file = file_in(path, "*.csv", columns)
    documents: dict[str, Document] = {}
    pairs = []
    for line, row in rows_of(file, columns):
        for side in "ab":
            name = row[f"sec_{side}_id"]
            documents.setdefault(name, Document(id=name, text=row[f"sec_{side}_text"]))
        label = grade(row["label"], file, line)
        pairs.append(LabelledPair(row["sec_a_id"], row["sec_b_id"], label))
    return LabelledSet(
        name=path.resolve().name,
        sources=tuple(documents.values()),
        pairs=tuple(pairs),
        graded=True,
    )

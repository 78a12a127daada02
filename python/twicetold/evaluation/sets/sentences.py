"""Sentence pairs: each sentence is a document of its own."""

from __future__ import annotations

import re
from pathlib import Path

from twicetold.errors import FormatError
from twicetold.evaluation.labels import LabelledPair, LabelledSet
from twicetold.evaluation.sets.files import Texts, grade, lines_of, rows_of
from twicetold.records import Document

__all__ = ["read_mrpc", "read_sts", "read_stsb"]

#: Sentences "mostly equivalent": from here on a graded pair counts as related.
_EQUIVALENT = 4.0


def read_mrpc(path: Path) -> LabelledSet:
    """Read the Microsoft Research Paraphrase Corpus: ``msr-para-train``, ``-val``, ``-test``.

    Thresholds are tuned on train and val, and reported on test.
    """
    columns = ("Quality", "#1 ID", "#2 ID", "#1 String", "#2 String")
    pairs: list[LabelledPair] = []
    documents: dict[str, Document] = {}
    for file in sorted(path.glob("msr-para-*.tsv")) if path.is_dir() else [path]:
        part = file.stem.rpartition("-")[2]
        for line, row in rows_of(file, columns, delimiter="\t", quoted=False):
            left, right = row["#1 ID"], row["#2 ID"]
            for name, side in ((left, "#1 String"), (right, "#2 String")):
                documents.setdefault(name, Document(id=name, text=row[side], language="en"))
            pairs.append(LabelledPair(left, right, grade(row["Quality"], file, line), part))
    parts = {pair.part for pair in pairs}
    return LabelledSet(
        name=path.resolve().name,
        sources=tuple(documents.values()),
        pairs=tuple(pairs),
        unit="sentence",
        test_part="test" if "test" in parts and len(parts) > 1 else None,
    )


def read_sts(path: Path) -> LabelledSet:
    """Read SemEval STS: ``YEAR/NAME.tsv`` with grade, sentence, sentence; each file is a part.

    Lines without a grade were never scored, and are left out.
    """
    texts, pairs = Texts(), []
    for file in sorted(path.glob("20??/*.tsv")):
        part = f"{file.parent.name}/{file.name.removesuffix('.tsv')}"
        for line, content in enumerate(lines_of(file), start=1):
            fields = content.split("\t")
            if len(fields) < 3:  # noqa: PLR2004 - grade, sentence, sentence
                msg = f"{file}:{line}: a line must have grade, sentence and sentence, with tabs"
                raise FormatError(msg)
            if fields[0].strip():
                left, right = texts.pair(f"{part}:{line}", fields[1], fields[2], "en")
                pairs.append(LabelledPair(left, right, grade(fields[0], file, line), part))
    return _graded(path, texts, pairs)


def read_stsb(path: Path) -> LabelledSet:
    """Read the STS Benchmark of many languages: a part for each.

    ``stsb-CODE-SPLIT.csv`` has sentence, sentence, grade and no names of columns;
    ``stsb_CODE_SPLIT.tsv`` has names.
    """
    texts, pairs = Texts(), []
    for file in sorted(path.glob("stsb[-_]*.[ct]sv")):
        _, language, split = re.split("[-_]", file.stem, maxsplit=2)
        for line, left_text, right_text, value in _stsb_rows(file):
            left, right = texts.pair(f"{language}/{split}:{line}", left_text, right_text, language)
            pairs.append(LabelledPair(left, right, grade(value, file, line), language))
    return _graded(path, texts, pairs)


def _stsb_rows(file: Path) -> list[tuple[int, str, str, str]]:
    import csv

    if file.suffix == ".tsv":
        columns = ("sentence1", "sentence2", "score")
        rows = rows_of(file, columns, delimiter="\t", quoted=False)
        return [(line, row["sentence1"], row["sentence2"], row["score"]) for line, row in rows]
    with file.open(encoding="utf-8", newline="") as content:
        found = []
        for line, row in enumerate(csv.reader(content), start=1):
            if len(row) != 3:  # noqa: PLR2004
                msg = f"{file}:{line}: a row must have sentence, sentence and grade"
                raise FormatError(msg)
            found.append((line, row[0], row[1], row[2]))
        return found


def _graded(path: Path, texts: Texts, pairs: list[LabelledPair]) -> LabelledSet:
    return LabelledSet(
        name=path.resolve().name,
        sources=tuple(texts.documents),
        pairs=tuple(pairs),
        unit="sentence",
        graded=True,
        positive_from=_EQUIVALENT,
    )

"""Sets made to study plagiarism: texts, and the texts they were made from."""

from __future__ import annotations

from pathlib import Path

from twicetold.errors import FormatError
from twicetold.evaluation.labels import LabelledPair, LabelledSet
from twicetold.evaluation.sets.files import lines_of, text_of
from twicetold.evaluation.sets.passages import read_case_pairs
from twicetold.records import Document

__all__ = ["read_clough_stevenson", "read_p4p", "read_pan"]

#: How near an answer is to its source, from written freely to copied.
_REVISIONS = {"non": 0.0, "heavy": 1.0, "light": 2.0, "cut": 3.0}


def read_pan(path: Path) -> LabelledSet:
    """Read the PAN text alignment corpus at the level of documents.

    A pair is related if its XML names a passage. Each folder of XML is a part, and the one without
    plagiarism is the control of all others.
    """
    folders = sorted(file.parent for file in path.glob("*/pairs"))
    pairs = [
        LabelledPair(pair.left, pair.right, float(bool(pair.cases)), pair.part)
        for folder in folders
        for pair in read_case_pairs(folder)
    ]
    wanted = {side for pair in pairs for side in (pair.left, pair.right)}
    documents = [
        Document(id=file.name, text=text_of(file))
        for name in ("susp", "src")
        for file in sorted((path / name).glob("*.txt"))
        if file.name in wanted
    ]
    control = next((folder.name for folder in folders if "no-plagiarism" in folder.name), None)
    return LabelledSet(
        name=path.resolve().name, sources=tuple(documents), pairs=tuple(pairs), control=control
    )


def read_clough_stevenson(path: Path) -> LabelledSet:
    """Read the Corpus of Plagiarised Short Answers: an answer is contained in its source.

    The label is how near it is: non 0, heavy 1, light 2, cut 3. A pair counts from heavy on.
    """
    file = path / "all-plagiarised-files.txt"
    pairs = []
    for line, content in enumerate(lines_of(file), start=1):
        fields = content.split(",")
        if len(fields) != 3 or fields[2] not in _REVISIONS:  # noqa: PLR2004
            wanted = f"source,answer,label with a label of {', '.join(_REVISIONS)}"
            msg = f"{file}:{line}: a line must be {wanted}, got {content!r}"
            raise FormatError(msg)
        source, answer, label = fields
        pairs.append(LabelledPair(answer, source, _REVISIONS[label]))
    names = sorted({side for pair in pairs for side in (pair.left, pair.right)})
    return LabelledSet(
        name=path.resolve().name,
        sources=tuple(Document(id=name, text=text_of(path / name, "latin-1")) for name in names),
        pairs=tuple(pairs),
        directed=True,
        graded=True,
    )


def read_p4p(path: Path) -> LabelledSet:
    """Read P4P: the n-th source fragment and the n-th reference fragment are a cluster."""
    documents, clusters = [], {}
    for side in ("source", "reference"):
        for n, text in enumerate(lines_of(path / f"p4p_{side}.txt"), start=1):
            documents.append(Document(id=f"{side}-{n}", text=text))
            clusters[f"{side}-{n}"] = str(n)
    return LabelledSet(name=path.resolve().name, sources=tuple(documents), clusters=clusters)

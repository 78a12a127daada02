"""Articles in several versions: the folder is the cluster."""

from __future__ import annotations

from pathlib import Path

from twicetold.evaluation.labels import LabelledSet
from twicetold.evaluation.sets.files import text_of
from twicetold.records import Document

__all__ = ["read"]


def read(path: Path) -> LabelledSet:
    """Read ``version_documents/ARTICLE/N.txt``: the versions of an article are one cluster."""
    files = sorted((path / "version_documents").glob("*/*.txt"))
    ids = {f"{file.parent.name}/{file.name}": file for file in files}
    return LabelledSet(
        name=path.resolve().name,
        sources=tuple(Document(id=name, text=text_of(file)) for name, file in ids.items()),
        clusters={name: file.parent.name for name, file in ids.items()},
    )

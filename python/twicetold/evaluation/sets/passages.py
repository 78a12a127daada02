"""Sets that say which passages were reused: the PAN text alignment corpora."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from twicetold.errors import FormatError, SourceError
from twicetold.evaluation.plagdet import Stretch
from twicetold.evaluation.sets.files import lines_of, text_of
from twicetold.records import Document, Span

__all__ = ["CasePair", "PassageSet", "read_case_pairs", "read_passages"]


class CasePair(NamedTuple):
    """Two documents and the stretches of left that people took from right."""

    left: str
    right: str
    part: str
    cases: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageSet:
    """Documents, and pairs of them with the passages that were reused."""

    name: str
    documents: tuple[Document, ...]
    pairs: tuple[CasePair, ...]


def read_passages(path: str | Path) -> PassageSet:
    """Read a PAN text alignment corpus: ``susp``, ``src``, and folders of ``pairs`` and XML.

    Left is the suspicious document, right its source, and each folder is a part. Offsets count
    characters of the files as they are, as those of the corpus do.
    """
    path = Path(path)
    if not path.is_dir():
        msg = f"{path}: there is no such folder; a PAN corpus has the folders susp and src"
        raise SourceError(msg)
    folders = sorted(file.parent for file in path.glob("*/pairs"))
    pairs = [pair for folder in folders for pair in read_case_pairs(folder)]
    if not pairs:
        msg = f"{path}: has no folder with a file `pairs`, as a PAN corpus does"
        raise FormatError(msg)
    sides = {pair.left: "susp" for pair in pairs} | {pair.right: "src" for pair in pairs}
    documents = tuple(
        Document(id=name, text=text_of(path / side / name)) for name, side in sorted(sides.items())
    )
    lengths = {document.id: len(document.text) for document in documents}
    for pair in pairs:
        for case in pair.cases:
            if case.left.end > lengths[pair.left] or case.right.end > lengths[pair.right]:
                msg = f"{path}: {pair.left} and {pair.right}: {case} ends behind the text"
                raise FormatError(msg)
    return PassageSet(name=path.resolve().name, documents=documents, pairs=tuple(pairs))


def read_case_pairs(folder: Path) -> list[CasePair]:
    """Return the pairs of one folder of a PAN corpus."""
    found = []
    for line, content in enumerate(lines_of(folder / "pairs"), start=1):
        sides = content.split()
        if len(sides) != 2:  # noqa: PLR2004
            msg = f"{folder / 'pairs'}:{line}: a line must name two files, got {content!r}"
            raise FormatError(msg)
        left, right = sides
        file = folder / f"{left.removesuffix('.txt')}-{right.removesuffix('.txt')}.xml"
        found.append(CasePair(left, right, folder.name, tuple(_cases(file))))
    return found


def _cases(file: Path) -> list[Stretch]:
    try:
        # Expat itself stops entities that would swell.
        features = ET.fromstring(text_of(file)).iter("feature")  # noqa: S314
    except ET.ParseError as error:
        msg = f"{file}: is not XML: {error}"
        raise FormatError(msg) from error
    return [
        Stretch(_span(feature, "this", file), _span(feature, "source", file))
        for feature in features
        if feature.get("name") == "plagiarism"
    ]


def _span(feature: ET.Element, side: str, file: Path) -> Span:
    try:
        start, length = (int(feature.attrib[f"{side}_{name}"]) for name in ("offset", "length"))
    except (KeyError, ValueError):
        msg = f"{file}: a feature must have whole numbers {side}_offset and {side}_length"
        raise FormatError(msg) from None
    return Span(start, start + length)

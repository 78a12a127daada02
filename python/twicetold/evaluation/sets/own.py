"""Our own format: ``labels.jsonl``, a JSON object a line, and documents of any format beside it.

A first line with the key ``labels`` says what the others mean; docs/evaluation.md has examples.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

from twicetold.errors import FormatError
from twicetold.evaluation.labels import LabelledPair, LabelledSet, unordered
from twicetold.evaluation.sets.files import Texts, documents_beside, json_lines
from twicetold.records import Document
from twicetold.scanning import Source

__all__ = ["HEAD_KEYS", "read"]

#: What the first line may say, and the type of each.
HEAD_KEYS: dict[str, type | tuple[type, ...]] = {
    "labels": str,
    "name": str,
    "documents": (str, list),
    "unit": str,
    "directed": bool,
    "positive_from": (int, float),
    "control": str,
    "test_part": str,
}
_KINDS = ("pairs", "clusters")


def read(path: Path, *, directed: bool = False) -> LabelledSet:
    """Read labels of pairs, or the clusters of documents.

    ``directed``: the two directions of a pair have a label each, whatever the first line says.
    """
    file = path / "labels.jsonl" if path.is_dir() else path
    lines = json_lines(file)
    first = next(lines, None)
    if first is None:
        msg = f"{file}: holds no labels"
        raise FormatError(msg)
    head = _head(file, first[1]) if "labels" in first[1] else {}
    labels = _Labels(file)
    if not head:
        labels.add(*first)
    for number, line in lines:
        labels.add(number, line)
    if directed:
        head = {**head, "directed": True}
    return labels.finish(head, _sources(file, head))


def _head(file: Path, line: dict[str, Any]) -> dict[str, Any]:
    for name, value in line.items():
        if name not in HEAD_KEYS:
            msg = f"{file}:1: nothing is known about {name!r}; there are {', '.join(HEAD_KEYS)}"
            raise FormatError(msg)
        if not isinstance(value, HEAD_KEYS[name]):
            msg = f"{file}:1: {name} cannot be {value!r}"
            raise FormatError(msg)
    for name, known in (("labels", _KINDS), ("unit", ("document", "sentence"))):
        if name in line and line[name] not in known:
            msg = f"{file}:1: {name} must be {' or '.join(known)}, got {line[name]!r}"
            raise FormatError(msg)
    return line


def _sources(file: Path, head: dict[str, Any]) -> tuple[Source, ...]:
    """Return where the documents are: as the first line says, else ``documents.*`` beside it."""
    named = head.get("documents")
    if named is not None:
        names = [named] if isinstance(named, str) else named
        return tuple(file.parent / str(name) for name in names)
    return documents_beside(file)


class _Labels:
    """The lines of a file, one after the other."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.pairs: list[LabelledPair] = []
        self.lines: list[int] = []  # of the pairs
        self.clusters: dict[str, str] = {}
        self.texts = Texts()
        self.given: dict[str, Document] = {}

    def add(self, number: int, line: dict[str, Any]) -> None:
        place = f"{self.file}:{number}"
        if "cluster" in line:
            self._add_cluster(line, place)
        elif "label" in line:
            self._add_pair(number, line, place)
        else:
            _wrong(place, "a line must have label, with left and right, or cluster, with id")
        if self.pairs and self.clusters:
            _wrong(place, "a set has pairs or clusters, not both; put them into two files")

    def _add_cluster(self, line: dict[str, Any], place: str) -> None:
        name = _text(line, "id", place)
        if name in self.clusters:
            _wrong(place, f"document {name!r} has a cluster already")
        self.clusters[name] = _text(line, "cluster", place)
        if "text" in line:
            self.given[name] = Document(id=name, text=_text(line, "text", place))

    def _add_pair(self, number: int, line: dict[str, Any], place: str) -> None:
        label = line["label"]
        if not isinstance(label, (bool, int, float)):
            _wrong(place, f"label must be true, false or a number, got {label!r}")
        if "left_text" in line or "right_text" in line:
            sides = (_text(line, f"{side}_text", place) for side in ("left", "right"))
            left, right = self.texts.pair(str(number), *sides)
        else:
            left, right = (_text(line, side, place) for side in ("left", "right"))
        if left == right:
            _wrong(place, f"left and right are the same document {left!r}")
        part = _text(line, "part", place) if "part" in line else ""
        self.pairs.append(LabelledPair(left, right, float(label), part))
        self.lines.append(number)

    def _different(self, *, directed: bool) -> tuple[LabelledPair, ...]:
        """Return each pair once; one that has two labels has none."""
        found: dict[tuple[str, str], tuple[int, LabelledPair]] = {}
        for number, pair in zip(self.lines, self.pairs, strict=True):
            key = (pair.left, pair.right)
            line, known = found.setdefault(key if directed else unordered(*key), (number, pair))
            if known.label != pair.label:
                what = f"{pair.left!r} and {pair.right!r} have another label in line {line}"
                _wrong(f"{self.file}:{number}", what)
        return tuple(pair for _, pair in found.values())

    def finish(self, head: dict[str, Any], sources: tuple[Source, ...]) -> LabelledSet:
        kind = "pairs" if self.pairs else "clusters"
        if not self.pairs and not self.clusters:
            msg = f"{self.file}: holds no labels"
            raise FormatError(msg)
        if head.get("labels", kind) != kind:
            msg = f"{self.file}:1: says that labels are {head['labels']}, and they are {kind}"
            raise FormatError(msg)
        own = (*self.texts.documents, *self.given.values())
        file = self.file.resolve()
        name = file.parent.name if file.name == "labels.jsonl" else file.stem
        return LabelledSet(
            name=head.get("name", name),
            sources=(*own, *sources) if not own or "documents" in head else own,
            pairs=self._different(directed=head.get("directed", False)),
            clusters=self.clusters,
            unit=head.get("unit", "sentence" if self.texts.documents else "document"),
            directed=head.get("directed", False),
            graded=any(pair.label not in (0.0, 1.0) for pair in self.pairs),
            positive_from=head.get("positive_from", 1.0),
            control=head.get("control"),
            test_part=head.get("test_part"),
        )


def _wrong(place: str, what: str) -> NoReturn:
    msg = f"{place}: {what}"
    raise FormatError(msg)


def _text(line: dict[str, Any], name: str, place: str) -> str:
    """Return a part of a line that must be a text; a number is one, too, where it is an id."""
    value = line.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        _wrong(place, f"{name} must be a text, got {value!r}")
    return value

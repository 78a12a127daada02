"""Whether the files of an index are what was written, and how to mend those that can be mended."""

from __future__ import annotations

from dataclasses import dataclass

from twicetold import _kernel
from twicetold.errors import TwicetoldError
from twicetold.index.database import Database
from twicetold.index.files import Files
from twicetold.index.pinning import load_pinned
from twicetold.index.writing import Writer

__all__ = ["Finding", "check", "repair"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a file; ``segment`` is None where it cannot be made again."""

    file: str
    what: str
    segment: int | None = None

    @property
    def can_be_repaired(self) -> bool:
        """Whether it can be made again from the documents."""
        return self.segment is not None


def check(files: Files, database: Database) -> list[Finding]:
    """Read every byte that matters, and compare segments with documents."""
    findings = [Finding(str(database.path), problem) for problem in database.problems()]
    if findings:
        return findings
    findings += _check_documents(database)
    try:
        load_pinned(database)
    except TwicetoldError as error:
        findings.append(Finding(str(database.path), f"pinned statistics: {error}"))
    held, broken = _check_segments(files, database)
    findings += broken
    documents = set(database.all_numbers())
    if not broken and (lost := documents - held):
        msg = f"{len(lost)} documents are in no segment, the first has number {min(lost)}"
        findings.append(Finding(str(database.path), msg, segment=-1))
    return findings


def _check_documents(database: Database) -> list[Finding]:
    findings = []
    try:
        for _ in database.documents():
            pass
    except Exception as error:  # noqa: BLE001 - whatever a damaged row makes fail is to be told
        findings.append(Finding(str(database.path), str(error)))
    return findings


def _check_segments(files: Files, database: Database) -> tuple[set[int], list[Finding]]:
    """Return the numbers of the documents that healthy segments hold, and the others."""
    held: set[int] = set()
    findings = []
    removed = {number for _, number in database.removed_since(-1)}
    _, _, horizon = database.state()
    for name, row in database.segments().items():
        content = database.content(name)
        path = str(database.path) if content is not None else str(files.segment(name))
        try:
            if content is not None:
                segment = _kernel.Segment.of(f"segment {name}", content)
            else:
                segment = _kernel.Segment.open(path)
            segment.check()
        except TwicetoldError as error:
            findings.append(Finding(path, str(error), segment=name))
            continue
        if segment.n_documents != row.documents or segment.n_bytes != row.size:
            findings.append(Finding(path, "is not the segment that was named", segment=name))
            continue
        held |= {
            number
            for number, time in segment.rows()
            if number not in removed and (horizon is None or time >= horizon)
        }
    return held, findings


def repair(writer: Writer) -> list[Finding]:
    """Make segments again that are damaged or missing."""
    core = writer.core
    findings = check(core.files, core.database)
    broken = [found.segment for found in findings if found.segment is not None]
    if not broken:
        return findings
    names = [name for name in broken if name > 0]
    held, _ = _check_segments(core.files, core.database)
    lost = [number for number in core.database.all_numbers() if number not in held]
    # Damaged ones cannot be opened: what is left is opened after the commit.
    core.parts.commit = core.database.get("commit")
    writer.rewrite(core.database.documents(lost), names)
    return findings

"""Whether the files of an index are what was written, and how to mend those that can be mended."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from twicetold import _kernel
from twicetold.errors import IndexDamagedError, TwicetoldError
from twicetold.index.connection import EXPORT_HELPS
from twicetold.index.database import Database, SegmentRow
from twicetold.index.files import Files
from twicetold.index.parts import EVER, is_named
from twicetold.index.pinning import load_pinned
from twicetold.index.raw import log_of
from twicetold.index.writing import Writer
from twicetold.pipeline import Progress, ignore
from twicetold.records import Document

__all__ = ["Finding", "check", "repair", "salvage"]

#: Documents between two words on how far a check is.
_STEP = 1000


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


def check(
    files: Files, database: Database, progress: Callable[[Progress], None] = ignore
) -> list[Finding]:
    """Read every byte that matters, and compare segments with documents."""
    path = str(database.path)
    findings = [Finding(str(log_of(database.path)), what) for what in database.log_problems()]
    try:
        findings += [Finding(path, problem) for problem in database.problems()]
        if findings:
            return findings
        database_findings = _check_documents(database, progress)
        load_pinned(database)
        # Of a damaged row the length of the text is not known.
        if not database_findings and database.counts() != database.counted():
            what = "its counts of documents, or of removed ones, are not those of its tables"
            database_findings.append(Finding(path, what, segment=-1))
    except TwicetoldError as error:
        return [*findings, Finding(path, str(error).removeprefix(f"{path}: "))]
    documents = set(database.all_numbers())
    held, broken = _check_segments(files, database, documents, progress)
    findings = [*database_findings, *broken]
    if not broken and (lost := documents - held):
        msg = f"{len(lost)} documents are in no segment, the first has number {min(lost)}"
        findings.append(Finding(path, msg, segment=-1))
    return findings


def _check_documents(database: Database, progress: Callable[[Progress], None]) -> list[Finding]:
    path = str(database.path)
    found: list[str] = []
    total = database.n_documents()
    for n, _ in enumerate(database.documents(damaged=found.append)):
        if n % _STEP == 0:
            progress(Progress("texts", n, total, "documents"))
    return [Finding(path, what.removeprefix(f"{path}: ")) for what in found]


def _check_segments(
    files: Files,
    database: Database,
    documents: set[int],
    progress: Callable[[Progress], None] = ignore,
) -> tuple[set[int], list[Finding]]:
    """Return the numbers of the documents that healthy segments hold, and the others."""
    held: set[int] = set()
    findings = []
    removed = database.removed()
    _, _, horizon = database.state()
    rows = database.segments()
    for n, (name, row) in enumerate(rows.items()):
        progress(Progress("segments", n, len(rows), "segments"))
        path = str(database.path)
        try:
            content = database.content(name)
            if content is None:
                path = str(files.segment(name))
            times = _times(path, content, row)
        except TwicetoldError as error:
            findings.append(Finding(path, str(error).removeprefix(f"{path}: "), segment=name))
            continue
        live = {n for n, time in times.items() if n not in removed and time >= (horizon or EVER)}
        noted = all(removed.get(number, time) == time for number, time in times.items())
        if not noted or not live <= documents or live & held:
            # Its own checksum holds, so it may as well be the other file that is wrong.
            what = f"segment {name} holds other documents than {database.path} says"
            findings.append(Finding(path, what, segment=name))
            continue
        held |= live
    return held, findings


def _times(path: str, content: bytes | None, row: SegmentRow) -> dict[int, int]:
    """Return the documents of a segment with their times, after reading all of it."""
    if content is None:
        segment = _kernel.Segment.open(path)
    else:
        segment = _kernel.Segment.of(f"{path}: segment {row.name}", content)
    segment.check()
    if not is_named(segment, row):
        msg = f"{path}: is not the segment that was named"
        raise IndexDamagedError(msg)
    return dict(segment.rows())


def repair(writer: Writer, progress: Callable[[Progress], None] = ignore) -> list[Finding]:
    """Make segments again that are damaged or missing."""
    core = writer.core
    findings = check(core.files, core.database, progress)
    broken = [found.segment for found in findings if found.segment is not None]
    if not broken:
        return findings
    names = [name for name in broken if name > 0]
    documents = core.database.all_numbers()
    held, _ = _check_segments(core.files, core.database, set(documents), progress)
    lost = [number for number in documents if number not in held]
    # Damaged ones cannot be opened: what is left is opened after the commit.
    core.parts.commit = core.database.get("commit")

    def made(done: int) -> None:
        progress(Progress("repair", done, len(lost), "documents"))

    made(0)
    again = core.database.documents(lost, blanks=True)
    writer.rewrite(again, names, core.database.recount, progress=made)
    core.files.sweep(core.database.segments())
    return findings


def _wanted(database: Database) -> int | None:
    """Return how many documents there are to be; None: that cannot be read."""
    with contextlib.suppress(IndexDamagedError):
        return database.n_documents()
    return None


def salvage(path: str | Path, damaged: Callable[[str], None], /) -> Iterator[Document]:
    """Yield the documents of an index that can be read; of the others ``damaged`` is told.

    Nothing else of the index has to be in order. If nothing can be read, that is an error.
    """
    found = 0
    try:
        with closing(Database.open(Files(path).database, is_whole=False)) as database:
            told: list[str] = []

            def tell(what: str) -> None:
                told.append(what)
                damaged(what)

            for _, _, document in database.documents(damaged=tell):
                found += 1
                yield document
            wanted = _wanted(database)
            if not told and wanted is not None and found != wanted:
                damaged(database.not_all(found, wanted))
    except IndexDamagedError as error:
        what = str(error).removesuffix(EXPORT_HELPS)
        if found:
            damaged(f"{what}; nothing more of it can be read")
            return
        msg = f"{what}; nothing of it can be read, go back to a copy of it"
        raise IndexDamagedError(msg) from error

"""The options that say where a deduplicated collection goes, and the way there."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from twicetold.cli.exits import tell, writing
from twicetold.cli.output import manifest_options
from twicetold.cli.sections import apply, option
from twicetold.deduplicating import Deduplicated, check_ledger, save
from twicetold.deduplicating.report import removal_lines, summary_lines
from twicetold.deduplicating.writing import write_rows
from twicetold.documents import Report
from twicetold.errors import ParameterError
from twicetold.pipeline import Progress
from twicetold.reports.files import check_outputs, kind_of
from twicetold.reports.manifest import write_manifest

__all__ = ["DedupeOutput", "output_options"]

_SECTION = "What to write"

output_options = apply(
    option(
        _SECTION,
        "-o",
        "--output",
        metavar="FILE",
        help="what is kept: .jsonl, .csv (also with .gz or .zst) or .parquet; - prints JSON Lines",
    ),
    option(
        _SECTION,
        "--ledger",
        metavar="FILE",
        help="what was removed: .jsonl, also with .gz or .zst  [default: OUTPUT.ledger.jsonl]",
    ),
    option(_SECTION, "--no-ledger", is_flag=True, help="write no ledger: there is no way back"),
    option(
        _SECTION,
        "--restore",
        metavar="LEDGER",
        help="bring back what was removed from SOURCES, which is the output of an earlier run",
    ),
    option(_SECTION, "--dry-run", is_flag=True, help="write nothing, only say what would go"),
    option(_SECTION, "--json", "json", is_flag=True, help="print every removal as JSON Lines"),
    option(
        _SECTION,
        "--limit",
        type=click.IntRange(min=0),
        metavar="INTEGER",
        default=10,
        show_default=True,
        help="removals that are shown otherwise; 0: none",
    ),
    manifest_options("OUTPUT.manifest.json"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupeOutput:
    """Where everything goes. Made, and so checked, before anything is read."""

    file: Path | None
    ledger: Path | None
    manifest: Path | None
    to_stdout: bool
    json: bool
    limit: int
    quiet: bool

    @classmethod
    def of(cls, given: dict[str, Any], sources: tuple[str, ...]) -> DedupeOutput:
        """Make sure that everything asked for can be written."""
        to_stdout = given["output"] == "-" and not given["dry_run"]
        file = None if to_stdout or given["dry_run"] else _named(given, "output")
        if file is None and not to_stdout and not given["dry_run"]:
            msg = "nowhere to write; name a file with -o, or say --dry-run"
            raise ParameterError(msg)
        if to_stdout and given["json"]:
            msg = "-o - prints what is kept and --json what is removed; write one to a file"
            raise ParameterError(msg)
        ledger, manifest = (None if given["dry_run"] else _named(given, n) for n in _BESIDE)
        if file is not None:
            kind_of(file)
            if ledger is None and not given["no_ledger"]:
                ledger = file.with_name(f"{file.name}.ledger.jsonl")
            if manifest is None and not given["no_manifest"]:
                manifest = file.with_name(f"{file.name}.manifest.json")
        if ledger is not None:
            check_ledger(ledger)
        read = (*sources, *given["against"])
        check_outputs((file, ledger, manifest), read, format=given["format"])
        return cls(
            file=file,
            ledger=ledger,
            manifest=manifest,
            to_stdout=to_stdout,
            json=given["json"],
            limit=given["limit"],
            quiet=given["quiet"],
        )

    @property
    def files(self) -> list[Path]:
        """The files that are written."""
        return [path for path in (self.file, self.ledger, self.manifest) if path is not None]

    @staticmethod
    def restoring(given: dict[str, Any], sources: tuple[str, ...]) -> tuple[Path, Path]:
        """Return the file to complete, and the file to write."""
        restored = _named(given, "output")
        if len(sources) != 1 or restored is None:
            msg = "--restore takes one file, the output of an earlier run, and -o with a new name"
            raise ParameterError(msg)
        for path in (sources[0], given["restore"]):
            if not Path(path).is_file():
                msg = f"{path}: no such file; name the output of an earlier run, and its ledger"
                raise ParameterError(msg)
        kind_of(restored)
        check_outputs([restored], [sources[0], given["restore"]])
        return Path(sources[0]), restored

    def write(self, found: Deduplicated, progress: Callable[[Progress], None]) -> None:
        """Write the files."""
        start = time.perf_counter()
        if self.file is not None or self.ledger is not None:
            with writing(str(self.file or self.ledger)):
                save(found, self.file, self.ledger, progress=progress)
        found.manifest.seconds["write"] = time.perf_counter() - start
        if self.manifest is not None:
            with writing(str(self.manifest)):
                write_manifest(found.manifest, self.manifest)

    def tell(self, found: Deduplicated, report: Report) -> None:
        """Print what was removed, or all of it as JSON."""
        for name in found.missing:
            tell(f"--prefer {name}: no document has this source")
        with writing("standard output"):
            if self.to_stdout:
                write_rows(found.contents(), sys.stdout.buffer, "jsonl", None)
            elif self.json:
                self._print_json(found)
            elif not self.quiet:
                self._print(found, report)
            sys.stdout.flush()
        if (self.to_stdout or self.json) and sys.stderr.isatty() and not self.quiet:
            for line in summary_lines(found, bytes_read=report.bytes_read):
                tell(line)

    def _print_json(self, found: Deduplicated) -> None:
        import json

        for removal in found.removals:
            click.echo(json.dumps(removal.to_json(), ensure_ascii=False))

    def _print(self, found: Deduplicated, report: Report) -> None:
        # A letter that the encoding of the terminal lacks is no reason to stop.
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        for line in removal_lines(found, self.limit):
            click.echo(line)
        for line in summary_lines(found, bytes_read=report.bytes_read):
            click.echo(line)
        if self.file is None:
            click.echo("nothing was written: this was a dry run")
        elif self.ledger is not None:
            click.echo(f"kept: {self.file}; removed, and why: {self.ledger}")
        else:
            click.echo(f"kept: {self.file}")


_BESIDE = ("ledger", "manifest")


def _named(given: dict[str, Any], name: str) -> Path | None:
    return Path(given[name]) if given[name] else None

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
from twicetold.deduplicating.sampling import answers_beside, write_sample
from twicetold.deduplicating.writing import write_rows
from twicetold.documents import Report
from twicetold.errors import ParameterError
from twicetold.pipeline import Progress
from twicetold.reports.files import check_outputs, kind_of
from twicetold.reports.manifest import write_manifest
from twicetold.reports.side_by_side import check_readable

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
    option(
        _SECTION,
        "--sample",
        type=click.IntRange(min=1),
        metavar="INTEGER",
        help="write so many removals, drawn at random, for reading: what goes beside what stays",
    ),
    option(
        _SECTION,
        "--sample-output",
        metavar="FILE",
        help="where: .html, .md or .txt, and beside it the lines for answers, .jsonl  "
        "[default: OUTPUT.sample.html]",
    ),
    option(
        _SECTION,
        "--sample-seed",
        type=int,
        metavar="INTEGER",
        default=0,
        show_default=True,
        help="of what is drawn",
    ),
    manifest_options("OUTPUT.manifest.json"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Removals that are written for reading: how many, where, and of which set."""

    size: int
    file: Path
    seed: int
    name: str

    @classmethod
    def of(
        cls, given: dict[str, Any], sources: tuple[str, ...], output: Path | None
    ) -> Sample | None:
        """Return what was asked for, or None."""
        named = _named(given, "sample_output")
        if given["sample"] is None:
            if named is not None:
                msg = "--sample-output says where, not how many; give --sample INTEGER as well"
                raise ParameterError(msg)
            return None
        file = named or (output and output.with_name(f"{output.name}.sample.html"))
        if file is None:
            msg = "nowhere to write the sample; name a file with --sample-output"
            raise ParameterError(msg)
        check_readable(file)
        names = [Path(source) for source in sources]
        plain = (path.parent.name if path.stem == "documents" else path.stem for path in names)
        name = " ".join(name for name in plain if name) or "documents"
        return cls(size=given["sample"], file=file, seed=given["sample_seed"], name=name)

    @property
    def files(self) -> list[Path]:
        """The file for reading, and the one for answers."""
        return [self.file, answers_beside(self.file)]


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
    sample: Sample | None = None

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
        sample = Sample.of(given, sources, file)
        further = sample.files if sample is not None else []
        read = (*sources, *given["against"])
        inputs = (given["statistics"], given["model"])
        outputs = (file, ledger, manifest, *further)
        check_outputs(outputs, read, inputs=inputs, format=given["format"])
        return cls(
            file=file,
            ledger=ledger,
            manifest=manifest,
            to_stdout=to_stdout,
            json=given["json"],
            limit=given["limit"],
            quiet=given["quiet"],
            sample=sample,
        )

    @property
    def files(self) -> list[Path]:
        """The files that are written."""
        own = [path for path in (self.file, self.ledger, self.manifest) if path is not None]
        return own + (self.sample.files if self.sample is not None else [])

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
        check_outputs([restored], inputs=[sources[0], given["restore"]])
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
        if (own := self.sample) is not None:
            with writing(str(own.file)):
                write_sample(found, own.file, own.size, name=own.name, seed=own.seed)

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
            nothing = "nothing else" if self.sample is not None else "nothing"
            click.echo(f"{nothing} was written: this was a dry run")
        elif self.ledger is not None:
            click.echo(f"kept: {self.file}; removed, and why: {self.ledger}")
        else:
            click.echo(f"kept: {self.file}")
        if self.sample is not None:
            read, answers = self.sample.files
            click.echo(f"for reading: {read}; for answers: {answers}")


_BESIDE = ("ledger", "manifest")


def _named(given: dict[str, Any], name: str) -> Path | None:
    return Path(given[name]) if given[name] else None

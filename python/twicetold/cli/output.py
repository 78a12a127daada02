"""The options that say where pairs go, and the way there."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import click

from twicetold.cli.exits import tell, writing
from twicetold.cli.sections import Command, apply, option
from twicetold.documents import Report
from twicetold.pairs import Pairs
from twicetold.records import Document
from twicetold.reports.files import (
    check_outputs,
    check_page,
    kind_of,
    write_clusters,
    write_jsonl,
    write_pairs,
)
from twicetold.reports.manifest import write_manifest
from twicetold.reports.words import found_lines

__all__ = ["Output", "manifest_options", "output_options"]

_SECTION = "What to write"


def manifest_options(default: str) -> Callable[[Command], Command]:
    """Return a decorator that adds what says where the manifest goes."""
    return apply(
        option(
            _SECTION,
            "--manifest",
            metavar="FILE",
            help=f"write versions, parameters, counts and times as JSON  [default: {default}]",
        ),
        option(_SECTION, "--no-manifest", is_flag=True, help="write no manifest beside the output"),
    )


output_options = apply(
    option(
        _SECTION,
        "-o",
        "--output",
        metavar="FILE",
        help="write all pairs to a file: .jsonl, .csv (also with .gz or .zst) or .parquet; "
        "- is --json",
    ),
    option(_SECTION, "--json", "json", is_flag=True, help="print all pairs as JSON Lines"),
    option(
        _SECTION,
        "--limit",
        type=click.IntRange(min=0),
        metavar="INTEGER",
        default=20,
        show_default=True,
        help="rows of the table that is printed otherwise; 0: none",
    ),
    option(
        _SECTION,
        "--report",
        "page",
        metavar="FILE.html",
        help="one page: clusters, pairs with their passages, graph, sources, mosaics; needs no "
        "network",
    ),
    option(
        _SECTION,
        "--clusters",
        metavar="FILE.jsonl",
        help="write the documents that pairs join, each cluster with its worst pair and bridges",
    ),
    manifest_options("OUTPUT.manifest.json with --output"),
)


class Output(NamedTuple):
    """Where the pairs go. Made, and so checked, before anything is read."""

    file: Path | None
    manifest: Path | None
    page: Path | None
    clusters: Path | None
    json: bool
    limit: int
    quiet: bool

    @classmethod
    def of(cls, given: dict[str, Any], sources: tuple[str, ...]) -> Output:
        """Make sure that everything asked for can be written."""
        to_stdout = given["output"] == "-"
        file = Path(given["output"]) if given["output"] and not to_stdout else None
        manifest, page, clusters = (
            Path(given[name]) if given[name] else None for name in ("manifest", "page", "clusters")
        )
        if file is not None:
            kind_of(file)
            if manifest is None and not given["no_manifest"]:
                manifest = file.with_name(f"{file.name}.manifest.json")
        output = cls(
            file=file,
            manifest=manifest,
            page=page,
            clusters=clusters,
            json=given["json"] or to_stdout,
            limit=given["limit"],
            quiet=given["quiet"],
        )
        inputs = (given["statistics"], given["model"])
        check_outputs(output.files, sources, inputs=inputs, format=given["format"])
        if page is not None:
            check_page(page)
        return output

    @property
    def files(self) -> list[Path]:
        """The files that are written."""
        files = (self.file, self.manifest, self.page, self.clusters)
        return [path for path in files if path is not None]

    def save(self, pairs: Pairs, documents: Iterable[Document]) -> None:
        """Write the files that were asked for; only a page takes the documents.

        Files come before anything is printed, since a pipe may close early.
        """
        if self.file is not None:
            with writing(str(self.file)):
                write_pairs(pairs, self.file)
        if self.page is not None or self.clusters is not None:
            self._save_clusters(pairs, documents)
        if self.manifest is not None:
            with writing(str(self.manifest)):
                write_manifest(pairs.manifest, self.manifest)

    def _save_clusters(self, pairs: Pairs, documents: Iterable[Document]) -> None:
        from twicetold.clusters import find_clusters

        found = find_clusters(pairs)
        pairs.manifest.counts["clusters"] = len(found)
        pairs.manifest.counts["bridges"] = sum(len(cluster.bridges) for cluster in found)
        if self.clusters is not None:
            with writing(str(self.clusters)):
                write_clusters(found, self.clusters)
        if self.page is not None:
            from twicetold.reports.scan_page import write_scan_page

            with writing(str(self.page)):
                write_scan_page(pairs, documents, self.page, clusters=found)

    def show(self, pairs: Pairs, report: Report) -> None:
        """Print what was asked for."""
        with writing("standard output"):
            if self.json:
                write_jsonl(pairs, sys.stdout.buffer)
                self._tell(pairs, report)
            elif not self.quiet:
                self._print(pairs, report)
            sys.stdout.flush()

    def _tell(self, pairs: Pairs, report: Report) -> None:
        """Say beside the pairs what was found, if somebody is looking."""
        if sys.stderr.isatty() and not self.quiet:
            for line in found_lines(pairs, bytes_read=report.bytes_read):
                tell(line)

    def _print(self, pairs: Pairs, report: Report) -> None:
        from twicetold.reports.table import print_table

        # A letter that the encoding of the terminal lacks is no reason to stop.
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        if len(pairs) and self.limit:
            print_table(pairs, sys.stdout, limit=self.limit)
            click.echo()
        for line in found_lines(pairs, bytes_read=report.bytes_read):
            click.echo(line)
        rest = len(pairs) - self.limit
        if self.file is not None:
            click.echo(f"all pairs are in {self.file}")
        elif rest > 0:
            click.echo(f"{rest:,} more: write them all with -o pairs.jsonl")
        for name, path in (("clusters", self.clusters), ("report", self.page)):
            if path is not None:
                click.echo(f"{name}: {path}")

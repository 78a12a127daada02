"""``twicetold experiment``: the experiments of the papers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from twicetold.cli import deciding
from twicetold.cli.exits import tell, writing
from twicetold.cli.progress import Watch, progress_options
from twicetold.cli.sections import Sectioned, option
from twicetold.experiments import EXPERIMENTS, outcome_lines, run, save
from twicetold.reports.files import check_outputs

__all__ = ["command"]

_ASKED = ("documents", "labels", "seed", "threads")


@click.command("experiment", cls=Sectioned)
@click.argument("name", required=False)
@option(
    "What to read",
    "--data",
    metavar="SOURCE",
    multiple=True,
    help="documents: files, folders or globs; give any number",
)
@option(
    "What to read",
    "--labels",
    metavar="PATH",
    help="a labelled set to judge by  [default: reuse is planted into the data]",
)
@option(
    "What to read",
    "--documents",
    type=click.IntRange(min=1),
    metavar="INTEGER",
    help="take the first so many  [default: what the experiment says]",
)
@option(
    "How to decide",
    "--seed",
    type=int,
    metavar="INTEGER",
    default=0,
    show_default=True,
    help="of what is drawn at random",
)
@deciding.threads_option
@option(
    "What to write",
    "-o",
    "--output",
    metavar="FOLDER",
    default="experiments",
    show_default=True,
    help="where table (CSV), plot (PNG, SVG) and everything (JSON) go",
)
@progress_options
def command(name: str | None, data: tuple[str, ...], output: str, **given: Any) -> None:
    """Repeat an experiment of a paper on a collection: our numbers beside the paper's.

    Without NAME, list the experiments.
    """
    if name is None:
        width = max(map(len, EXPERIMENTS))
        for known, experiment in EXPERIMENTS.items():
            size = f"{experiment.documents:,} documents"
            click.echo(f"{known:<{width}}  {experiment.help}  [{size}]")
        return
    outputs = [Path(output) / f"{name}.{suffix}" for suffix in ("csv", "json", "png", "svg")]
    check_outputs([path for path in outputs if path.exists()], data)
    asked = {key: given[key] for key in _ASKED}
    with Watch(bar=given["progress"], quiet=given["quiet"], first=None) as watch:
        outcome = run(name, data, **asked, progress=watch.progress)
    files, missing = save(outcome, output, settings={"data": list(data), **asked})
    if given["quiet"]:
        return
    with writing("standard output"):
        for line in outcome_lines(outcome):
            click.echo(line)
        click.echo(f"written: {', '.join(map(str, files))}")
    if missing is not None:
        tell(missing)

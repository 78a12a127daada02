"""``twicetold pool``: a test collection, nominated by detectors and judged by people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from twicetold.cli import deciding
from twicetold.cli.exits import tell, writing
from twicetold.cli.groups import Entry, LazyGroup, help_unless_called
from twicetold.cli.inputs import reading, reading_options, tell_problems
from twicetold.cli.progress import Watch, progress_options
from twicetold.cli.sections import Sectioned, option
from twicetold.errors import ParameterError
from twicetold.evaluation import collecting, pooling
from twicetold.evaluation.permissive import overrides, permissive_model
from twicetold.evaluation.pool import ADJUDICATOR, Pool
from twicetold.evaluation.pool_report import status_lines
from twicetold.pipeline import DETECTORS
from twicetold.reports.words import count_of

__all__ = ["adjudicate", "collect", "group", "nominate", "status"]

_METHODS = ", ".join(pooling.default_methods())
_quiet_option = option("Other", "-q", "--quiet", is_flag=True, help="print nothing but errors")


@click.command(cls=Sectioned)
@click.argument("folder")
@click.argument("sources", nargs=-1)
@reading_options
@option(
    "Who nominates",
    "--method",
    "methods",
    type=click.Choice(list(DETECTORS)),
    multiple=True,
    help=f"a detector, with permissive parameters; give any number  [default: {_METHODS}]",
)
@option(
    "Who nominates",
    "--model",
    "models",
    metavar="FILE",
    multiple=True,
    help="a model from `twicetold learn`, from a probability of 0.1 on; give any number",
)
@option(
    "Who nominates",
    "--set",
    "given_parameters",
    metavar="METHOD.PARAMETER=VALUE",
    multiple=True,
    help="a parameter instead of the permissive one; give any number",
)
@option(
    "Who nominates",
    "--top",
    type=click.IntRange(min=1),
    metavar="INTEGER",
    help="only so many of the best pairs of each method  [default: all]",
)
@option(
    "Who nominates",
    "--sample",
    type=click.IntRange(min=1),
    metavar="INTEGER",
    help="only so many pairs are judged, drawn from strata and weighed by their sizes; equal texts "
    "are left out  [default: all]",
)
@deciding.language_option
@deciding.threads_option
@option(
    "Who judges",
    "--groups",
    type=click.IntRange(min=1),
    metavar="INTEGER",
    default=20,
    show_default=True,
    help="into how many groups the pairs are divided",
)
@option(
    "Who judges",
    "--assessor",
    "assessors",
    metavar="NAME",
    multiple=True,
    default=("first", "second"),
    show_default=True,
    help="give it twice: the two who judge every pair",
)
@option(
    "Who judges",
    "--group-seed",
    type=int,
    metavar="INTEGER",
    default=0,
    show_default=True,
    help="of the sample and the division into groups",
)
@progress_options
def nominate(folder: str, sources: tuple[str, ...], **given: Any) -> None:
    """Let detectors nominate pairs, and write the files in which people judge them.

    FOLDER becomes a pool of the documents of SOURCES. Called again for a pool that is there,
    without SOURCES, further methods add to it: only their new pairs are asked for, and no
    judgement is touched.
    """
    names = (
        "top",
        "language",
        "threads",
        "groups",
        "assessors",
        "group_seed",
        "sample",
    )
    _refuse_later(folder)
    models = [permissive_model(deciding.model_detector(path)) for path in given["models"]]
    with Watch.of(given) as watch:
        counts = pooling.nominate(
            folder,
            sources,
            methods=[*given["methods"], *models],
            **{name: given[name] for name in names},
            parameters=overrides(given["given_parameters"]),
            **reading(given),
            report=watch.report,
            progress=watch.progress,
        )
    if not given["quiet"]:
        for method in (*DETECTORS, *(model.name for model in models)):
            if method in counts:
                click.echo(f"{method}: {count_of(counts[method], 'pair')}")
        if "strata" in counts:
            drawn = f"{counts['new']:,} of {count_of(counts['nominated'], 'pair')} drawn"
            equal = f"{counts['equal_texts']:,} of equal texts left out"
            click.echo(f"{drawn}, strata: {counts['strata']:,}; {equal}")
        new, every = counts["new"], counts["pairs"]
        click.echo(f"{folder}: {count_of(new, 'new pair')}, {every:,} in all")
        click.echo(f"to judge: {Path(folder) / 'judgements'}")
        click.echo(f"to read: {Path(folder) / 'reading'}; {Path(folder) / 'RUBRIC.md'}")
        tell_problems(watch.report)


@click.command(cls=Sectioned)
@click.argument("folder")
@option("What to write", "--json", "as_json", is_flag=True, help="print one JSON object")
def status(folder: str, *, as_json: bool) -> None:
    """Show how far the judging is and how far the assessors agree: Cohen's kappa."""
    found = collecting.status(folder)
    with writing("standard output"):
        if as_json:
            click.echo(json.dumps(found, ensure_ascii=False, indent=2))
            return
        for line in status_lines(found):
            click.echo(line)
    _tell(found["problems"])


@click.command(cls=Sectioned)
@click.argument("folder")
@_quiet_option
def adjudicate(folder: str, *, quiet: bool) -> None:
    """Write what the two assessors judge differently for the adjudicator."""
    found = collecting.adjudicate(folder)
    if not quiet:
        conflicts = count_of(found["conflicts"], "conflict")
        click.echo(f"{folder}: {conflicts}, {found['written']:,} new, {found['open']:,} open")
        if found["open"]:
            click.echo(f"to judge: {Path(folder) / 'judgements' / ADJUDICATOR}")
    _tell(found["problems"])


@click.command(cls=Sectioned)
@click.argument("folder")
@option(
    "What to write",
    "-o",
    "--output",
    metavar="FOLDER",
    required=True,
    help="where to write judgements.jsonl and documents.jsonl",
)
@_quiet_option
def collect(folder: str, *, output: str, quiet: bool) -> None:
    """Write the judged pairs as a test collection for `twicetold evaluate`."""
    found = collecting.collect(folder, output)
    if not quiet:
        pairs = count_of(found["pairs"], "judged pair")
        said = f"{found['related']:,} related, {found['taken']:,} taken"
        click.echo(f"{output}: {pairs}, {said}; {found['left_out']:,} open")
    _tell(found["problems"])


def _refuse_later(folder: str) -> None:
    """Refuse what can only be said when a pool is made, if it is there already."""
    ctx = click.get_current_context()
    names = {"groups": "--groups", "assessors": "--assessor", "group_seed": "--group-seed"}
    given = [
        option
        for name, option in names.items()
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
    ]
    if given and Pool.exists(Path(folder)):
        msg = f"{folder}: is a pool already, which {given[0]} cannot change; leave it out"
        raise ParameterError(msg)


def _tell(problems: list[str]) -> None:
    for problem in problems:
        tell(problem)


@click.group(
    "pool",
    cls=LazyGroup,
    table={
        "nominate": Entry(f"{__name__}:nominate", "let detectors nominate pairs"),
        "status": Entry(f"{__name__}:status", "how far the judging is, and the kappa"),
        "adjudicate": Entry(f"{__name__}:adjudicate", "write conflicts for the adjudicator"),
        "collect": Entry(f"{__name__}:collect", "write the test collection"),
    },
    invoke_without_command=True,
)
@click.pass_context
def group(ctx: click.Context) -> None:
    """Make a test collection: detectors nominate, two assessors judge, a third decides."""
    help_unless_called(ctx)

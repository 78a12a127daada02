"""``twicetold statistics``: build and show statistics, or take those of a language."""

from __future__ import annotations

import json
from typing import Any

import click
from click.core import ParameterSource

from twicetold.cli import deciding
from twicetold.cli.exits import writing
from twicetold.cli.groups import Entry, LazyGroup, help_unless_called
from twicetold.cli.inputs import reading, reading_options, tell_problems
from twicetold.cli.options import given_parameters, method_options
from twicetold.cli.progress import Watch, progress_options
from twicetold.cli.sections import Sectioned, option
from twicetold.counting import build_statistics
from twicetold.documents import SourcePath
from twicetold.reports.files import check_output, check_outputs
from twicetold.reports.statistics import describe, statistics_lines
from twicetold.reports.words import count_of
from twicetold.statistics import Statistics

__all__ = ["build", "group", "reference", "show"]

_DECIDING = ("max_key_documents", "keep_boilerplate", "language", "profile", "threads")
_output_option = option(
    "What to write", "-o", "--output", metavar="FILE", required=True, help="where to write them"
)


@click.command(cls=Sectioned)
@click.argument("sources", nargs=-1, required=True, type=SourcePath)
@reading_options
@method_options("How to decide", default="retelling", several=True)
@option(
    "How to decide",
    "--model",
    metavar="FILE",
    help="count for a model from `twicetold learn`: for its methods, as it analyses",
)
@deciding.max_key_documents_option
@deciding.keep_boilerplate_option
@deciding.language_option
@deciding.profile_option
@deciding.threads_option
@_output_option
@progress_options
@click.pass_context
def build(
    ctx: click.Context,
    /,
    sources: tuple[str, ...],
    output: str,
    methods: tuple[str, ...],
    **given: Any,
) -> None:
    """Count the terms of a collection, and pin what is too frequent to tell documents apart.

    SOURCES are files, folders, globs, or - for standard input, in any mixture. What is too
    frequent is pinned for the methods and parameters given; what they want counted beside
    terms, such as 4-grams of characters or correlations of words, is counted as well.
    """
    check_outputs([output], sources, inputs=[given["model"]], format=given["format"])
    chosen: dict[str, Any] = {
        "method": methods[0] if len(methods) == 1 else methods,
        **given_parameters(ctx),
    }
    if given["model"] is not None:
        asked = ctx.get_parameter_source("methods") is ParameterSource.COMMANDLINE
        parameters = given_parameters(ctx)
        own = methods if asked else ()
        chosen = {
            "method": deciding.model_detector(given["model"], methods=own, parameters=parameters)
        }
    with Watch.of(given) as watch:
        statistics = build_statistics(
            sources,
            **{name: given[name] for name in _DECIDING},
            **reading(given),
            **chosen,
            leave_out=[output],
            origin=" ".join(sources),
            report=watch.report,
            progress=watch.progress,
        )
    _save(statistics, output, quiet=given["quiet"])
    if not given["quiet"]:
        tell_problems(watch.report)


@click.command(cls=Sectioned)
@click.argument("file")
@option(
    "What to show",
    "--top",
    type=click.IntRange(min=0),
    metavar="INTEGER",
    default=20,
    show_default=True,
    help="how many of the most frequent terms",
)
@option(
    "What to show", "--term", "words", metavar="WORD", multiple=True, help="a word; give any number"
)
@option("What to show", "--language", metavar="CODE", help="of the words  [default: detected]")
@option("What to show", "--json", "as_json", is_flag=True, help="print one JSON object")
def show(
    file: str, *, top: int, words: tuple[str, ...], language: str | None, as_json: bool
) -> None:
    """Show what is in a statistics file, and how much words weigh."""
    found = describe(Statistics.load(file), top=top, words=words, language=language)
    with writing("standard output"):
        if as_json:
            click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        else:
            for line in statistics_lines(found):
                click.echo(line)


@click.command(cls=Sectioned)
@click.argument("language")
@deciding.profile_option
@_output_option
@option("Other", "-q", "--quiet", is_flag=True, help="print nothing but errors")
def reference(*, language: str, profile: str | None, output: str, quiet: bool) -> None:
    """Make statistics of a language from word frequencies, for a start without a collection.

    LANGUAGE is a code such as en. Needs the extra `reference`.
    """
    from twicetold.reference import reference_statistics

    check_output(output)
    chosen = {} if profile is None else {"profile": profile}
    _save(reference_statistics(language, **chosen), output, quiet=quiet)


def _save(statistics: Statistics, path: str, *, quiet: bool) -> None:
    with writing(path):
        statistics.save(path)
    if not quiet:
        documents, terms = statistics.documents, statistics.n_terms
        click.echo(
            f"{path}: {count_of(terms, 'term')} of {count_of(documents, 'document')}, "
            f"version {statistics.version}"
        )


@click.group(
    "statistics",
    cls=LazyGroup,
    table={
        "build": Entry(f"{__name__}:build", "count the terms of a collection"),
        "show": Entry(f"{__name__}:show", "show what is in a statistics file"),
        "reference": Entry(f"{__name__}:reference", "make the reference of a language"),
    },
    invoke_without_command=True,
)
@click.pass_context
def group(ctx: click.Context) -> None:
    """Build and show statistics: how many documents hold each term.

    They decide how much a term weighs. Scans with the same statistics give comparable scores.
    """
    help_unless_called(ctx)

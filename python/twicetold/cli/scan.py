"""``twicetold scan``: find which documents are contained in which others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from twicetold.cli import deciding
from twicetold.cli.inputs import reading, reading_options, tell_problems
from twicetold.cli.output import Output, output_options
from twicetold.cli.progress import Watch, progress_options
from twicetold.cli.sections import Sectioned, option
from twicetold.documents import SourcePath
from twicetold.errors import ParameterError
from twicetold.pipeline import Detector, detector_class
from twicetold.scanning import scan

if TYPE_CHECKING:
    from twicetold.cli.twice import Twice

__all__ = ["command"]

_DECIDING = (
    "window",
    "floor",
    "all_pairs",
    "max_key_documents",
    "passages",
    "decision",
    "same_form",
    "keep_boilerplate",
    "language",
    "profile",
    "statistics",
    "threads",
)


@click.command("scan", cls=Sectioned)
@click.argument("sources", nargs=-1, required=True, type=SourcePath)
@reading_options
@option(
    "What to read",
    "--against",
    type=SourcePath,
    metavar="SOURCE",
    multiple=True,
    help="other files, folders or globs: only pairs of a document of SOURCES and one of these",
)
@deciding.detector_options
@deciding.model_option
@deciding.window_option
@deciding.floor_option
@deciding.decision_option
@deciding.same_form_option
@deciding.all_pairs_option
@deciding.max_key_documents_option
@deciding.passages_option
@deciding.keep_boilerplate_option
@deciding.language_option
@deciding.profile_option
@deciding.statistics_option
@deciding.threads_option
@output_options
@progress_options
@click.pass_context
def command(ctx: click.Context, /, sources: tuple[str, ...], **given: Any) -> None:
    """Find which documents are contained in which others.

    SOURCES are files, folders, globs, or - for standard input, in any mixture.
    """
    against = given["against"] or None
    if "-" in sources and "-" in given["against"]:
        msg = "standard input can be read once; give - as SOURCES or with --against, not both"
        raise ParameterError(msg)
    output = Output.of(given, (*sources, *(against or ())))
    chosen = deciding.chosen_method(ctx, given)
    asked = {name: given[name] for name in _DECIDING}
    if output.page is not None and asked["passages"] is None:
        asked["passages"] = _has_passages(**chosen) or None
    options = {**reading(given), "leave_out": output.files}
    with Watch.of(given) as watch:
        documents = _twice(sources, against, watch, options) if output.page is not None else None
        pairs = scan(
            sources if documents is None else documents.first,
            against=against if documents is None else documents.first_against,
            **asked,
            **options,
            **chosen,
            report=watch.report,
            progress=watch.progress,
        )
        pairs.manifest.parameters["sources"] = list(sources)
        if against is not None:
            pairs.manifest.parameters["against"] = list(against)
        output.save(pairs, () if documents is None else documents.again())
    output.show(pairs, watch.report)
    if not given["quiet"]:
        tell_problems(watch.report)


def _twice(
    sources: tuple[str, ...],
    against: tuple[str, ...] | None,
    watch: Watch,
    options: dict[str, Any],
) -> Twice:
    from twicetold.cli.twice import Twice

    return Twice(sources, against, watch.report, options)


def _has_passages(method: str | Detector, **_: Any) -> bool:
    """Return whether a method has passages to give, which a page shows unless told not to.

    A model may be made of several methods, and is asked for passages only by its user.
    """
    return isinstance(method, str) and detector_class(method).unit == "sentence"

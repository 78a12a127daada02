"""``twicetold evaluate`` of judged collections and of judged removals."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import click
from click.core import ParameterSource

from twicetold.cli import deciding
from twicetold.cli.exits import writing
from twicetold.cli.inputs import tell_problems
from twicetold.cli.options import given_parameters
from twicetold.cli.progress import Watch
from twicetold.cli.sections import apply, option
from twicetold.errors import ParameterError
from twicetold.evaluation.judged import JudgedSet, read_judged
from twicetold.evaluation.judged_evaluating import (
    JudgedEvaluation,
    evaluate_judged,
    evaluate_judged_all,
)
from twicetold.evaluation.judged_report import judged_lines
from twicetold.evaluation.mistakes import write_mistakes
from twicetold.evaluation.removals import evaluate_removals, removal_lines
from twicetold.reports.files import check_outputs
from twicetold.reports.side_by_side import check_readable
from twicetold.reports.words import count_of

__all__ = [
    "judge_collection",
    "judge_removals",
    "judged_options",
    "no_method",
    "refuse_options",
]

_SCANNING = ("decision", "max_key_documents", "language", "profile", "statistics", "threads")
_JUDGING = ("bootstrap", "sample_seed")
#: The options that say nothing where pairs have six answers.
_NOT_JUDGED = ("directed", "positive_from", "part", "test_part", "judge_by")
#: The options that say something of judged removals.
_OF_REMOVALS = {"path", "data", "as_json", "quiet", "progress"}

judged_options = apply(
    option(
        "How to judge",
        "--only-sure",
        is_flag=True,
        help="only judged pairs whose readers were sure",
    ),
    option(
        "What to write",
        "--errors",
        metavar="FILE",
        help="the judged pairs that a method is wrong about, both texts, worst first: .html, .md "
        "or .txt",
    ),
)


def refuse_options(ctx: click.Context, names: Iterable[str], where: str) -> None:
    """Refuse options that were given and that nothing would come of."""
    refused = set(names)
    for param in ctx.command.params:
        name = param.name or ""
        if name in refused and ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            msg = f"{param.opts[0]} has no meaning {where}; leave it out"
            raise ParameterError(msg)


def no_method(ctx: click.Context) -> None:
    """Refuse a method beside a file of pairs: nothing would come of it."""
    given = ("methods", "model")
    if any(ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in given):
        msg = "--pairs brings what a method found; leave out --method and --model, or --pairs"
        raise ParameterError(msg)


def judge_collection(
    ctx: click.Context, path: str, methods: tuple[str, ...], given: dict[str, Any]
) -> None:
    """Judge methods by pairs with one of six answers."""
    refuse_options(ctx, _NOT_JUDGED, "with judged pairs")
    if given["errors"] is not None:
        check_readable(given["errors"])
        further = (given["pairs"],) if given["pairs"] is not None else ()
        check_outputs([given["errors"]], [path, *given["documents"], *further])
    judged = read_judged(path, documents=given["documents"])
    if given["only_sure"]:
        judged = judged.sure()
    options = {name: given[name] for name in (*_SCANNING, *_JUDGING)}
    if ctx.get_parameter_source("floor") is ParameterSource.COMMANDLINE:
        options["floor"] = given["floor"]
    with Watch.of({**given, "strict": False}) as watch:
        options |= {"report": watch.report, "progress": watch.progress}
        found = _evaluations(ctx, judged, methods, given, options)
    wrong = None
    if given["errors"] is not None:
        with writing(given["errors"]):
            wrong = write_mistakes(found, given["errors"])
    with writing("standard output"):
        if given["as_json"]:
            _print_json(found)
        elif not given["quiet"]:
            for line in judged_lines(found):
                click.echo(line)
            if wrong is not None:
                click.echo(f"written: {count_of(wrong, 'pair')} to {given['errors']}")
    if not given["quiet"]:
        tell_problems(watch.report)


def _evaluations(
    ctx: click.Context,
    judged: JudgedSet,
    methods: tuple[str, ...],
    given: dict[str, Any],
    options: dict[str, Any],
) -> list[JudgedEvaluation]:
    parameters = given_parameters(ctx)
    if given["pairs"] is not None:
        no_method(ctx)
        return [evaluate_judged(judged, pairs=given["pairs"], **options, **parameters)]
    asked = ctx.get_parameter_source("methods") is ParameterSource.COMMANDLINE
    found = []
    if given["model"] is None or asked:
        found = evaluate_judged_all(judged, methods=methods, parameters=parameters, **options)
    if given["model"] is not None:
        own = {} if asked else parameters
        detector = deciding.model_detector(given["model"], parameters=own)
        found.append(evaluate_judged(judged, method=detector, **options))
    return found


def _print_json(found: list[JudgedEvaluation]) -> None:
    every = [one.to_json() for one in found]
    first, *others = found
    whole = every[0]
    if others:
        more = {
            other.method: {
                question: {
                    name: {"difference": value, "interval": list(ends)}
                    for name, (value, ends) in other.more_than(first, question).items()
                }
                for question in other.views
            }
            for other in others
        }
        whole = {"evaluations": every, "more_than_first": more}
    click.echo(json.dumps(whole, ensure_ascii=False, indent=2))


def judge_removals(ctx: click.Context, path: str, given: dict[str, Any]) -> None:
    """Tell what share of judged removals loses something."""
    others = {param.name or "" for param in ctx.command.params} - _OF_REMOVALS
    refuse_options(ctx, others, "with judged removals")
    found = evaluate_removals(path)
    with writing("standard output"):
        if given["as_json"]:
            click.echo(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
        else:
            for line in removal_lines(found):
                click.echo(line)

"""``twicetold evaluate``: how well detectors do on labelled data."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from twicetold.cli import deciding
from twicetold.cli.evaluate_judged import (
    judge_collection,
    judge_removals,
    judged_options,
    no_method,
    refuse_options,
)
from twicetold.cli.exits import writing
from twicetold.cli.inputs import tell_problems
from twicetold.cli.options import given_parameters, method_options
from twicetold.cli.progress import Watch, progress_options
from twicetold.cli.sections import Sectioned, apply, option
from twicetold.evaluation import (
    MEASURES,
    SETS,
    Evaluation,
    LabelledSet,
    evaluate,
    evaluate_all,
    read_labels,
)
from twicetold.evaluation.removals import is_removals
from twicetold.evaluation.report import evaluation_lines
from twicetold.evaluation.sets import JUDGED, format_of

__all__ = ["LABELS", "command", "label_options", "show"]

_DEFAULTS = {name: known.default for name, known in inspect.signature(evaluate).parameters.items()}
LABELS = ("format", "documents", "directed", "positive_from", "part", "test_part")
_DECIDING = (
    "pairs",
    "judge_by",
    "floor",
    "decision",
    "max_key_documents",
    "language",
    "profile",
    "statistics",
    "threads",
    "bootstrap",
    "sample_seed",
)

#: The options that say which labels to read, for every command that does.
label_options = apply(
    option(
        "What to read",
        "--format",
        type=click.Choice(list(SETS)),
        metavar="NAME",
        help=f"of the labels: {', '.join(SETS)}  [default: by what is there]",
    ),
    option(
        "What to read",
        "--documents",
        metavar="SOURCE",
        multiple=True,
        help="what to scan, where the labels do not bring it; give any number",
    ),
    option(
        "What to read",
        "--directed/--unordered",
        default=None,
        help="a label says how much of left is in right, or holds both ways  [default: as the "
        "labels say]",
    ),
    option(
        "What to read",
        "--positive-from",
        type=float,
        metavar="NUMBER",
        help="the grade from which on a pair counts as related  [default: as the labels say]",
    ),
    option("What to read", "--part", metavar="NAME", help="only this part of the set"),
    option(
        "What to read",
        "--test-part",
        metavar="NAME",
        help="tune on the other parts, report on this one  [default: halves]",
    ),
)
_pairs_option = option(
    "What to read",
    "--pairs",
    metavar="FILE",
    help="judge the pairs of a file that `twicetold scan -o` wrote, instead of scanning",
)
_judging_options = apply(
    option(
        "How to judge",
        "--judge-by",
        type=click.Choice(MEASURES),
        default=_DEFAULTS["judge_by"],
        show_default=True,
        help="what is compared with thresholds",
    ),
    option(
        "How to judge",
        "--floor",
        type=float,
        metavar="NUMBER",
        default=_DEFAULTS["floor"],
        show_default=True,
        help="pairs that are not decided for and score less have the score 0; of judged pairs: "
        "those that a scan leaves out",
    ),
    option(
        "How to judge",
        "--bootstrap",
        type=click.IntRange(min=0),
        metavar="INTEGER",
        default=_DEFAULTS["bootstrap"],
        show_default=True,
        help="resamples behind the intervals; 0: no intervals",
    ),
    option(
        "How to judge",
        "--sample-seed",
        type=int,
        metavar="INTEGER",
        default=_DEFAULTS["sample_seed"],
        show_default=True,
        help="of resamples and halves",
    ),
)


@click.command("evaluate", cls=Sectioned)
@click.argument("path", required=False)
@option("What to read", "--data", metavar="PATH", help="the same as PATH")
@option(
    "What to read",
    "--task",
    type=click.Choice(["pairs", "alignment"]),
    default="pairs",
    show_default=True,
    help="judge pairs of documents, or passages: their characters, by plagdet",
)
@label_options
@_pairs_option
@method_options("How to decide", default=_DEFAULTS["method"], several=True)
@deciding.model_option
@deciding.decision_option
@deciding.max_key_documents_option
@deciding.language_option
@deciding.profile_option
@deciding.statistics_option
@deciding.threads_option
@_judging_options
@judged_options
@option("What to write", "--json", "as_json", is_flag=True, help="print one JSON object")
@progress_options
@click.pass_context
def command(
    ctx: click.Context, /, path: str | None, methods: tuple[str, ...], **given: Any
) -> None:
    """Judge detectors by labelled data: precision, recall, F1, AUC, clusters, with intervals.

    PATH is a folder or file of labels: our own labels.jsonl, or a public set as it is given out.
    Several methods are compared in one table; a parameter goes to each that has it.

    PATH can also be a judged collection: a folder with judgements.jsonl (pairs that readers gave
    one of six answers, with weights) and its documents. Then what is judged is related and taken.
    Of a file of judged removals, as `twicetold dedupe --sample` writes it, the share that loses
    something is told.

    With --task alignment PATH is a folder in the format of the PAN competitions, and what is judged
    is the alignment of its pairs.
    """
    path = _one_path(path, given["data"])
    if given["task"] == "alignment":
        _judge_alignment(ctx, path, given)
        return
    if is_removals(Path(path)):
        judge_removals(ctx, path, given)
        return
    if (given["format"] or (Path(path).exists() and format_of(Path(path)))) == JUDGED:
        judge_collection(ctx, path, methods, given)
        return
    refuse_options(ctx, ("errors", "only_sure"), "without judged pairs")
    labelled = read_labels(path, **{name: given[name] for name in LABELS})
    options = {name: given[name] for name in _DECIDING}
    with Watch.of({**given, "strict": False}) as watch:
        options |= {"report": watch.report, "progress": watch.progress}
        if given["pairs"] is not None:
            no_method(ctx)
            evaluations = [evaluate(labelled, **options, **given_parameters(ctx))]
        else:
            evaluations = _evaluations(ctx, labelled, methods, given["model"], options)
    if given["as_json"] or not given["quiet"]:
        with writing("standard output"):
            show(evaluations, as_json=given["as_json"])
    if not given["quiet"]:
        tell_problems(watch.report)


def _evaluations(
    ctx: click.Context,
    labelled: LabelledSet,
    methods: tuple[str, ...],
    model: str | None,
    options: dict[str, Any],
) -> list[Evaluation]:
    """Judge the methods; beside a model, only those that were asked for."""
    asked = ctx.get_parameter_source("methods") is ParameterSource.COMMANDLINE
    parameters = given_parameters(ctx)
    found = []
    if model is None or asked:
        found = evaluate_all(labelled, methods=methods, parameters=parameters, **options)
    if model is not None:
        detector = deciding.model_detector(model, parameters={} if asked else parameters)
        found.append(evaluate(labelled, method=detector, **options))
    return found


def _one_path(path: str | None, data: str | None) -> str:
    """Return what to read, given in either way."""
    if (path is None) == (data is None):
        given = "neither" if path is None else "both"
        msg = f"give labelled data as PATH or with --data, got {given}"
        raise click.UsageError(msg)
    return path or data or ""


#: The options that say something to an alignment.
_OF_ALIGNMENT = {"path", "data", "task", "language", "threads", "as_json", "quiet", "progress"}


def _judge_alignment(ctx: click.Context, path: str, given: dict[str, Any]) -> None:
    """Judge passages; refuse options that nothing would come of."""
    others = {param.name or "" for param in ctx.command.params} - _OF_ALIGNMENT
    refuse_options(ctx, others, "with --task alignment")
    from twicetold.evaluation.aligning import evaluate_alignment
    from twicetold.evaluation.alignment_report import alignment_lines

    found = evaluate_alignment(path, language=given["language"], threads=given["threads"])
    with writing("standard output"):
        if given["as_json"]:
            click.echo(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
        else:
            for line in alignment_lines(found):
                click.echo(line)


def show(evaluations: list[Evaluation], *, as_json: bool) -> None:
    """Print evaluations for people, or as one object."""
    if not as_json:
        for line in evaluation_lines(evaluations):
            click.echo(line)
        return
    found = [evaluation.to_json() for evaluation in evaluations]
    first, *others = evaluations
    whole = found[0]
    if others:
        more = {other.method: _more(other, first) for other in others}
        whole = {"evaluations": found, "more_than_first": more}
    click.echo(json.dumps(whole, ensure_ascii=False, indent=2))


def _more(other: Evaluation, first: Evaluation) -> dict[str, Any]:
    return {
        name: {"difference": value, "interval": list(ends)}
        for name, (value, ends) in other.more_than(first).items()
    }

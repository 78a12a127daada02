"""``twicetold learn``: from labelled pairs to a model."""

from __future__ import annotations

import inspect
import json
from typing import Any, get_args

import click
from click.core import ParameterSource

from twicetold.cli import deciding
from twicetold.cli.evaluate import LABELS, label_options
from twicetold.cli.exits import writing
from twicetold.cli.inputs import tell_problems
from twicetold.cli.options import given_parameters, method_options
from twicetold.cli.progress import Watch, progress_options
from twicetold.cli.sections import Sectioned, apply, option
from twicetold.documents import SourcePath
from twicetold.errors import ParameterError
from twicetold.evaluation import LabelledSet, read_labels
from twicetold.evaluation.permissive import overrides
from twicetold.experiments.edited import MOST, edited_set
from twicetold.learning import learn
from twicetold.learning.deciding import OBJECTIVES
from twicetold.learning.report import lesson_lines
from twicetold.learning.svm import Kernel
from twicetold.pipeline import DETECTORS, Detector
from twicetold.reports.files import check_outputs
from twicetold.scanning import make_detector

__all__ = ["command"]

_DEFAULTS = {name: known.default for name, known in inspect.signature(learn).parameters.items()}
_HOW = "How to learn"
_LEARNING = (
    "kernel",
    "objective",
    "balanced",
    "folds",
    "repeats",
    "ratio",
    "floor",
    "sample_seed",
    "curve",
    "contribution",
    "max_key_documents",
    "language",
    "profile",
    "statistics",
    "threads",
)

_learning_options = apply(
    option(
        _HOW,
        "--kernel",
        type=click.Choice(get_args(Kernel)),
        default=_DEFAULTS["kernel"],
        show_default=True,
        help="of the support vector machine",
    ),
    option(
        _HOW,
        "--objective",
        type=click.Choice(OBJECTIVES),
        default=_DEFAULTS["objective"],
        show_default=True,
        help="what C, gamma and the threshold are chosen by",
    ),
    option(
        _HOW,
        "--balanced/--no-balanced",
        default=_DEFAULTS["balanced"],
        show_default=True,
        help="related and unrelated pairs weigh the same, however many there are",
    ),
    option(
        _HOW,
        "--folds",
        type=click.IntRange(min=2),
        metavar="INTEGER",
        default=_DEFAULTS["folds"],
        show_default=True,
        help="how many folds the sources of pairs are divided into",
    ),
    option(
        _HOW,
        "--repeats",
        type=click.IntRange(min=1),
        metavar="INTEGER",
        default=_DEFAULTS["repeats"],
        show_default=True,
        help="judge so many times, with other folds",
    ),
    option(
        _HOW,
        "--ratio",
        type=float,
        metavar="NUMBER",
        default=_DEFAULTS["ratio"],
        show_default=True,
        help="unrelated pairs for each related one, at most",
    ),
    option(
        _HOW,
        "--floor",
        type=float,
        metavar="NUMBER",
        default=_DEFAULTS["floor"],
        show_default=True,
        help="leave out pairs that score less, here and where the model is used",
    ),
    option(
        _HOW,
        "--sample-seed",
        type=int,
        metavar="INTEGER",
        default=_DEFAULTS["sample_seed"],
        show_default=True,
        help="of folds, samples and edits",
    ),
    option(
        _HOW, "--curve/--no-curve", default=True, help="also learn from fewer pairs  [default: on]"
    ),
    option(
        _HOW,
        "--contribution/--no-contribution",
        default=True,
        help="also learn without each similarity  [default: on]",
    ),
)


@click.command("learn", cls=Sectioned)
@click.argument("path", required=False)
@label_options
@option(
    "What to read",
    "--generate",
    type=SourcePath,
    metavar="SOURCE",
    multiple=True,
    help="documents without labels: edited versions of them are made to learn from",
)
@option(
    "What to read",
    "--generate-documents",
    type=click.IntRange(min=2),
    metavar="INTEGER",
    default=MOST,
    show_default=True,
    help="take the first so many of these",
)
@method_options("How to decide", default=_DEFAULTS["method"], several=True)
@option(
    "How to decide",
    "--with",
    "further",
    metavar="METHOD[.PARAMETER=VALUE,...]",
    multiple=True,
    help="a further method, such as full-fingerprint.gram=2, whose similarities are added",
)
@deciding.max_key_documents_option
@deciding.language_option
@deciding.profile_option
@deciding.statistics_option
@deciding.threads_option
@_learning_options
@option(
    "What to write",
    "-o",
    "--output",
    metavar="FILE",
    help="the model, such as m.skops  [default: none, only the figures]",
)
@option("What to write", "--json", "as_json", is_flag=True, help="print one JSON object")
@progress_options
@click.pass_context
def command(ctx: click.Context, /, path: str | None, **given: Any) -> None:
    """Learn from labelled pairs when documents are related, and write a model.

    PATH is a folder or file of labels, as `twicetold evaluate` reads it. The model decides in place
    of a threshold: `twicetold scan --model m.skops`.
    """
    check_outputs([given["output"]], given["generate"], inputs=[path, given["statistics"]])
    labelled = _labelled(path, given)
    members = [*given["methods"], *map(_further, given["further"])]
    if given["further"] and ctx.get_parameter_source("methods") is ParameterSource.DEFAULT:
        members = members[len(given["methods"]) :]
    with Watch.of({**given, "strict": False}) as watch:
        lesson = learn(
            labelled,
            method=members[0] if len(members) == 1 else members,
            **{name: given[name] for name in _LEARNING},
            **given_parameters(ctx),
            report=watch.report,
            progress=watch.progress,
        )
    if given["output"] is not None:
        with writing(given["output"]):
            lesson.save(given["output"])
    with writing("standard output"):
        if given["as_json"]:
            click.echo(json.dumps(lesson.to_json(), ensure_ascii=False, indent=2))
        else:
            for line in lesson_lines(lesson):
                click.echo(line)
            if given["output"] is not None:
                click.echo(f"\nwritten: {given['output']}")
    if not given["quiet"]:
        tell_problems(watch.report)


def _labelled(path: str | None, given: dict[str, Any]) -> LabelledSet:
    if (path is None) == (not given["generate"]):
        msg = "learning needs labels, or documents to make some from; name PATH or --generate"
        raise ParameterError(msg)
    if path is not None:
        return read_labels(path, **{name: given[name] for name in LABELS})
    return edited_set(
        given["generate"], documents=given["generate_documents"], seed=given["sample_seed"]
    )


def _further(words: str) -> Detector:
    """Return the detector that METHOD.PARAMETER=VALUE,PARAMETER=VALUE stands for."""
    method, _, rest = words.partition(".")
    parts = [f"{method}.{part}" for part in rest.split(",") if part]
    if method not in DETECTORS:
        msg = f"no method {method!r}; there are {', '.join(DETECTORS)}"
        raise ParameterError(msg)
    return make_detector(method, overrides(parts).get(method, {}))

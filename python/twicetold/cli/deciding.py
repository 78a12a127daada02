"""The options that say how to decide, for every command that runs a detector."""

from __future__ import annotations

import inspect
from typing import Any

import click
from click.core import ParameterSource

from twicetold.analysis import PROFILES
from twicetold.cli.durations import duration
from twicetold.cli.options import given_parameters, method_options
from twicetold.cli.sections import option
from twicetold.errors import ParameterError
from twicetold.pipeline import Detector
from twicetold.scanning import scan

__all__ = [
    "all_pairs_option",
    "chosen_method",
    "deadline_option",
    "decision_option",
    "detector_options",
    "floor_option",
    "keep_boilerplate_option",
    "language_option",
    "max_key_documents_option",
    "model_detector",
    "model_option",
    "passages_option",
    "profile_option",
    "same_form_option",
    "statistics_option",
    "threads_option",
    "window_option",
]

_SECTION = "How to decide"
_DEFAULTS = {name: known.default for name, known in inspect.signature(scan).parameters.items()}

detector_options = method_options(_SECTION, default=_DEFAULTS["method"])
model_option = option(
    _SECTION,
    "--model",
    metavar="FILE",
    help="decide by a model from `twicetold learn`, which brings its methods and parameters",
)


def model_detector(
    path: str, *, methods: tuple[str, ...] = (), parameters: dict[str, Any] | None = None
) -> Detector:
    """Return the detector with a model inside; what is given beside it must be the model's own."""
    from twicetold.learning import learned, load_model

    try:
        return learned(load_model(path), methods=methods, parameters=parameters)
    except ParameterError as error:
        msg = f"{path}: {error}"
        raise ParameterError(msg) from error


def chosen_method(ctx: click.Context, given: dict[str, Any]) -> dict[str, Any]:
    """Return the keywords of a library call that say which detector, with its parameters."""
    parameters = given_parameters(ctx)
    if given["model"] is None:
        return {"method": given["method"], **parameters}
    asked = ctx.get_parameter_source("method") is ParameterSource.COMMANDLINE
    methods = (given["method"],) if asked else ()
    return {"method": model_detector(given["model"], methods=methods, parameters=parameters)}


window_option = option(
    _SECTION,
    "--window",
    callback=duration,
    metavar="DURATION",
    help="only pairs published no further apart, such as 7d, 12h or 1d12h  [default: all]",
)
floor_option = option(
    _SECTION,
    "--floor",
    type=float,
    metavar="NUMBER",
    help="also pairs below the threshold, from this score on  [0 to 1; default: none]",
)
decision_option = option(
    _SECTION,
    "--decision",
    metavar="NAME|FILE",
    help="who decides: learned (probabilities), own (the method's threshold), or a file of "
    "coefficients  [default: the method's]",
)
same_form_option = option(
    _SECTION,
    "--same-form",
    is_flag=True,
    help="also pairs of the same form with other facts, which are only counted otherwise",
)
all_pairs_option = option(
    _SECTION,
    "--all-pairs",
    is_flag=True,
    help="every pair of equal documents, not only each with the earliest",
)
max_key_documents_option = option(
    _SECTION,
    "--max-key-documents",
    type=int,
    metavar="INTEGER",
    default=_DEFAULTS["max_key_documents"],
    show_default=True,
    help="leave out what more documents than this have; pinned statistics bring their own",
)
keep_boilerplate_option = option(
    _SECTION,
    "--keep-boilerplate",
    is_flag=True,
    help="also what a site repeats on its web pages, which is left out otherwise",
)
passages_option = option(
    _SECTION,
    "--passages/--no-passages",
    default=None,
    help="also the sentences that match, with their places; of methods that compare sentences",
)
language_option = option(
    _SECTION,
    "--language",
    metavar="CODE",
    help="of all documents, such as en  [default: each document's own, or detected]",
)
profile_option = option(
    _SECTION,
    "--profile",
    type=click.Choice(list(PROFILES)),
    metavar="NAME",
    help=f"how words become terms: {', '.join(PROFILES)}  [default: the method's]",
)
statistics_option = option(
    _SECTION,
    "--statistics",
    metavar="FILE",
    help="pinned, from `twicetold statistics build`  [default: those of the sources]",
)
deadline_option = option(
    _SECTION,
    "--deadline",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="end with an error if the work on a document takes longer  [default: none]",
)
threads_option = option(
    _SECTION,
    "--threads",
    type=int,
    metavar="INTEGER",
    default=_DEFAULTS["threads"],
    help="how many to work with  [default: 0, which is all cores]",
)

"""The parameters of every detector as options, made from the fields of its dataclass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import click
from click.core import ParameterSource

from twicetold.cli.sections import Command, Option, apply, later, option
from twicetold.parameters import Parameter, parameters_of
from twicetold.pipeline import DETECTORS, detector_class

__all__ = [
    "MethodOption",
    "given_parameters",
    "method_options",
    "methods",
    "parameter_options",
]

#: A parameter under the name of each detector that has it.
Uses = Mapping[str, Parameter]


def methods() -> dict[str, tuple[Parameter, ...]]:
    """Return the parameters of every detector."""
    return {name: parameters_of(detector_class(name)) for name in DETECTORS}


def _number(known: Parameter) -> Callable[[click.Context, click.Parameter, str | None], Any]:
    """Return a callback that reads a number, or the word ``none`` where the parameter allows it."""

    def convert(ctx: click.Context, param: click.Parameter, value: str | None) -> Any:
        if value is None or (known.optional and value == "none"):
            return None
        try:
            return known.type(value)
        except ValueError:
            msg = f"{value!r} is not {known.range}"
            raise click.BadParameter(msg, ctx, param) from None

    return convert


class MethodOption(Option):
    """An option that stands for a parameter, in the section of each method that has it."""

    def __init__(self, *args: Any, uses: Uses, order: Sequence[str], **options: Any) -> None:
        super().__init__(*args, **options)
        self.uses = uses
        self.order = order

    def headings(self) -> list[str]:
        """Return those of all methods: which has a parameter does not decide their order."""
        return [_heading(method) for method in self.order]

    def rows(self, ctx: click.Context) -> Iterator[tuple[str, tuple[str, str]]]:
        """Yield a line for each detector, with its own help, range and default."""
        for method, known in self.uses.items():
            self.help = f"{known.help}  [{_extent(known)}]"
            if known.choices:
                self.metavar = f"[{'|'.join(known.choices)}]"
            record = self.get_help_record(ctx)
            if record is not None:
                yield _heading(method), record


def _heading(method: str) -> str:
    return f"Parameters of {method}"


def _extent(known: Parameter) -> str:
    """Say in short which values make sense and which holds without the option."""
    low, high = known.minimum, known.maximum
    words = []
    if low is not None:
        words.append(f"{low:g} to {high:g}" if high is not None else f"at least {low:g}")
    default = known.default
    if known.type is bool:
        default = "on" if default else "off"
    elif isinstance(default, float):
        default = f"{default:g}"
    return "; ".join([*words, f"default: {'none' if default is None else default}"])


def _declare(name: str, uses: Uses, order: Sequence[str]) -> Callable[[Command], Command]:
    known = next(iter(uses.values()))
    flag = name.replace("_", "-")
    declared: dict[str, Any] = {"cls": MethodOption, "uses": uses, "order": order, "default": None}
    if known.type is bool:
        return click.option(f"--{flag}/--no-{flag}", name, **declared)
    if known.choices:
        # A detector refuses what only another one knows.
        every = dict.fromkeys(choice for use in uses.values() for choice in use.choices)
        declared["type"] = click.Choice(list(every))
    else:
        declared["callback"] = _number(known)
        declared["metavar"] = ("INTEGER" if known.type is int else "NUMBER") + (
            "|none" if known.optional else ""
        )
    return click.option(f"--{flag}", name, **declared)


def method_options(
    section: str,
    *,
    default: str,
    shown: str | None = None,
    several: bool = False,
    served: Sequence[str] = (),
) -> Callable[[Command], Command]:
    """Return a decorator that adds ``--method`` and the parameters of every detector.

    The parameters are made where one is given: a detector is imported only if it is used.
    ``shown`` is what help says of the default, if that is not always the same.
    ``several``: it can be given any number of times, and is called ``methods``. Where not all are
    ``served``, the others are named.
    """
    words = "the detector; its parameters are options, see below"
    if served:
        others = [name for name in DETECTORS if name not in served]
        words += f"; not served by an index: {', '.join(others)}"
    if several:
        words += "; give any number"
    if shown is not None:
        words += f"  [default: {shown}]"
    chosen = option(
        section,
        "--method",
        "methods" if several else "method",
        type=click.Choice(list(DETECTORS)),
        multiple=several,
        default=[default] if several else default,
        show_default=shown is None,
        help=words,
    )
    return apply(chosen, later(lambda: parameter_options(methods())))


def parameter_options(
    parameters_by_method: Mapping[str, Sequence[Parameter]],
) -> Callable[[Command], Command]:
    """Return a decorator that adds the parameters of some methods."""
    found: dict[str, dict[str, Parameter]] = {}
    for method, parameters in parameters_by_method.items():
        for known in parameters:
            found.setdefault(known.name, {})[method] = known
    order = list(parameters_by_method)
    return apply(*(_declare(name, uses, order) for name, uses in found.items()))


def given_parameters(ctx: click.Context) -> dict[str, Any]:
    """Return the parameters that were written out, whichever detector they belong to.

    A detector's own default holds for the rest, and a parameter it does not have is refused by it.
    """
    return {
        param.name: ctx.params[param.name]
        for param in ctx.command.get_params(ctx)
        if isinstance(param, MethodOption)
        and ctx.get_parameter_source(param.name) is ParameterSource.COMMANDLINE
    }

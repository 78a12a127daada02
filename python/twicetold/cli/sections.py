"""Help in sections: what to read, how to decide, what to write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any, TypeVar, cast

import click

__all__ = ["Option", "Sectioned", "apply", "later", "option"]

Command = TypeVar("Command", bound=Callable[..., Any])

#: Under this name a call keeps the options it needs, where it does not need all.
_ONLY = "twicetold.cli.sections.only"


class Option(click.Option):
    """An option that knows under which heading it stands."""

    def __init__(self, *args: Any, section: str = "Other", **options: Any) -> None:
        super().__init__(*args, **options)
        self.section = section

    def headings(self) -> list[str]:
        """Return the headings it may stand under, in their order."""
        return [self.section]

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Return what stands in brackets; the help itself says which values make sense."""
        return {key: value for key, value in super().get_help_extra(ctx).items() if key != "range"}

    def rows(self, ctx: click.Context) -> Iterator[tuple[str, tuple[str, str]]]:
        """Yield a heading and a line of the help below it."""
        record = self.get_help_record(ctx)
        if record is not None:
            yield self.section, record


class Later:
    """Stands for options that are made when somebody asks for them."""

    def __init__(self, decorator: Callable[[], Callable[[Any], Any]]) -> None:
        self._decorator = decorator

    def options(self) -> list[click.Parameter]:
        """Make them."""

        def command() -> None:
            """Carry them."""

        self._decorator()(command)
        return list(reversed(getattr(command, "__click_params__", [])))


def later(decorator: Callable[[], Callable[[Any], Any]]) -> Callable[[Command], Command]:
    """Declare options that take time to make: they are made where one of them is given.

    ``decorator`` returns what would declare them at once. Only for a `Sectioned` command.
    """

    def decorate(command: Command) -> Command:
        declared = command.__dict__.setdefault("__click_params__", [])
        declared.append(Later(decorator))
        return command

    return decorate


class Sectioned(click.Command):
    """A command whose help has a section for each heading, in the order of its options."""

    _params: list[click.Parameter | Later]

    @property
    def params(self) -> list[click.Parameter]:
        """All options, made if they were not yet."""
        if any(isinstance(param, Later) for param in self._params):
            self._params = [
                made
                for param in self._params
                for made in (param.options() if isinstance(param, Later) else [param])
            ]
        return cast("list[click.Parameter]", self._params)

    @params.setter
    def params(self, params: list[click.Parameter]) -> None:
        self._params = list(params)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse with the options that are made, if no other is given."""
        made = [param for param in self._params if not isinstance(param, Later)]
        known = {flag for param in made for flag in (*param.opts, *param.secondary_opts)}
        if len(made) < len(self._params) and all(
            arg.partition("=")[0] in known for arg in args if arg.startswith("-") and arg != "-"
        ):
            shown = self.get_help_option(ctx)
            ctx.meta[_ONLY] = made if shown is None else [*made, shown]
        return super().parse_args(ctx, args)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option that shows the help; the others are not made for that."""
        kept, self._params = self._params, []
        try:
            return super().get_help_option(ctx)
        finally:
            self._params = kept

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the options that matter here."""
        only: list[click.Parameter] | None = ctx.meta.get(_ONLY)
        return super().get_params(ctx) if only is None else only

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            if isinstance(param, Option):
                for heading in param.headings():
                    sections.setdefault(heading, [])
                for section, record in param.rows(ctx):
                    sections.setdefault(section, []).append(record)
            elif isinstance(param, click.Option) and (help_of := param.get_help_record(ctx)):
                sections.setdefault("Other", []).append(help_of)
        for section, records in filter(itemgetter(1), sections.items()):
            with formatter.section(section):
                formatter.write_dl(records, col_max=32)


def option(section: str, *names: str, **options: Any) -> Callable[[Command], Command]:
    """Declare an option under a heading."""
    return click.option(*names, cls=Option, section=section, **options)


def apply(*decorators: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Make one decorator of several; the help lists them in the order given."""

    def decorate(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate

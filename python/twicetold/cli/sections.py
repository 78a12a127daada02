"""Help in sections: what to read, how to decide, what to write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any, TypeVar

import click

__all__ = ["Option", "Sectioned", "apply", "option"]

Command = TypeVar("Command", bound=Callable[..., Any])


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


class Sectioned(click.Command):
    """A command whose help has a section for each heading, in the order of its options."""

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

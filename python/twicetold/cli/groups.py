"""Groups of commands that import a command when it is called, and end every error in one line."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple, cast

import click

from twicetold.cli.exits import one_line
from twicetold.cli.stopping import until_sigterm

__all__ = ["Entry", "LazyGroup", "Program", "help_unless_called"]


class Entry(NamedTuple):
    """Where a command is, as ``module:name``, and what it does in a few words."""

    where: str
    help: str


class LazyGroup(click.Group):
    """A group given as a table; its help needs none of its commands."""

    def __init__(self, *args: Any, table: Mapping[str, Entry], **options: Any) -> None:
        options.setdefault("subcommand_metavar", "COMMAND [ARGS]...")
        super().__init__(*args, **options)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands, in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if name not in self.table:
            return None
        module, _, attribute = self.table[name].where.partition(":")
        return cast("click.Command", getattr(import_module(module), attribute))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the table of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self.table.items()])


class Program(LazyGroup):
    """The outermost group: what goes wrong below it is one line and an exit code."""

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        """Parse the arguments."""
        with one_line():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with one_line(), until_sigterm():
            return super().invoke(ctx)


def help_unless_called(ctx: click.Context) -> None:
    """Show the help of a group that was called without a command."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())

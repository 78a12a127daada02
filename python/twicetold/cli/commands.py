"""The table of commands, and the program made of it.

A command is imported when it is called, so that ``twicetold --help`` is quick.
"""

from __future__ import annotations

import click

from twicetold.cli.exits import EXIT_CODES
from twicetold.cli.groups import Entry, Program, help_unless_called

__all__ = ["COMMANDS", "program"]

#: Every command. A new one is a file here, a row in this table and a part of docs/cli.md.
COMMANDS: dict[str, Entry] = {
    "scan": Entry("twicetold.cli.scan:command", "find which documents are contained in others"),
    "compare": Entry("twicetold.cli.compare:command", "show documents side by side"),
    "dedupe": Entry("twicetold.cli.dedupe:command", "keep what adds something, and say why"),
    "explain": Entry("twicetold.cli.explain:command", "show why a pair has its score"),
    "outline": Entry("twicetold.cli.outline:command", "show the hierarchy of a web page"),
    "index": Entry("twicetold.cli.index:group", "keep documents on disk, and compare what comes"),
    "stream": Entry("twicetold.cli.stream:command", "compare what comes, and print pairs at once"),
    "statistics": Entry("twicetold.cli.statistics:group", "build and show statistics of terms"),
    "evaluate": Entry("twicetold.cli.evaluate:command", "judge detectors by labelled data"),
    "learn": Entry("twicetold.cli.learn:command", "learn from labelled pairs how to decide"),
    "pool": Entry("twicetold.cli.pool:group", "make a test collection with human judges"),
    "experiment": Entry("twicetold.cli.experiment:command", "repeat an experiment of a paper"),
}

_EPILOG = "\b\nExit codes:\n" + "\n".join(
    f"  {code:>3}  {meaning}" for code, meaning in EXIT_CODES.items()
)


@click.group(
    cls=Program,
    table=COMMANDS,
    invoke_without_command=True,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(
    package_name="twicetold", prog_name="twicetold", message="%(prog)s %(version)s"
)
@click.pass_context
def program(ctx: click.Context) -> None:
    """Find what was told twice: contained and near-duplicate documents."""
    help_unless_called(ctx)

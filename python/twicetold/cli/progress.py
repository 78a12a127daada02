"""How a run goes, on standard error: problems as they come and, on a terminal, a bar."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from twicetold.cli.exits import tell
from twicetold.cli.sections import apply, option
from twicetold.documents import NOTED, Report
from twicetold.errors import FormatError
from twicetold.pipeline import Progress
from twicetold.records import Problem
from twicetold.reports.printable import printable

if TYPE_CHECKING:
    from rich.progress import TaskID

__all__ = ["SHOWN", "Watch", "progress_options"]

#: Problems shown as they come; the rest is counted.
SHOWN = 10
#: Stages that go through what is read.
_BY_BYTES = ("analyse", "add", "search")

progress_options = apply(
    option(
        "Other",
        "--progress/--no-progress",
        default=None,
        help="draw a progress bar  [default: if standard error is a terminal]",
    ),
    option("Other", "-q", "--quiet", is_flag=True, help="print nothing but errors"),
)


class Watch:
    """What looks on while a library call runs: give it ``report`` and ``progress``.

    ``bar`` None: only if standard error is a terminal. ``strict`` says that the call stops at the
    first document it cannot use, and says itself which. ``first`` is the stage that a call begins
    with; None: it says so itself.
    """

    def __init__(
        self,
        *,
        bar: bool | None = None,
        quiet: bool = False,
        strict: bool = False,
        first: str | None = "analyse",
    ) -> None:
        self.report = Report(on_problem=None if quiet else self._problem)
        self._strict = strict
        self._problems = 0
        #: Lines that wait for the first document: without any, an error says all in one.
        self._waiting: list[str] = []
        self._is_entered = False
        shown = sys.stderr.isatty() if bar is None else bar
        self._bar = _Bar(self.report, first) if shown and not quiet else None

    @classmethod
    def of(cls, given: dict[str, Any], *, first: str = "analyse") -> Watch:
        """Make one as the options of a command say."""
        return cls(bar=given["progress"], quiet=given["quiet"], strict=given["strict"], first=first)

    def __enter__(self) -> Self:
        self._is_entered = True
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None or not issubclass(kind, FormatError):
            self._say_waiting()
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def progress(self, progress: Progress) -> None:
        """Take note of how far a stage is."""
        if self._bar is not None:
            self._bar.update(progress)

    def _problem(self, problem: Problem) -> None:
        self._problems += 1
        n = self._problems
        if n <= SHOWN and not (self._strict and problem.reason not in NOTED):
            self._waiting.append(str(problem))
        elif n == SHOWN + 1:
            self._waiting.append("more problems like these are counted, not shown")
        if self.report.documents or not self._is_entered:
            self._say_waiting()

    def _say_waiting(self) -> None:
        for line in self._waiting:
            self._say(line)
        self._waiting.clear()

    def _say(self, line: str) -> None:
        if self._bar is not None:
            self._bar.say(line)
        else:
            tell(line)


class _Bar:
    """A line for each stage, drawn a few times a second by a thread of its own."""

    def __init__(self, report: Report, first: str | None) -> None:
        from rich import progress as draw
        from rich.console import Console

        self.report = report
        self.first = first
        self.started = time.perf_counter()
        self.stages: dict[str, TaskID] = {}
        self.drawn = draw.Progress(
            draw.TextColumn("{task.description:<8}"),
            draw.BarColumn(bar_width=24),
            draw.TaskProgressColumn(text_format_no_percentage="    "),
            draw.TextColumn("{task.fields[amount]}"),
            draw.TimeRemainingColumn(compact=True, elapsed_when_finished=True),
            console=Console(stderr=True),
            transient=True,
            refresh_per_second=8,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def start(self) -> None:
        if self.first is not None:
            self._begin(self.first)
        self.drawn.start()

    def stop(self) -> None:
        self.drawn.stop()

    def say(self, line: str) -> None:
        from rich.text import Text

        self.drawn.console.print(Text(printable(line)), soft_wrap=True)

    def update(self, progress: Progress) -> None:
        if progress.stage not in self.stages:
            self._begin(progress.stage)
        done, total = progress.done, progress.total
        amount = f"{done:,}{'' if total is None else f' of {total:,}'} {progress.unit}"
        if progress.stage in _BY_BYTES:
            done, total, amount = self._bytes(progress.done)
        task = self.stages[progress.stage]
        self.drawn.update(task, completed=done, total=total, amount=amount)
        if progress.stage == "features" and done == total:
            self._begin("join")

    def _begin(self, stage: str) -> None:
        for task in self.drawn.tasks:
            if not task.finished:
                known = task.total if task.total is not None else max(task.completed, 1)
                self.drawn.update(task.id, completed=known, total=known)
        self.stages[stage] = self.drawn.add_task(stage, total=None, amount="")

    def _bytes(self, documents: int) -> tuple[int, int | None, str]:
        """Return the bytes behind the documents analysed so far: reading is ahead of that."""
        report = self.report
        done = report.bytes_read * documents // max(report.documents, documents, 1)
        rate = done / 1e6 / max(time.perf_counter() - self.started, 1e-6)
        amount = f"{done / 1e6:,.1f}"
        if report.bytes_total is not None:
            amount += f" of {report.bytes_total / 1e6:,.1f}"
        return done, report.bytes_total, f"{amount} MB, {rate:,.1f} MB/s"

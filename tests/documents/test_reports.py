"""The report, and the page about readers that must stay true to the code."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.running import taken

import twicetold.documents
from twicetold.documents import FORMATS, NOTED, READERS, SKIPPED, Fields, Report, read
from twicetold.documents.fields import ALIASES
from twicetold.documents.input import quoted
from twicetold.records import Problem

Collect = Callable[..., Any]
PAGE = Path(__file__).parents[2] / "docs" / "readers.md"


def test_the_surface_is_what_is_listed() -> None:
    listed = twicetold.documents.__all__
    assert listed == sorted(listed, key=lambda name: (not name.isupper(), name[0].islower(), name))
    assert all(hasattr(twicetold.documents, name) for name in listed)


def test_a_summary_says_how_many_and_why() -> None:
    report = Report()
    assert report.summary() == "nothing skipped"
    for line, reason in ((17, "bad json"), (18, "duplicate id"), (30, "bad json"), (9, "bad date")):
        report.add(Problem("a.jsonl", line, reason, "it is bad"))
    report.others["other file"] = 2
    assert report.summary() == (
        "3 skipped: 2 bad json, 1 duplicate id; 1 noted: 1 bad date; 2 other files left out; "
        "first: a.jsonl:17: it is bad"
    )
    assert (report.skipped, report.noted) == (3, 1)


def test_a_report_keeps_the_first_problems_and_counts_all(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("{\n" * 5000)
    seen: list[int | None] = []
    report = Report(on_problem=lambda problem: seen.append(problem.line))
    assert taken(read(path, report=report))[0] == []
    assert report.count == {"bad json": 5000}
    assert [problem.line for problem in report.problems] == list(range(1, 101))
    assert seen == list(range(1, 5001))


def test_progress_only_grows_and_ends_at_the_total(tmp_path: Path, samples: Any) -> None:
    for form in FORMATS:
        (tmp_path / f"a.{form}").write_bytes(samples[form].data)
    (tmp_path / "b.jsonl").write_text('{"text": "x"}\n' * 100_000)
    report, last = Report(), 0
    for _ in read(tmp_path, report=report):
        assert report.bytes_total is not None
        assert last <= report.bytes_read <= report.bytes_total
        last = report.bytes_read
    assert (
        report.bytes_read == report.bytes_total == sum(p.stat().st_size for p in tmp_path.iterdir())
    )


def test_a_problem_is_one_short_line_that_a_terminal_can_show() -> None:
    for value in ("\x1b[2J\n\r\u202e" * 100, b"\x00\n" * 500, ["x\n"] * 500, {"a": "\x07"}):
        shown = quoted(value)
        assert shown.isprintable()
        assert len(shown) < 70


def test_the_page_names_every_format_reason_and_field() -> None:
    page = PAGE.read_text()
    for reason, meaning in (SKIPPED | NOTED).items():
        assert f"| {reason} | {meaning} |" in page
    for name, reader in READERS.items():
        assert f"| `{name}` | {', '.join(f'`.{suffix}`' for suffix in reader.suffixes)} |" in page
    for part, names in ALIASES.items():
        assert f"| `{part}` | {', '.join(f'`{name}`' for name in names)} |" in page
    assert set(ALIASES) == set(Fields.__dataclass_fields__)


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 5
    assert result.failed == 0

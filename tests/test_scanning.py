"""`scan`: sources and documents in, pairs and a manifest out."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import twicetold
from tests.running import document, rows
from twicetold.analysis import PROFILES
from twicetold.counting import build_statistics
from twicetold.detectors.codet import CoDet
from twicetold.detectors.retelling import Retelling
from twicetold.documents import Report
from twicetold.engines.local import LocalEngine
from twicetold.errors import DocumentError, ParameterError, SourceError, StatisticsError
from twicetold.parameters import parameters_of
from twicetold.records import Document, Problem
from twicetold.scanning import scan

DOCUMENTS = [
    document("a", "Ten villages lie below the dam", "The dam broke on Monday"),
    document("b", "The dam broke on Monday"),
    document("c", "Nothing at all happened elsewhere"),
]


def ids(pairs: twicetold.Pairs) -> list[tuple[str, str, str]]:
    return [(pair.left, pair.relation, pair.right) for pair in pairs]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for found in DOCUMENTS:
        (tmp_path / f"{found.id}.txt").write_text(found.text)
    return tmp_path


def test_documents_and_files_give_the_same_pairs(folder: Path) -> None:
    expected = [("a", "contains", "b")]
    assert ids(scan(DOCUMENTS)) == expected
    assert ids(scan(iter(DOCUMENTS))) == expected
    named = [("a.txt", "contains", "b.txt")]
    assert ids(scan(folder, language="en")) == named
    assert ids(scan(str(folder), language="en")) == named
    assert ids(scan([folder / "a.txt", folder / "b.txt"], language="en"))


@pytest.mark.parametrize(
    "how",
    [
        {"method": "codet", "depth": 3},
        {"method": CoDet(depth=3)},
        {"method": "codet", "engine": LocalEngine(), "depth": 3},
    ],
    ids=["by name", "as an object", "with an engine"],
)
def test_a_method_and_an_engine_are_given_by_name_or_as_objects(how: dict[str, Any]) -> None:
    found = scan(DOCUMENTS, **how)
    assert ids(found) == [("a", "contains", "b")]
    assert found.manifest.parameters["depth"] == 3


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"method": "cosine"}, "no method 'cosine'; there are retelling, codet"),
        ({"engine": "flink"}, "no engine 'flink'; there are local"),
        ({"profile": "news"}, f"no profile 'news'; there are {', '.join(PROFILES)}"),
        (
            {"treshold": 0.5},
            "retelling has no parameter 'treshold'; it has "
            + ", ".join(known.name for known in parameters_of(Retelling)),
        ),
        (
            {"method": CoDet(), "depth": 3},
            "parameters go into the detector itself, got depth beside it",
        ),
        ({"threshold": 2}, "threshold must be a number from 0 to 1, got 2"),
        (
            {"format": "docx"},
            "format must be one of txt, md, html, jsonl, csv, parquet, warc, got ",
        ),
    ],
)
def test_what_makes_no_sense_is_told(how: dict[str, Any], message: str, folder: Path) -> None:
    with pytest.raises(ParameterError) as error:
        scan(folder, **how)
    assert str(error.value).startswith(message)


def test_of_documents_with_the_same_id_the_first_is_kept() -> None:
    again = [*DOCUMENTS, document("b", "Something else"), document("a", "And more")]
    found = scan(again)
    assert ids(found) == [("a", "contains", "b")]
    assert found.manifest.problems == {"duplicate id": 2}
    assert [str(problem) for problem in found.manifest.examples] == [
        "documents:4: id 'b' came before",
        "documents:5: id 'a' came before",
    ]
    with pytest.raises(DocumentError, match=r"^documents:4: id 'b' came before$"):
        scan(again, strict=True)


@pytest.mark.parametrize("nothing", [[], (), iter(())], ids=lambda it: type(it).__name__)
def test_among_no_documents_are_no_pairs(nothing: Any) -> None:
    assert len(scan(nothing)) == 0


def test_an_id_is_there_once_among_documents_and_files_together(folder: Path) -> None:
    given = document("a.txt", "The dam broke on Monday")
    found = scan([given, folder], language="en")
    assert found.manifest.counts["documents"] == 3
    assert found.manifest.problems == {"duplicate id": 1}
    assert ids(found) == [("a.txt", "identical", "b.txt")]
    with pytest.raises(DocumentError, match=r"^documents: id 'a\.txt' came before$"):
        scan([given, folder], strict=True)


def test_problems_are_counted_in_the_manifest_and_in_the_report_that_was_given(
    folder: Path,
) -> None:
    (folder / "empty.txt").write_text("  ")
    report = Report()
    found = scan(folder, report=report)
    assert found.manifest.problems == dict(report.count) == {"empty text": 1}
    assert found.manifest.counts["documents"] == report.documents == 3


def test_statistics_bring_their_profile_and_may_be_a_file(tmp_path: Path) -> None:
    statistics = build_statistics(DOCUMENTS, profile="plain")
    statistics.save(tmp_path / "s")
    expected = scan(DOCUMENTS, profile="plain", floor=0.0)
    for given in (statistics, tmp_path / "s", str(tmp_path / "s")):
        found = scan(DOCUMENTS, statistics=given, floor=0.0)
        assert rows(found) == rows(expected)
        assert found.manifest.parameters["statistics"] == statistics.version
        assert found.manifest.parameters["analysis"] == str(PROFILES["plain"])
    with pytest.raises(StatisticsError, match=r"^statistics were built with"):
        scan(DOCUMENTS, statistics=statistics, profile="codet")
    with pytest.raises(SourceError, match="cannot read statistics"):
        scan(DOCUMENTS, statistics=tmp_path / "missing")


def test_the_detector_brings_the_profile_where_nobody_else_does() -> None:
    for detector in (Retelling(), CoDet()):
        found = scan(DOCUMENTS, method=detector)
        assert found.manifest.parameters["analysis"] == str(PROFILES[detector.profile])


def test_a_source_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        scan(tmp_path / "missing.jsonl")


def test_a_document_is_frozen_and_its_time_is_aware() -> None:
    found = Document(id="a", text="b", published=datetime(2026, 1, 2))  # noqa: DTZ001 - is the point
    assert found.published == datetime(2026, 1, 2, tzinfo=UTC)
    with pytest.raises(FrozenInstanceError):
        found.text = "c"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        (Problem("a.csv", 7, "bad csv", "no end"), "a.csv:7: no end"),
        (Problem("a.csv", None, "truncated", "no end"), "a.csv: no end"),
    ],
)
def test_a_problem_is_told_with_its_place(problem: Problem, expected: str) -> None:
    assert str(problem) == expected

"""`twicetold scan --report` and `--clusters`: what is written, from where, and what is refused."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from tests.cli.calling import NEWS, process, twicetold
from tests.cli.test_learn_command import QUICK
from tests.reports.test_scan_page import data_of

WIRE = NEWS / "wire.jsonl"


def test_a_report_is_written_and_named(tmp_path: Path) -> None:
    path = tmp_path / "news.html"
    done = twicetold("scan", NEWS, "--method", "word-overlap", "--report", path, "--limit", 1)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1] == f"report: {path}"
    data, told = data_of(path.read_bytes()), data_of(path.read_bytes(), "texts")
    # Passages are asked for where a method has some.
    assert len(told["passages"]) == len(data["pairs"]["left"]) == 24
    assert data["mosaics"]
    assert data["compare"] == f"--in {NEWS}"


@pytest.mark.parametrize("method", ["codet", "minhash"])
def test_a_method_without_passages_has_a_report(tmp_path: Path, method: str) -> None:
    path = tmp_path / "news.html"
    done = twicetold("scan", NEWS, "--method", method, "--report", path, "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert data_of(path.read_bytes(), "texts")["passages"]


def test_passages_can_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "news.html"
    options = ("--method", "word-overlap", "--no-passages", "--report", path)
    assert twicetold("scan", NEWS, *options).code == 0
    assert set(data_of(path.read_bytes())["pairs"]["passages"]) == {0}


def test_standard_input_is_shown_like_a_file(tmp_path: Path) -> None:
    pages = []
    for name, source, stdin in (("a", WIRE, None), ("b", "-", WIRE.read_text("utf-8"))):
        path = tmp_path / f"{name}.html"
        options = ("--format", "jsonl", "--method", "qsign", "--report", path, "--json")
        done = twicetold("scan", source, *options, stdin=stdin)
        assert done.code == 0
        data = data_of(path.read_bytes())
        pages.append(
            (data["documents"], data["pairs"], data_of(path.read_bytes(), "texts"), done.rows)
        )
    assert pages[0] == pages[1]
    assert len(pages[0][2]["passages"]) == len(pages[0][3])


def test_a_named_pipe_is_read_once(tmp_path: Path) -> None:
    pipe, path = tmp_path / "wire.jsonl", tmp_path / "wire.html"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(WIRE.read_bytes(),))
    writer.start()
    done = process("scan", pipe, "--method", "qsign", "--report", path)
    writer.join()
    assert (done.code, done.err) == (0, "")
    assert data_of(path.read_bytes(), "texts")["texts"]


def test_a_bad_document_is_told_once(tmp_path: Path) -> None:
    source, path = tmp_path / "some.jsonl", tmp_path / "page.html"
    source.write_text(f"{{broken\n{WIRE.read_text('utf-8')}", "utf-8")
    done = twicetold("scan", source, "--report", path)
    assert done.code == 0
    assert [line.startswith(f"{source}:1: not JSON") for line in done.err.splitlines()] == [
        True,
        False,
    ]
    assert done.err.splitlines()[1] == "1 skipped: 1 bad json"


def test_clusters_are_written_and_counted(tmp_path: Path) -> None:
    path, manifest = tmp_path / "clusters.jsonl", tmp_path / "run.json"
    done = twicetold("scan", NEWS, "--method", "codet", "--clusters", path, "--manifest", manifest)
    assert f"clusters: {path}" in done.out
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(rows) == json.loads(manifest.read_text("utf-8"))["counts"]["clusters"] == 17
    assert [len(row["documents"]) for row in rows] == sorted(
        (len(row["documents"]) for row in rows), reverse=True
    )


@pytest.mark.parametrize("name", ["report", "clusters"])
def test_what_cannot_be_written_is_refused_before_anything_is_read(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / "no folder" / "page.html"
    done = twicetold("scan", tmp_path / "nothing.jsonl", f"--{name}", path)
    assert done.code == 2
    assert "there is no folder" in done.err
    source = tmp_path / "some.jsonl"
    source.write_bytes(WIRE.read_bytes())
    done = twicetold("scan", source, f"--{name}", source)
    assert done.code == 2
    assert "is a source and would be written over" in done.err
    assert source.read_bytes() == WIRE.read_bytes()


@pytest.mark.parametrize("command", ["scan", "compare"])
def test_a_report_is_a_page_and_no_other_file_24(tmp_path: Path, command: str) -> None:
    path = tmp_path / "report.pdf"
    done = twicetold(command, tmp_path / "no", tmp_path / "such", "--report", path)
    assert done.code == 2
    assert done.err == f"twicetold: {path}: the suffix of a report must be .html or .htm\n"
    assert not path.exists()


def test_no_documents_to_pair_make_a_page(tmp_path: Path) -> None:
    source, path = tmp_path / "one.jsonl", tmp_path / "page.html"
    source.write_text(WIRE.read_text("utf-8").splitlines()[0], "utf-8")
    assert twicetold("scan", source, "--report", path).code == 0
    assert "No pairs among 1 document<" in path.read_text("utf-8")


def test_a_model_of_several_methods_has_a_report(tmp_path: Path) -> None:
    model, path = tmp_path / "m.skops", tmp_path / "page.html"
    methods = ("--method", "qsign", "--method", "codet")
    learned = twicetold("learn", NEWS.parent / "labels.jsonl", *methods, *QUICK, "-o", model)
    assert learned.code == 0
    done = twicetold("scan", NEWS, "--model", model, "--report", path)
    assert (done.code, done.err) == (0, "")
    assert data_of(path.read_bytes(), "texts")["passages"]

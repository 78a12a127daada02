"""What `pip install .` without extras can do: every command, every method, every message.

The environment is made by ``make build/base/.installed``, which the verbs of the Makefile see to.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from tests.cli.test_pool_command import answer
from twicetold.cli import program
from twicetold.extras import EXTRAS
from twicetold.pipeline import DETECTORS

ROOT = Path(__file__).resolve().parents[1]
NEWS = ROOT / "examples" / "news"
PYTHON = ROOT / "build" / "base" / "bin" / "python"

PAGE = NEWS / "gazette" / "quarry-fire.html"

#: Calls in an order in which each finds what it needs, and the exit codes that are right.
CALLS: tuple[tuple[str, int], ...] = (
    ("scan NEWS -o pairs.jsonl --report report.html --clusters clusters.jsonl", 0),
    ("scan NEWS --content main -o pairs.parquet", 0),
    ("compare wire-150 wire-151 --in NEWS --report compare.html", 0),
    ("dedupe NEWS -o kept.jsonl", 0),
    ("explain wire-150 wire-151 --in NEWS", 0),
    ("outline PAGE", 0),
    ("index create news.index", 0),
    ("index add news.index NEWS", 0),
    ("index search news.index PAGE", 0),
    ("index remove news.index wire-150", 0),
    ("index expire news.index --before 2000-01-01", 0),
    ("index info news.index", 0),
    ("index check news.index", 0),
    ("index export news.index -o exported.jsonl", 0),
    ("index rebuild news.index", 0),
    ("stream NEWS", 0),
    ("statistics build NEWS -o news.statistics", 0),
    ("statistics show news.statistics", 0),
    ("evaluate LABELS", 0),
    ("evaluate LABELS --method codet --method tf-idf --json", 0),
    ("pool nominate pool NEWS --method codet", 0),
    ("pool status pool", 0),
    ("judge pool", 0),
    ("pool adjudicate pool", 0),
    ("pool collect pool -o collection", 0),
    ("experiment", 0),
    ("experiment C-WS --data NEWS --documents 20 -o out", 0),
    # What needs an extra ends with the line that names it.
    ("statistics reference en -o en.statistics", 1),
    ("learn LABELS --method codet -o model.skops", 1),
)
#: What needs an extra, the extra, and what is called; the line on standard error says so.
NEEDS_EXTRA: tuple[tuple[str, str, str], ...] = (
    ("reference", "reference statistics need wordfreq", "statistics reference en -o en.statistics"),
    ("learn", "learning needs scikit-learn and skops", "learn LABELS --method codet -o m.skops"),
    ("learn", "learning needs scikit-learn and skops", "scan NEWS --model MODEL"),
    ("plots", "plots need matplotlib", "experiment C-WS --data NEWS --documents 20 -o out"),
    (
        "plots",
        "a dotplot as a file needs matplotlib",
        "compare wire-150 wire-151 --in NEWS --dotplot dots.png",
    ),
    ("quality", "main-quality needs trafilatura", "scan NEWS --content main-quality"),
    (
        "words",
        "words related by a table need wordllama with its vectors",
        "scan NEWS --method fuzzy-set --relatedness wordllama",
    ),
)


@pytest.fixture(scope="module", autouse=True)
def _is_installed() -> None:
    stamp = ROOT / "build" / "base" / ".installed"
    made = stamp.stat().st_mtime if stamp.exists() else 0.0
    sources = (ROOT / "python" / "twicetold").rglob("*.py")
    newest = max((path.stat().st_mtime, path) for path in sources)
    assert made >= newest[0], f"{newest[1].name} is newer; run `make build/base/.installed`"


def call(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in the base installation."""
    places = {"NEWS": NEWS, "PAGE": PAGE, "LABELS": NEWS.parent / "labels.jsonl"}
    words = [str(places.get(word, word)) for word in shlex.split(line)]
    return subprocess.run(
        [PYTHON, "-I", "-W", "error", "-m", "twicetold", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def ran(script: str, folder: Path) -> str:
    done = subprocess.run(
        [PYTHON, "-I", "-W", "error", "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def leaves(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield " ".join(path)
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from leaves(inner, (*path, name))


def test_no_extra_is_installed(tmp_path: Path) -> None:
    modules = ["matplotlib", "numpy", "skops", "sklearn", "trafilatura", "wordfreq", "wordllama"]
    script = "import sys; from importlib.util import find_spec as f; print(*map(f, sys.argv[1:]))"
    done = subprocess.run(
        [PYTHON, "-I", "-c", script, *modules], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == {"None"}
    where = ran("import twicetold; print(twicetold.__file__)", tmp_path)
    assert Path(where.strip()).is_relative_to(PYTHON.parents[1])


def test_every_module_can_be_imported(tmp_path: Path) -> None:
    script = """
import pkgutil, importlib, twicetold
for found in pkgutil.walk_packages(twicetold.__path__, "twicetold."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
        print(found.name)
"""
    assert len(ran(script, tmp_path).split()) > 200


def test_every_command_is_called() -> None:
    called = {line for line, _ in CALLS}
    missing = {
        leaf for leaf in leaves(program) if not any(f"{c} ".startswith(f"{leaf} ") for c in called)
    }
    assert not missing


def test_every_command_works_or_names_what_it_needs(tmp_path: Path) -> None:
    for line, code in CALLS:
        if line == "judge pool":
            for assessor in ("first", "second"):
                answer(tmp_path / "pool", assessor, "contained")
            continue
        done = call(line, tmp_path)
        assert done.returncode == code, f"{line}: {done.stderr}"
        assert "Traceback" not in done.stderr
        if code:
            assert re.fullmatch(r"twicetold: .*; run `pip install .*`\n", done.stderr), line
    rows = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    assert {("wire-150", "wire-151")} <= {(row["left"], row["right"]) for row in rows}


@pytest.mark.parametrize("method", DETECTORS)
def test_every_method_scans_explains_and_is_evaluated(method: str, tmp_path: Path) -> None:
    done = call(f"scan NEWS --method {method} -o pairs.jsonl", tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (0, done.stderr.count("twicetold: ")), done
    rows = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    assert any(row["relation"] == "identical" for row in rows)
    pair = min(rows, key=lambda row: row["relation"] == "identical")
    done = call(f"explain {pair['left']} {pair['right']} --in NEWS --method {method}", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize(("extra", "need", "line"), NEEDS_EXTRA)
def test_a_missing_extra_is_one_line_that_can_be_run(
    extra: str, need: str, line: str, tmp_path: Path
) -> None:
    if "MODEL" in line:
        line = line.replace("MODEL", "model.skops")
        (tmp_path / "model.skops").write_bytes(b"PK")
    done = call(line, tmp_path)
    command = shlex.join(["pip", "install", *EXTRAS[extra]])
    assert done.stderr.removeprefix("twicetold: ") == f"{need}; run `{command}`\n"
    assert done.returncode == (0 if line.startswith("experiment") else 1)


def test_every_extra_has_a_message_that_is_tried() -> None:
    assert {extra for extra, _, _ in NEEDS_EXTRA} == set(EXTRAS)


def test_the_table_of_extras_is_that_of_the_package() -> None:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    assert set(extras.pop("all")) == {f"twicetold[{','.join(EXTRAS)}]"}
    names = {
        extra: tuple(re.split(r"[<>=!~;]", requirement)[0] for requirement in requirements)
        for extra, requirements in extras.items()
    }
    assert names == EXTRAS

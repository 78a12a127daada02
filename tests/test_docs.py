"""The documentation runs: examples, commands, generated parts, links, and the walk of the tree.

On every page, blocks marked ``python`` or ``pycon`` are executed in order, in one namespace, and
what they print is compared; so are the commands (``$ …``) of blocks marked ``console``. Three dots
stand for anything. Blocks marked otherwise are only shown.
"""

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import click
import pytest
from docs.generate import pages, rewrite

from twicetold.cli import COMMANDS, program
from twicetold.parameters import parameters_of
from twicetold.pipeline import DETECTORS, ENGINES, detector_class

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [page for page in pages() if not page.is_relative_to(DOCS / "results")]

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
RECORD = "\x1e"


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


every_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


class Block(NamedTuple):
    language: str
    line: int
    content: str


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text("utf-8")
    for found in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        yield Block(found[1], text.count("\n", 0, found.start()) + 1, found[2])


def run_python(block: Block, page: Path, namespace: dict[str, Any]) -> None:
    where = f"{name_of(page)}:{block.line}"
    if ">>>" not in block.content:
        exec(compile(block.content, where, "exec", dont_inherit=True), namespace)
        return
    parsed = doctest.DocTestParser().get_doctest(
        block.content, namespace, where, str(page), block.line
    )
    # The parser copies the namespace; later blocks are to see what this one defines.
    parsed.globs = namespace
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    runner.run(parsed, out=said.append, clear_globs=False)
    assert not runner.failures, "".join(said)


class Command(NamedTuple):
    command: str
    output: str


def commands(block: Block) -> list[Command]:
    parts = re.split(r"^\$ (.*)\n", block.content, flags=re.MULTILINE)
    assert not parts[0], "a console block starts with a command"
    return [Command(*pair) for pair in zip(parts[1::2], parts[2::2], strict=True)]


def run_console(block: Block, page: Path) -> None:
    wanted = commands(block)
    # Between two commands a mark is printed, and the status of the first kept for `echo $?`.
    script = "\n".join(
        f"status=$?; printf '{RECORD}'; (exit $status)\n{given.command}" for given in wanted
    )
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PATH": path, "LC_ALL": "C.UTF-8", "COLUMNS": "100"},
    )
    for given, got in zip(wanted, done.stdout.split(RECORD)[1:], strict=True):
        same = doctest.OutputChecker().check_output(given.output, got, FLAGS)
        assert same, f"{name_of(page)}:{block.line}: $ {given.command}\n{got}"


@every_page
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    # A module of its own, so that the classes a page defines find the names around them.
    module = ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)
    namespace = vars(module)
    for block in blocks(page):
        if block.language in {"python", "pycon"}:
            run_python(block, page, namespace)
        elif block.language == "console":
            run_console(block, page)


@every_page
def test_generated_parts_are_up_to_date(page: Path) -> None:
    text = page.read_text("utf-8")
    assert rewrite(text) == text, "run `make docs`"
    assert text.count("\n<!-- generated: ") == text.count("\n<!-- end -->")


def anchors(page: Path) -> set[str]:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if target.startswith(("https://", "mailto:")):
            continue
        file, _, anchor = target.partition("#")
        other = (page.parent / file).resolve() if file else page
        assert other.exists(), target
        assert not anchor or anchor in anchors(other), target


def test_every_page_is_on_the_map() -> None:
    index = (DOCS / "index.md").read_text("utf-8")
    shown = set(re.findall(r"\]\(([^)#\s]+\.md)\)", index))
    for page in PAGES:
        if page.is_relative_to(DOCS) and page.name != "index.md":
            assert page.relative_to(DOCS).as_posix() in shown


@pytest.mark.parametrize("method", DETECTORS)
def test_every_detector_has_its_page(method: str) -> None:
    page = (DOCS / "detectors" / f"{method}.md").read_text("utf-8")
    assert f"<!-- generated: parameters {method} -->" in page
    for known in parameters_of(detector_class(method)):
        assert known.help, f"{method}.{known.name} says nothing of itself"
        assert f"`{known.name}`" in page


def test_every_page_of_a_detector_has_its_detector() -> None:
    assert {page.stem for page in (DOCS / "detectors").glob("*.md")} == set(DETECTORS)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_is_described(engine: str) -> None:
    assert f"`{engine}`" in (DOCS / "engines.md").read_text("utf-8")


def leaves(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield the commands that do something, each with the words it is called by."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    ctx = click.Context(command, info_name=path)
    for name in command.list_commands(ctx):
        inner = command.get_command(ctx, name)
        assert inner is not None
        yield from leaves(inner, f"{path} {name}")


LEAVES = dict(leaves(program, "twicetold"))


def test_the_table_of_commands_is_what_can_be_called() -> None:
    assert {path.split()[1] for path in LEAVES} == set(COMMANDS)


@pytest.mark.parametrize("path", LEAVES)
def test_every_command_and_option_is_in_the_reference(path: str) -> None:
    reference = (DOCS / "cli.md").read_text("utf-8")
    assert path in reference
    for param in LEAVES[path].params:
        for name in param.opts if isinstance(param, click.Option) else ():
            assert name in reference, f"{path} {name}"


@every_page
def test_verbs_of_the_makefile_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    verbs = set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE))
    assert set(re.findall(r"(?:`|\n)make ([a-z-]+)", page.read_text("utf-8"))) <= verbs


SOURCES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("crates/kernel/src", "crates/python/src", "python/twicetold")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".rs", ".py", ".pyi", ".html", ".css", ".js"} or path.name == "py.typed"
)


def walked() -> list[str]:
    """Return the files that ARCHITECTURE.md lists, each under the heading of its folder."""
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    found: list[str] = []
    for section in re.split(r"^#+ ", page, flags=re.MULTILINE)[1:]:
        heading, _, body = section.partition("\n")
        if folder := re.search(r"`([\w/]+/)`", heading):
            names = re.findall(r"^- `([\w.]+)`", body, re.MULTILINE)
            found.extend(f"{folder[1]}{name}" for name in names)
    return found


def test_the_walk_of_the_tree_names_every_source_file_once() -> None:
    assert sorted(walked()) == SOURCES


def test_every_path_named_exists() -> None:
    for page in PAGES:
        for path in re.findall(r"`((?:crates|python|tests|docs)/[\w./-]+)`", page.read_text()):
            assert (ROOT / path).exists(), f"{name_of(page)}: {path}"


def test_the_changelog_has_a_section_for_what_is_not_released() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    sections = re.findall(r"^## \[(.+?)\]", changelog, re.MULTILINE)
    assert sections[0] == "Unreleased"
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", changelog, re.MULTILINE)) <= kinds

"""Imports flow one way, the kernel knows no Python, and nothing heavy is loaded before its time."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python" / "twicetold"

#: From the bottom up. A part may import from the layers below its own, and from within itself.
LAYERS = (
    ("_kernel", "aside", "errors", "spreadsheets"),
    ("records",),
    ("deadlines", "parameters", "analysis", "archives", "batches", "extras", "passage_rows"),
    ("html",),
    (
        "correlations",
        "statistics",
        "pairs",
        "scoring",
        "signatures",
        "similarity",
        "tables",
    ),
    ("decision",),
    (
        "alignment",
        "clusters",
        "evidence",
        "mosaics",
        "pipeline",
        "relatedness",
        "sentence_similarity",
    ),
    ("matching", "sentence_store"),
    ("detectors", "engines", "documents"),
    ("scanning",),
    ("asking", "counting", "reference", "explaining_sentences"),
    ("picking",),
    ("explaining", "comparing", "index"),
    ("reports",),
    ("evaluation", "deduplicating"),
    ("learning",),
    ("experiments",),
    ("cli",),
    ("__main__",),
)
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}

#: What costs a user time to load. `import twicetold.cli` and `--help` do without.
HEAVY = (
    "fastwarc",
    "jinja2",
    "matplotlib",
    "numpy",
    "orjson",
    "pyarrow",
    "resiliparse",
    "rich",
    "safetensors",
    "skops",
    "sklearn",
    "tokenizers",
    "wordfreq",
    "wordllama",
    "zstandard",
)

#: Modules that are themselves imported only where documents are read or results printed.
LATE = {
    "twicetold.documents.jsonl": {"orjson"},
    "twicetold.reports.comparison": {"rich"},
    "twicetold.reports.explanation": {"rich"},
}

FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def name_of(path: Path) -> str:
    parts = ("twicetold", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in FILES}


def imports(path: Path) -> Iterator[str]:
    """Yield what a file imports, wherever in it: at the top, in a function, for types only."""
    package = name_of(path) if path.stem == "__init__" else name_of(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield inner if inner in MODULES or inner == "twicetold._kernel" else base


def own_imports(path: Path) -> set[str]:
    return {name for name in imports(path) if name.split(".")[0] == "twicetold"}


def part_of(module: str) -> str:
    return module.split(".")[1]


def test_every_part_has_its_layer() -> None:
    assert {part_of(module) for module in MODULES} | {"_kernel"} == set(LEVEL)


def test_the_architecture_draws_the_same_layers() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    drawn = re.search(r"```text\n(aside, errors, spreadsheets .*?)```", page, re.DOTALL)
    assert drawn is not None
    layers = [sorted(re.findall(r"\w+", part)) for part in drawn[1].split("─►")]
    named = [sorted(part for part in parts if not part.startswith("_")) for parts in LAYERS]
    assert layers == [parts for parts in named if parts]


@pytest.mark.parametrize("module", MODULES)
def test_imports_flow_one_way(module: str) -> None:
    own = part_of(module)
    for name in own_imports(MODULES[module]):
        assert name != "twicetold", f"{module} imports from the surface, not from where it lives"
        other = part_of(name)
        assert other == own or LEVEL[other] < LEVEL[own], f"{module} imports {name}"


def test_no_module_imports_itself_round_a_corner() -> None:
    graph = {module: own_imports(path) & MODULES.keys() for module, path in MODULES.items()}
    TopologicalSorter({module: names - {module} for module, names in graph.items()}).prepare()


def at_module_level(tree: ast.AST) -> Iterator[str]:
    """Yield what is imported when the module is: not in functions, not for types only."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from at_module_level(node)


@pytest.mark.parametrize("module", MODULES)
def test_heavy_modules_are_imported_where_they_are_used(module: str) -> None:
    found = at_module_level(ast.parse(MODULES[module].read_text("utf-8")))
    assert not {name.split(".")[0] for name in found} & set(HEAVY) - LATE.get(module, set())


@pytest.mark.parametrize(
    "program",
    [
        "import twicetold, twicetold.cli",
        "from twicetold.cli import program; program(['--help'], standalone_mode=False)",
    ],
    ids=["import", "help"],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(program: str) -> None:
    check = f"import sys; {program}; print('loaded:', *sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded:"


def test_only_the_binding_knows_python() -> None:
    kernel = ROOT / "crates" / "kernel"
    for path in [kernel / "Cargo.toml", *kernel.rglob("*.rs")]:
        assert "pyo3" not in path.read_text("utf-8").lower(), path


def test_only_the_door_waits_without_the_interpreter() -> None:
    binding = ROOT / "crates" / "python" / "src"
    users = [path.name for path in sorted(binding.rglob("*.rs")) if "detach(" in path.read_text()]
    assert users == ["enter.rs"]

"""The names users may rely on are those listed, all of them documented."""

import ast
import inspect
import re
import subprocess
import sys
from importlib import import_module, metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import twicetold
from twicetold import _kernel

PACKAGE = Path(__file__).resolve().parents[1] / "python" / "twicetold"

MOST = 30


def test_the_surface_is_small_listed_and_sorted() -> None:
    names = twicetold.__all__
    assert len(names) == len(set(names)) <= MOST
    assert names == sorted(names, key=_kind)


def _kind(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


@pytest.mark.parametrize("name", twicetold.__all__)
def test_each_name_is_the_one_of_its_home(name: str) -> None:
    home = import_module(f"twicetold.{twicetold._MODULE_OF[name]}")
    assert getattr(twicetold, name) is getattr(home, name)
    assert name in home.__all__


def test_names_and_homes_agree() -> None:
    assert set(twicetold._MODULE_OF) == set(twicetold.__all__)
    listed = [name for names in twicetold._HOME.values() for name in names]
    assert len(listed) == len(set(listed))


def test_type_checkers_see_the_same_names() -> None:
    source = inspect.getsource(twicetold)
    block = source.split("if TYPE_CHECKING:")[1].split("\n\n_HOME")[0]
    seen = {
        module: sorted(re.findall(r"\w+", names))
        for module, names in re.findall(r"from twicetold\.(\w+) import (\([^)]*\)|[^\n(]+)", block)
    }
    assert seen == {module: sorted(names) for module, names in twicetold._HOME.items()}


def test_star_import_gives_exactly_the_list() -> None:
    namespace: dict[str, object] = {}
    exec("from twicetold import *", namespace)
    assert set(namespace) - {"__builtins__"} == set(twicetold.__all__)


@pytest.mark.parametrize("name", twicetold.__all__)
def test_each_name_is_documented(name: str) -> None:
    value = getattr(twicetold, name)
    if not callable(value):
        return
    assert inspect.getdoc(value), name
    members = vars(value).items() if inspect.isclass(value) else ()
    for member, thing in members:
        public = not member.startswith("_")
        if public and (inspect.isfunction(thing) or isinstance(thing, property | classmethod)):
            assert inspect.getdoc(thing), f"{name}.{member}"


def test_dir_lists_the_names_before_they_are_used() -> None:
    program = "import twicetold; print(*dir(twicetold))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert {*twicetold.__all__, "__version__"} <= set(done.stdout.split())


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'twicetold' has no attribute 'Nobody'"):
        _ = twicetold.Nobody


def test_the_version_is_that_of_the_package() -> None:
    assert twicetold.__version__ == metadata.version("twicetold")
    assert re.fullmatch(r"\d+\.\d+\.\d+([.\w+-]*)", twicetold.__version__)


def test_the_package_is_typed() -> None:
    assert (files("twicetold") / "py.typed").is_file()


STUB = ast.parse((PACKAGE / "_kernel.pyi").read_text("utf-8"))


def declared(tree: ast.Module | ast.ClassDef) -> dict[str, ast.stmt]:
    """Return the names a stub declares, without the types it makes up for itself."""
    found: dict[str, ast.stmt] = {}
    for node in tree.body:
        made_up = isinstance(node, ast.ClassDef) and node.bases
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not made_up:
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = node
    return found


def native(thing: Any) -> set[str]:
    """Return the names of the native module, or of a class in it, that can be called by anyone."""
    return {
        name for name in vars(thing) if not re.fullmatch(r"__(?!len|contains|enter|exit).*__", name)
    }


def arguments(node: ast.FunctionDef) -> list[str]:
    return [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]


def test_the_stub_declares_the_native_module() -> None:
    # A short name for a type is of the stub alone.
    assert {
        name for name in declared(STUB) if name[:1] != "_" or name in native(_kernel)
    } == native(_kernel)


@pytest.mark.parametrize(
    "name", [n for n, d in declared(STUB).items() if isinstance(d, ast.ClassDef)]
)
def test_the_stub_declares_a_native_class(name: str) -> None:
    node, cls = declared(STUB)[name], getattr(_kernel, name)
    assert isinstance(node, ast.ClassDef)
    methods = {n: d for n, d in declared(node).items() if isinstance(d, ast.FunctionDef)}
    assert set(methods) - {"__new__", "__init__"} == native(cls)
    for method, declaration in methods.items():
        if declaration.decorator_list and ast.unparse(declaration.decorator_list[0]) == "property":
            continue
        thing = cls if method == "__new__" else getattr(cls, method)
        own = [n for n in arguments(declaration) if n not in {"self", "cls"}]
        assert [n for n in inspect.signature(thing).parameters if n != "self"] == own, method


@pytest.mark.parametrize(
    "name", [n for n, d in declared(STUB).items() if isinstance(d, ast.FunctionDef)]
)
def test_the_stub_declares_a_native_function(name: str) -> None:
    node = declared(STUB)[name]
    assert isinstance(node, ast.FunctionDef)
    assert list(inspect.signature(getattr(_kernel, name)).parameters) == arguments(node)

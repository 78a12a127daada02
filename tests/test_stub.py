"""``_kernel.pyi`` lists what the native module has: nothing is missing, nothing is made up."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from twicetold import _kernel

STUB = ast.parse(Path(_kernel.__file__).with_name("_kernel.pyi").read_text("utf-8"))

#: Types that only the stub knows, as annotations.
TYPES = {
    node.name
    for node in STUB.body
    if isinstance(node, ast.ClassDef)
    and any(ast.unparse(base) in ("TypedDict", "Protocol") for base in node.bases)
}


def functions(body: Iterable[ast.stmt]) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}


def is_property(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(decorator) == "property" for decorator in node.decorator_list)


CLASSES = {
    node.name: node
    for node in STUB.body
    if isinstance(node, ast.ClassDef) and node.name not in TYPES
}
METHODS = [(name, method) for name, node in CLASSES.items() for method in functions(node.body)]


def arguments(node: ast.FunctionDef) -> list[tuple[str, str, bool]]:
    """Return the names, kinds and whether there is a default, of a function of the stub."""
    given = node.args
    by_place = [*given.posonlyargs, *given.args]
    first_default = len(by_place) - len(given.defaults)
    found = [
        (argument.arg, "place", n >= first_default)
        for n, argument in enumerate(by_place)
        if argument.arg not in ("self", "cls")
    ]
    return found + [
        (argument.arg, "name", default is not None)
        for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    ]


def parameters(native: Any) -> list[tuple[str, str, bool]]:
    """Return the same of what the native module has."""
    return [
        (
            parameter.name,
            "name" if parameter.kind is parameter.KEYWORD_ONLY else "place",
            parameter.default is not parameter.empty,
        )
        for parameter in inspect.signature(native).parameters.values()
        if parameter.name not in ("self", "cls")
    ]


def own_names(native: type) -> set[str]:
    """Return what a class brings itself; of what Python gives every class, only what it changes."""
    ignored = {"__doc__", "__module__", "__qualname__"}
    return {name for name in vars(native) if name not in ignored}


def test_the_module_has_what_the_stub_lists() -> None:
    native = {
        name
        for name in vars(_kernel)
        if not name.startswith("__") and not inspect.ismodule(getattr(_kernel, name))
    }
    constants = {
        node.target.id
        for node in STUB.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and not node.target.id.startswith("_")  # a short name for a type, of the stub alone
    }
    assert native == {*CLASSES, *functions(STUB.body), *constants}


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_has_what_the_stub_lists(name: str) -> None:
    assert own_names(getattr(_kernel, name)) == set(functions(CLASSES[name].body))


@pytest.mark.parametrize(("name", "method"), METHODS)
def test_a_method_takes_what_the_stub_says(name: str, method: str) -> None:
    node, native = functions(CLASSES[name].body)[method], getattr(_kernel, name)
    if is_property(node):
        assert inspect.isgetsetdescriptor(vars(native)[method])
    elif method == "__new__":
        assert arguments(node) == parameters(native)
    else:
        assert isinstance(vars(native)[method], staticmethod) == any(
            ast.unparse(decorator) == "staticmethod" for decorator in node.decorator_list
        )
        assert arguments(node) == parameters(getattr(native, method))


@pytest.mark.parametrize("name", functions(STUB.body))
def test_a_function_takes_what_the_stub_says(name: str) -> None:
    assert arguments(functions(STUB.body)[name]) == parameters(getattr(_kernel, name))


@pytest.mark.parametrize(
    "name", [name for name, node in CLASSES.items() if "__new__" not in functions(node.body)]
)
def test_what_the_stub_lets_nobody_make_cannot_be_made(name: str) -> None:
    with pytest.raises(TypeError):
        getattr(_kernel, name)()


@pytest.mark.parametrize("name", sorted(TYPES))
def test_the_fields_of_a_dictionary_are_the_ones_that_are_read(name: str) -> None:
    (node,) = (n for n in STUB.body if isinstance(n, ast.ClassDef) and n.name == name)
    fields = {
        field.target.id
        for field in node.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    }
    from twicetold.detectors.codet import CoDet
    from twicetold.detectors.sentence_svm import SentenceSVM

    given, read = {
        "PathOptions": (dict[str, Any](CoDet().options()), _kernel.path_features),
        "TopTermOptions": (dict[str, Any](SentenceSVM().options()), _kernel.top_term_features),
    }[name]
    assert set(given) == fields
    found = _kernel.Analyser(
        drop_stop_words=False, drop_numbers=False, stem="none", joiner="keep", min_length=1
    ).analyse([""], [None])
    for field in fields:
        without: Any = {key: value for key, value in given.items() if key != field}
        with pytest.raises(KeyError):
            read(found, _kernel.Statistics(), without)

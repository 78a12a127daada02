"""Every error is caught by one class, and by the class Python people expect."""

from __future__ import annotations

import inspect
import re

import pytest

import twicetold
import twicetold.index
from twicetold import errors
from twicetold.errors import TwicetoldError

#: Each class, what it is among our own, and what it is among Python's.
TREE: list[tuple[str, str, type[BaseException]]] = [
    ("ParameterError", "TwicetoldError", ValueError),
    ("SourceError", "TwicetoldError", OSError),
    ("FormatError", "SourceError", OSError),
    ("IndexWriteError", "SourceError", OSError),
    ("DocumentError", "TwicetoldError", Exception),
    ("StatisticsError", "TwicetoldError", Exception),
    ("IndexMismatchError", "TwicetoldError", Exception),
    ("IndexDamagedError", "TwicetoldError", Exception),
    ("IndexLockedError", "TwicetoldError", Exception),
    ("DeadlineError", "TwicetoldError", Exception),
    ("MissingExtraError", "TwicetoldError", ImportError),
    ("KernelError", "TwicetoldError", RuntimeError),
]


def test_the_tree_has_no_other_classes() -> None:
    defined = {
        name
        for name, found in inspect.getmembers(errors, inspect.isclass)
        if found.__module__ == "twicetold.errors"
    }
    assert defined == {"TwicetoldError", *(name for name, _, _ in TREE)} == set(errors.__all__)


@pytest.mark.parametrize(("name", "parent", "kind"), TREE)
def test_each_class_stands_where_the_tree_says(
    name: str, parent: str, kind: type[BaseException]
) -> None:
    found = getattr(errors, name)
    assert getattr(errors, parent) in found.__bases__
    assert issubclass(found, TwicetoldError)
    assert issubclass(found, kind)
    assert found.__doc__


@pytest.mark.parametrize("name", errors.__all__)
def test_each_class_is_public(name: str) -> None:
    home = twicetold.index if name.startswith("Index") else twicetold
    assert getattr(home, name) is getattr(errors, name)


def test_the_drawn_tree_is_the_tree() -> None:
    drawn = re.findall(r"^ +([│ ]*)[├└]── (\w+)(?: \((\w+)\))?", errors.__doc__ or "", re.MULTILINE)
    path = ["TwicetoldError"]
    found = []
    for indent, name, kind in drawn:
        depth = len(indent) // 4 + 1
        path[depth:] = [name]
        found.append((name, path[depth - 1], kind))
    expected = [
        (name, parent, kind.__name__ if kind in getattr(errors, name).__bases__ else "")
        for name, parent, kind in TREE
    ]
    assert found == [
        (name, parent, "" if kind == "Exception" else kind) for name, parent, kind in expected
    ]

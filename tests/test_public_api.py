"""The names users may rely on are those listed, all of them documented."""

import inspect
import re
import subprocess
import sys
from importlib import import_module, metadata
from importlib.resources import files

import pytest

import twicetold

MOST = 25


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

"""Options are made from the fields of the detectors, all of them, and say what they stand for."""

import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import click
import pytest

from tests.cli.calling import NEWS, Done, twicetold
from twicetold import cli, pipeline
from twicetold.cli import options, scan, statistics
from twicetold.cli.groups import Entry
from twicetold.cli.options import MethodOption, given_parameters, method_options, methods
from twicetold.cli.sections import Sectioned
from twicetold.counting import build_statistics
from twicetold.parameters import Parameter
from twicetold.scanning import make_detector
from twicetold.scanning import scan as library_scan

COMMANDS = {"scan": scan.command, "statistics build": statistics.build}
PARAMETERS = [(method, known) for method, all_of in methods().items() for known in all_of]


def flag_of(known: Parameter) -> str:
    return "--" + known.name.replace("_", "-")


def words(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_options_are_exactly_the_fields_of_the_detectors(command: click.Command) -> None:
    made = {param.name: param for param in command.params if isinstance(param, MethodOption)}
    assert {name: dict(option.uses) for name, option in made.items()} == {
        known.name: {m: other for m, other in PARAMETERS if other.name == known.name}
        for _, known in PARAMETERS
    }
    for _, known in PARAMETERS:
        option = made[known.name]
        assert option.opts == [flag_of(known)]
        no = [flag_of(known).replace("--", "--no-", 1)]
        assert option.secondary_opts == (no if known.type is bool else [])
        if known.choices:
            assert isinstance(option.type, click.Choice)
            assert set(known.choices) <= set(option.type.choices)


def test_a_parameter_has_one_type_in_all_detectors() -> None:
    kinds: dict[str, set[tuple[type, bool]]] = {}
    for _, known in PARAMETERS:
        kinds.setdefault(known.name, set()).add((known.type, known.optional))
    assert all(len(found) == 1 for found in kinds.values()), kinds


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_no_parameter_has_the_name_of_another_option(command: click.Command) -> None:
    names = [param.name for param in command.params]
    assert len(names) == len(set(names))
    flags = [flag for param in command.params for flag in (*param.opts, *param.secondary_opts)]
    assert len(flags) == len(set(flags))


@pytest.mark.parametrize(("method", "known"), PARAMETERS)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_has_every_parameter_with_its_default(
    command: str, method: str, known: Parameter
) -> None:
    text = twicetold(*command.split(), "--help").out
    _, section = text.split(f"\nParameters of {method}:\n")
    section = words(re.split(r"^[A-Z]", section, maxsplit=1, flags=re.MULTILINE)[0])
    assert flag_of(known) in section
    assert words(known.help) in section


def test_the_help_of_a_command_has_its_sections_in_order() -> None:
    text = twicetold("scan", "--help").out
    headings = re.findall(r"^([A-Z].*):$", text, re.MULTILINE)
    methods = [f"Parameters of {method}" for method in pipeline.DETECTORS]
    assert headings == ["What to read", "How to decide", *methods, "What to write", "Other"]


def all_commands(group: click.Group, path: str = "") -> dict[str, click.Command]:
    found: dict[str, click.Command] = {}
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command is not None
        inner = all_commands(command, f"{name} ") if isinstance(command, click.Group) else {}
        found |= {f"{path}{name}": command, **inner}
    return found


@pytest.mark.parametrize("command", all_commands(cli.program))
def test_the_help_of_every_command_has_every_option(command: str) -> None:
    text = twicetold(*command.split(), "--help").out
    for param in all_commands(cli.program)[command].params:
        for flag in (*param.opts, *param.secondary_opts):
            assert flag.lower() in text.lower()


LIBRARY: dict[str, Callable[..., Any]] = {
    "scan": library_scan,
    "statistics build": build_statistics,
}


@pytest.mark.parametrize("command", COMMANDS)
def test_defaults_are_those_of_the_library(command: str) -> None:
    ctx = COMMANDS[command].make_context("x", ["source", "-o", "pairs.csv"])
    given = dict(ctx.params)
    if "methods" in given:
        (given["method"],) = given.pop("methods")
    called = inspect.signature(LIBRARY[command]).parameters
    common = set(called) & set(given) - {"sources", "progress"}
    assert {"method", "threads", "max_key_documents", "strict"} <= common
    # An option that can be given several times is empty where it is not given.
    values = {name: None if given[name] == () else given[name] for name in common}
    assert values == {name: called[name].default for name in common}
    assert given_parameters(ctx) == {}


def test_only_what_is_asked_for_is_imported() -> None:
    script = (
        "import sys; from twicetold.cli import program\n"
        f"program(['scan', {str(NEWS)!r}, *sys.argv[1:], '--quiet'], standalone_mode=False)\n"
        "print(sorted(name for name in sys.modules if name.startswith('twicetold.detectors.')))"
    )

    def imported(*arguments: str) -> str:
        command = [sys.executable, "-c", script, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    assert imported("--method", "dsc") == "['twicetold.detectors.dsc']\n"
    assert imported("--method=dsc", "--limit", "3") == "['twicetold.detectors.dsc']\n"
    assert "winnowing" in imported("--method", "dsc", "--threshold", "0.5")


@pytest.fixture
def two_methods(monkeypatch: pytest.MonkeyPatch) -> click.Command:
    """Return a command that prints the parameters given, with a second detector in the table."""
    table = {"codet": pipeline.DETECTORS["codet"], "fake": "tests.cli.fakes:Fake"}
    monkeypatch.setattr(pipeline, "DETECTORS", table)
    monkeypatch.setattr(options, "DETECTORS", table)

    @click.command(cls=Sectioned)
    @method_options("How to decide", default="codet")
    @click.pass_context
    def command(ctx: click.Context, /, method: str, **_: Any) -> None:
        click.echo(make_detector(method, given_parameters(ctx)))

    monkeypatch.setattr(cli.program, "table", {"try": Entry("", "")})
    monkeypatch.setattr(type(cli.program), "get_command", lambda *_: command)
    return command


def trying(*arguments: object) -> Done:
    return twicetold("try", *arguments)


@pytest.mark.usefixtures("two_methods")
def test_each_detector_has_its_own_defaults_and_help() -> None:
    text = words(trying("--help").out)
    of_codet, of_fake = text.split("Parameters of codet:")[1].split("Parameters of fake:")
    assert "0 to 1; default: 0.5" in of_codet
    assert "how alike [0 to 1; default: 0.9]" in of_fake
    assert "--shine" not in of_codet
    assert "--depth" not in of_fake
    assert trying("--method", "fake").out == "Fake(threshold=0.9, mode='odd', shine=False)\n"
    done = trying("--method", "fake", "--threshold", "0", "--shine", "--mode", "set")
    assert done.out == "Fake(threshold=0.0, mode='set', shine=True)\n"


@pytest.mark.usefixtures("two_methods")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--method", "fake", "--depth", "5"],
            "fake has no parameter 'depth'; it has threshold, m",
        ),
        (["--shine"], "codet has no parameter 'shine'; it has threshold, comparison, word_sorting"),
        (["--no-shine"], "codet has no parameter 'shine'"),
        (["--mode", "odd"], "mode must be set or bag, got 'odd'"),
        (["--method", "fake", "--mode", "bag"], "mode must be set or odd, got 'bag'"),
    ],
)
def test_an_option_of_another_detector_is_refused(arguments: list[str], message: str) -> None:
    done = trying(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"twicetold: {message}")


@pytest.mark.parametrize("method", methods())
def test_a_default_written_out_is_the_default(method: str) -> None:
    written = [
        f"{flag_of(known)}={known.default}"
        for known in methods()[method]
        if known.type is not bool and known.default is not None
    ]
    scan = ["scan", NEWS, "--json", "--method", method]
    assert twicetold(*scan, *written) == twicetold(*scan)

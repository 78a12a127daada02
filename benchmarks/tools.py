"""The table of tools: how each is found, prepared, run and read."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks import jsonl
from benchmarks.peers import sim_text
from benchmarks.runner import ROOT, Command

#: Where `make bench` installs the peers.
PEERS = ROOT / "build" / "peers"

Prepare = Callable[[Path, Path], Command]
ReadPairs = Callable[[Path, Path], Iterator[tuple[str, str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A program to measure.

    ``prepare(input, work)`` does what is not measured and returns the command that is;
    ``pairs(input, work)`` reads what it found.
    """

    name: str
    install: str
    is_installed: Callable[[], bool]
    prepare: Prepare
    pairs: ReadPairs


def twicetold() -> str | None:
    """Return the path of the ``twicetold`` command; ``None`` if it is not installed."""
    beside = Path(sys.executable).parent / "twicetold"
    return str(beside) if beside.exists() else shutil.which("twicetold")


def scan(source: Path, out: Path, method: str = "codet") -> Command:
    """Return the command that scans a file; ``METHOD@FLOOR`` also reports from that score on."""
    program = twicetold()
    if program is None:
        msg = "twicetold is not installed; run `pip install .`"
        raise SystemExit(msg)
    name, _, floor = method.partition("@")
    options = ["--floor", floor] if floor else []
    return Command(
        arguments=[program, "scan", str(source), "--method", name, *options, "-o", str(out)]
    )


def by_name(name: str) -> Tool:
    """Return a tool; ``twicetold:METHOD`` and ``twicetold:METHOD@FLOOR`` are settings of ours."""
    if name.startswith("twicetold:"):
        return _twicetold(name, name.partition(":")[2])
    for tool in TOOLS:
        if tool.name == name:
            return tool
    known = ", ".join([tool.name for tool in TOOLS] + ["twicetold:METHOD[@FLOOR]"])
    msg = f"unknown tool {name!r}; known are {known}"
    raise SystemExit(msg)


def _read_pairs(_source: Path, work: Path) -> Iterator[tuple[str, str]]:
    path = work / "pairs.jsonl"
    if path.exists():
        yield from ((str(row["left"]), str(row["right"])) for row in jsonl.read(path))


def _twicetold(name: str, method: str) -> Tool:
    return Tool(
        name=name,
        install="pip install .",
        is_installed=lambda: twicetold() is not None,
        prepare=lambda source, work: scan(source, work / "pairs.jsonl", method),
        pairs=_read_pairs,
    )


def _peers() -> str:
    """Return the Python that has the peers: one of their own, so that they slow nothing else.

    With numpy beside it, for one, importing pyarrow takes twice as long.
    """
    own = PEERS / "bin" / "python"
    return str(own) if own.exists() else sys.executable


@cache
def _has(package: str) -> bool:
    command = [_peers(), "-c", f"import {package}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _python(name: str, package: str, module: str) -> Tool:
    """Return a peer that is a Python package, run by the adapter of that name."""

    def prepare(source: Path, work: Path) -> Command:
        script = f"benchmarks.peers.{module}"
        out = work / "pairs.jsonl"
        return Command(arguments=[_peers(), "-m", script, str(source), str(out)])

    return Tool(
        name=name,
        install=f"pip install {package}",
        is_installed=lambda: _has(package),
        prepare=prepare,
        pairs=_read_pairs,
    )


TOOLS: tuple[Tool, ...] = (
    _twicetold("twicetold", "codet"),
    Tool(
        name="sim_text",
        install="apt-get install similarity-tester",
        is_installed=lambda: shutil.which("sim_text") is not None,
        prepare=sim_text.prepare,
        pairs=sim_text.pairs,
    ),
    _python("datasketch-lsh", "datasketch", "datasketch_lsh"),
    _python("datasketch-ensemble", "datasketch", "datasketch_ensemble"),
    _python("rensa", "rensa", "rensa_lsh"),
    _python("gaoya", "gaoya", "gaoya_index"),
)

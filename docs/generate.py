"""Rewrite the generated parts of the documentation: ``python -m docs.generate``.

A part stands between ``<!-- generated: NAME -->`` and ``<!-- end -->``; `PARTS` says how each is
made, from the code itself. ``--check`` writes nothing and fails if a page is out of date.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.recall import cells
from click.testing import CliRunner

import twicetold
from docs.limits import limits_of
from twicetold import _kernel, errors, evaluation
from twicetold.alignment import AlignmentParameters
from twicetold.analysis import PROFILES
from twicetold.cli import program
from twicetold.cli.exits import EXIT_CODES
from twicetold.evaluation.answers import MEANINGS
from twicetold.evaluation.permissive import PERMISSIVE
from twicetold.evaluation.sets import SetReader
from twicetold.experiments import EXPERIMENTS
from twicetold.parameters import Parameter, parameters_of
from twicetold.pipeline import DETECTORS, ENGINES, detector_class, engine_of

__all__ = ["PARTS", "main", "pages", "rewrite"]

ROOT = Path(__file__).resolve().parents[1]

_PART = re.compile(
    r"^(<!-- generated: (?P<name>[^>]+?) -->\n).*?^(<!-- end -->)$", re.DOTALL | re.MULTILINE
)
_VERB = re.compile(r"^(?P<verb>[a-z-]+):.*?## (?P<help>.+)$", re.MULTILINE)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return a Markdown table.

    >>> print(table(["a", "b"], [["1", "x | y"]]))
    | a | b |
    |---|---|
    | 1 | x \| y |
    """
    lines = [
        list(head),
        ["---"] * len(head),
        *([cell.replace("|", "\\|") for cell in row] for row in rows),
    ]
    return "\n".join(_line(cells) for cells in lines)


def _line(cells: Sequence[str]) -> str:
    ruler = set(cells) == {"---"}
    return f"|{'|'.join(cells)}|" if ruler else f"| {' | '.join(cells)} |"


def summary(thing: object) -> str:
    """Return the first sentence of what a class, function or module says of itself."""
    paragraph = " ".join((thing.__doc__ or "").strip().split("\n\n")[0].split())
    return re.split(r"(?<=[.:]) (?=[A-Z])", paragraph)[0].rstrip(".:").replace("``", "`")


def detectors() -> str:
    """List the detectors, each with a link to its page."""
    return table(
        ["name", "class", "what it does"],
        (
            [
                f"[`{name}`](detectors/{name}.md)",
                f"`{where.replace(':', '.')}`",
                summary(detector_class(name)),
            ]
            for name, where in DETECTORS.items()
        ),
    )


def engines() -> str:
    """List the engines."""
    return table(
        ["name", "class", "what it does"],
        (
            [f"`{name}`", f"`{where.replace(':', '.')}`", summary(type(engine_of(name)))]
            for name, where in ENGINES.items()
        ),
    )


def parameters(method: str) -> str:
    """List the parameters of a detector."""
    return table(
        ["parameter", "option", "default", "values", "meaning", "decides keys"],
        (
            [
                f"`{known.name}`",
                f"`{_option(known)}`",
                f"`{_value(known.default)}`",
                known.range,
                known.help,
                "yes" if known.decides_keys else "no",
            ]
            for known in parameters_of(detector_class(method))
        ),
    )


def alignment() -> str:
    """List the parameters of an alignment."""
    rows = parameters_of(AlignmentParameters)
    return table(
        ["parameter", "default", "values", "meaning"],
        ([f"`{p.name}`", f"`{_value(p.default)}`", p.range, p.help] for p in rows),
    )


def _option(known: Parameter) -> str:
    flag = known.name.replace("_", "-")
    return f"--{flag}, --no-{flag}" if known.type is bool else f"--{flag}"


def _value(default: Any) -> str:
    return f"{default:g}" if isinstance(default, float) else str(default)


def profiles() -> str:
    """List the profiles of analysis."""
    return table(
        [
            "profile",
            "stop words",
            "numbers",
            "stem",
            "joiner",
            "minimum length",
            "longest sentence",
        ],
        (
            [
                f"`{name}`",
                p.stop_words,
                p.numbers,
                p.stem,
                p.joiner,
                str(p.min_length),
                _value(p.longest or "any"),
            ]
            for name, p in PROFILES.items()
        ),
    )


def languages() -> str:
    """List the languages by what is known about them."""
    known = _kernel.languages()
    kinds = {
        "stop words and a stemmer": [code for code, stop, stem in known if stop and stem],
        "stop words only": [code for code, stop, stem in known if stop and not stem],
        "a stemmer only": [code for code, stop, stem in known if stem and not stop],
        "neither": [code for code, stop, stem in known if not stop and not stem],
    }
    return table(
        ["what is known", "languages", "codes (ISO 639-1)"],
        (
            [kind, str(len(codes)), " ".join(f"`{code}`" for code in codes)]
            for kind, codes in kinds.items()
            if codes
        ),
    )


def limits() -> str:
    """List the limits of the analysis, with the numbers the kernel has."""
    return table(["what", "limit", "beyond it"], limits_of(ROOT))


def recall() -> str:
    """List what each detector finds at the least of planted reuse."""
    head, *rows = cells()
    return table(head, rows)


def error_tree() -> str:
    """Draw the tree of errors."""
    lines = list(_branch(errors.TwicetoldError))
    width = max(len(left) for left, _ in lines)
    return "\n".join(["```text", *(f"{left:<{width}}  {right}" for left, right in lines), "```"])


def _branch(cls: type, lead: str = "", stem: str = "") -> Iterator[tuple[str, str]]:
    builtin = [base.__name__ for base in cls.__bases__ if base.__module__ == "builtins"]
    also = f" ({', '.join(builtin)})" if builtin and builtin != ["Exception"] else ""
    yield f"{lead}{cls.__name__}{also}", summary(cls)
    own = [getattr(errors, name) for name in errors.__all__]
    below = [sub for sub in sorted(own, key=lambda sub: str(sub.__name__)) if cls in sub.__bases__]
    for sub in below:
        last = sub is below[-1]
        yield from _branch(
            sub, f"{stem}{'└── ' if last else '├── '}", f"{stem}{'    ' if last else '│   '}"
        )


def help_of(*command: str) -> str:
    """Show the help of a command, as on a terminal of 100 columns."""
    arguments = [*command, "--help"]
    said = CliRunner(env={"COLUMNS": "100"}).invoke(program, arguments, prog_name="twicetold")
    return f"```text\n$ twicetold {' '.join(arguments)}\n{said.output.strip()}\n```"


def exit_codes() -> str:
    """List the exit codes of the program."""
    return table(["code", "meaning"], ([f"`{code}`", words] for code, words in EXIT_CODES.items()))


def names() -> str:
    """List the public names."""
    return table(
        ["name", "what it is"],
        ([f"`{name}`", _about(name)] for name in sorted(twicetold.__all__, key=str.lower)),
    )


def _about(name: str) -> str:
    value = getattr(twicetold, name)
    if isinstance(value, type) or callable(value):
        return summary(value)
    return f"table: {', '.join(f'`{key}`' for key in value)}"


def sets() -> str:
    """List the formats of labelled data."""
    return table(
        ["format", "what it reads", "known by"],
        ([f"`{name}`", known.help, _known_by(known)] for name, known in evaluation.SETS.items()),
    )


def _known_by(known: SetReader) -> str:
    columns = f" with the columns {', '.join(known.columns)}" if known.columns else ""
    return f"`{known.glob}`{columns}"


def answers() -> str:
    """List the answers that a judged pair can have."""
    return table(
        ["answer", "when"], ([f"`{answer}`", meaning] for answer, meaning in MEANINGS.items())
    )


def permissive() -> str:
    """List the parameters with which methods nominate pairs."""
    return table(
        ["method", "permissive parameters"],
        (
            [f"`{name}`", ", ".join(f"`{key}` {value}" for key, value in given.items())]
            for name, given in PERMISSIVE.items()
        ),
    )


def experiments() -> str:
    """List the experiments."""
    return table(
        ["name", "asks", "documents"],
        ([f"`{name}`", known.help, f"{known.documents:,}"] for name, known in EXPERIMENTS.items()),
    )


def verbs() -> str:
    """List the verbs of the Makefile."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    return table(
        ["verb", "does"],
        ([f"`make {found['verb']}`", found["help"]] for found in _VERB.finditer(makefile)),
    )


#: How each part is made. What follows the first word of a part's name is the argument.
PARTS: dict[str, Callable[..., str]] = {
    "answers": answers,
    "detectors": detectors,
    "engines": engines,
    "errors": error_tree,
    "exit-codes": exit_codes,
    "experiments": experiments,
    "help": help_of,
    "languages": languages,
    "limits": limits,
    "names": names,
    "parameters": parameters,
    "alignment": alignment,
    "permissive": permissive,
    "profiles": profiles,
    "recall": recall,
    "sets": sets,
    "verbs": verbs,
}


def rewrite(text: str) -> str:
    """Return a page with its generated parts made anew."""

    def made(found: re.Match[str]) -> str:
        name, *arguments = found["name"].split()
        if name not in PARTS:
            msg = f"no generated part {name!r}; there are {', '.join(PARTS)}"
            raise SystemExit(msg)
        return f"{found[1]}{PARTS[name](*arguments)}\n{found[3]}"

    return _PART.sub(made, text)


def pages() -> list[Path]:
    """Return every page of the documentation."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def main(arguments: Sequence[str] | None = None) -> int:
    """Rewrite the pages, or check that they need no rewriting."""
    parser = argparse.ArgumentParser(prog="python -m docs.generate", description=summary(_self()))
    parser.add_argument("--check", action="store_true", help="fail if a page is out of date")
    check = parser.parse_args(arguments).check
    stale = 0
    for page in pages():
        old = page.read_text("utf-8")
        new = rewrite(old)
        if new == old:
            continue
        stale += 1
        if not check:
            page.write_text(new, "utf-8")
        word = "is out of date; run `make docs`" if check else "rewritten"
        sys.stdout.write(f"{page.relative_to(ROOT)}: {word}\n")
    return 1 if check and stale else 0


def _self() -> object:
    return import_module(__name__)


if __name__ == "__main__":
    sys.exit(main())

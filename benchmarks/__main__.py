"""The benchmark of Twicetold and its peers: one seeded generator, one table."""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.analysis import analysis
from benchmarks.compare import compare
from benchmarks.everything import Part, everything
from benchmarks.floors import floors
from benchmarks.growth import growth, scenarios
from benchmarks.index import index
from benchmarks.long_pairs import long_pairs
from benchmarks.options import add
from benchmarks.overlaps import overlaps
from benchmarks.pages import pages
from benchmarks.seeds import seeds
from benchmarks.startup import startup
from benchmarks.text.collection import make_collection, make_planted


def main() -> None:
    """Parse, call one function, print."""
    options = vars(_parser().parse_args())
    options.pop("run")(**options)


def _make_planted(**options: Any) -> None:
    made = make_planted(**options)
    print(", ".join(f"{kind} {count}" for kind, count in made.items()))


def _shown(measure: Callable[..., Part | Sequence[Part]]) -> Callable[..., None]:
    """Return a command that measures, prints what came out, and keeps it as JSON if asked."""

    def run(json_out: Path | None, **options: Any) -> None:
        found = measure(**options)
        parts = found if isinstance(found, Sequence) else [found]
        print("\n\n".join(map(str, parts)))
        if json_out is not None:
            rows = [part.to_json() for part in parts]
            json_out.write_text(json.dumps(rows, indent=1), encoding="utf-8")

    return run


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(
        name: str, run: Callable[..., None], text: str, among: Any = commands
    ) -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = among.add_parser(name, help=text, description=text)
        added.set_defaults(run=run)
        return added

    make = commands.add_parser("make", help="make a collection")
    kinds = make.add_subparsers(required=True, metavar="KIND")
    one = command("collection", make_collection, "of any size, one document at a time", kinds)
    one.add_argument("out", type=Path, metavar="OUT.jsonl")
    one.add_argument(
        "--mean-length", type=float, metavar="N", help="characters a document (those of --from)"
    )
    add(one, "--documents", "--from", "--seed", documents=10_000)

    one = command("planted", _make_planted, "with reuse planted in it, and the list of it", kinds)
    one.add_argument("out", type=Path, metavar="OUT.jsonl")
    one.add_argument("--truth", type=Path, required=True, metavar="TRUTH.jsonl")
    add(one, "--documents", "--from", "--seed", documents=5_000)

    one = command("run", _shown(compare), "every tool on the same file: one table")
    reuse = one.add_mutually_exclusive_group()
    reuse.add_argument("--planted", action="store_true", help="plant reuse and measure recall")
    reuse.add_argument("--truth", type=Path, help="planted pairs of the input, from `make planted`")
    one.add_argument("--repeat", type=int, default=3, help="runs a tool; the best counts (3)")
    flags = ("--input", "--documents", "--seed", "--limit", "--tools")
    add(one, *flags, "--json", documents=10_000)

    one = command("growth", _shown(growth), "time and memory of scans of growing collections")
    flags = ("--sizes", "--seed", "--limit", "--method", "--json")
    add(one, "--from", *flags, sizes="10000,20000,40000,80000,160000")

    one = command("scenarios", _shown(scenarios), "n equal and n distinct documents, n doubling")
    add(one, *flags, sizes="5000,10000,20000,40000,80000")

    one = command("long-pairs", _shown(long_pairs), "two documents, each four times twice as long")
    one.add_argument(
        "--kinds", type=lambda text: text.split(","), default=(), help="of texts (default: all)"
    )
    one.add_argument("--repeat", type=int, default=1, help="runs of each; the best counts (1)")
    add(one, "--seed", "--limit", "--json")

    one = command("startup", _shown(startup), "import and --help over bare Python")
    add(one, "--json")

    one = command("analysis", _shown(analysis), "analysis on one thread against wc -w")
    one.add_argument("--profile", default="codet", help="name in twicetold.analysis.PROFILES")
    add(one, "--input", "--documents", "--seed", "--json", documents=10_000)

    one = command("pages", _shown(pages), "web pages: main content, speed, what sites repeat")
    one.add_argument(
        "--articles", type=Path, help="pages with ground-truth.json (html_scrapinghub)"
    )
    one.add_argument("--sites", type=Path, help="pages of few sites (html_cleanportal), or any")
    one.add_argument(
        "--methods", dest="names", type=lambda text: text.split(","), help="default: all"
    )
    add(one, "--json")

    _add_index(command)
    _add_accuracy(command)

    one = command("all", everything, "all of this at a small size: what `make bench` runs")
    one.add_argument("--out", type=Path, default=Path("build/bench"), help="folder for results")
    add(one, "--input", "--documents", "--seed", "--limit", "--tools", documents=10_000)
    return parser


def _add_index(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command that measures an index on disk."""
    one = command("index", _shown(index), "an index on disk: rate, memory, size, searches, readers")
    one.add_argument("--searches", type=int, default=300, help="searches a size (300)")
    one.add_argument(
        "--readers", action="store_true", help="only this: search from 4 processes meanwhile"
    )
    one.add_argument(
        "--no-answers", dest="answers", action="store_false", help="add without comparing; no scan"
    )
    one.add_argument("--made", type=Path, metavar="FILE.jsonl", help="a collection that is there")
    one.add_argument(
        "--repeat", type=int, default=1, help="scans and bulk adding, by turns; all are told (1)"
    )
    one.add_argument(
        "--pause", type=float, default=0, metavar="SECONDS", help="before each program (0)"
    )
    one.add_argument(
        "--statistics", dest="pinned", type=Path, metavar="FILE", help="for all (each its own)"
    )
    one.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep indexes here; what is there is searched"
    )
    flags = ("--from", "--seed", "--limit", "--method", "--json")
    add(one, "--sizes", *flags, sizes=[20_000, 50_000], method="retelling", limit=3600)


def _add_accuracy(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the commands that tell how well the default method does, not how fast."""
    one = command("floors", _shown(floors), "accuracy of alignment and `retelling` on public sets")
    one.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="with the sets")
    add(one, "--json")

    one = command("overlaps", overlaps, "overlaps drawn at random, with their passages, to be read")
    one.add_argument("source", type=Path, metavar="FILE.jsonl")
    one.add_argument("-o", "--output", dest="out", type=Path, required=True, metavar="OUT.txt")
    one.add_argument("--count", type=int, default=60, help="how many (60)")
    add(one, "--seed")

    one = command("seeds", _shown(seeds), "recall of planted reuse by seed, and F1, of any methods")
    one.add_argument(
        "--methods",
        type=lambda text: text.split(","),
        default=["retelling"],
        help="METHOD or METHOD@FLOOR, with commas (retelling)",
    )
    one.add_argument(
        "--seeds",
        dest="numbers",
        type=lambda text: [int(number) for number in text.split(",")],
        default=[2, 3, 4],
        help="with commas (2,3,4)",
    )
    add(one, "--documents", "--from", "--json", documents=10_000)


if __name__ == "__main__":
    main()

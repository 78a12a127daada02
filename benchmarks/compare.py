"""Every tool on the same file."""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import tools
from benchmarks.results import Result, Truth, judge, read_truth, render
from benchmarks.runner import MEGABYTE, Measured, measure, word_count
from benchmarks.text.collection import make_collection, make_planted


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The rows of one file, with the floor beside them."""

    title: str
    results: list[Result]
    floor: Measured
    limit: float

    def __str__(self) -> str:
        return f"{self.title}\n\n{render(self.results, self.floor, self.limit)}"

    def to_json(self) -> dict[str, Any]:
        rows = [result.to_json() for result in self.results]
        return {"title": self.title, "floor_seconds": self.floor.seconds, "tools": rows}


def compare(
    names: list[str],
    *,
    source: Path | None = None,
    n_documents: int = 10_000,
    planted: bool = False,
    truth: Path | None = None,
    seed: int = 1,
    limit: float = 600,
    repeat: int = 3,
) -> Comparison:
    """Run tools on a file, on a generated collection, or on a planted one, and judge the pairs.

    ``source`` is the file to run on, or with ``planted`` the file to plant into; ``None``: the
    text is invented.
    """
    chosen = [tools.by_name(name) for name in names]
    with tempfile.TemporaryDirectory(prefix="twicetold-bench-") as folder:
        path = Path(folder) / "input.jsonl"
        if planted:
            truth = path.with_name("truth.jsonl")
            make_planted(path, truth, n_documents, source=source, seed=seed)
        elif source is None:
            make_collection(path, n_documents, source=None, seed=seed)
        else:
            path = source.resolve()
        wanted = {} if truth is None else read_truth(truth)
        floor = measure(word_count(path), repeat=5)
        results = [_run(tool, path, wanted, limit, repeat) for tool in chosen]
        title = _title(path, source, planted=planted)
    return Comparison(title=title, results=results, floor=floor, limit=limit)


def _title(path: Path, source: Path | None, *, planted: bool) -> str:
    with path.open("rb") as lines:
        n_documents = sum(1 for _ in lines)
    origin = "invented text" if source is None else source.name
    size = f"{n_documents:,} documents, {path.stat().st_size / MEGABYTE:.1f} MB"
    return f"{'Planted in ' if planted else ''}{origin}: {size}"


def _run(tool: tools.Tool, path: Path, truth: Truth, limit: float, repeat: int) -> Result:
    megabytes = path.stat().st_size / MEGABYTE
    if not tool.is_installed():
        note = f"not installed; run `{tool.install}`"
        return Result(tool=tool.name, megabytes=megabytes, note=note)
    work = Path(tempfile.mkdtemp(prefix="twicetold-bench-"))
    try:
        command = tool.prepare(path, work)
        measured = measure(command, limit=limit, repeat=repeat)
        judged = judge(tool.pairs(path, work), truth) if measured.code == 0 else {}
        return Result(
            tool=tool.name, megabytes=megabytes, measured=measured, note=measured.reason, **judged
        )
    finally:
        shutil.rmtree(work)

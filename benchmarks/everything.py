"""What ``make bench`` runs: each part at a size that ends within minutes, kept in a folder."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from benchmarks.analysis import analysis
from benchmarks.compare import compare
from benchmarks.growth import growth, scenarios
from benchmarks.startup import startup


class Part(Protocol):
    """A result that prints as Markdown and can be kept as JSON."""

    def __str__(self) -> str: ...

    def to_json(self) -> dict[str, Any]: ...


def everything(
    out: Path,
    names: list[str],
    *,
    source: Path | None,
    n_documents: int,
    seed: int,
    limit: float,
) -> None:
    """Run all parts, print each as it ends, and write results.json and results.md."""

    def table(planted: bool) -> list[Part]:
        count = n_documents // 2 if planted else n_documents
        # sim_text is asked for all from 1 % on; so is Twicetold, in a row of its own.
        chosen = [*names, "twicetold:codet@0.01"] if planted else names
        return [
            compare(
                chosen, source=source, n_documents=count, planted=planted, seed=seed, limit=limit
            )
        ]

    sizes = [n_documents // 2, n_documents, 2 * n_documents, 4 * n_documents]
    parts: dict[str, Callable[[], Sequence[Part]]] = {
        "speed": lambda: table(planted=False),
        "recall": lambda: table(planted=True),
        "analysis": lambda: [analysis(source, n_documents=n_documents, seed=seed)],
        "startup": lambda: [startup()],
        "growth": lambda: [growth(sizes, source=source, seed=seed, limit=limit)],
        "scenarios": lambda: scenarios(sizes[:3], seed=seed, limit=limit),
    }
    kept: dict[str, list[Any]] = {}
    pages: list[str] = []
    out.mkdir(parents=True, exist_ok=True)
    for name, run in parts.items():
        try:
            results = run()
        except (ImportError, SystemExit) as reason:
            print(f"{name}: not measured: {reason}", flush=True)
            continue
        kept[name] = [part.to_json() for part in results]
        pages += [f"### {part}\n" for part in results]
        print("\n".join(pages[-len(results) :]), flush=True)
        # Written after each part, so that a run that is stopped leaves what it knows.
        (out / "results.json").write_text(json.dumps(kept, indent=1), encoding="utf-8")
        (out / "results.md").write_text("\n".join(pages), encoding="utf-8")
    print(f"written to {out / 'results.json'} and {out / 'results.md'}")

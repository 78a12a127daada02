"""`run`: one experiment on one collection."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from twicetold.errors import ParameterError
from twicetold.experiments.frame import Outcome, Setting
from twicetold.experiments.table import experiment_of
from twicetold.pipeline import Progress, ignore
from twicetold.scanning import Source

__all__ = ["run"]


def run(
    name: str,
    data: Source | Iterable[Source] = (),
    *,
    documents: int | None = None,
    labels: Source | None = None,
    seed: int = 0,
    threads: int = 0,
    progress: Callable[[Progress], None] = ignore,
) -> Outcome:
    """Make an experiment of a paper.

    ``data`` are files, folders or globs of documents, of which the first ``documents`` are taken;
    None: as many as the experiment usually takes. ``labels`` is a labelled set to judge by, in any
    format that `evaluate` reads; without it, experiments that need truth plant it into the data.
    """
    name, experiment = experiment_of(name)
    sources = (data,) if isinstance(data, (str, Path)) else tuple(data)
    if not sources and labels is None:
        msg = f"{name} needs documents; name them with --data, or a labelled set with --labels"
        raise ParameterError(msg)
    if documents is not None and documents < 1:
        msg = f"documents must be at least 1, got {documents!r}"
        raise ParameterError(msg)
    setting = Setting(
        data=tuple(map(str, sources)),
        documents=experiment.documents if documents is None else documents,
        seed=seed,
        threads=threads,
        labels=None if labels is None else str(labels),
        progress=progress,
    )
    return experiment.load()(setting)

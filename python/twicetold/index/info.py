"""What an index is, and how large."""

from __future__ import annotations

from twicetold.batches import moment
from twicetold.index.core import Core
from twicetold.index.database import FORMAT_VERSION
from twicetold.index.parts import EVER
from twicetold.index.records import IndexInfo

__all__ = ["info_of"]


def info_of(core: Core) -> IndexInfo:
    """Return what an opened index is."""
    settings, parts, statistics = core.settings, core.parts, core.statistics
    counts = core.database.counts()
    features = [segment.n_features for segment in parts.segments.values()]
    horizon = None if parts.horizon == EVER else parts.horizon
    times = map(moment, (counts.earliest, counts.latest, parts.clock, horizon))
    shown = [None if time is None else time.isoformat() for time in times]
    return IndexInfo(
        path=str(core.files.path),
        format_version=FORMAT_VERSION,
        method=settings.method,
        parameters=core.job.detector.settings(),
        language=settings.language,
        window_seconds=None if settings.window is None else settings.window / 1e6,
        floor=settings.floor,
        passages=settings.passages,
        max_key_documents=settings.max_key_documents,
        statistics=None if statistics is None else statistics.version,
        statistics_origin=None if statistics is None else statistics.origin,
        statistics_documents=0 if statistics is None else statistics.documents,
        commit=parts.commit,
        documents=counts.documents,
        removed=counts.removed,
        earliest=shown[0],
        latest=shown[1],
        clock=shown[2],
        horizon=shown[3],
        segments=len(parts.rows),
        features=sum(n for n, _ in features),
        postings=sum(n for _, n in features),
        segment_bytes=sum(row.size for row in parts.rows.values()),
        database_bytes=core.files.database.stat().st_size,
        text_bytes=counts.text_bytes,
    )

"""Small collections for experiments: invented news, dated, and nothing reused in it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from benchmarks.text import writer

from twicetold.records import Document

START = datetime(2026, 1, 1, tzinfo=UTC)


def documents(n: int = 40) -> list[Document]:
    """Return documents of about a dozen sentences, one a day."""
    return [
        Document(
            id=f"d{number:03}",
            text=record["text"][:1200],
            language="en",
            published=START + number * timedelta(days=1),
        )
        for number, record in enumerate(islice(writer.documents(5), n))
    ]


def write(path: Path, n: int = 40) -> Path:
    """Write them as JSON Lines, the last one a copy of the first."""
    made = documents(n)
    rows = [*made, Document(id="copy", text=made[0].text, published=made[-1].published)]
    lines = (
        {"id": d.id, "text": d.text, "language": "en", "published": str(d.published)} for d in rows
    )
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path

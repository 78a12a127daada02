"""Small collections for experiments: invented news, dated, and nothing reused in it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from benchmarks.text import writer

from twicetold.experiments.text.spans import sentences
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


def site(folder: Path) -> Path:
    """Write pages of one site, with a menu; return the folder."""
    menu = "".join(f"<li>All about {word} in our town</li>" for word in ("news", "sport", "art"))
    every = documents(72)
    for n in range(24):
        text = "\n".join(document.text for document in every[3 * n : 3 * n + 3])
        told = "".join(f"<p>{text[start:end]}</p>" for start, end in sentences(text))
        head = f"<title>Page {n}</title><link rel=canonical href='https://a.example/{n}'>"
        (folder / f"{n:02}.html").write_text(f"{head}<nav><ul>{menu}</ul></nav>{told}")
    return folder

"""What the tests of the readers share: one call that reads, and one sample of every format."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet
from tests.running import taken

from twicetold.batches import microseconds
from twicetold.documents import FORMATS, Report, read, read_batches
from twicetold.records import Document

PLAIN = "Shares fell.\n\nOil rose — «çok» 日本.\n"
ROWS = [
    {"id": "a", "text": "Shares fell.", "date": "2026-01-02"},
    {"id": "b", "text": 'Oil "rose",\nthey said. «çok» 日本', "date": "2026-01-03"},
]


class Reading(NamedTuple):
    documents: list[Document]
    report: Report
    #: What is said where sources hold too few documents.
    refused: str | None = None

    @property
    def texts(self) -> list[str]:
        return [document.text for document in self.documents]

    @property
    def ids(self) -> list[str]:
        return [document.id for document in self.documents]

    @property
    def problems(self) -> list[tuple[int | None, str]]:
        return [(problem.line, problem.reason) for problem in self.report.problems]


class Sample(NamedTuple):
    data: bytes
    texts: list[str]


@pytest.fixture(scope="session")
def collect() -> Callable[..., Reading]:
    """Read everything; of the report only the documents are not repeated."""

    def run(*sources: str | Path, **options: Any) -> Reading:
        report = Report()
        documents, refused = taken(read(*sources, report=report, **options))
        found = Reading(documents, report, refused)
        if all(Path(source).is_file() for source in sources):  # a pipe can be read only once
            check_batches(found, *sources, **options)
        return found

    return run


def check_batches(expected: Reading, *sources: str | Path, **options: Any) -> None:
    """Read in batches, too: the same documents, the same problems."""
    report = Report()
    columns: list[tuple[Any, ...]] = []
    batches, refused = taken(read_batches(*sources, report=report, **options))
    assert refused == expected.refused
    for batch in batches:
        columns.extend(zip(*batch.columns(), strict=True))
    assert refused or columns == [
        (d.id, d.text, d.language, microseconds(d.published), d.source, d.title)
        for d in expected.documents
    ]
    assert sorted(map(str, report.problems)) == sorted(map(str, expected.report.problems))
    assert report.documents == expected.report.documents
    assert report.bytes_read == expected.report.bytes_read


@pytest.fixture(scope="session")
def write(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, bytes], Path]:
    """Write a file into a folder of its own."""

    def run(name: str, data: bytes) -> Path:
        path = tmp_path_factory.mktemp("file") / name
        path.write_bytes(data)
        return path

    return run


def record(uri: str, body: bytes, *, kind: str = "response", http: str = "text/html") -> bytes:
    """Make a WARC record; ``http`` empty makes one without HTTP headers."""
    if http:
        body = f"HTTP/1.1 200 OK\r\nContent-Type: {http}\r\n\r\n".encode() + body
    content_type = "application/http; msgtype=response" if http else "text/plain"
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\n"
        f"WARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body + b"\r\n\r\n"


@pytest.fixture(scope="session")
def warc_record() -> Callable[..., bytes]:
    return record


def _parquet() -> bytes:
    sink = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(ROWS), sink)
    return sink.getvalue()


def _csv() -> bytes:
    rows = "".join('{id},"{0}",{date}\r\n'.format(r["text"].replace('"', '""'), **r) for r in ROWS)
    return ("id,text,date\r\n" + rows).encode()


@pytest.fixture(scope="session")
def samples() -> dict[str, Sample]:
    """Make a file of each format, and the texts that must come out."""
    texts = [row["text"] for row in ROWS]
    page = "<html><head><title>T</title></head><body><p>Shares fell.<p>Oil rose.</body></html>"
    made = {
        "txt": Sample(PLAIN.encode(), [PLAIN]),
        "md": Sample(("# News\n\n" + PLAIN).encode(), ["# News\n\n" + PLAIN]),
        "html": Sample(page.encode(), ["Shares fell.\n\nOil rose."]),
        "jsonl": Sample("".join(json.dumps(row) + "\n" for row in ROWS).encode(), texts),
        "csv": Sample(_csv(), texts),
        "parquet": Sample(_parquet(), texts),
        "warc": Sample(
            record("http://a.example/1", page.encode())
            + record("http://a.example/2", b"Oil rose.", kind="conversion", http=""),
            ["Shares fell.\n\nOil rose.", "Oil rose."],
        ),
    }
    assert set(made) == set(FORMATS), "every format needs a sample"
    return made


def zstd(data: bytes) -> bytes:
    packed: bytes = zstandard.compress(data)
    return packed


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "gzip": gzip.compress,
    "zst": zstd,
    "zstd": zstd,
}


@pytest.fixture(scope="session")
def compress() -> dict[str, Callable[[bytes], bytes]]:
    return COMPRESS

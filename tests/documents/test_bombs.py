"""Small files that stand for much: what they hold is limited while they are read.

The limits are sixteen times smaller here than they are, so that the bombs can be.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import brotli
import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

MB = 1 << 20
PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def zeros(size: int) -> Iterator[bytes]:
    yield b"<p>"
    for _ in range(size // MB):
        yield bytes(MB)


def gzipped(size: int) -> bytes:
    return gzip.compress(b"".join(zeros(size)), 1)


def brotlied(size: int) -> bytes:
    packer = brotli.Compressor(quality=2, lgwin=24)
    return b"".join(map(packer.process, zeros(size))) + bytes(packer.finish())


def zstdied(size: int, *, window: int | None = None) -> bytes:
    parameters = None
    if window is not None:
        parameters = zstandard.ZstdCompressionParameters(window_log=window, write_content_size=0)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return b"".join(map(packer.compress, zeros(size))) + packer.flush()


def record(content: bytes, kind: str = "application/http") -> bytes:
    head = f"WARC-Type: response\r\nContent-Type: {kind}\r\nContent-Length: {len(content)}\r\n"
    return b"WARC/1.0\r\n" + head.encode() + b"\r\n" + content + b"\r\n\r\n"


def coded(coding: str, body: bytes) -> bytes:
    return record(PAGE + f"Content-Encoding: {coding}\r\n\r\n".encode() + body)


def dictionary(path: Path) -> None:
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 256, pa.int32()), ["oil " * (MB // 4)])
    table = pa.table({"id": [str(n) for n in range(256)], "text": texts})
    parquet.write_table(
        table, path, compression="zstd", store_schema=False, dictionary_pagesize_limit=1 << 30
    )


def prefixes(path: Path) -> None:
    table = pa.table({"id": [str(n) for n in range(256)], "text": ["oil " * (MB // 4)] * 256})
    parquet.write_table(
        table,
        path,
        compression="zstd",
        store_schema=False,
        use_dictionary=False,
        column_encoding={"id": "PLAIN", "text": "DELTA_BYTE_ARRAY"},
    )


def long_page(path: Path) -> None:
    table = pa.table({"text": ["oil " * (10 * MB)]})
    parquet.write_table(table, path, compression="zstd", use_dictionary=False)


#: Files, and how many documents and which problems come of them; None: what follows the damage.
BOMBS: dict[
    str, tuple[Callable[[], bytes] | Callable[[Path], None], int | None, dict[str, int]]
] = {
    "gzip.txt.gz": (lambda: gzipped(160 * MB), 0, {"too long": 1}),
    "gzip.jsonl.gz": (lambda: gzipped(160 * MB), 0, {"too long": 1}),
    "zstd.html.zst": (lambda: zstdied(160 * MB), 0, {"too long": 1}),
    "zstd.csv.zst": (lambda: zstdied(160 * MB), 0, {}),
    "window.jsonl.zst": (lambda: zstdied(160 * MB, window=31), 0, {"truncated": 1}),
    "gzip.warc": (lambda: coded("gzip", gzipped(160 * MB)), 0, {"too long": 1}),
    "brotli.warc": (lambda: coded("br", brotlied(160 * MB)), 0, {"too long": 1}),
    "zstd.warc": (lambda: coded("zstd", zstdied(160 * MB)), 0, {"too long": 1}),
    "twice.warc": (
        lambda: coded("br, br", bytes(brotli.compress(brotlied(160 * MB)))),
        0,
        {"too long": 1},
    ),
    "codings.warc": (lambda: coded("gzip," * 99_999, gzipped(0)), 0, {"bad warc": 1}),
    "spool.parquet.gz": (lambda: gzip.compress(b"PAR1" + bytes(8 * MB), 1), 0, {"too long": 1}),
    "dictionary.parquet": (dictionary, 256, {}),
    "prefixes.parquet": (prefixes, 256, {}),
    "page.parquet": (long_page, 0, {"too long": 1}),
    "row.csv.gz": (
        lambda: gzip.compress(b"text,a\n" + b'"\n",' * 1_100_000, 1),
        None,
        {"too long": 1},
    ),
    # What took time with the square of its length.
    "folded.warc": (
        lambda: record(PAGE + b"X: y\r\n" + b" z\r\n" * 250_000 + b"\r\n<p>Oil rose."),
        1,
        {},
    ),
    "head.warc": (
        lambda: record(PAGE + b"X: y\r\n" + b" z\r\n" * 2_000_000 + b"\r\n<p>Oil rose."),
        0,
        {"bad warc": 1},
    ),
    "charset.warc": (
        lambda: record(PAGE[:-2] + b"; charset=" + b" " * 900_000 + b"!\r\n\r\n<p>Oil rose."),
        1,
        {},
    ),
    "charset.html": (
        lambda: b"<meta charset=" * 35 + b" " * 3_500 + b"!><p>Oil rose.",
        1,
        {},
    ),
    "date.jsonl": (
        lambda: json.dumps({"text": "Oil.", "date": "2026-01-02" + " " * MB + "x"}).encode(),
        1,
        {"bad date": 1},
    ),
    "equal.csv": (lambda: b"text" + b",a" * 50_000 + b"\nOil rose.\n", 1, {}),
    "empty.csv": (lambda: b"text" + b"," * 50_000 + b"\nOil rose.\n", 1, {}),
    "members.jsonl.gz": (lambda: gzip.compress(b"") * 50_000, 0, {}),
    "frames.jsonl.zst": (lambda: zstandard.compress(b"") * 50_000, 0, {}),
}

READ = """
import json, re, resource, sys
from pathlib import Path
from twicetold.documents import Report, compression, parquet_pages, read
from twicetold.errors import TwicetoldError

compression._FREE //= 16
parquet_pages._HELD //= 16

resource.setrlimit(resource.RLIMIT_CPU, (100, 100))
for path in sys.argv[1:]:
    report = Report()
    n = 0
    try:
        for _ in read(path, report=report):
            n += 1
    except TwicetoldError:
        pass  # nothing of it can be read
    peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]
    print(json.dumps([path, n, dict(report.count), int(peak) // 1024]), flush=True)
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, dict[str, int], int]]:
    """Return what a process of its own reads of all: documents, problems, its memory in MB."""
    folder = tmp_path_factory.mktemp("bombs")
    for name, (make, _, _) in BOMBS.items():
        if name.endswith(".parquet"):
            make(folder / name)  # type: ignore[call-arg]
        else:
            (folder / name).write_bytes(make())  # type: ignore[call-arg, arg-type]
        assert (folder / name).stat().st_size < 9 * MB
    command = [sys.executable, "-c", READ, *(str(folder / name) for name in BOMBS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    rows: list[Any] = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (done.returncode, rows[-1:], done.stderr)
    return {Path(path).name: (n, problems, peak) for path, n, problems, peak in rows}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_takes_little_memory_and_is_told_in_one_line(
    name: str, found: dict[str, tuple[int, dict[str, int], int]]
) -> None:
    documents, problems, peak = found[name]
    wanted = BOMBS[name][1:]
    assert documents == wanted[0] or wanted[0] is None
    assert problems == wanted[1] or (wanted[0] is None and problems.items() >= wanted[1].items())
    assert peak < 250, f"{peak} MB"

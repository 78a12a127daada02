"""WARC: records of every kind, good and bad."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import zstandard

Collect = Callable[..., Any]
Write = Callable[[str, bytes], Path]
Make = Callable[..., bytes]

PAGE = "<p>Işık söndü, değil mi? Çok güzel.".encode()


def _response(make: Make, body: bytes, headers: str = "", status: str = "200 OK") -> bytes:
    http = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n{headers}\r\n".encode()
    record = make("http://x.example/", b"", http="")
    content = http + body
    record = record.replace(b"text/plain", b"application/http").replace(b"conversion", b"response")
    return record.replace(b"Length: 0\r\n\r\n", b"Length: %d\r\n\r\n%b" % (len(content), content))


def test_pages_and_texts_with_their_address_as_id(
    collect: Collect, write: Write, warc_record: Make
) -> None:
    data = b"".join(
        (
            warc_record("dns:x", b"x", kind="warcinfo", http=""),
            warc_record("http://a.example/", b"", kind="request"),
            warc_record("http://a.example/", b"<title>T</title><p>One"),
            warc_record("<http://b.example:80/t>", b"Two", http="text/plain; charset=utf-8"),
            warc_record("http://c.example/", b"Three", kind="resource", http=""),
            warc_record("http://d.example/", b"Four", kind="conversion", http=""),
            warc_record("http://e.example/i.png", b"\x89PNG", http="image/png"),
            warc_record("http://a.example/", b"<p>Again"),
        )
    )
    reading = collect(write("a.warc", data))
    assert [(d.id, d.url, d.source, d.text) for d in reading.documents] == [
        ("http://a.example/", "http://a.example/", "a.example", "One"),
        ("http://b.example:80/t", "http://b.example:80/t", "b.example", "Two"),
        ("http://c.example/", "http://c.example/", "c.example", "Three"),
        ("http://d.example/", "http://d.example/", "d.example", "Four"),
    ]
    assert reading.documents[0].title == "T"
    assert reading.documents[0].html == "<title>T</title><p>One"
    assert reading.problems == [(8, "duplicate id")]
    assert reading.report.others == {"other record": 3}


def test_a_gzip_member_for_each_record(collect: Collect, write: Write, warc_record: Make) -> None:
    records = [warc_record(f"http://x/{n}", b"<p>%d" % n) for n in range(50)]
    reading = collect(write("a.warc.gz", b"".join(map(gzip.compress, records))))
    assert reading.texts == [str(n) for n in range(50)]


def _brotli(data: bytes) -> bytes:
    brotli: Any = import_module("brotli")  # has no types
    packed: bytes = brotli.compress(data)
    return packed


CODINGS: dict[str, Callable[[bytes], bytes]] = {
    "Content-Encoding: gzip\r\n": gzip.compress,
    "content-encoding: X-GZIP\r\n": gzip.compress,
    "Content-Encoding: deflate\r\n": zlib.compress,
    "Content-Encoding: deflate\r\nX: raw\r\n": lambda data: zlib.compress(data)[2:-4],
    "Content-Encoding: br\r\n": _brotli,
    "Content-Encoding: zstd\r\n": zstandard.compress,
    "Transfer-Encoding: chunked\r\n": lambda d: (
        b"5\r\n%b\r\n%x;x=y\r\n%b\r\n0\r\n\r\n" % (d[:5], len(d) - 5, d[5:])
    ),
    "Content-Encoding: identity\r\n": lambda data: data,
}


@pytest.mark.parametrize("header", CODINGS)
def test_the_codings_of_http_are_undone(
    header: str, collect: Collect, write: Write, warc_record: Make
) -> None:
    body = CODINGS[header](PAGE)
    reading = collect(write("a.warc", _response(warc_record, body, header)))
    assert reading.texts == [PAGE.decode()[3:]]


@pytest.mark.parametrize("header", CODINGS)
def test_a_body_that_was_decoded_already_is_taken_as_it_is(
    header: str, collect: Collect, write: Write, warc_record: Make
) -> None:
    reading = collect(write("a.warc", _response(warc_record, PAGE, header)))
    assert reading.texts == [PAGE.decode()[3:]]


@pytest.mark.parametrize(
    ("header", "body"),
    [
        ("Content-Encoding: gzip\r\n", b"\x1f\x8b rubbish"),
        ("Content-Encoding: br\r\n", b"rubbish rubbish"),
        ("Content-Encoding: deflate\r\n", b"\xff\xff\xff"),
        ("Content-Encoding: zstd\r\n", b"\x28\xb5\x2f\xfd rubbish"),
    ],
)
def test_a_coding_that_fails_costs_one_record(
    header: str, body: bytes, collect: Collect, write: Write, warc_record: Make
) -> None:
    data = _response(warc_record, body, header) + warc_record("http://y/", b"<p>next")
    reading = collect(write("a.warc", data))
    assert reading.texts == ["next"]
    assert reading.problems == [(1, "bad warc")]


def test_a_bomb_in_a_record_is_not_held(
    collect: Collect, write: Write, warc_record: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twicetold.documents.input.LIMIT", 1_000_000)
    big = b"<p>" + b"x" * 20_000_000
    for header in ("gzip", "br", "zstd", "deflate"):
        coding = CODINGS[f"Content-Encoding: {header}\r\n"]
        data = _response(warc_record, coding(big), f"Content-Encoding: {header}\r\n")
        assert collect(write("a.warc", data)).problems == [(1, "too long")]
    data = warc_record("http://x/", big) + warc_record("http://y/", b"<p>next")
    reading = collect(write("a.warc", data))
    assert reading.texts == ["next"]
    assert reading.problems == [(1, "too long")]


@pytest.mark.parametrize("status", ["404 Not Found", "301 Moved", "500 x"])
def test_failures_and_redirects_are_other_records(
    status: str, collect: Collect, write: Write, warc_record: Make
) -> None:
    data = _response(warc_record, PAGE, status=status) + warc_record("http://y/", b"<p>next")
    reading = collect(write("a.warc", data))
    assert reading.texts == ["next"]
    assert reading.report.others == {"other record": 1}


def test_the_charset_of_the_server_is_used(
    collect: Collect, write: Write, warc_record: Make
) -> None:
    page = "<p>Işık söndü".encode("cp1254")
    data = warc_record("http://x/", page, http="text/html; charset=ISO-8859-9")
    assert collect(write("a.warc", data)).texts == ["Işık söndü"]


BROKEN = [
    ("rubbish between", lambda a, b: a + b"rubbish\r\nmore\r\n\r\n" + b, ["a", "b"], [2]),
    ("rubbish before", lambda a, b: b"rubbish\n" + a + b, ["a", "b"], [1]),
    ("no blank lines after", lambda a, b: a[:-4] + b"\r\n" + b, ["a", "b"], []),
    ("length too long", lambda a, b: a.replace(b"Length: 5", b"Length: 9") + b, ["b"], [1]),
    ("length much too long", lambda a, b: a.replace(b"Length: 5", b"Length: 90") + b, ["b"], [1]),
    ("length too short", lambda a, b: a.replace(b"Length: 5", b"Length: 2") + b, ["b"], [1]),
    ("length no number", lambda a, b: a.replace(b"Length: 5", b"Length: x") + b, ["b"], [1]),
    ("length negative", lambda a, b: a.replace(b"Length: 5", b"Length: -1") + b, ["b"], [1]),
    (
        "length absurd",
        lambda a, b: a.replace(b"Length: 5", b"Length: " + b"9" * 30) + b,
        ["b"],
        [1],
    ),
    ("no length", lambda a, b: a.replace(b"Content-Length", b"X") + b, ["b"], [1]),
    ("line feeds only", lambda a, b: (a + b).replace(b"\r\n", b"\n"), ["a", "b"], []),
    ("empty text", lambda a, b: a.replace(b"aaaaa", b"     ") + b, ["b"], [1]),
]


@pytest.mark.parametrize(
    ("damage", "texts", "lines"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN]
)
def test_after_a_broken_record_the_next_is_found(
    damage: Any,
    texts: list[str],
    lines: list[int],
    collect: Collect,
    write: Write,
    warc_record: Make,
) -> None:
    first = warc_record("http://a/", b"aaaaa", kind="resource", http="")
    second = warc_record("http://b/", b"bbbbb", kind="resource", http="")
    reading = collect(write("a.warc", damage(first, second)))
    assert [text[0] for text in reading.texts] == texts
    assert [line for line, _ in reading.problems] == lines


def test_an_archive_that_ends_inside_a_record_is_truncated(
    collect: Collect, write: Write, warc_record: Make
) -> None:
    first, second = warc_record("http://a/", b"<p>a"), warc_record("http://b/", b"<p>b")
    for cut in (5, 20, len(second) - 30):
        reading = collect(write("a.warc", first + second[:-cut]))
        assert reading.texts == ["a"]
        assert reading.problems == [(2, "truncated")]


def test_headers_folded_repeated_and_strange_are_read(
    collect: Collect, write: Write, warc_record: Make
) -> None:
    data = warc_record("http://a/\xe9\u65e5", b"<p>a")
    data = data.replace(
        b"WARC-Date", b"no colon\r\n: no name\r\n folded\r\nWARC-Type: request\r\nX"
    )
    assert collect(write("a.warc", data)).ids == ["http://a/é日"]


def test_a_record_without_http_inside_is_bad(
    collect: Collect, write: Write, warc_record: Make
) -> None:
    data = warc_record("http://a/", b"no http", http="").replace(b"text/plain", b"application/http")
    assert collect(write("a.warc", data.replace(b"conversion", b"response"))).problems[0][0] == 1

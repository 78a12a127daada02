"""Files that make a program slow or large: from a seed, up to a megabyte.

A text has a shape (one word for ever, one sentence again and again, brackets in brackets, ...) and
a size; a file has texts, a format, and a way in which it is wrong.
"""

from __future__ import annotations

import csv as csv_files
import gzip
import io
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import zstandard

from tests import hostile

MOST = 1_000_000
#: Most inputs are small: many of them say more than a few large ones.
SIZES = ((300, 25), (3_000, 35), (30_000, 30), (300_000, 8), (MOST, 2))

Shape = Callable[[random.Random, int], str]

WORDS = tuple(dict.fromkeys(" ".join(hostile.SEEDS[:9]).split()))
UNSPACED = tuple(seed for seed in hostile.SEEDS if not seed.isascii() and seed.count(" ") < 5)
#: What opens and what closes it.
BRACKETS = ("()", "[]", "{}", "«»", "“”", "‘’", '""', "''", "《》", "「」", "<>")
RUNS = (
    *("a", " ", "\n", "\r\n", "\t", ".", ". ", "! ", "...", "-", "—", "'", '"', "1", "1.", "1. "),
    *("A. ", "Mr. ", "e.g. ", "a.b.", "- x\n", "* ", "# ", "> ", "|", "&amp;", "<b>", "x@y.z "),
    *(
        "\u0301",
        "\u200d",
        "\u200b",
        "\ufeff",
        "\x00",
        "👩‍",
        "🇹",
        "長",
        "ก",
        "。",
        "؟",
        "ß",
        "İ",
        "ﷺ",
    ),
)


def _sentence(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(WORDS, k=words)) + rng.choice((". ", "! ", ".\n", "\n\n", "。"))


def _upto(size: int, parts: Iterator[str]) -> str:
    found, length = [], 0
    for part in parts:
        found.append(part)
        length += max(len(part), 1)
        if length >= size:
            break
    return "".join(found)[:size]


def run_of_one(rng: random.Random, size: int) -> str:
    """One character, word or mark for ever."""
    part = rng.choice((rng.choice(RUNS), rng.choice(WORDS) + " ", rng.choice(WORDS)))
    return (part * (size // len(part) + 1))[:size]


def runs(rng: random.Random, size: int) -> str:
    """A few such runs, one after the other."""
    n = rng.randint(2, 6)
    return "".join(run_of_one(rng, max(size // n, 1)) for _ in range(n))


def repeated_sentence(rng: random.Random, size: int) -> str:
    """A few sentences again and again, in order or not."""
    known = [_sentence(rng, rng.randint(1, 30)) for _ in range(rng.choice((1, 1, 2, 5, 50)))]
    return _upto(size, iter(lambda: rng.choice(known), None))


def two_words_in_common(rng: random.Random, size: int) -> str:
    """Sentences that share two words each, with other words around."""
    one, other = rng.sample(WORDS, 2)
    made = (f"{one} {rng.randrange(10**6):x} {other} w{n}. " for n in range(size))
    return _upto(size, made)


def numbered(rng: random.Random, size: int) -> str:
    """One form with other numbers in it."""
    frame = " ".join(rng.choices(WORDS, k=rng.randint(2, 20)))
    return _upto(size, (f"{n}. {frame} {n * 7}.\n" for n in range(size)))


def distinct_words(rng: random.Random, size: int) -> str:
    """Words that never come again, in one sentence or many."""
    end = rng.choice((" ", ", ", ". ", "\n", "\n\n"))
    return _upto(size, (f"w{rng.randrange(10**9):x}{end}" for _ in range(size)))


def unspaced(rng: random.Random, size: int) -> str:
    """Text of a script without blanks between words, with or without ends of sentences."""
    known = rng.choice(UNSPACED)
    if rng.random() < 0.5:
        known = "".join(c for c in known if c.isalpha())
    return (known * (size // max(len(known), 1) + 1))[:size] if known else ""


def nested(rng: random.Random, size: int) -> str:
    """Brackets and quotes in one another, closed or not."""
    opening, closing = tuple(rng.choice(BRACKETS))
    inner = rng.choice(("", "a", "A. b ", _sentence(rng, 3)))
    deep = max(size // (2 * (1 + len(inner))), 1)
    return (opening + inner) * deep + rng.choice(("", (inner + closing) * deep))


def natural(rng: random.Random, size: int) -> str:
    """Sentences of known words."""
    return _upto(size, (_sentence(rng, rng.randint(3, 30)) for _ in range(size)))


def soup(rng: random.Random, size: int) -> str:
    """Marks, letters and code points of all kinds."""
    some = rng.choice((hostile.NASTY, RUNS, (*hostile.NASTY, *WORDS)))
    return _upto(size, iter(lambda: rng.choice(some), None))


SHAPES: tuple[Shape, ...] = (
    run_of_one,
    runs,
    repeated_sentence,
    repeated_sentence,
    two_words_in_common,
    numbered,
    distinct_words,
    unspaced,
    nested,
    natural,
    soup,
)


def text(rng: random.Random, size: int) -> str:
    """Return a text of a shape, or of several, or with some places spoiled."""
    made = rng.choice(SHAPES)(rng, size)
    if rng.random() < 0.2:
        made = (rng.choice(SHAPES)(rng, size // 2) + made)[:size]
    return hostile.mutated(rng, made) if rng.random() < 0.3 else made


def texts(rng: random.Random, size: int) -> list[str]:
    """Return texts of one size together; some are copies or edits of others."""
    count = rng.choice((1, 2, 2, 3, 8, 40, 300, 3_000))
    count = min(count, max(size // 20, 1))
    found: list[str] = []
    for _ in range(count):
        kind = rng.randrange(4) if found else 3
        if kind == 0:
            found.append(rng.choice(found))
        elif kind == 1:
            found.append(hostile.mutated(rng, rng.choice(found)))
        elif kind == 2 and count < 50:
            whole = rng.choice(found)
            found.append(whole[: len(whole) // 2] + text(rng, size // count // 2))
        else:
            found.append(text(rng, max(size // count, 1)))
    return found


def size_of(rng: random.Random) -> int:
    (most,) = rng.choices([size for size, _ in SIZES], [share for _, share in SIZES])
    return rng.randint(1, most)


# Formats.


def _bytes(rng: random.Random, given: str) -> bytes:
    encoding = "utf-8" if rng.random() < 0.8 else rng.choice(("utf-16", "cp1254", "gb18030"))
    return given.encode(encoding, "replace")


def plain(rng: random.Random, size: int) -> bytes:
    return _bytes(rng, text(rng, size))


def _nested_json(rng: random.Random, size: int) -> str:
    opening, closing = rng.choice((("[", "]"), ('{"text":', "}"), ('{"a":[', "]}")))
    deep = size // (len(opening) + len(closing))
    return opening * deep + '"x"' + (closing * deep if rng.random() < 0.5 else "")


def jsonl(rng: random.Random, size: int) -> bytes:
    kind = rng.randrange(10)
    if kind == 0:
        return _nested_json(rng, size).encode()
    if kind == 1:
        keys = (
            f'"{rng.choice(("text", "id", "k"))}{n if rng.random() < 0.5 else ""}":"x",'
            for n in range(size)
        )
        return ("{" + _upto(size, keys) + '"text":"x"}').encode(errors="replace")
    lines = []
    for n, one in enumerate(texts(rng, size)):
        row: dict[str, Any] = {"id": rng.choice((str(n), f"{n}" * 50, "same")), "text": one}
        if rng.random() < 0.3:
            row["date"] = rng.choice(("2026-01-02", "2026-01-02T03:04:05Z", "9" * 99, -1e308, None))
        if rng.random() < 0.05:
            row["text"] = rng.choice((None, 7, [one], {"a": one}))
        lines.append(json.dumps(row, ensure_ascii=rng.random() < 0.5))
    return rng.choice(("\n", "\n", "\n", "\r\n", "\n\n", " ")).join(lines).encode(errors="replace")


def csv(rng: random.Random, size: int) -> bytes:
    if rng.random() < 0.2:
        names = rng.choice(("a", "", "text", '"', "id,text", "\t"))
        return (f"{names}," * (size // (len(names) + 1)) + "\nx,y\n").encode()
    out = io.StringIO()
    rows = csv_files.writer(out, quoting=rng.choice((csv_files.QUOTE_ALL, csv_files.QUOTE_MINIMAL)))
    rows.writerow(
        [
            "id",
            "text",
            "date",
            *[rng.choice(("", "text", "x")) for _ in range(rng.choice((0, 0, 3)))],
        ]
    )
    rows.writerows([n, one, "2026-01-02"] for n, one in enumerate(texts(rng, size)))
    return _bytes(rng, out.getvalue())


def _wild_page(rng: random.Random, size: int) -> str:
    part = rng.choice(
        (
            *("<div>", "<p>", "<b>", "<table><tr><td>", "<ul><li>", "<a href=x>", "<font size=1>"),
            *("</div>", "<!--", "<![CDATA[", "<br>", "<x-y>", "<select><option>", "<svg><g>"),
            *("<p><b><i>", "<table>x", "<td colspan=1000 rowspan=1000>", "<h1>x</h1>", "<nobr>x"),
            *("&amp;", "&#x41;", "&", "<", "</", "<a ", "<a b='", "<template>", "<math><mi>"),
            *("<form><button>", "<frameset>", "<html a=1>", "<body b=2>", "<style>", "<title>"),
        )
    )
    return "<p>start " + (part * (size // len(part) + 1))[:size] + rng.choice(("", "x", "</p>x"))


def html(rng: random.Random, size: int) -> bytes:
    kind = rng.randrange(5)
    if kind == 0:
        page = _wild_page(rng, size)
    elif kind == 1:
        names = (f"a{n if rng.random() < 0.9 else ''}={n} " for n in range(size))
        page = f"<p {_upto(size, names)}>text of a page.</p>"
    elif kind == 2:
        tags = (
            "<p>",
            "</p>",
            "<div>",
            "</div>",
            "<li>",
            "<h2>",
            "<td>",
            "<table>",
            "</table>",
            "<b>",
        )
        page = _upto(size, (rng.choice(tags) + rng.choice(("x", "", "A b. ")) for _ in range(size)))
    elif kind == 3:
        page = "".join(_wild_page(rng, size // 4) for _ in range(4))
    else:
        page = "".join(f"<p>{one}</p>" for one in texts(rng, size))
    head = rng.choice(("", "<!doctype html><title>T</title>", '<meta charset="x">'))
    return (head + page)[: size + 50].encode(errors="replace")


def warc(rng: random.Random, size: int) -> bytes:
    parts = []
    for one in texts(rng, size):
        body = one.encode(errors="replace")
        kind = rng.choice(("conversion", "response", "response", "warcinfo", "x"))
        if kind == "response":
            fold = rng.choice(
                ("", "", " folded\r\n" * (len(body) // 20), "X: y\r\n" * (len(body) // 20))
            )
            coding = rng.choice(
                ("", "", "Content-Encoding: gzip\r\n", "Transfer-Encoding: chunked\r\n")
            )
            head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{coding}X: y\r\n{fold}\r\n"
            body = head.encode() + (gzip.compress(body, 1, mtime=0) if "gzip" in coding else body)
        length = len(body) if rng.random() < 0.9 else rng.randrange(-5, 10**12)
        more = "X-Y: z\r\n" * rng.choice((0, 0, 0, len(body) // 50))
        head = f"WARC/1.0\r\nWARC-Type: {kind}\r\n{more}Content-Length: {length}\r\n\r\n"
        parts.append(head.encode() + body + b"\r\n\r\n")
    return b"".join(parts)


def parquet(rng: random.Random, size: int) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    found = [one.encode(errors="replace").decode() for one in texts(rng, size)]
    columns: list[pa.Array] = [pa.array([str(n) for n in range(len(found))]), pa.array(found)]
    names = ["id", rng.choice(("text", "text", "text", "body", "id"))]
    for n in range(rng.choice((0, 0, 0, 3, 200))):
        columns.append(pa.nulls(len(found), rng.choice((pa.string(), pa.list_(pa.int32())))))
        names.append(f"c{n}")
    sink = io.BytesIO()
    table = pa.Table.from_arrays(columns, names=names)
    pq.write_table(
        table,
        sink,
        use_dictionary=rng.random() < 0.5,
        row_group_size=rng.choice((1 + len(found) // 50, 10**6)),
    )
    return sink.getvalue()


MAKERS: dict[str, Callable[[random.Random, int], bytes]] = {
    "txt": plain,
    "md": plain,
    "html": html,
    "jsonl": jsonl,
    "csv": csv,
    "tsv": csv,
    "parquet": parquet,
    "warc": warc,
}
PACKERS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    *(("", bytes),) * 10,
    (".gz", lambda data: gzip.compress(data, 1, mtime=0)),
    (".zst", zstandard.ZstdCompressor(level=1).compress),
)


def file(
    rng: random.Random, size: int, kinds: tuple[str, ...] = tuple(MAKERS)
) -> tuple[str, bytes]:
    """Return the suffixes and the content of a file; packed ones are small when unpacked, too."""
    suffix = rng.choice(kinds)
    packed, pack = rng.choice(PACKERS)
    data = MAKERS[suffix](rng, size)[:MOST]
    if rng.random() < 0.2:
        data = hostile.spoiled(rng, data)
    return f".{suffix}{packed}", pack(data)

"""A reader of indexes, written from docs/index-format.md and nothing else: slow and obvious."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import struct
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import zstandard

SECTIONS = (
    "documents",
    "ids",
    "identities",
    "weights",
    "terms",
    "unit_ends",
    "keys",
    "numbers",
    "counts",
    "sketches",
    "met_ends",
    "met",
    "sentences",
    "places",
    "holder_ends",
    "holders",
    "postings",
    "directory",
)
HEAD = 360
MASK = 2**64 - 1


def numbers(content: bytes, size: int) -> list[int]:
    return [
        int.from_bytes(content[at : at + size], "little") for at in range(0, len(content), size)
    ]


def parts(ends: list[int], values: list[Any]) -> list[list[Any]]:
    return [values[start:end] for start, end in zip([0, *ends], ends, strict=False)]


@dataclass
class Stored:
    """A document as a segment holds it."""

    number: int
    time: int
    published: int | None
    text: int
    total: int
    id: str
    units: list[int]
    places: list[tuple[int, int, bool, int]]


class Segment:
    """Everything a segment says."""

    def __init__(self, content: bytes) -> None:
        assert content[:8] == b"2toldseg"
        version, hashes, self.flags, self.words = struct.unpack_from("<4I", content, 8)
        assert (version, hashes) == (1, 1)
        n, self.n_units, self.earliest, self.latest, self.undated = struct.unpack_from(
            "<QQqqQ", content, 24
        )
        self.bits, zero = struct.unpack_from("<II", content, 64)
        assert zero == 0
        self.check(content)
        self.sections = {}
        end = HEAD
        for number, name in enumerate(SECTIONS):
            start, length = struct.unpack_from("<QQ", content, 72 + 16 * number)
            if start == length == 0:
                self.sections[name] = b""
                continue
            assert start % 8 == 0
            assert not content[end:start].strip(b"\0")
            self.sections[name] = content[start : start + length]
            end = start + length
        self.documents = list(self._documents(n))

    def check(self, content: bytes) -> None:
        """Compare all checksums."""
        block, size = (1024, 4) if self.has(128) else (4096, 8)
        blocks = -(-(len(content) - 8) // (block + size))
        length = len(content) - 8 - size * blocks
        sums = content[length:-8]
        assert numbers(sums, size) == [
            xxh3(content[at : min(at + block, length)]) & (2 ** (8 * size) - 1)
            for at in range(0, length, block)
        ]
        assert numbers(content[-8:], 8) == [xxh3(content[:HEAD] + sums)]

    def has(self, flag: int) -> bool:
        return bool(self.flags & flag)

    def _documents(self, n: int) -> Iterator[Stored]:
        rows = list(struct.iter_unpack("<Qqq16sQII", self.sections["documents"]))
        assert len(rows) == n
        sentences = numbers(self.sections["sentences"], 4) if self.has(1) else list(range(n))
        id_start = start = 0
        places = list(struct.iter_unpack("<IIQ", self.sections["places"]))
        for number, time, published, text, total, id_end, end in rows:
            yield Stored(
                number,
                time,
                None if published == -(2**63) else published,
                int.from_bytes(text, "little"),
                total,
                self.sections["ids"][id_start:id_end].decode(),
                sentences[start:end],
                [(a, b & ~(2**31) & 0xFFFFFFFF, bool(b >> 31), c) for a, b, c in places[start:end]],
            )
            id_start, start = id_end, end

    def features(self) -> list[list[tuple[int, int, int]]]:
        """Return the features of each unit: key, weight, count."""
        weights = numbers(self.sections["weights"], 8)
        size = 2 if len(weights) <= 2**16 else 3 if len(weights) <= 2**24 else 4
        which = numbers(self.sections["numbers"], size)
        if self.has(4):
            terms = numbers(self.sections["terms"], 8)
            keys = [terms[number] for number in which]
        else:
            keys = numbers(self.sections["keys"], 8)
        counts = numbers(self.sections["counts"], 4) if self.has(2) else [1] * len(keys)
        found = [(key, weights[n], c) for key, n, c in zip(keys, which, counts, strict=True)]
        return parts(numbers(self.sections["unit_ends"], 4), found)

    def sketches(self) -> list[list[int]]:
        words = numbers(self.sections["sketches"], 8)
        return [words[n * self.words : (n + 1) * self.words] for n in range(self.n_units)]

    def met(self) -> list[list[int]]:
        ends = numbers(self.sections["met_ends"], 4)
        return parts(ends, numbers(self.sections["met"], 4))

    def holders(self) -> list[list[int]]:
        """Return the places of the documents that hold each unit."""
        if not self.has(1):
            return [[n] for n in range(self.n_units)]
        ends = numbers(self.sections["holder_ends"], 4)
        return parts(ends, numbers(self.sections["holders"], 4))

    def postings(self) -> list[tuple[int, int, bool]]:
        """Return all postings: the upper half of a key, the unit, whether it looks it up."""
        size = -(-(32 - self.bits) // 8)
        wide = 3 if self.n_units <= 2**23 else 4
        content = self.sections["postings"]
        rows = [content[at : at + size + wide] for at in range(0, len(content), size + wide)]
        starts = numbers(self.sections["directory"], 4)
        assert (len(starts), starts[-1]) == (2**self.bits + 1, len(rows))
        found = []
        for beginning, (start, end) in enumerate(pairwise(starts)):
            for row in rows[start:end]:
                rest, unit = numbers(row[:size], size)[0], numbers(row[size:], wide)[0]
                key = beginning << (32 - self.bits) | rest
                mark = 8 * wide - 1
                found.append((key, unit & ~(1 << mark), bool(unit >> mark)))
        return found


@dataclass
class Row:
    """A document as the database holds it."""

    number: int
    id: str
    time: int
    published: int | None
    about: dict[str, Any]
    text: str


class Index:
    """Everything an index says; a difference to what the page says fails."""

    def __init__(self, path: Path) -> None:
        with closing(sqlite3.connect(f"file:{path}/index.sqlite?mode=ro", uri=True)) as database:
            assert database.execute("PRAGMA user_version").fetchone() == (1,)
            assert database.execute("PRAGMA application_id").fetchone() == (0x32746F6C,)
            rows = database.execute("SELECT name, value FROM meta").fetchall()
            self.meta = {name: json.loads(value) for name, value in rows}
            assert self.meta["seal"] == seal(database)
            rows = database.execute("SELECT * FROM documents ORDER BY number").fetchall()
            self.documents = [self._document(row) for row in rows]
            self.removed = dict(database.execute("SELECT number, time FROM removed"))
            for row in database.execute("SELECT * FROM statistics"):
                assert self.meta["statistics_checksum"] == checksum(*row)
            self.segments = {
                row[0]: self._segment(path, *row)
                for row in database.execute("SELECT * FROM segments ORDER BY name")
            }

    @staticmethod
    def _document(row: tuple[Any, ...]) -> Row:
        number, name, time, published, about, text, found = row
        assert checksum(number, name, time, published, about, text) == found
        raw = zstandard.ZstdDecompressor().decompress(text).decode("utf-8", "surrogatepass")
        return Row(number, name, time, published, json.loads(about), raw)

    def _segment(self, path: Path, name: int, bucket: int, *row: Any) -> Segment:
        documents, size, latest, content = row
        if content is None:
            content = (path / "segments" / f"{name:08}.seg").read_bytes()
        segment = Segment(content)
        assert (len(segment.documents), len(content), segment.latest) == (documents, size, latest)
        window = self.meta["settings"]["window"]
        buckets = {document.time // max(window // 8, 1) if window else 0 for document in
                   segment.documents}  # fmt: skip
        assert buckets == {bucket}
        return segment

    def held(self) -> dict[int, tuple[Segment, Stored]]:
        """Return the documents that segments hold and that are there, by number."""
        horizon = self.meta.get("horizon")
        return {
            document.number: (segment, document)
            for segment in self.segments.values()
            for document in segment.documents
            if document.number not in self.removed and (horizon is None or document.time >= horizon)
        }


def checksum(*values: Any) -> int:
    *facts, content = values
    head = "\x1f".join("" if fact is None else str(fact) for fact in facts)
    return zlib.crc32(head.encode() + content)


def seal(database: sqlite3.Connection) -> str:
    digest = hashlib.sha256()
    for statement in (
        "SELECT name, value FROM meta WHERE name != 'seal' ORDER BY name",
        "SELECT name, bucket, documents, size, latest FROM segments ORDER BY name",
        "SELECT version, origin FROM statistics",
        "SELECT name, seq FROM sqlite_sequence ORDER BY name",
    ):
        rows = database.execute(statement).fetchall()
        digest.update(struct.pack("<Q", len(rows)))
        for value in (value for row in rows for value in row):
            content = b"" if value is None else str(value).encode()
            digest.update(struct.pack("<Q", len(content)) + content)
    return digest.hexdigest()[:32]


# XXH3, 64 bits, seed 0, as its specification has it

SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
PRIME32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
PRIME64 = (
    0x9E3779B185EBCA87,
    0xC2B2AE3D27D4EB4F,
    0x165667B19E3779F9,
    0x85EBCA77C2B2AE63,
    0x27D4EB2F165667C5,
)


def word(content: bytes, at: int, size: int = 8) -> int:
    return int.from_bytes(content[at : at + size], "little")


def fold(a: int, b: int) -> int:
    product = a * b
    return (product & MASK) ^ (product >> 64)


def mixed(content: bytes, at: int, secret: int) -> int:
    low, high = (word(content, at + n) ^ word(SECRET, secret + n) for n in (0, 8))
    return fold(low, high)


def avalanche(value: int) -> int:
    value &= MASK
    value = (value ^ value >> 37) * 0x165667919E3779F9 & MASK
    return value ^ value >> 32


def xxh3(content: bytes) -> int:
    """Return the hash of at least one byte."""
    n = len(content)
    if n <= 16:
        return _short(content)
    if n <= 240:
        return _middle(content)
    sums = [PRIME32[2], *PRIME64[:4], PRIME32[1], PRIME64[4], PRIME32[0]]

    def add(at: int, secret: int) -> None:
        for lane in range(8):
            data = word(content, at + 8 * lane)
            key = data ^ word(SECRET, secret + 8 * lane)
            sums[lane ^ 1] = (sums[lane ^ 1] + data) & MASK
            sums[lane] = (sums[lane] + (key & 0xFFFFFFFF) * (key >> 32)) & MASK

    for stripe in range((n - 1) // 64):
        add(64 * stripe, stripe % 16 * 8)
        if stripe % 16 == 15:
            for lane in range(8):
                value = sums[lane] ^ sums[lane] >> 47 ^ word(SECRET, 128 + 8 * lane)
                sums[lane] = value * PRIME32[0] & MASK
    add(n - 64, 121)
    total = n * PRIME64[0]
    for lane in range(0, 8, 2):
        keys = (word(SECRET, 11 + 8 * (lane + side)) for side in (0, 1))
        total += fold(*(sums[lane + side] ^ key for side, key in enumerate(keys)))
    return avalanche(total)


def _middle(content: bytes) -> int:
    n = len(content)
    total = n * PRIME64[0]
    if n <= 128:
        for step in range((n - 1) // 32 + 1):
            total += mixed(content, 16 * step, 32 * step)
            total += mixed(content, n - 16 * (step + 1), 32 * step + 16)
        return avalanche(total)
    for step in range(8):
        total += mixed(content, 16 * step, 16 * step)
    total = avalanche(total)
    for step in range(8, n // 16):
        total += mixed(content, 16 * step, 16 * (step - 8) + 3)
    return avalanche(total + mixed(content, n - 16, 119))


def _short(content: bytes) -> int:
    n = len(content)
    if n > 8:
        low = word(content, 0) ^ word(SECRET, 24) ^ word(SECRET, 32)
        high = word(content, n - 8) ^ word(SECRET, 40) ^ word(SECRET, 48)
        swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
        return avalanche(n + swapped + high + fold(low, high))
    if n > 3:
        value = word(content, n - 4, 4) + (word(content, 0, 4) << 32)
        value ^= word(SECRET, 8) ^ word(SECRET, 16)
        turned = [(value << turn | value >> (64 - turn)) & MASK for turn in (49, 24)]
        value = (value ^ turned[0] ^ turned[1]) * 0x9FB21C651E98DF25 & MASK
        value = (value ^ ((value >> 35) + n)) * 0x9FB21C651E98DF25 & MASK
        return value ^ value >> 28
    value = content[0] << 16 | content[n >> 1] << 24 | content[-1] | n << 8
    value ^= word(SECRET, 0, 4) ^ word(SECRET, 4, 4)
    value = (value ^ value >> 33) * PRIME64[1] & MASK
    value = (value ^ value >> 29) * PRIME64[2] & MASK
    return value ^ value >> 32

"""Flips bytes of an index one by one, and reads it with every command, under a watchdog.

``python -m tests.index.flipping INDEX SEED FLIPS`` prints what came of it as JSON. A command that
does not end within `LIMIT` seconds, or a fault, ends the process, with a traceback of all threads.
"""

from __future__ import annotations

import faulthandler
import json
import random
import struct
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.cli.calling import Done, twicetold, write_lines
from tests.index.making import DAY, NEWS, small_files, story
from twicetold import Document
from twicetold.html.reading import page_of
from twicetold.index import Index

LIMIT = 60
PAGE = 16_384
#: Bytes of pages that lead somewhere are flipped so often, beside all others.
_LEADING = 0.6


# What is damaged


def make(path: Path) -> Path:
    """Make an index whose database has pages of every kind, with segments inside and outside."""
    chance = random.Random(1)
    with (
        small_files(),
        Index.create(path, method="qsign", window=40 * DAY, passages=True, language="en") as index,
    ):
        list(index.add_all(page(n) for n in range(9)))
        # Keys of an index of SQLite have several pages only if they are long.
        list(index.add_all(replace(story(n, n / 5), id=f"d{n}" + "x" * 2900) for n in range(60)))
        for n in range(60, 66):
            index.add(story(n, n / 5))
        words = " ".join(f"{chance.randrange(10**9)}" for _ in range(9000))
        index.add(Document(id="long", text=words, language="en", published=NEWS + 15 * DAY))
        for n in range(9):
            index.remove(f"d{n}" + "x" * 2900)
    return path


def page(n: int) -> Document:
    """Return a web page; all tell the same story."""
    text = story(3).text
    markup = f"<h1>Page {n}</h1><main><p>{text} And so does page {n}.</p></main>"
    return Document(
        id=f"p{n}",
        text=page_of(markup).text,
        html=markup,
        language="en",
        published=NEWS + n * DAY,
        source=f"site{n}",
    )


# The pages of SQLite, see https://www.sqlite.org/fileformat2.html

_KINDS = {2: "index interior", 5: "table interior", 10: "index leaf", 13: "table leaf"}


def _varint(content: bytes, at: int) -> tuple[int, int]:
    value = 0
    for n in range(9):
        byte = content[at + n]
        if n == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            return value, at + n + 1
    raise AssertionError


@dataclass
class Pages:
    """Where the pages of each kind are, and which of their bytes lead somewhere."""

    content: bytes
    kinds: dict[str, dict[int, list[int]]] = field(default_factory=lambda: defaultdict(dict))

    def __post_init__(self) -> None:
        self._tree(1, "schema: ")
        for root in self._roots():
            self._tree(root)
        trunk, _ = struct.unpack_from(">2I", self.content, 32)
        while trunk:
            at = (trunk - 1) * PAGE
            next_one, n = struct.unpack_from(">2I", self.content, at)
            self.kinds["free trunk"][trunk] = list(range(at, at + 8 + 4 * n))
            for leaf in struct.unpack_from(f">{n}I", self.content, at + 8):
                self.kinds["free"][leaf] = list(range((leaf - 1) * PAGE, leaf * PAGE))
            trunk = next_one

    def _roots(self) -> Iterator[int]:
        for cell in self._cells(0, 100):
            _, at = _varint(self.content, cell)
            _, at = _varint(self.content, at)
            size, values = _varint(self.content, at)
            types = []
            end = at + size
            while values < end:
                kind, values = _varint(self.content, values)
                types.append(kind)
            for kind in types[:3]:
                end += (kind - 13) // 2
            if types[3] == 9:  # the number 1, which has no bytes
                yield 1
            else:
                yield int.from_bytes(self.content[end : end + types[3]], "big")

    def _cells(self, start: int, head: int) -> Sequence[int]:
        (n,) = struct.unpack_from(">H", self.content, start + head + 3)
        size = 12 if self.content[start + head] in (2, 5) else 8
        cells = struct.unpack_from(f">{n}H", self.content, start + head + size)
        return [start + cell for cell in cells]

    def _tree(self, number: int, prefix: str = "") -> None:
        start = (number - 1) * PAGE
        head = 100 if number == 1 else 0
        code = self.content[start + head]
        cells = self._cells(start, head)
        size = 12 if code in (2, 5) else 8
        places = list(range(start + head, start + head + size + 2 * len(cells)))
        for cell in cells:
            places += range(cell, min(cell + 16, start + PAGE))
        self.kinds[prefix + _KINDS[code]][number] = places
        if code in (2, 5):
            for at in (*cells, start + head + 8):
                self._tree(*struct.unpack_from(">I", self.content, at))
        for cell in cells if code != 5 else ():
            self._overflow(cell, code)

    def _overflow(self, cell: int, code: int) -> None:
        size, at = _varint(self.content, cell + 4 * (code == 2))
        if code == 13:
            _, at = _varint(self.content, at)
        most = PAGE - 35 if code == 13 else (PAGE - 12) * 64 // 255 - 23
        if size <= most:
            return
        least = (PAGE - 12) * 32 // 255 - 23
        local = least + (size - least) % (PAGE - 4)
        (number,) = struct.unpack_from(">I", self.content, at + (local if local <= most else least))
        while number:
            at = (number - 1) * PAGE
            self.kinds["overflow"][number] = list(range(at, at + 4))
            (number,) = struct.unpack_from(">I", self.content, at)

    def place(self, kind: str, chance: random.Random) -> int:
        """Return a byte of a page of some kind."""
        number, leading = chance.choice(sorted(self.kinds[kind].items()))
        if chance.random() < _LEADING:
            return chance.choice(leading)
        return (number - 1) * PAGE + chance.randrange(PAGE)


# Every command that reads


def look(path: Path, asked: Path) -> dict[str, Done]:
    """Return what each command says."""
    return {
        "info": twicetold("index", "info", path, "--json"),
        "search": twicetold("index", "search", path, asked, "--json", "--all-pairs"),
        "check": twicetold("index", "check", path),
        "export": twicetold("index", "export", path),
        "pairs": _pairs(path),
    }


def _pairs(path: Path) -> Done:
    from twicetold.errors import TwicetoldError

    try:
        with Index.open(path) as index:
            found = sorted(json.dumps(pair.to_json()) for pair in index.pairs(all_pairs=True))
            ids = [document.id for document in index.documents()]
    except TwicetoldError as error:
        return Done(1, "", f"{error}\n")
    return Done(0, "\n".join([*found, *ids]), "")


def _wrong(name: str, found: Done, whole: Done) -> str | None:
    """Return what is wrong with what a command says of a damaged index."""
    if found == whole:
        return None
    said = found.err + (found.out if name == "check" else "")
    if found.code == 0:
        return f"{name} says something else, and that all is well"
    if not said.strip() or "Traceback" in said:
        return f"{name} ends with {found.code}: {said!r}"
    return None


def flip_all(path: Path, seed: int, flips: int) -> dict[str, Any]:
    """Flip so many bytes, each by itself; return what came of it."""
    chance = random.Random(seed)
    asked = write_lines(
        path.parent / "asked.jsonl",
        [{"id": f"n{n}", "text": story(n).text, "language": "en"} for n in (3, 31, 62)],
    )
    whole = look(path, asked)
    assert {name: done.code for name, done in whole.items()} == dict.fromkeys(whole, 0), whole
    assert whole["search"].out
    database = path / "index.sqlite"
    pages = Pages(database.read_bytes())
    segments = sorted((path / "segments").iterdir())
    kinds = ["head", "segment", *sorted(pages.kinds)]
    done, told, wrong = Counter[str](), Counter[str](), list[str]()
    for n in range(flips):
        kind = kinds[n % len(kinds)]
        file = chance.choice(segments) if kind == "segment" else database
        content = file.read_bytes()
        if kind == "segment":
            at = chance.randrange(len(content))
        else:
            at = chance.randrange(100) if kind == "head" else pages.place(kind, chance)
        byte = chance.randrange(1, 256)
        file.write_bytes(content[:at] + bytes([content[at] ^ byte]) + content[at + 1 :])
        faulthandler.dump_traceback_later(LIMIT, exit=True)
        try:
            found = look(path, asked)
        except Exception as error:  # noqa: BLE001 - told with the place
            found, problems = {}, [f"{type(error).__name__}: {error}"]
        else:
            problems = [
                problem
                for name, said in found.items()
                if (problem := _wrong(name, said, whole[name])) is not None
            ]
            if found != whole and found["check"].code == 0:
                problems.append("check does not see it")
        faulthandler.cancel_dump_traceback_later()
        file.write_bytes(content)
        done[kind] += 1
        told[kind] += found != whole
        where = f"{kind}, byte {at} ^ {byte} of {file.name}"
        wrong += [f"{where}: {problem}" for problem in problems]
    assert look(path, asked) == whole
    return {"flips": done, "told": told, "wrong": wrong}


if __name__ == "__main__":
    faulthandler.enable()
    json.dump(flip_all(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])), sys.stdout)

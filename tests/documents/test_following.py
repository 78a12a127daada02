"""`follow` and `read_every`: what comes, as it comes, every document of it."""

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

import pytest

from twicetold.documents import Report, follow, read_every
from twicetold.documents import input as limits
from twicetold.errors import DocumentError, ParameterError
from twicetold.records import Document


class NothingLeftError(Exception):
    """Nothing more is going to happen."""


def line(name: str, text: str = "Some text.") -> bytes:
    return json.dumps({"id": name, "text": text}).encode() + b"\n"


def take(documents: Iterable[Document], ids: list[str], texts: list[str] | None = None) -> None:
    """Note what comes while it comes: it may end with an error."""
    for document in documents:
        ids.append(document.id)
        if texts is not None:
            texts.append(document.text)


def following(
    source: Path, *events: Callable[[], object], report: Report | None = None
) -> list[str]:
    """Return the ids that come, while one event after the other happens when nothing is left."""
    left = list(events)

    def wait(seconds: float) -> None:
        assert 0 < seconds <= 10
        if not left:
            raise NothingLeftError
        left.pop(0)()

    found: list[str] = []
    with pytest.raises(NothingLeftError):
        take(follow(source, wait=wait, report=report), found)
    assert report is None or report.documents == len(found)
    return found


def appending(path: Path, content: bytes) -> Callable[[], object]:
    def happen() -> None:
        with path.open("ab") as file:
            file.write(content)

    return happen


@pytest.fixture
def feed(tmp_path: Path) -> Path:
    path = tmp_path / "feed.jsonl"
    path.write_bytes(line("a"))
    return path


def test_a_line_comes_when_its_end_is_there(feed: Path) -> None:
    whole = line("b") + line("c")
    for cut in (1, 20, len(line("b")) - 1, len(line("b")), len(whole) - 1):
        feed.write_bytes(line("a"))
        events = [appending(feed, whole[:cut]), appending(feed, whole[cut:])]
        assert following(feed, *events) == ["a", "b", "c"]


def test_a_file_that_was_cut_or_replaced_is_read_from_its_beginning(feed: Path) -> None:
    def replace() -> None:
        feed.rename(feed.with_suffix(".old"))
        feed.write_bytes(line("c"))

    events = [lambda: feed.write_bytes(b""), appending(feed, line("b")), replace]
    assert following(feed, *events) == ["a", "b", "c"]


def test_a_file_that_was_moved_away_is_read_to_its_end(feed: Path) -> None:
    old = feed.with_suffix(".old")

    def move() -> None:
        feed.rename(old)
        appending(old, line("b"))()

    events = [move, appending(old, line("c")), lambda: feed.write_bytes(line("d"))]
    assert following(feed, *events) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_a_growing_file_of_any_encoding(feed: Path, encoding: str) -> None:
    plain = "utf-16-le" if encoding.startswith("utf-16") else "utf-8"
    first = line("é").decode().encode(encoding)
    feed.write_bytes(first[:7])
    second = json.dumps({"id": "ü", "text": "Çok."}, ensure_ascii=False).encode(plain)
    events = [
        appending(feed, first[7:] + second[:11]),
        appending(feed, second[11:] + "\n".encode(plain)),
    ]
    assert following(feed, *events) == ["é", "ü"]


def test_what_is_bad_is_told_with_its_line(feed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LIMIT", 1000)
    report = Report()
    long = line("long", "x" * 2000)
    events = [
        appending(feed, b"nonsense\n\n"),
        appending(feed, long[:1500]),
        appending(feed, long[1500:] + line("b")),
    ]
    assert following(feed, *events, report=report) == ["a", "b"]
    assert [(problem.line, problem.reason) for problem in report.problems] == [
        (2, "bad json"),
        (4, "too long"),
    ]
    with pytest.raises(DocumentError, match=r"feed\.jsonl:2: not JSON"):
        take(follow(feed, strict=True), [])


def test_a_folder_may_be_empty_and_files_come_when_they_are_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "inbox"
    (folder / "deep").mkdir(parents=True)
    clock = [0.0]
    monkeypatch.setattr("twicetold.documents.following.time.monotonic", lambda: clock[0])
    # The clock of the disk is ahead of ours.
    monkeypatch.setattr("twicetold.documents.following.time.time", lambda: 0.0)
    seen: list[list[str]] = []
    found: list[str] = []
    texts: list[str] = []

    def pass_by(seconds: float) -> Callable[[], object]:
        def happen() -> None:
            seen.append(list(found))
            clock[0] += seconds

        return happen

    left: list[Callable[[], object]] = [
        lambda: (folder / "deep" / "b.jsonl").write_bytes(line("b")),
        lambda: (folder / "c.txt").write_text("Half of a"),
        pass_by(0.5),
        appending(folder / "c.txt", b" text."),
        pass_by(0.9),
        pass_by(0.2),
        lambda: (folder / "d.jsonl.gz").write_bytes(gzip.compress(line("d") + line("e"))),
        pass_by(2),
        lambda: (folder / ".hidden.txt").write_text("No."),
        pass_by(2),
        lambda: (folder / "c.txt").write_text("Changed."),
        pass_by(2),
        pass_by(0),
    ]

    def wait(_: float) -> None:
        if not left:
            raise NothingLeftError
        left.pop(0)()

    with pytest.raises(NothingLeftError):
        take(follow(folder, wait=wait), found, texts)
    assert found == ["b", "c.txt", "d", "e", "c.txt"]
    assert [texts[n] for n in (1, 4)] == ["Half of a text.", "Changed."]
    assert seen[:3] == [["b"], ["b"], ["b"]]


def test_following_needs_a_source() -> None:
    with pytest.raises(ParameterError, match="no source was given"):
        follow()


def test_every_document_comes_also_one_whose_id_came_before(feed: Path) -> None:
    feed.write_bytes(line("a", "First.") + line("b") + line("a", "Second."))
    report = Report()
    texts = [document.text for document in read_every(feed, report=report)]
    assert texts == ["First.", "Some text.", "Second."]
    assert (report.documents, report.skipped) == (3, 0)


def test_all_that_was_read_is_handed_over_before_more_is(feed: Path) -> None:
    feed.write_bytes(b"".join(line(str(n)) for n in range(3)))
    handed: list[str] = []
    before: list[int] = []

    def before_read(raw: IO[bytes]) -> None:
        assert raw.readable()
        before.append(len(handed))

    take(read_every(feed, before_read=before_read), handed)
    assert before == [0, 3]

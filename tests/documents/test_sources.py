"""Files, folders, globs, pipes: what is read, in which order, under which id."""

from __future__ import annotations

import gzip
import io
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from twicetold.documents import Report, read
from twicetold.errors import FormatError, ParameterError, SourceError

Collect = Callable[..., Any]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Make a folder with files that are read, files that are not, and hidden ones."""
    files = {
        "b.txt": "second",
        "a/2.txt": "first b",
        "a/10.txt": "first a",
        "c/deep/er/x.md": "third",
        "c/z.docx": "other",
        "README": "other",
        ".hidden.txt": "hidden",
        ".git/x.txt": "hidden",
    }
    for name, text in files.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "tree"


def test_a_folder_is_read_below_and_in_the_order_of_names(collect: Collect, tree: Path) -> None:
    reading = collect(tree)
    assert reading.ids == ["a/10.txt", "a/2.txt", "b.txt", "c/deep/er/x.md"]
    assert reading.report.others == {"other file": 2}
    assert reading.report.summary() == "2 other files left out"


@pytest.mark.parametrize(
    ("pattern", "ids"),
    [
        ("*.txt", ["b.txt"]),
        ("a/*", ["a/10.txt", "a/2.txt"]),
        ("?", ["a/10.txt", "a/2.txt", "c/deep/er/x.md"]),
        ("**/*.txt", ["a/10.txt", "a/2.txt", "b.txt"]),
        ("**", ["a/10.txt", "a/2.txt", "b.txt", "c/deep/er/x.md"]),
        ("c/**/x.*", ["c/deep/er/x.md"]),
        ("**/er/**", ["c/deep/er/x.md"]),
        ("[ab]/[!2]*", ["a/10.txt"]),
        ("./a/1*", ["./a/10.txt"]),
    ],
)
def test_a_glob_is_what_a_shell_makes_of_it(
    pattern: str, ids: list[str], collect: Collect, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tree)
    assert collect(pattern).ids == ids
    assert collect(tree / pattern).ids == [os.path.normpath(tree / name) for name in ids]


def test_a_file_with_a_star_in_its_name_is_that_file(collect: Collect, tmp_path: Path) -> None:
    for name in ("a*.txt", "ab.txt"):
        (tmp_path / name).write_text(name)
    assert collect(tmp_path / "a*.txt").texts == ["a*.txt"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none.txt", "none.txt: no such file or folder"),
        ("b.txt/x", "b.txt/x: no such file or folder"),
        ("*.warc", "*.warc: the glob matches nothing"),
        ("**/*.warc", "**/*.warc: the glob matches nothing"),
        ("void", "void: no file here has a known format: txt, md, html, jsonl"),
        ("a\0b", "a\\x00b: no such file or folder"),
        ("a\x1b2J\nb.x", "a\\x1b2J\\nb.x: no such file or folder"),
        ("", "'': no such file or folder"),
    ],
)
def test_a_source_that_is_not_there_is_an_error_at_the_first_document(
    name: str, message: str, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tree)
    (tree / "void").mkdir()
    documents = read("a", name)  # lazy: nothing happens yet
    with pytest.raises(SourceError) as caught:
        next(documents)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["c/z.docx", "README"])
def test_a_file_named_outright_needs_a_known_suffix_or_a_format(
    name: str, collect: Collect, tree: Path
) -> None:
    with pytest.raises(FormatError, match=r"--format with one of txt, md, html, jsonl, csv"):
        collect(tree / name)
    assert collect(tree / name, format="txt").texts == ["other"]


def test_a_format_that_is_given_holds_for_every_file(collect: Collect, tree: Path) -> None:
    assert len(collect(tree, format="txt").documents) == 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "pdf"}, "format must be one of txt, md"),
        ({"encoding": "klingon"}, "encoding must be one that Python knows"),
        ({"encoding": "hex"}, "encoding must be one that Python knows"),
        ({"encoding": "utf-7"}, "encoding must be one that Python knows"),
    ],
)
def test_a_wrong_option_is_an_error_at_once(options: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        read("x.txt", **options)


def test_no_source_is_an_error() -> None:
    with pytest.raises(ParameterError, match="no source was given"):
        read()


def test_the_same_file_is_read_once(collect: Collect, tree: Path) -> None:
    (tree / "link.txt").symlink_to(tree / "b.txt")
    reading = collect(tree, tree / "b.txt", tree / "a" / ".." / "b.txt", tree / "*.txt")
    assert sorted(reading.texts) == ["first a", "first b", "second", "third"]
    assert reading.report.others["repeated file"] == 5
    assert reading.report.bytes_read == reading.report.bytes_total


def test_a_hard_link_is_a_document_of_its_own(collect: Collect, tree: Path) -> None:
    (tree / "copy.txt").hardlink_to(tree / "b.txt")
    assert {"b.txt", "copy.txt"} <= set(collect(tree).ids)


def test_names_of_several_folders_stay_apart(
    collect: Collect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("x", "y"):
        Path(folder).mkdir()
        Path(folder, "1.txt").write_text(folder)
        Path(folder, "r.jsonl").write_text('{"text": "no id"}')
    assert collect("x").ids == ["1.txt", "r.jsonl:1"]
    assert collect("x/", "y").ids == ["x/1.txt", "x/r.jsonl:1", "y/1.txt", "y/r.jsonl:1"]
    assert collect("x/r.jsonl").ids == ["r.jsonl:1"]
    assert collect("x/r.jsonl", "y/r.jsonl").ids == ["x/r.jsonl:1", "y/r.jsonl:1"]
    assert collect("x/1.txt").ids == ["x/1.txt"]


def test_links_that_go_round_do_not_hang(
    collect: Collect, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("loop", "a/loop", "c/loop"):
        (tree / name).symlink_to(tree, target_is_directory=True)
    (tree / "self.txt").symlink_to(tree / "self.txt")
    (tree / "nowhere").symlink_to(tree / "gone")
    monkeypatch.chdir(tree)
    for source in (tree, "**/*.txt"):
        reading = collect(source)
        assert {"first a", "first b", "second"} <= set(reading.texts)
        assert reading.report.count == {"unreadable file": 1}
        assert reading.report.problems[0].path == "self.txt"


def test_a_folder_that_is_linked_is_read(collect: Collect, tree: Path, tmp_path: Path) -> None:
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "part").symlink_to(tree, target_is_directory=True)
    assert collect(tmp_path / "all").ids[0] == "part/a/10.txt"


def test_what_is_no_file_is_reported_and_the_rest_is_read(collect: Collect, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.txt")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "b.jsonl"))
        os.mkfifo(tmp_path / "unknown")
        (tmp_path / "c.txt").write_text("read")
        reading = collect(tmp_path)
    assert reading.texts == ["read"]
    assert reading.report.count == {"unreadable file": 2}
    assert str(reading.report.problems[0]) == "a.txt: is not a regular file"


def test_a_file_that_vanishes_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(name)
    report = Report()
    documents = read(tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "c.txt", report=report)
    assert next(documents).text == "a"
    (tmp_path / "b.txt").unlink()
    assert [document.text for document in documents] == ["c"]
    assert str(report.problems[0]) == f"{tmp_path}/b.txt: it is gone"

    documents = read(tmp_path, report=report)
    assert next(documents).text == "a"
    (tmp_path / "c.txt").unlink()
    assert list(documents) == []
    assert str(report.problems[1]) == "c.txt: No such file or directory"


class _Failing(io.RawIOBase):
    def __init__(self, *parts: bytes | OSError) -> None:
        self.parts = list(parts)

    def read(self, size: int = -1) -> bytes:
        part = self.parts.pop(0)
        if isinstance(part, OSError):
            raise part
        return part


def test_an_error_of_the_disk_keeps_what_came_before(
    collect: Collect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "a.jsonl"
    broken.touch()
    (tmp_path / "b.txt").write_text("next")
    opened = Path.open
    error = OSError(5, "Input/output error")
    files = {broken: lambda: _Failing(b'{"text": "one"}\n{"text": "tw', error)}
    monkeypatch.setattr(
        Path, "open", lambda self, *a, **k: files.get(self, lambda: opened(self, *a, **k))()
    )
    reading = collect(tmp_path)
    assert reading.texts == ["one", "next"]
    assert [str(p) for p in reading.report.problems] == [
        "a.jsonl:1: cannot read on: Input/output error"
    ]


def test_a_file_that_may_not_be_opened_is_reported(
    collect: Collect, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def guarded(self: Path, *args: Any, **options: Any) -> Any:
        if self.name == "2.txt":
            raise PermissionError(13, "Permission denied", str(self))
        return opened(self, *args, **options)

    monkeypatch.setattr(Path, "open", guarded)
    reading = collect(tree)
    assert len(reading.documents) == 3
    assert [str(p) for p in reading.report.problems] == ["a/2.txt: Permission denied"]


def test_a_name_that_is_no_unicode_has_an_id_that_is(collect: Collect, tmp_path: Path) -> None:
    for name in (b"caf\xe9.txt", b"caf\xe8.txt"):
        (tmp_path / os.fsdecode(name)).write_text("text")
    assert collect(tmp_path).ids == ["caf\\xe8.txt", "caf\\xe9.txt"]


STDIN = [
    (b'  \n{"id": "a", "text": "x"}\n', None, [("a", "x")]),
    (b'\xef\xbb\xbf{"id": "a", "text": "x"}\n', None, [("a", "x")]),
    ('{"id": "a", "text": "ç"}\n'.encode("utf-16"), None, [("a", "ç")]),
    (gzip.compress(b'{"text": "x"}\n', mtime=0), None, [("stdin:1", "x")]),
    (b"<!doctype html><p>x", None, [("stdin", "x")]),
    (b"\n<html><p>x", None, [("stdin", "x")]),
    (b"a < b", None, [("stdin", "a < b")]),
    (b"< 5", None, [("stdin", "< 5")]),
    (b"id,text\n1,x\n", "csv", [("1", "x")]),
    (b'{"text": "x"}', "txt", [("stdin", '{"text": "x"}')]),
]


@pytest.mark.parametrize(("data", "form", "expected"), STDIN)
def test_standard_input_is_sniffed_unless_told(
    data: bytes,
    form: Any,
    expected: list[tuple[str, str]],
    collect: Collect,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    reading = collect("-", format=form)
    assert [(d.id, d.text) for d in reading.documents] == expected
    assert reading.report.bytes_total is None
    assert reading.report.bytes_read == len(data)


@pytest.mark.parametrize("form", ["parquet", "warc"])
def test_archives_come_through_a_pipe(
    form: str, collect: Collect, samples: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin = SimpleNamespace(buffer=io.BytesIO(samples[form].data))
    monkeypatch.setattr("sys.stdin", stdin)
    assert collect("-").texts == samples[form].texts
    assert not stdin.buffer.closed


def test_no_standard_input_is_a_problem(collect: Collect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert collect("-").report.count == {"unreadable file": 1}


def test_a_line_of_a_slow_pipe_is_a_document_before_the_pipe_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out, into = os.pipe()
    with os.fdopen(out, "rb") as reading, os.fdopen(into, "wb", buffering=0) as writing:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=reading))
        documents = read("-", format="jsonl")
        writing.write(b'{"text": "one"}\n{"text": "t')
        assert next(documents).text == "one"
        writing.write(b'wo"}\n')
        assert next(documents).text == "two"


@pytest.mark.parametrize("name", ["pipe", "pipe.jsonl"])
def test_a_pipe_named_outright_is_read(name: str, collect: Collect, tmp_path: Path) -> None:
    path = tmp_path / name
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(b'{"text": "x"}\n'))
    writer.start()
    reading = collect(path)
    writer.join()
    assert reading.texts == ["x"]
    assert reading.report.bytes_total is None


def _closing(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Collect the files that are opened."""
    files: list[Any] = []
    opened = Path.open

    def watched(self: Path, *args: Any, **options: Any) -> Any:
        files.append(opened(self, *args, **options))
        return files[-1]

    monkeypatch.setattr(Path, "open", watched)
    return files


def test_files_are_closed_when_reading_stops(
    tmp_path: Path, samples: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = _closing(monkeypatch)
    for form in ("jsonl", "csv", "parquet", "warc"):
        (tmp_path / f"a.{form}").write_bytes(samples[form].data)
        documents = read(tmp_path / f"a.{form}")
        next(documents)
        assert not files[-1].closed
        assert isinstance(documents, Iterator)
        documents.close()  # type: ignore[attr-defined]
        assert files[-1].closed


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, ValueError])
def test_what_a_callback_raises_comes_through(
    error: type[BaseException], tmp_path: Path, samples: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = _closing(monkeypatch)

    def stop(_: object) -> None:
        raise error

    for form in ("jsonl", "csv", "parquet", "warc"):
        (tmp_path / f"a.{form}").write_bytes(samples[form].data)
        (tmp_path / f"b.{form}").write_bytes(samples[form].data)
        with pytest.raises(error):
            list(read(tmp_path / f"?.{form}", report=Report(on_problem=stop)))
        assert all(file.closed for file in files)

"""Pages read together are those read one by one: the same documents, problems in the same order."""

from pathlib import Path

import pytest

from twicetold.documents import Report, read, together
from twicetold.documents.reading import read_batches
from twicetold.errors import DocumentError

PAGES = {
    "a.html": b"<p>One.</p>",
    "b.html": b"<p></p>",
    "c.html": b"<p>caf\xc3\xa9 na\xc3\xafve \xff</p>",
    "d.html": b"<meta name=date content='no date'><p>Dated.</p>",
    "d.txt": b"A text between them.",
    "e.html.gz": b"no gzip at all",
    "f.html": b"<p>One.</p>",
    "sub/a.html": b"<title>A</title><p>Two.</p>",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, page in PAGES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(page)
    (tmp_path / "g.html").symlink_to(tmp_path / "nowhere")
    return tmp_path


@pytest.mark.parametrize("size", [1, 2, 3, 256])
def test_groups_of_any_size_give_the_same(
    folder: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(together, "_PAGES", size)
    report = Report()
    found = list(read(folder, report=report))
    assert [(each.id, each.text) for each in found] == [
        ("a.html", "One."),
        ("c.html", "caf\u00e9 na\u00efve \ufffd"),
        ("d.html", "Dated."),
        ("d.txt", "A text between them."),
        ("f.html", "One."),
        ("sub/a.html", "Two."),
    ]
    assert [(Path(each.path).name, each.reason) for each in report.problems] == [
        ("b.html", "empty text"),
        ("c.html", "replaced bytes"),
        ("d.html", "bad date"),
        ("e.html.gz", "empty text"),
        ("e.html.gz", "truncated"),
        ("g.html", "unreadable file"),
    ]
    assert report.documents == 6
    assert report.bytes_read == report.bytes_total
    assert sum(map(len, read_batches(folder))) == 6


@pytest.mark.parametrize("size", [1, 256])
def test_strict_stops_where_it_would_one_by_one(
    folder: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(together, "_PAGES", size)
    documents = read(folder, strict=True)
    assert next(documents).id == "a.html"
    with pytest.raises(DocumentError, match=r"b\.html"):
        next(documents)


def test_large_pages_are_read_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "_CHARACTERS", 11)
    assert [each.id for each in read(folder / "a.html", folder / "sub" / "a.html")] == [
        str(folder / "a.html"),
        str(folder / "sub" / "a.html"),
    ]


def test_an_error_of_the_kernel_is_raised(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(markups: object) -> None:
        raise MemoryError

    monkeypatch.setattr("twicetold.html.reading.read_together", fail)
    with pytest.raises(MemoryError):
        list(read(folder))

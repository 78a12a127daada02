"""What statistics are counted in: some documents of all, evenly spread, or those added first."""

import csv
import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import count, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.calling import NEWS, twicetold
from tests.index.making import stories
from tests.running import taken
from twicetold import Document, scan
from twicetold.documents import Fields, Sources, jsonl, reading
from twicetold.documents.input import Options
from twicetold.documents.sources import Found
from twicetold.index import Index, pinning
from twicetold.index.pinning import sample_of, spread_sample
from twicetold.index.spread import Spread

_STDIN = ("-", "--format", "jsonl")


@given(st.lists(st.integers(1, 60), max_size=70), st.integers(1, 20), st.integers(1, 400))
def test_a_sample_is_evenly_spread_and_no_larger_than_it_may_be(
    lengths: list[int], most: int, most_characters: int
) -> None:
    documents = [Document(id=str(n), text="x" * length) for n, length in enumerate(lengths)]
    sample, share = spread_sample(documents, most=most, most_characters=most_characters)

    def fits(some: list[Document]) -> bool:
        return len(some) <= most and sum(len(one.text) for one in some) <= most_characters

    assert fits(sample) or len(sample) <= 1
    places = [int(document.id) for document in sample]
    # Of each so many documents, a power of two, one was taken; of the last ones perhaps none.
    steps = [1 << n for n in range(8)]
    spread = [step for step in steps if all(at // step == n for n, at in enumerate(places))]
    assert 1 / share in spread
    assert 0 <= -(-len(lengths) // int(1 / share)) - len(sample) <= 1
    assert not fits(documents) or sample == documents


def test_those_that_come_by_turns_are_all_in_a_sample() -> None:
    documents = [Document(id=str(n), text="x") for n in range(4000)]
    sample = spread_sample(documents, most=600)
    turns = Counter(int(document.id) % 4 for document in sample.documents)
    assert (len(sample.documents), sample.share) == (500, 1 / 8)
    assert min(turns.values()) > 90


def test_a_sample_and_a_rebuild_know_what_comes_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pinning, "_DOCUMENTS", 8)
    documents = [*stories(32), *_late(32)]
    for sample, known in ((documents, 4), (documents[:32], 0)):
        with Index.create(tmp_path / str(known), method="codet", sample=sample) as index:
            assert index.statistics is not None
            assert (index.statistics.documents, index.statistics.frequency("zebra")) == (8, known)
            for _ in index.iter_add(documents):
                pass
            index.rebuild()
            assert (index.statistics.documents, index.statistics.frequency("zebra")) == (8, 4)


def _late(n: int) -> list[Document]:
    """Return documents of which none of the stories knows a word."""
    names = (f"{one}{other}ville" for one in "bdfglmnr" for other in "aeiou")
    texts = (f"Lately striped zebras crossed rivers near {name}." for name in islice(names, n))
    return [
        Document(id=f"late {number}", text=text, language="en") for number, text in enumerate(texts)
    ]


def _write(path: Path, documents: Iterable[Document]) -> Path:
    rows = ({"id": one.id, "text": one.text, "language": one.language} for one in documents)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def _as_lines(path: Path) -> Iterable[Document]:
    return Sources(path, as_lines=True)


@pytest.mark.parametrize(
    ("given_as", "known"),
    [
        (Sources, 4),
        (_as_lines, 4),
        (lambda path: list(Sources(path)), 4),
        (lambda path: iter(Sources(path)), 0),
    ],
    ids=["files", "lines", "list", "iterator"],
)
def test_the_first_that_are_added_are_sampled_where_they_can_be_had_twice(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    given_as: Callable[[Path], Iterable[Document]],
    known: int,
) -> None:
    monkeypatch.setattr(pinning, "_DOCUMENTS", 8)
    path = _write(tmp_path / "all.jsonl", [*stories(32), *_late(32)])
    told: list[int] = []
    with Index.create(tmp_path / "index", method="codet") as index:
        documents = given_as(path)
        added = list(index.add_all(documents, progress=lambda step: told.append(step.done)))
        assert [one.id for one in added] == [one.id for one in Sources(path)]
        assert len(index) == 64
        assert index.statistics is not None
        assert (index.statistics.documents, index.statistics.frequency("zebra")) == (8, known)
        # All pairs are those that a scan with the same statistics tells.
        expected = scan(list(Sources(path)), method="codet", statistics=index.statistics)
        assert sorted(map(repr, index.pairs())) == sorted(map(repr, expected))
    assert bool(told) == isinstance(documents, Sources)


def _folder(path: Path, documents: Iterable[Document]) -> Path:
    path.mkdir()
    for n, document in enumerate(documents):
        (path / f"{n:03}.txt").write_text(document.text, "utf-8")
    return path


def _table(path: Path, documents: Iterable[Document]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "text", "language"])
        rows.writerows([one.id, one.text, one.language] for one in documents)
    return path


def _packed(path: Path, documents: Iterable[Document]) -> Path:
    _write(path, documents)
    path.write_bytes(gzip.compress(path.read_bytes()))
    return path


@pytest.mark.parametrize(
    ("write", "name"),
    [(_write, "a.jsonl"), (_packed, "a.jsonl.gz"), (_table, "a.csv"), (_folder, "a")],
    ids=["lines", "packed", "table", "folder"],
)
def test_files_of_all_kinds_are_sampled(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    write: Callable[[Path, Iterable[Document]], Path],
    name: str,
) -> None:
    monkeypatch.setattr(pinning, "_DOCUMENTS", 8)
    sources = Sources(write(tmp_path / name, [*stories(32), *_late(32)]))
    sample, documents = sample_of(sources, lambda _: None)
    assert (len(sample.documents), sample.share) == (8, 1 / 8)
    assert sum("zebra" in document.text for document in sample.documents) == 4
    assert len(list(documents)) == 64
    assert sources.part_read == 1


def test_of_a_folder_only_the_files_of_the_sample_are_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = Sources(_folder(tmp_path / "all", stories(64)))
    opened: list[object] = []
    read_file = reading.read_file

    def noted(found: Found, options: Options) -> Iterator[Document]:
        opened.append(found)
        return read_file(found, options)

    monkeypatch.setattr(reading, "read_file", noted)
    numbers = count()
    made = list(sources.some(lambda n: [at for at in range(n) if next(numbers) % 8 == 0]))
    assert [one.id for one in made if one is not None] == [f"{n:03}.txt" for n in range(0, 64, 8)]
    assert len(opened) == 8


def test_lines_that_are_no_documents_do_not_count(tmp_path: Path) -> None:
    path = _write(tmp_path / "all.jsonl", stories(1024))
    lines = path.read_text("utf-8").splitlines()
    # Those of the second half stand among others.
    others = "\n{broken\n{}\n"
    path.write_text("\n".join([*lines[:512], *(line + others for line in lines[512:])]), "utf-8")
    spread = Spread[Document](200)
    for document in Sources(path).some(spread.among):
        spread.take(document)
    assert (spread.seen, spread.share) == (512 + 4 * 512 - 1, 1 / 8)
    numbers = [int(one.id.removeprefix("d")) for one in spread.taken()]
    assert [n // 8 for n in numbers if n < 512] == list(range(64))
    assert 48 <= sum(n >= 512 for n in numbers) <= 80


@given(
    st.lists(
        st.sampled_from(
            [
                '{"text": "a"}',
                '{"text": "b", "id": 7}',
                "",
                "{broken",
                "[]",
                '{"text": 5}',
                "x" * 99,
            ]
        ),
        max_size=40,
    ),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_some_lines_are_those_of_all(
    lines: list[str], end: str, is_nested: bool, chance: Random
) -> None:
    wanted: list[bool] = []

    def among(n: int) -> list[int]:
        chosen = [chance.random() < 0.5 for _ in range(n)]
        wanted.extend(chosen)
        return [at for at in range(n) if chosen[at]]

    fields = Fields(source="a.b") if is_nested else Fields()
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "_FIRST_BLOCK", 50)
        path = Path(folder) / "all.jsonl"
        path.write_bytes(end.join(lines).encode())
        every = {document.id: document for document in taken(Sources(path, fields=fields))[0]}
        some = list(Sources(path, fields=fields).some(among))
    assert abs(len(wanted) - len(lines)) <= 1  # the last one may be empty
    assert len(some) == sum(wanted)
    made = [document for document in some if document is not None]
    expected = [at for at, line in enumerate(lines) if '{"text": "' in line and wanted[at]]
    assert [document.text for document in made] == [lines[at][10] for at in expected]
    assert all(every[document.id] == document for document in made)


def test_a_sample_that_grows_beyond_what_was_expected_is_thinned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pinning, "_CHARACTERS", 4_000)
    # All was read with the first, and what comes behind is expected to fit.
    texts = ["word " * 100] * 8 + ["tiny text"] * 2000
    path = _write(
        tmp_path / "all.jsonl",
        (Document(id=str(n), text=text, language="en") for n, text in enumerate(texts)),
    )
    sample, _ = sample_of(Sources(path), lambda _: None)
    assert 1_000 < sum(len(one.text) for one in sample.documents) <= 4_000
    assert sample.share in {1 / 8, 1 / 16}


def test_a_sample_of_all_is_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pinning, "_DOCUMENTS", 32)
    path = _write(tmp_path / "all.jsonl", stories(32))
    with Index.create(tmp_path / "index", method="codet") as index:
        assert len(list(index.add_all(Sources(path)))) == 32
        assert index.statistics is not None
        assert index.statistics.documents == 32


def test_a_key_is_too_frequent_in_a_sample_in_proportion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pinning, "_DOCUMENTS", 16)
    documents = [*stories(32), *_late(32)]
    frequent: list[bytes | None] = []
    for given_as in (documents, iter(documents[:16] + documents[48:])):
        name = str(len(frequent))
        with Index.create(
            tmp_path / name, method="full-fingerprint", max_key_documents=12
        ) as index:
            for _ in index.iter_add(given_as):
                pass
            assert index.statistics is not None
            frequent.append(index.statistics.frequent_keys(index.detector.keys_form))
    # Eight of sixteen that stand for 64 are 32; eight of sixteen that stand for themselves are not.
    assert frequent[0]
    assert not frequent[1]


def test_what_is_wrong_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pinning, "_DOCUMENTS", 8)
    path = _write(tmp_path / "all.jsonl", stories(32))
    path.write_text(path.read_text("utf-8") + "{broken\n", "utf-8")
    twicetold("index", "create", tmp_path / "index", "--method", "codet")
    done = twicetold("index", "add", tmp_path / "index", path, "--limit", 0)
    assert done.code == 0
    assert done.err.count("not JSON") == 1
    assert done.err.endswith("\n1 skipped: 1 bad json\n")


def test_who_adds_more_than_statistics_were_counted_in_is_told_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pinning, "_DOCUMENTS", 5)
    path = tmp_path / "news.index"
    rows = (NEWS / "wire.jsonl").read_text("utf-8")
    for options, is_told in ((["--limit", 0], True), (["--quiet"], False)):
        twicetold("index", "create", path, "--method", "codet")
        done = twicetold("index", "add", path, *_STDIN, *options, stdin=rows)
        message = (
            f"twicetold: {path}: statistics are of the first 5 documents; "
            f"`twicetold index rebuild {path}` counts them in a sample of all\n"
        )
        assert (done.code, done.err) == (0, message if is_told else "")
        path = tmp_path / "quiet.index"
    # It is said once.
    done = twicetold("index", "add", path, NEWS / "blogs.jsonl", "--limit", 0)
    assert (done.code, done.err) == (0, "")
    # Nothing is said where all were counted.
    twicetold("index", "create", tmp_path / "few", "--method", "codet")
    few = "\n".join(rows.splitlines()[:4])
    done = twicetold("index", "add", tmp_path / "few", *_STDIN, stdin=few)
    assert (done.code, done.err) == (0, "")
    # Nor where they are a sample of all.
    twicetold("index", "create", tmp_path / "files", "--method", "codet")
    done = twicetold("index", "add", tmp_path / "files", NEWS / "wire.jsonl", "--limit", 0)
    assert (done.code, done.err) == (0, "")

"""The generator is seeded, streams, and plants what it says it plants."""

import difflib
import itertools
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.jsonl import Record, read, write
from benchmarks.text import writer
from benchmarks.text.collection import make_collection, make_equal, make_planted
from benchmarks.text.planted import KINDS

from twicetold.experiments.text import resample
from twicetold.experiments.text.spans import paragraphs, pieces, sentences, word_spans
from twicetold.experiments.text.words import invented

N = 250
Planted = tuple[dict[str, str], list[Record]]


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("benchmarks") / "source.jsonl"
    make_collection(path, 120, source=None, seed=9)
    return path


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    folder = tmp_path_factory.mktemp("planted")
    make_planted(folder / "out.jsonl", folder / "truth.jsonl", N, source=None, seed=1)
    texts = {record["id"]: record["text"] for record in read(folder / "out.jsonl")}
    return texts, list(read(folder / "truth.jsonl"))


def words(text: str) -> list[str]:
    return [text[slice(*span)] for span in word_spans(text)]


def changed(before: list[str], after: list[str]) -> float:
    """The share of words an alignment says were replaced, dropped or added."""
    codes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    edits = [max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in codes if tag != "equal"]
    return sum(edits) / len(before)


def common(left: str, right: str) -> int:
    """The length of the common head."""
    pairs = zip(left, right, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def put_in(host: str, target: str) -> str:
    """What was put into a text: what is left without its common head and tail."""
    head = common(host, target)
    tail = common(host[head:][::-1], target[head:][::-1])
    return target[head : len(target) - tail]


def make(kind: str, folder: Path, n: int, source: Path | None, seed: int) -> bytes:
    out, truth = folder / "out.jsonl", folder / "truth.jsonl"
    if kind == "collection":
        make_collection(out, n, source=source, seed=seed)
        return out.read_bytes()
    make_planted(out, truth, n, source=source, seed=seed)
    return out.read_bytes() + truth.read_bytes()


@pytest.mark.parametrize("kind", ["collection", "planted"])
@pytest.mark.parametrize("given", [False, True], ids=["invented", "from a file"])
def test_the_seed_decides_every_byte(kind: str, given: bool, source: Path, tmp_path: Path) -> None:
    path = source if given else None
    first = make(kind, tmp_path, 60, path, seed=1)
    assert make(kind, tmp_path, 60, path, seed=1) == first
    assert make(kind, tmp_path, 60, path, seed=2) != first


@pytest.mark.parametrize("given", [False, True], ids=["invented", "from a file"])
def test_a_smaller_collection_is_the_head_of_a_larger_one(
    given: bool, source: Path, tmp_path: Path
) -> None:
    path = source if given else None
    small, large = (make("collection", tmp_path, n, path, seed=1) for n in (40, 300))
    assert large.startswith(small)
    assert (small.count(b"\n"), large.count(b"\n")) == (40, 300)


def test_invented_news_has_the_statistics_of_news() -> None:
    texts = [record["text"] for record in itertools.islice(writer.documents(1), 200)]
    lengths = [len(words(text)) for text in texts]
    assert 600 < sum(lengths) / len(lengths) < 800
    assert 3500 < sum(map(len, texts)) / len(texts) < 4800
    counts = Counter(word.lower() for text in texts for word in words(text))
    assert counts.most_common(1)[0][0] == "the"
    half = Counter(word.lower() for text in texts[:100] for word in words(text))
    assert 1.1 < len(counts) / len(half) < 1.7


def test_invented_words_are_all_different() -> None:
    ranks = [*range(20_000), *range(400_000, 420_000), *range(10**9, 10**9 + 100)]
    assert len(set(map(invented, ranks))) == len(ranks)


def test_records_have_what_a_reader_wants(source: Path, tmp_path: Path) -> None:
    make_collection(tmp_path / "out.jsonl", 5, source=source, seed=1)
    for record in itertools.chain(read(source), read(tmp_path / "out.jsonl")):
        assert set(record) == {"id", "text", "published", "source", "language"}


def test_more_documents_need_no_more_memory(tmp_path: Path) -> None:
    stream = writer.documents(1)
    next(stream)
    peaks = []
    tracemalloc.start()
    for n in (20, 100):
        write(tmp_path / "out.jsonl", itertools.islice(stream, n))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.reset_peak()
    tracemalloc.stop()
    assert peaks[1] < peaks[0] + 300_000


def test_a_paragraph_comes_once_a_generation_and_then_in_other_words(source: Path) -> None:
    cards = {part for record in read(source) for part in paragraphs(record["text"])}
    texts = [
        record["text"] for record in itertools.islice(resample.documents(read(source), 1), 400)
    ]
    used = Counter(part for text in texts for part in paragraphs(text) if len(part) > 80)
    assert used.most_common(1)[0][1] == 1
    as_written = sum(part in cards for part in used)
    assert as_written < len(used) / 2
    assert as_written > 0.9 * sum(len(card) > 80 for card in cards)


def test_documents_are_as_long_as_is_asked_for(source: Path, tmp_path: Path) -> None:
    means = []
    for length in (600, 1800):
        make_collection(tmp_path / "out.jsonl", 200, source=source, seed=1, mean_length=length)
        texts = [record["text"] for record in read(tmp_path / "out.jsonl")]
        means.append(sum(map(len, texts)) / len(texts))
    assert means[0] < 900
    assert 1400 < means[1] < 2400


def test_the_length_of_invented_documents_is_not_chosen(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="give --from"):
        make_collection(tmp_path / "out.jsonl", 2, seed=1, mean_length=600)


def test_a_length_below_one_is_refused(source: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="above 0, got -5"):
        make_collection(tmp_path / "out.jsonl", 2, source=source, seed=1, mean_length=-5)


def test_equal_documents_are_equal_but_for_the_id(tmp_path: Path) -> None:
    make_equal(tmp_path / "out.jsonl", 7, seed=1)
    records = list(read(tmp_path / "out.jsonl"))
    assert len({record["id"] for record in records}) == 7
    assert len({record["text"] for record in records}) == 1


def test_planted_pairs_are_of_every_kind_and_no_document_is_in_two(planted: Planted) -> None:
    texts, truth = planted
    assert len(texts) == N
    assert Counter(pair["kind"] for pair in truth) == dict.fromkeys(KINDS, N // 25)
    ids = [pair[side] for pair in truth for side in ("left", "right")]
    assert len(set(ids)) == len(ids)
    assert set(ids) <= set(texts)


def test_what_is_planted_is_in_the_texts(planted: Planted) -> None:
    texts, truth = planted
    for pair in truth:
        left, right = texts[pair["left"]], texts[pair["right"]]
        if pair["kind"] == "near":
            assert left == right
        elif pair["kind"] == "quote":
            quotes = [left[slice(*span)] for span in sentences(left)]
            assert any(quote in right and len(words(quote)) >= 12 for quote in quotes)
        elif pair["kind"] == "contained":
            assert passages(left, right)


def test_about_a_tenth_of_the_words_is_changed(planted: Planted) -> None:
    texts, truth = planted
    hosts = {record["id"]: record["text"] for record in itertools.islice(writer.documents(1), N)}
    for pair in truth:
        left, right = texts[pair["left"]], texts[pair["right"]]
        if pair["kind"] == "near10":
            share = changed(words(left), words(right))
        elif pair["kind"] in {"contained10", "quote10"}:
            passage = words(put_in(hosts[pair["right"]], right))
            length = 1 if pair["kind"] == "quote10" else excerpt(left)
            share = min(changed(words(run), passage) for run in runs(left, length))
        else:
            continue
        assert 0.05 <= share <= 0.15, pair


def excerpt(text: str) -> int:
    return min(6, len(sentences(text)) // 2)


def runs(text: str, length: int) -> list[str]:
    spans = sentences(text)
    starts = range(len(spans) - length + 1)
    return [text[spans[n].start : spans[n + length - 1].end] for n in starts]


def passages(left: str, right: str) -> list[str]:
    return [run for run in runs(left, excerpt(left)) if run in right]


@pytest.mark.parametrize("text", ["One, two.\n\nThree 'four'!", "他说好。Ja!", "", " \n x"])
def test_pieces_joined_are_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text

"""Laws that hold for every format of the table, compressed or not."""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from twicetold.documents import FORMATS, NOTED, READERS, SKIPPED
from twicetold.documents.compression import COMPRESSIONS
from twicetold.documents.formats import suffix_of

Collect = Callable[..., Any]
Write = Callable[[str, bytes], Path]
SUFFIXES = [(name, suffix) for name, reader in READERS.items() for suffix in reader.suffixes]


def test_the_table_has_a_reader_for_every_format() -> None:
    assert tuple(READERS) == FORMATS
    suffixes = [suffix for _, suffix in SUFFIXES]
    assert len(suffixes) == len(set(suffixes))
    assert not set(suffixes) & set(COMPRESSIONS)


@pytest.mark.parametrize(("name", "suffix"), SUFFIXES)
def test_the_suffix_tells_the_format(name: str, suffix: str) -> None:
    for path in (f"a.{suffix}", f"x.y/A.b.{suffix.upper()}", f"C:\\{suffix}\\a.{suffix}.gz"):
        assert suffix_of(path).format == name


@pytest.mark.parametrize(
    "path", ["txt", "gz", ".gz", "a", "a.", "a.gz", "a.docx", "x.txt/a", ".txt"]
)
def test_other_names_tell_no_format(path: str) -> None:
    assert suffix_of(path).format is None


@pytest.mark.parametrize("form", FORMATS)
def test_a_sample_is_read(form: str, collect: Collect, write: Write, samples: Any) -> None:
    path = write(f"a.{form}", samples[form].data)
    reading = collect(path)
    assert reading.texts == samples[form].texts
    assert reading.report.documents == len(reading.documents)
    assert reading.report.summary() == "nothing skipped"
    assert reading.report.bytes_read == reading.report.bytes_total == path.stat().st_size


@pytest.mark.parametrize("suffix", COMPRESSIONS)
@pytest.mark.parametrize("form", FORMATS)
def test_compressed_is_the_same(
    form: str, suffix: str, collect: Collect, write: Write, samples: Any, compress: Any
) -> None:
    path = write(f"a.{form}.{suffix}", compress[suffix](samples[form].data))
    reading = collect(path)
    assert reading.texts == samples[form].texts
    assert reading.report.bytes_read == reading.report.bytes_total == path.stat().st_size


@pytest.mark.parametrize("suffix", ["gz", "zst"])
@pytest.mark.parametrize("form", FORMATS)
def test_compression_is_known_by_its_first_bytes(
    form: str, suffix: str, collect: Collect, write: Write, samples: Any, compress: Any
) -> None:
    path = write(f"a.{form}", compress[suffix](samples[form].data))
    assert collect(path).texts == samples[form].texts


@pytest.mark.parametrize("suffix", ["gz", "zst"])
@pytest.mark.parametrize("form", FORMATS)
def test_many_members_are_one_file(
    form: str, suffix: str, collect: Collect, write: Write, samples: Any, compress: Any
) -> None:
    data = samples[form].data
    parts = [compress[suffix](data[at : at + 50]) for at in range(0, len(data), 50)]
    assert collect(write(f"a.{form}.{suffix}", b"".join(parts))).texts == samples[form].texts


@pytest.mark.parametrize("suffix", ["gz", "zst"])
@pytest.mark.parametrize("form", FORMATS)
def test_a_truncated_file_gives_what_was_readable_and_one_problem(
    form: str, suffix: str, collect: Collect, write: Write, samples: Any, compress: Any
) -> None:
    whole = samples[form].texts
    packed = compress[suffix](samples[form].data)
    for cut in (1, len(packed) // 2, len(packed) - 3):
        reading = collect(write(f"a.{form}.{suffix}", packed[:-cut]))
        assert [p.reason for p in reading.report.problems if p.reason in SKIPPED][-1:] == [
            "truncated"
        ]
        assert reading.report.problems[-1].path.endswith(f"a.{form}.{suffix}")
        if form in ("jsonl", "csv", "parquet", "warc"):
            assert reading.report.count == {"truncated": 1}
            assert reading.texts == whole[: len(reading.texts)]


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_lines_before_the_break_are_kept(
    suffix: str, collect: Collect, write: Write, compress: Any
) -> None:
    rng = random.Random(1)
    lines = [b'{"text": "%b"}\n' % rng.randbytes(300).hex().encode() for _ in range(2000)]
    packed = compress[suffix](b"".join(lines))
    reading = collect(write(f"a.jsonl.{suffix}", packed[: len(packed) * 2 // 3]))
    assert 1000 < len(reading.documents) < 2000
    assert reading.report.count == {"truncated": 1}
    damaged = bytearray(packed)
    damaged[len(packed) // 2 : len(packed) // 2 + 40] = bytes(40)
    reading = collect(write(f"a.jsonl.{suffix}", bytes(damaged)))
    assert len(reading.documents) > 500
    if suffix == "gz":  # the other has no checksum, and what was random is random again
        assert reading.report.count["truncated"] == 1


def test_what_only_claims_to_be_compressed_is_reported(collect: Collect, write: Write) -> None:
    for name in ("a.txt.gz", "a.txt.zst"):
        for data in (b"plain", b""):
            reading = collect(write(name, data))
            assert reading.report.count["truncated"] == 1


def test_zeros_after_gzip_are_padding_and_rubbish_is_a_problem(
    collect: Collect, write: Write
) -> None:
    packed = gzip.compress(b"Shares fell.")
    assert collect(write("a.txt.gz", packed + bytes(3_000_000))).report.count == {}
    reading = collect(write("a.txt.gz", packed + bytes(2_000_000) + packed))
    assert reading.texts == ["Shares fell." * 2]
    reading = collect(write("a.txt.gz", packed + b"rubbish"))
    assert reading.texts == ["Shares fell."]
    assert reading.report.count == {"truncated": 1}


def test_a_bomb_is_not_held(
    collect: Collect, write: Write, compress: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twicetold.documents.input.LIMIT", 1_000_000)
    for suffix in ("gz", "zst"):
        for form in ("txt", "md", "html", "jsonl", "csv"):
            packed = compress[suffix](b"text\n" * (form == "csv") + b"a" * 8_000_000)
            reading = collect(write(f"a.{form}.{suffix}", packed))
            assert reading.documents == []
            assert reading.report.count == {"too long": 1}


@pytest.mark.parametrize("form", FORMATS)
def test_an_empty_file_is_a_problem_or_nothing(form: str, collect: Collect, write: Write) -> None:
    reading = collect(write(f"a.{form}", b""))
    assert reading.documents == []
    expected = {"parquet": "bad parquet", "csv": None, "jsonl": None, "warc": None}
    reason = expected.get(form, "empty text")
    assert reading.report.count == ({reason: 1} if reason else {})


def _mutated(data: bytes) -> st.SearchStrategy[bytes]:
    """Damage a good file at a few places."""
    edit = st.tuples(st.integers(0, len(data)), st.integers(0, 9), st.binary(max_size=9))

    def apply(edits: list[tuple[int, int, bytes]]) -> bytes:
        damaged = data
        for at, cut, new in edits:
            damaged = damaged[:at] + new + damaged[at + cut :]
        return damaged

    return st.lists(edit, min_size=1, max_size=4).map(apply)


@pytest.mark.parametrize("form", FORMATS)
def test_no_bytes_make_a_reader_fail(
    form: str, collect: Collect, samples: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / f"a.{form}"

    @settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.one_of(st.binary(max_size=300), _mutated(samples[form].data)))
    def check(data: bytes) -> None:
        path.write_bytes(data)
        reading = collect(path)
        assert all(text and not text.isspace() for text in reading.texts)
        assert len(set(reading.ids)) == len(reading.ids)
        assert set(reading.report.count) <= set(SKIPPED) | set(NOTED)
        for document in reading.documents:
            document.text.encode()
            document.id.encode()

    check()


def test_importing_the_readers_is_light() -> None:
    heavy = ["pyarrow", "resiliparse", "fastwarc", "zstandard", "email"]
    code = f"import sys, twicetold.documents; sys.exit(str(set({heavy}) & set(sys.modules) or ''))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""

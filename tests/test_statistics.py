"""Statistics are pinned: equal content gives equal bytes, and what is not theirs is refused."""

from __future__ import annotations

import errno
import json
import math
import os
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.reference import Frequencies, Settings
from tests.running import PLAIN, analysed, text_of
from twicetold.analysis import PROFILES, Analyser, Profile
from twicetold.detectors.codet import CoDet
from twicetold.errors import ParameterError, SourceError, StatisticsError
from twicetold.statistics import FORMAT_VERSION, Idf, Statistics, idf_weight

TEXTS = ["Shares gain. Shares lose.", "The mine closes.", "Ünïcode 長江 🙂 naïve.", ""]
FORM = CoDet().keys_form


def count(*batches: list[str], profile: Profile = PLAIN) -> Statistics:
    analyser, statistics = Analyser(profile), Statistics(profile)
    for texts in batches:
        statistics.add(analyser.analyse(texts, languages=["en"] * len(texts)))
    return statistics


def content(statistics: Statistics) -> tuple[Any, ...]:
    return (
        statistics.profile,
        statistics.documents,
        statistics.native.terms(),
        {form: statistics.frequent_keys(form) for form in statistics.pinned},
        statistics.version,
    )


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    statistics = count(TEXTS)
    statistics.pin_frequent_keys(FORM, (1).to_bytes(8, "little") + (7).to_bytes(8, "little"))
    statistics.save(tmp_path / "news.statistics")
    return tmp_path / "news.statistics"


def changed(path: Path, **members: bytes | Callable[[bytes], bytes]) -> Path:
    """Write the archive again, with some members changed; a name's point is written as ``_``."""
    with zipfile.ZipFile(path) as archive:
        old = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in old.items():
            new = members.get(name.replace(".", "_"), data)
            archive.writestr(name, new(data) if callable(new) else new)
    return path


def with_head(**fields: Any) -> Callable[[bytes], bytes]:
    return lambda data: json.dumps({**json.loads(data), **fields}).encode()


def refusal(path: Path) -> str:
    with pytest.raises(StatisticsError) as error:
        Statistics.load(path)
    told = str(error.value)
    assert told.startswith(f"{path}: ")
    return told.removeprefix(f"{path}: ")


DAMAGED = "not a statistics file, or damaged; make one with `twicetold statistics build`"


@given(strategies.collections)
def test_a_term_counts_once_in_each_document(collection: list[strategies.Sentences]) -> None:
    expected = Frequencies.count(collection)
    statistics = Statistics(PLAIN)
    statistics.add(analysed([text_of(document) for document in collection]))
    terms, frequencies = statistics.native.terms()
    assert statistics.documents == expected.documents
    assert terms == sorted(terms)
    assert dict(zip(terms, frequencies, strict=True)) == dict(expected.of)
    assert statistics.n_terms == len(terms)
    assert all(statistics.frequency(word) == expected.of.get(word, 0) for word in strategies.WORDS)


@given(strategies.collections, st.randoms(use_true_random=False), st.integers(1, 3))
def test_batches_threads_and_order_do_not_matter(
    collection: list[strategies.Sentences], shuffle: random.Random, threads: int
) -> None:
    texts = [text_of(document) for document in collection]
    together = count(texts)
    shuffle.shuffle(texts)
    cut = shuffle.randint(0, len(texts))
    analyser, apart = Analyser(PLAIN), Statistics(PLAIN)
    for part in (texts[:cut], [], texts[cut:]):
        apart.add(analyser.analyse(part, languages=["en"] * len(part)), threads=threads)
    assert apart.version == together.version


@pytest.mark.parametrize("idf", ["plus-one", "plain", "smooth"])
@pytest.mark.parametrize("base", [math.e, 2.0, 10.0])
def test_idf_is_the_formula(idf: Idf, base: float) -> None:
    settings = Settings(idf=idf, log_base=base)
    for documents, frequency in [(3, 1), (3, 2), (3, 3), (3, 0), (1, 1), (10**9, 7)]:
        expected = Frequencies(documents, {"w": frequency}).idf("w", settings)
        assert idf_weight(documents, frequency, idf=idf, base=base) == pytest.approx(expected)
    assert idf_weight(0, 0, idf=idf, base=base) >= 0


def test_what_was_saved_is_what_is_loaded(saved: Path) -> None:
    statistics = count(TEXTS)
    statistics.pin_frequent_keys(FORM, (1).to_bytes(8, "little") + (7).to_bytes(8, "little"))
    loaded = Statistics.load(saved)
    assert content(loaded) == content(statistics)
    assert loaded.frequency("長江") == 1
    assert loaded.pinned == (FORM,)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_is_saved_with_its_counts(profile: str, tmp_path: Path) -> None:
    count(TEXTS, profile=PROFILES[profile]).save(tmp_path / "s")
    loaded = Statistics.load(tmp_path / "s")
    loaded.require(PROFILES[profile])
    other = Profile(min_length=7)
    with pytest.raises(StatisticsError, match=r"^statistics were built with analysis=\d"):
        loaded.require(other)


def test_no_documents_at_all_can_be_saved(tmp_path: Path) -> None:
    Statistics(PLAIN).save(tmp_path / "s")
    assert content(Statistics.load(tmp_path / "s")) == content(Statistics(PLAIN))


def test_the_same_statistics_give_the_same_bytes(tmp_path: Path) -> None:
    for name, order in (("a", TEXTS), ("b", TEXTS[::-1])):
        count(order).save(tmp_path / name)
    Statistics.load(tmp_path / "a").save(tmp_path / "c")
    contents = {(tmp_path / name).read_bytes() for name in "abc"}
    assert len(contents) == 1


def test_the_version_stands_for_the_content() -> None:
    one = count(TEXTS)
    versions = [one.version]
    one.add(analysed(["More."]))
    versions.append(one.version)
    one.pin_frequent_keys(FORM, b"")
    versions.append(one.version)
    one.pin_frequent_keys(FORM, bytes(8))
    versions.append(one.version)
    versions.append(
        count(TEXTS, profile=Profile(stop_words="keep", stem="none", min_length=2)).version
    )
    assert len(set(versions)) == len(versions)
    named = Statistics(PLAIN, origin="elsewhere")
    named.add(analysed(TEXTS))
    assert named.version == versions[0]


@pytest.mark.parametrize("origin", ["news of May", "é長", "x" * 100_000, "odd \udc80 name", ""])
def test_where_they_come_from_is_kept_for_people(origin: str, tmp_path: Path) -> None:
    statistics = Statistics(PLAIN, origin=origin)
    statistics.save(tmp_path / "s")
    kept = Statistics.load(tmp_path / "s").origin
    assert kept == origin.replace("\udc80", "?")[:60_000]


def test_a_table_becomes_statistics() -> None:
    statistics = Statistics.from_terms(PLAIN, 10, {"b": 3, "a": 10, "": 0})
    assert (statistics.documents, statistics.n_terms) == (10, 3)
    assert [statistics.frequency(term) for term in ("a", "b", "c")] == [10, 3, 0]


@pytest.mark.parametrize(
    ("documents", "table", "message"),
    [
        (0, {}, "documents must be at least 1, got 0"),
        (3, {"a": -1}, "the frequency of 'a' must be from 0 to 3, got -1"),
        (3, {"a": 4}, "the frequency of 'a' must be from 0 to 3, got 4"),
        (3, {"a\nb": 1}, r"a term must be in one line, got 'a\nb'"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(
    documents: int, table: dict[str, int], message: str
) -> None:
    with pytest.raises(ParameterError) as error:
        Statistics.from_terms(PLAIN, documents, table)
    assert str(error.value) == message


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a zip",
        b"PK\x03\x04" + bytes(100),
        b"\x28\xb5\x2f\xfd" + bytes(50),
        b'{"format": "twicetold statistics"}',
    ],
)
def test_a_foreign_file_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(data)
    assert refusal(path) == DAMAGED


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("format_version", 2, f"format version 2, this program reads {FORMAT_VERSION}; "),
        ("hash_version", 99, "hash version 99, this program reads 1; "),
    ],
)
def test_another_version_is_refused_with_the_way_out(
    field: str, value: int, message: str, saved: Path
) -> None:
    told = refusal(changed(saved, statistics_json=with_head(**{field: value})))
    assert told == f"{message}build the statistics anew with `twicetold statistics build`"


DAMAGES: dict[str, dict[str, Any]] = {
    "head is a list": {"statistics_json": b"[]"},
    "head is nothing": {"statistics_json": b""},
    "head is deep": {"statistics_json": b"[" * 100_000},
    "head is not text": {"statistics_json": b"\xff"},
    "no documents": {"statistics_json": with_head(documents=None)},
    "negative documents": {"statistics_json": with_head(documents=-1)},
    "too many documents": {"statistics_json": with_head(documents=2**80)},
    "no profile": {"statistics_json": with_head(profile={})} | {"terms_txt": b"x"},
    "odd profile": {"statistics_json": with_head(profile={"stem": "odd"})},
    "unknown choice": {"statistics_json": with_head(profile={"colour": "red"})},
    "listed profile": {"statistics_json": with_head(profile=[1])},
    "frequent keys that are not there": {"statistics_json": with_head(frequent=["a", "b"])},
    "frequent is a number": {"statistics_json": with_head(frequent=7)},
    "fewer terms": {"terms_txt": b"a\nb"},
    "terms twice": {"terms_txt": lambda data: b"\n".join([b"a"] * (data.count(b"\n") + 1))},
    "terms are not text": {"terms_txt": b"\xff\xfe"},
    "fewer frequencies": {"frequencies_u32": lambda data: data[:-4]},
    "half a frequency": {"frequencies_u32": lambda data: data + b"\x01\x02"},
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_content_is_refused(damage: str, saved: Path) -> None:
    assert refusal(changed(saved, **DAMAGES[damage])) == DAMAGED


def test_a_file_that_stands_for_far_more_is_refused_unread(saved: Path) -> None:
    with zipfile.ZipFile(saved, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("grams.txt", bytes(50 << 20))
    assert "bytes that stand for 52,4" in refusal(saved)
    # Said to be small, it is not read further than it says.
    data = saved.read_bytes()
    saved.write_bytes(data.replace((50 << 20).to_bytes(4, "little"), (9).to_bytes(4, "little")))
    assert "not a statistics file, or damaged" in refusal(saved)


def test_a_member_that_is_missing_is_refused(saved: Path) -> None:
    with zipfile.ZipFile(saved) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for missing in members:
        with zipfile.ZipFile(saved, "w") as archive:
            for name, data in members.items():
                if name != missing:
                    archive.writestr(name, data)
        assert refusal(saved) == DAMAGED


def test_a_file_that_ends_early_is_refused(saved: Path) -> None:
    whole = saved.read_bytes()
    # The last bytes are the origin, for people.
    for size in range(0, len(whole) - len("collection"), 7):
        saved.write_bytes(whole[:size])
        refusal(saved)


def test_a_changed_byte_is_refused_or_makes_no_difference(saved: Path) -> None:
    whole, expected = saved.read_bytes(), content(Statistics.load(saved))
    rng = random.Random(0)
    for place in range(0, len(whole), 2):
        data = bytearray(whole)
        data[min(place + rng.randrange(2), len(data) - 1)] ^= 1 << rng.randrange(8)
        saved.write_bytes(data)
        try:
            loaded = Statistics.load(saved)
        except StatisticsError as error:
            assert str(saved) in str(error)  # noqa: PT017 - most bytes matter, a few do not
        else:
            assert content(loaded) == expected


def test_an_encrypted_archive_is_refused(saved: Path) -> None:
    data = bytearray(saved.read_bytes())
    data[6] |= 1
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    saved.write_bytes(data)
    assert refusal(saved) == DAMAGED


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("missing/s", "No such file or directory"),
        ("file/s", "Not a directory"),
        ("folder", "Is a directory"),
    ],
)
def test_a_path_that_cannot_be_written_is_told(place: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    path = tmp_path / place
    with pytest.raises(SourceError) as error:
        count(TEXTS).save(path)
    assert str(error.value) == f"{path}: cannot write statistics: {reason}"
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("missing", "No such file or directory"),
        ("file/s", "Not a directory"),
        ("folder", "Is a directory"),
    ],
)
def test_a_path_that_cannot_be_read_is_told(place: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    (tmp_path / "folder").mkdir()
    path = tmp_path / place
    with pytest.raises(SourceError) as error:
        Statistics.load(path)
    assert str(error.value) == f"{path}: cannot read statistics: {reason}"


FULL_DISK = """
import resource, sys
from twicetold.errors import SourceError
from twicetold.statistics import Statistics
statistics = Statistics.load(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
try:
    statistics.save(sys.argv[1])
except SourceError as error:
    print(error)
"""


def test_a_full_disk_is_told_and_leaves_what_was_there(saved: Path) -> None:
    before = saved.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(saved)],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == f"{saved}: cannot write statistics: File too large\n", done.stderr
    assert saved.read_bytes() == before
    assert sorted(saved.parent.iterdir()) == [saved]


def test_no_space_left_is_told(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, statistics = saved.read_bytes(), Statistics.load(saved)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SourceError, match=r"cannot write statistics: No space left on device$"):
        statistics.save(saved)
    assert saved.read_bytes() == before
    assert sorted(saved.parent.iterdir()) == [saved]

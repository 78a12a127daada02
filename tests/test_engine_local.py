"""The local engine: the same answer however it is run, and no way to hurt the process."""

from __future__ import annotations

import functools
import itertools
import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.reference import Told
from tests.running import PLAIN, by_ids, document, rows, run, share
from twicetold import _kernel
from twicetold.analysis import PROFILES
from twicetold.detectors.codet import CoDet
from twicetold.engines import local
from twicetold.engines.batches import batches, prefetched
from twicetold.engines.local import LocalEngine
from twicetold.errors import KernelError
from twicetold.pairs import Pairs
from twicetold.pipeline import Job, Progress
from twicetold.records import Document
from twicetold.statistics import Statistics

ROOT = Path(__file__).resolve().parents[1]
DAY = timedelta(days=1)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def collection(n: int, seed: int = 0) -> list[Document]:
    """Return documents that share sentences: some rare, some in nearly all."""
    rng = random.Random(seed)
    words = [f"w{k}" for k in range(400)]
    pool = [" ".join(rng.choices(words, k=rng.randrange(1, 9))) for _ in range(60)]
    found = []
    for number in range(n):
        sentences = rng.sample(pool, rng.randrange(1, 6))
        if rng.random() < 0.5:
            sentences.append(" ".join(rng.choices(words, k=6)))
        if rng.random() < 0.9:
            sentences.append("all rights reserved")
        dated = NOON + rng.randrange(30) * DAY if rng.random() < 0.7 else None
        found.append(document(f"d{number:03}", *sentences, published=dated))
    return found


def counted(documents: list[Document], detector: CoDet, **job: Any) -> Statistics:
    return LocalEngine().count(documents, Job(detector=detector, profile=PLAIN, **job))


# The same answer for any number of threads and any batches.


@pytest.mark.parametrize("all_pairs", [False, True])
@pytest.mark.parametrize("mode", ["set", "bag"])
def test_threads_and_batches_change_nothing(
    mode: Any, all_pairs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = collection(150)
    detector = CoDet(mode=mode, suffixes=2)
    job: dict[str, Any] = {
        "floor": 0.05,
        "window": 9 * DAY,
        "all_pairs": all_pairs,
        "max_key_documents": 20,
    }
    expected = run(documents, detector, threads=1, **job)
    assert len(expected) > 100
    for size, threads in itertools.product((1, 500, 10**9), (1, 2, 3, 8)):
        steps: list[Progress] = []
        monkeypatch.setattr(local, "batches", functools.partial(batches, size=size))
        found = run(documents, detector, threads=threads, progress=steps.append, **job)
        assert rows(found) == rows(expected)
        assert found.manifest.counts == expected.manifest.counts
        analysed = [step.done for step in steps if step.stage == "analyse"]
        assert analysed[-1] == 150
        assert (len(analysed) == 150, len(analysed) == 1) == (size == 1, size == 10**9)


@given(st.lists(st.integers(0, 30), max_size=20), st.integers(1, 60))
def test_batches_hold_every_document_once_and_end_when_full(sizes: list[int], size: int) -> None:
    documents = [Document(id=str(n), text="x" * length) for n, length in enumerate(sizes)]
    found = list(batches(documents, size=size))
    assert [document for batch in found for document in batch] == documents
    for batch in found[:-1]:
        lengths = [len(document.text) for document in batch]
        assert sum(lengths) >= size > sum(lengths[:-1])


def test_what_goes_wrong_while_reading_ahead_is_raised_in_its_place() -> None:
    def items() -> Iterator[int]:
        yield from (1, 2, 3)
        msg = "the disk is gone"
        raise OSError(msg)

    ahead = prefetched(items())
    assert list(itertools.islice(ahead, 3)) == [1, 2, 3]
    with pytest.raises(OSError, match="the disk is gone"):
        next(ahead)


def test_reading_ahead_ends_with_the_reader() -> None:
    before = threading.active_count()
    ahead = prefetched(itertools.count())
    assert [next(ahead) for _ in range(3)] == [0, 1, 2]
    ahead.close()  # type: ignore[attr-defined]
    deadline = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before


# Equal documents are one document to the join.


@pytest.mark.parametrize("n", [1, 2, 3, 10])
@pytest.mark.parametrize("sentences", [["ant bee cat", "dog elk"], [""]])
def test_n_copies_are_n_minus_1_rows_or_all_pairs(n: int, sentences: list[str]) -> None:
    copies = [document(f"{k:02}", *sentences) for k in range(n)]
    few, every = run(copies), run(copies, all_pairs=True)
    assert [(pair.left, pair.right) for pair in few] == [("00", f"{k:02}") for k in range(1, n)]
    assert len(every) == n * (n - 1) // 2
    assert {pair.relation for pair in every} <= {"identical"}
    assert few.manifest.counts["distinct documents"] == 1


def test_a_thousand_copies_cost_no_more_than_a_thousand_rows() -> None:
    copies = [document(f"{k:04}", "ant bee cat", "dog elk") for k in range(1_000)]
    other = document("other", "ant bee cat", "something else")
    pairs = run([*copies, other], CoDet(threshold=0.1))
    assert pairs.count() == {"identical": 999, "near-duplicate": 1}
    assert pairs.manifest.counts["similarities computed"] <= 2
    assert pairs.manifest.counts["frequent keys"] == 0


def test_equal_words_with_other_punctuation_are_near_duplicates_of_the_earliest() -> None:
    texts = ["Ant bee cat.", "ant, bee cat!", "ANT BEE CAT", "ant bee dog"]
    documents = [Document(id=f"{n}", text=text, language="en") for n, text in enumerate(texts)]
    assert [(p.left, p.right, p.relation, p.score) for p in run(documents)] == [
        ("0", "1", "near-duplicate", 1.0),
        ("0", "2", "near-duplicate", 1.0),
    ]


def test_the_same_text_in_two_languages_is_identical() -> None:
    text = "The INTEL titanic was the ship. Was it in the IT city?"
    documents = [Document(id=code, text=text, language=code) for code in ("en", "tr", "und")]
    for profile in ("plain", "default", "codet"):
        pairs = run(documents, profile=profile, all_pairs=True)
        assert [(p.left, p.right, p.relation, p.score, p.resemblance) for p in pairs] == [
            ("en", "tr", "identical", 1.0, 1.0),
            ("en", "und", "identical", 1.0, 1.0),
            ("tr", "und", "identical", 1.0, 1.0),
        ]


def test_the_language_of_the_job_is_that_of_every_document() -> None:
    documents = [
        Document(id="a", text="TITANIK battı ama IŞIK yandı", language="en"),
        Document(id="b", text="tıtanık battı ama ışık yandı", language="en"),
    ]
    assert share(run(documents, floor=0.0), "a", "b") < 1
    assert share(run(documents, floor=0.0, language="tr"), "a", "b") == 1


# Keys too frequent to join are left out as pinned, and counted.


def boilerplate(n: int) -> list[Document]:
    return [
        document(
            f"{k:02}", "all rights reserved", f"alpha{k} beta{k}", f"gamma{k // 2} delta{k // 2}"
        )
        for k in range(n)
    ]


def test_frequent_keys_are_left_out_and_counted() -> None:
    documents = boilerplate(12)
    everything = run(documents, CoDet(word_sorting=False), floor=0.0)
    assert len(everything) == 12 * 11 // 2
    pairs = run(documents, CoDet(word_sorting=False), floor=0.0, max_key_documents=11)
    assert [(p.left, p.right) for p in pairs] == [
        (f"{k:02}", f"{k + 1:02}") for k in range(0, 12, 2)
    ]
    assert pairs.manifest.counts["frequent keys"] == 3
    assert pairs.manifest.counts["features left out"] == 36
    assert everything.manifest.counts["frequent keys"] == 0
    assert everything.manifest.counts["features left out"] == 0


def test_a_key_is_frequent_above_the_limit_and_copies_count_once() -> None:
    documents = boilerplate(5)
    copies = [document(f"copy{k}", "all rights reserved") for k in range(9)]
    for limit, frequent in ((5, 3), (6, 0)):
        pairs = run([*documents, *copies], CoDet(word_sorting=False), max_key_documents=limit)
        assert pairs.manifest.counts["frequent keys"] == frequent


def test_what_was_left_out_weighs_nothing() -> None:
    documents = boilerplate(12)
    pairs = run(documents, CoDet(word_sorting=False), floor=0.0, max_key_documents=11)
    # Half of what is left of each: "alphaK betaK" is its own, "gammaK deltaK" is shared by two.
    idf = {1: 1 + 2.4849066497880004, 2: 1 + 1.791759469228055}
    expected = 3 * idf[2] / (3 * idf[1] + 3 * idf[2])
    assert {round(p.left_in_right, 9) for p in pairs} == {round(expected, 9)}


def test_pinned_frequent_keys_make_a_subset_the_subset_of_the_result() -> None:
    documents = collection(120, seed=5)
    detector = CoDet(threshold=0.2, word_sorting=False)
    statistics = counted(documents, detector, max_key_documents=15)
    assert statistics.frequent_keys(detector.keys_form)
    job: dict[str, Any] = {"statistics": statistics, "floor": 0.0, "all_pairs": True}
    everything = run(documents, detector, **job)
    rng = random.Random(1)
    for size in (5, 30, 90):
        some = rng.sample(documents, size)
        ids = {document.id for document in some}
        found = run(some, detector, **job)
        inside = [row for row in rows(everything) if {row["left"], row["right"]} <= ids]
        assert rows(found) == inside
        assert found.manifest.counts["frequent keys"] > 0


@given(strategies.told(), strategies.settings(), st.sampled_from([1, 2, 1000]))
def test_own_statistics_and_the_same_ones_pinned_give_the_same_pairs(
    told: list[Told], settings: Any, limit: int
) -> None:
    documents = strategies.as_documents(told)
    detector = CoDet(**strategies.parameters(settings))
    own = run(documents, detector, floor=0.0, max_key_documents=limit)
    pinned = counted(documents, detector, max_key_documents=limit)
    assert rows(run(documents, detector, floor=0.0, statistics=pinned)) == rows(own)


def test_statistics_that_were_saved_and_loaded_give_the_same_pairs(tmp_path: Path) -> None:
    documents = collection(100, seed=9)
    detector = CoDet(threshold=0.1)
    own = run(documents, detector, floor=0.0, max_key_documents=20)
    counted(documents, detector, max_key_documents=20).save(tmp_path / "s")
    loaded = Statistics.load(tmp_path / "s")
    found = run(documents, detector, floor=0.0, statistics=loaded)
    assert len(own) > 0
    assert rows(found) == rows(own)
    for name in ("frequent keys", "features left out", "documents hidden", "pairs"):
        assert found.manifest.counts[name] == own.manifest.counts[name]
    assert found.manifest.parameters["statistics"] == loaded.version
    assert own.manifest.parameters["statistics"] == "collection"


def test_keys_pinned_for_other_parameters_are_not_left_out() -> None:
    documents = boilerplate(12)
    statistics = counted(documents, CoDet(word_sorting=False), max_key_documents=5)
    other = run(documents, CoDet(), statistics=statistics, max_key_documents=1)
    assert other.manifest.counts["frequent keys"] == 0


def test_pinned_statistics_are_not_changed_by_a_run() -> None:
    documents = collection(30)
    statistics = Statistics(PLAIN)
    before = statistics.version
    run(documents, CoDet(), statistics=statistics)
    assert (statistics.version, statistics.pinned) == (before, ())


# The floor.


def test_pairs_that_reach_the_floor_are_told_as_overlaps() -> None:
    # Half of the weight of "a" is shared: 1 + 2 of 1 + 2 + 3, all words equally rare.
    documents = [document("a", "one two three"), document("b", "one two four five six seven")]
    detector = CoDet(word_sorting=False, threshold=0.8)
    job: dict[str, Any] = {"statistics": Statistics.from_terms(PLAIN, 3, {})}
    found = {
        floor: [
            (pair.relation, pair.score) for pair in run(documents, detector, floor=floor, **job)
        ]
        for floor in (None, 0.6, 0.5 + 1e-9, 0.5, 0.4, 0.0)
    }
    told = [("overlap", 0.5)]
    assert found == {None: [], 0.6: [], 0.5 + 1e-9: [], 0.5: told, 0.4: told, 0.0: told}


# The window.


def on(name: str, day: float | None, text: str = "ant bee cat") -> Document:
    return document(name, text, published=None if day is None else NOON + day * DAY)


def ids(pairs: Pairs) -> list[tuple[str, str]]:
    return [(pair.left, pair.right) for pair in pairs]


WINDOWS: list[tuple[str, dict[str, float | None], int | None, list[tuple[str, str]]]] = [
    ("no window", {"a": 0, "b": 99}, None, [("a", "b")]),
    ("on the border", {"a": 0, "b": 7}, 7, [("a", "b")]),
    ("outside", {"a": 0, "b": 7.00001}, 7, []),
    ("the earlier is left", {"a": 5, "b": 0}, 7, [("b", "a")]),
    ("at the same time", {"b": 0, "a": 0}, 0, [("a", "b")]),
    ("undated is near to any", {"a": 0, "b": None, "c": 99}, 7, [("a", "b")]),
    ("undated comes last", {"b": None, "c": 0}, 7, [("b", "c")]),
    ("only undated", {"b": None, "a": None, "c": None}, 7, [("a", "b"), ("a", "c")]),
    ("a chain", {"a": 0, "b": 5, "c": 10}, 7, [("a", "b"), ("b", "c")]),
    ("a later copy starts anew", {"a": 0, "b": 5, "c": 20, "d": 22}, 7, [("a", "b"), ("c", "d")]),
]


@pytest.mark.parametrize(("days", "window", "expected"), [row[1:] for row in WINDOWS],
                         ids=[row[0] for row in WINDOWS])  # fmt: skip
def test_copies_inside_the_window_come_with_the_earliest(
    days: dict[str, float | None], window: int | None, expected: list[tuple[str, str]]
) -> None:
    documents = [on(name, day) for name, day in days.items()]
    limit = None if window is None else window * DAY
    assert ids(run(documents, window=limit)) == expected


def test_a_copy_outside_the_window_speaks_for_itself() -> None:
    documents = [on("a", 0), on("b", 10), on("c", 12, "ant bee cat\n\ndog elk")]
    assert ids(run(documents, window=5 * DAY)) == [("b", "c")]
    assert ids(run(documents, window=10 * DAY)) == [("a", "b"), ("b", "c")]
    assert ids(run(documents)) == [("a", "b"), ("a", "c")]


def test_a_copy_that_was_told_is_not_told_again_with_what_came_between() -> None:
    documents = [on("a", 0), on("b", 1, "ant bee cat\n\ndog elk"), on("c", 2)]
    assert ids(run(documents)) == [("a", "b"), ("a", "c")]
    assert ids(run(documents, all_pairs=True)) == [("a", "b"), ("a", "c"), ("b", "c")]


def test_times_of_all_zones_and_ages_are_compared() -> None:
    here = datetime(2026, 3, 1, 12, tzinfo=UTC)
    there = here.astimezone(tz=datetime.strptime("+0530", "%z").tzinfo)
    documents = [
        document("a", "ant bee", published=there),
        document("b", "ant bee", published=here + timedelta(microseconds=1)),
        document("old", "ant bee", published=datetime.min.replace(tzinfo=UTC)),
        document("new", "ant bee", published=datetime.max.replace(tzinfo=UTC)),
    ]
    assert ids(run(documents, window=timedelta(microseconds=1))) == [("a", "b")]
    assert ids(run(documents, window=timedelta(0))) == []
    assert ids(run(documents, window=timedelta.max)) == [("old", n) for n in ("a", "b", "new")]


# What the run tells about itself.


def test_the_manifest_says_what_was_run_on_what() -> None:
    documents = [document("a", "ant bee cat", "dog elk"), document("b", "ant bee cat"), on("c", 0)]
    found = run(documents, CoDet(depth=3), window=7 * DAY, floor=0.25, threads=2).manifest
    counts = {"documents": 3, "undated": 2, "sentences": 4, "words": 11, "terms": 5}
    assert counts.items() <= found.counts.items()
    assert found.counts["characters"] == sum(len(document.text) for document in documents)
    assert found.counts["distinct documents"] == 2
    expected = {
        "method": "codet",
        "depth": 3,
        "threshold": 0.5,
        "analysis": str(PROFILES["plain"]),
        "window": "7 days, 0:00:00",
        "floor": 0.25,
        "threads": 2,
        "statistics": "collection",
    }
    assert expected.items() <= found.parameters.items()
    assert {"twicetold", "python", "hash"} <= set(found.versions)
    assert {"analyse", "features", "join", "decide"} <= set(found.seconds)
    json.dumps(found.to_json())


def test_progress_is_told_stage_by_stage_and_never_goes_back() -> None:
    steps: list[Progress] = []
    run(collection(40), progress=steps.append)
    stages = [stage for stage, _ in itertools.groupby(step.stage for step in steps)]
    assert stages == ["analyse", "features", "join"]
    for stage in stages:
        done = [step.done for step in steps if step.stage == stage]
        assert done == sorted(done)
        assert done[-1] == 40


# Texts nobody would write.

HOSTILE: dict[str, str] = {
    "lone surrogates": "fox \ud800gnu hen\udfff",
    "nul": "fox\x00gnu\x00hen",
    "a word of 5 MB": "x" * 5_000_000,
    "a line of 20 MB": "word " * 4_000_000,
    "white space": " \t\r\n\u2028\u2029\x85" * 1000,
    "quotation marks": "“(\"'a. " * 20_000,
    "the last code point": "\U0010ffff a \U0010ffff",
    "marks": "\u0301\ufe0f" * 1000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_scanned_like_any_other(name: str) -> None:
    text = HOSTILE[name]
    documents = [
        Document(id="one", text=text),
        Document(id="other", text=text),
        document("whole", "ant bee cat"),
        document("part", "ant bee cat", "dog elk"),
    ]
    found = by_ids(run(documents))
    assert found["one", "other"].relation == "identical"
    assert found["part", "whole"].right_in_left == 1.0


def test_a_hundred_thousand_empty_documents_are_copies_of_the_first() -> None:
    documents = [Document(id=f"{n:06}", text="") for n in range(100_000)]
    pairs = run(documents)
    assert len(pairs) == 99_999
    assert set(pairs.table.column("left").to_pylist()) == {"000000"}
    assert pairs.count() == {"identical": 99_999}
    different = [Document(id=f"{n:05}", text="." * (n + 1)) for n in range(2_000)]
    assert len(run(different)) == 0


# The process.


def test_a_panic_becomes_an_error_and_the_process_lives_on(
    capfd: pytest.CaptureFixture[str],
) -> None:
    for _ in range(3):
        with pytest.raises(KernelError) as error:
            _kernel._panic()
        assert str(error.value) == (
            "the kernel failed (asked to); please report this with the input"
        )
    capfd.readouterr()
    assert len(run([document("a", "ant bee"), document("b", "ant bee")])) == 1


def python(script: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-u", "-c", script, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


INTERRUPTED = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it
from twicetold.records import Document
from tests.running import run
from twicetold import _kernel

def waiting():
    print("analyse", flush=True)
    time.sleep(60)
    yield Document(id="never", text="")

def one_long_text():
    text = "“(\\"'a. " * 2_000_000
    print("analyse", flush=True)
    yield Document(id="long", text=text, language="en")

def many_pairs():
    common = [f"{chr(97 + n // 20)}x{n} common sentence" for n in range(400)]
    for n in range(6000):
        sentences = [common[(n * (k + 7) + k * k) % 400] for k in range(40)]
        yield Document(id=str(n), text="\\n\\n".join(sentences), language="en")

def tell(progress):
    if progress.done == progress.total:
        print(progress.stage, flush=True)

try:
    if sys.argv[1] == "sleep":
        print("sleep", flush=True)
        _kernel._sleep(60)
    else:
        documents = {"waiting": waiting, "long": one_long_text, "pairs": many_pairs}[sys.argv[1]]()
        run(documents, progress=tell, floor=0.0, all_pairs=True, max_key_documents=10**9)
    print("finished", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize(
    ("what", "stage"),
    [("sleep", "sleep"), ("waiting", "analyse"), ("long", "analyse"), ("pairs", "features")],
)
def test_ctrl_c_is_answered_within_a_second(what: str, stage: str) -> None:
    child = python(INTERRUPTED, what)
    watchdog = threading.Timer(90, child.kill)
    watchdog.start()
    try:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline() == f"{stage}\n", child.stderr.read()
        time.sleep(0.4)
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        answer, seconds = child.stdout.readline(), time.monotonic() - sent
        assert answer == "interrupted\n"
        assert seconds < 1
    finally:
        watchdog.cancel()
        child.kill()
        child.communicate()


FORKED = """
import multiprocessing, os, sys, threading, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of forks beside threads
from tests.running import document, rows, run

documents = [document(str(n), "ant bee cat", f"dog elk{n % 5} fox") for n in range(60)]

def scan(threads):
    return rows(run(documents, threads=threads))

expected = scan(2)

def check(threads):
    return scan(threads) == expected

if sys.argv[1] == "fork":
    child = os.fork()
    if child == 0:
        os._exit(0 if check(2) and check(3) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
elif sys.argv[1] == "grandchild":
    child = os.fork()
    if child == 0:
        check(2)
        grandchild = os.fork()
        if grandchild == 0:
            os._exit(0 if check(2) else 1)
        os._exit(os.waitstatus_to_exitcode(os.waitpid(grandchild, 0)[1]))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
else:
    context = multiprocessing.get_context(sys.argv[1].removeprefix("pool-"))
    with context.Pool(2) as pool:
        assert all(pool.map(check, [1, 2, 3, 2, 1, 2]))
assert check(2)
print("the same everywhere")
"""


@pytest.mark.parametrize("how", ["fork", "grandchild", "pool-fork"])
def test_a_forked_process_can_scan(how: str) -> None:
    child = python(FORKED, how)
    try:
        output, errors = child.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        child.kill()
        pytest.fail("a forked process hangs")
    assert output == "the same everywhere\n", errors


def test_threads_may_scan_at_the_same_time_with_the_same_statistics() -> None:
    documents = collection(80)
    detector = CoDet()
    statistics = counted(documents, detector)
    expected = rows(run(documents, detector, floor=0.0, statistics=statistics))
    found: list[bool] = []

    def work() -> None:
        for _ in range(5):
            again = run(documents, detector, floor=0.0, statistics=statistics)
            found.append(rows(again) == expected)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert found == [True] * 20


def test_nothing_starts_at_import() -> None:
    script = "import threading, twicetold, twicetold._kernel; print(threading.active_count())"
    child = python(script + "; print(len(__import__('os').listdir('/proc/self/task')))")
    assert child.communicate(timeout=60)[0].split() == ["1", "1"]

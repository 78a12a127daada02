"""The process survives: panics, Ctrl-C, forks, and threads that scan at the same time."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.running import document, pinned_by, rows, run, sharing_documents
from twicetold import _kernel
from twicetold.detectors.codet import CoDet
from twicetold.errors import KernelError

ROOT = Path(__file__).resolve().parents[1]


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
    documents = sharing_documents(80)
    detector = CoDet()
    statistics = pinned_by(detector, documents)
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

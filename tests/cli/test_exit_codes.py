"""Every way to end: its exit code, and one line that says why."""

import contextlib
import fcntl
import os
import resource
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import NEWS, PROGRAM, Done, process, twicetold, write_lines
from twicetold import cli, errors
from twicetold.cli import program, scan
from twicetold.cli.exits import EXIT_CODES, Terminated

STORY = "Inspectors found a crack in the harbour bridge."


def one_line(done: Done) -> str:
    (line,) = done.err.splitlines()
    assert line.startswith("twicetold: ")
    return line.removeprefix("twicetold: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "no such command 'nonsense'"),
        (["--nonsense"], "no such option"),
        (["scan"], "missing argument 'SOURCES...'; see `twicetold scan --help`"),
        (["scan", ".", "--nonsense"], "no such option"),
        (["scan", "nowhere"], "nowhere: no such file or folder"),
        (["scan", "*.nowhere"], "*.nowhere: the glob matches nothing"),
        (["scan", ".", "--threshold", "2"], "threshold must be a number from 0 to 1, got 2.0"),
        (["scan", ".", "--threshold", "x"], "'x' is not a number from 0 to 1"),
        (["scan", ".", "--depth", "x"], "'x' is not a whole number of at least 1 or none"),
        (
            ["scan", ".", "--method", "codet", "--depth", "0"],
            "depth must be a whole number of at least 1 or none",
        ),
        (["scan", ".", "--mode", "x"], "'x' is not one of 'set', 'bag'"),
        (["scan", ".", "--method", "x"], "invalid value for '--method': 'x' is not"),
        (["scan", ".", "--window", "7"], "a duration is numbers with the units"),
        (["scan", ".", "--floor", "2"], "floor must be from 0 to 1, got 2.0"),
        (["scan", ".", "--threads", "-1"], "threads must be 0 (all cores) or more, got -1"),
        (["scan", ".", "--max-key-documents", "0"], "max_key_documents must be at least 1"),
        (["scan", ".", "--profile", "x"], "'x' is not one of 'default', 'plain'"),
        (["scan", ".", "--encoding", "x"], "encoding must be one that Python knows"),
        (["scan", ".", "--format", "x"], "'x' is not one of 'txt', 'md'"),
        (["scan", ".", "--statistics", "nowhere"], "nowhere: cannot read statistics"),
        (["scan", ".", "--statistics", "wire.jsonl"], "wire.jsonl: not a statistics file"),
        (["scan", ".", "-o", "pairs.xlsx"], "pairs.xlsx: the suffix of an output must be .jsonl"),
        (["scan", ".", "-o", "pairs.parquet.gz"], "the suffix of an output must be .jsonl"),
        (["scan", ".", "-o", "nowhere/a.csv"], "nowhere/a.csv: there is no folder 'nowhere'"),
        (["scan", ".", "--manifest", "nowhere/a"], "nowhere/a: there is no folder 'nowhere'"),
        (["scan", ".", "--manifest", "radio"], "radio: cannot be written, it is not a file"),
        (["scan", "wire.jsonl", "-o", "wire.jsonl"], "wire.jsonl: is a source and would be"),
        (["statistics", "build", "."], "missing option '-o' / '--output'"),
        (["statistics", "build", "wire.jsonl", "-o", "wire.jsonl"], "is a source and would be"),
        (["statistics", "build", ".", "-o", "nowhere/a"], "there is no folder 'nowhere'"),
        (["statistics", "show", "nowhere"], "nowhere: cannot read statistics"),
        (["statistics", "show", "wire.jsonl"], "not a statistics file, or damaged; make one with"),
        (["statistics", "reference", "xx", "-o", "no/a"], "no/a: there is no folder 'no'"),
    ],
)
def test_what_cannot_be_used_is_code_2_and_one_line(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(NEWS)
    before = sorted(Path.cwd().rglob("*"))
    done = twicetold(*arguments)
    assert (done.code, done.out) == (2, "")
    assert message in one_line(done)
    assert sorted(Path.cwd().rglob("*")) == before


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["statistics"], ["--version"]])
def test_asking_what_there_is_is_no_error(arguments: list[str]) -> None:
    done = twicetold(*arguments)
    assert (done.code, done.err) == (0, "")
    assert done.out


CODES = {
    errors.ParameterError("x"): 2,
    errors.SourceError("x"): 2,
    errors.FormatError("x"): 2,
    errors.DocumentError("x"): 2,
    errors.StatisticsError("x"): 2,
    errors.IndexMismatchError("x"): 2,
    errors.IndexDamagedError("x"): 1,
    errors.IndexWriteError("x"): 1,
    errors.IndexLockedError("x"): 1,
    errors.MissingExtraError("x"): 1,
    errors.KernelError("x"): 1,
    errors.DeadlineError("x"): 1,
    MemoryError(): 1,
    OSError(28, "No space left on device"): 1,
    KeyboardInterrupt(): 130,
    Terminated(): 143,
}


@pytest.mark.parametrize(("error", "code"), CODES.items(), ids=repr)
def test_every_error_is_one_line_and_a_code(
    error: BaseException, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(scan, "scan", fail)
    done = twicetold("scan", NEWS)
    assert (done.code, done.out) == (code, "")
    assert one_line(done)


def test_every_class_of_error_has_its_code() -> None:
    assert {type(error).__name__ for error in CODES} >= {*errors.__all__} - {"TwicetoldError"}


def test_a_message_is_one_line_whatever_is_in_it() -> None:
    done = twicetold("scan", "no\nsuch\x1bfile")
    assert one_line(done).startswith("no\\nsuch\\x1bfile: no such file or folder")


def test_a_defect_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(scan, "scan", fail)
    with pytest.raises(ZeroDivisionError):
        twicetold("scan", NEWS)


def test_the_help_tells_the_codes() -> None:
    text = twicetold("--help").out
    for code, meaning in EXIT_CODES.items():
        assert f"{code}  {meaning}" in text


# The rest is seen from outside, as a shell sees it.


#: Writes documents for ever.
ENDLESS = """
import itertools
for n in itertools.count():
    print('{"id": "%d", "text": "%s"}' % (n, f"Word{n} and word{n + 1} meet. " * 40))
"""


@contextlib.contextmanager
def started(*arguments: object, **options: Any) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    ) as running:
        try:
            yield running
        finally:
            running.kill()


@pytest.mark.parametrize("after", [0.6, 1.5])
def test_ctrl_c_is_answered_however_much_is_left(after: float, tmp_path: Path) -> None:
    output = tmp_path / "pairs.jsonl"
    writer = [sys.executable, "-c", ENDLESS]
    with (
        subprocess.Popen(writer, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as endless,
        started("scan", "-", "--format", "jsonl", "-o", output, stdin=endless.stdout) as running,
    ):
        try:
            time.sleep(after)
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=60)
        finally:
            endless.kill()
    assert (running.returncode, out, err) == (130, "", "twicetold: interrupted\n")
    assert not list(tmp_path.iterdir())


#: Is interrupted while it imports its modules.
EARLY = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path, target=None):
        if name == "click":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from twicetold.cli import main
main()
"""


def test_ctrl_c_is_answered_before_anything_is_imported() -> None:
    command = [sys.executable, "-c", EARLY, "scan", str(NEWS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "twicetold: interrupted\n")


#: Is interrupted where an exception is lost: in a callback, while a module is imported.
LOST = """
import os, signal, sys, weakref

class Anything: pass

def lose(_):
    os.kill(os.getpid(), signal.SIGNAL)
    for _ in range(1000): pass

class Interrupting:
    def find_spec(self, name, path, target=None):
        if name == MODULE:
            found = Anything()
            held = weakref.ref(found, lose)
            del found

sys.meta_path.insert(0, Interrupting())
from twicetold.cli import main
main()
"""


@pytest.mark.parametrize(
    ("module", "number", "code"),
    [
        ("click", "SIGINT", 130),
        ("twicetold.cli.scan", "SIGINT", 130),
        ("twicetold.cli.scan", "SIGTERM", 143),
    ],
)
def test_a_signal_is_not_lost_where_an_exception_is_24(module: str, number: str, code: int) -> None:
    script = LOST.replace("MODULE", repr(module)).replace("SIGNAL", number)
    writer = [sys.executable, "-c", ENDLESS]
    command = [sys.executable, "-c", script, "scan", "-", "--format", "jsonl"]
    with subprocess.Popen(writer, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as endless:
        try:
            done = subprocess.run(
                command,
                stdin=endless.stdout,
                capture_output=True,
                text=True,
                check=False,
                timeout=60,
            )
        finally:
            endless.kill()
    words = "interrupted" if code == 130 else "ended by SIGTERM"
    assert (done.returncode, done.stdout, done.stderr) == (code, "", f"twicetold: {words}\n")


#: Gets a signal as soon as it has made the file that it writes to.
WRITING = """
import os, signal, sys

def hook(event, arguments):
    if event == "open" and str(arguments[0]).endswith(".partial"):
        os.kill(os.getpid(), signal.SIGTERM)

sys.addaudithook(hook)
from twicetold.cli import main
main()
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["scan", NEWS, "-o", "out.jsonl"],
        ["scan", NEWS, "--report", "out.html"],
        ["dedupe", NEWS, "-o", "out.jsonl"],
        ["statistics", "build", NEWS, "-o", "out.stats"],
    ],
    ids=lambda arguments: " ".join(map(str, [arguments[0], *arguments[-2:-1]])),
)
def test_sigterm_leaves_nothing_half_written_24(arguments: list[object], tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITING, *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60
    )
    assert (done.returncode, done.stderr) == (143, "twicetold: ended by SIGTERM\n")
    assert list(tmp_path.iterdir()) == []


def test_an_output_whose_links_lead_in_a_circle_is_refused_24(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").symlink_to("b.jsonl")
    (tmp_path / "b.jsonl").symlink_to("a.jsonl")
    for arguments in (["scan", NEWS, "-o"], ["dedupe", NEWS, "-o"]):
        done = twicetold(*arguments, tmp_path / "a.jsonl")
        assert (done.code, done.out) == (2, "")
        assert one_line(done) == (
            f"{tmp_path}/a.jsonl: cannot be written, its links lead in a circle; "
            "choose another name"
        )


def waiting(pipe: int) -> int:
    """Return how many bytes nobody has read yet."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def test_ctrl_c_while_waiting_for_standard_input_does_not_crash() -> None:
    reading, writing = os.pipe()
    try:
        os.write(writing, b'{"text": "One line, and no more for now."}\n')
        with started("scan", "-", stdin=reading) as running:
            while waiting(reading):
                time.sleep(0.01)
            time.sleep(0.2)
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=60)
    finally:
        os.close(reading)
        os.close(writing)
    assert (running.returncode, out, err) == (130, "", "twicetold: interrupted\n")


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    rows = [{"id": str(n), "text": STORY} for n in range(200)]
    path = write_lines(tmp_path / "a.jsonl", rows)
    with started("scan", path, "--all-pairs", "--json") as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline().startswith('{"left":')
        running.stdout.close()
        assert running.stderr.read() == ""
        assert running.wait(timeout=60) == 0


@pytest.mark.parametrize("options", [["--json"], ["--limit", "5"]])
def test_a_full_disk_behind_standard_output_is_one_line(options: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, "scan", str(NEWS), *options],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "twicetold: standard output: cannot write: No space left on device\n"


@pytest.mark.parametrize(
    "name", ["pairs.jsonl", "pairs.csv.gz", "pairs.jsonl.zst", "pairs.parquet"]
)
def test_a_full_disk_leaves_no_half_written_output(name: str, tmp_path: Path) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    path = tmp_path / name
    path.write_bytes(b"kept")
    done = process("scan", NEWS, "-o", path, "--no-manifest", preexec_fn=small_files)
    assert (done.code, done.out) == (1, "")
    assert one_line(done) == f"{path}: cannot write: File too large; nothing was written"
    assert path.read_bytes() == b"kept"
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_the_installed_program_is_this_one() -> None:
    from importlib.metadata import entry_points

    (entry,) = entry_points(group="console_scripts", name="twicetold")
    assert entry.load() is cli.main
    assert program.name == "program"


# Standard input, output and error that are closed


@pytest.mark.parametrize(
    ("closed", "code", "out", "err"),
    [
        (">&-", 1, "", "twicetold: standard output: cannot write: Bad file descriptor\n"),
        ("2>&-", 0, "all is well\n", ""),
        ("<&-", 0, "all is well\n", ""),
    ],
)
def test_what_is_closed_is_no_traceback_and_no_file_of_ours(
    closed: str, code: int, out: str, err: str, tmp_path: Path
) -> None:
    path = tmp_path / "index"
    assert twicetold("index", "create", path, "--method", "codet").code == 0
    command = "info" if closed == ">&-" else "check"
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *PROGRAM, "index", command, str(path)]
    done = subprocess.run(shell, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (code, out, err)
    assert twicetold("index", "check", path).out == "all is well\n"


def test_all_of_them_may_be_closed(tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    shell = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *PROGRAM, "scan", str(NEWS), "-q"]
    done = subprocess.run([*shell, "-o", str(out)], check=False, timeout=60)
    assert done.returncode == 0
    assert len(out.read_text("utf-8").splitlines()) > 9

"""A short run of the fuzzer of pages, and proof that it would notice."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from tests import fuzz_pages
from tests.fuzz import Wrong
from twicetold import _kernel


def test_mutated_pages_break_nothing_and_move_no_offset() -> None:
    # A process of its own: its threads have small stacks, and it would be what ends.
    command = [sys.executable, "-m", "tests.fuzz_pages", "--inputs", "2000", "--seed", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    found = dict(line.split(": ") for line in done.stdout.splitlines())
    assert int(found["pages"]) == 2_000
    assert int(found["nodes"]) > 2_000


def test_a_tag_with_any_number_of_attributes_is_read_on_a_small_stack() -> None:
    code = (
        "import os; os.environ['RUST_MIN_STACK'] = '131072'\n"
        "from twicetold import _kernel\n"
        "for part in ('a=\"b\" ', 'a=b ', 'a ', \"a='b'\"):\n"
        "    [page] = _kernel.read_pages(['<p ' + 300_000 * part + '>Oil'], threads=2)\n"
        "    assert page.text == 'Oil' and page.is_wild\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr)


def test_the_same_seed_makes_the_same_pages() -> None:
    one, other = random.Random(7), random.Random(7)
    assert [fuzz_pages.page(one) for _ in range(99)] == [fuzz_pages.page(other) for _ in range(99)]


class Fake:
    text = "One. Two."
    n_nodes = 2

    def __init__(self, *nodes: tuple[int, str, tuple[int, int], str, list[int]]) -> None:
        self.found = [(0, "heading", (0, 0), "html", []), *nodes]

    def nodes(self) -> list[tuple[int, str, tuple[int, int], str, list[int]]]:
        return self.found


WRONG = {
    "text left out": Fake((0, "body", (0, 4), "html/p", [])),
    "out of the text": Fake((0, "body", (0, 99), "html/p", [])),
    "overlapping": Fake((0, "body", (0, 6), "html/p", []), (0, "body", (5, 9), "html/p", [])),
    "under a node that comes later": Fake((5, "body", (0, 9), "html/p", [])),
    "an unknown role": Fake((0, "menu", (0, 9), "html/p", [])),
}


@pytest.mark.parametrize("name", WRONG)
def test_the_fuzzer_notices_a_wrong_tree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fuzz_pages.fault(Fake((0, "body", (0, 9), "html/p", []))) is None  # type: ignore[arg-type]
    assert fuzz_pages.fault(WRONG[name]) is not None  # type: ignore[arg-type]
    monkeypatch.setattr(_kernel, "read_pages", lambda pages, threads: [WRONG[name]])
    with pytest.raises(Wrong):
        fuzz_pages.fuzz(1, seed=1)

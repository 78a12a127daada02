"""Pairs as a table: it fits, it cuts ids in the middle, it is plain off a terminal."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from tests.reports.making import HOSTILE, SAMPLE, make, pair
from twicetold.records import RELATIONS, Pair
from twicetold.reports.printable import printable, shorten
from twicetold.reports.table import WORDS, percent, print_on_terminal, print_table
from twicetold.reports.words import found_lines

ids = st.text(st.characters(codec="utf-8"), max_size=60) | st.sampled_from(HOSTILE)


def shown(
    pairs: list[Pair], *, width: int = 80, terminal: bool = True, encoding: str = "utf-8"
) -> list[str]:
    """Return the lines of the table."""
    buffer = io.BytesIO()
    file = io.TextIOWrapper(buffer, encoding=encoding, errors="backslashreplace", newline="")
    if terminal:
        console = Console(file=file, width=width, force_terminal=True, color_system=None)
        print_on_terminal(make(pairs).best(100), console)
    else:
        print_table(make(pairs), file, limit=100)
    file.flush()
    return buffer.getvalue().decode(encoding).split("\n")[:-1]


@given(st.lists(st.tuples(ids, ids), min_size=1, max_size=4), st.integers(64, 160))
def test_a_pair_is_a_line_that_fits_the_terminal(names: list[tuple[str, str]], width: int) -> None:
    lines = shown([pair(*each) for each in names], width=width)
    assert len(lines) == len(names) + 2
    assert all(cell_len(line.rstrip()) <= width for line in lines)


@given(st.lists(st.tuples(ids, ids), min_size=1, max_size=4))
def test_off_a_terminal_ids_are_whole_and_lines_end_where_they_end(
    names: list[tuple[str, str]],
) -> None:
    lines = shown([pair(*each) for each in names], terminal=False)
    assert len(lines) == len(names) + 2
    text = "\n".join(lines)
    for left, right in names:
        assert printable(left).strip() in text
        assert printable(right).strip() in text
    assert all(line == line.rstrip() for line in lines)


def test_columns_stand_under_each_other_off_a_terminal_too() -> None:
    pairs = [pair("a", "大桥", 0.5), pair("大桥", "b")]
    assert [line.rstrip() for line in shown(pairs)] == shown(pairs, terminal=False)


def test_ids_are_cut_in_the_middle() -> None:
    (_, line, _) = shown([pair("gazette/quarry-fire.html", "gazette/quarry-fire-update.html")])
    assert "gazette/qu…fire.html" in line
    assert line.endswith("gazette/qu…date.html")


def test_a_short_id_leaves_the_other_more_room() -> None:
    (_, line, _) = shown([pair("a", "gazette/quarry-fire-update.html")])
    assert line.endswith("gazette/quarry-fire-update.html")


@pytest.mark.parametrize("relation", RELATIONS)
def test_every_relation_has_words_and_a_sign(relation: str) -> None:
    number = RELATIONS.index(relation)
    sign, plain, words = WORDS[RELATIONS[number]]
    (heading, line, legend) = shown([pair("a", "b", 0.5, 0.25, number)])
    assert heading.split() == ["score", "left", "→", "relation", "←", "right"]
    assert line.split() == ["50%", "a", "50%", sign, *words.split(), "25%", "b"]
    assert legend == "→ how much of left is in right, ← how much of right is in left"
    assert f"{plain} {words}" in shown([pair("a", "b", 0.5, 0.25, number)], encoding="ascii")[1]


def test_without_unicode_everything_is_ascii() -> None:
    for terminal in (True, False):
        for line in shown(SAMPLE, terminal=terminal, encoding="ascii"):
            assert line.isascii()


@given(st.floats(0, 3, allow_nan=False))
def test_only_what_is_everything_is_100_percent(share: float) -> None:
    assert (percent(share) == "0%") == (share == 0)
    if share >= 0.01:
        assert (int(percent(share)[:-1]) >= 100) == (share >= 1)


@given(st.text(), st.integers(1, 40))
def test_a_shortened_text_fits_and_keeps_its_ends(text: str, width: int) -> None:
    text = printable(text)
    short = shorten(text, width)
    assert cell_len(short) <= width
    if short != text:
        head, _, tail = short.partition("…")
        assert text.startswith(head)
        assert text.endswith(tail)


@given(st.text())
def test_what_is_printable_moves_no_cursor(text: str) -> None:
    assert printable(text).isprintable()
    if text.isprintable():
        assert printable(text) == text


def test_a_run_in_words() -> None:
    lines = found_lines(make([pair("a", "b"), pair("a", "c")]), bytes_read=2_500_000)
    assert lines == [
        "2 pairs: 2 contained",
        "7 documents, 20 sentences, 2.5 MB in 0.2 s (10.0 MB/s)",
    ]
    nothing = found_lines(make([]), bytes_read=0)
    assert nothing[0].startswith("no pairs: nothing reaches the threshold of 0.5; ")
    assert nothing[1] == "7 documents, 20 sentences in 0.2 s"

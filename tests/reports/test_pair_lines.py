"""Pairs as lines of JSON: what the kernel writes is, to the byte, what `Pair.to_json` says."""

from array import array
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold import _kernel
from twicetold.errors import ParameterError
from twicetold.pairs import Manifest, Pairs
from twicetold.passage_rows import PassageRows
from twicetold.records import RELATIONS, Pair, Passage, Span

TYPES = ("verbatim", "edited", "reordered", "quoted", "boilerplate")
ids = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
numbers = st.floats() | st.floats(0, 1)
places = st.integers(0, 2**32 - 1)
passages = st.tuples(st.tuples(*[places] * 4), numbers, st.integers(0, len(TYPES) - 1))
sides = st.sampled_from([None, "left", "right"])
rows = st.tuples(ids, ids, st.sampled_from(RELATIONS), *[numbers] * 4, sides)
probabilities = st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))


def lines_of(pairs: Pairs) -> bytes:
    return b"".join(
        orjson.dumps(pair.to_json(), option=orjson.OPT_APPEND_NEWLINE) for pair in pairs
    )


def passage_rows(found: list[list[tuple[tuple[int, ...], float, int]]]) -> PassageRows:
    ends, every = array("I"), [passage for row in found for passage in row]
    for row in found:
        ends.append((ends[-1] if ends else 0) + len(row))
    spans = array("I", [place for passage in every for place in passage[0]])
    scores = array("d", [passage[1] for passage in every])
    types = bytes(passage[2] for passage in every)
    return PassageRows(ends.tobytes(), spans.tobytes(), scores.tobytes(), types)


@given(
    st.lists(st.tuples(rows, numbers, numbers, st.lists(passages, max_size=3)), max_size=4),
    st.lists(probabilities, min_size=4, max_size=4) | st.just([None] * 4),
)
def test_lines_are_those_of_python(given_rows: list[Any], judged: list[Any]) -> None:
    scored = _kernel.ScoredPairs.of(
        [(*row, sure) for (row, *_), sure in zip(given_rows, judged, strict=False)]
    )
    shares = ([row[1] for row in given_rows], [row[2] for row in given_rows])
    found = passage_rows([row[3] for row in given_rows])
    for beside in ((None, None), (found, None), (None, shares), (found, shares)):
        pairs = Pairs(scored, Manifest(), *beside)
        assert b"".join(pairs.json_lines()) == lines_of(pairs)


def test_passages_made_by_hand_or_with_a_place_are_written_too() -> None:
    passage = Passage(Span(0, 1), Span(2, 3), 0.5, "edited")
    pair = Pair("a", "b", "overlap", 0.5, 0.25, 0.1, 1.0, None, None, (passage,))
    pairs = Pairs.of([pair], Manifest())
    assert b"".join(pairs.json_lines()) == lines_of(pairs)
    pairs.placed(lambda pair: pair.passages * 2)
    assert b"".join(pairs.json_lines()) == lines_of(pairs)
    assert lines_of(pairs).count(b"edited") == 2


@pytest.mark.parametrize(
    "beside",
    [
        {"content": [b"", b""]},
        {"passages": [b"", b"", b"", b""]},
        {"passages": [b"\1\0\0\0", b"", b"", b""]},
        {"passages": [b"\1\0\0\0", bytes(16), bytes(8), b"\5"]},
        {"passages": [b"\0", b"", b"", b""]},
    ],
)
def test_columns_of_other_lengths_are_refused(beside: dict[str, Any]) -> None:
    scored = _kernel.ScoredPairs.of([("a", "b", "overlap", 0.5, 0.5, 0.5, 1.0, None, None)])
    with pytest.raises(ParameterError, match="column"):
        _kernel.JsonLines(scored, **beside)
    assert _kernel.JsonLines(scored).some(1, 9) == b""

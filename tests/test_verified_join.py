"""Candidates, then verification, from Python: sketches of documents, joined on keys."""

from __future__ import annotations

import struct

import pytest

from tests.running import analysed
from twicetold import _kernel
from twicetold.batches import batch_of
from twicetold.errors import ParameterError
from twicetold.pipeline import Features, Keys, Verification
from twicetold.records import Document

_BITS = 64


def pack(numbers: list[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def features(sketches: list[int], document_ends: list[int] | None = None) -> Features:
    """Return units with one feature each, which weighs as much as a sketch has bits."""
    return Features.from_columns(
        pack(list(range(1, len(sketches) + 1))),
        pack(sketches),
        pack([_BITS << 32] * len(sketches)),
        b"",
        document_ends=pack(document_ends or []),
        sketch_width=1,
        sketches=pack(sketches),
    )


def keys(*units: list[int]) -> Keys:
    ends = [sum(map(len, units[: n + 1])) for n in range(len(units))]
    return Keys.from_columns(pack(ends), pack([key for unit in units for key in unit]))


def join(sketches: list[int]) -> _kernel.VerifiedJoin:
    names = [str(n) for n in range(len(sketches))]
    collection = _kernel.Collection()
    documents = [Document(id=name, text=name) for name in names]
    collection.add(batch_of(documents), analysed(names))
    return _kernel.VerifiedJoin(collection, features(sketches))


def found(joined: _kernel.Joined) -> list[tuple[int, int, float]]:
    n = len(joined)
    scores = _kernel.Scores.containment(joined)
    left, right, shared = (*joined.documents(), scores.column("shared"))
    assert scores.column("right_shared") == shared
    columns = (
        struct.unpack(f"<{n}{kind}", column)
        for kind, column in zip("IId", (left, right, shared), strict=True)
    )
    return list(zip(*columns, strict=True))


def test_units_and_sketches_come_back_as_they_were() -> None:
    made = features([3, 9, 27], [0, 2, 3])
    assert (made.n_units, made.n_documents) == (3, 3)
    ends, width, sketches = made.unit_columns()
    again = Features.from_columns(
        *made.columns(), document_ends=ends, sketch_width=width, sketches=sketches
    )
    assert again.columns() == made.columns()
    assert again.unit_columns() == made.unit_columns() == (pack([0, 2, 3]), 1, pack([3, 9, 27]))
    again.append(features([5], [0, 1]))
    assert again.unit_columns() == (pack([0, 2, 3, 3, 4]), 1, pack([3, 9, 27, 5]))


@pytest.mark.parametrize(
    ("document_ends", "sketches"), [([2], [1, 2, 3]), ([3, 2], [1, 2, 3]), ([], [1, 2])]
)
def test_units_that_do_not_fit_are_refused(document_ends: list[int], sketches: list[int]) -> None:
    with pytest.raises(ParameterError, match="every unit must have a sketch or none"):
        Features.from_columns(
            *features([1, 2, 3]).columns(),
            document_ends=pack(document_ends),
            sketch_width=1,
            sketches=pack(sketches),
        )


def test_keys_must_fit_the_units() -> None:
    with pytest.raises(ParameterError, match="keys of 1 units, but features of 2"):
        join([1, 2]).join_on(keys([1]), keys([1]))
    with pytest.raises(ParameterError, match="ends of keys must not decrease"):
        Keys.from_columns(pack([2, 1]), pack([5]))


def test_documents_that_share_a_key_are_checked() -> None:
    of = join([0b0001, 0b0011, 0b0111, 0b0001])
    of.join_on(keys([1], [1, 2], [1, 2]), keys([1], [1, 2], [1, 2]))
    pairs = of.run(Verification.hamming(distance=1), floor=0.0)
    # 3 repeats 0, which is told once; 0 and 2 differ in two bits.
    assert found(pairs) == [(0, 1, 63.0), (0, 3, 64.0), (1, 2, 63.0)]
    assert pairs.touched == 3
    assert of.n_groups == 3


def test_what_is_looked_up_may_be_other_keys_than_are_stored() -> None:
    of = join([0b0001, 0b0011, 0b0111])
    of.join_on(keys([1], [2], [3]), keys([2], [], []))
    assert found(of.run(Verification.hamming(distance=2), floor=0.0)) == [(0, 1, 63.0)]


def test_frequent_keys_of_documents_are_left_out_and_counted() -> None:
    of = join([0b0001, 0b0011, 0b0111])
    of.join_on(keys([1], [1, 2], [1, 2]), keys([1], [1, 2], [1, 2]))
    assert of.frequent_keys(2) == pack([1])
    assert of.frequent_keys(3) == b""
    of.leave_out(_kernel.KeySet(pack([1])))
    assert (of.features_left_out, of.documents_hidden) == (3, 1)
    assert found(of.run(Verification.hamming(distance=1), floor=0.0)) == [(1, 2, 63.0)]

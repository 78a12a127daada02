"""Figures of passages: plagdet by a slow oracle, the PAN format, and the call that does it all."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import reference_align
from tests.cli.calling import twicetold
from tests.evaluation import making
from tests.evaluation.making import DAM, write
from twicetold.errors import FormatError, SourceError
from twicetold.evaluation.aligning import HALVES, evaluate_alignment, half_of
from twicetold.evaluation.plagdet import Stretch, judge_passages
from twicetold.evaluation.sets.passages import CasePair, read_passages
from twicetold.records import Span

spans = st.tuples(st.integers(0, 20), st.integers(1, 9)).map(lambda at: Span(at[0], sum(at)))
stretches = st.lists(st.builds(Stretch, spans, spans), max_size=4)


@given(st.lists(st.tuples(stretches, stretches), max_size=4))
def test_figures_are_those_of_the_oracle(
    pairs: list[tuple[list[Stretch], list[Stretch]]],
) -> None:
    found = judge_passages(pairs)
    precision, recall, granularity, plagdet = reference_align.plagdet(pairs)
    assert found.precision == pytest.approx(precision)
    assert found.recall == pytest.approx(recall)
    assert found.granularity == pytest.approx(granularity)
    assert found.plagdet == pytest.approx(plagdet)
    assert found.pairs == len(pairs)
    assert found.unrelated_pairs == sum(not cases for cases, _ in pairs)


def test_two_pieces_of_a_passage_cost_granularity() -> None:
    case = Stretch(Span(0, 100), Span(0, 100))
    halves = [Stretch(Span(0, 50), Span(0, 50)), Stretch(Span(50, 100), Span(50, 100))]
    found = judge_passages([([case], halves)])
    assert (found.precision, found.recall, found.granularity) == (1, 1, 2)
    assert found.plagdet == pytest.approx(0.6309, abs=1e-4)


def test_the_pan_format_is_read(tmp_path: Path) -> None:
    found = read_passages(making.pan(tmp_path / "corpus"))
    assert found.name == "corpus"
    assert [document.id for document in found.documents] == ["d1.txt", "s1.txt", "s2.txt"]
    whole = Span(0, len(DAM))
    assert found.pairs == (
        CasePair("s2.txt", "d1.txt", "01-no-plagiarism", ()),
        CasePair("s1.txt", "d1.txt", "02-no-obfuscation", (Stretch(whole, whole),)),
    )


FEATURE = '<document><feature name="plagiarism" this_offset="0" this_length="{}"{} /></document>'


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ("<document>", "s1-d1.xml: is not XML"),
        (FEATURE.format(9, ""), "whole numbers source_offset and source_length"),
        (FEATURE.format("x", ""), "whole numbers this_offset and this_length"),
        (FEATURE.format(999, ' source_offset="0" source_length="9"'), "ends behind the text"),
    ],
)
def test_what_is_wrong_with_a_corpus_is_said(tmp_path: Path, xml: str, message: str) -> None:
    corpus = making.pan(tmp_path)
    write(corpus / "02-no-obfuscation" / "s1-d1.xml", xml)
    with pytest.raises(FormatError, match=message):
        read_passages(corpus)


def test_a_folder_without_pairs_is_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="has no folder with a file `pairs`"):
        read_passages(tmp_path)
    with pytest.raises(SourceError, match="there is no such folder"):
        read_passages(tmp_path / "nowhere")


def test_an_alignment_is_judged_by_part_and_half(tmp_path: Path) -> None:
    corpus = read_passages(making.pan(tmp_path))
    found = evaluate_alignment(corpus, language="en")
    assert found.entire.plagdet == found.parts["02-no-obfuscation"].plagdet == 1
    assert (found.entire.pairs, found.entire.cases, found.entire.false_alarms) == (2, 1, 0)
    assert set(found.halves) == set(HALVES)
    sizes = {half: sum(half_of(pair) == half for pair in corpus.pairs) for half in HALVES}
    assert {half: parts[""].pairs for half, parts in found.halves.items()} == sizes


def test_the_command_prints_figures_or_one_object(tmp_path: Path) -> None:
    corpus = making.pan(tmp_path / "corpus")
    done = twicetold("evaluate", "--task", "alignment", "--data", corpus, "--json")
    assert (done.code, done.err) == (0, "")
    found = json.loads(done.out)
    assert (found["task"], found["set"], found["plagdet"], found["recall"]) == (
        "alignment",
        "corpus",
        1,
        1,
    )
    assert found["parts"]["01-no-plagiarism"]["unrelated_pairs"] == 1
    lines = twicetold("evaluate", corpus, "--task", "alignment").out.splitlines()
    assert lines[0].startswith("corpus: 2 pairs, 1 passage, 3 documents, aligned in ")
    assert lines[6].split() == [
        "entire", "2", "1", "1", "1.000", "1.000", "1.000", "1.000", "0", "of", "1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--task", "alignment"), "give labelled data as PATH or with --data, got neither"),
        (("a", "--data", "b"), "give labelled data as PATH or with --data, got both"),
        (
            ("a", "--task", "alignment", "--method", "codet"),
            "--method has no meaning with --task alignment",
        ),
        (("a", "--task", "alignment", "--depth", 3), "--depth has no meaning with --task"),
    ],
)
def test_options_that_say_nothing_are_refused(arguments: tuple[object, ...], message: str) -> None:
    done = twicetold("evaluate", *arguments)
    assert done.code == 2
    assert message in done.err

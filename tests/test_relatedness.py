"""Words related by a table: which, how much, and how a detector takes them."""

from __future__ import annotations

import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from twicetold import Document, Statistics, explain, relatedness, scan
from twicetold.analysis import PROFILES
from twicetold.counting import build_statistics
from twicetold.detectors.fuzzy_set import FuzzySet
from twicetold.errors import MissingExtraError, ParameterError, StatisticsError
from twicetold.relatedness import Relating

PROFILE = PROFILES["fuzzy-set"]
TOLD = Document(id="told", text="The doctor bought an expensive automobile.", language="en")
RETOLD = Document(id="retold", text="A physician purchased a costly car.", language="en")


def table(*terms: str) -> Statistics:
    return Statistics.from_terms(PROFILE, 10, dict.fromkeys(terms, 1))


def test_words_of_one_meaning_are_related_and_others_are_not() -> None:
    words = ("car", "automobil", "doctor", "physician", "parliament", "2004", "2005")
    found = Relating().relate(table(*words))
    assert found.between("car", "automobil") > 0.5
    assert found.between("doctor", "physician") > 0.5
    assert found.between("car", "automobil") == found.between("automobil", "car")
    assert found.between("car", "parliament") == 0
    assert found.between("2004", "2005") == 0
    assert found.n_pairs == 2


def test_a_higher_floor_keeps_fewer_and_a_lower_one_no_more() -> None:
    statistics = table("car", "automobil", "vehicl", "truck", "road", "doctor", "hospit", "ill")
    sizes = [Relating(floor=floor).relate(statistics).n_pairs for floor in (0.01, 0.2, 0.5, 0.99)]
    assert sizes[0] == sizes[1] > sizes[2] > sizes[3] == 0
    assert Relating(floor=0.01).form == Relating().form != Relating(floor=0.5).form


def test_only_the_most_frequent_words_are_related(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relatedness, "MOST_WORDS", 2)
    statistics = Statistics.from_terms(PROFILE, 10, {"car": 3, "automobil": 2, "vehicl": 1})
    found = Relating().relate(statistics)
    assert (found.n_pairs, found.between("car", "automobil") > 0) == (1, True)


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relatedness, "MAX_PAIRS", 0)
    with pytest.raises(ParameterError, match="raise the floor"):
        Relating().relate(table("car", "automobil"))


def test_sentences_without_a_word_in_common_can_be_the_same() -> None:
    asked = {"method": "fuzzy-set", "permission": 0.5}
    assert list(scan([TOLD, RETOLD], **asked)) == []  # type: ignore[arg-type]
    (pair,) = scan([TOLD, RETOLD], relatedness="wordllama", **asked)  # type: ignore[arg-type]
    assert pair.relation == "near-duplicate"
    why = explain(TOLD, RETOLD, relatedness="wordllama", **asked)  # type: ignore[arg-type]
    linked = {(link.left, link.right) for link in why.evidence[0].words}
    assert {("doctor", "physician"), ("automobil", "car"), ("bought", "purchas")} <= linked


def test_it_is_pinned_with_statistics_and_asked_for_where_it_is_not(tmp_path: Path) -> None:
    detector = FuzzySet(relatedness="wordllama", permission=0.5)
    statistics = build_statistics([TOLD, RETOLD], method=detector)
    assert statistics.correlated == ("wordllama floor=0.2",)
    statistics.save(tmp_path / "words")
    pinned = scan([TOLD, RETOLD], method=detector, statistics=tmp_path / "words")
    assert pinned.table == scan([TOLD, RETOLD], method=detector).table
    without = build_statistics([TOLD, RETOLD], method="fuzzy-set")
    with pytest.raises(StatisticsError, match="--method fuzzy-set --relatedness wordllama`"):
        scan([TOLD], method=detector, statistics=without)


def test_threads_change_nothing() -> None:
    words = table("car", "automobil", "vehicl", "truck", "road", "doctor", "hospit", "physician")
    one, many = (Relating().relate(words, threads=n).columns() for n in (1, 4))
    assert one == many


@pytest.mark.parametrize("found", [None, ModuleSpec("wordllama", None)])
def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, found: ModuleSpec | None
) -> None:
    monkeypatch.setattr(relatedness, "find_spec", lambda _: found)
    with pytest.raises(
        MissingExtraError, match=r"pip install numpy safetensors tokenizers wordllama"
    ):
        Relating().relate(table("car"))


def test_its_readers_are_named_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(
        MissingExtraError, match=r"pip install numpy safetensors tokenizers wordllama"
    ):
        Relating().relate(table("car"))


def test_the_code_of_the_package_is_never_run() -> None:
    """It would configure logging for everybody, and look for its files on the network."""
    code = (
        "import sys; from twicetold import PROFILES, Statistics;"
        "from twicetold.relatedness import Relating;"
        "Relating().relate(Statistics.from_terms(PROFILES['fuzzy-set'], 1, {'car': 1}));"
        "assert 'wordllama' not in sys.modules; assert 'requests' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

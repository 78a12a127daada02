"""A value that makes no sense is told by name, with what is wanted and what was given."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

import pytest

from twicetold.analysis import PROFILES, Profile, profile_of
from twicetold.detectors.codet import CoDet
from twicetold.errors import ParameterError, StatisticsError
from twicetold.parameters import Parameter, check_parameters, parameter, parameters_of
from twicetold.pipeline import DETECTORS, ENGINES, Job, detector_class, engine_of
from twicetold.statistics import Statistics

CODET: list[tuple[dict[str, Any], str]] = [
    ({"threshold": 1.5}, "threshold must be a number from 0 to 1, got 1.5"),
    ({"threshold": -0.1}, "threshold must be a number from 0 to 1, got -0.1"),
    ({"threshold": math.nan}, "threshold must be a number from 0 to 1, got nan"),
    ({"threshold": "0.5"}, "threshold must be a number from 0 to 1, got '0.5'"),
    ({"threshold": True}, "threshold must be a number from 0 to 1, got True"),
    ({"threshold": None}, "threshold must be a number from 0 to 1, got None"),
    ({"comparison": "over"}, "comparison must be above or at-least, got 'over'"),
    ({"word_sorting": 1}, "word_sorting must be true or false, got 1"),
    ({"word_sorting": None}, "word_sorting must be true or false, got None"),
    ({"depth": 0}, "depth must be a whole number of at least 1 or none, got 0"),
    ({"depth": 2.0}, "depth must be a whole number of at least 1 or none, got 2.0"),
    ({"depth": True}, "depth must be a whole number of at least 1 or none, got True"),
    ({"suffixes": 0}, "suffixes must be a whole number of at least 1, got 0"),
    ({"suffixes": None}, "suffixes must be a whole number of at least 1, got None"),
    ({"mode": "list"}, "mode must be set or bag, got 'list'"),
    ({"mode": ["set"]}, "mode must be set or bag, got ['set']"),
    ({"min_depth": 0}, "min_depth must be a whole number of at least 1, got 0"),
    ({"min_depth": 6}, "min_depth must not exceed depth (5), got 6"),
    ({"min_words": 0}, "min_words must be a whole number of at least 1, got 0"),
    ({"idf": "bm25"}, "idf must be plus-one or plain or smooth, got 'bm25'"),
    ({"log_base": 0.5}, "log_base must be a number of at least 1.1, got 0.5"),
    ({"log_base": 1}, "log_base must be a number of at least 1.1, got 1"),
    ({"log_base": 1.0}, "log_base must be a number of at least 1.1, got 1.0"),
    ({"log_base": math.nan}, "log_base must be a number of at least 1.1, got nan"),
]

JOB: list[tuple[dict[str, Any], str]] = [
    ({"window": timedelta(seconds=-1)}, "window must not be negative, got -1 day, 23:59:59"),
    ({"floor": 1.1}, "floor must be from 0 to 1, got 1.1"),
    ({"floor": math.nan}, "floor must be from 0 to 1, got nan"),
    ({"max_key_documents": 0}, "max_key_documents must be at least 1, got 0"),
    ({"threads": -1}, "threads must be 0 (all cores) or more, got -1"),
    ({"threads": 50_000}, "threads must be at most 1024, got 50000"),
    ({"window": "7d"}, "window must be a timedelta such as timedelta(days=7), or None, got '7d'"),
    ({"floor": "low"}, "floor must be a number from 0 to 1, or None, got 'low'"),
    ({"threads": None}, "threads must be a whole number, got None"),
    ({"language": 5}, "language must be a code such as en, or None, got 5"),
    ({"language": "english"}, "language must be a code such as en or zh-Hant, got 'english'"),
]

PROFILE: list[tuple[dict[str, Any], str]] = [
    ({"stop_words": "remove"}, "stop_words must be drop or keep, got 'remove'"),
    ({"numbers": "maybe"}, "numbers must be keep or drop, got 'maybe'"),
    ({"stem": "porter"}, "stem must be none or first5 or snowball, got 'porter'"),
    ({"joiner": "glue"}, "joiner must be keep or split or delete, got 'glue'"),
    ({"min_length": 0}, "min_length must be at least 1, got 0"),
    ({"longest": 0}, "longest must be at least 1, got 0"),
]

NAMES: list[tuple[Any, str, str]] = [
    (detector_class, "cosine", f"no method 'cosine'; there are {', '.join(DETECTORS)}"),
    (engine_of, "flink", f"no engine 'flink'; there are {', '.join(ENGINES)}"),
    (profile_of, "news", f"no profile 'news'; there are {', '.join(PROFILES)}"),
]


def message(error: pytest.ExceptionInfo[Exception]) -> str:
    return str(error.value)


@pytest.mark.parametrize(("values", "expected"), CODET)
def test_codet_says_what_is_wrong(values: dict[str, Any], expected: str) -> None:
    with pytest.raises(ParameterError) as error:
        CoDet(**values)
    assert message(error) == expected


def test_the_messages_of_every_parameter_of_codet_are_tested() -> None:
    assert {name for values, _ in CODET for name in values} == {
        known.name for known in parameters_of(CoDet)
    }


@pytest.mark.parametrize(("values", "expected"), JOB)
def test_a_job_says_what_is_wrong(values: dict[str, Any], expected: str) -> None:
    with pytest.raises(ParameterError) as error:
        Job(detector=CoDet(), profile=PROFILES["codet"], **values)
    assert message(error) == expected


@pytest.mark.parametrize(("values", "expected"), PROFILE)
def test_a_profile_says_what_is_wrong(values: dict[str, Any], expected: str) -> None:
    with pytest.raises(ParameterError) as error:
        Profile(**values)
    assert message(error) == expected


def test_the_messages_of_every_choice_of_a_profile_are_tested() -> None:
    fields = {field.name for field in dataclasses.fields(Profile)}
    assert {name for values, _ in PROFILE for name in values} == fields


@pytest.mark.parametrize(("look_up", "name", "expected"), NAMES)
def test_an_unknown_name_is_told_with_those_there_are(
    look_up: Any, name: str, expected: str
) -> None:
    with pytest.raises(ParameterError) as error:
        look_up(name)
    assert message(error) == expected


@pytest.mark.parametrize("name", ["depth", "suffixes", "min_words"])
def test_more_than_any_sentence_has_is_no_error(name: str) -> None:
    values: dict[str, Any] = {name: 2**70}
    options: dict[str, Any] = dict(CoDet(**values).options())
    assert options[name] >= 2**31 - 1


def test_statistics_of_another_profile_are_refused() -> None:
    statistics = Statistics(PROFILES["plain"])
    with pytest.raises(StatisticsError) as error:
        Job(detector=CoDet(), profile=PROFILES["codet"], statistics=statistics)
    assert message(error) == (
        f"statistics were built with {PROFILES['plain']}, "
        f"this run analyses with {PROFILES['codet']}"
    )


@dataclass(frozen=True)
class Example:
    plain: int = 3
    low: int = parameter(1, "a low one", minimum=0)
    share: float | None = parameter(None, "a share", minimum=0, maximum=1)
    kind: Literal["a", "b"] = parameter("a", "a kind", decides_keys=False)


def test_a_field_without_help_is_no_parameter() -> None:
    assert [known.name for known in parameters_of(Example)] == ["low", "share", "kind"]


def test_a_declaration_is_all_there_is_to_know() -> None:
    low, share, kind = parameters_of(Example)
    assert low == Parameter("low", int, 1, "a low one", False, (), 0, None, True)
    assert share == Parameter("share", float, None, "a share", True, (), 0, 1, True)
    assert kind == Parameter("kind", str, "a", "a kind", False, ("a", "b"), None, None, False)


@pytest.mark.parametrize(
    ("index", "words"),
    [(0, "a whole number of at least 0"), (1, "a number from 0 to 1 or none"), (2, "a or b")],
)
def test_the_range_of_a_parameter_is_told_in_words(index: int, words: str) -> None:
    assert parameters_of(Example)[index].range == words


@pytest.mark.parametrize("values", [{}, {"share": 1}, {"share": 0.25}, {"low": 10**30}])
def test_values_that_make_sense_are_taken(values: dict[str, Any]) -> None:
    check_parameters(Example(**values))


@pytest.mark.parametrize("name", DETECTORS)
def test_every_parameter_of_every_detector_has_a_help_text_and_a_sensible_default(
    name: str,
) -> None:
    known = parameters_of(detector_class(name))
    cls: Any = detector_class(name)
    assert [each.name for each in known] == [field.name for field in dataclasses.fields(cls)]
    for each in known:
        assert each.help
        each.check(each.default)


def test_the_form_of_the_keys_holds_what_decides_them_and_nothing_else() -> None:
    form = CoDet().keys_form
    assert CoDet(threshold=0.9, comparison="at-least").keys_form == form
    changed: dict[str, Any] = {
        "word_sorting": False,
        "depth": 4,
        "suffixes": 2,
        "mode": "bag",
        "min_depth": 2,
        "min_words": 2,
        "idf": "plain",
        "log_base": 2.0,
    }
    assert set(changed) == {known.name for known in parameters_of(CoDet) if known.decides_keys}
    forms = {CoDet(**{name: value}).keys_form for name, value in changed.items()}
    assert len(forms | {form}) == len(changed) + 1

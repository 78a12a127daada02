"""Documents and features survive the way through Arrow."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.analysis import PROFILES, Analyser
from twicetold.detectors.codet import CoDet
from twicetold.detectors.word_overlap import WordOverlap
from twicetold.errors import ParameterError
from twicetold.records import Document
from twicetold.statistics import Statistics
from twicetold.tables import (
    documents_of_table,
    documents_table,
    features_of_table,
    features_table,
)

optional = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
documents = st.builds(
    Document,
    id=st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    text=st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    title=optional,
    url=optional,
    source=optional,
    published=st.none() | st.datetimes(timezones=st.just(UTC)),
    language=optional,
    html=optional,
)


@given(st.lists(documents, max_size=4))
def test_documents_come_back_as_they_were(given_documents: list[Document]) -> None:
    assert list(documents_of_table(documents_table(given_documents))) == given_documents


def test_a_time_of_another_zone_is_the_same_instant() -> None:
    document = Document(id="a", text="b", published=datetime(2026, 1, 2, tzinfo=UTC))
    (found,) = documents_of_table(documents_table([document]))
    assert found.published == document.published


@pytest.mark.parametrize("mode", ["set", "bag"])
@pytest.mark.parametrize("texts", [[], [""], ["", "One two. One two.", "", "Two three."]])
def test_features_come_back_as_they_were(texts: list[str], mode: str) -> None:
    profile = PROFILES["plain"]
    analysed = Analyser(profile).analyse(texts)
    statistics = Statistics(profile)
    statistics.add(analysed)
    features = CoDet(mode=mode).features(analysed, statistics)  # type: ignore[arg-type]
    table = features_table(features)
    again = features_of_table(table, len(texts))
    assert features_table(again) == table
    assert again.n_documents == features.n_documents
    ends, keys, weights, counts = features.columns()
    assert again.columns()[:3] == (ends, keys, weights)
    if table.num_rows and max(table.column("count").to_pylist()) > 1:
        assert again.columns()[3] == counts


def test_features_of_a_document_that_is_not_there_are_refused() -> None:
    profile = PROFILES["plain"]
    analysed = Analyser(profile).analyse(["One two."])
    statistics = Statistics(profile)
    statistics.add(analysed)
    table = features_table(CoDet().features(analysed, statistics))
    with pytest.raises(ParameterError, match="features of document 0, but there are only 0"):
        features_of_table(table, 0)


def test_features_of_sentences_have_no_table() -> None:
    profile = PROFILES["plain"]
    analysed = Analyser(profile).analyse(["One two three. Four five six."])
    statistics = Statistics(profile)
    statistics.add(analysed)
    with pytest.raises(ParameterError, match="features of sentences, or with sketches"):
        features_table(WordOverlap().features(analysed, statistics))

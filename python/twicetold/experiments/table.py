"""The table of experiments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple, cast

from twicetold.errors import ParameterError
from twicetold.experiments.frame import Outcome, Setting

__all__ = ["EXPERIMENTS", "Experiment", "experiment_of"]


class Experiment(NamedTuple):
    """Where an experiment is, as ``module:function``, what it asks, and its usual size."""

    where: str
    help: str
    documents: int

    def load(self) -> Callable[[Setting], Outcome]:
        """Import the function."""
        module, _, name = self.where.partition(":")
        return cast("Callable[[Setting], Outcome]", getattr(import_module(module), name))


_HERE = "twicetold.experiments"

#: Every experiment, by the name it has in our notes on the papers.
EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType(
    {
        "C-PSC": Experiment(
            f"{_HERE}.codet_parameters:suffixes",
            "do more suffixes of a sentence help CoDet?",
            5_000,
        ),
        "C-DT-on": Experiment(
            f"{_HERE}.codet_parameters:depth_sorted",
            "how many words of a sorted sentence does CoDet need?",
            5_000,
        ),
        "C-DT-off": Experiment(
            f"{_HERE}.codet_parameters:depth_unsorted",
            "and of a sentence in its own order?",
            5_000,
        ),
        "C-WS": Experiment(
            f"{_HERE}.codet_sorting:sorting",
            "how many comparisons does the sorting of words save?",
            5_000,
        ),
        "C-ETL": Experiment(
            f"{_HERE}.codet_parameters:thresholds",
            "what does CoDet's threshold trade, in both directions?",
            5_000,
        ),
        "C-cmp": Experiment(
            f"{_HERE}.codet_comparison:compare",
            "how do the methods of CoDet's table 1 compare, and ours?",
            5_000,
        ),
        "C-pool": Experiment(
            f"{_HERE}.codet_pool:pooling",
            "what do judges who err make of a pool of five methods?",
            5_000,
        ),
        "C-time": Experiment(
            f"{_HERE}.codet_scale:times",
            "how do time and memory of each method grow?",
            10_000,
        ),
        "C-scen": Experiment(
            f"{_HERE}.codet_scale:scenarios",
            "what do n equal documents cost, and n disjoint ones, made of one text of the data?",
            16_000,
        ),
        "C-win": Experiment(
            f"{_HERE}.codet_windows:windows",
            "what does a window of time keep, and what does it lose?",
            20_000,
        ),
        "Q-tab2": Experiment(
            f"{_HERE}.qsign_recall:table_2",
            "how much does qSign find, by overlap and radius, and how many candidates?",
            10_000,
        ),
        "Q-pred": Experiment(
            f"{_HERE}.qsign_recall:prediction",
            "which law predicts what qSign finds?",
            10_000,
        ),
        "Q-rho": Experiment(
            f"{_HERE}.qsign_radius:bound",
            "does a bound on false hits hold?",
            10_000,
        ),
        "Q-guar": Experiment(
            f"{_HERE}.qsign_radius:guarantee",
            "does the radius k·l miss nothing?",
            2_000,
        ),
        "Q-speed": Experiment(
            f"{_HERE}.qsign_speed:speed",
            "how much faster is qSign than the naive scan, and than the inverted index?",
            10_000,
        ),
        "Q-incr": Experiment(
            f"{_HERE}.qsign_stream:stream",
            "how does the time of a stream of sentences grow?",
            10_000,
        ),
        "Q-disk": Experiment(
            f"{_HERE}.qsign_disk:disk",
            "how do stream and search grow in an index on disk?",
            5_000,
        ),
        "Q-full": Experiment(
            f"{_HERE}.qsign_speed:full",
            "how much does adding save over computing anew?",
            10_000,
        ),
        "L-k": Experiment(
            f"{_HERE}.svm_features:terms",
            "how many terms of a sentence make a feature, and which similarity decides?",
            400,
        ),
        "L-cmp": Experiment(
            f"{_HERE}.svm_learning:compare",
            "how do sentence features compare with shingles and SpotSigs?",
            400,
        ),
        "L-learn": Experiment(
            f"{_HERE}.svm_learning:sizes",
            "how many labelled pairs are enough?",
            1_000,
        ),
        "Y-err": Experiment(
            f"{_HERE}.rare_gram_errors:errors",
            "how often does the key of three rare 4-grams err, by the number of sentences?",
            5_000,
        ),
        "Y-perm": Experiment(
            f"{_HERE}.fuzzy_thresholds:permission",
            "at which permission do the errors of fuzzy sets balance?",
            5_000,
        ),
        "Y-var": Experiment(
            f"{_HERE}.fuzzy_thresholds:variation",
            "and at which variation, of the pairs above?",
            5_000,
        ),
        "Y-2081": Experiment(
            f"{_HERE}.fuzzy_pairs:sentence_pairs",
            "how well are pairs of sentences told apart, by fuzzy sets and by learned weights?",
            5_000,
        ),
        "Y-cases": Experiment(
            f"{_HERE}.document_cases:cases",
            "which sentences of subsets, unrelated documents and revisions match?",
            2_000,
        ),
        "Y-odds": Experiment(
            f"{_HERE}.fuzzy_odds:odds",
            "what are the odds of documents that are alike, and of others?",
            2_000,
        ),
        "Y-html": Experiment(
            f"{_HERE}.page_pairs:versions",
            "which nodes of two web pages hold the same sentences?",
            2_000,
        ),
        "Y-corr": Experiment(
            f"{_HERE}.fuzzy_pairs:correlations",
            "within what should words come together, and from which correlation on?",
            2_000,
        ),
    }
)


def experiment_of(name: str) -> tuple[str, Experiment]:
    """Return an experiment and its name as it is written; small letters will do."""
    for known, experiment in EXPERIMENTS.items():
        if known.lower() == name.lower():
            return known, experiment
    msg = f"no experiment {name!r}; there are {', '.join(EXPERIMENTS)}"
    raise ParameterError(msg)

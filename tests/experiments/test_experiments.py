"""Every experiment of the table runs on a small collection and leaves a table, plots and a line."""

import csv
import json
import sys
from pathlib import Path

import pytest

from tests.cli.calling import twicetold
from tests.evaluation import making as labelled
from tests.experiments import making
from twicetold.errors import ParameterError
from twicetold.evaluation import evaluate_judged
from twicetold.experiments import (
    EXPERIMENTS,
    Figure,
    Outcome,
    Series,
    codet_comparison,
    codet_scale,
    run,
    save,
    svm_features,
    svm_learning,
)
from twicetold.experiments.judged_comparison import judged_conclusion
from twicetold.pipeline import Progress

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def news(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return making.write(tmp_path_factory.mktemp("experiments") / "news.jsonl")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return making.site(tmp_path_factory.mktemp("site"))


@pytest.fixture(autouse=True)
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codet_scale, "METHODS", ("codet", "imatch"))
    monkeypatch.setattr(codet_scale, "SIZES", 2)
    monkeypatch.setattr(codet_comparison, "RESAMPLES", 20)
    monkeypatch.setattr(svm_features, "TERMS", (2, 3))
    monkeypatch.setattr(svm_learning, "RATES", (0.1,))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_leaves_a_table_plots_and_a_conclusion(
    name: str, news: Path, pages: Path, tmp_path: Path
) -> None:
    told: list[Progress] = []
    outcome = run(
        name, pages if name == "Y-html" else news, documents=41, threads=1, progress=told.append
    )
    assert outcome.name == name
    assert outcome.rows
    assert all(len(row) == len(outcome.columns) for row in outcome.rows)
    for figure in outcome.figures:
        assert all(len(series.x) == len(series.y) for series in figure.series)
    assert outcome.conclusion
    assert "\n" not in outcome.conclusion
    assert (told[0].done, told[-1].done) == (0, told[-1].total)
    files, missing = save(outcome, tmp_path / "out", settings={"seed": 0})
    assert missing is None
    assert [file.name for file in files] == [
        f"{name}.{kind}" for kind in ("csv", "json", "png", "svg")
    ]
    with files[0].open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))
    assert tuple(rows[0]) == outcome.columns
    assert len(rows) == len(outcome.rows) + 1
    whole = json.loads(files[1].read_text("utf-8"))
    assert (whole["conclusion"], whole["settings"]) == (outcome.conclusion, {"seed": 0})
    assert files[2].read_bytes().startswith(PNG)
    assert all(figure.title in files[3].read_text("utf-8") for figure in outcome.figures)


def test_a_labelled_set_is_judged_by_its_labels(tmp_path: Path) -> None:
    outcome = run("C-ETL", labels=labelled.clough_stevenson(tmp_path / "answers"))
    assert "truth: answers, labelled pairs" in outcome.notes
    assert outcome.columns == (
        "threshold",
        *(f"{kind} {of}" for kind in ("unordered", "directed") for of in ("P", "R", "F1")),
    )
    assert outcome.rows[9] == (0.5, 1, 1, 1, 1, 1, 1)


def test_a_judged_collection_is_judged_by_both_questions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codet_comparison, "METHODS", ("codet", "retelling"))
    folder = labelled.judged(tmp_path / "dams")
    outcome = run("C-cmp", labels=folder)
    assert outcome.title.startswith("methods compared on dams: related and taken")
    codet, ours = (dict(zip(outcome.columns, row, strict=True)) for row in outcome.rows)
    assert (codet["method"], ours["method"]) == ("codet", "retelling")
    assert (codet["paper F1"], ours["paper F1"]) == (0.76, None)
    found = evaluate_judged(folder, bootstrap=0)
    for name, view in (("", found.related), ("taken ", found.taken)):
        figures = (view.fixed.precision, view.fixed.recall, view.fixed.f1, view.auc)
        assert figures == tuple(ours[f"{name}{figure}"] for figure in ("P", "R", "F1", "AUC"))
    assert outcome.conclusion == judged_conclusion(
        {
            method: evaluate_judged(folder, method=method, bootstrap=20)
            for method in ("codet", "retelling")
        }
    )
    assert "they stand for 4 contained, 1 contains, 1 overlap, 96 unrelated" in outcome.notes


def test_the_same_seed_gives_the_same_outcome(news: Path, tmp_path: Path) -> None:
    one, other = (run("C-DT-on", news, documents=40, seed=3, threads=n) for n in (1, 2))
    assert one == other
    for folder, outcome in (("one", one), ("other", other)):
        save(outcome, tmp_path / folder)
    for kind in ("csv", "png", "svg", "json"):
        files = [tmp_path / folder / f"C-DT-on.{kind}" for folder in ("one", "other")]
        assert files[0].read_bytes() == files[1].read_bytes()


def test_without_matplotlib_the_table_still_comes(
    news: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = twicetold(
        "experiment", "c-ws", "--data", news, "--documents", 20, "-o", tmp_path / "out"
    )
    assert done.code == 0
    assert done.err == "plots need matplotlib; run `pip install matplotlib`\n"
    assert "\nconclusion: " in done.out
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["C-WS.csv", "C-WS.json"]


def test_the_command_lists_runs_and_writes(news: Path, tmp_path: Path) -> None:
    listed = twicetold("experiment")
    assert [line.split()[0] for line in listed.out.splitlines()] == list(EXPERIMENTS)
    out = tmp_path / "out"
    done = twicetold("experiment", "C-win", "--data", news, "-o", out)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].startswith("C-win: ")
    assert lines[2].split("  ")[0] == "window"
    assert lines[-2].startswith("conclusion: ")
    assert lines[-1] == "written: " + ", ".join(
        str(out / f"C-win.{kind}") for kind in ("csv", "json", "png", "svg")
    )
    quiet = twicetold("experiment", "C-win", "--data", news, "-o", tmp_path / "quiet", "-q")
    assert quiet == (0, "", "")
    assert (tmp_path / "quiet" / "C-win.csv").is_file()


def test_what_makes_no_sense_is_refused(news: Path, tmp_path: Path) -> None:
    done = twicetold("experiment", "C-none", "--data", news)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "no experiment 'C-none'; there are C-PSC, " in done.err
    with pytest.raises(ParameterError, match="C-WS needs documents; name them with --data"):
        run("C-WS")
    with pytest.raises(ParameterError, match="documents must be at least 1, got 0"):
        run("C-WS", news, documents=0)
    with pytest.raises(
        ParameterError, match="this experiment needs documents; name them with --data"
    ):
        run("C-WS", labels=labelled.own(tmp_path))
    with pytest.raises(ParameterError, match="planting needs at least 16 documents"):
        run("C-ETL", news, documents=9)
    undated = tmp_path / "undated.jsonl"
    undated.write_text('{"id": "a", "text": "One."}\n{"id": "b", "text": "Two."}\n')
    with pytest.raises(ParameterError, match="C-win needs documents with times"):
        run("C-win", undated)


def test_series_with_gaps_and_nothing_at_all_can_be_drawn(tmp_path: Path) -> None:
    gaps = Series("gaps", ("a", "b"), (None, 0.5), ends=(None, (0.4, 0.7)))
    paper = Series("paper", ("b",), (1.0,), from_paper=True)
    bars = Figure("bars", "", "y", (gaps, paper), kind="bar")
    none = Figure(
        "none", "x", "y", (Series("zero", (1.0, 2.0), (0.0, None)),), log_x=True, log_y=True
    )
    outcome = Outcome("T", "test", ("a",), ((None,),), (bars, none), "none")
    files, _ = save(outcome, tmp_path)
    assert files[2].read_bytes().startswith(PNG)
    empty = Outcome("E", "test", ("a",), (), (), "none")
    assert [file.suffix for file in save(empty, tmp_path)[0]] == [".csv", ".json"]

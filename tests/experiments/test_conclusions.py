"""A conclusion follows from the numbers: other numbers, another conclusion."""

from pathlib import Path

import pytest

from tests.experiments import making
from tests.running import document
from twicetold.detectors.codet import CoDet
from twicetold.experiments.codet_comparison import PAPER, order_conclusion
from twicetold.experiments.codet_parameters import (
    depth_conclusion,
    suffix_conclusion,
    threshold_conclusion,
)
from twicetold.experiments.codet_pool import judge, pool_conclusion
from twicetold.experiments.codet_scale import scenario_conclusion, time_conclusion
from twicetold.experiments.codet_sorting import met_by, sorting_conclusion
from twicetold.experiments.codet_windows import Kept, largest_tree, window_conclusion
from twicetold.experiments.measured import measure


def test_suffixes_and_depth() -> None:
    nodes = [10, 20, 30, 40, 50]
    assert "hardly changes, as in the paper; 5 suffixes make the tree 5.0 times" in (
        suffix_conclusion([0.75, 0.76, 0.76, 0.75, 0.75], nodes)
    )
    assert "changes, unlike" in suffix_conclusion([0.75, 0.76, 0.86, 0.75, 0.75], nodes)
    flat = [0.7, 0.74, 0.75, 0.75, 0.76, *[0.75] * 6]
    assert depth_conclusion(flat, word_sorting=True) == (
        "best F1 0.760 at depth 5, 0.760 at the paper's 5; one word reaches 92% of the best: "
        "the paper's five is as good as any"
    )
    late = [*flat[:-1], 0.9]
    assert depth_conclusion(late, word_sorting=True).endswith("five is not the best here")
    assert "at depth all" in depth_conclusion(late, word_sorting=False)
    assert depth_conclusion(flat, word_sorting=False).endswith("too few, as in the paper")
    assert depth_conclusion([0.8] * 11, word_sorting=False).endswith("enough here")
    assert depth_conclusion([0.0] * 11, word_sorting=True) == "nothing was found at any depth"


def test_thresholds() -> None:
    peak = [0.1] * 7 + [0.7, 0.71, 0.72, 0.5] + [0.1] * 9
    assert threshold_conclusion(peak) == (
        "best F1 0.720 at 0.50, within 0.02 of it from 0.40 to 0.50; 0.720 at the default 0.5"
    )
    alone = [0.1] * 19 + [0.9]
    assert "0.900 at 1.00, and nowhere near it elsewhere; 0.100" in threshold_conclusion(alone)


def test_the_order_of_methods() -> None:
    as_printed = {method: row.f1 for method, row in PAPER.items()}
    assert order_conclusion(as_printed, {("codet", "dsc")}) == (
        "F1 in the order full-fingerprint > codet > imatch > simhash > dsc; 10 of 10 comparisons "
        "of methods come out as in the paper; none is beyond chance against it"
    )
    even = order_conclusion(dict.fromkeys(PAPER, 0.5), set())
    assert "full-fingerprint = codet = imatch = simhash = dsc; 0 of 10" in even
    turned = as_printed | {"dsc": 0.8}
    told = order_conclusion(turned, {("dsc", "codet"), ("dsc", "imatch")})
    assert "full-fingerprint > dsc > codet" in told
    assert "7 of 10" in told
    assert told.endswith("beyond chance against it: dsc over codet, dsc over imatch")


def test_sorting() -> None:
    assert "by 100.0 times: of the order of the paper" in sorting_conclusion(350.0, 3.5)
    assert "by 40.0 times: less than in the paper" in sorting_conclusion(140.0, 3.5)
    assert "by 10.0 times: less than in the paper" in sorting_conclusion(35.0, 3.5)
    assert "none sorted" in sorting_conclusion(35.0, 0.0)


def test_documents_met_are_those_that_share_a_first_word() -> None:
    texts = ["ant bee cow", "ant dog elk", "bee fox gnu", "ant hen ibis", "jay kea lark"]
    documents = [document(f"d{n}", text) for n, text in enumerate(texts)]
    # In their own order: d1 meets d0, d3 meets d0 and d1.
    assert met_by(documents, CoDet(word_sorting=False, depth=3)) == 3 / 5
    # The rarest first: "cow", "dog", "fox", "hen" and "jay" are all different.
    assert met_by(documents, CoDet()) == 0


def test_judges_who_err_agree_as_much_as_the_paper_says() -> None:
    truth = [n < 6080 for n in range(10_000)]
    sure = judge(truth, 0.0, seed=1)
    assert (sure.kappa, sure.conflicts, sure.wrong, sure.labels) == (1, 0, 0, tuple(truth))
    # 60.8% related, two judges who are right in 93.1% of the pairs: kappa 0.73.
    found = judge(truth, 0.0693, seed=1)
    assert found.kappa == pytest.approx(0.73, abs=0.02)
    assert found.conflicts == pytest.approx(1290, abs=100)
    # Both wrong, or one of them and the arbiter: 3e² - 2e³.
    assert found.wrong == pytest.approx(137, abs=40)
    assert judge(truth, 0.5, seed=1).kappa == pytest.approx(0, abs=0.03)
    assert judge([True] * 5, 0.0, seed=1).kappa is None


def test_pools() -> None:
    points = [(0.0, 1.0), (0.1, 0.46), (0.2, 0.2)]
    assert pool_conclusion(50, 0.5, points) == (
        "50 pairs judged, 50.0% related (paper: 60.8%); the paper's kappa of 0.73 is that of "
        "judges who err in 5.0% of them"
    )
    assert "no error tried" in pool_conclusion(50, 0.5, [(0.0, 0.5), (0.1, 0.4)])
    assert "not defined" in pool_conclusion(5, 1.0, [(0.0, None)])


def test_times() -> None:
    growth = {"full-fingerprint": 1.4, "codet": 1.0, "imatch": 1.0, "simhash": None}
    seconds = {"full-fingerprint": 9.0, "codet": 3.0, "imatch": 1.0, "simhash": 2.0}
    assert time_conclusion(growth, seconds) == (
        "faster than linear: full-fingerprint (1.40) (exponents above 1.15); of the paper's "
        "methods, fastest first: imatch, simhash, codet, full-fingerprint; before codet as in the "
        "paper: imatch, simhash; last as in the paper: yes"
    )
    told = time_conclusion({"codet": 1.0}, {"codet": 0.5, "imatch": 1.0})
    assert told.startswith("none grows faster than linear")
    assert told.endswith("before codet as in the paper: none; last as in the paper: no")


def test_scenarios() -> None:
    equal = [("equal", n, n / 100, 7, n, 7 * n * n) for n in (10, 20, 40)]
    disjoint = [("disjoint", n, n / 50, 7 * n, 1, 0) for n in (10, 20, 40)]
    assert scenario_conclusion({"equal": equal, "disjoint": disjoint}) == (
        "equal: time n^1.00, nodes n^0.00; disjoint: time n^1.00, nodes n^1.00; for equal "
        "documents the paper's tree would take n^2.00 additions, which collapsing them avoids"
    )


def test_windows() -> None:
    rows = [
        ("1 hour", 1, 10, 10, 2, 0.2),
        ("1 day", 5, 30, 50, 9, 0.9),
        ("all", 20, 100, 200, 10, 1.0),
    ]
    assert window_conclusion(rows).startswith(
        "a window of 1 day keeps 90% of the pairs with a tree of at most 30% of all nodes"
    )
    assert window_conclusion([rows[0], rows[2]]).startswith("no window keeps 90%")
    assert window_conclusion([("all", 1, 1, 1, 0, None)]) == "no pairs even without a window"


def test_the_largest_tree_is_that_of_the_fullest_window() -> None:
    times = [d.published for d in making.documents(6) if d.published]
    keys = [[1, 2], [2, 3], [3], [1, 4, 5], [5], [6]]
    for days in range(7):
        alive = [
            [keys[k] for k in range(n + 1) if (times[n] - times[k]).days <= days] for n in range(6)
        ]
        wanted = Kept(
            max(map(len, alive)),
            max(len(set().union(*each)) for each in alive),
            max(sum(map(len, each)) for each in alive),
        )
        assert (
            largest_tree(times, keys, (times[days % 6] - times[0]) if days < 6 else None) == wanted
        )


def test_a_scan_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    news = making.write(tmp_path / "news.jsonl", 20)
    assert measure(news, "codet", threads=1, limit=0.001) is None
    found = measure(news, "codet", threads=1, limit=60)
    assert found is not None
    assert found.pairs == 1
    assert found.peak > 10_000_000

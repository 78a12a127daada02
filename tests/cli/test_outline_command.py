"""``twicetold outline``, and what other commands say of web pages."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.calling import twicetold

PAGES = Path(__file__).parents[1] / "pages" / "news"
FIRST, SECOND = (str(PAGES / f"minister_{n}.html") for n in (1, 2))


def test_the_hierarchy_is_printed_line_by_line() -> None:
    done = twicetold("outline", FIRST)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].split()[:3] == ["0", "title", "27"]
    assert lines[0].endswith("Minister in Calder for knee surgery - The Daily Wire")
    assert "    Talks without her" in lines[9]
    assert all(len(line) <= 100 for line in lines)
    assert any("August: 41 ships" in line for line in lines)


def test_paths_and_json() -> None:
    assert "html/body/div/h2[1]" in twicetold("outline", FIRST, "--paths").out
    found = json.loads(twicetold("outline", FIRST, "--json").out)
    assert found["nodes"][5]["role"] == "heading"
    assert found["nodes"][8]["sentences"][0]["span"][0] == found["nodes"][8]["span"][0]


def test_a_page_without_text_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<script>x</script>")
    done = twicetold("outline", str(tmp_path / "a.html"))
    assert done.code != 0
    assert "no document can be read: 1 empty text" in done.err


def test_compare_prints_trees_and_places() -> None:
    done = twicetold("compare", FIRST, SECOND, "--json", "--order", "thesis")
    found = json.loads(done.out)
    assert found["passages"][0]["left_place"]["path"].startswith("html/body")
    trees = found["documents"][0]["trees"]
    assert trees["order"] == "thesis"
    assert trees["links"]


def test_scan_writes_the_places_of_passages(tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    done = twicetold("scan", FIRST, SECOND, "--method", "word-overlap", "--passages", "-o", out)
    assert done.code == 0
    [pair] = [json.loads(line) for line in out.read_text().splitlines()]
    assert pair["passages"]
    for passage in pair["passages"]:
        assert passage["left_place"]["role"] in (
            "body",
            "heading",
            "quote",
            "list",
            "caption",
            "table",
        )
        assert passage["right_place"]["path"].startswith("html/body")

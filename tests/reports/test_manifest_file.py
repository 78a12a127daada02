"""The manifest as a file is the manifest."""

import json
from pathlib import Path

from twicetold.pairs import Manifest
from twicetold.records import Problem
from twicetold.reports.manifest import write_manifest


def test_a_manifest_is_written_as_it_is(tmp_path: Path) -> None:
    manifest = Manifest(
        versions={"twicetold": "1.2.3"},
        parameters={"method": "codet", "depth": None},
        counts={"documents": 3},
        problems={"bad json": 1},
        examples=[Problem("köprü.jsonl", 7, "bad json", "not JSON")],
        seconds={"analyse": 0.123456},
    )
    path = tmp_path / "run.json"
    write_manifest(manifest, path)
    text = path.read_text("utf-8")
    assert json.loads(text) == manifest.to_json()
    assert "köprü.jsonl:7: not JSON" in text
    assert text.endswith("}\n")

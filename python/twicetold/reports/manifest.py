"""The manifest of a run as a file: what was run on what, and what came of it."""

from __future__ import annotations

import json
from pathlib import Path

from twicetold.pairs import Manifest
from twicetold.reports.files import replacing

__all__ = ["write_manifest"]


def write_manifest(manifest: Manifest, path: str | Path, /) -> None:
    """Write a manifest as JSON for people and programs to read."""
    content = json.dumps(manifest.to_json(), ensure_ascii=False, indent=2)
    with replacing(path, wait=False) as file:
        file.write(f"{content}\n".encode())

"""What the repository holds, and what it must never hold."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

LARGEST = 200 * 1000

#: Names that belong to a machine or to a package index; no file but this one may hold them.
FORBIDDEN = {
    "a path of somebody's machine": r"(?<![\w.])/(?:root|work|home/\w+|Users/\w+)/",
    "an address of a package index": (
        r"pypi\.(?:org|python)|pythonhosted|"
        r"index[.-]crates|static\.crates|(?:registry|npm)\.(?:npm|yarn)|"
        r"/(?:simple|artifactory|nexus)/|index[_-]url\s*="
    ),
}

FORBIDDEN_FILES = {"uv.lock", "pylock.toml", "poetry.lock", ".env", "pip.conf"}
BINARY = {".so", ".pyd", ".pyc", ".dll", ".dylib", ".whl", ".zip", ".gz", ".zst", ".parquet"}

#: Examples write files where they run: nothing else may be at the root.
ROOT_FILES = {
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "Makefile",
    "README.md",
    "pyproject.toml",
    "rustfmt.toml",
}

TEXT = {".json", ".md", ".py", ".pyi", ".rs", ".toml"}

CRATES = "registry+https://github.com/rust-lang/crates.io-index"


def git(*arguments: str) -> list[str]:
    """Ask git for a list of files; skip where there is no repository, as in a source archive."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a git repository")
    done = subprocess.run(
        ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True
    )
    return [name for name in done.stdout.split("\0") if name]


def kept_files() -> list[Path]:
    """Return the files that are tracked, or would be with `git add .`, and are there."""
    names = git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return [path for name in names if (path := ROOT / name).is_file()]


def test_no_file_is_large() -> None:
    large = {path: size for path in kept_files() if (size := path.stat().st_size) > LARGEST}
    assert not large


def test_the_root_holds_what_it_should() -> None:
    assert {path.name for path in kept_files() if path.parent == ROOT} == ROOT_FILES


def test_nothing_built_downloaded_or_locked_is_kept() -> None:
    wrong = [
        path
        for path in kept_files()
        if path.name in FORBIDDEN_FILES or path.suffix.lower() in BINARY
    ]
    assert not wrong


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_names(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what])
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in kept_files()
        if path != Path(__file__)
        if (match := pattern.search(path.read_bytes().decode("utf-8", "replace")))
    ]
    assert not found


def test_every_source_ends_with_one_line_break() -> None:
    wrong = []
    for path in kept_files():
        content = path.read_bytes() if path.suffix in TEXT else b""
        if content and (not content.endswith(b"\n") or content.endswith(b"\n\n")):
            wrong.append(path)
    assert not wrong


def test_the_licence_is_apache_2() -> None:
    licence = (ROOT / "LICENSE").read_text("utf-8")
    assert "Apache License" in licence
    assert "Version 2.0, January 2004" in licence
    for name in ("pyproject.toml", "Cargo.toml"):
        assert 'license = "Apache-2.0"' in (ROOT / name).read_text("utf-8")


def test_crates_come_from_the_public_index() -> None:
    lock = (ROOT / "Cargo.lock").read_text("utf-8")
    assert set(re.findall(r'^source = "(.*)"$', lock, re.MULTILINE)) == {CRATES}


def test_every_verb_is_in_the_help() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None
    verbs = set(phony[1].split())
    targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE))
    done = subprocess.run(
        ["make", "-C", str(ROOT), "--no-print-directory", "help"],
        capture_output=True,
        text=True,
        check=True,
    )
    shown = set(re.findall(r"^  make ([a-z-]+) ", done.stdout, re.MULTILINE))
    assert verbs == targets == shown


def test_continuous_integration_runs_the_verb_of_the_makefile() -> None:
    script = ROOT / ".ci" / "run"
    assert script.read_text("utf-8").rstrip().endswith("exec make test")
    assert script.stat().st_mode & 0o111


def test_versions_agree() -> None:
    lock = (ROOT / "Cargo.lock").read_text("utf-8")
    workspace = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    assert workspace is not None
    own = re.findall(r'^name = "twicetold-\w+"\nversion = "(.*)"$', lock, re.MULTILINE)
    assert own == [workspace[1]] * 2

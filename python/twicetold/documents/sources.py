"""Sources to files: a file, a folder with everything below it, a glob, ``-`` for standard input.

Nothing is collected: a folder of ten million files is walked, once to add up the sizes and to
complain at once about what is not there, and once to read.
"""
# ruff: noqa: PTH116, PTH118, PTH207, PTH208 - paths stay strings, as they were given

from __future__ import annotations

import errno
import glob
import os
import stat
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from twicetold.errors import SourceError

from .formats import FORMATS, Format, suffix_of, unknown
from .input import printable

__all__ = ["GONE", "STDIN", "Found", "find_files", "key_of"]

STDIN = "-"
GONE = "it is gone"
#: A source that is longer is shown to here.
_LONG, _SEEN = 255, 60


class Found(NamedTuple):
    """A file of a source.

    ``name`` is what ids and problems call it, ``label`` what the ids of records without one start
    with. ``format`` is ``None`` for a pipe that has to be sniffed, and for a file to be left out.
    ``trouble`` says why the file cannot be opened. ``key`` is the same for the same file.
    """

    path: str
    name: str
    label: str
    format: Format | None = None
    is_pipe: bool = False
    size: int = 0
    key: str = ""
    trouble: str | None = None
    #: Device and number: the same also for hard links; None if it cannot be told.
    which: tuple[int, int] | None = None


def find_files(
    sources: Sequence[str],
    *,
    format: Format | None,  # noqa: A002
    again: bool = False,
) -> Iterator[Found]:
    """Yield the files of the sources in order; ``format``, if given, is that of every file.

    Raise `SourceError` for a source that holds nothing, `FormatError` for a file named outright
    whose format is not known; ``again``: it was there, so that it is gone is a trouble like others.
    """
    for source in sources:
        try:
            yield from _something(source, format, alone=len(sources) == 1)
        except SourceError:
            if not again:
                raise
            name = shown(source)
            yield Found(path=source, name=name, label=name, key=name, trouble=GONE)


def _something(source: str, wanted: Format | None, *, alone: bool) -> Iterator[Found]:
    """Yield the files of a source, and insist that one of them can be read."""
    holds = False
    for found in _find(source, wanted, alone=alone):
        holds = holds or bool(found.format or found.is_pipe or found.trouble)
        yield found
    if not holds:
        msg = f"{printable(source)}: no file here has a known format: {', '.join(FORMATS)}"
        raise SourceError(msg)


def _find(source: str, wanted: Format | None, *, alone: bool) -> Iterator[Found]:
    if source == STDIN:
        yield Found(path=STDIN, name="stdin", label="stdin", format=wanted, is_pipe=True, key=STDIN)
        return
    try:
        info = os.stat(source)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        yield from _matching(source, wanted)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            yield from _matching(source, wanted)
        else:
            yield _unreadable(source, source, error)
    else:
        if stat.S_ISDIR(info.st_mode):
            yield from _inside(source, wanted, prefix="" if alone else source.rstrip("/" + os.sep))
            return
        name = shown(source)
        label = name.rpartition("/")[2] if alone else name
        found = _file(source, info, wanted, name=name, label=label, outright=True)
        if not (found.format or found.is_pipe or found.trouble):
            raise unknown(printable(source), suffix_of(source).name)
        yield found


def _inside(folder: str, wanted: Format | None, prefix: str) -> Iterator[Found]:
    for path, inner, info in _walk(folder):
        name = shown(f"{prefix}/{inner}" if prefix and inner else inner or folder)
        yield _entry(path, name, info, wanted)


def _matching(pattern: str, wanted: Format | None) -> Iterator[Found]:
    """Yield the files a glob matches, and those inside the folders it matches."""
    paths = _glob(pattern) if glob.has_magic(pattern) and "\0" not in pattern else iter(())
    empty = True
    for match in paths:
        empty = False
        for path, _, info in _walk(match):
            yield _entry(path, shown(path), info, wanted)
    if empty:
        what = "the glob matches nothing" if glob.has_magic(pattern) else "no such file or folder"
        if len(pattern) > _LONG or "\n" in pattern:
            what = "no such file or folder; a text goes into a list, or into a Document"
        msg = f"{_named(pattern)}: {what}"
        raise SourceError(msg)


def _named(source: str) -> str:
    """Return a source as a message names it: nobody reads all of a text that was taken for one."""
    name = printable(source) or repr(source)
    return name if len(name) <= _LONG else f"{name[:_SEEN]}..."


def _glob(pattern: str) -> Iterator[str]:
    parts = pattern.split("/")
    if "**" not in parts:
        yield from sorted(glob.glob(pattern))
        return
    # The standard library follows links round and round; our walk does not.
    plain = next(n for n, part in enumerate(parts) if glob.has_magic(part))
    base = "/".join(parts[:plain]) or ("/" if pattern.startswith("/") else "")
    for path, inner, _ in _walk(base or "."):
        if inner and _matches(inner.split("/"), parts[plain:]):
            yield path if base else path.removeprefix("./")


def _matches(names: list[str], parts: list[str]) -> bool:
    if not parts or not names:
        return not names and all(part == "**" for part in parts)
    if parts[0] == "**":
        return _matches(names, parts[1:]) or _matches(names[1:], parts)
    return fnmatchcase(names[0], parts[0]) and _matches(names[1:], parts[1:])


def _walk(top: str) -> Iterator[tuple[str, str, os.stat_result | OSError]]:
    """Yield what is below a folder, in the order of names, or the file itself, with its status.

    Hidden files and folders are left out. Links are followed, but no folder is entered twice.
    """
    entered: set[tuple[int, int]] = set()
    levels: list[tuple[str, str, Iterator[str]]] = []
    path, inner = top, ""
    while True:
        try:
            info = os.stat(path)
            if not stat.S_ISDIR(info.st_mode):
                yield path, inner, info
            elif (info.st_dev, info.st_ino) not in entered:
                entered.add((info.st_dev, info.st_ino))
                names = sorted(name for name in os.listdir(path) if not name.startswith("."))
                levels.append((path, inner, iter(names)))
        except OSError as error:
            yield path, inner, error
        while levels:
            folder, above, rest = levels[-1]
            if name := next(rest, ""):
                path = os.path.join(folder, name)
                inner = f"{above}/{name}" if above else name
                break
            levels.pop()
        else:
            return


def _entry(path: str, name: str, info: os.stat_result | OSError, wanted: Format | None) -> Found:
    """Describe a file that was not named outright."""
    if isinstance(info, OSError):
        kind = wanted or suffix_of(path).format
        if kind is None and info.errno in (errno.ENOENT, errno.ELOOP):  # a link to nowhere
            return Found(path=path, name=name, label=name, key=shown(path))
        return _unreadable(path, name, info)
    return _file(path, info, wanted, name=name, label=name, outright=False)


def _file(
    path: str,
    info: os.stat_result,
    wanted: Format | None,
    *,
    name: str,
    label: str,
    outright: bool,
) -> Found:
    kind = wanted or suffix_of(path).format
    size, is_pipe, trouble = info.st_size, False, None
    if not stat.S_ISREG(info.st_mode):
        size = 0
        is_pipe = outright and (stat.S_ISFIFO(info.st_mode) or stat.S_ISCHR(info.st_mode))
        if not is_pipe and (kind or outright):
            trouble = "is not a regular file"
    return Found(
        path=path,
        name=name,
        label=label,
        format=kind,
        is_pipe=is_pipe,
        size=size,
        key=_key(path, info),
        trouble=trouble,
        which=(info.st_dev, info.st_ino),
    )


def _key(path: str, info: os.stat_result) -> str:
    # A hard link is a name of its own for a copy; a symbolic link is another name for a file.
    return f"{info.st_dev}:{info.st_ino}" if info.st_nlink == 1 else shown(os.path.realpath(path))


def key_of(path: str) -> str | None:
    """Return what is the same for the same file; None if there is none."""
    try:
        return _key(path, os.stat(path))
    except (OSError, ValueError):
        return None


def _unreadable(path: str, name: str, error: OSError) -> Found:
    trouble = error.strerror or str(error)
    return Found(path=path, name=name, label=name, key=shown(path), trouble=trouble)


def shown(path: str) -> str:
    r"""Return a path as text: with forward slashes, and without what is not Unicode.

    >>> shown(os.fsdecode(b"caf\xe9/1.txt"))
    'caf\\xe9/1.txt'
    """
    return os.fsencode(path).decode("utf-8", "backslashreplace").replace(os.sep, "/")

"""Every error Twicetold raises, as one tree of classes to catch.

::

    TwicetoldError
    ├── ParameterError (ValueError)     a value outside its range, an unknown name
    ├── SourceError (OSError)           a file, folder or stream that cannot be read or written
    │   ├── FormatError                 it can be read, but is not what its name says
    │   └── IndexWriteError             a file of an index that cannot be written: the disk is full
    ├── DocumentError                   one document is bad, and `strict` was asked for
    ├── StatisticsError                 a statistics file that cannot serve here
    ├── IndexMismatchError              an index of another kind than is asked for
    ├── IndexDamagedError               an index with a file that is not what was written
    ├── IndexLockedError                an index that somebody else writes to
    ├── DeadlineError                   work that was not done within its deadline
    ├── MissingExtraError (ImportError) an optional package is not installed
    └── KernelError (RuntimeError)      a defect of Twicetold itself, never of the input

A message says what was given, what is wanted and what to do, in lower case and in one line.
"""

from __future__ import annotations

__all__ = [
    "DeadlineError",
    "DocumentError",
    "FormatError",
    "IndexDamagedError",
    "IndexLockedError",
    "IndexMismatchError",
    "IndexWriteError",
    "KernelError",
    "MissingExtraError",
    "ParameterError",
    "SourceError",
    "StatisticsError",
    "TwicetoldError",
]


class TwicetoldError(Exception):
    """The root: catch it to catch everything Twicetold raises on purpose."""


class ParameterError(TwicetoldError, ValueError):
    """A parameter has a value that makes no sense, or a name nobody knows."""


class SourceError(TwicetoldError, OSError):
    """A file, folder or stream cannot be read or written."""


class FormatError(SourceError):
    """A file can be read, but its content is not what its name or option says."""


class IndexWriteError(SourceError):
    """A file of an index cannot be written: the disk is full; what was added before is safe."""


class DocumentError(TwicetoldError):
    """A document cannot be used, and the caller asked to stop at the first such document."""


class StatisticsError(TwicetoldError):
    """A statistics file cannot serve: another version, another profile, or damaged."""


class IndexMismatchError(TwicetoldError):
    """An index has another version, method or statistics than is asked for."""


class IndexDamagedError(TwicetoldError):
    """A file of an index is missing, or not what was written; the message names it."""


class IndexLockedError(TwicetoldError):
    """Another process writes to the index."""


class DeadlineError(TwicetoldError):
    """Work was not done within the deadline that was given; nothing of it was kept."""


class MissingExtraError(TwicetoldError, ImportError):
    """An optional package is needed; the message says which to install."""


class KernelError(TwicetoldError, RuntimeError):
    """The kernel failed where no input should make it fail: please report it."""

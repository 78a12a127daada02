"""The dotplot of a comparison as PNG, SVG or PDF, with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twicetold.comparing import Comparison, Dot, Part, dotplot
from twicetold.comparing.dotplots import thinned
from twicetold.errors import ParameterError
from twicetold.extras import missing_extra
from twicetold.html.trees import positions
from twicetold.reports.comparison_words import dotplot_line
from twicetold.reports.files import replacing
from twicetold.reports.printable import printable, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["check_dotplot", "write_dotplot"]

#: The formats, each with what keeps the same dots at the same bytes.
_FORMATS: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
_DPI, _WIDTH, _HEIGHT = 150, 6.4, 5.6
#: More dots are drawn as one picture inside an SVG or PDF.
_MANY, _MOST = 5_000, 1_000_000
_TITLE = 60


def check_dotplot(path: str | Path, /) -> None:
    """Raise an error unless a dotplot can be drawn into a file of that name."""
    if Path(path).suffix.lower() not in _FORMATS:
        msg = f"{path}: the suffix of a dotplot must be {' or '.join(_FORMATS)}"
        raise ParameterError(msg)
    try:
        import matplotlib  # noqa: F401, ICN001 - only whether it is there
    except ImportError as error:
        raise missing_extra(need="a dotplot as a file needs matplotlib", extra="plots") from error


def write_dotplot(found: Comparison, path: str | Path, /) -> None:
    """Draw the dotplot, one below the other where there are several documents on the right."""
    check_dotplot(path)
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    suffix = Path(path).suffix.lower()
    # Text stays text in the SVG, and the same dots give the same bytes.
    style = {"font.size": 10, "svg.fonttype": "none", "svg.hashsalt": "dotplot"}
    with mpl.rc_context(style):
        n = len(found.parts)
        canvas = Figure(figsize=(_WIDTH, _HEIGHT * n), dpi=_DPI, layout="constrained")
        FigureCanvasAgg(canvas)
        for part, axes in zip(found.parts, canvas.subplots(n, 1, squeeze=False)[:, 0], strict=True):
            _draw(found, part, axes)
        with replacing(path) as file:
            canvas.savefig(file, format=suffix[1:], metadata=_FORMATS[suffix])


def _ordered(found: Comparison, part: Part) -> Sequence[Dot]:
    """Return the dots in the order asked for; of what is no page there is only one."""
    left, right = found.left.hierarchy, part.right.hierarchy
    if found.order == "document" or left is None or right is None:
        return part.dots
    here, there = positions(left, found.order), positions(right, found.order)
    return sorted(Dot(here[dot.left], there[dot.right], dot.score) for dot in part.dots)


def _draw(found: Comparison, part: Part, axes: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    n_left, n_right = len(found.left.sentences), len(part.right.sentences)
    same = found.left.document.text == part.right.document.text
    ordered = _ordered(found, part)
    plot = dotplot(ordered, n_left, n_right, same=same)
    dots = thinned(ordered, n_left, n_right, _MOST)
    size = min(max(180 / max(n_left, n_right, 1), 1.2), 12)
    axes.scatter(
        [dot.left + 1 for dot in dots],
        [dot.right + 1 for dot in dots],
        s=size**2,
        c=[dot.score for dot in dots],
        cmap="viridis_r",
        vmin=0,
        vmax=1,
        marker="s",
        linewidths=0,
        rasterized=len(dots) > _MANY,
    )
    axes.set_xlim(0.5, max(n_left, 1) + 0.5)
    axes.set_ylim(max(n_right, 1) + 0.5, 0.5)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(_name(found.left.document.id))
    axes.set_ylabel(_name(part.right.document.id))
    axes.set_title(dotplot_line(plot).replace("; ", "\n", 1), fontsize=9)
    axes.grid(visible=True, color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


def _name(text: str) -> str:
    """Return an id as a label; a dollar sign would begin a formula."""
    return shorten(printable(text), _TITLE).replace("$", r"\$")

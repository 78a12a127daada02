"""Plots: figures as PNG and SVG, with matplotlib."""

from __future__ import annotations

from itertools import count, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twicetold.experiments.frame import Figure, Outcome
from twicetold.extras import missing_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot"]

#: Colours that people with any eyesight tell apart (Okabe and Ito), and the marks beside them.
_COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#000000",
    "#8c6d31",
)
_MARKS = "osD^vP*X"
#: The paper's: a colour and a dash for each series.
_PAPER = (("#777777", "--"), ("#aaaaaa", ":"))
_WIDTH, _HEIGHT, _DPI = 6.4, 4.6, 120
#: The legend: entries in a row, and how high a row is.
_LEGEND_COLUMNS, _LEGEND_ROW = 4, 16
#: How many letters of it stand side by side, and how many a mark takes the room of.
_LEGEND_ROOM, _LEGEND_MARK = 75, 6
#: How many letters below an axis stand side by side.
_ROOM = 45
#: More plots than that are in several rows.
_SIDE_BY_SIDE = 4
#: As many values of x are marked one by one; more of them where each step is a multiple.
_FEW, _FEW_LOG = 6, 8
#: More points than that are a line without marks.
_MOST_MARKS = 40


def plot(outcome: Outcome, folder: Path) -> list[Path]:
    """Draw the figures of an outcome side by side; return the files, ``NAME.png`` and ``.svg``."""
    try:
        import matplotlib as mpl
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure as Canvas
    except ImportError as error:
        raise missing_extra(need="plots need matplotlib", extra="plots") from error
    if not outcome.figures:
        return []
    # Text stays text in the SVG, and the same outcome gives the same bytes.
    style = {"font.size": 11, "svg.fonttype": "none", "svg.hashsalt": outcome.name}
    with mpl.rc_context(style):
        n = len(outcome.figures)
        columns = min(n, _SIDE_BY_SIDE)
        rows = -(-n // columns)
        canvas = Canvas(figsize=(_WIDTH * columns, _HEIGHT * rows), dpi=_DPI, layout="constrained")
        FigureCanvasAgg(canvas)
        places = canvas.subplots(rows, columns, squeeze=False).flat
        for figure, axes in zip_longest(outcome.figures, places):
            if figure is None:
                axes.set_axis_off()
            else:
                _draw(figure, axes)
        written = []
        for kind, metadata in (("png", {"Software": None}), ("svg", {"Date": None})):
            path = folder / f"{outcome.name}.{kind}"
            canvas.savefig(path, metadata=metadata)
            written.append(path)
    return written


def _draw(figure: Figure, axes: Axes) -> None:
    if figure.kind == "dots":
        _dots(figure, axes)
        return
    if figure.log_x:
        axes.set_xscale("log")
    (_bars if figure.kind == "bar" else _lines)(figure, axes)
    axes.set_xlabel(figure.x)
    axes.set_ylabel(figure.y)
    if figure.log_y and any(y for series in figure.series for y in series.y):
        axes.set_yscale("log")
    else:
        if figure.from_zero:
            axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    axes.grid(visible=True, axis="y", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    _head(figure, axes)


def _dots(figure: Figure, axes: Axes) -> None:
    """Draw a dotplot: one size of mark for each series, so that all are seen where they meet."""
    from matplotlib.ticker import MaxNLocator

    for n, (series, style) in enumerate(zip(figure.series, _styles(figure), strict=True)):
        axes.plot(
            [float(x) for x in series.x],
            [float(y or 0) for y in series.y],
            linestyle="none",
            marker=style["marker"],
            markersize=2.5 + 2.5 * n,
            markerfacecolor=style["color"] if n == 0 else "none",
            markeredgecolor=style["color"],
            markeredgewidth=0.9,
            label=series.name,
        )
    axes.set_xlabel(figure.x)
    axes.set_ylabel(figure.y)
    axes.set_xlim(0.5, figure.size[0] + 0.5)
    axes.set_ylim(figure.size[1] + 0.5, 0.5)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(visible=True, color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    _head(figure, axes)


def _head(figure: Figure, axes: Axes) -> None:
    """Write the title and, between it and the plot, where it hides nothing, the legend."""
    rows = 0
    if len(figure.series) > 1 or figure.series[0].from_paper:
        columns = _legend_columns([series.name for series in figure.series])
        rows = -(-len(figure.series) // columns)
        axes.legend(
            loc="lower center",
            bbox_to_anchor=(0.5, 1.0),
            ncols=columns,
            fontsize=9,
            frameon=False,
            columnspacing=1.2,
        )
    axes.set_title(figure.title, fontsize=12, pad=8 + _LEGEND_ROW * rows)


def _legend_columns(names: list[str]) -> int:
    """Return how many entries of a legend stand side by side: as many as there is room for.

    >>> _legend_columns(["ours", "paper"]), _legend_columns(["composite, frequency"] * 4)
    (2, 2)
    """
    longest = max(map(len, names)) + _LEGEND_MARK
    return max(min(len(names), _LEGEND_COLUMNS, _LEGEND_ROOM // longest), 1)


def _categories(figure: Figure) -> list[str] | None:
    """Return the values of x in order if any is a text."""
    every = dict.fromkeys(x for series in figure.series for x in series.x)
    return [str(x) for x in every] if any(isinstance(x, str) for x in every) else None


def _styles(figure: Figure) -> list[dict[str, Any]]:
    """Return how each series is drawn: ours in colours, the paper's in grey dashes."""
    ours, papers = count(), count()
    found: list[dict[str, Any]] = []
    for series in figure.series:
        if series.from_paper:
            colour, dash = _PAPER[next(papers) % len(_PAPER)]
            style = {"color": colour, "linestyle": dash, "marker": "x"}
        else:
            number = next(ours)
            style = {
                "color": _COLOURS[number % len(_COLOURS)],
                "marker": _MARKS[number % len(_MARKS)],
            }
        found.append({**style, "markersize": 5, "label": series.name})
    return found


def _lines(figure: Figure, axes: Axes) -> None:
    names = _categories(figure)
    for series, style in zip(figure.series, _styles(figure), strict=True):
        known = [
            (x, y)
            for x, y in zip(series.x, series.y, strict=True)
            if y is not None and (y > 0 or not figure.log_y)
        ]
        places = [float(names.index(str(x)) if names else x) for x, _ in known]
        is_upright = len(set(places)) < len(places)
        if is_upright or len(places) > _MOST_MARKS:
            style["marker"] = ""
        axes.plot(places, [y for _, y in known], **style)
    if names:
        _name(axes, names)
    else:
        _mark(figure, axes)


def _bars(figure: Figure, axes: Axes) -> None:
    names = _categories(figure) or [str(x) for x in dict.fromkeys(figure.series[0].x)]
    known = [{x for x, y in zip(s.x, s.y, strict=True) if y is not None} for s in figure.series]
    # Where no name has two bars, each has all the room.
    is_apart = sum(map(len, known)) == len(set().union(*known))
    width = 0.8 if is_apart else 0.8 / len(figure.series)
    for number, (series, style) in enumerate(zip(figure.series, _styles(figure), strict=True)):
        shift = 0.0 if is_apart else (number - (len(figure.series) - 1) / 2) * width
        ends = series.ends or (None,) * len(series.x)
        label: str | None = series.name
        for x, y, interval in zip(series.x, series.y, ends, strict=True):
            if y is not None:
                place = names.index(str(x)) + shift
                error = [[max(y - interval[0], 0)], [max(interval[1] - y, 0)]] if interval else None
                axes.bar(
                    place,
                    y,
                    width,
                    color=style["color"],
                    label=label,
                    yerr=error,
                    capsize=2,
                    error_kw={"linewidth": 1},
                )
                label = None
    _name(axes, names)


def _mark(figure: Figure, axes: Axes) -> None:
    """Mark the values of x themselves, where these are few."""
    values = sorted({float(x) for series in figure.series for x in series.x})
    if len(values) <= (_FEW_LOG if figure.log_x else _FEW):
        axes.set_xticks(values, [f"{value:,.10g}" for value in values])
        axes.set_xticks([], minor=True)


def _name(axes: Axes, names: list[str]) -> None:
    """Write categories below the axis, slanted where they would run into each other."""
    longest = max(map(len, names))
    slant: dict[str, Any] = {"rotation": 35, "ha": "right"} if len(names) * longest > _ROOM else {}
    axes.set_xticks(range(len(names)), names, **slant)
